// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stacks by compiled rules. Two caches per context: (space version, address) -> rule in a direct-mapped array of cache lines,
 * and (dso, rva) -> rule behind it, shared by all processes. Nearly all rules have the shape "CFA is a register plus an offset,
 * the return address and a few registers were saved at offsets from it" and are run straight from their line; the rest
 * (expressions, registers in registers) goes by the full rule.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/unwind/unwind-priv.h"

#define LINES 16384u
#define MAX_SAVED 7
#define ENTRY_BYTES 256		/* of a program's first code without tables */
#define MAX_CUT_BYTES (1ull << 20)	/* nearer to the copy it is the same stack */

enum kind { EMPTY, FAST, FULL, END, NO_CFI, NO_BINARY, NO_MAP };

struct line {
	u64 space_key, va;
	u8 kind, signal, cfa_reg, n_saved, jit, entry;
	u8 reg[MAX_SAVED];
	s32 cfa_off;
	s16 ra_off;
	s16 off[MAX_SAVED];
	s16 low_off;		/* the words that it reads: span bytes from cfa + low_off on */
	u16 span;
	const struct shared *shared;
};
_Static_assert(sizeof(struct line) == 64, "a rule is not one cache line");

struct shared {
	struct line line;		/* without key */
	struct dso *dso;
	u64 rva;
	struct shared *next;		/* of the same hash */
	struct cfi_rule *full;
};

/* Where the return addresses of a thread's last stack lay. Its next stack has most of them in the same places, and a dump that
 * the kernel just wrote is in no near cache: fetching those lines at once instead of one after the other is what a stack costs. */
#define N_MEMOS 16u		/* threads */
#define MEMO_FRAMES 62u
struct memo { u32 tid, n; u64 va[MEMO_FRAMES]; };

struct cfi_state {
	struct line *lines;
	void *lines_mem;	/* what they lie in, not aligned */
	struct memo memos[N_MEMOS];
	struct hmap by_rva;
	struct arena arena;
};

static void *cfi_init(struct unwind_ctx *c UNUSED)
{
	struct cfi_state *st = xnew(struct cfi_state);

	st->lines_mem = xcalloc(LINES + 1, sizeof(*st->lines));		/* pages that are never used cost nothing */
	st->lines = (void *)ALIGN_UP((uintptr_t)st->lines_mem, sizeof(*st->lines));
	return st;
}

static void cfi_release(void *state)
{
	struct cfi_state *st = state;

	free(st->lines_mem);
	hmap_release(&st->by_rva);
	arena_release(&st->arena);
	free(st);
}

/* Into a line, when it has the common shape. */
static bool compile(const struct cfi_rule *r, const struct arch_info *a, struct line *l)
{
	const struct cfi_reg_rule *ra = r->ra_reg < CFI_MAX_REGS ? &r->regs[r->ra_reg] : NULL;
	s64 low, high;

	if (!ra || r->cfa_how != CFI_REG || r->cfa_reg >= CFI_MAX_REGS || ra->how != CFI_AT_CFA || ra->off != (s16)ra->off)
		return false;
	l->cfa_reg = r->cfa_reg;
	l->cfa_off = r->cfa_off;
	l->ra_off = ra->off;
	low = high = ra->off;
	l->n_saved = 0;
	for (unsigned i = 0; i < CFI_MAX_REGS && i < a->n_dwarf_regs; i++) {
		const struct cfi_reg_rule *rr = &r->regs[i];

		if (rr->how == CFI_SAME || rr->how == CFI_UNDEFINED || i == r->ra_reg)
			continue;
		if (rr->how != CFI_AT_CFA || rr->off != (s16)rr->off || l->n_saved == MAX_SAVED)
			return false;
		l->reg[l->n_saved] = i;
		l->off[l->n_saved++] = rr->off;
		low = MIN(low, rr->off);
		high = MAX(high, rr->off);
	}
	if (high - low > UINT16_MAX - (int)sizeof(u64))
		return false;
	l->low_off = low;
	l->span = high - low + sizeof(u64);
	l->kind = FAST;
	return true;
}

