// SPDX-License-Identifier: GPL-2.0-or-later
// What libdw does not tell of entries at once: where their code begins, what they are called,
// what they stand in.
#include "util/dwarf/dies.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"

bool die_entry(Dwarf_Die *die, u64 *entry)
{
	Dwarf_Addr base, lo, hi, pc;

	if (dwarf_entrypc(die, &pc) == 0) {
		*entry = pc;
		return true;
	}
	if (dwarf_ranges(die, 0, &base, &lo, &hi) > 0) {
		*entry = lo;
		return true;
	}
	return false;
}

const char *die_linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute a;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &a) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &a))
		return dwarf_formstring(&a);
	return NULL;
}

/* libdw's own function does not know that DWARF 5 counts files from 0. */
const char *die_file_of(Dwarf_Die *die, unsigned at)
{
	Dwarf_Attribute a;
	Dwarf_Files *files;
	Dwarf_Word idx;
	Dwarf_Die cu;
	size_t n;
	u8 addr, off;

	if (!dwarf_attr_integrate(die, at, &a) || dwarf_formudata(&a, &idx))
		return NULL;
	/* the attribute may stand in another unit (a partial one) than the die */
	if (!dwarf_cu_die(a.cu, &cu, NULL, NULL, &addr, &off, NULL, NULL) ||
	    dwarf_getsrcfiles(&cu, &files, &n))
		return NULL;
	return idx < n ? dwarf_filesrc(files, idx, NULL, NULL) : NULL;
}

const char *die_decl_file(Dwarf_Die *die)
{
	return die_file_of(die, DW_AT_decl_file);
}

bool die_follow(Dwarf_Die *die, unsigned at, Dwarf_Die *out)
{
	Dwarf_Attribute a;

	return dwarf_attr(die, at, &a) && dwarf_formref_die(&a, out);
}

/* Where the entity was declared: through copies and specifications. */
static Dwarf_Die die_declared(Dwarf_Die die)
{
	Dwarf_Die next;

	for (int i = 0; i < 8 && (die_follow(&die, DW_AT_abstract_origin, &next) ||
				  die_follow(&die, DW_AT_specification, &next)); i++)
		die = next;
	return die;
}

bool die_is_scope(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
		tag == DW_TAG_structure_type || tag == DW_TAG_module ||
	       tag == DW_TAG_union_type || tag == DW_TAG_enumeration_type ||
	       tag == DW_TAG_subprogram;
}

char *die_qualified_name(Dwarf_Die *die)
{
	Dwarf_Die d = die_declared(*die), *scopes = NULL;
	struct str s = STR_INIT;
	int n = dwarf_getscopes_die(&d, &scopes);
	const char *name = dwarf_diename(&d);

	for (int i = n - 1; i > 0; i--) {
		const char *part = dwarf_diename(&scopes[i]);

		if (die_is_scope(dwarf_tag(&scopes[i])))
			str_addf(&s, "%s::", part ? part : "(anonymous namespace)");
	}
	free(scopes);
	str_add(&s, name ? name : "");
	return str_detach(&s);
}

bool file_matches(const char *path, const char *wanted)
{
	size_t n = strlen(path), m = strlen(wanted);

	while (m > 2 && wanted[0] == '.' && wanted[1] == '/') {
		wanted += 2;
		m -= 2;
	}
	return n >= m && !strcmp(path + n - m, wanted) &&
		(n == m || path[n - m - 1] == '/' || wanted[0] == '/');
}

/* Below such an entry there may be inlined copies. */
bool die_holds_copies(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
		tag == DW_TAG_lexical_block || tag == DW_TAG_namespace ||
	       tag == DW_TAG_try_block || tag == DW_TAG_catch_block ||
	       tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
}

static bool scopes_below(Dwarf_Die *die, u64 addr, die_vec *out, int depth)
{
	Dwarf_Die child;

	if (depth > 64 || dwarf_child(die, &child))
		return false;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
		    tag == DW_TAG_lexical_block) {
			if (dwarf_haspc(&child, addr) > 0) {
				scopes_below(&child, addr, out, depth + 1);
				vec_push(out, child);
				return true;
			}
			if (tag == DW_TAG_subprogram)
				continue;
		}
		if ((tag == DW_TAG_namespace || tag == DW_TAG_structure_type ||
		     tag == DW_TAG_class_type ||
		     tag == DW_TAG_lexical_block || tag == DW_TAG_union_type ||
		     tag == DW_TAG_enumeration_type) &&
		    scopes_below(&child, addr, out, depth + 1))
			return true;
	} while (!dwarf_siblingof(&child, &child));
	return false;
}

void die_scopes_below(Dwarf_Die *top, u64 addr, die_vec *out)
{
	scopes_below(top, addr, out, 0);
}

void die_scopes(Dwarf_Die *fn, u64 addr, die_vec *out)
{
	scopes_below(fn, addr, out, 0);
	vec_push(out, *fn);
}
