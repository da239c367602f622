// SPDX-License-Identifier: GPL-2.0-or-later
// Location expressions as the kernel can fetch them. An expression is run on symbols: a value is
// a register (or a link-time address),
// dereferenced some times with offsets, plus a number. What leaves this form (products of
// registers, values that only the caller
// has) cannot be fetched, and is said so.
#include <stdio.h>
#include <stdlib.h>

#include "util/base/xalloc.h"
#include "util/probe/probe-priv.h"

enum { R_CONST = -2, R_ADDR = -1 };

struct sv {
	/* DWARF number, R_ADDR (add is the address, while n_refs is 0) or R_CONST */
	int reg;
	s64 refs[12];
	int n_refs;
	s64 add;
};

struct machine {
	struct pctx *c;
	struct sv stack[16];
	int n;
	struct ploc *out;
	Dwarf_Attribute *attr;
};

static void fail(struct ploc *l, const char *reason)
{
	l->kind = LOC_NONE;
	if (!l->reason[0])
		snprintf(l->reason, sizeof(l->reason), "%s", reason);
}

static struct sv *push(struct machine *m, int reg, s64 add)
{
	struct sv *v;

	if (m->n == ARRAY_SIZE(m->stack))
		return NULL;
	v = &m->stack[m->n++];
	*v = (struct sv){ .reg = reg, .add = add };
	return v;
}

static bool sv_deref(struct sv *v)
{
	if (v->reg == R_CONST || v->n_refs == (int)ARRAY_SIZE(v->refs))
		return false;
	v->refs[v->n_refs++] = v->add;
	v->add = 0;
	return true;
}

/* --- frames */

static struct dwarf_frames *frames_of(struct probe_obj *p)
{
	if (!p->debug.frames_tried && p->debug.rel.mod)
		dwarf_frames_of(&p->debug.frames, &p->debug.rel);
	else if (!p->debug.frames_tried)
		dwarf_frames_open(&p->debug.frames, p->has_elf ? &p->elf : NULL, p->debug.dw);
	p->debug.frames_tried = true;
	return &p->debug.frames;
}

static bool run_ops(struct machine *m, const Dwarf_Op *ops, size_t n);

static bool push_cfa(struct machine *m)
{
	Dwarf_Frame *frame = dwarf_frames_at(frames_of(m->c->obj), m->c->addr);
	Dwarf_Op *ops;
	size_t n;
	bool ok = frame && !dwarf_frame_cfa(frame, &ops, &n) && run_ops(m, ops, n);

	free(frame);
	if (!ok)
		fail(m->out, "the call frame at this address is not known (no unwind table)");
	return ok;
}

static bool push_frame_base(struct machine *m, s64 off)
{
	Dwarf_Attribute a;
	Dwarf_Op *ops;
	size_t n;

	for vec_each(d, &m->c->scopes) {
		if (dwarf_tag(d) != DW_TAG_subprogram || !dwarf_attr(d, DW_AT_frame_base, &a))
			continue;
		if (dwarf_getlocation_addr(&a, m->c->addr, &ops, &n, 1) != 1 || !n)
			break;
		if (n == 1 && ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31)
			return push(m, ops[0].atom - DW_OP_reg0, off) != NULL;
		if (n == 1 && ops[0].atom == DW_OP_regx)
			return push(m, ops[0].number, off) != NULL;
		if (!run_ops(m, ops, n) || !m->n)
			return false;
		m->stack[m->n - 1].add += off;
		return true;
	}
	fail(m->out, "the frame base of the function is not known at this address");
	return false;
}

/* --- operators */

