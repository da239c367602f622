// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What time it is in perf's records. Their default clock is the scheduler's, which no system call
 * tells; but a page fault of ours, sampled, does.
 */
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "util/os/module-watch.h"
#include "util/os/ring.h"

/* The first record's time, if it is a sample of nothing but that. */
static u64 sampled_time(const struct ring *r)
{
	const struct perf_event_mmap_page *page = r->base;
	struct { struct perf_event_header h; u64 time_ns; } rec;

	if (__atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE) < sizeof(rec))
		return 0;
	memcpy(&rec, (const u8 *)r->base + page->data_offset, sizeof(rec));
	return rec.h.type == PERF_RECORD_SAMPLE && rec.h.size == sizeof(rec) ? rec.time_ns : 0;
}

/* perf's clock minus CLOCK_MONOTONIC, to a microsecond or so. */
static bool sched_clock_offset(const struct os *os, u64 *out)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS,
			.size = PERF_ATTR_SIZE_VER5, .sample_period = 1,
		.sample_type = PERF_SAMPLE_TIME, .exclude_kernel = 1, .exclude_hv = 1,
		.disabled = 1,
	};
	const size_t bytes = os->page_bytes;
	volatile char *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				   -1, 0);
	int fd = os->perf_event_open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	struct ring r = { .base = NULL };
	u64 before, after, at = 0;

	if (page != MAP_FAILED && fd >= 0 && ring_map(&r, os, fd, 1, NULL) == 0 &&
	    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) == 0) {
		before = os_now_ns();
		page[0] = 1;
		after = os_now_ns();
		ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
		at = sampled_time(&r);
		*out = at - (before + (after - before) / 2);
	}
	ring_unmap(&r);
	if (fd >= 0)
		close(fd);
	if (page != MAP_FAILED)
		munmap((void *)page, bytes);
	return at != 0;
}

u64 os_perf_time(const struct os *os, const struct perf_event_attr *attr, u64 mono_ns)
{
	struct timespec ts;
	u64 off;

	if (os->fake)
		return mono_ns;
	if (!attr->use_clockid)
		return sched_clock_offset(os, &off) ? mono_ns + off : 0;
	if (attr->clockid == CLOCK_MONOTONIC)
		return mono_ns;
	if (clock_gettime(attr->clockid, &ts))
		return 0;
	return mono_ns + ((u64)ts.tv_sec * NSEC_PER_SEC + (u64)ts.tv_nsec - os_now_ns());
}
