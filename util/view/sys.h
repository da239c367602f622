/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_SYS_H
#define VIEW_SYS_H
/*
 * Lines and summaries of system calls as text: upstream perf's layout, strace's, and JSON lines.
 */
#include "util/analysis/sys.h"
#include "util/base/json.h"

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
};

void view_sys_line(struct view_sys *v, const struct sys_line *l, struct str *out);
/* "     1.234 (         ): comm/tid " of an event that is no call. */
void view_sys_head(struct view_sys *v, u64 time_ns, bool duration_column, const char *comm, u32 tid,
		   u32 cpu, struct str *out);

enum view_sys_group { VIEW_SYS_THREAD, VIEW_SYS_TOTAL, VIEW_SYS_CGROUP };
struct view_sys_sum {
	int group;			/* enum view_sys_group */
	bool errnos;
	bool runtimes;			/* runtime_ns of the groups was filled in */
	unsigned max_rows;		/* 0: all */
	bool json;			/* one object a row */
};
void view_sys_summary(const struct view_sys_sum *v, const struct sys_summary *s,
		      const struct syscall_set *set, struct str *out);

/* ---- JSON: one object a line ---- */
struct view_sys_event {
	u64 time_ns;
	const char *comm, *name;	/* comm NULL: not known */
	u32 pid, tid;
	struct span args;		/* as text */
};
void view_sys_json_event(const struct view_sys_event *e, struct str *out);
/* The stack of the line before, of this thread: between the two, one json_str() a frame. */
void view_sys_json_stack_begin(struct json *j, u32 tid, struct str *out);
void view_sys_json_stack_end(struct json *j);
void view_sys_json_summary(const struct view_sys_sum *v, const struct sys_summary *s,
			   const struct syscall_set *set, struct str *out);

#endif
