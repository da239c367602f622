// SPDX-License-Identifier: GPL-2.0-or-later
// Types: what is behind names, how they are written.
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/dwarf/dies.h"

bool type_of(Dwarf_Die *die, Dwarf_Die *out)
{
	Dwarf_Attribute a;
	Dwarf_Die whole;

	if (!dwarf_attr_integrate(die, DW_AT_type, &a) || !dwarf_formref_die(&a, out))
		return false;
	/* only a reference to a type unit (-fdebug-types-section) */
	if (dwarf_hasattr(out, DW_AT_signature) && dwarf_attr(out, DW_AT_signature, &a) &&
	    dwarf_formref_die(&a, &whole))
		*out = whole;
	return true;
}

static bool is_qualifier(int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
		tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

bool type_strip(Dwarf_Die *type, Dwarf_Die *out)
{
	Dwarf_Die t = *type;

	for (int i = 0; i < 32 && (is_qualifier(dwarf_tag(&t)) || dwarf_tag(&t) == DW_TAG_typedef);
	     i++) {
		Dwarf_Die next;

		if (!type_of(&t, &next))
			return false;
		t = next;
	}
	*out = t;
	return true;
}

static void add_array(Dwarf_Die *t, struct str *out)
{
	Dwarf_Die d;
	int n = 0;

	if (!dwarf_child(t, &d))
		do
			n += dwarf_tag(&d) == DW_TAG_subrange_type;
		while (!dwarf_siblingof(&d, &d));
	for (int i = 0; i < (n ? n : 1); i++)
		str_add(out, "[]");
}

void type_name(Dwarf_Die *type, struct str *out)
{
	Dwarf_Die t = *type, next;
	const char *name, *kind = "";

	for (int i = 0; i < 32 && is_qualifier(dwarf_tag(&t)); i++) {
		if (!type_of(&t, &next)) {
			str_add(out, "void");
			return;
		}
		t = next;
	}
	switch (dwarf_tag(&t)) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
	case DW_TAG_array_type:
		/* Rust and Go name them */
		if (dwarf_tag(&t) == DW_TAG_pointer_type && (name = dwarf_diename(&t))) {
			str_add_safe(out, name);
			return;
		}
		if (type_of(&t, &next))
			type_name(&next, out);
		else
			str_add(out, "void");
		if (dwarf_tag(&t) == DW_TAG_array_type)
			add_array(&t, out);
		else
			str_addch(out, dwarf_tag(&t) == DW_TAG_pointer_type ? '*' : '&');
		return;
	case DW_TAG_subroutine_type:
		str_add(out, "(function_type)");
		return;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		kind = "struct ";
		break;
	case DW_TAG_union_type:
		kind = "union ";
		break;
	case DW_TAG_enumeration_type:
		kind = "enum ";
		break;
	default:
		break;
	}
	name = dwarf_diename(&t);
	str_add(out, kind);
	str_add_safe(out, name ? name : "(unknown_type)");
}

u64 type_bytes(Dwarf_Die *type)
{
	Dwarf_Word n;
	Dwarf_Die t;

	if (!type_strip(type, &t))
		return 0;
	if (dwarf_tag(&t) == DW_TAG_array_type)
		return dwarf_aggregate_size(&t, &n) ? 0 : n;
	if (dwarf_tag(&t) == DW_TAG_pointer_type && dwarf_bytesize(&t) < 0)
		return 8;
	return dwarf_aggregate_size(&t, &n) ? 0 : n;
}

bool type_is_char(Dwarf_Die *type)
{
	Dwarf_Die t;
	Dwarf_Attribute a;
	Dwarf_Word enc = 0;

	return type_strip(type, &t) && dwarf_tag(&t) == DW_TAG_base_type && type_bytes(&t) == 1 &&
	       !dwarf_formudata(dwarf_attr(&t, DW_AT_encoding, &a), &enc) && enc != DW_ATE_boolean;
}

/* --- members */

bool die_const(Dwarf_Die *d, unsigned at, u64 *v)
{
	Dwarf_Attribute a;
	Dwarf_Word w;

	if (!dwarf_attr_integrate(d, at, &a) || dwarf_formudata(&a, &w))
		return false;
	*v = w;
	return true;
}

u64 type_member_offset(Dwarf_Die *m)
{
	Dwarf_Attribute a;
	Dwarf_Op *ops;
	size_t n;
	u64 off = 0;

	if (die_const(m, DW_AT_data_member_location, &off))
		return off;
	if (dwarf_attr_integrate(m, DW_AT_data_member_location, &a) &&
	    !dwarf_getlocation(&a, &ops, &n) && n == 1 &&
	    ops[0].atom == DW_OP_plus_uconst)
		return ops[0].number;
	return 0;
}

bool type_member(Dwarf_Die *type, const char *name, Dwarf_Die *out, u64 *off, int depth)
{
	Dwarf_Die m, t;

	if (depth > 16 || dwarf_child(type, &m))
		return false;
	do {
		const char *n = dwarf_diename(&m);
		int tag = dwarf_tag(&m);
		u64 at = *off + type_member_offset(&m);

		if (tag != DW_TAG_member && tag != DW_TAG_inheritance)
			continue;
		if (tag == DW_TAG_member && n && !strcmp(n, name)) {
			*out = m;
			*off = at;
			return true;
		}
		if ((tag == DW_TAG_inheritance || !n || !n[0]) && type_of(&m, &t) &&
		    type_strip(&t, &t)) {
			u64 o = at;

			if (type_member(&t, name, out, &o, depth + 1)) {
				*off = o;
				return true;
			}
		}
	} while (!dwarf_siblingof(&m, &m));
	return false;
}

bool type_is_struct(Dwarf_Die *t)
{
	int tag = dwarf_tag(t);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

u64 array_count(Dwarf_Die *array, int dim)
{
	Dwarf_Die d;
	u64 v = 0;

	if (dwarf_child(array, &d))
		return 0;
	do
		if (dwarf_tag(&d) == DW_TAG_subrange_type && !dim--)
			return die_const(&d, DW_AT_count, &v) ? v :
				die_const(&d, DW_AT_upper_bound, &v) ? v + 1 : 0;
	while (!dwarf_siblingof(&d, &d));
	return 0;
}

/* Bytes of an element once "dims" subscripts of the array are taken. */
u64 array_element_bytes(Dwarf_Die *array, int dims, int *n_dims)
{
	Dwarf_Die d, el;
	u64 bytes = type_of(array, &el) ? type_bytes(&el) : 0, counts[16];
	int n = 0;

	if (!dwarf_child(array, &d))
		do {
			u64 v = 0;

			if (dwarf_tag(&d) != DW_TAG_subrange_type || n == (int)ARRAY_SIZE(counts))
				continue;
			if (!die_const(&d, DW_AT_count, &v) && die_const(&d, DW_AT_upper_bound, &v))
				v++;
			counts[n++] = v;
		} while (!dwarf_siblingof(&d, &d));
	*n_dims = n ? n : 1;
	for (int i = dims + 1; i < n; i++)
		bytes *= counts[i];
	return bytes;
}
