/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_SCHEDSTATS_H
#define OS_SCHEDSTATS_H
/*
 * kernel.sched_schedstats: whether the scheduler counts for /proc/schedstat, and tells of
 * sched_stat_wait, _sleep, _blocked and _iowait. It costs a little on each switch, so that it is
 * off unless somebody measures. Signals that end the measuring program must be held back between on
 * and off (util/os/wait-set.h).
 */
#include "util/os/os.h"

struct schedstats { bool switched; };

/* The counters as the kernel writes them: /proc/schedstat. */
int schedstats_read(const struct os *os, struct str *out, struct err *err);
/* On, until schedstats_off(). -ENOENT: the kernel has no such counters; -EACCES and others: the
 * switch cannot be moved, and stands on off. Kernels before 4.6 have no switch and always count:
 * 0. */
int schedstats_on(struct schedstats *s, const struct os *os, struct err *err);
/* As it was before; safe on zero, and a second time. */
void schedstats_off(struct schedstats *s, const struct os *os);

#endif
