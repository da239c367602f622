// SPDX-License-Identifier: GPL-2.0-or-later
// Types: what is behind names, how they are written.
#include "util/probe/probe-priv.h"

bool type_of(Dwarf_Die *die, Dwarf_Die *out)
{
	Dwarf_Attribute a;

	return dwarf_attr_integrate(die, DW_AT_type, &a) && dwarf_formref_die(&a, out);
}

static bool is_qualifier(int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

bool type_strip(Dwarf_Die *type, Dwarf_Die *out)
{
	Dwarf_Die t = *type;

	for (int i = 0; i < 32 && (is_qualifier(dwarf_tag(&t)) || dwarf_tag(&t) == DW_TAG_typedef); i++) {
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
		if (dwarf_tag(&t) == DW_TAG_pointer_type && (name = dwarf_diename(&t))) {	/* Rust and Go name them */
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