static bool binary(struct machine *m, int op)
{
	struct sv *a, *b;

	if (m->n < 2)
		return false;
	b = &m->stack[--m->n];
	a = &m->stack[m->n - 1];
	if (op == DW_OP_plus && b->reg == R_CONST) {
		a->add += b->add;
	} else if (op == DW_OP_plus && a->reg == R_CONST) {
		b->add += a->add;
		*a = *b;
	} else if (op == DW_OP_minus && b->reg == R_CONST) {
		a->add -= b->add;
	} else if (a->reg != R_CONST || b->reg != R_CONST) {
		/* "and" with a mask of all value bits changes nothing of what is fetched with a
		 * type */
		if (op == DW_OP_and && b->reg == R_CONST &&
		    (b->add == -1 || (u64)b->add == UINT32_MAX))
			return true;
		fail(m->out, "its value is computed, which the kernel cannot do");
		return false;
	} else {
		switch (op) {
		case DW_OP_mul: a->add *= b->add; break;
		case DW_OP_shl: a->add = b->add >= 0 && b->add < 64 ? (s64)((u64)a->add << b->add) :
			0; break;
		case DW_OP_shr: a->add = b->add >= 0 && b->add < 64 ? (s64)((u64)a->add >> b->add) :
			0; break;
		case DW_OP_shra: a->add >>= b->add >= 0 && b->add < 64 ? b->add : 63; break;
		case DW_OP_and: a->add &= b->add; break;
		case DW_OP_or: a->add |= b->add; break;
		case DW_OP_xor: a->add ^= b->add; break;
		default:
			fail(m->out, "its value is computed in a way that is not supported");
			return false;
		}
	}
	return true;
}

/* At the entry itself, a register still has the value that it had there. */
static bool push_entry_value(struct machine *m, Dwarf_Attribute *attr, const Dwarf_Op *op)
{
	Dwarf_Die *fn = m->c->scopes.n ? vec_last(&m->c->scopes) : NULL;
	Dwarf_Attribute inner;
	Dwarf_Op *ops;
	size_t n;
	u64 entry;

	if (fn && attr && die_entry(fn, &entry) && entry == m->c->addr &&
	    !dwarf_getlocation_attr(attr, op, &inner) &&
	    !dwarf_getlocation(&inner, &ops, &n) && n == 1 && ops[0].atom >= DW_OP_reg0 &&
	    ops[0].atom <= DW_OP_reg31)
		return push(m, ops[0].atom - DW_OP_reg0, 0) != NULL;
	fail(m->out, "only its value at the function's entry is known (an entry value): probe the "
		     "function's entry instead");
	return false;
}

static bool push_indexed(struct machine *m, const Dwarf_Op *op)
{
	Dwarf_Attribute a;
	Dwarf_Addr addr;

	if (!m->attr || dwarf_getlocation_attr(m->attr, op, &a) || dwarf_formaddr(&a, &addr))
		return false;
	return push(m, op->atom == DW_OP_addrx || op->atom == DW_OP_GNU_addr_index ? R_ADDR :
		    R_CONST, addr);
}

static bool stack_op(struct machine *m, const Dwarf_Op *op)
{
	struct sv t;

	switch (op->atom) {
	case DW_OP_dup:
		if (!m->n || m->n == ARRAY_SIZE(m->stack))
			return false;
		m->stack[m->n] = m->stack[m->n - 1];
		m->n++;
		return true;
	case DW_OP_drop:
		return m->n-- > 0;
	case DW_OP_swap:
		if (m->n < 2)
			return false;
		t = m->stack[m->n - 1];
		m->stack[m->n - 1] = m->stack[m->n - 2];
		m->stack[m->n - 2] = t;
		return true;
	case DW_OP_neg:
	case DW_OP_not:
		if (!m->n || m->stack[m->n - 1].reg != R_CONST) {
			fail(m->out, "its value is computed, which the kernel cannot do");
			return false;
		}
		m->stack[m->n - 1].add = op->atom == DW_OP_neg ? -m->stack[m->n - 1].add :
			~m->stack[m->n - 1].add;
		return true;
	default:
		return binary(m, op->atom);
	}
}

