// SPDX-License-Identifier: GPL-2.0-or-later
// What is made of a trace of Intel PT: its events become samples.
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/inject/itrace-priv.h"

/* Of one event: the counts of its last sample. */
struct counted { u64 n_insns, n_cycles; };

struct trace_samples {
	struct traces *t;
	const struct trace_queue *q;
	struct trace_writer *out;
	const struct trace_code *code;
	size_t next_asked;		/* of t->asked */
	struct counted last[M_NR];
	u32 only;			/* flags of which a branch must have one; 0: any */
	unsigned depth;			/* of the branch at hand */
	u64 khz;			/* of the bus, times 1 of CBR */
	/* of instructions: how many at the last sample, and when the next one is due, in ticks or
	 * instructions */
	u64 insns_at, cycles_at, next, ticks, tsc, insns_at_tsc;
	struct hmap stacks;		/* by thread: struct trace_stack */
	u64 *chain;
	struct perf_branch_entry *branches;
};

static void set_filter(struct trace_samples *w)
{
	const struct itrace_opts *o = w->t->o;

	if (o->calls)
		w->only |= PT_F_CALL | PT_F_ASYNC | PT_F_END;
	if (o->returns)
		w->only |= PT_F_RETURN | PT_F_BEGIN;
}

static const struct span no_payload;

/* The largest power of two that is not more. */
static u64 power_of_two(u64 v)
{
	return v ? 1ULL << (63 - __builtin_clzll(v)) : 1;
}

static u64 period_ticks(const struct trace_samples *w)
{
	const struct itrace_opts *o = w->t->o;

	return power_of_two(o->unit == ITRACE_TICKS ? o->period :
			    (u64)((double)o->period * (double)(1ULL << w->t->info.shift) /
				  (double)w->t->info.mult));
}

struct trace_samples *trace_samples_new(struct traces *t, const struct trace_queue *q,
					struct trace_writer *out, const struct trace_code *code)
{
	struct trace_samples *w = xnew(struct trace_samples);

	w->t = t;
	w->q = q;
	w->out = out;
	w->code = code;
	w->chain = xcalloc(t->o->chain_max + 1, sizeof(*w->chain));
	w->branches = xcalloc(t->o->last_max, sizeof(*w->branches));
	if (t->info.mult && t->info.max_ratio)
		w->khz = (u64)((double)(1ULL << t->info.shift) / (double)t->info.mult * 1e6 /
			       (double)t->info.max_ratio + 0.5);
	set_filter(w);
	w->next = t->o->period;
	w->ticks = period_ticks(w);
	return w;
}

void trace_samples_free(struct trace_samples *w)
{
	if (!w)
		return;
	trace_stacks_release(&w->stacks);
	free(w->chain);
	free(w->branches);
	free(w);
}

static u16 mode_of(const struct traces *t, u64 ip)
{
	return machine_is_kernel_va(t->m, ip) ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
}

/* What the sample carries of the thread: its callers, its last branches. */
static void add_stack(struct trace_samples *w, const struct event *ev, struct sample *s)
{
	struct trace_stack *stack;

	if (!(ev->attr.sample_type & (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK)))
		return;
	stack = trace_stack_of(&w->stacks, s->tid);
	if (ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN) {
		s->chain = w->chain;
		s->chain_n = trace_stack_chain(stack, w->t->m, s->ip, w->chain,
					       w->t->o->chain_max);
	}
	if (ev->attr.sample_type & PERF_SAMPLE_BRANCH_STACK)
		s->branch = (struct branch_view){
			.n = trace_stack_last(stack, w->branches, w->t->o->last_max),
			.entries = w->branches, .has_hw_idx = true,
		};
}

static void put_sample(struct trace_samples *w, enum trace_made m, const struct pt_event *e,
		       u64 period, struct span payload)
{
	const struct trace_who who = trace_code_who(w->code);
	struct counted *last = &w->last[m];
	struct wire_synth synth = { .flags = e->flags,
				    .depth = (u16)MIN(w->depth, (unsigned)UINT16_MAX) };
	struct sample s = { .time_ns = who.ns, .ip = e->from, .addr = e->to, .period = period,
			    .pid = who.pid, .tid = who.tid, .cpu = who.cpu,
			    .misc = mode_of(w->t, e->from ? e->from : e->to) };

	add_stack(w, trace_writer_event(w->out, m), &s);
	if (e->insn) {
		synth.n_code = e->insn->bytes;
		memcpy(synth.code, e->insn->code, sizeof(synth.code));
	}
	if (e->n_cycles != last->n_cycles && (e->timed || w->t->o->approx_ipc) &&
	    !(e->flags & PT_F_BEGIN)) {
		synth.n_insns = e->n_insns - last->n_insns;
		synth.n_cycles = e->n_cycles - last->n_cycles;
		*last = (struct counted){ e->n_insns, e->n_cycles };
	}
	trace_writer_put(w->out, m, &s, &synth, payload);
}

/* ---- of events ---- */

static void put_branch(struct trace_samples *w, const struct pt_event *e)
{
	const u32 tid = trace_code_who(w->code).tid;

	if (w->t->o->last || w->t->o->extra.last_all)
		trace_stack_note(trace_stack_of(&w->stacks, tid), e, w->t->o->last_max);
	if (e->flags & (PT_F_CALL | PT_F_RETURN | PT_F_BEGIN | PT_F_END))
		w->depth = trace_stack_step(trace_stack_of(&w->stacks, tid), e);
	if (trace_writer_event(w->out, M_BRANCHES) && (!w->only || e->flags & w->only))
		put_sample(w, M_BRANCHES, e, 1, no_payload);
}

