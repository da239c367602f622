// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Perfetto's trace (https://perfetto.dev/docs/reference/trace-packet-proto): a PerfSample for each
 * sample, in the order of time, with its call stack; names, binaries, frames and stacks are written
 * once for each event, whose samples are a packet sequence of their own, before the first sample
 * that has them. Switches and wake-ups of the scheduler are ftrace events as well, from which
 * viewers make the tracks of CPUs and the states of threads.
 */
#include "util/export/exporter.h"

#include <stdlib.h>

#include "util/analysis/hist/hist.h"
#include "util/analysis/hist/stacks.h"
#include "util/base/hash.h"
#include "util/base/protobuf.h"
#include "util/base/xalloc.h"
#include "util/event/tracepoint.h"
#include "util/export/text.h"

/* field numbers */
enum { TRACE_PACKET = 1 };
enum { PACKET_FTRACE = 1, PACKET_PROCESS_TREE, PACKET_CLOCKS = 6, PACKET_TIME = 8,
       PACKET_SEQUENCE = 10, PACKET_INTERNED = 12, PACKET_FLAGS = 13, PACKET_SYSTEM = 45,
       PACKET_DEFAULTS = 59, PACKET_SAMPLE = 66 };
enum { FLAG_CLEARED = 1, FLAG_NEEDS_STATE = 2 };	/* of PACKET_FLAGS */
enum { DEFAULTS_SAMPLE = 12, SAMPLE_DEFAULTS_TIMEBASE = 1 };
enum { TIMEBASE_PERIOD = 1, TIMEBASE_FREQUENCY, TIMEBASE_TRACEPOINT, TIMEBASE_COUNTER,
       TIMEBASE_RAW, TIMEBASE_NAME = 10 };
enum { TRACEPOINT_NAME = 1, RAW_TYPE = 1, RAW_CONFIG };
enum { INTERNED_FUNCTIONS = 5, INTERNED_FRAMES, INTERNED_STACKS, INTERNED_BUILD_IDS = 16,
       INTERNED_PATHS, INTERNED_SOURCES, INTERNED_MAPPINGS };
enum { INTERNED_IID = 1, STRING_TEXT, STACK_FRAMES = 2 };
enum { FRAME_FUNCTION = 2, FRAME_MAPPING, FRAME_ADDRESS, FRAME_SOURCE, FRAME_LINE };
enum { MAPPING_BUILD_ID = 2, MAPPING_PATH = 7 };
enum { SAMPLE_CPU = 1, SAMPLE_PID, SAMPLE_TID, SAMPLE_STACK, SAMPLE_MODE, SAMPLE_COUNT };
enum { TREE_PROCESS = 1, TREE_THREAD, PROCESS_PID = 1, PROCESS_PARENT, PROCESS_COMMAND,
       THREAD_TID = 1, THREAD_NAME, THREAD_PROCESS };
enum { CLOCKS_CLOCK = 1, CLOCK_ID = 1, CLOCK_TIME, CLOCK_REALTIME = 1, CLOCK_BOOTTIME = 6 };
enum { SYSTEM_UTSNAME = 1, UTSNAME_SYSTEM = 1, UTSNAME_RELEASE = 3, UTSNAME_MACHINE };
enum { BUNDLE_CPU = 1, BUNDLE_EVENT, FTRACE_TIME = 1, FTRACE_TID };

/* What an event's sequence has said already. */
struct sequence {
	bool begun;
	VEC(bool) names, mappings, frames, stacks;	/* by number */
	VEC(u64) counts;				/* by CPU + 1: periods so far */
};

struct perfetto {
	struct sink sink;
	struct export_job job;
	struct stacks *stacks;
	VEC(struct sequence) sequences;	/* by event index */
	struct strmap names;		/* text -> number from 1 on */
	struct hmap mappings;		/* dso -> number from 1 on */
	u64 n_names, n_mappings;
	struct hmap comms;		/* pid and tid -> its last name, interned */
	struct str out, packet, interned, msg, sub;
	u64 n;
};

#define slot(vec, i) ({ \
	while ((vec)->n <= (size_t)(i)) \
		(void)vec_add(vec); \
	&(vec)->v[i]; })

