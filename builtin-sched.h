/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_SCHED_H
#define BUILTIN_SCHED_H
/*
 * The parts of perf sched: builtin-sched.c has what works on scheduler events, builtin-sched-stats.c the counters of
 * /proc/schedstat. A sub-command as cli_run_sub() starts it.
 */
int sched_stats(int argc, const char **argv, void *in);

#endif
