/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_MODULE_WATCH_H
#define OS_MODULE_WATCH_H
/*
 * Kernel modules that come and go, reported at that moment: before a module's init function runs,
 * and when its memory is about to be freed. Two small BPF programs at the kernel's tracepoints of
 * it; nothing runs while no module comes. One owner.
 */
#include "util/os/os.h"

struct os_module_event {
	u64 time_ns;		/* CLOCK_MONOTONIC */
	bool gone;
	char name[56];		/* MODULE_NAME_LEN */
};

struct os_module_watch;
/* NULL: not allowed (CAP_BPF and CAP_PERFMON), or the kernel is older than 5.8, or has no
 * modules; a test's tree. */
struct os_module_watch *os_module_watch_open(const struct os *os);
void os_module_watch_close(struct os_module_watch *w);		/* NULL is nothing */
/* Readable when there is an event. */
int os_module_watch_fd(const struct os_module_watch *w);
bool os_module_watch_pending(const struct os_module_watch *w);
/* false: no more */
bool os_module_watch_next(struct os_module_watch *w, struct os_module_event *out);

/* The time in a perf event's records when it is CLOCK_MONOTONIC mono_ns: attr tells their clock.
 * 0 on failure. */
u64 os_perf_time(const struct os *os, const struct perf_event_attr *attr, u64 mono_ns);

#endif
