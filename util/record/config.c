// SPDX-License-Identifier: GPL-2.0-or-later
// Settings to attrs. What each event asks of the kernel is decided here and nowhere else in
// recording.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "include/abi/perf_event.h"
#include "util/event/sample-filter.h"
#include "util/os/kernel.h"
#include "util/record/heap.h"
#include "util/record/off-time.h"
#include "util/record/record.h"

#define MOST_HZ 20000		/* for which -g makes copies of stacks */

static bool is_tracepoint(const struct event *e)
{
	return e->attr.type == PERF_TYPE_TRACEPOINT;
}

/* Each of them is a sample, and what it says is in its raw bytes. */
static bool is_message(const struct event *e)
{
	return is_tracepoint(e) || (e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config ==
				    PERF_COUNT_SW_BPF_OUTPUT);
}

static bool has_time(const struct event *e, const struct record_sampling *o)
{
	return e->terms.set & EVENT_TERM_TIME ? e->terms.time : !o->no_time;
}

/* The side-band is of all CPUs and all times: an event that is not cannot carry it. */
static bool can_track(const struct event *e, const struct record_sampling *o)
{
	return !e->own_cpus.n && !e->terms.cpus.n && has_time(e, o);
}

static bool needs_sideband_event(const struct event_list *l, const struct record_opts *o)
{
	/* It is enabled from the moment it is open, so that nothing happens unseen between the
	 * snapshot of /proc and the start. A workload is held meanwhile and needs none, unless its
	 * events start later than its exec. */
	return !target_none(&o->target) || o->when.windows.n || o->when.start_disabled ||
		o->buffers.overwrite || !l->events.n || !can_track(l->events.v[0], &o->sampling);
}

static void add_sideband_event(struct event_list *l)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1, .exclude_hv = 1, .exclude_guest = 1, .sample_period = 1,
	};
	struct event *e = event_list_add(l, &attr, "dummy:u");

	e->dummy = true;
}

static void set_tracking(struct perf_event_attr *a, const struct record_sideband *o,
			 bool data_maps)
{
	a->mmap = a->mmap2 = 1;
	a->comm = a->comm_exec = 1;
	a->task = 1;
	a->ksymbol = 1;
	a->bpf_event = !o->no_bpf_event;
	a->build_id = o->buildid_mmap;
	a->mmap_data = o->data_mmap || data_maps;
	a->namespaces = o->namespaces;
	a->cgroup = o->all_cgroups;
	a->context_switch = o->switch_events;
}

/* Samples have addresses of data; or other readers unwind their stacks, which look for the tables
 * where they are mapped: that is not executable memory. */
static bool needs_data_maps(const struct record_opts *o)
{
	return o->sampling.addr ||
		(o->stacks.callgraph == RECORD_CHAIN_DWARF && record_keeps_stacks(o));
}

static void set_freq(struct perf_event_attr *a, u64 hz)
{
	a->freq = 1;
	a->sample_freq = hz;
}

static void set_period(struct perf_event_attr *a, u64 period)
{
	a->freq = 0;
	a->sample_period = period;
}

/* The event's own terms, then the command's, then what the kind of event suggests. */
static void set_rate(struct event *e, const struct record_sampling *o)
{
	struct perf_event_attr *a = &e->attr;

	if (o->no_samples)
		set_period(a, 0);
	else if (e->terms.set & EVENT_TERM_PERIOD)
		set_period(a, e->terms.period);
	else if (e->terms.set & EVENT_TERM_FREQ)
		set_freq(a, e->terms.freq);
	else if (o->period)
		set_period(a, o->period);
	else if (o->freq_hz)
		set_freq(a, o->freq_hz);
	else if (is_message(e) || a->type == PERF_TYPE_BREAKPOINT)
		set_period(a, 1);
	else if (!a->sample_period)
		set_freq(a, RECORD_DEFAULT_HZ);
}

