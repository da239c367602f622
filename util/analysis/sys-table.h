/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_SYS_TABLE_H
#define ANALYSIS_SYS_TABLE_H
/*
 * A trace as data: its summary as tables, its lines, events and stacks as a row each. The keys are
 * documented in perf-data-output(5). One owner; zeroed memory is empty.
 */
#include "util/analysis/sys.h"
#include "util/base/table.h"

struct sys_sums_opts {
	int by;				/* enum sys_sums_by */
	bool errnos;
	bool runtimes;			/* runtime_ns of the groups was filled in */
	int max_rows;			/* of a group; 0 and less: all */
};

struct sys_group_tables {
	struct table facts;		/* one row: "comm" and "tid", or "cgroup"; "events" ... */
	struct table calls;		/* a row a call: "syscall", "calls", "total_ns" ... */
};
struct sys_tables { VEC(struct sys_group_tables) groups; };
/* of a sorted summary, from which labels and names are borrowed */
void sys_summary_tables(const struct sys_summary *s, const struct sys_sums_opts *o,
			const struct syscall_set *set, struct sys_tables *out);
void sys_tables_release(struct sys_tables *t);

struct sys_event {			/* a sample that is no call */
	u64 time_ns;
	const char *comm, *name;	/* comm NULL: not known */
	u32 pid, tid;
	struct span args;		/* as text, with a NUL behind it */
};

/* Tables of one row, which is made anew by each call and borrows from what it is made of. */
struct sys_rows {
	struct table calls, events, stacks, lost, stats;
	struct table raw_args, frames;	/* lists in them */
	struct str args, result;
};
const struct table *sys_row_line(struct sys_rows *r, const struct sys_line *l,
				 const struct syscall_style *style);
const struct table *sys_row_event(struct sys_rows *r, const struct sys_event *e);
/* A text with NUL for each frame (sys-sink.h). */
const struct table *sys_row_stack(struct sys_rows *r, u32 tid, const struct str *frames);
const struct table *sys_row_stats(struct sys_rows *r, u64 lines, u64 lost);
void sys_rows_release(struct sys_rows *r);

#endif
