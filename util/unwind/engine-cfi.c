// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stacks by compiled rules. Nearly all rules have the shape "CFA is a register plus an offset, the
 * return address and a few registers were saved at offsets from it"; in most of them that register
 * is the stack pointer, and then a step reads one word of the stack and needs no other register; or
 * it is the frame pointer, and the caller's lies where it points to. So no other register is
 * followed: what each frame saved is noted, and loaded when a rule asks for a register. The rest
 * (expressions, registers in registers) goes by the full rule.
 */
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/unwind/rules-priv.h"

#define MAX_CUT_BYTES (1ull << 20)	/* nearer to the copy it is the same stack */

/* A frame that was left: what it saved lies at offsets from its CFA. */
struct left { u64 cfa; u32 rule; };

/* so that the lists of several stacks do not lie in the same sets of a cache */
#define LEFT_APART 36

struct cfi_state {
	struct rules rules;
	struct left *left;		/* of the stacks at hand, each max_left + LEFT_APART */
	int max_left;
};

/* A stack at hand. What nearly every frame needs comes first, and is kept here instead of in u
 * as long as frames are plain; registers of the frames before loaded are in u->regs, but for the
 * stack pointer. */
struct walk {
	u64 space;			/* high bits of keys */
	u64 sp, ip, call;		/* call: the address that the rule is asked for */
	u64 fp;				/* where fp_known: the frame pointer */
	const u8 *stack;
	u64 stack_va, stack_len;	/* len: of places where a word begins */
	struct unwind_frame *out, *out_end;
	struct left *left, *left_begin;
	struct unwinding *u;
	struct cfi_state *st;
	int loaded;
	bool first, exact;		/* exact: ip is no return address */
	bool fp_known;
};

static void *cfi_init(struct unwind_ctx *c UNUSED)
{
	struct cfi_state *st = xnew(struct cfi_state);

	rules_init(&st->rules);
	return st;
}

static void cfi_release(void *state)
{
	struct cfi_state *st = state;

	rules_release(&st->rules);
	free(st->left);
	free(st);
}

struct rules *cfi_rules(void *state)
{
	return &((struct cfi_state *)state)->rules;
}

static inline u64 word_at(const u8 *at)
{
	u64 v;

	__builtin_memcpy(&v, at, sizeof(v));
	return v;
}

/* --- registers --- */

static void load_saved(struct unwinding *u, const struct rule *l, u64 cfa)
{
	/* After its pop a register still has the rule "saved", in memory that is below the stack
	 * now and so not in the copy: it has its value already. */
	for (unsigned i = 0; i < l->n_saved; i++) {
		u64 v;

		if (!unwind_read(u, cfa + (s64)l->off[i], &v))
			u->regs[l->reg[i]] = v;
	}
}

/* All of them as they were in the frame at hand. */
static void load_registers(struct walk *w)
{
	const struct rule *rules = w->st->rules.all.v;

	for (; w->left_begin + w->loaded < w->left; w->loaded++)
		load_saved(w->u, &rules[w->left_begin[w->loaded].rule],
			   w->left_begin[w->loaded].cfa);
	w->u->regs[w->u->arch->dwarf_sp] = w->sp;
}

/* --- steps --- */

#define LOWEST_STACK_VA 0x10000u	/* what is below is no pointer */

/* Why the return address of a frame with tables cannot be had: functions may run on a stack that
 * they made (coroutines, split stacks, calls from managed code), and then the caller's is
 * elsewhere. What no stack pointer can be is damaged. */
static enum unwind_end lost(const struct unwinding *u, enum unwind_end reason, u64 cfa)
{
	const bool is_here = cfa - u->stack_va <= u->stack_end_va - u->stack_va;

	if (reason != UNWIND_BAD_FRAME || is_here || cfa % u->arch->addr_bytes ||
	    cfa < LOWEST_STACK_VA || cfa >> (RULES_VA_BITS - 1))
		return reason;
	return UNWIND_OTHER_STACK;
}

static enum unwind_end step_fast(struct walk *w, u32 rule)
{
	const struct rule *l = &w->st->rules.all.v[rule];
	struct unwinding *u = w->u;
	enum unwind_end reason;
	u64 cfa, ra;

	if (l->cfa_reg != u->arch->dwarf_sp)
		load_registers(w);
	cfa = (l->cfa_reg == u->arch->dwarf_sp ? w->sp : u->regs[l->cfa_reg]) + (s64)l->cfa_off;
	reason = unwind_read(u, cfa + (s64)l->ra_off, &ra);
	if (reason)
		return lost(u, reason, cfa);
	*w->left++ = (struct left){ cfa, rule };
	w->sp = cfa - u->arch->calls.cfa_above_sp;
	u->ip = ra;
	return UNWIND_COMPLETE;
}

