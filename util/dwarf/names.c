// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of functions as DWARF has them. Compilers give functions that no other file sees no
 * DW_AT_linkage_name; of what they are part of only the place of their declaration tells (DWARF 5,
 * 3.3.1 and 5.7). libdw knows no parents: the scopes of a unit are listed at the first such name.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/dwarf/lines-priv.h"

/* a longer one is shown without its scopes */
enum { MAX_HOPS = 16, MAX_SCOPES = 64, MAX_NAME = 16384 };

/* An entry that names are in, and where what is below it ends. Number parent - 1 holds it; 0:
 * none does. */
struct scope {
	const u8 *at, *end;
	u32 parent;
	const char *name;	/* with its own scopes; NULL: not yet asked for */
};

struct dwarf_scopes {
	struct walk walk;
	VEC(struct scope) v;		/* by at */
};

static bool is_scope(unsigned tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_class_type ||
		tag == DW_TAG_structure_type ||
	       tag == DW_TAG_union_type || tag == DW_TAG_interface_type ||
	       tag == DW_TAG_enumeration_type || tag == DW_TAG_subprogram;
}

/* The list at p; gives its end. */
static const u8 *list_scopes(struct dwarf_scopes *s, const u8 *p, u32 parent, int depth)
{
	struct walk_entry e;

	while (walk_read(&s->walk, p, &e)) {
		if (!e.tag)
			return e.next;
		if (e.children && depth < MAX_SCOPES && is_scope(e.tag)) {
			u32 nr = (u32)s->v.n;

			vec_push(&s->v, ((struct scope){ e.at, e.next, parent, NULL }));
			p = list_scopes(s, e.next, nr + 1, depth + 1);
			s->v.v[nr].end = p;
		} else if (e.children && depth < MAX_SCOPES && e.tag == DW_TAG_lexical_block) {
			p = list_scopes(s, e.next, parent, depth + 1);
		} else {
			p = walk_skip(&s->walk, &e);
		}
	}
	return s->walk.end;
}

static struct dwarf_scopes *scopes_of(struct line_reader *l, Dwarf_Die *die)
{
	struct dwarf_scopes *s = hmap_get(&l->scopes, (uintptr_t)die->cu);
	struct walk_entry top;
	Dwarf_Die cu;

	if (s)
		return s;
	s = xnew(struct dwarf_scopes);
	hmap_put(&l->scopes, (uintptr_t)die->cu, s);
	if (dwarf_diecu(die, &cu, NULL, NULL) && walk_open(&s->walk, &cu) &&
	    walk_read(&s->walk, s->walk.top, &top) && top.children)
		list_scopes(s, top.next, 0, 0);
	return s;
}

void dwarf_names_release(struct line_reader *l)
{
	for hmap_each(i, &l->scopes) {
		struct dwarf_scopes *s = l->scopes.vals[i];

		walk_release(&s->walk);
		vec_free(&s->v);
		free(s);
	}
	hmap_release(&l->scopes);
}

/* What the entry is declared in; NULL: nothing that has a name. */
static struct scope *scope_of(struct line_reader *l, Dwarf_Die *die)
{
	const struct dwarf_scopes *s = scopes_of(l, die);
	const u8 *at = die->addr;
	size_t lo = 0, hi = s->v.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->v.v[mid].at < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	while (lo && s->v.v[lo - 1].end <= at)
		lo = s->v.v[lo - 1].parent;
	return lo ? &s->v.v[lo - 1] : NULL;
}

static const char *string_of(struct line_reader *l, Dwarf_Die *die, unsigned code)
{
	Dwarf_Attribute attr;

	return dwarf_attr(die, code, &attr) ? lines_string(l, &attr) : NULL;
}

/* Follows the chain of entries to the declaration. The names are the first of each kind; NULL:
 * there is none. */
static void follow(struct line_reader *l, Dwarf_Die *die, const char **name, const char **linked)
{
	Dwarf_Attribute attr;
	Dwarf_Die next;

	*name = *linked = NULL;
	for (int hop = 0; hop < MAX_HOPS; hop++) {
		if (!*linked)
			*linked = string_of(l, die, DW_AT_linkage_name);
		if (!*linked)
			*linked = string_of(l, die, DW_AT_MIPS_linkage_name);
		if (!*name)
			*name = string_of(l, die, DW_AT_name);
		if ((!dwarf_attr(die, DW_AT_abstract_origin, &attr) &&
		     !dwarf_attr(die, DW_AT_specification, &attr)) ||
		    !dwarf_formref_die(&attr, &next))
			break;
		*die = next;
	}
}

static bool is_cxx(Dwarf_Die *cu)
{
	switch (dwarf_srclang(cu)) {
	case DW_LANG_C_plus_plus: case DW_LANG_C_plus_plus_03: case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case 0x2a: case 0x2b: case 0x3a:	/* C++17, C++20, C++23 */
		return true;
	default:
		return false;
	}
}

bool dwarf_names_scoped(Dwarf_Die *cu)
{
	switch (dwarf_srclang(cu)) {
	case DW_LANG_ObjC_plus_plus: case DW_LANG_D: case DW_LANG_Rust:
		return true;
	default:
		return is_cxx(cu);
	}
}

