// SPDX-License-Identifier: GPL-2.0-or-later
// Where variables lie: locations of entries, by address of code.
#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>

#include "util/base/xalloc.h"
#include "util/dwarf/datatypes-priv.h"
#include "util/dwarf/dies.h"

#define MAX_DEPTH 64

static void read_units(struct datatypes *t)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, full;
	uint8_t type;

	if (t->has_units)
		return;
	t->has_units = true;
	while (dwarf_get_units(t->file.dw, cu, &cu, NULL, &type, &die, NULL) == 0)
		if (type == DW_UT_compile)
			vec_push(&t->units, die);
		else if (type == DW_UT_skeleton && dwarf_file_full_unit(&t->file, &die, &full))
			vec_push(&t->units, full);
}

/* --- the function around an address */

static bool has_code(Dwarf_Die *die, u64 rva) { return dwarf_haspc(die, rva) > 0; }

static bool unit_at(struct datatypes *t, u64 rva, Dwarf_Die *out)
{
	Dwarf_Arange *ar = t->aranges ? dwarf_getarange_addr(t->aranges, rva) : NULL;
	Dwarf_Off off;
	Dwarf_Die cu, full;

	if (ar && !dwarf_getarangeinfo(ar, NULL, NULL, &off) &&
	    dwarf_offdie(t->file.dw, off, &cu)) {
		*out = dwarf_file_full_unit(&t->file, &cu, &full) ? full : cu;
		return true;
	}
	read_units(t);
	for vec_each(u, &t->units)
		if (has_code(u, rva)) {
			*out = *u;
			return true;
		}
	return false;
}

static bool function_at(Dwarf_Die *parent, u64 rva, int depth, Dwarf_Die *out)
{
	Dwarf_Die d;

	if (depth > MAX_DEPTH || dwarf_child(parent, &d))
		return false;
	do {
		const int tag = dwarf_tag(&d);

		if (tag == DW_TAG_subprogram && has_code(&d, rva)) {
			*out = d;
			return true;
		}
		if (tag != DW_TAG_subprogram && die_holds_copies(tag) &&
		    function_at(&d, rva, depth + 1, out))
			return true;
	} while (!dwarf_siblingof(&d, &d));
	return false;
}

const struct datatype *datatypes_returned(struct datatypes *t, u64 rva)
{
	Dwarf_Die cu, fn;
	u64 entry;

	if (!unit_at(t, rva, &cu) || !function_at(&cu, rva, 0, &fn) || !die_entry(&fn, &entry) ||
	    entry != rva)
		return NULL;
	return datatype_of_entry(t, &fn);
}

/* --- locations */

struct reading {
	struct datatypes *t;
	variables *out;
	Dwarf_Die fn;
};

static bool plain_reg(const Dwarf_Op *op, struct variable *v)
{
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		v->reg = (u16)(op->atom - DW_OP_reg0);
	else if (op->atom == DW_OP_regx)
		v->reg = (u16)op->number;
	else
		return false;
	v->place = VARIABLE_REG;
	v->off = 0;
	return true;
}

static bool based_reg(const Dwarf_Op *op, struct variable *v)
{
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		v->reg = (u16)(op->atom - DW_OP_breg0);
		v->off = (s64)op->number;
	} else if (op->atom == DW_OP_bregx) {
		v->reg = (u16)op->number;
		v->off = (s64)op->number2;
	} else {
		return false;
	}
	v->place = VARIABLE_AT_REG;
	return true;
}

/* The frame base is a register or the frame's address; location lists of it are not read. */
static bool frame_based(Dwarf_Die *fn, s64 off, struct variable *v)
{
	Dwarf_Attribute a;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr_integrate(fn, DW_AT_frame_base, &a) || dwarf_getlocation(&a, &ops, &n) ||
	    n != 1)
		return false;
	if (ops[0].atom == DW_OP_call_frame_cfa) {
		v->place = VARIABLE_AT_CFA;
		v->off = off;
		return true;
	}
	if (!plain_reg(&ops[0], v))
		return false;
	v->place = VARIABLE_AT_REG;
	v->off = off;
	return true;
}

static bool thread_local_at(const Dwarf_Op *ops, size_t n, struct variable *v)
{
	if (n != 2 || (ops[1].atom != DW_OP_GNU_push_tls_address &&
		       ops[1].atom != DW_OP_form_tls_address))
		return false;
	switch (ops[0].atom) {
	case DW_OP_const4u: case DW_OP_const4s: case DW_OP_const8u: case DW_OP_const8s:
	case DW_OP_constu: case DW_OP_addr:
		v->place = VARIABLE_AT_TLS;
		v->off = (s64)ops[0].number;
		return true;
	default:
		return false;
	}
}

static bool read_expression(struct reading *r, const Dwarf_Op *ops, size_t n, Dwarf_Attribute *a,
			    struct variable *v)
{
	Dwarf_Attribute at;
	Dwarf_Addr addr;

	if ((n == 1 && plain_reg(&ops[0], v)) || thread_local_at(ops, n, v))
		return true;
	if (n == 1 && ops[0].atom == DW_OP_fbreg)
		return frame_based(&r->fn, (s64)ops[0].number, v);
	if (n == 1 && (ops[0].atom == DW_OP_addr || ops[0].atom == DW_OP_addrx ||
		       ops[0].atom == DW_OP_GNU_addr_index)) {
		v->place = VARIABLE_AT_RVA;
		addr = ops[0].number;
		if (ops[0].atom != DW_OP_addr &&
		    (dwarf_getlocation_attr(a, &ops[0], &at) || dwarf_formaddr(&at, &addr)))
			return false;
		v->off = (s64)addr;
		return true;
	}
	if ((n != 1 && (n != 2 || ops[1].atom != DW_OP_stack_value)) || !based_reg(&ops[0], v))
		return false;
	if (n == 2)
		v->place = VARIABLE_REG;
	return true;
}

