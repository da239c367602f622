/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_SCHED_H
#define BUILTIN_SCHED_H
/*
 * The parts of perf sched: builtin-sched.c has what works on recordings, builtin-sched-record.c makes them, builtin-sched-stats.c
 * has the counters of /proc/schedstat. Sub-commands as cli_run_sub() starts them.
 */
#include <stddef.h>

int sched_record(int argc, const char **argv, void *in);
int sched_stats(int argc, const char **argv, void *in);
/* Another command of perf: the words in front, then those of argv behind argv[0]. Its status. */
int sched_run_command(const char *const *front, size_t n_front, int argc, const char **argv);

#endif
