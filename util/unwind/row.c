// SPDX-License-Identifier: GPL-2.0-or-later
// Rules in the few shapes that a program in the kernel knows.
#include <limits.h>

#include "util/unwind/rules-priv.h"

#define NEWEST_NS (UINT64_MAX - 1)
#define RA_OFF (-8)
#define PLT_ENTRY 16
#define JIT_BYTES 4096u		/* of code made at run time: a row */

/* DWARF expressions of x86-64 (DWARF 5, 7.7.1; the psABI's register numbers) */
enum { OP_BREG_SP = 0x77, OP_BREG_FP = 0x76, OP_DEREF = 0x06 };

/* Of a struct sigcontext. */
enum { SIGCONTEXT_FP = 80, SIGCONTEXT_SP = 120, SIGCONTEXT_IP = 128 };

/* "register + off", with deref the word there */
static bool is_breg(struct span expr, u8 op, bool deref, s64 *off)
{
	size_t i = 1;
	unsigned shift = 0;
	u64 v = 0;
	u8 b;

	if (expr.len < 2 || expr.ptr[0] != op)
		return false;
	do {
		if (i == expr.len || shift > 28)
			return false;
		b = expr.ptr[i++];
		v |= (u64)(b & 0x7f) << shift;
		shift += 7;
	} while (b & 0x80);
	*off = b & 0x40 ? (s64)(v | ~0ULL << shift) : (s64)v;
	if (deref && (i == expr.len || expr.ptr[i++] != OP_DEREF))
		return false;
	return i == expr.len;
}

/* sp + 8 + ((ip & 15) >= k ? 8 : 0): an entry of a table of jumps (PLT) pushes a word on its way */
static bool is_plt(struct span expr, unsigned *k)
{
	static const u8 ops[] = { OP_BREG_SP, 8, 0x80, 0, 0x3f, 0x1a, 0x30, 0x2a, 0x33, 0x24,
				  0x22 };

	if (expr.len != sizeof(ops))
		return false;
	for (size_t i = 0; i < sizeof(ops); i++)
		if (i != 6 && expr.ptr[i] != ops[i])
			return false;
	*k = (unsigned)expr.ptr[6] - 0x30;
	return *k < PLT_ENTRY;
}

static bool is_at_cfa(const struct cfi_reg_rule *r, s32 off)
{
	return r->how == CFI_AT_CFA && r->off == off;
}

/* The frame pointer's place from the CFA on, 0: it keeps its value. */
static bool fp_place(const struct cfi_reg_rule *r, struct stack_rule *out)
{
	out->fp_off = r->how == CFI_AT_CFA ? (s16)r->off : 0;
	return r->how == CFI_SAME || r->how == CFI_UNDEFINED ||
		(r->how == CFI_AT_CFA && r->off == out->fp_off && r->off);
}

static bool by_register(const struct cfi_rule *r, const struct arch_info *a, struct stack_rule *out)
{
	if (r->cfa_how != CFI_REG || (r->cfa_reg != a->dwarf_sp && r->cfa_reg != a->dwarf_fp))
		return false;
	if (!is_at_cfa(&r->regs[r->ra_reg], RA_OFF) || !fp_place(&r->regs[a->dwarf_fp], out))
		return false;
	out->kind = r->cfa_reg == a->dwarf_sp ? STACK_RULE_SP : STACK_RULE_FP;
	out->cfa_off = r->cfa_off;
	return true;
}

static bool by_signal(struct dso *d, const struct cfi_rule *r, const struct arch_info *a,
		      struct stack_rule *out)
{
	const struct cfi_reg_rule *ip = &r->regs[r->ra_reg], *fp = &r->regs[a->dwarf_fp],
		*sp = &r->regs[a->dwarf_sp];
	s64 sp_off, ip_off, fp_off;

