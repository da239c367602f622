// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The parameters of a C++ function that has no linkage name, as the demangler writes those of a
 * function that has one: "(unsigned long, app::Shape const&, int (*)(char))". So an inlined copy
 * and the function itself have one name.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/dwarf/lines-priv.h"

enum { MAX_DEPTH = 32, MAX_PARAMETERS = 64, MAX_TEXT = 4096 };

static void add_type(const struct type_names *l, Dwarf_Die *of, const char *declarator, int depth,
		     struct str *out);

static bool type_of_entry(Dwarf_Die *of, Dwarf_Die *type)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(of, DW_AT_type, &attr) && dwarf_formref_die(&attr, type);
}

static bool is_artificial(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	bool is = false;

	return dwarf_attr_integrate(die, DW_AT_artificial, &attr) && !dwarf_formflag(&attr, &is) &&
		is;
}

/* The outermost const and volatile of a parameter are no part of the function's type. */
static Dwarf_Die unqualified(Dwarf_Die parameter)
{
	Dwarf_Die type, at = parameter;

	for (int i = 0; i < MAX_DEPTH && type_of_entry(&at, &type); i++) {
		const int tag = dwarf_tag(&type);

		if (tag != DW_TAG_const_type && tag != DW_TAG_volatile_type)
			break;
		at = type;
	}
	return at;
}

static void add_parameters(const struct type_names *l, Dwarf_Die *function, int depth,
			   struct str *out, int *n)
{
	Dwarf_Die die, at;
	int more = dwarf_child(function, &die);

	for (; !more && *n < MAX_PARAMETERS && out->len < MAX_TEXT;
	     more = dwarf_siblingof(&die, &die)) {
		const int tag = dwarf_tag(&die);

		if (tag == DW_TAG_GNU_formal_parameter_pack && depth < MAX_DEPTH) {
			add_parameters(l, &die, depth + 1, out, n);
		} else if (tag == DW_TAG_unspecified_parameters) {
			str_add(out, (*n)++ ? ", ..." : "...");
		} else if (tag == DW_TAG_formal_parameter && !is_artificial(&die)) {
			if ((*n)++)
				str_add(out, ", ");
			at = unqualified(die);
			add_type(l, &at, "", depth + 1, out);
		}
	}
}

/* "int" of an array or a function: what its declarator goes into. */
static void add_around(const struct type_names *l, Dwarf_Die *type, const char *declarator,
		       const char *after, int depth, struct str *out)
{
	char *d = declarator[0] ? xasprintf(" (%s)%s", declarator, after) :
		xasprintf(" %s", after);

	add_type(l, type, d, depth + 1, out);
	free(d);
}

static void add_array(const struct type_names *l, Dwarf_Die *array, const char *declarator,
		      int depth, struct str *out)
{
	struct str dims = STR_INIT;
	Dwarf_Attribute attr;
	Dwarf_Die die;
	Dwarf_Word v;

	for (int more = dwarf_child(array, &die), i = 0; !more && i < MAX_DEPTH;
	     more = dwarf_siblingof(&die, &die), i++) {
		if (dwarf_attr(&die, DW_AT_upper_bound, &attr) && !dwarf_formudata(&attr, &v))
			v++;
		else if (!dwarf_attr(&die, DW_AT_count, &attr) || dwarf_formudata(&attr, &v))
			v = 0;
		if (v)
			str_addf(&dims, "%s[%llu]", !i && declarator[0] ? " " : "",
				 (unsigned long long)v);
		else
			str_add(&dims, !i && declarator[0] ? " []" : "[]");
	}
	add_around(l, array, declarator, str_cstr(&dims), depth, out);
	str_release(&dims);
}

static void add_function(const struct type_names *l, Dwarf_Die *function, const char *declarator,
			 int depth, struct str *out)
{
	struct str after = STR_INIT;
	int n = 0;

	str_addch(&after, '(');
	add_parameters(l, function, depth + 1, &after, &n);
	str_addch(&after, ')');
	add_around(l, function, declarator, str_cstr(&after), depth, out);
	str_release(&after);
}

