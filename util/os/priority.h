/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_PRIORITY_H
#define OS_PRIORITY_H
/*
 * When and where perf itself runs: a reader of buffers must come before they are full, whatever
 * else runs. Of the calling thread.
 */
#include "util/os/os.h"

/* A realtime priority can be had: privilege, limits and control groups allow it. It is tried,
 * and put back. */
bool os_may_be_realtime(void);
/* SCHED_FIFO with this priority (1 to 99); its threads and children have it, too. Failure:
 * -EPERM with a hint. */
int os_realtime(int priority, struct err *err);

/* Goes first as far as that is allowed, without words where it is not: for a reader that needs
 * little and sleeps most of the time. Children do not inherit it. Returns what os_normal() takes.
 */
int os_quick(void);
void os_normal(int nice_before);

/* Runs on these CPUs from now on (ascending). -errno: EINVAL where it may run on none of them. */
int os_run_on(const int_vec *cpus);
/* Where it may run now, ascending. -errno */
int os_may_run_on(int_vec *cpus);

#endif