	if (r->signal_frame && r->cfa_how == CFI_REG && r->cfa_reg == a->dwarf_sp) {
		*out = (struct stack_rule){ STACK_RULE_SIGNAL, 0, r->cfa_off };
		return is_at_cfa(ip, SIGCONTEXT_IP) && is_at_cfa(fp, SIGCONTEXT_FP) &&
			is_at_cfa(sp, SIGCONTEXT_SP);
	}
	if (!r->signal_frame || r->cfa_how != CFI_EXPR || ip->how != CFI_EXPR ||
	    fp->how != CFI_EXPR)
		return false;
	if (!is_breg(dso_cfi_expr(d, r->cfa_expr), OP_BREG_SP, true, &sp_off) ||
	    !is_breg(dso_cfi_expr(d, ip->expr), OP_BREG_SP, false, &ip_off) ||
	    !is_breg(dso_cfi_expr(d, fp->expr), OP_BREG_SP, false, &fp_off))
		return false;
	out->kind = STACK_RULE_SIGNAL;
	out->cfa_off = (s32)(sp_off - SIGCONTEXT_SP);
	return ip_off - sp_off == SIGCONTEXT_IP - SIGCONTEXT_SP && fp_off - sp_off ==
		SIGCONTEXT_FP - SIGCONTEXT_SP;
}

/* A function that has aligned its stack: its CFA lies in a word below the frame pointer. */
static bool by_memory(struct dso *d, const struct cfi_rule *r, const struct arch_info *a,
		      struct stack_rule *out)
{
	const struct cfi_reg_rule *fp = &r->regs[a->dwarf_fp];
	s64 cfa_off, fp_off;

	if (r->cfa_how != CFI_EXPR || fp->how != CFI_EXPR ||
	    !is_at_cfa(&r->regs[r->ra_reg], RA_OFF))
		return false;
	if (!is_breg(dso_cfi_expr(d, r->cfa_expr), OP_BREG_FP, true, &cfa_off) ||
	    !is_breg(dso_cfi_expr(d, fp->expr), OP_BREG_FP, false, &fp_off) ||
	    fp_off != (s16)fp_off)
		return false;
	*out = (struct stack_rule){ STACK_RULE_FP_MEM, (s16)fp_off, (s32)cfa_off };
	return true;
}

/* Holds for a part of the row only. */
static bool by_plt(struct dso *d, const struct cfi_rule *r, const struct arch_info *a, u64 va,
		   struct unwind_row *out)
{
	unsigned k;

	if (r->cfa_how != CFI_EXPR || !is_plt(dso_cfi_expr(d, r->cfa_expr), &k))
		return false;
	if (!is_at_cfa(&r->regs[r->ra_reg], RA_OFF) || r->regs[a->dwarf_fp].how != CFI_SAME)
		return false;

	const u64 entry = va & ~(u64)(PLT_ENTRY - 1);
	const bool pushed = va - entry >= k;

	out->start_va = MAX(out->start_va, pushed ? entry + k : entry);
	out->end_va = MIN(out->end_va, pushed ? entry + PLT_ENTRY : entry + k);
	out->rule = (struct stack_rule){ STACK_RULE_SP, 0, pushed ? 16 : 8 };
	return true;
}

static bool full_rule(const struct rule *l, const struct arch_info *a, u64 va,
		      struct unwind_row *out)
{
	const struct cfi_rule *r = l->full;

	if (r->ra_reg >= CFI_MAX_REGS)
		return false;
	if (r->signal_frame)
		return by_signal(l->dso, r, a, &out->rule);
	return by_register(r, a, &out->rule) || by_memory(l->dso, r, a, &out->rule) ||
		by_plt(l->dso, r, a, va, out);
}

static bool fast_rule(const struct rule *l, const struct arch_info *a, struct stack_rule *out)
{
	if (l->signal || l->ra_off != RA_OFF ||
	    (l->cfa_reg != a->dwarf_sp && l->cfa_reg != a->dwarf_fp))
		return false;
	*out = (struct stack_rule){ l->cfa_reg == a->dwarf_sp ? STACK_RULE_SP : STACK_RULE_FP, 0,
				    l->cfa_off };
	for (unsigned i = 0; i < l->n_saved; i++)
		if (l->reg[i] == a->dwarf_fp) {
			out->fp_off = l->off[i];
			return l->off[i] != 0;
		}
	return true;
}

/* What was never called starts a stack (a context's trampoline): no call lies before its first
 * byte. Only where its tables say that it ends there: others may have a caller. */