static bool one_op(struct machine *m, const Dwarf_Op *op)
{
	u8 x = op->atom;

	if (x >= DW_OP_breg0 && x <= DW_OP_breg31)
		return push(m, x - DW_OP_breg0, op->number);
	if (x >= DW_OP_lit0 && x <= DW_OP_lit31)
		return push(m, R_CONST, x - DW_OP_lit0);
	switch (x) {
	case DW_OP_bregx:
		return push(m, op->number, op->number2);
	case DW_OP_addr:
		return push(m, R_ADDR, op->number);
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
	case DW_OP_constx:
	case DW_OP_GNU_const_index:
		return push_indexed(m, op);
	case DW_OP_const1u: case DW_OP_const1s: case DW_OP_const2u: case DW_OP_const2s:
	case DW_OP_const4u: case DW_OP_const4s:
	case DW_OP_const8u: case DW_OP_const8s: case DW_OP_constu: case DW_OP_consts:
		return push(m, R_CONST, op->number);
	case DW_OP_fbreg:
		return push_frame_base(m, op->number);
	case DW_OP_call_frame_cfa:
		return push_cfa(m);
	case DW_OP_plus_uconst:
		if (!m->n)
			return false;
		m->stack[m->n - 1].add += op->number;
		return true;
	case DW_OP_deref:
		return m->n && sv_deref(&m->stack[m->n - 1]);
	case DW_OP_deref_size:
		if (op->number == 8)
			return m->n && sv_deref(&m->stack[m->n - 1]);
		fail(m->out, "its value is computed from a smaller one in memory, which the kernel "
			     "cannot do");
		return false;
	case DW_OP_nop:
		return true;
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		return push_entry_value(m, m->attr, op);
	case DW_OP_implicit_pointer:
	case DW_OP_GNU_implicit_pointer:
		fail(m->out, "it points to a variable that has been optimized out");
		return false;
	case DW_OP_form_tls_address:
	case DW_OP_GNU_push_tls_address:
		fail(m->out, "it is a variable of each thread, whose address the kernel cannot "
			     "compute");
		return false;
	default:
		return stack_op(m, op);
	}
}

static bool run_ops(struct machine *m, const Dwarf_Op *ops, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!one_op(m, &ops[i])) {
			fail(m->out, "its location is written in a way that is not supported");
			return false;
		}
	return true;
}

/* --- results */

static void from_sv(struct ploc *l, const struct sv *v, bool is_value)
{
	if (v->reg == R_CONST) {
		l->kind = LOC_CONST;
		l->add = v->add;
		if (!is_value)
			fail(l, "it is at a fixed address");
		return;
	}
	l->reg = v->reg;
	l->n_refs = v->n_refs;
	memcpy(l->refs, v->refs, sizeof(l->refs));
	l->add = v->add;
	l->kind = LOC_VALUE;
	if (!is_value && !ploc_deref(l))
		fail(l, "its location has too many steps");
	l->user_refs = 0;
	if (l->kind == LOC_VALUE && !l->add && !l->n_refs && l->reg >= 0)
		l->kind = LOC_REG;
	else if (l->kind == LOC_VALUE && !l->add && l->n_refs)
		l->kind = LOC_MEM;
}

static void eval_simple(struct pctx *c, Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t n,
			struct ploc *l)
{
	struct machine m = { .c = c, .out = l, .attr = attr };
	bool is_value = false;

	if (!n) {
		fail(l, "it has been optimized out");
		return;
	}
	if (n == 1 && ((ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31) || ops[0].atom ==
		       DW_OP_regx)) {
		l->kind = LOC_REG;
		l->reg = ops[0].atom == DW_OP_regx ? (int)ops[0].number : ops[0].atom - DW_OP_reg0;
		return;
	}
	if (ops[n - 1].atom == DW_OP_stack_value) {
		is_value = true;
		n--;
	}
	if (ops[0].atom == DW_OP_implicit_value) {
		fail(l, "its value is a block of constants");
		return;
	}
	if (!run_ops(&m, ops, n))
		return;
	if (m.n)
		from_sv(l, &m.stack[m.n - 1], is_value);
	else
		fail(l, "its location is empty");
}

