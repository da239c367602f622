/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef INJECT_ITRACE_PRIV_H
#define INJECT_ITRACE_PRIV_H
/*
 * Between the files of the decoding: side-band and buffers in itrace.c, code and tasks in
 * itrace-code.c, what is made of Intel PT in itrace-samples.c, of ARM SPE in itrace-spe.c, events
 * and records in itrace-writer.c.
 */
#include "util/base/hash.h"
#include "util/inject/itrace.h"
#include "util/itrace/pt.h"
#include "util/machine/machine.h"
#include "util/wire/synthrec.h"

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

/* What AUXTRACE_INFO says, and for ARM SPE also TIME_CONV. */
struct trace_info {
	u32 kind;			/* enum itrace_kind; 0: none that is decoded */
	u32 pmu;
	u64 shift, mult, zero, mtc_bits, ctc_num, ctc_den, max_ratio;
	u64 cycles, mask;		/* of a clock that wraps; mask 0: it does not */
	bool has_zero, snapshot, per_cpu;
	VEC(u64) midr;			/* by CPU; 0: not known */
};

/* The events that are made. */
enum trace_made {
	M_BRANCHES, M_INSNS, M_CYCLES, M_TX, M_PTWRITE, M_CBR, M_PSB, M_MWAIT, M_PWRE, M_EXSTOP,
	M_PWRX, M_CONTROL,
	/* of ARM SPE, in the order of a record's samples */
	M_L1D_MISS, M_L1D_ACCESS, M_LLC_MISS, M_LLC_ACCESS, M_TLB_MISS, M_TLB_ACCESS,
	M_SPE_BRANCH, M_REMOTE, M_MEMORY, M_SPE_INSNS, M_NR
};

/* A sample of another event, which is to get what the trace knows then. */
struct trace_asked {
	u64 ns, ip;
	u32 tid, cpu;			/* cpu (u32)-1: not known */
	size_t n_chain, n_branches;
	u64 *chain;
	struct perf_branch_entry *branches;
};

struct traces {
	struct data_reader *r;
	const struct itrace_opts *o;
	struct machine *m;
	struct trace_info info, clock;	/* clock: of TIME_CONV */
	VEC(struct trace_queue) queues;
	VEC(trace_switches) switches;	/* by CPU */
	VEC(struct trace_who) losses;
	VEC(struct trace_asked) asked;	/* by time */
	const struct event *pt;		/* the event that was traced, of any kind */
	struct trace_log *log;		/* NULL: none */
	u64 skip;		/* samples that are still left out; then there is one thread */
};

static inline u64 trace_ns(const struct trace_info *i, u64 tsc)
{
	const u64 quot = tsc >> i->shift, rem = tsc & ((1ULL << i->shift) - 1);

	return i->zero + quot * i->mult + (rem * i->mult >> i->shift);
}

/* ---- itrace-log.c: the log that --itrace=d asks for. One owner: there is one thread then. ---- */
struct trace_log;
/* *out NULL: none is wanted. */
int trace_log_open(const struct itrace_opts *o, struct trace_log **out, struct err *err);
/* bytes: with the paddings behind it. */
void trace_log_packet(void *log, u64 at, struct span bytes, const struct pt_packet *k);
void trace_log_insn(struct trace_log *l, u64 ip, const struct pt_insn *i);
void trace_log_who(struct trace_log *l, const struct trace_who *w);
void trace_log_error(struct trace_log *l, const struct trace_who *w, u64 ip, int code);
/* NULL is fine. */
int trace_log_close(struct trace_log *l, struct err *err);

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
/* For last branches: it is one of the last max. */
void trace_stack_note(struct trace_stack *s, const struct pt_event *e, unsigned max);
/* Those, the newest first; how many. */
size_t trace_stack_last(const struct trace_stack *s, struct perf_branch_entry *out, unsigned max);
/* A call chain as kernels record it, innermost first, of at most max words. */
size_t trace_stack_chain(const struct trace_stack *s, const struct machine *m, u64 ip, u64 *out,
			 size_t max);

/* ---- itrace-asked.c ---- */
/* For a sink over struct traces. */
struct sink;
struct sink_item;
void trace_asked_samples(struct sink *s, const struct sink_item *items, size_t n);
bool trace_asked_is_of(const struct trace_asked *a, const struct trace_queue *q);
void trace_asked_answer(struct traces *t, struct trace_asked *a, const struct trace_stack *stack);
/* All to out, and to the reader's events that they have them. */
void trace_asked_finish(struct traces *t, struct given_stacks *out);
void trace_asked_release(struct traces *t);

/* ---- itrace-samples.c: of one queue ---- */
struct trace_writer;
struct trace_samples *trace_samples_new(struct traces *t, const struct trace_queue *q,
					struct trace_writer *out, const struct trace_code *code);
/* The trace ends: for samples that were later. */
void trace_samples_end(struct trace_samples *s);
void trace_samples_free(struct trace_samples *s);
int trace_samples_put(void *samples, const struct pt_event *e);

/* ---- itrace-spe.c ---- */
/* A trace, or what of it is without a gap. */
int trace_spe_decode(struct traces *t, struct trace_writer *out, struct trace_code *code,
		     struct span bytes, u64 offset);

/* ---- itrace-writer.c ---- */
/* The first one (first: NULL) adds the events to the reader's list. Each has one owner. */
struct trace_writer *trace_writer_new(struct traces *t, const struct trace_writer *first,
				      struct err *err);
void trace_writer_free(struct trace_writer *w);
/* NULL: it is not wanted. */
const struct event *trace_writer_event(const struct trace_writer *w, enum trace_made m);
int trace_writer_status(const struct trace_writer *w);
/* What upstream's structs of such samples have, at most. */
#define TRACE_PAYLOAD (4 + PT_MOST_DATA * sizeof(struct pt_datum))
/* A sample of an event that is wanted; its id and raw data are filled in. payload: TRACE_PAYLOAD
 * bytes at most, or empty. */
void trace_writer_put(struct trace_writer *w, enum trace_made m, struct sample *s,
		      const struct wire_synth *synth, struct span payload);
void trace_writer_error(struct trace_writer *w, const struct trace_who *who, u64 ip, int code);
/* For trace_code_new(), of a writer. It is said where it happens first (of all writers that finish
 * together), and not again: what is missing does not become more. */
void trace_writer_missing(void *writer, const struct trace_who *who, u64 ip, const struct dso *d);
/* All is written: the files are the reader's. */
int trace_writers_finish(struct trace_writer *const *v, size_t n, struct inject_traces *out,
			 struct err *err);

#endif