/* The dynamic linker's first code, which nobody calls, has no tables that would say so. */
static bool is_entry(struct dso *d, u64 rva)
{
	struct cfi_rule rule;
	u64 entry;

	return d->kind == DSO_FILE && dso_entry(d, &entry) && rva - entry < ENTRY_BYTES && dso_cfi(d, entry, &rule) == -ENOENT;
}

static struct shared *make_shared(struct cfi_state *st, struct unwinding *u, const struct mapping *map, u64 rva)
{
	struct shared *s = arena_alloc(&st->arena, sizeof(*s));
	struct line *l = &s->line;
	struct cfi_rule rule;
	int ret = -1;

	s->dso = map->dso;
	s->rva = rva;
	if (map->dso->kind == DSO_FILE || map->dso->kind == DSO_VDSO)
		ret = dso_cfi(map->dso, rva, &rule);
	l->jit = map->dso->kind == DSO_PERF_MAP || map->dso->kind == DSO_JIT;
	if (ret) {
		l->kind = map->dso->kind == DSO_FILE && !dso_file(map->dso) ? NO_BINARY : NO_CFI;
		l->entry = l->kind == NO_CFI && is_entry(map->dso, rva);
		return s;
	}
	l->signal = rule.signal_frame;
	if (rule.ra_reg < CFI_MAX_REGS && rule.regs[rule.ra_reg].how == CFI_UNDEFINED) {
		l->kind = END;
	} else if (!compile(&rule, u->arch, l)) {
		l->kind = FULL;
		s->full = arena_dup(&st->arena, &rule, sizeof(rule));
	}
	return s;
}

static void fill_line(struct cfi_state *st, struct unwinding *u, u64 va, struct line *l)
{
	const struct mapping *map = unwind_code(u, va);
	struct shared *s, *head;

	if (!map || !map->dso) {
		*l = (struct line){ .kind = NO_MAP };
	} else {
		u64 rva = mapping_rva(map, va), h = hash_u64((uintptr_t)map->dso ^ hash_u64(rva)) | 1;

		head = hmap_get(&st->by_rva, h);
		for (s = head; s && (s->dso != map->dso || s->rva != rva); s = s->next)
			;
		if (!s) {
			s = make_shared(st, u, map, rva);
			s->next = head;
			hmap_put(&st->by_rva, h, s);
		}
		*l = s->line;
		l->shared = s;
	}
	l->space_key = u->space_key;
	l->va = va;
}

/* Two neighbours are a set, the newer one first. */
static inline struct line *line_set(const struct cfi_state *st, const struct unwinding *u, u64 va)
{
	u64 h = (va ^ u->space_key << 20 ^ u->space_key >> 12) * 0x9e3779b97f4a7c15ULL;

	return &st->lines[h >> 32 & (LINES - 2)];
}

static inline bool is_line(const struct line *l, const struct unwinding *u, u64 va)
{
	return l->va == va && l->space_key == u->space_key && l->kind != EMPTY;
}

/* What it returned last may have moved. */
static inline const struct line *find_line(struct cfi_state *st, struct unwinding *u, u64 va)
{
	struct line *l = line_set(st, u, va);

	if (is_line(l, u, va))
		return l;
	if (is_line(l + 1, u, va))
		return l + 1;
	l[1] = l[0];
	fill_line(st, u, va, l);
	return l;
}

static inline u64 word_at(const u8 *at)
{
	u64 v;

	__builtin_memcpy(&v, at, sizeof(v));
	return v;
}

/* The rule of what may be the return address at this place of the copy; the load itself fetches that place. */
static inline void fetch_line(const struct cfi_state *st, const struct unwinding *u, u64 off)
{
	__builtin_prefetch(line_set(st, u, word_at(u->stack + off) - 1));
}