/* gcc's class of a lambda has no name, but its constructors are called so. */
static bool is_lambda(struct line_reader *l, Dwarf_Die *class)
{
	Dwarf_Die die;
	int more = dwarf_child(class, &die);

	for (int i = 0; !more && i < 64; i++) {
		const char *name = dwarf_tag(&die) == DW_TAG_subprogram ?
			string_of(l, &die, DW_AT_name) : NULL;

		if (name && str_has_prefix(name, "<lambda"))
			return true;
		more = dwarf_siblingof(&die, &die);
	}
	return false;
}

static const char *unnamed(struct line_reader *l, Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_namespace:
		return "(anonymous namespace)";
	case DW_TAG_class_type: case DW_TAG_structure_type:
		return is_lambda(l, die) ? "{lambda}" : "{unnamed type}";
	case DW_TAG_union_type: case DW_TAG_enumeration_type:
		return "{unnamed type}";
	default:
		return "??";
	}
}

/* A function in a namespace that other files see has the name of C: else there were a linkage
 * name. */
static bool is_extern_c(Dwarf_Die *die, Dwarf_Die *scope)
{
	Dwarf_Attribute attr;
	bool external = false;

	return dwarf_tag(die) == DW_TAG_subprogram && dwarf_tag(scope) == DW_TAG_namespace &&
	       dwarf_attr(die, DW_AT_external, &attr) && dwarf_formflag(&attr, &external) == 0 &&
	       external;
}

static const char *full_name(struct line_reader *l, Dwarf_Die *decl, const char *name, int depth);

static const char *scope_name(struct line_reader *l, struct scope *s, Dwarf_Die die, int depth)
{
	const char *name, *linked;

	if (!s->name) {
		follow(l, &die, &name, &linked);
		s->name = linked ? lines_demangled(l->of, linked) :
			full_name(l, &die, name ? name : unnamed(l, &die), depth + 1);
	}
	return s->name;
}

static const char *type_name(struct line_reader *l, Dwarf_Die *type)
{
	const char *name = string_of(l, type, DW_AT_name);

	return full_name(l, type, name ? name : unnamed(l, type), 0);
}

/* The entry that refers to the declaration: where the class is in a type unit, the declaration has
 * no parameters. */
static Dwarf_Die definition_of(Dwarf_Die die, const Dwarf_Die *decl)
{
	Dwarf_Attribute attr;
	Dwarf_Die next;

	for (int hop = 0; hop < MAX_HOPS; hop++) {
		if ((!dwarf_attr(&die, DW_AT_abstract_origin, &attr) &&
		     !dwarf_attr(&die, DW_AT_specification, &attr)) ||
		    !dwarf_formref_die(&attr, &next) || next.addr == decl->addr)
			break;
		die = next;
	}
	return die;
}

/* As the demangler writes it: templates have their result in front. */
static const char *with_signature(struct line_reader *l, const Dwarf_Die *function, Dwarf_Die *decl,
				  const char *name)
{
	Dwarf_Die whole = dwarf_haschildren(decl) > 0 ? *decl : definition_of(*function, decl);
	const struct type_names types = { l, type_name };
	struct str all = STR_INIT, out = STR_INIT;
	Dwarf_Die scope = { .addr = NULL };
	const struct scope *s = scope_of(l, decl);
	const char *own = string_of(l, decl, DW_AT_name);

	if (s)
		scope = (Dwarf_Die){ .addr = (void *)s->at, .cu = decl->cu };
	if (dwarf_tag(decl) != DW_TAG_subprogram || (s && is_extern_c(decl, &scope)))
		return name;
	if (own && str_has_suffix(own, ">") && !str_has_prefix(own, "operator"))
		dwarf_add_result(&types, decl, &all);
	str_add(&all, name);
	dwarf_add_parameters(&types, &whole, &all);
	dwarf_spell_types(str_cstr(&all), &out);
	if (out.len <= MAX_NAME)
		name = lines_kept(l->of, str_cstr(&out));
	str_release(&all);
	str_release(&out);
	return name;
}

/* Of a declaration of that name. */
static const char *full_name(struct line_reader *l, Dwarf_Die *decl, const char *name, int depth)
{
	struct scope *s = depth < MAX_SCOPES ? scope_of(l, decl) : NULL;
	struct str out = STR_INIT;
	Dwarf_Die scope, cu;

	if (!s)
		return name;
	scope = (Dwarf_Die){ .addr = (void *)s->at, .cu = decl->cu };
	if (is_extern_c(decl, &scope))
		return name;
	str_add(&out, scope_name(l, s, scope, depth));
	str_add(&out, dwarf_diecu(decl, &cu, NULL, NULL) && dwarf_srclang(&cu) == DW_LANG_D ? "." :
		"::");
	str_add(&out, name);
	if (out.len <= MAX_NAME)
		name = lines_kept(l->of, str_cstr(&out));
	str_release(&out);
	return name;
}

const char *dwarf_names_function(struct line_reader *l, const Dwarf_Die *function, bool scoped)
{
	const char *name, *linked;
	Dwarf_Die die = *function, cu;

	follow(l, &die, &name, &linked);
	if (linked)
		return lines_demangled(l->of, linked);
	if (!name)
		return "??";
	if (lines_no_demangle(l->of) ||
	    (!scoped && (!dwarf_diecu(&die, &cu, NULL, NULL) || !dwarf_names_scoped(&cu))))
		return name;
	name = full_name(l, &die, name, 0);
	return dwarf_diecu(&die, &cu, NULL, NULL) && is_cxx(&cu) ?
		with_signature(l, function, &die, name) : name;
}