static bool is_before_start(struct rules *r, struct unwinding *u, const struct mapping *map, u64 va)
{
	const struct mapping *next = unwind_code(u, va + 1);
	const struct rule *l;

	if (!next || next != map)
		return false;
	l = &r->all.v[rules_row(r, u, map->dso, mapping_rva(map, va + 1))->rule];
	return l->kind == RULE_END;
}

/* An address that was put on the stack may begin there. */
static bool is_before_rule(struct rules *r, struct unwinding *u, const struct mapping *map, u64 va)
{
	const struct mapping *next = unwind_code(u, va + 1);
	const struct rules_row *row;
	u8 kind;

	if (!next || !next->dso)
		return false;
	row = rules_row(r, u, next->dso, mapping_rva(next, va + 1));
	kind = r->all.v[row->rule].kind;
	return next != map || kind == RULE_END || kind == RULE_FAST || kind == RULE_FULL;
}

/* Code without tables has frame pointers as a rule: all that is made at run time; of files, where
 * it calls. */
static bool by_frame_pointer(const struct rule *l, u64 va, struct unwind_row *out)
{
	const struct mapping *map = out->map;

	if (l->kind != RULE_NO_CFI)
		return false;
	out->rule = (struct stack_rule){ STACK_RULE_FP_CALLER, 2 * RA_OFF, -2 * RA_OFF };
	out->alone = true;
	if (map->dso->kind == DSO_FILE)
		return true;
	out->rule.kind = STACK_RULE_FP;
	out->start_va = MAX(map->start_va, va & ~(u64)(JIT_BYTES - 1));
	out->end_va = MIN(map->end_va, (va | (JIT_BYTES - 1)) + 1);
	return map->dso->kind == DSO_ANON || map->dso->kind == DSO_PERF_MAP ||
		map->dso->kind == DSO_JIT;
}

static bool is_file_start(struct rules *r, struct unwinding *u, const struct rule *l,
			  const struct mapping *map, u64 va)
{
	return l->kind == RULE_NO_CFI && map->dso->kind == DSO_FILE &&
		is_before_rule(r, u, map, va);
}

static void convert(struct rules *r, struct unwinding *u, u64 va, u32 rule, struct unwind_row *out)
{
	const struct rule copy = r->all.v[rule], *l = &copy;
	bool ok = true;

	if (l->leaves)
		ok = false;
	else if (l->kind == RULE_END || l->entry)
		out->rule.kind = STACK_RULE_END;
	else if (l->kind == RULE_FAST)
		ok = fast_rule(l, u->arch, &out->rule);
	else if (l->kind == RULE_FULL)
		ok = full_rule(l, u->arch, va, out);
	else
		ok = false;
	if (ok)
		return;
	if (l->kind == RULE_NO_CFI && is_before_start(r, u, out->map, va)) {
		out->rule = (struct stack_rule){ STACK_RULE_START, 0, 0 };
		out->start_va = va;
		out->end_va = va + 1;
	} else if (is_file_start(r, u, l, out->map, va) || !by_frame_pointer(l, va, out)) {
		out->rule = (struct stack_rule){ STACK_RULE_REFUSED, 0, 0 };
	}
}

bool unwind_row(struct unwind_ctx *c, struct thread *th, u64 va, struct unwind_row *out)
{
	struct unwinding u = { .ctx = c, .arch = machine_arch(c->m), .th = th, .t_ns = NEWEST_NS,
			       .space = thread_space_at(th, NEWEST_NS) };
	const struct mapping *map = unwind_code(&u, va);
	const struct rules_row *row;
	struct rules *r;
	u64 rva;

	if (c->engine != &engine_cfi || !map || !map->dso || !u.arch->is_x86 ||
	    u.arch->addr_bytes != 8)
		return false;
	r = cfi_rules(c->state);
	rva = mapping_rva(map, va);
	row = rules_row(r, &u, map->dso, rva);
	if (r->all.v[row->rule].kind == RULE_NO_BINARY)
		return false;
	*out = (struct unwind_row){ .map = map, .alone = r->all.v[row->rule].guessed };
	out->start_va = MAX(va - (rva - row->start_rva), map->start_va);
	out->end_va = MIN(va + (row->end_rva - rva), map->end_va);
	convert(r, &u, va, row->rule, out);
	return true;
}