static struct memo *fetch_stack(struct cfi_state *st, const struct unwinding *u)
{
	struct memo *m = &st->memos[u->sample->tid % N_MEMOS];
	const u64 len = u->stack_end_va - u->stack_va;

	for (u32 i = 0; m->tid == u->sample->tid && i < m->n; i++) {
		u64 off = m->va[i] - u->stack_va;

		if (off < len && len - off >= sizeof(u64))
			fetch_line(st, u, off);
	}
	m->tid = u->sample->tid;
	m->n = 0;
	return m;
}

static enum unwind_end step_checked(struct unwinding *u, const struct line *l, u64 cfa)
{
	u64 ra;
	enum unwind_end why = unwind_read(u, cfa + (s64)l->ra_off, &ra);

	if (why)
		return why;
	/* Behind its pop a register still has the rule "saved", in memory that is below the stack now and so not in the copy:
	 * it has its value already. */
	for (unsigned i = 0; i < l->n_saved; i++) {
		u64 v;

		if (!unwind_read(u, cfa + (s64)l->off[i], &v))
			u->regs[l->reg[i]] = v;
	}
	u->regs[u->arch->dwarf_sp] = cfa;
	u->ip = ra;
	return UNWIND_COMPLETE;
}

static inline enum unwind_end step_fast(struct unwinding *u, const struct line *l)
{
	const u64 cfa = u->regs[l->cfa_reg] + (s64)l->cfa_off, len = u->stack_end_va - u->stack_va;
	const u64 low = cfa + (s64)l->low_off - u->stack_va;
	const u8 *at = u->stack + (cfa - u->stack_va);

	if (u->arch->addr_bytes != 8 || low >= len || len - low < l->span)
		return step_checked(u, l, cfa);
	for (unsigned i = 0; i < l->n_saved; i++)	/* all of them are in the copy */
		u->regs[l->reg[i]] = word_at(at + l->off[i]);
	u->regs[u->arch->dwarf_sp] = cfa;
	u->ip = word_at(at + l->ra_off);
	return UNWIND_COMPLETE;
}

static enum unwind_end eval_rule(struct unwinding *u, struct dso *d, const struct cfi_reg_rule *r, u64 old, u64 cfa,
				 const u64 *before, u64 *out)
{
	enum unwind_end why;
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
		why = unwind_expr(u, dso_cfi_expr(d, r->expr), true, cfa, &at);
		return why ? why : unwind_read(u, at, out);
	case CFI_VAL_EXPR:
		return unwind_expr(u, dso_cfi_expr(d, r->expr), true, cfa, out);
	default:
		*out = old;
		return UNWIND_COMPLETE;
	}
}

static enum unwind_end step_full(struct unwinding *u, const struct shared *s)
{
	const struct cfi_rule *r = s->full;
	u64 now[CFI_MAX_REGS], cfa, ra = 0;
	enum unwind_end why = UNWIND_COMPLETE;

	if (r->cfa_how == CFI_EXPR)
		why = unwind_expr(u, dso_cfi_expr(s->dso, r->cfa_expr), false, 0, &cfa);
	else if (r->cfa_reg < CFI_MAX_REGS)
		cfa = u->regs[r->cfa_reg] + (s64)r->cfa_off;
	else
		why = UNWIND_BAD_FRAME;
	if (why)
		return why;
	memcpy(now, u->regs, sizeof(now));
	now[u->arch->dwarf_sp] = cfa;
	for (unsigned i = 0; i < CFI_MAX_REGS; i++) {
		u64 v;

		if (r->regs[i].how == CFI_SAME || (i >= u->arch->n_dwarf_regs && i != r->ra_reg))
			continue;
		why = eval_rule(u, s->dso, &r->regs[i], u->regs[i], cfa, u->regs, &v);
		if (!why)
			now[i] = v;
		else if (i == r->ra_reg)
			return why;
	}
	if (r->ra_reg < CFI_MAX_REGS)
		ra = now[r->ra_reg];
	if (r->ra_reg >= CFI_MAX_REGS || (r->regs[r->ra_reg].how == CFI_SAME && u->arch->insn_align == 1))
		return UNWIND_BAD_FRAME;	/* on x86 nothing but memory holds a return address */
	memcpy(u->regs, now, sizeof(now));
	u->ip = ra;
	return UNWIND_COMPLETE;
}

