// SPDX-License-Identifier: GPL-2.0-or-later
// DWARF expressions as unwind rules use them. Source: DWARF 5 section 2.5; no location lists, no
// calls.
#include <dwarf.h>

#include "util/base/rd.h"
#include "util/unwind/unwind-priv.h"

#define MAX_DEPTH 64
#define MAX_OPS 1000

struct stack { u64 v[MAX_DEPTH]; int n; bool bad; };

static void push(struct stack *s, u64 v)
{
	if (s->n < MAX_DEPTH)
		s->v[s->n++] = v;
	else
		s->bad = true;
}

static u64 pop(struct stack *s)
{
	if (!s->n) {
		s->bad = true;
		return 0;
	}
	return s->v[--s->n];
}

static u64 peek(struct stack *s, u64 depth)
{
	if (depth >= (u64)s->n) {
		s->bad = true;
		return 0;
	}
	return s->v[s->n - 1 - depth];
}

static u64 reg(const struct unwinding *u, u64 nr)
{
	/* the program counter is kept apart */
	if (nr == u->arch->dwarf_ra && !u->arch->calls.has_lr)
		return u->ip;
	return nr < CFI_MAX_REGS ? u->regs[nr] : 0;
}

/* Two operands, a below b. true: it was such an operation. */
static bool binary(struct stack *s, u8 op)
{
	u64 a, b;

	switch (op) {
	case DW_OP_and: case DW_OP_div: case DW_OP_minus: case DW_OP_mod: case DW_OP_mul:
	case DW_OP_or: case DW_OP_plus:
	case DW_OP_shl: case DW_OP_shr: case DW_OP_shra: case DW_OP_xor: case DW_OP_eq:
	case DW_OP_ge: case DW_OP_gt:
	case DW_OP_le: case DW_OP_lt: case DW_OP_ne:
		break;
	default:
		return false;
	}
	b = pop(s);
	a = pop(s);
	switch (op) {
	case DW_OP_and: push(s, a & b); break;
	case DW_OP_div: push(s, !b ? 0 : b == UINT64_MAX ? -a : (u64)((s64)a / (s64)b));
		s->bad |= !b; break;
	case DW_OP_minus: push(s, a - b); break;
	case DW_OP_mod: push(s, b ? a % b : 0); s->bad |= !b; break;
	case DW_OP_mul: push(s, a * b); break;
	case DW_OP_or: push(s, a | b); break;
	case DW_OP_plus: push(s, a + b); break;
	case DW_OP_shl: push(s, b < 64 ? a << b : 0); break;
	case DW_OP_shr: push(s, b < 64 ? a >> b : 0); break;
	case DW_OP_shra: push(s, (u64)((s64)a >> MIN(b, 63ULL))); break;
	case DW_OP_xor: push(s, a ^ b); break;
	case DW_OP_eq: push(s, a == b); break;
	case DW_OP_ge: push(s, (s64)a >= (s64)b); break;
	case DW_OP_gt: push(s, (s64)a > (s64)b); break;
	case DW_OP_le: push(s, (s64)a <= (s64)b); break;
	case DW_OP_lt: push(s, (s64)a < (s64)b); break;
	default: push(s, a != b); break;
	}
	return true;
}