static enum unwind_end eval_rule(struct unwinding *u, struct dso *d, const struct cfi_reg_rule *r,
				 u64 old, u64 cfa,
				 const u64 *before, u64 *out)
{
	enum unwind_end reason;
	u64 at;

	switch (r->how) {
	case CFI_AT_CFA:
		return unwind_read(u, cfa + (s64)r->off, out);
	case CFI_IS_CFA_PLUS:
		*out = cfa + (s64)r->off;
		return UNWIND_COMPLETE;
	case CFI_REG:
		*out = r->reg < CFI_MAX_REGS ? before[r->reg] : 0;
		return UNWIND_COMPLETE;
	case CFI_EXPR:
		reason = unwind_expr(u, dso_cfi_expr(d, r->expr), true, cfa, &at);
		return reason ? reason : unwind_read(u, at, out);
	case CFI_VAL_EXPR:
		return unwind_expr(u, dso_cfi_expr(d, r->expr), true, cfa, out);
	default:
		*out = old;
		return UNWIND_COMPLETE;
	}
}

static enum unwind_end step_full(struct unwinding *u, const struct rule *l)
{
	const struct cfi_rule *r = l->full;
	u64 now[CFI_MAX_REGS], cfa, ra = 0;
	enum unwind_end reason = UNWIND_COMPLETE;

	if (r->cfa_how == CFI_EXPR)
		reason = unwind_expr(u, dso_cfi_expr(l->dso, r->cfa_expr), false, 0, &cfa);
	else if (r->cfa_reg < CFI_MAX_REGS)
		cfa = u->regs[r->cfa_reg] + (s64)r->cfa_off;
	else
		reason = UNWIND_BAD_FRAME;
	if (reason)
		return reason;
	memcpy(now, u->regs, sizeof(now));
	now[u->arch->dwarf_sp] = cfa - u->arch->calls.cfa_above_sp;
	for (unsigned i = 0; i < CFI_MAX_REGS; i++) {
		u64 v;

		if (r->regs[i].how == CFI_SAME || (i >= u->arch->n_dwarf_regs && i != r->ra_reg))
			continue;
		reason = eval_rule(u, l->dso, &r->regs[i], u->regs[i], cfa, u->regs, &v);
		if (!reason)
			now[i] = v;
		else if (i == r->ra_reg)
			return lost(u, reason, cfa);
	}
	if (r->ra_reg < CFI_MAX_REGS)
		ra = now[r->ra_reg];
	if (r->ra_reg >= CFI_MAX_REGS || (r->regs[r->ra_reg].how == CFI_SAME &&
					  !u->arch->calls.has_lr))
		/* on x86 nothing but memory holds a return address */
		return UNWIND_BAD_FRAME;
	memcpy(u->regs, now, sizeof(now));
	u->ip = ra;
	return UNWIND_COMPLETE;
}

static u64 plain_address(const struct unwinding *u, u64 ip)
{
	if (u->arch->code_mask)
		return ip & u->arch->code_mask;
	return u->arch->addr_bytes == 4 ? (u32)ip : ip;
}

static enum unwind_end step_unruled(struct walk *w, const struct rule *l)
{
	enum unwind_end reason = unwind_step_fp(w->u, w->first, l->jit);

	if (l->kind == RULE_NO_BINARY && reason && !unwind_beyond_copy(reason))
		return UNWIND_NO_BINARY;
	if (!l->entry || reason != UNWIND_NO_CFI)
		return reason;
	w->u->ip = 0;	/* nobody called it */
	return UNWIND_COMPLETE;
}

/* What was found in the code holds if a call lies before the return address, or it is that of a
 * signal's handler. */
static enum unwind_end step_guessed(struct walk *w, u32 rule)
{
	struct rules *r = &w->st->rules;
	struct unwinding *u = w->u;
	const struct walk before = *w;
	const u64 ip = u->ip;
	enum unwind_end reason = step_fast(w, rule);

	if (unwind_beyond_copy(reason) || (!reason && unwind_follows_call(u, u->ip)))
		return reason;
	if (!reason) {
		const u32 caller = rules_find(r, u, w->space, u->ip - 1)->rule;

		if (r->all.v[caller].signal)
			return reason;
	}
	*w = before;
	u->ip = ip;
	load_registers(w);
	reason = step_unruled(w, &r->all.v[rule]);
	w->sp = u->regs[u->arch->dwarf_sp];
	if (!reason)
		rules_not_guessed(r, u, w->space, w->call);
	return reason;
}

static enum unwind_end step(struct walk *w, u32 rule)
{
	const struct rule *l = &w->st->rules.all.v[rule];
	enum unwind_end reason;

