/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_KERNEL_UNWIND_H
#define RECORD_KERNEL_UNWIND_H
/*
 * Stacks that a BPF program unwinds at the sample, so that no copy of them is made: a step before
 * live-unwind.h, which goes on doing what the program cannot, and teaches it.
 *
 *	sample -> program knows every rule -> a record with the chain, no sample
 *							-> kernel_unwind_write()
 *	       -> it does not              -> a notice, and the sample as ever
 *							-> unwound here, kernel_unwind_learn()
 *
 * Invariants:
 *  1. A process is known to the program by its memory (mm), count of execve calls and size of
 *     executable memory; code, by the owner
 *     number that the process has at the time. Rules are taught only of code that is mapped in
 *     the newest state of the machine, as it was
 *     at the sample that they come from.
 *  2. A mapping over code that was taught ends the owner number: the process gets another one
 *     when it is taught again, and none
 *     any more when that has happened MOST_REPLACED times.
 *  3. Between the kernel's mapping and the end of the number chains may be made with rules of
 *     what was there before. They have the old
 *     number, and a time not before the mapping's: of these what is called from an address in the
 *     replaced range is cut off, and
 *     counted. Side-band comes before samples here (live-unwind.c), so none is missed.
 *  4. Where the kernel is sampled, too, BPF programs and maps of others can make it drop samples
 *     (stackprog_others()): while there are
 *     any at the start it is not done unless somebody asks for it, and when some come the program
 *     leaves the events.
 *  5. Everything in the program's tables is bounded; what finds no room is not taught, and stays
 *     with the recorder.
 */
#include "util/event/event.h"
#include "util/record/record.h"
#include "util/record/rings.h"
#include "util/unwind/unwind.h"

struct kernel_unwind;
struct stackprog;

/* The events are open, their rings mapped and not read yet, and nothing is enabled. Fails, with
 * the reason, where the program cannot work. ctx, m: of the recorder's own unwinding; borrowed. */
int kernel_unwind_new(struct kernel_unwind **out, struct event_list *list, const struct rings *r,
		      const struct record_stacks *o,
		      const struct os *os, struct unwind_ctx *ctx, struct err *err);
void kernel_unwind_free(struct kernel_unwind *k, struct record_unwound *res);

/* The events were opened again on that CPU: the program is put on them, and gets another one to
 * write to. */
int kernel_unwind_follow_cpu(struct kernel_unwind *k, const struct event_list *list,
			     const struct rings *r, const struct os *os,
			     int cpu, struct err *err);
/* To be called with each pass: looks for what invariant 4 tells of. */
void kernel_unwind_watch(struct kernel_unwind *k);
/* A side-band record that the machine has applied. */
void kernel_unwind_sideband(struct kernel_unwind *k, struct machine *m,
			    const struct perf_event_header *rec, u64 time_ns);

/* A record of the program; words: the chain with its marks, or a struct stackrec_notice;
 * borrowed from the record. */
struct stackrec { u8 what, reason; u32 owner; u64 period; const u64 *words; size_t n; };
/* false: it is none. rec is a PERF_RECORD_SAMPLE. */
bool kernel_unwind_record(const struct kernel_unwind *k, const struct perf_event_header *rec,
			  struct stackrec *out);

/* A chain as a sample for the file: its size, at most bytes; 0: it has no room. */
size_t kernel_unwind_write(struct kernel_unwind *k, size_t nr, const struct perf_event_header *rec,
			   const struct stackrec *r, u8 *to,
			   size_t bytes);
/* A record that goes to the file as it is: losses of the program's records are losses of
 * samples. */
void kernel_unwind_mend(const struct kernel_unwind *k, size_t nr, u8 *rec);
/* Where the program stopped, 0: that is not known. */
u64 kernel_unwind_stop_va(const struct stackrec *r);
/* The program, whose tables others may unwind by. */
const struct stackprog *kernel_unwind_program(const struct kernel_unwind *k);
/* What was unwound here, after the program could not: n frames. th NULL: nothing can be learned. */
void kernel_unwind_learn(struct kernel_unwind *k, const struct stackrec *r, const struct sample *s,
			 struct thread *th,
			 const struct unwind_frame *frames, int n);
u64 kernel_unwind_taught(const struct kernel_unwind *k);	/* rows so far */
/* Comparing: the program's chain and the one that was made here of the same sample. */
bool kernel_unwind_compares(const struct kernel_unwind *k);
void kernel_unwind_compare(struct kernel_unwind *k, const struct stackrec *r,
			   const struct sample *s, enum unwind_end reason);

#endif
