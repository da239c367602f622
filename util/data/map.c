// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recordings with stack dumps are read from a mapping. Of a record of 8 KB the walks for side-band
 * and order look at one cache line and the unwinder at a quarter, and what is mapped need not be
 * copied to wait for its turn. Small records are all read, and copying them into a near cache is
 * faster than to map their pages.
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/xalloc.h"
#include "util/data/data-priv.h"

enum {
	MIN_DUMP_BYTES = 2048, MIN_MAP_BYTES = 1 << 20,
	/* readable past the end: more than a record's size can say */
	GUARD_BYTES = 64 << 10,
	LARGE_PAGE_BYTES = 2 << 20,
};

/* Somebody made the file shorter while it was read: what is gone reads as zeros, and no record
 * begins with those. */
static void on_bus_error(int sig, siginfo_t *info, void *context UNUSED)
{
	const size_t page = (size_t)getpagesize();
	void *at = (void *)((uintptr_t)info->si_addr & ~(page - 1));

	if (info->si_code != BUS_ADRERR ||
	    mmap(at, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		signal(sig, SIG_DFL);	/* it comes again */
}

static bool catch_bus_errors(void)
{
	struct sigaction sa = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO | SA_RESTART },
		old;

	if (sigaction(SIGBUS, NULL, &old) ||
	    (!(old.sa_flags & SA_SIGINFO) && old.sa_handler != SIG_DFL))
		return false;		/* somebody else wants them */
	sigemptyset(&sa.sa_mask);
	return !sigaction(SIGBUS, &sa, NULL);
}

static bool has_dumps(const struct data_reader *r)
{
	for vec_each(e, &r->events.events) {
		const struct perf_event_attr *a = &(*e)->attr;

		if (a->sample_type & PERF_SAMPLE_STACK_USER && a->sample_stack_user >=
		    MIN_DUMP_BYTES)
			return true;
	}
	return false;
}

/* Addresses for so many whole pages, aligned as the page cache's large pages are in the file:
 * where they are, one fault maps a large page instead of 64 KB, and a walk over headers takes three
 * quarters of the time. */
static u8 *reserve(size_t bytes)
{
	u8 *map = mmap(NULL, bytes + LARGE_PAGE_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS |
		       MAP_NORESERVE, -1, 0), *at;

	if (map == MAP_FAILED)
		return NULL;
	at = (u8 *)ALIGN_UP((uintptr_t)map, (uintptr_t)LARGE_PAGE_BYTES);
	if (at > map)
		munmap(map, (size_t)(at - map));
	munmap(at + bytes, LARGE_PAGE_BYTES - (size_t)(at - map));
	return at;
}

void data_map(struct data_reader *r)
{
	if (r->priv->map_tried)
		return;
	r->priv->map_tried = true;
	if (r->swap || r->stream || !has_dumps(r) || !catch_bus_errors())
		return;
	for vec_each(f, &r->files) {
		struct stat st;
		size_t bytes;
		u8 *map;

		if (f->to < f->from || f->to - f->from < MIN_MAP_BYTES || f->to > SIZE_MAX / 2 ||
		    f->from % 8 ||
		    fstat(f->fd, &st) || !S_ISREG(st.st_mode) || (u64)st.st_size < f->to)
			continue;
		bytes = ALIGN_UP((size_t)f->to + GUARD_BYTES, (size_t)getpagesize());
		map = reserve(bytes);
		if (!map)
			continue;
		if (mmap(map, (size_t)f->to, PROT_READ, MAP_PRIVATE | MAP_FIXED, f->fd, 0) ==
		    MAP_FAILED) {
			munmap(map, bytes);
			continue;
		}
		f->map = map;
		f->map_bytes = bytes;
	}
}

void data_unmap(struct data_file *f)
{
	if (f->map)
		munmap((void *)(uintptr_t)f->map, f->map_bytes);
	f->map = NULL;
}

u64 data_let_go(const struct data_file *f, u64 from, u64 to)
{
	to = MIN(to, f->to);
	if (!f->map || to < from || to - from < DATA_DROP_BYTES)
		return from;
	data_map_drop(f, from, to);
	return to;
}

/* Only whole large pages: of a part of one the kernel keeps all mapped. They come back when
 * somebody looks at them. */
void data_map_drop(const struct data_file *f, u64 from, u64 to)
{
	from &= ~(LARGE_PAGE_BYTES - 1ull);
	to &= ~(LARGE_PAGE_BYTES - 1ull);
	if (from < to)
		madvise((void *)(uintptr_t)(f->map + from), (size_t)(to - from), MADV_DONTNEED);
}
