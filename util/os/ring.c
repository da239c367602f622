// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/ring.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

static const u8 *data_of(const struct ring *r)
{
	const struct perf_event_mmap_page *p = r->base;

	return (const u8 *)r->base + p->data_offset;
}

static u64 head_of(const struct ring *r)
{
	const struct perf_event_mmap_page *p = r->base;

	return __atomic_load_n(&p->data_head, __ATOMIC_ACQUIRE);
}

static int map_ring(struct ring *r, const struct os *os, int fd, unsigned pages, int prot, struct err *err)
{
	size_t bytes = ((size_t)pages + 1) * os->page_bytes;
	void *p;

	*r = (struct ring){ .fd = fd, .cpu = -1 };
	if (!pages || (pages & (pages - 1)))
		return err_set(err, EINVAL, "%u pages of ring buffer are not a power of two", pages);
	p = mmap(NULL, bytes, prot, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED) {
		int code = errno;
		u64 kb = (u64)pages * os->page_bytes >> 10;

		err_sys(err, code, "cannot map a ring buffer of %llu kB", (unsigned long long)kb);
		if (code == EPERM)
			err_hint(err, "use smaller buffers (-m), or allow more locked memory than the %llu kB for each CPU:\n"
				 "sudo sysctl kernel.perf_event_mlock_kb=%llu", (unsigned long long)os_mlock_kb(os),
				 (unsigned long long)(kb + os->page_bytes / 1024) * 2);
		else if (code == ENOMEM)
			err_hint(err, "use smaller buffers (-m)");
		return -code;
	}
	r->base = p;
	r->data_bytes = (size_t)pages * os->page_bytes;
	r->tail = ((struct perf_event_mmap_page *)p)->data_tail;
	return 0;
}

int ring_map(struct ring *r, const struct os *os, int fd, unsigned pages, struct err *err)
{
	return map_ring(r, os, fd, pages, PROT_READ | PROT_WRITE, err);
}

int ring_map_overwrite(struct ring *r, const struct os *os, int fd, unsigned pages, struct err *err)
{
	return map_ring(r, os, fd, pages, PROT_READ, err);
}

void ring_unmap(struct ring *r)
{
	if (r->base)
		munmap(r->base, r->data_bytes + ((struct perf_event_mmap_page *)r->base)->data_offset);
	free(r->split);
	*r = (struct ring){ .fd = -1 };
}

u64 ring_pending(const struct ring *r)
{
	return head_of(r) - r->tail;
}

int ring_ready(struct ring *r, struct span out[2])
{
	u64 head = head_of(r), bytes = head - r->tail;
	size_t at = r->tail & (r->data_bytes - 1), first = MIN(bytes, (u64)(r->data_bytes - at));

	if (!bytes)
		return 0;
	out[0] = (struct span){ data_of(r) + at, first };
	out[1] = (struct span){ data_of(r), bytes - first };
	r->tail = head;
	return bytes > first ? 2 : 1;
}

const struct perf_event_header *ring_next(struct ring *r)
{
	u64 left = ring_pending(r);
	size_t at = r->tail & (r->data_bytes - 1);
	const u8 *data = data_of(r);
	const struct perf_event_header *h = (const void *)(data + at);

	/* Records are multiples of 8 bytes, so a header never wraps. */
	if (left < sizeof(*h) || h->size < sizeof(*h) || h->size > left)
		return NULL;
	r->tail += h->size;
	if (at + h->size <= r->data_bytes)
		return h;
	size_t size = h->size, first = r->data_bytes - at;
	if (r->split_cap < size) {
		r->split = xrealloc(r->split, 65536);
		r->split_cap = 65536;
	}
	memcpy(r->split, data + at, first);
	memcpy(r->split + first, data, size - first);
	return (const void *)r->split;
}

void ring_consume(struct ring *r)
{
	struct perf_event_mmap_page *p = r->base;

	__atomic_store_n(&p->data_tail, r->tail, __ATOMIC_RELEASE);
}