/* As often as nobody knows, or more often than the buffers have room for copies of stacks. */
static bool may_flood(const struct perf_event_attr *a)
{
	const bool clock = a->type == PERF_TYPE_SOFTWARE &&
		(a->config == PERF_COUNT_SW_CPU_CLOCK || a->config == PERF_COUNT_SW_TASK_CLOCK);

	return a->freq ? a->sample_freq > MOST_HZ :
		!clock || a->sample_period < NSEC_PER_SEC / MOST_HZ;
}

/* What "auto" is for this event. One that may come at each switch of tasks or each call has no
 * room for copies of stacks. */
static enum record_callgraph resolve_auto(const struct event *e, const struct record_stacks *o)
{
	return o->only_fp || o->raw_dumps || is_message(e) ||
		(o->by_default && !(e->terms.set & EVENT_TERM_CALL_GRAPH) && may_flood(&e->attr)) ||
		e->attr.type == PERF_TYPE_BREAKPOINT ? RECORD_CHAIN_FP : RECORD_CHAIN_DWARF;
}

static void add_flags(struct perf_event_attr *a, u64 flags)
{
	abi_attr_set_flags(a, abi_attr_flags(a) | flags);
}

/* frames: the kernel is to follow frame pointers, too. */
static void set_chain(struct perf_event_attr *a, const struct record_stacks *o,
		      bool frames)
{
	const enum record_callgraph how = o->callgraph;

	if (how == RECORD_CHAIN_NONE)
		return;
	a->sample_type |= PERF_SAMPLE_CALLCHAIN;
	a->exclude_callchain_user = o->kernel_callchains;
	a->exclude_callchain_kernel |= o->user_callchains;
	if (how == RECORD_CHAIN_FP && o->deferred && !a->exclude_callchain_user)
		add_flags(a, ABI_ATTR_DEFER_CALLCHAIN);
	if (how == RECORD_CHAIN_DWARF) {
		a->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		a->sample_regs_user |= arch_host()->user_regs_mask;
		a->sample_stack_user = o->dump_bytes;
		/* that part comes from the stack */
		a->exclude_callchain_user |= !frames;
	} else if (how == RECORD_CHAIN_FP && arch_host()->calls.chain_lr == ARCH_CHAIN_LACKS_LR &&
		   !a->exclude_callchain_user) {
		a->sample_type |= PERF_SAMPLE_REGS_USER;
		a->sample_regs_user |= 1ULL << arch_host()->perf_lr;
	} else if (how == RECORD_CHAIN_LBR) {
		a->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		a->branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK |
			PERF_SAMPLE_BRANCH_NO_CYCLES |
					PERF_SAMPLE_BRANCH_NO_FLAGS | PERF_SAMPLE_BRANCH_HW_INDEX;
	}
}

/* What stands between the slashes of one event, or else what the command says. */
static int set_terms(struct event *e, const struct record_stacks *o, struct err *err)
{
	struct record_stacks own = *o;
	bool automatic;
	int ret = 0;

	if (e->terms.set & EVENT_TERM_CALL_GRAPH) {
		own.callgraph = RECORD_CHAIN_NONE;
		own.dump_bytes = RECORD_DEFAULT_DUMP;
		if (strcmp(e->terms.call_graph, "no"))
			ret = record_parse_callgraph(&own, e->terms.call_graph, err);
	}
	if (e->terms.set & EVENT_TERM_STACK_SIZE)
		own.dump_bytes = e->terms.stack_bytes;
	if (e->terms.max_stack && !(e->terms.set & EVENT_TERM_CALL_GRAPH) && own.callgraph ==
	    RECORD_CHAIN_NONE)
		own.callgraph = RECORD_CHAIN_FP;
	if (e->terms.max_stack && own.callgraph != RECORD_CHAIN_NONE)
		e->attr.sample_max_stack = (u16)e->terms.max_stack;
	if (!ret && e->terms.set & EVENT_TERM_BRANCH_TYPE) {
		e->attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
		ret = record_parse_branch(e->terms.branch_type, (u64 *)&e->attr.branch_sample_type,
					  err);
	}
	if (e->terms.set & EVENT_TERM_AUX_OUTPUT)
		ret = err_set(err, ENOTSUP, "%s: AUX output is not supported", e->name);
	automatic = own.callgraph == RECORD_CHAIN_AUTO;
	if (automatic)
		own.callgraph = resolve_auto(e, o);
	set_chain(&e->attr, &own, automatic);
	return ret;
}

