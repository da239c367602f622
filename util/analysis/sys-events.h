/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_SYS_EVENTS_H
#define ANALYSIS_SYS_EVENTS_H
/*
 * The events of a trace of system calls: what is to be opened for a selection
 * (analysis/sys-select.h), what of a recording belongs to it, and where output begins and ends. No
 * I/O. One owner.
 */
#include "util/analysis/sys-select.h"
#include "util/base/hash.h"
#include "util/event/event.h"
#include "util/event/tracepoint.h"
#include "util/stream/sink.h"
#include "util/wire/sysrec.h"

enum sys_faults { FAULTS_NONE, FAULTS_ALL, FAULTS_MAJ, FAULTS_MIN };

/* One --filter: of the events in the -e before it, the after-th one (from 1; 0: there is none). */
struct sys_filter {
	const char *text;
	size_t after;
};
typedef VEC(struct sys_filter) sys_filters;

struct sys_events_opts {		/* all borrowed */
	const struct sys_select *select;
	const sys_filters *filters;
	const struct syscall_set *set;
	const struct sysplan *plans;	/* 2 * SYSPLAN_NRS */
	bool calls;			/* calls are events, too: nothing captures them */
	bool stacks;			/* captured calls get their stacks from events */
	bool one_stack;			/* of calls that are events, at their end alone */
	bool kernel_graph, only_failed;
	enum sys_faults faults;
};
struct sys_events {
	size_t n_calls;			/* the first events: calls, and what belongs to them */
	const struct event *names;	/* the probe "vfs_getname"; NULL: nobody has put it there */
	/* its samples are the stacks of captured calls; NULL: none are wanted */
	const struct event *stacks;
	/* its fields with the number and the result of the call */
	const struct tp_field *stack_id, *stack_ret;
};
/* Adds them to the list, with their formats. */
int sys_events_add(struct event_list *l, const struct sys_events_opts *o, struct os *os,
		   struct sys_events *out, struct err *err);
/* Words of the selection that are no calls must be events. */
int sys_events_check(const struct sys_select *s, const struct syscall_set *set, struct os *os,
		     struct err *err);
/* A --filter with nothing to filter would be one that is ignored. texts: those of -e. */
int sys_filters_check(const struct sys_select *s, const sys_filters *f, const char *const *texts,
		      struct err *err);

bool sys_event_is_fault(const struct event *e);
/* Of a recording with more events than those asked for, which are as in a live trace. */
bool sys_events_select(const struct sys_select *s, enum sys_faults faults, const struct event *e);
/* Is there something of each kind that is asked for? */
int sys_events_find(const struct sys_select *s, enum sys_faults faults, const struct event_list *l,
		    struct err *err);

/* ---- output that begins and ends at events ---- */
struct sys_switch {
	const char *on, *off;		/* names; NULL: none */
	bool show;			/* these events too */
	bool hide_on, hide_off;		/* nobody asked for them but for this */
	bool is_off;			/* now */
};
/* Live: those that nobody wants to see are watched all the same, and added to the selection. */
int sys_switch_add(struct sys_switch *w, struct sys_select *s, struct os *os, struct err *err);
/* Of a recording: they must be in it. */
int sys_switch_find(const struct sys_switch *w, const struct event_list *l, struct err *err);
bool sys_switch_is(const struct sys_switch *w, const struct event *e);	/* one of the two */
/* An event comes: whether it is shown. */
bool sys_switch_shows(struct sys_switch *w, const struct event *e);

/* ---- sums ---- */
struct sys_summary;
/* A call that ended, of its thread or of all; the thread has the name of its last one. */
void sys_summary_call(struct sys_summary *s, bool threads, const struct sysrec *r);

/* ---- --sched: the times of sched:sched_stat_runtime ---- */
#define SYS_RUNTIME_EVENT "sched:sched_stat_runtime"
struct sys_runtimes { struct hmap by_tid; };
void sys_runtimes_add(struct sys_runtimes *r, const struct sample *s, bool swap);
/* into groups of threads */
void sys_runtimes_put(const struct sys_runtimes *r, struct sys_summary *out);
void sys_runtimes_release(struct sys_runtimes *r);

#endif
