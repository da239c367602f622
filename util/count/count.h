/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COUNT_COUNT_H
#define COUNT_COUNT_H
/*
 * A counting session: opens the events, lets a command run (or waits), reads the counters, and
 * hands out rows. It reads only at the ends of intervals and of runs; between them it sleeps.
 */
#include "util/analysis/stat/stat.h"
#include "util/base/windows.h"
#include "util/os/target.h"

struct count_file;	/* count/file.h */

/* The list has the same events for each of several cgroups. Of the first n_each the kernel has
 * counters, of everything; a BPF program tells what each cgroup has of it. */
struct count_cgroups {
	size_t n_each;
	VEC(u64) ids;			/* os_cgroup_id() */
	bool asked;			/* if it cannot be done so, the user wants to know */
};

struct count_opts {
	struct target *target;		/* resolved by count_run() */
	const char *const *argv;	/* the command, or NULL */
	struct stat_opts stat;
	int cache_level;		/* STAT_CACHE: 0 is the last */
	bool null_run;			/* open nothing */
	bool sync_first;
	window_vec windows;		/* borrowed: when it is counted; empty: all the time, but */
	bool start_disabled;		/* not before the control channel says so */
	const char *control;		/* of --control; NULL: none */
	u64 interval_ns;		/* 0: no intervals */
	int interval_count;		/* 0: no limit */
	u64 timeout_ns;			/* 0: none */
	int runs;			/* 0: until a signal */
	const char *pre, *post;		/* shell commands around each run */
	/* Rows of an interval; time_ns since the start. */
	void (*on_interval)(void *ctx, const struct stat_row *rows, size_t n, u64 time_ns);
	void (*on_message)(void *ctx, const char *text);	/* "Events enabled" */
	void *ctx;
	const struct count_cgroups *cgroups;	/* or NULL; borrowed */
	/* the file by which events with bpf share their counters; NULL: none; borrowed */
	const char *share_table;
	int_vec bpf_programs;		/* borrowed: counted is only what happens in these */
	struct count_file *file;	/* each read goes there too ("perf stat record"), or NULL */
};

struct count_result {
	stat_rows rows;			/* the total; borrows from the session below */
	VEC(double) seconds;		/* elapsed, of each run */
	double user_s, sys_s;		/* CPU time of the command, mean over runs */
	bool has_cpu_time;
	int exit_code;			/* of the command */
	int signal;			/* that ended the session, or 0 */
	int n_intervals;
	struct open_report report;
	struct stat *stat;
};

/* -ECHILD: the command could not be started (message says why). The list stays open-ended:
 * release it afterwards. */
int count_run(struct event_list *l, struct os *os, const struct count_opts *o,
	      struct count_result *res, struct err *err);
void count_result_release(struct count_result *r);

#endif