static void end_packet(struct perfetto *p)
{
	pb_message(&p->out, TRACE_PACKET, &p->packet);
	export_flush(p->job.fp, &p->out, 1 << 16);
}

/* ---- what an event is ---- */

/* By enum perf_sw_ids, enum perf_hw_id: PerfEvents.Counter. */
static const u8 sw_counters[] = { 1, 3, 2, 4, 5, 6, 7, 8, 9, 20 };
static const u8 hw_counters[] = { 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 };

static u32 counter_of(const struct event *e)
{
	if (e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config < ARRAY_SIZE(sw_counters))
		return sw_counters[e->attr.config];
	if (e->attr.type == PERF_TYPE_HARDWARE && e->attr.config < ARRAY_SIZE(hw_counters))
		return hw_counters[e->attr.config];
	return 0;
}

static void add_timebase(struct perfetto *p, const struct event *e, struct str *out)
{
	const u32 counter = counter_of(e);

	pb_u64(out, e->attr.freq ? TIMEBASE_FREQUENCY : TIMEBASE_PERIOD, e->attr.sample_freq);
	if (e->attr.type == PERF_TYPE_TRACEPOINT) {
		pb_utf8(&p->sub, TRACEPOINT_NAME, e->name);
		pb_message(out, TIMEBASE_TRACEPOINT, &p->sub);
	} else if (counter) {
		pb_u64(out, TIMEBASE_COUNTER, counter);
	} else {
		pb_u64(&p->sub, RAW_TYPE, e->attr.type);
		pb_u64(&p->sub, RAW_CONFIG, e->attr.config);
		pb_message(out, TIMEBASE_RAW, &p->sub);
	}
	pb_utf8(out, TIMEBASE_NAME, e->name);
}

static u64 sequence_id(const struct event *e) { return 2 + (u64)e->index; }

static void begin_sequence(struct perfetto *p, const struct event *e, u64 time_ns)
{
	struct str timebase = STR_INIT;

	pb_u64(&p->packet, PACKET_TIME, time_ns);
	pb_u64(&p->packet, PACKET_SEQUENCE, sequence_id(e));
	pb_u64(&p->packet, PACKET_FLAGS, FLAG_CLEARED);
	add_timebase(p, e, &timebase);
	pb_message(&p->msg, SAMPLE_DEFAULTS_TIMEBASE, &timebase);
	pb_message(&p->sub, DEFAULTS_SAMPLE, &p->msg);
	pb_message(&p->packet, PACKET_DEFAULTS, &p->sub);
	end_packet(p);
	str_release(&timebase);
}

/* ---- names, binaries, frames, stacks: p->interned has those that are new ---- */

/* Its number, of a text in one of the tables of texts. */
static u64 name_of(struct perfetto *p, struct sequence *q, u32 table, const char *text)
{
	uintptr_t n = (uintptr_t)strmap_get(&p->names, text);

	if (!n) {
		n = ++p->n_names;
		strmap_put(&p->names, text, (void *)n);
	}
	/* one text may be in each of the four tables */
	n = n * 4 + (table == INTERNED_FUNCTIONS ? 0 : table - INTERNED_BUILD_IDS + 1);
	if (!*slot(&q->names, n)) {
		q->names.v[n] = true;
		pb_u64(&p->sub, INTERNED_IID, n);
		pb_utf8(&p->sub, STRING_TEXT, text);
		pb_message(&p->interned, table, &p->sub);
	}
	return n;
}

static void add_path(struct perfetto *p, struct sequence *q, const char *path, struct str *out)
{
	char *parts = xstrdup(path), *at = parts, *part;

	while ((part = strsep(&at, "/")))
		if (*part)
			pb_u64(out, MAPPING_PATH, name_of(p, q, INTERNED_PATHS, part));
	free(parts);
}