/* A variable in pieces: the one that holds byte "at". */
static void eval_pieces(struct pctx *c, Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t n,
			u64 at, struct ploc *l)
{
	u64 pos = 0;
	size_t from = 0;

	for (size_t i = 0; i < n; i++) {
		if (ops[i].atom != DW_OP_piece && ops[i].atom != DW_OP_bit_piece)
			continue;
		u64 bytes = ops[i].atom == DW_OP_piece ? ops[i].number : ops[i].number / 8;

		if (at >= pos && at < pos + bytes) {
			eval_simple(c, attr, ops + from, i - from, l);
			if (l->kind == LOC_REG) {
				l->bit_off = (at - pos) * 8;
				l->in_piece = true;
			} else if (l->kind == LOC_MEM) {
				ploc_add(l, at - pos);
				l->in_piece = true;
			} else if (l->kind == LOC_CONST) {
				l->add = at - pos < 8 ? (s64)((u64)l->add >> ((at - pos) * 8)) : 0;
				l->in_piece = true;
			}
			return;
		}
		pos += bytes;
		from = i + 1;
	}
	fail(l, "this part of it has been optimized out");
}

static bool const_value(Dwarf_Die *var, struct ploc *l)
{
	Dwarf_Attribute a;
	Dwarf_Sword s;
	Dwarf_Word u;

	if (!dwarf_attr_integrate(var, DW_AT_const_value, &a))
		return false;
	if (!dwarf_formsdata(&a, &s)) {
		l->add = s;
	} else if (!dwarf_formudata(&a, &u)) {
		l->add = u;
	} else {
		fail(l, "its value is a block of constants");
		return true;
	}
	l->kind = LOC_CONST;
	return true;
}

const struct psym *pobj_data_symbol(struct probe_obj *p, const char *name)
{
	size_t n = strlen(name);

	pobj_symbols(p, NULL);
	for vec_each(s, &p->names.all)
		if (s->data && !strncmp(s->name, name, n) && (!s->name[n] || s->name[n] == '@'))
			return s;
	return NULL;
}

/* A declaration only: the variable's symbol tells where it is, if this file has it (also as the
 * linker's copy of a library's). */
static void declared_var(struct pctx *c, Dwarf_Die *var, struct ploc *l)
{
	const char *name = dwarf_diename(var);
	const struct psym *s = name ? pobj_data_symbol(c->obj, name) : NULL;

	if (!s) {
		fail(l, "it is defined in another file, and the kernel can only read what this one "
			"has");
		return;
	}
	*l = (struct ploc){ .kind = LOC_MEM, .reg = R_ADDR, .refs = { s->addr }, .n_refs = 1 };
}

/* The address of such a variable is only an offset in each CPU's area. */
static bool per_cpu(struct probe_obj *p, u64 addr)
{
	const struct psym *from = p->kernel ? pobj_data_symbol(p, "__per_cpu_start") : NULL;
	const struct psym *to = from ? pobj_data_symbol(p, "__per_cpu_end") : NULL;

	return to && addr >= from->addr && addr < to->addr;
}

static void locate_var(struct pctx *c, Dwarf_Die *var, u64 piece_off, struct ploc *l)
{
	Dwarf_Attribute a;
	Dwarf_Op *ops;
	size_t n;

	if (const_value(var, l))
		return;
	if (!dwarf_attr_integrate(var, DW_AT_location, &a)) {
		if (dwarf_hasattr(var, DW_AT_declaration))
			declared_var(c, var, l);
		else
			fail(l, "it has been optimized out");
		return;
	}
	int got = dwarf_getlocation_addr(&a, c->addr, &ops, &n, 1);

	if (got != 1 || !n) {
		fail(l, "it has been optimized out at this address");
		return;
	}
	if (ops[n - 1].atom == DW_OP_piece || ops[n - 1].atom == DW_OP_bit_piece)
		eval_pieces(c, &a, ops, n, piece_off, l);
	else
		eval_simple(c, &a, ops, n, l);
}