static void put_payload(struct trace_samples *w, enum trace_made m, const struct pt_event *e,
			u32 first, u64 then, size_t n)
{
	u8 bytes[TRACE_PAYLOAD];

	if (!trace_writer_event(w->out, m))
		return;
	memcpy(bytes, &first, 4);
	memcpy(bytes + 4, &then, 8);
	put_sample(w, m, e, 1, (struct span){ bytes, n });
}

static void put_control(struct trace_samples *w, const struct pt_event *e)
{
	u8 bytes[TRACE_PAYLOAD];
	const u32 first = (u32)(e->v & 0x1f) | (u32)e->with_ip << 7 | (u32)(e->v >> 8 & 0xff) << 8 |
		e->n_data << 16;
	const size_t n = MIN(e->n_data, (u32)PT_MOST_DATA) * sizeof(*e->data);

	if (!trace_writer_event(w->out, M_CONTROL))
		return;
	memcpy(bytes, &first, 4);
	if (n)
		memcpy(bytes + 4, e->data, n);
	put_sample(w, M_CONTROL, e, 1, (struct span){ bytes, 4 + n });
}

static void put_ratio(struct trace_samples *w, const struct pt_event *e)
{
	const u32 first = (u32)(e->v & 0xff) | (u32)(w->t->info.max_ratio & 0xff) << 16;

	put_payload(w, M_CBR, e, first, e->v * w->khz, 12);
}

/* Time between two packets of time is as many ticks as instructions ran; a sample is due where it
 * comes to the next multiple of the period. */
static bool is_due(struct trace_samples *w, const struct pt_event *e)
{
	u64 now;

	if (w->t->o->quick)
		return true;		/* there are few */
	if (w->t->o->unit == ITRACE_INSNS) {
		if (e->n_insns < w->next)
			return false;
		w->next = e->n_insns + w->t->o->period;
		return true;
	}
	if (e->tsc_after != w->tsc) {
		w->next = w->tsc ? w->next : (e->tsc_after / w->ticks + 1) * w->ticks;
		w->tsc = e->tsc_after;
		w->insns_at_tsc = e->n_insns - 1;
	}
	now = e->tsc_after + (e->n_insns - w->insns_at_tsc);
	if (now < w->next)
		return false;
	w->next = (now / w->ticks + 1) * w->ticks;
	return true;
}

static void put_insn(struct trace_samples *w, const struct pt_event *e)
{
	if (!is_due(w, e))
		return;
	if (trace_writer_event(w->out, M_INSNS))
		put_sample(w, M_INSNS, e, e->n_insns - w->insns_at, no_payload);
	w->insns_at = e->n_insns;
	if (trace_writer_event(w->out, M_CYCLES) && e->n_cycles != w->cycles_at)
		put_sample(w, M_CYCLES, e, e->n_cycles - w->cycles_at, no_payload);
	w->cycles_at = e->n_cycles;
}

/* Samples up to that time: what the trace says to be then may have been later. */
static void answer_until(struct trace_samples *w, u64 ns)
{
	struct traces *t = w->t;

	for (; w->next_asked < t->asked.n && t->asked.v[w->next_asked].ns <= ns; w->next_asked++) {
		struct trace_asked *a = &t->asked.v[w->next_asked];

		if (trace_asked_is_of(a, w->q) && !a->chain && !a->branches)
			trace_asked_answer(t, a, trace_stack_of(&w->stacks, a->tid));
	}
}

void trace_samples_end(struct trace_samples *w)
{
	if (w)
		answer_until(w, UINT64_MAX);
}

int trace_samples_put(void *samples, const struct pt_event *e)
{
	struct trace_samples *w = samples;
	struct trace_who who;

	answer_until(w, trace_code_who(w->code).ns);
	switch (e->what) {
	case PT_IS_BRANCH:
		put_branch(w, e);
		break;
	case PT_IS_INSN:
		put_insn(w, e);
		break;
	case PT_IS_TX:
		if (trace_writer_event(w->out, M_TX))
			put_sample(w, M_TX, e, 1, no_payload);
		break;
	case PT_IS_ERROR:
		who = trace_code_who(w->code);
		trace_writer_error(w->out, &who, e->from, (int)e->v);
		break;
	case PT_IS_PTWRITE:
		put_payload(w, M_PTWRITE, e, e->with_ip, e->v, 12);
		break;
	case PT_IS_CBR:
		put_ratio(w, e);
		break;
	case PT_IS_PSB:
		put_payload(w, M_PSB, e, 0, e->v, 12);
		break;
	case PT_IS_MWAIT:
		put_payload(w, M_MWAIT, e, 0, e->v, 12);
		break;
	case PT_IS_PWRE:
		put_payload(w, M_PWRE, e, 0, e->v, 12);
		break;
	case PT_IS_EXSTOP:
		put_payload(w, M_EXSTOP, e, e->with_ip, 0, 4);
		break;
	case PT_IS_CONTROL:
		put_control(w, e);
		break;
	case PT_IS_PWRX:
		put_payload(w, M_PWRX, e, 0, e->v, 12);
		break;
	}
	return trace_writer_status(w->out);
}