	if (l->kind == RULE_FAST)
		return l->guessed ? step_guessed(w, rule) : step_fast(w, rule);
	if (l->kind == RULE_NO_BINARY && w->u->ctx->stop_unread)
		return UNWIND_NO_BINARY;
	load_registers(w);
	reason = l->kind == RULE_FULL ? step_full(w->u, l) : step_unruled(w, l);
	w->sp = w->u->regs[w->u->arch->dwarf_sp];
	return reason;
}

static bool has_rule(const struct rule *l)
{
	return l->kind == RULE_FAST || l->kind == RULE_FULL || l->kind == RULE_END;
}

/* A function may end with a system call that does not return to it, as a signal's trampoline
 * does: of a task in that call the address is the one after the function. */
static u32 rule_in_call(struct walk *w, u32 rule)
{
	struct rules *r = &w->st->rules;
	struct unwinding *u = w->u;

	if (!w->first || r->all.v[rule].kind != RULE_NO_CFI || !unwind_follows_syscall(u, u->ip))
		return rule;
	return rules_find(r, u, w->space, u->ip - 1)->rule;
}

/* An address that was put on the stack without a call: a function's first, no code being before
 * it. It starts a stack (a context's trampoline), unless what would be its caller's address follows
 * a call: Go lets a callback from C appear as called by the function that went there. */
static bool starts_stack(struct walk *w, u32 rule, u32 *at)
{
	struct rules *r = &w->st->rules;
	const struct rule *l;
	u64 ra;

	if (w->exact || r->all.v[rule].kind != RULE_NO_CFI)
		return false;
	*at = rules_find(r, w->u, w->space, w->u->ip)->rule;
	l = &r->all.v[*at];
	if (!has_rule(l)) {
		*at = rule;
		return false;
	}
	return l->kind != RULE_FAST || l->cfa_reg != w->u->arch->dwarf_sp ||
	       unwind_read(w->u, w->sp + (s64)l->cfa_off + (s64)l->ra_off, &ra) ||
	       !unwind_follows_call(w->u, ra);
}

/* x86-64: the last page of a task, where the kernel puts what its probes need */
#define PROBES_VA 0x7fffffffe000u
#define PROBES_BYTES 4096u

/* A probe on a function's return has put its own address in the place of the caller's, which
 * only the kernel knows. The mapping is made without a record: a reader may not know it. */
static bool is_return_probe(const struct walk *w, u64 ip)
{
	const struct mapping *map;

	if (w->exact || !w->u->arch->is_x86)
		return false;
	if (w->u->arch->addr_bytes == 8)
		return ip - PROBES_VA < PROBES_BYTES;
	map = unwind_code(w->u, ip);
	return map && map->dso && !strcmp(map->dso->path, "[uprobes]");
}

/* Frame pointers may lead on, past that caller. */
static enum unwind_end past_return_probe(struct walk *w)
{
	struct unwinding *u = w->u;

	if (!unwind_push(u, u->ip, false))
		return UNWIND_MAX_FRAMES;
	load_registers(w);
	if (unwind_step_fp(u, false, false))
		return UNWIND_PROBED;
	w->sp = u->regs[u->arch->dwarf_sp];
	return u->ip ? UNWIND_END_NR : UNWIND_COMPLETE;
}

/* A frame that ends the stack there. */
static enum unwind_end end_at(struct unwinding *u, enum unwind_end reason)
{
	return unwind_push(u, u->ip, false) ? reason : UNWIND_MAX_FRAMES;
}

/* One frame by any rule; ip is in u. UNWIND_END_NR: it goes on. */
static enum unwind_end rule_frame(struct walk *w, u32 rule)
{
	const u64 sp = w->sp, ip = w->u->ip;
	struct unwinding *u = w->u;
	struct rules *r = &w->st->rules;
	enum unwind_end reason;

	rule = rule_in_call(w, rule);
	if ((r->all.v[rule].kind == RULE_NO_MAP || r->all.v[rule].kind == RULE_NO_CFI) &&
	    is_return_probe(w, ip))
		return past_return_probe(w);
	if (r->all.v[rule].kind == RULE_NO_MAP && !w->first)
		return UNWIND_BAD_FRAME;
	if (starts_stack(w, rule, &rule))
		return end_at(u, UNWIND_COMPLETE);

	const bool signal = r->all.v[rule].signal;

	if (!unwind_push(u, ip, signal))
		return UNWIND_MAX_FRAMES;
	if (r->all.v[rule].leaves && !w->exact)
		return UNWIND_OTHER_STACK;
	if (r->all.v[rule].kind == RULE_END)
		return UNWIND_COMPLETE;
	reason = step(w, rule);
	if (reason)
		return reason;
	u->ip = plain_address(u, u->ip);
	if (!u->ip)
		return UNWIND_COMPLETE;
	/* the stack shrinks towards its start, except from a signal's own stack back to the
	 * interrupted one */
	if (!signal && (w->sp < sp || (w->sp == sp && (u->ip == ip || !w->first))))
		return UNWIND_BAD_FRAME;
	/* a signal ran on a stack of its own: of what it interrupted there are the registers
	 * only */
	if (signal && w->sp - u->stack_va >= MAX(u->stack_end_va - u->stack_va, MAX_CUT_BYTES))
		return end_at(u, UNWIND_OTHER_STACK);
	w->exact = signal;
	return UNWIND_END_NR;
}