static void add_member_pointer(const struct type_names *l, Dwarf_Die *type, const char *declarator,
			       int depth, struct str *out)
{
	Dwarf_Attribute attr;
	Dwarf_Die class, target;
	const bool is_function = type_of_entry(type, &target) &&
		dwarf_tag(&target) == DW_TAG_subroutine_type;
	char *d;

	if (!dwarf_attr(type, DW_AT_containing_type, &attr) || !dwarf_formref_die(&attr, &class)) {
		str_add(out, "??");
		return;
	}
	d = xasprintf("%s%s::*%s", is_function ? "" : " ", l->name(l->reader, &class), declarator);
	add_type(l, type, d, depth + 1, out);
	free(d);
}

/* What goes between the type and the declarator, with a blank where words meet; NULL: the tag is
 * that of a type itself. */
static const char *modifier(int tag)
{
	switch (tag) {
	case DW_TAG_pointer_type: return "*";
	case DW_TAG_reference_type: return "&";
	case DW_TAG_rvalue_reference_type: return "&&";
	case DW_TAG_const_type: return " const";
	case DW_TAG_volatile_type: return " volatile";
	case DW_TAG_restrict_type: return " __restrict";
	case DW_TAG_typedef: case DW_TAG_atomic_type: return "";
	default: return NULL;
	}
}

/* The type of an entry; none: void. */
static void add_type(const struct type_names *l, Dwarf_Die *of, const char *declarator, int depth,
		     struct str *out)
{
	const char *mod;
	Dwarf_Die type;
	char *d;

	if (depth > MAX_DEPTH || out->len > MAX_TEXT) {
		str_add(out, "??");
		return;
	}
	if (!type_of_entry(of, &type)) {
		str_addf(out, "void%s", declarator);
		return;
	}
	mod = modifier(dwarf_tag(&type));
	if (mod) {
		d = xasprintf("%s%s", mod, declarator);
		add_type(l, &type, d, depth + 1, out);
		free(d);
		return;
	}
	switch (dwarf_tag(&type)) {
	case DW_TAG_array_type:
		add_array(l, &type, declarator, depth, out);
		return;
	case DW_TAG_subroutine_type:
		add_function(l, &type, declarator, depth, out);
		return;
	case DW_TAG_ptr_to_member_type:
		add_member_pointer(l, &type, declarator, depth, out);
		return;
	default:
		str_addf(out, "%s%s", l->name(l->reader, &type), declarator);
	}
}

/* Of a method: "this" points to a constant. */
static bool is_const_method(Dwarf_Die *function)
{
	Dwarf_Die die, type, at;

	if (dwarf_child(function, &die) || dwarf_tag(&die) != DW_TAG_formal_parameter ||
	    !is_artificial(&die))
		return false;
	at = unqualified(die);
	return type_of_entry(&at, &type) && dwarf_tag(&type) == DW_TAG_pointer_type &&
		type_of_entry(&type, &at) && dwarf_tag(&at) == DW_TAG_const_type;
}

/* As gcc spells them -> as the demangler does; the longer ones first. */
static const char *const spelled[][2] = {
	{ "long long unsigned int", "unsigned long long" },
	{ "long unsigned int", "unsigned long" },
	{ "short unsigned int", "unsigned short" }, { "long long int", "long long" },
	{ "long int", "long" }, { "short int", "short" },
	{ "__int128 unsigned", "unsigned __int128" },
};

void dwarf_spell_types(const char *text, struct str *out)
{
	while (*text) {
		size_t i = 0;

		while (i < ARRAY_SIZE(spelled) && !str_has_prefix(text, spelled[i][0]))
			i++;
		if (i < ARRAY_SIZE(spelled)) {
			str_add(out, spelled[i][1]);
			text += strlen(spelled[i][0]);
			continue;
		}
		do	/* to the end of the word */
			str_addch(out, *text++);
		while (*text && (text[-1] == '_' || strchr("0123456789", text[-1]) ||
				 ((text[-1] | 32) >= 'a' && (text[-1] | 32) <= 'z')));
	}
}

void dwarf_add_parameters(const struct type_names *l, Dwarf_Die *function, struct str *out)
{
	int n = 0;

	str_addch(out, '(');
	add_parameters(l, function, 0, out, &n);
	str_addch(out, ')');
	if (is_const_method(function))
		str_add(out, " const");
}

void dwarf_add_result(const struct type_names *l, Dwarf_Die *function, struct str *out)
{
	add_type(l, function, " ", 0, out);
}
