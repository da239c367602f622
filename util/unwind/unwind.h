/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef UNWIND_UNWIND_H
#define UNWIND_UNWIND_H
/*
 * Stacks to frames. Input: a sample's recorded chain, or its user registers and stack copy; output:
 * run-time addresses, innermost first. Engines are a table {name, run}; the compiled CFI rules are
 * the default for DWARF stacks. One context per worker thread: caches, no shared state. A stack
 * that ends early is a result with a reason, not an error.
 */
#include "util/machine/machine.h"
#include "util/wire/sample.h"
#include "util/wire/stackrec.h"

enum unwind_end { UNWIND_COMPLETE, UNWIND_MAX_FRAMES, UNWIND_STACK_CUT, UNWIND_NO_CFI,
		  UNWIND_NO_BINARY, UNWIND_BAD_FRAME,
		  UNWIND_NO_REGS, UNWIND_OTHER_STACK, UNWIND_PROBED, UNWIND_NO_COPY,
		  UNWIND_END_NR };

/* va: return addresses as they stand on the stack (not yet minus one). signal: a signal
 * trampoline; its va is exact (the kernel put it there, no call), and so is that of the frame after
 * it, which was interrupted. */
struct unwind_frame { u64 va; bool kernel; bool signal; };

struct unwind_opts {
	const char *engine;	/* NULL: "cfi"; also "fp", "libdw", "libunwind" */
	int max_frames;
	/* cfi: where a binary cannot be read no frame is guessed: UNWIND_NO_BINARY */
	bool stop_unread;
};

struct unwind_ctx;
/* NULL: unknown engine */
struct unwind_ctx *unwind_new(struct machine *m, const struct unwind_opts *opts, struct err *err);
void unwind_free(struct unwind_ctx *c);
/*
 * User frames of the sample's registers and stack. Live use (perf record): apply side-band records
 * to an unfrozen machine, then for each sample in time order call unwind_user() from the thread
 * that owns the machine, with
 *	struct thread *th = machine_thread_at(m, s.pid, s.tid, s.time_ns);
 * s needs pid, tid, time_ns, user_regs and stack (wire_decode_sample() gives all).
 * symbols_opts.live must be set, so that binaries of other mount namespaces and deleted ones are
 * read. Nothing else of the stream is needed. Returns the number of frames written (at most max).
 */
int unwind_user(struct unwind_ctx *c, const struct sample *s, struct thread *th,
		struct unwind_frame *out, int max,
		enum unwind_end *reason);
/* The same for up to UNWIND_BATCH stacks at once, faster than one after the other: each step
 * waits for memory that another stack's step need not wait for. why, n: results. The frames of jobs
 * lie best not a power of two apart. */
#define UNWIND_BATCH 8
struct unwind_job {
	const struct sample *s;
	struct thread *th;
	struct unwind_frame *out;
	int max, n;
	enum unwind_end reason;
};
void unwind_users(struct unwind_ctx *c, struct unwind_job *jobs, int n_jobs);
/* For a program that unwinds without this room (wire/stackrec.h): the row of the unwind tables
 * that holds for the instruction at va in the newest state of th's memory. false: no code is mapped
 * there, or its file cannot be read, or the engine has no rows. Only for x86-64. */
struct unwind_row { u64 start_va, end_va; struct stack_rule rule; const struct mapping *map;
		    bool alone;		/* of what is beside it nothing may be asked */ };
bool unwind_row(struct unwind_ctx *c, struct thread *th, u64 va, struct unwind_row *out);
/* The chain of a task's stack as the kernel made it of frames, its innermost at chain[at]: whether
 * the address va is to come after that one (the caller of a function that has not saved its return
 * address), or the word at + drop is none of a caller. space: of the task; NULL is fine. */
struct unwind_chain { bool insert; u8 drop; u64 va; };
void unwind_chain_caller(struct machine *m, const struct sample *s, const struct space *space,
			 u64 at, struct unwind_chain *out);
/* A stack that ended early (n frames): from the last frame on that the sample's chain has, too, it
 * goes on by that, which the kernel made of frame pointers, as far as it leads through code and if
 * that is further. The number of frames now. */
int unwind_join(struct unwind_ctx *c, const struct sample *s, struct thread *th,
		struct unwind_frame *out, int n, int max);
/* A stack that the CPU kept as branches: its innermost frame is at this address, and the others
 * are the calls at branch.entries[].from, which are no return addresses. branch.n is not 0. */
u64 unwind_lbr_leaf(const struct sample *s);
/* Words of the recorded chain before the first of user space. */
u64 unwind_kernel_words(const struct sample *s);
const char *unwind_end_text(enum unwind_end reason);	/* "stack copy too short" ... */
/* The file of the first stack that ended with UNWIND_NO_BINARY; NULL: there was none. */
struct dso *unwind_unread(const struct unwind_ctx *c);
/* Bytes from the stack pointer up that the last stack took: about what the next one will, worth
 * to be fetched ahead. */
u64 unwind_reach(const struct unwind_ctx *c);
/* how many stacks ended so */
u64 unwind_ended(const struct unwind_ctx *c, enum unwind_end reason);

#endif