static __attribute__((noinline)) enum unwind_end any_frame(struct walk *w, u32 rule)
{
	struct unwinding *u = w->u;
	enum unwind_end reason;

	u->ip = w->ip;
	u->n = (int)(w->out - u->out);
	reason = rule_frame(w, rule);
	w->out = u->out + u->n;
	w->ip = u->ip;
	w->call = w->exact ? w->ip : w->ip - 1;
	w->first = w->fp_known = false;
	return reason;
}

static void find_fp(struct walk *w)
{
	load_registers(w);
	w->fp = w->u->regs[w->u->arch->dwarf_fp];
	w->fp_known = true;
}

/* The next frame; one by a plain rule has its caller always above it. */
static inline enum unwind_end frame(struct walk *w)
{
	const struct entry *e = rules_find(&w->st->rules, w->u, w->space, w->call);
	u64 ra, cfa, off;

	if (e->plain & PLAIN_FP) {
		if (!w->fp_known)
			find_fp(w);
		cfa = w->fp + PLAIN_FP_BYTES;
		off = cfa - sizeof(u64) - w->stack_va;
		if (w->fp < w->sp || off >= w->stack_len || w->out == w->out_end ||
		    !(ra = word_at(w->stack + off)))
			return any_frame(w, e->rule);
		w->fp = word_at(w->stack + off - sizeof(u64));
	} else {
		cfa = w->sp + (e->plain & PLAIN_BYTES);
		off = cfa - sizeof(u64) - w->stack_va;
		if (!e->plain || off >= w->stack_len || w->out == w->out_end ||
		    !(ra = word_at(w->stack + off)))
			return any_frame(w, e->rule);
		w->fp_known &= !(e->plain & PLAIN_SAVES_FP);
	}
	__builtin_prefetch(rules_set(&w->st->rules, w->space | (ra - 1)));
	*w->out++ = (struct unwind_frame){ .va = w->ip };
	*w->left++ = (struct left){ cfa, e->rule };
	w->sp = cfa;
	w->ip = ra;
	w->call = ra - 1;
	w->first = w->exact = false;
	return UNWIND_END_NR;
}

static void make_room(struct cfi_state *st, int max)
{
	if (st->max_left >= max)
		return;
	free(st->left);
	st->left = xcalloc(UNWIND_BATCH, ((size_t)max + LEFT_APART) * sizeof(*st->left));
	st->max_left = max;
}

static void begin(struct walk *w, struct cfi_state *st, struct unwinding *u, struct left *left)
{
	const u64 len = u->stack_end_va - u->stack_va;

	*w = (struct walk){
		.space = rules_space(&st->rules, u), .sp = u->regs[u->arch->dwarf_sp], .ip = u->ip,
			.call = u->ip, .stack = u->stack,
		.stack_va = u->stack_va, .stack_len = len < sizeof(u64) ? 0 : len - sizeof(u64) + 1,
		.out = u->out,
		.out_end = u->out + u->max, .left = left, .left_begin = left, .u = u, .st = st,
		.first = true, .exact = true,
	};
	__builtin_prefetch(rules_set(&st->rules, w->space | w->call));
}

static void finish(struct walk *w)
{
	struct unwinding *u = w->u;

	u->n = (int)(w->out - u->out);
	u->reach = MIN(w->sp - u->stack_va, u->stack_end_va - u->stack_va);
}

/* A frame of each in turn: while one waits for its next rule or word of the stack, the others go
 * on. */
static void cfi_run_all(struct unwinding *const *u, int n, enum unwind_end *reason, void *state)
{
	struct cfi_state *st = state;
	struct walk walks[UNWIND_BATCH];
	int going[UNWIND_BATCH], n_going = n;

	for (int i = 0; i < n; i++)
		make_room(st, u[i]->max);
	for (int i = 0; i < n; i++) {
		begin(&walks[i], st, u[i], st->left + (size_t)i *
		      (size_t)(st->max_left + LEFT_APART));
		going[i] = i;
	}
	while (n_going) {
		for (int k = 0; k < n_going; k++) {
			const int i = going[k];

			reason[i] = frame(&walks[i]);
			if (reason[i] != UNWIND_END_NR)
				going[k--] = going[--n_going];
		}
	}
	for (int i = 0; i < n; i++)
		finish(&walks[i]);
}

const struct engine engine_cfi = { .name = "cfi", .init = cfi_init, .release = cfi_release,
				   .run_all = cfi_run_all };