static u64 mapping_of(struct perfetto *p, struct sequence *q, const struct dso *dso)
{
	uintptr_t n = (uintptr_t)hmap_get(&p->mappings, (uintptr_t)dso);
	struct str id = STR_INIT;

	if (!n) {
		n = ++p->n_mappings;
		hmap_put(&p->mappings, (uintptr_t)dso, (void *)n);
	}
	if (*slot(&q->mappings, n))
		return n;
	q->mappings.v[n] = true;
	build_id_add(&id, &dso->id);
	pb_u64(&p->msg, INTERNED_IID, n);
	if (id.len)
		pb_u64(&p->msg, MAPPING_BUILD_ID,
		       name_of(p, q, INTERNED_BUILD_IDS, str_cstr(&id)));
	add_path(p, q, dso->path ? dso->path : "", &p->msg);
	pb_message(&p->interned, INTERNED_MAPPINGS, &p->msg);
	str_release(&id);
	return n;
}

static u64 frame_of(struct perfetto *p, struct sequence *q, u32 what)
{
	const struct stack_frame *f = &stacks_frames(p->stacks)[what];
	struct str frame = STR_INIT;

	if (*slot(&q->frames, what))
		return what + 1;
	q->frames.v[what] = true;
	pb_u64(&frame, INTERNED_IID, what + 1);
	pb_u64(&frame, FRAME_FUNCTION, name_of(p, q, INTERNED_FUNCTIONS, f->name));
	if (f->dso) {
		pb_u64(&frame, FRAME_MAPPING, mapping_of(p, q, f->dso));
		pb_u64_always(&frame, FRAME_ADDRESS, f->rva);
	}
	if (f->file) {
		pb_u64(&frame, FRAME_SOURCE, name_of(p, q, INTERNED_SOURCES, f->file));
		pb_u64(&frame, FRAME_LINE, f->line);
	}
	pb_message(&p->interned, INTERNED_FRAMES, &frame);
	str_release(&frame);
	return what + 1;
}

static void add_frames(struct perfetto *p, struct sequence *q, u32 node, struct str *stack)
{
	const struct stack_node *nodes = stacks_nodes(p->stacks);
	VEC(u32) chain = { 0 };

	for (; nodes[node].parent; node = nodes[node].parent)
		vec_push(&chain, nodes[node].what);
	for (size_t i = chain.n; i-- > 0;)
		pb_u64(stack, STACK_FRAMES, frame_of(p, q, chain.v[i]));
	vec_free(&chain);
}

static void intern_stack(struct perfetto *p, struct sequence *q, u32 node)
{
	struct str stack = STR_INIT;

	if (*slot(&q->stacks, node))
		return;
	q->stacks.v[node] = true;
	pb_u64(&stack, INTERNED_IID, node);
	add_frames(p, q, node, &stack);
	pb_message(&p->interned, INTERNED_STACKS, &stack);
	str_release(&stack);
}

/* ---- samples ---- */

static void note_task(struct perfetto *p, const struct sink_item *it)
{
	const struct sample *s = it->sample;
	const u64 key = (u64)s->pid << 32 | s->tid;
	const char *comm = it->res->comm ? it->res->comm->name : "";

	/* names of the machine are interned: another pointer is another name */
	if (hmap_get(&p->comms, key) == comm)
		return;
	hmap_put(&p->comms, key, (void *)comm);
	pb_u64(&p->packet, PACKET_TIME, s->time_ns);
	pb_u64(&p->packet, PACKET_SEQUENCE, 1);
	if (s->pid == s->tid) {
		pb_u64(&p->sub, PROCESS_PID, s->pid);
		pb_utf8(&p->sub, PROCESS_COMMAND, comm);
		pb_message(&p->msg, TREE_PROCESS, &p->sub);
	}
	pb_u64(&p->sub, THREAD_TID, s->tid);
	pb_utf8(&p->sub, THREAD_NAME, comm);
	pb_u64(&p->sub, THREAD_PROCESS, s->pid);
	pb_message(&p->msg, TREE_THREAD, &p->sub);
	pb_message(&p->packet, PACKET_PROCESS_TREE, &p->msg);
	end_packet(p);
}

static u64 count_of(struct sequence *q, const struct sample *s)
{
	const size_t cpu = s->present & PERF_SAMPLE_CPU ? (size_t)s->cpu + 1 : 0;

	*slot(&q->counts, MIN(cpu, 1u << 16)) += hist_period(s);
	return q->counts.v[MIN(cpu, 1u << 16)];
}

