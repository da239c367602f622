/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef INJECT_ITRACE_PRIV_H
#define INJECT_ITRACE_PRIV_H
/*
 * Between the files of the decoding: side-band and buffers in itrace.c, code and tasks in
 * itrace-code.c, events and records in itrace-samples.c.
 */
#include "util/base/hash.h"
#include "util/inject/itrace.h"
#include "util/itrace/pt.h"
#include "util/machine/machine.h"

/* Who runs on a CPU from then on. */
struct trace_switch { u64 ns; u32 pid, tid; };
typedef VEC(struct trace_switch) trace_switches;

struct trace_buffer { u64 off, file_off, bytes; };
/* The trace of a CPU, or of a thread on any. */
struct trace_queue {
	u32 idx, cpu, tid;		/* cpu, tid: (u32)-1 where it is of any */
	VEC(struct trace_buffer) buffers;
};

struct trace_who { u64 ns; u32 pid, tid, cpu; };

/* AUXTRACE_INFO of Intel PT. */
struct trace_info {
	bool found;
	u32 pmu;
	u64 shift, mult, zero, mtc_bits, ctc_num, ctc_den, max_ratio;
	bool has_zero, snapshot, per_cpu;
};

struct traces {
	struct data_reader *r;
	const struct itrace_opts *o;
	struct machine *m;
	struct trace_info info;
	VEC(struct trace_queue) queues;
	VEC(trace_switches) switches;	/* by CPU */
	VEC(struct trace_who) losses;
	const struct event *pt;		/* the event that was traced */
	u64 skip;		/* samples that are still left out; then there is one thread */
};

static inline u64 trace_ns(const struct trace_info *i, u64 tsc)
{
	const u64 quot = tsc >> i->shift, rem = tsc & ((1ULL << i->shift) - 1);

	return i->zero + quot * i->mult + (rem * i->mult >> i->shift);
}

/* ---- itrace-code.c: the code of who runs. One owner. ---- */
struct trace_code;
/* The code of a file is missing there. */
typedef void (*trace_missing)(void *ctx, const struct trace_who *who, u64 ip, const struct dso *d);
struct trace_code *trace_code_new(const struct traces *t, const struct trace_queue *q,
				  trace_missing missing, void *ctx);
void trace_code_free(struct trace_code *c);
void trace_code_at(void *code, u64 tsc);
int trace_code_insn(void *code, u64 ip, unsigned bits, const struct pt_insn **out);
struct trace_who trace_code_who(const struct trace_code *c);

/* ---- itrace-stack.c ---- */
struct trace_stack;
/* Made at the first call; trace_stacks_release() frees all. */
struct trace_stack *trace_stack_of(struct hmap *stacks, u32 tid);
void trace_stacks_release(struct hmap *stacks);
/* A branch; how many calls deep it is: a call with the one that it makes, a return with the one
 * that it ends. */
unsigned trace_stack_step(struct trace_stack *s, const struct pt_event *e);
/* A call chain as kernels record it, innermost first, of at most max words. */
size_t trace_stack_chain(const struct trace_stack *s, const struct machine *m, u64 ip, u64 *out,
			 size_t max);

/* ---- itrace-samples.c ---- */
/* The first one (first: NULL) adds the events to the reader's list. Each has one owner. */
struct trace_writer *trace_writer_new(struct traces *t, const struct trace_writer *first,
				      struct err *err);
void trace_writer_free(struct trace_writer *w);
/* The next events are those of this code's queue. */
void trace_writer_begin(struct trace_writer *w, struct trace_code *c);
int trace_writer_put(void *writer, const struct pt_event *e);
void trace_writer_error(struct trace_writer *w, const struct trace_who *who, u64 ip, int code);
/* For trace_code_new(), of a writer. It is said where it happens first (of all writers that finish
 * together), and not again: what is missing does not become more. */
void trace_writer_missing(void *writer, const struct trace_who *who, u64 ip, const struct dso *d);
/* All is written: the files are the reader's. */
int trace_writers_finish(struct trace_writer *const *v, size_t n, struct inject_traces *out,
			 struct err *err);

#endif
