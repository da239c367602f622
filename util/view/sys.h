/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_SYS_H
#define VIEW_SYS_H
/*
 * Lines of system calls: upstream perf's layout, strace's, and JSON lines.
 */
#include "util/analysis/sys-table.h"

#define VIEW_SYS_WHO_ROOM 112
struct view_sys_who {		/* "comm/tid " of the last line */
	bool known;
	u32 tid, len;
	char comm[24], text[VIEW_SYS_WHO_ROOM];
};

enum view_sys_form { VIEW_SYS_UPSTREAM, VIEW_SYS_STRACE, VIEW_SYS_JSON };
struct view_sys {
	enum view_sys_form form;
	bool full_time;			/* not relative to base_ns */
	bool no_time, no_duration, no_comm, no_tid, show_cpu, color;
	u64 base_ns;			/* 0: the first line's time is taken */
	/* columns before the result; 0: as the form has it, < 0: none */
	int align;
	bool print_sample;		/* what the line was made from goes before it */
	struct syscall_style style;
	/* NULL, or what keeps texts of calls for when they come again (view/sys-memo.h). Then
	 * the name of a descriptor must follow from its key alone; whoever learns another name for
	 * a key clears it. Borrowed. */
	struct sys_memo *memo;
	struct view_sys_who who;	/* of the view itself */
	struct sys_rows rows;		/* as who */
};

void view_sys_line(struct view_sys *v, const struct sys_line *l, struct str *out);
/* What a line begins with: "     1.234 ( 0.012 ms): comm/tid ". */
struct view_sys_head {
	u64 time_ns, dur_ns;
	/* what stands between time and name: nothing, "(         ): ", or dur_ns */
	enum { VIEW_SYS_NO_DURATION, VIEW_SYS_NOT_KNOWN, VIEW_SYS_DURATION } duration;
	const char *comm;		/* NULL: not known */
	u32 tid, cpu;
};
void view_sys_head(struct view_sys *v, const struct view_sys_head *h, struct str *out);
/* What was seen, at the end of all. */
void view_sys_stats(struct view_sys *v, u64 lines, u64 lost, struct str *out);
/* What it keeps for rows of JSON. */
void view_sys_release(struct view_sys *v);

#endif