static bool sane_offset(s64 off)
{
	return off >= -(s64)DATATYPE_MAX_BYTES && off <= (s64)DATATYPE_MAX_BYTES;
}

/* A location that holds in the whole scope. */
static void add_in_scope(struct reading *r, Dwarf_Die *scope, struct variable v)
{
	Dwarf_Addr base, from, to;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(scope, at, &base, &from, &to)) > 0) {
		v.from_rva = from;
		v.to_rva = to;
		vec_push(r->out, v);
	}
}

static void add_variable(struct reading *r, Dwarf_Die *die, Dwarf_Die *scope, int depth)
{
	struct variable v = { .type = datatype_of_entry(r->t, die), .depth = (u8)depth };
	Dwarf_Addr base, from, to;
	Dwarf_Attribute a;
	Dwarf_Op *ops;
	ptrdiff_t at = 0;
	size_t n;

	if (!v.type || !dwarf_attr_integrate(die, DW_AT_location, &a))
		return;
	while ((at = dwarf_getlocations(&a, at, &base, &from, &to, &ops, &n)) > 0) {
		if (!read_expression(r, ops, n, &a, &v) ||
		    (v.place != VARIABLE_AT_RVA && !sane_offset(v.off)))
			continue;
		if (!from && to == (Dwarf_Addr)-1) {
			add_in_scope(r, scope, v);
			continue;
		}
		v.from_rva = from;
		v.to_rva = to;
		vec_push(r->out, v);
	}
}

static void add_scope(struct reading *r, Dwarf_Die *scope, Dwarf_Die *coded, int depth)
{
	Dwarf_Die d;

	if (depth > MAX_DEPTH || dwarf_child(scope, &d))
		return;
	do {
		const int tag = dwarf_tag(&d);

		if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
			add_variable(r, &d, coded, depth);
		else if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
			 tag == DW_TAG_try_block || tag == DW_TAG_catch_block)
			add_scope(r, &d, &d, depth + 1);
	} while (!dwarf_siblingof(&d, &d));
}

bool datatypes_variables(struct datatypes *t, u64 rva, variables *out)
{
	struct reading r = { .t = t, .out = out };
	Dwarf_Die cu;

	if (!unit_at(t, rva, &cu) || !function_at(&cu, rva, 0, &r.fn))
		return false;
	add_scope(&r, &r.fn, &r.fn, 0);
	return true;
}

/* --- variables at addresses */

static void add_global(struct datatypes *t, const struct variable *v)
{
	if (v->place == VARIABLE_AT_TLS)
		vec_push(&t->thread_locals, *v);
	else
		vec_push(&t->globals, *v);
}

/* Where a variable of a file lies, or a static one of a function. */
static bool global_place(struct datatypes *t, Dwarf_Die *d, struct variable *v)
{
	struct reading r = { .t = t };
	Dwarf_Attribute a;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr(d, DW_AT_location, &a))
		return thread_symbol_place(&t->thread_symbols, d, v);
	return !dwarf_getlocation(&a, &ops, &n) && read_expression(&r, ops, n, &a, v) &&
		(v->place == VARIABLE_AT_RVA || v->place == VARIABLE_AT_TLS);
}

static void add_globals(struct datatypes *t, Dwarf_Die *parent, int depth)
{
	Dwarf_Die d;

	if (depth > MAX_DEPTH || dwarf_child(parent, &d))
		return;
	do {
		const int tag = dwarf_tag(&d);
		struct variable v = { 0 };

		if (tag == DW_TAG_variable && global_place(t, &d, &v) &&
		    (v.type = datatype_of_entry(t, &d)))
			add_global(t, &v);
		else if (tag == DW_TAG_lexical_block || die_holds_copies(tag))
			add_globals(t, &d, depth + 1);
	} while (!dwarf_siblingof(&d, &d));
}

static int by_address(const void *x, const void *y)
{
	const struct variable *a = x, *b = y;

	if (a->off != b->off)
		return (u64)a->off < (u64)b->off ? -1 : 1;
	return a->type->bytes < b->type->bytes ? -1 : a->type->bytes > b->type->bytes;
}

static void read_globals(struct datatypes *t)
{
	variables *const all[] = { &t->globals, &t->thread_locals };

	if (t->has_globals)
		return;
	t->has_globals = true;
	t->has_thread_start = thread_part_start(t, &t->thread_start);
	read_units(t);
	thread_symbols_read(t, &t->thread_symbols);
	for vec_each(u, &t->units)
		add_globals(t, u, 0);
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (all[i]->n)
			qsort(all[i]->v, all[i]->n, sizeof(*all[i]->v), by_address);
}

static const struct variable *find_global(const variables *all, u64 at)
{
	const struct variable *v;
	size_t lo = 0, hi = all->n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if ((u64)all->v[mid].off <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	v = lo ? &all->v[lo - 1] : NULL;
	return v && at - (u64)v->off < MAX(v->type->bytes, (u64)1) ? v : NULL;
}

const struct variable *datatypes_global(struct datatypes *t, u64 rva)
{
	read_globals(t);
	return find_global(&t->globals, rva);
}

const struct variable *datatypes_thread_local(struct datatypes *t, u64 off, s64 *within)
{
	const struct variable *v;

	read_globals(t);
	v = find_global(&t->thread_locals, off);
	*within = v ? (s64)off - v->off : 0;
	return v;
}

bool datatypes_thread_start(struct datatypes *t, s64 *start)
{
	read_globals(t);
	*start = t->thread_start;
	return t->has_thread_start;
}