/* arm64 may sign return addresses: the bits above the address space are no part of them. */
static u64 plain_address(const struct unwinding *u, u64 ip)
{
	return u->arch->insn_align == 4 ? ip & 0x00ffffffffffffULL : u->arch->addr_bytes == 4 ? (u32)ip : ip;
}

static enum unwind_end step(struct unwinding *u, const struct line *l, bool first)
{
	switch (l->kind) {
	case FAST:
		return step_fast(u, l);
	case FULL:
		return step_full(u, l->shared);
	case NO_BINARY: {
		enum unwind_end why = u->ctx->stop_unread ? UNWIND_NO_BINARY : unwind_step_fp(u, first, l->jit);

		return why ? (why == UNWIND_STACK_CUT ? why : UNWIND_NO_BINARY) : UNWIND_COMPLETE;
	}
	default: {
		enum unwind_end why = unwind_step_fp(u, first, l->jit);

		if (!l->entry || why != UNWIND_NO_CFI)
			return why;
		u->ip = 0;	/* nobody called it */
		return UNWIND_COMPLETE;
	}
	}
}

static bool has_rule(const struct line *l)
{
	return l->kind == FAST || l->kind == FULL || l->kind == END;
}

/* A signal ran on a stack of its own: of what it interrupted there are the registers only. */
static enum unwind_end leave_stack(struct unwinding *u)
{
	return unwind_push(u, u->ip, false) ? UNWIND_OTHER_STACK : UNWIND_MAX_FRAMES;
}

static enum unwind_end cfi_run(struct unwinding *u, void *state)
{
	struct cfi_state *st = state;
	struct memo *memo = fetch_stack(st, u);
	bool exact = true, first = true;

	for (;;) {
		const struct line *l = find_line(st, u, exact ? u->ip : u->ip - 1);
		u64 sp = u->regs[u->arch->dwarf_sp], ip = u->ip;

		if (l->kind == NO_MAP && !first)
			return UNWIND_BAD_FRAME;
		/* what was never called starts a stack (a context's trampoline): no call lies before its first byte */
		if (!exact && l->kind == NO_CFI) {
			if (has_rule(find_line(st, u, u->ip)))
				return unwind_push(u, u->ip, false) ? UNWIND_COMPLETE : UNWIND_MAX_FRAMES;
			l = find_line(st, u, u->ip - 1);
		}
		if (!unwind_push(u, u->ip, l->signal))
			return UNWIND_MAX_FRAMES;
		if (l->kind == END)
			return UNWIND_COMPLETE;
		enum unwind_end why = step(u, l, first);

		if (why)
			return why;
		u->ip = plain_address(u, u->ip);
		if (!u->ip)
			return UNWIND_COMPLETE;
		u64 now = u->regs[u->arch->dwarf_sp];

		if (memo->n < MEMO_FRAMES)
			memo->va[memo->n++] = now - 8;
		/* the stack shrinks towards its start, except from a signal's own stack back to the interrupted one */
		if (!l->signal && (now < sp || (now == sp && (u->ip == ip || !first))))
			return UNWIND_BAD_FRAME;
		if (l->signal && now - u->stack_va >= MAX(u->stack_end_va - u->stack_va, MAX_CUT_BYTES))
			return leave_stack(u);
		exact = l->signal;
		first = false;
	}
}

const struct engine engine_cfi = { .name = "cfi", .init = cfi_init, .release = cfi_release, .run = cfi_run };