static void set_fields(struct event *e, const struct record_sampling *o)
{
	struct perf_event_attr *a = &e->attr;
	const struct { bool on; u64 bit; } bits[] = {
		{ o->addr, PERF_SAMPLE_ADDR },
		{ o->addr || o->data_src, PERF_SAMPLE_DATA_SRC },
		{ o->phys_addr, PERF_SAMPLE_PHYS_ADDR },
		{ o->data_page, PERF_SAMPLE_DATA_PAGE_SIZE },
		{ o->code_page, PERF_SAMPLE_CODE_PAGE_SIZE },
		{ a->freq || o->period_field || is_message(e), PERF_SAMPLE_PERIOD },
		{ o->raw || is_message(e), PERF_SAMPLE_RAW },
		{ o->weight || e->retire_latency, PERF_SAMPLE_WEIGHT_STRUCT },
		{ o->transaction, PERF_SAMPLE_TRANSACTION },
		{ o->user_regs != 0, PERF_SAMPLE_REGS_USER },
		{ o->intr_regs != 0, PERF_SAMPLE_REGS_INTR },
		{ o->branch_type != 0, PERF_SAMPLE_BRANCH_STACK },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bits); i++)
		if (bits[i].on)
			a->sample_type |= bits[i].bit;
	a->sample_regs_user |= o->user_regs;
	a->sample_regs_intr = o->intr_regs;
	if (o->branch_type)
		a->branch_sample_type = o->branch_type;
}

/* {a,b}:S: the leader's samples carry the values of all; the others only count, unless they were
 * given a rate. */
static bool reads_group(const struct event *e)
{
	return e->sample_read || e->leader->sample_read;
}

static void set_read(struct event *e, const struct record_sampling *o, bool inherits,
		     const struct os *os)
{
	struct perf_event_attr *a = &e->attr;

	a->read_format |= PERF_FORMAT_ID | PERF_FORMAT_LOST;
	if (o->stat || o->running_time)
		a->read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	a->inherit_stat = o->stat && inherits;
	if (!reads_group(e))
		return;
	if (e->leader->n_members > 1 && e->sample_read)
		a->read_format |= PERF_FORMAT_GROUP;
	a->sample_type |= PERF_SAMPLE_READ;
	a->inherit_stat = 0;
	/* 6.13: inherited events may be read as a group in samples */
	if (!os_kernel_at_least(os, 6, 13) && !(e->terms.set & EVENT_TERM_INHERIT)) {
		e->terms.set |= EVENT_TERM_INHERIT;
		e->terms.inherit = false;
	}
	if (e->leader == e)
		return;
	if (!(e->terms.set & (EVENT_TERM_PERIOD | EVENT_TERM_FREQ)))
		set_period(a, 0);
	/* samples of one group have one layout */
	a->sample_type &= ~(u64)PERF_SAMPLE_PERIOD;
	a->sample_type |= e->leader->attr.sample_type & PERF_SAMPLE_PERIOD;
}

/* What its filter reads. */
static int add_filtered(struct event *e, const struct record_opts *o, struct err *err)
{
	u64 fields = 0;
	int ret = 0;

	if (o->sampling.for_filters && e->filter && sample_filter_is_of(&e->attr))
		ret = sample_filter_check(e->filter, &fields, err);
	e->attr.sample_type |= fields;
	return ret;
}