static bool constant(struct stack *s, struct rd *r, u8 op, const struct unwinding *u)
{
	switch (op) {
	case DW_OP_addr: push(s, u->arch->addr_bytes == 4 ? rd_u32(r) : rd_u64(r)); return true;
	case DW_OP_const1u: push(s, rd_u8(r)); return true;
	case DW_OP_const1s: push(s, (u64)(s64)(s8)rd_u8(r)); return true;
	case DW_OP_const2u: push(s, rd_u16(r)); return true;
	case DW_OP_const2s: push(s, (u64)(s64)(s16)rd_u16(r)); return true;
	case DW_OP_const4u: push(s, rd_u32(r)); return true;
	case DW_OP_const4s: push(s, (u64)(s64)(s32)rd_u32(r)); return true;
	case DW_OP_const8u: case DW_OP_const8s: push(s, rd_u64(r)); return true;
	case DW_OP_constu: push(s, rd_uleb(r)); return true;
	case DW_OP_consts: push(s, (u64)rd_sleb(r)); return true;
	default:
		break;
	}
	if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
		push(s, op - DW_OP_lit0);
		return true;
	}
	if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
		push(s, reg(u, op - DW_OP_breg0) + (u64)rd_sleb(r));
		return true;
	}
	if (op >= DW_OP_reg0 && op <= DW_OP_reg31) {
		push(s, reg(u, op - DW_OP_reg0));
		return true;
	}
	if (op == DW_OP_bregx) {
		u64 nr = rd_uleb(r);

		push(s, reg(u, nr) + (u64)rd_sleb(r));
		return true;
	}
	return false;
}

static bool shuffle(struct stack *s, struct rd *r, u8 op)
{
	u64 a, b, c;

	switch (op) {
	case DW_OP_nop: break;
	case DW_OP_dup: push(s, peek(s, 0)); break;
	case DW_OP_drop: pop(s); break;
	case DW_OP_over: push(s, peek(s, 1)); break;
	case DW_OP_pick: push(s, peek(s, rd_u8(r))); break;
	case DW_OP_swap: a = pop(s); b = pop(s); push(s, a); push(s, b); break;
	case DW_OP_rot: a = pop(s); b = pop(s); c = pop(s); push(s, a); push(s, c); push(s, b);
		break;
	case DW_OP_abs: a = pop(s); push(s, (s64)a < 0 ? -a : a); break;
	case DW_OP_neg: push(s, -pop(s)); break;
	case DW_OP_not: push(s, ~pop(s)); break;
	case DW_OP_plus_uconst: a = rd_uleb(r); push(s, pop(s) + a); break;
	default: return false;
	}
	return true;
}

static void jump(struct rd *r)
{
	s16 by = (s16)rd_u16(r);
	s64 to = (s64)r->pos + by;

	if (to < 0)
		r->failed = true;
	else
		rd_seek(r, (u64)to);
}

static enum unwind_end deref(struct unwinding *u, struct stack *s, struct rd *r, u8 op)
{
	u8 n = op == DW_OP_deref_size ? rd_u8(r) : u->arch->addr_bytes;
	u64 v = 0;
	enum unwind_end reason = unwind_read(u, pop(s), &v);

	if (n < 8)
		v &= (1ULL << 8 * n) - 1;
	push(s, v);
	return reason;
}

enum unwind_end unwind_expr(struct unwinding *u, struct span expr, bool has_cfa, u64 cfa, u64 *out)
{
	struct stack s = { .n = 0 };
	struct rd r;

	rd_init(&r, expr.ptr, expr.len, u->swap);
	if (has_cfa)
		push(&s, cfa);
	for (int i = 0; rd_left(&r); i++) {
		u8 op = rd_u8(&r);
		enum unwind_end reason = UNWIND_COMPLETE;

		if (op == DW_OP_skip)
			jump(&r);
		else if (op == DW_OP_bra)
			pop(&s) ? jump(&r) : (void)rd_u16(&r);
		else if (op == DW_OP_deref || op == DW_OP_deref_size)
			reason = deref(u, &s, &r, op);
		else if (!binary(&s, op) && !constant(&s, &r, op, u) && !shuffle(&s, &r, op))
			return UNWIND_BAD_FRAME;
		if (reason)
			return reason;
		if (s.bad || rd_failed(&r) || i > MAX_OPS)
			return UNWIND_BAD_FRAME;
	}
	*out = pop(&s);
	return s.bad || rd_failed(&r) ? UNWIND_BAD_FRAME : UNWIND_COMPLETE;
}
