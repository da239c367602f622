// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/ring.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

static int map_ring(struct ring *r, const struct os *os, int fd, unsigned pages, int prot,
		    struct err *err)
{
	size_t bytes = ((size_t)pages + 1) * os->page_bytes;
	void *p;

	*r = (struct ring){ .fd = fd, .cpu = -1 };
	if (!pages || (pages & (pages - 1)))
		return err_set(err, EINVAL, "%u pages of ring buffer are not a power of two",
			       pages);
	p = mmap(NULL, bytes, prot, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED) {
		int code = errno;
		u64 kb = (u64)pages * os->page_bytes >> 10;

		err_sys(err, code, "cannot map a ring buffer of %llu kB", (unsigned long long)kb);
		if (code == EPERM)
			err_hint(err, "use smaller buffers (-m), or allow more locked memory than "
				      "the %llu kB for each CPU:\n"
				 "sudo sysctl kernel.perf_event_mlock_kb=%llu",
				 (unsigned long long)os_mlock_kb(os),
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
	const struct perf_event_mmap_page *head = r->base;

	if (head)
		munmap(r->base, r->data_bytes + head->data_offset);
	*r = (struct ring){ .fd = -1 };
}

int ring_redirect(int event_fd, int ring_fd)
{
	return ioctl(event_fd, PERF_EVENT_IOC_SET_OUTPUT, ring_fd) ? -errno : 0;
}

void ring_pause(const struct ring *r, bool paused)
{
	ioctl(r->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, (unsigned)paused);
}

int ring_event_id(int event_fd, u64 *id)
{
	return ioctl(event_fd, PERF_EVENT_IOC_ID, id) ? -errno : 0;
}

void ring_consume(struct ring *r)
{
	struct perf_event_mmap_page *p = r->base;

	__atomic_store_n(&p->data_tail, r->tail, __ATOMIC_RELEASE);
}
