/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_SCHED_H
#define BUILTIN_SCHED_H
/*
 * The parts of perf sched: builtin-sched.c has what works on recordings, builtin-sched-record.c
 * makes them, builtin-sched-stats.c has the counters of /proc/schedstat. Sub-commands as
 * cli_run_sub() starts them.
 */
#include <stddef.h>

int sched_record(int argc, const char **argv, void *in);
int sched_stats(int argc, const char **argv, void *in);
/* The scheduler's events that exist, and what is preset; argv as for record_with(). */
struct record_preset;
int sched_record_with(const struct record_preset *more, int argc, const char **argv);

#endif
