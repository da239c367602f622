/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef UNWIND_UNWIND_PRIV_H
#define UNWIND_UNWIND_PRIV_H
/*
 * One stack being unwound, and what the engines share.
 */
#include "util/base/arena.h"
#include "util/base/hash.h"
#include "util/symbols/cfi.h"
#include "util/unwind/unwind.h"

struct unwinding {
	struct unwind_ctx *ctx;
	const struct arch_info *arch;	/* of the task: a 32-bit one has another than its machine */
	const struct sample *sample;
	struct thread *th;
	struct space *space;
	u64 space_key;			/* space and its version */
	u64 t_ns;
	bool swap;			/* memory has the other byte order */
	u64 stack_va, stack_end_va;	/* of the copy */
	const u8 *stack;
	u64 reach;			/* of the copy: how far an engine went up */
	u64 regs[CFI_MAX_REGS];		/* by DWARF number */
	/* program counter of the current frame, as it stands on the stack */
	u64 ip;
	struct unwind_frame *out;
	int n, max;
};

struct engine {
	const char *name;
	void *(*init)(struct unwind_ctx *c);	/* NULL: needs no state */
	void (*release)(void *state);
	enum unwind_end (*run)(struct unwinding *u, void *state);
	/* Instead of run: all at once. n is not more than UNWIND_BATCH. */
	void (*run_all)(struct unwinding *const *u, int n, enum unwind_end *reason, void *state);
};
extern const struct engine engine_cfi, engine_fp, engine_libdw, engine_libunwind;

struct unwind_ctx {
	struct machine *m;
	const struct engine *engine;
	void *state;
	int max_frames;
	bool stop_unread;
	struct dso *unread;
	u64 reach;			/* of the last stack */
	struct unwinding stacks[UNWIND_BATCH];	/* at hand */
	u64 ended[UNWIND_END_NR];
};

/* Appends a frame; false when there is no room. */
static inline bool unwind_push(struct unwinding *u, u64 va, bool signal)
{
	if (u->n >= u->max)
		return false;
	u->out[u->n++] = (struct unwind_frame){ .va = va, .signal = signal };
	return true;
}

/* memory.c: a word of the task's memory: 0, or the reason that it cannot be had
 * (UNWIND_STACK_CUT, UNWIND_NO_COPY, UNWIND_BAD_FRAME). */
enum unwind_end unwind_read_far(struct unwinding *u, u64 va, u64 *out);
static inline enum unwind_end unwind_read(struct unwinding *u, u64 va, u64 *out)
{
	u64 off = va - u->stack_va, len = u->stack_end_va - u->stack_va;

	if (u->arch->addr_bytes == 8 && !u->swap && off < len && len - off >= 8) {
		__builtin_memcpy(out, u->stack + off, 8);
		return UNWIND_COMPLETE;
	}
	return unwind_read_far(u, va, out);
}

/* The copy of the stack does not reach that far. */
static inline bool unwind_beyond_copy(enum unwind_end reason)
{
	return reason == UNWIND_STACK_CUT || reason == UNWIND_NO_COPY;
}

/* Executable memory that the recording knows. */
const struct mapping *unwind_code(struct unwinding *u, u64 va);
/* chain.c: is va in the function that ip is in? true where that is not known, as of a file that
 * cannot be read. map: ip's, with a dso. */
bool unwind_in_function(const struct mapping *map, u64 ip, u64 va);
/* calls.c: does a call end right before va? Only said of x86, where an address on the stack may
 * be anything. */
bool unwind_follows_call(struct unwinding *u, u64 va);
/* Is that a call of a function that ip is in, or of a stub, as far as it tells where it goes? */
bool unwind_calls(struct unwinding *u, u64 va, u64 ip);
/* Does a system call's instruction end right before va? */
bool unwind_follows_syscall(struct unwinding *u, u64 va);
/* engine-fp.c: one step by the frame pointer, or, in the first frame of code without any CFI, by
 * the word on top of the stack. */
enum unwind_end unwind_step_fp(struct unwinding *u, bool first, bool is_jit);

/* expr.c: DWARF expressions of unwind rules. cfa: pushed first when has_cfa. */
enum unwind_end unwind_expr(struct unwinding *u, struct span expr, bool has_cfa, u64 cfa, u64 *out);

#endif