static u32 mode_of(const struct stack_frame *f)
{
	switch (f->cpumode) {
	case PERF_RECORD_MISC_KERNEL: return 1;
	case PERF_RECORD_MISC_USER: return 2;
	case PERF_RECORD_MISC_HYPERVISOR: return 3;
	case PERF_RECORD_MISC_GUEST_KERNEL: return 4;
	case PERF_RECORD_MISC_GUEST_USER: return 5;
	default: return 0;
	}
}

static void add_sample(struct perfetto *p, const struct sink_item *it)
{
	const struct sample *s = it->sample;
	const u32 node = stacks_add(p->stacks, it);
	const u32 leaf = stacks_nodes(p->stacks)[node].what;
	struct sequence *q = slot(&p->sequences, s->event->index);

	if (!q->begun)
		begin_sequence(p, s->event, s->time_ns);
	q->begun = true;
	intern_stack(p, q, node);
	pb_u64(&p->packet, PACKET_TIME, s->time_ns);
	pb_u64(&p->packet, PACKET_SEQUENCE, sequence_id(s->event));
	pb_u64(&p->packet, PACKET_FLAGS, FLAG_NEEDS_STATE);
	if (p->interned.len)
		pb_message(&p->packet, PACKET_INTERNED, &p->interned);
	if (s->present & PERF_SAMPLE_CPU)
		pb_u64_always(&p->msg, SAMPLE_CPU, s->cpu);
	pb_u64_always(&p->msg, SAMPLE_PID, s->pid);
	pb_u64_always(&p->msg, SAMPLE_TID, s->tid);
	pb_u64(&p->msg, SAMPLE_STACK, node);
	pb_u64(&p->msg, SAMPLE_MODE, mode_of(&stacks_frames(p->stacks)[leaf]));
	pb_u64(&p->msg, SAMPLE_COUNT, count_of(q, s));
	pb_message(&p->packet, PACKET_SAMPLE, &p->msg);
	end_packet(p);
	p->n++;
}

/* ---- the scheduler ---- */

struct ftrace_field { u8 number; const char *name; bool text; };
static const struct ftrace_event {
	const char *event;
	u32 number;
	struct ftrace_field fields[8];
} ftrace_events[] = {
	{ "sched:sched_switch", 4,
	  { { 1, "prev_comm", true }, { 2, "prev_pid", false }, { 3, "prev_prio", false },
	    { 4, "prev_state", false }, { 5, "next_comm", true }, { 6, "next_pid", false },
	    { 7, "next_prio", false } } },
	{ "sched:sched_wakeup", 17,
	  { { 1, "comm", true }, { 2, "pid", false }, { 3, "prio", false },
	    { 5, "target_cpu", false } } },
	{ "sched:sched_waking", 20,
	  { { 1, "comm", true }, { 2, "pid", false }, { 3, "prio", false },
	    { 5, "target_cpu", false } } },
	{ "sched:sched_wakeup_new", 21,
	  { { 1, "comm", true }, { 2, "pid", false }, { 3, "prio", false },
	    { 5, "target_cpu", false } } },
};

static void add_ftrace_field(struct perfetto *p, const struct sample *s,
			     const struct ftrace_field *f)
{
	const struct tp_field *field = tp_field(s->event->format, f->name);
	struct str text = STR_INIT;
	size_t n = 0;
	const char *at;

	if (field && f->text) {
		at = tp_read_str(field, s->raw, p->job.swap, &n);
		str_addn(&text, at, at ? n : 0);
		pb_utf8(&p->sub, f->number, str_cstr(&text));
	} else if (field) {
		pb_u64_always(&p->sub, f->number, tp_read_u64(field, s->raw, p->job.swap));
	}
	str_release(&text);
}