void ploc_of_var(struct pctx *c, Dwarf_Die *var, u64 piece_off, struct ploc *l)
{
	memset(l, 0, sizeof(*l));
	locate_var(c, var, piece_off, l);
	if (l->kind == LOC_MEM && l->reg == R_ADDR && per_cpu(c->obj, l->refs[0]))
		fail(l, pobj_data_symbol(c->obj, dwarf_diename(var) ? dwarf_diename(var) : "") ?
		     "it is a variable of each CPU, whose address the kernel cannot compute" :
		     "it has no address: its section was left out by the linker");
}

bool ploc_deref(struct ploc *l)
{
	if (l->kind == LOC_CONST || l->kind == LOC_NONE || l->n_refs == (int)ARRAY_SIZE(l->refs))
		return false;
	if (l->kind == LOC_REG && l->bit_off)
		return false;
	l->user_refs |= 1u << l->n_refs;
	l->refs[l->n_refs++] = l->kind == LOC_VALUE ? l->add : 0;
	l->add = 0;
	l->kind = LOC_MEM;
	l->in_piece = false;
	return true;
}

void ploc_add(struct ploc *l, s64 off)
{
	if (l->kind == LOC_MEM)
		l->refs[l->n_refs - 1] += off;
	else if (l->kind == LOC_REG)
		l->bit_off += off * 8;
	else if (l->kind == LOC_CONST && off >= 0 && off < 8)
		l->add = (s64)((u64)l->add >> (off * 8));
}

static const char *reg_name(const struct pctx *c, int reg)
{
	const struct arch_info *a = c->obj->arch;

	return reg >= 0 && reg < a->n_uprobe_regs ? a->uprobe_regs[reg] : NULL;
}

bool ploc_named(const struct pctx *c, const struct ploc *l)
{
	return l->kind == LOC_CONST || l->reg == R_ADDR || reg_name(c, l->reg) != NULL;
}

/* A link-time address: relative to the probe's own place in the file, or to a symbol of the
 * kernel. */
static void add_address(const struct pctx *c, u64 va, struct str *out)
{
	struct probe_obj *p = c->obj;
	u64 off;

	if (p->kernel) {
		const struct psym *best = NULL;

		pobj_symbols(p, NULL);
		for vec_each(s, &p->names.all) {
			if (s->addr > va)
				break;
			best = s;
		}
		if (best)
			str_addf(out, "@%s+%llu", best->name,
				 (unsigned long long)(va - best->addr));
		else
			str_addf(out, "@0x%llx", (unsigned long long)va);
		return;
	}
	if (!pobj_file_off(p, c->addr, &off))
		off = c->addr;
	str_addf(out, "@+0x%llx", (unsigned long long)(va - (c->addr - off)));
}

void ploc_fetch(const struct pctx *c, const struct ploc *l, bool user, struct probe_fetch *f)
{
	struct str s = STR_INIT;
	int i = 0;

	if (l->kind == LOC_CONST) {
		f->base = xasprintf("\\0x%llx", (unsigned long long)l->add);
		return;
	}
	if (l->reg == R_ADDR)
		add_address(c, l->refs[i++], &s);
	else
		str_add(&s, reg_name(c, l->reg) ? reg_name(c, l->reg) : "%?");
	f->base = str_detach(&s);
	for (; i < l->n_refs; i++) {
		const bool of_user = user && (l->user_refs >> i & 1);
		const s64 off = l->refs[i];

		str_addf(&s, "%c%s%llu", off < 0 ? '-' : '+', of_user ? "u" : "",
			 off < 0 ? 0 - (unsigned long long)off :
			 (unsigned long long)off);
		vec_push(&f->refs, str_detach(&s));
	}
}