static int configure_event(struct event *e, const struct record_opts *o, const struct os *os,
			   bool tracking, struct err *err)
{
	struct perf_event_attr *a = &e->attr;
	int ret;

	a->size = sizeof(*a);
	a->sample_id_all = 1;
	a->sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	if (o->sampling.clockid != RECORD_NO_CLOCKID) {
		a->use_clockid = 1;
		a->clockid = o->sampling.clockid;
	}
	if (tracking)
		set_tracking(a, &o->sideband, needs_data_maps(o));
	if (tracking && o->stacks.deferred)
		add_flags(a, ABI_ATTR_DEFER_OUTPUT);
	if (e->dummy) {
		a->read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
		return 0;
	}
	if (o->scope.all_kernel)
		a->exclude_user = 1;
	if (o->scope.all_user)
		a->exclude_kernel = a->exclude_hv = 1;
	a->write_backward = e->terms.set & EVENT_TERM_OVERWRITE ? e->terms.overwrite :
		o->buffers.overwrite;
	if (o->buffers.no_buffering) {
		a->watermark = 0;
		a->wakeup_events = 1;
	}
	set_rate(e, &o->sampling);
	set_fields(e, &o->sampling);
	if (o->sideband.all_cgroups)
		a->sample_type |= PERF_SAMPLE_CGROUP;
	ret = add_filtered(e, o, err);
	set_read(e, &o->sampling, !o->scope.no_inherit, os);
	if (!has_time(e, &o->sampling))
		a->sample_type &= ~(u64)PERF_SAMPLE_TIME;
	return ret ? ret : set_terms(e, &o->stacks, err);
}

/* All events carry the same trailing id, so that a reader can find out whose record it has. */
static void unify_ids(struct event_list *l, const struct record_opts *o)
{
	u64 bits = 0;

	if (o->sampling.sample_cpu || o->sampling.raw || o->target.system_wide ||
	    o->target.cpu_list)
		bits |= PERF_SAMPLE_CPU;
	if (l->events.n > 1 || o->sampling.identifier)
		bits |= PERF_SAMPLE_IDENTIFIER;
	if (event_list_samples(l, PERF_SAMPLE_RAW))
		bits |= PERF_SAMPLE_CPU;
	for (size_t i = 0; i < l->events.n; i++)
		l->events.v[i]->attr.sample_type |= bits;
}

static int exclude_own(struct event_list *l, struct err *err)
{
	bool any = false;

	for (size_t i = 0; i < l->events.n; i++) {
		struct event *e = l->events.v[i];
		char *filter;

		if (!is_tracepoint(e))
			continue;
		filter = e->filter ? xasprintf("(%s) && (common_pid != %d)", e->filter,
					       (int)getpid()) :
			 xasprintf("common_pid != %d", (int)getpid());
		free(e->filter);
		e->filter = filter;
		any = true;
	}
	if (any)
		return 0;
	err_set(err, EINVAL, "--exclude-perf works on tracepoints, and there is none among the "
			     "events");
	return -EINVAL;
}

/* Before anything is opened. */
static int check_filters(const struct event_list *l, const struct os *os, struct err *err)
{
	struct filterrec rec;
	int ret = 0;

	for (size_t i = 0; i < l->events.n && !ret; i++) {
		const struct event *e = l->events.v[i];

		if (e->filter && sample_filter_is_of(&e->attr))
			ret = sample_filter_make(e, os, &rec, err);
	}
	return ret;
}

int record_configure(struct event_list *l, const struct record_opts *o, const struct os *os,
		     struct err *err)
{
	bool extra;
	int ret = 0;

	if (o->target.per_thread && o->target.system_wide)
		return err_set(err, EINVAL, "--per-thread watches threads: it cannot be used with "
					    "-a");
	if (!l->events.n) {
		struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE, .config =
						PERF_COUNT_HW_CPU_CYCLES, .size = sizeof(attr) };

		event_list_add(l, &attr, "cycles");
	}
	if (o->scope.exclude_perf && exclude_own(l, err))
		return -EINVAL;
	extra = needs_sideband_event(l, o);
	if (extra)
		add_sideband_event(l);
	for (size_t i = 0; i < l->events.n && !ret; i++) {
		struct event *e = l->events.v[i];

		ret = configure_event(e, o, os, extra ? e->dummy : i == 0, err);
	}
	if (o->off_cpu.on)
		off_time_add_event(l, o);
	if (o->heap.period)
		heap_recorder_add_events(l, o);
	unify_ids(l, o);
	return ret ? ret : check_filters(l, os, err);
}