static void add_ftrace(struct perfetto *p, const struct sample *s, const struct ftrace_event *e)
{
	struct str bundle = STR_INIT;

	for (size_t i = 0; e->fields[i].name; i++)
		add_ftrace_field(p, s, &e->fields[i]);
	pb_u64(&p->msg, FTRACE_TIME, s->time_ns);
	pb_u64_always(&p->msg, FTRACE_TID, s->tid);
	pb_message(&p->msg, e->number, &p->sub);
	pb_u64_always(&bundle, BUNDLE_CPU, s->cpu);
	pb_message(&bundle, BUNDLE_EVENT, &p->msg);
	pb_u64(&p->packet, PACKET_SEQUENCE, 1);
	pb_message(&p->packet, PACKET_FTRACE, &bundle);
	end_packet(p);
	str_release(&bundle);
}

static void add_sched(struct perfetto *p, const struct sample *s)
{
	if (!s->event->format || !s->raw.len)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(ftrace_events); i++)
		if (!strcmp(ftrace_events[i].event, s->event->name))
			add_ftrace(p, s, &ftrace_events[i]);
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct perfetto *p = sink->ctx;

	for (size_t i = 0; i < n; i++) {
		note_task(p, &items[i]);
		add_sched(p, items[i].sample);
		add_sample(p, &items[i]);
	}
}

/* ---- the whole ---- */

static void add_clock(struct perfetto *p, u64 id, u64 time_ns)
{
	pb_u64(&p->sub, CLOCK_ID, id);
	pb_u64(&p->sub, CLOCK_TIME, time_ns);
	pb_message(&p->msg, CLOCKS_CLOCK, &p->sub);
}

static void add_facts(struct perfetto *p)
{
	const struct export_facts *f = &p->job.facts;

	if (f->has_tod) {
		add_clock(p, CLOCK_BOOTTIME, f->clock_ns);
		add_clock(p, CLOCK_REALTIME, f->tod_ns);
		pb_u64(&p->packet, PACKET_SEQUENCE, 1);
		pb_message(&p->packet, PACKET_CLOCKS, &p->msg);
		end_packet(p);
	}
	pb_utf8(&p->sub, UTSNAME_SYSTEM, "Linux");
	if (f->os_release)
		pb_utf8(&p->sub, UTSNAME_RELEASE, f->os_release);
	if (f->arch)
		pb_utf8(&p->sub, UTSNAME_MACHINE, f->arch);
	pb_message(&p->msg, SYSTEM_UTSNAME, &p->sub);
	pb_u64(&p->packet, PACKET_SEQUENCE, 1);
	pb_message(&p->packet, PACKET_SYSTEM, &p->msg);
	end_packet(p);
}

static void *begin_perfetto(const struct export_job *job, struct sink **sink,
			    struct err *err UNUSED)
{
	struct stacks_opts o = { .events = job->events, .no_inline = job->no_inline,
				 .detail = STACKS_ADDRESSES, .lines = job->lines };
	struct perfetto *p = xnew(struct perfetto);

	p->job = *job;
	p->stacks = stacks_new(&o);
	p->sink = (struct sink){ .wants = SINK_ORDER | stacks_sink(p->stacks)->wants, .ctx = p,
				 .samples = on_samples };
	add_facts(p);
	*sink = &p->sink;
	return p;
}

static int end_perfetto(void *state, u64 *n, struct err *err UNUSED)
{
	struct perfetto *p = state;

	export_flush(p->job.fp, &p->out, 0);
	*n = p->n;
	return 0;
}

static void free_perfetto(void *state)
{
	struct perfetto *p = state;

	for vec_each(q, &p->sequences) {
		vec_free(&q->names);
		vec_free(&q->mappings);
		vec_free(&q->frames);
		vec_free(&q->stacks);
		vec_free(&q->counts);
	}
	vec_free(&p->sequences);
	strmap_release(&p->names);
	hmap_release(&p->mappings);
	hmap_release(&p->comms);
	str_release(&p->out);
	str_release(&p->packet);
	str_release(&p->interned);
	str_release(&p->msg);
	str_release(&p->sub);
	stacks_free(p->stacks);
	free(p);
}

const struct exporter export_perfetto = {
	.format = "perfetto", .help = "Perfetto's trace: samples, and slices of the scheduler",
	.items = "samples", .binary = true, .begin = begin_perfetto, .end = end_perfetto,
	.free = free_perfetto,
};
