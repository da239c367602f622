/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_LIVE_UNWIND_H
#define RECORD_LIVE_UNWIND_H
/*
 * Unwinding while recording: the samples' registers and stacks become call chains before they are
 * written, so that the file holds no stack dumps, and the binaries that are needed for it are those
 * that are running.
 */
#include "util/event/event.h"
#include "util/record/output.h"
#include "util/record/rings.h"

struct live_unwind;
struct offcpu_lesson;
struct stackprog;

/* After the events were opened and their rings mapped: their attrs in list become those of the
 * file (no registers, no stack). */
int live_unwind_new(struct live_unwind **out, struct event_list *list, const struct rings *r,
		    const struct record_stacks *o,
		    const struct os *os, struct err *err);
void live_unwind_free(struct live_unwind *u, struct record_unwound *res);
/* Who unwinds, and why not the kernel where it does not. Borrowed. */
const char *live_unwind_how(const struct live_unwind *u);
/* The program in the kernel; NULL: none unwinds. */
const struct stackprog *live_unwind_program(const struct live_unwind *u);
/* A stack that another program could not unwind by its tables: its frames as they go to the file,
 * at most max, and the tables learn. After a pass. */
int live_unwind_lesson(struct live_unwind *u, const struct offcpu_lesson *l, u64 time_ns,
		       u64 *frames, int max);
/* A synthetic side-band record that goes to the file. */
void live_unwind_record(struct live_unwind *u, const struct perf_event_header *rec);
/* Between two calls the events' attrs are again those that the kernel has, so that more of them
 * can be opened. */
void live_unwind_swap_attrs(struct live_unwind *u);
/* After rings_follow_cpu(), and after all records of earlier events there were taken. */
int live_unwind_follow_cpu(struct live_unwind *u, const struct rings *r, const struct os *os,
			   int cpu, struct err *err);
/* Takes what the rings hold, converts samples, and writes. data_bytes: what was taken is added. */
int live_unwind_pass(struct live_unwind *u, struct rings *r, struct output *out, u64 *data_bytes,
		     struct err *err);
/* The same in parts, for several threads that read. "more" is one that has an engine for itself and
 * belongs to the first; NULL: that cannot be made. look() finds out what the rings hold; up to the
 * next look() each ring may be taken by one of them, in any thread, into an output of its own. */
struct live_unwind *live_unwind_more(struct live_unwind *first, struct err *err);
void live_unwind_look(struct live_unwind *first, struct rings *r, struct output *out);
int live_unwind_take(struct live_unwind *u, struct rings *r, size_t ring, struct output *out,
		     struct err *err);
/* The last pass has taught the program in the kernel a good deal, or the recording has only just
 * begun: the sooner the next one comes the fewer stacks are copied that it could have unwound. */
bool live_unwind_teaches(const struct live_unwind *u);

#endif
