// SPDX-License-Identifier: GPL-2.0-or-later
// Functions by name, with their concrete code and the inlined copies, and the scopes around an
// address.
#include <stdlib.h>

#include "util/base/log.h"
#include "util/base/xalloc.h"
#include "util/elf/demangle.h"
#include "util/probe/probe-priv.h"
#include "util/symbols/dso.h"

bool inst_decl(struct pinst *i, const char **file, int *line)
{
	*file = die_decl_file(&i->fn);
	if (!dwarf_decl_line(&i->fn, line) && *file)
		return true;
	*line = unit_line_of(i->unit, i->entry, NULL, file);	/* Go tells no declarations */
	return *line > 0 && *file;
}

struct found { size_t order; struct pinst inst; };
typedef VEC(struct found) found_vec;

struct walk {
	struct probe_obj *p;
	struct punit *u;
	const char *last;	/* last component of the wanted name */
	const char *whole;
	const char *file;
	bool glob, qualified;
	pinst_vec *out;
	struct hmap wanted;	/* of a glob: offset of abstract functions -> order */
	/* the function whose code is being walked: parts of itself that were split off and inlined
	 * again are no copies */
	Dwarf_Off within;
	size_t order;
	found_vec found;	/* of a glob, by order */
};

static void strip_params(char *s)
{
	if (strstr(s, "operator") || strstr(s, ".("))
		return;
	for (char *p = s; (p = strchr(p, '(')); p++)
		if (p > s && p[-1] != ':') {
			*p = 0;
			return;
		}
}

/* The demangled linkage name agrees: whole, without its parameters, or from a component on. */
static bool demangled_matches(const char *linkage, const char *wanted, bool glob)
{
	char *plain = demangle(linkage), *bare;
	bool ok;

	if (!plain)
		return false;
	ok = glob ? glob_match(plain, wanted) : !strcmp(plain, wanted);
	bare = xstrdup(plain);
	strip_params(bare);
	ok = ok || (glob ? glob_match(bare, wanted) : !strcmp(bare, wanted));
	if (!ok && !glob) {
		size_t n = strlen(bare), m = strlen(wanted);

		ok = n > m + 2 && !strcmp(bare + n - m, wanted) && bare[n - m - 1] == ':';
	}
	free(bare);
	free(plain);
	return ok;
}

/* "app::larger<int>" is wanted by "app::larger", too: arguments of templates need not be
 * written. */
static bool same_but_templates(const char *name, const char *wanted)
{
	const char *start = name;

	for (; *name; name++, wanted++) {
		bool op = name - start >= 8 && !memcmp(name - 8, "operator", 8);

		if (*name == '<' && *wanted != '<' && !op && name > start) {
			for (int depth = 0; *name; name++) {
				depth += (*name == '<') - (*name == '>');
				if (!depth)
					break;
			}
			if (!*name)
				return false;
			wanted--;
		} else if (*name != *wanted) {
			return false;
		}
	}
	return !*wanted;
}

static bool name_matches(struct walk *w, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die), *link;
	char *qual;
	bool ok;

	if (!name)
		return false;
	if (w->glob) {
		if (glob_match(name, w->whole))
			return true;
		link = die_linkage_name(die);
		return link && (glob_match(link, w->whole) ||
				(strpbrk(w->whole, ":(< ") && demangled_matches(
					 link, w->whole, true)));
	}
	if (same_but_templates(name, w->whole))
		return true;
	link = die_linkage_name(die);
	if (link && !strcmp(link, w->whole))
		return true;
	if (!w->qualified)
		return false;
	if (link && strstr(link, w->last) && demangled_matches(link, w->whole, false))
		return true;
	/* finding the scopes walks the unit */
	if (!str_has_suffix(w->whole, name) && !same_but_templates(name, w->last))
		return false;
	qual = die_qualified_name(die);
	ok = same_but_templates(qual, w->whole);
	free(qual);
	return ok;
}

static bool decl_in(Dwarf_Die *die, const char *file)
{
	const char *f;

	if (!file)
		return true;
	f = die_decl_file(die);
	return f && file_matches(f, file);
}

static void add_inst(struct walk *w, Dwarf_Die *die, Dwarf_Die *fn, bool inlined)
{
	struct pinst i = { .die = *die, .fn = *fn, .unit = w->u, .inlined = inlined };

	if (!die_entry(die, &i.entry) || (!i.entry && !w->p->kernel))
		return;
	if (w->glob)
		vec_push(&w->found, ((struct found){ w->order, i }));
	else
		vec_push(w->out, i);
}

static void enter(struct walk *w, Dwarf_Die *die, int tag)
{
	Dwarf_Die origin;

	if (tag == DW_TAG_subprogram)
		w->within = die_follow(die, DW_AT_abstract_origin, &origin) ?
		dwarf_dieoffset(&origin) : 0;
}

/* Inlined copies of one abstract function anywhere below die. */
static void find_inlined(struct walk *w, Dwarf_Die *die, Dwarf_Off origin, int depth)
{
	Dwarf_Die child, ref;

	if (depth > 64 || dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);

		enter(w, &child, tag);
		if (tag == DW_TAG_inlined_subroutine && w->within != origin &&
		    die_follow(&child, DW_AT_abstract_origin, &ref) &&
		    dwarf_dieoffset(&ref) == origin)
			add_inst(w, &child, &ref, true);
		if (die_holds_copies(tag))
			find_inlined(w, &child, origin, depth + 1);
	} while (!dwarf_siblingof(&child, &child));
}

static void one_func(struct walk *w, Dwarf_Die *die)
{
	Dwarf_Attribute a;
	u64 entry;

	if (dwarf_hasattr(die, DW_AT_declaration) || !name_matches(w, die) ||
	    !decl_in(die, w->file))
		return;
	w->order++;
	if (die_entry(die, &entry) && entry) {
		Dwarf_Die fn = *die, origin;
		size_t own = w->order, with = die_follow(die, DW_AT_abstract_origin, &origin) ?
			(size_t)hmap_get(&w->wanted, dwarf_dieoffset(&origin) + 1) : 0;

		w->order = with ? with : own;	/* beside the inlined copies of the same function */
		add_inst(w, die, &fn, false);
		w->order = own;
		return;
	}
	if (w->p->opts->no_inlines)
		return;
	if (dwarf_attr(die, DW_AT_inline, &a)) {
		if (w->glob)		/* many: collected, and found by one walk */
			hmap_put(&w->wanted, dwarf_dieoffset(die) + 1, (void *)w->order);
		else
			find_inlined(w, &w->u->die, dwarf_dieoffset(die), 0);
	}
}

static void walk_funcs(struct walk *w, Dwarf_Die *die, int depth)
{
	Dwarf_Die child;

	if (depth > 64 || dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_subprogram)
			one_func(w, &child);
		if (die_is_scope(tag) && tag != DW_TAG_enumeration_type)
			walk_funcs(w, &child, depth + 1);
	} while (!dwarf_siblingof(&child, &child));
}

/* All inlined copies of collected functions, in one walk. */
static void walk_inlined(struct walk *w, Dwarf_Die *die, int depth)
{
	Dwarf_Die child, ref;

	if (depth > 64 || dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);

		enter(w, &child, tag);
		if (tag == DW_TAG_inlined_subroutine &&
		    die_follow(&child, DW_AT_abstract_origin, &ref) &&
		    dwarf_dieoffset(&ref) != w->within) {
			size_t k = (size_t)hmap_get(&w->wanted, dwarf_dieoffset(&ref) + 1);
			struct pinst i = { .die = child, .fn = ref, .unit = w->u, .inlined = true };

			if (k && die_entry(&child, &i.entry) && i.entry)
				vec_push(&w->found, ((struct found){ k, i }));
		}
		if (die_holds_copies(tag))
			walk_inlined(w, &child, depth + 1);
	} while (!dwarf_siblingof(&child, &child));
}

static Dwarf_Off die_off(const struct pinst *i)
{
	Dwarf_Die d = i->die;

	return dwarf_dieoffset(&d);
}

static int by_die(const void *a, const void *b)
{
	Dwarf_Off x = die_off(a), y = die_off(b);

	return x < y ? -1 : x > y;
}

static int by_order(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return x->order != y->order ? (x->order < y->order ? -1 : 1) : by_die(&x->inst, &y->inst);
}

static void find_in_unit(struct walk *w)
{
	size_t from = w->out->n;

	walk_funcs(w, &w->u->die, 0);
	if (w->out->n > from)
		qsort(w->out->v + from, w->out->n - from, sizeof(*w->out->v), by_die);
	if (w->wanted.n)
		walk_inlined(w, &w->u->die, 0);
	if (w->found.n)
		qsort(w->found.v, w->found.n, sizeof(*w->found.v), by_order);
	for vec_each(x, &w->found)
		vec_push(w->out, x->inst);
	vec_clear(&w->found);
	hmap_release(&w->wanted);
	memset(&w->wanted, 0, sizeof(w->wanted));
}

/* What to search the strings for: the name without scopes, parameters and template arguments. */
static char *last_component(const char *name)
{
	char *s = xstrdup(name), *p = s, *out;

	strip_params(s);
	if (!strstr(s, "operator")) {
		char *lt = strchr(s, '<');

		if (lt && lt > s && s[strlen(s) - 1] == '>')
			*lt = 0;
	}
	for (char *q = s; (q = strstr(q, "::")); q += 2)
		p = q + 2;
	out = xstrdup(p);
	free(s);
	return out;
}

void pobj_find_funcs(struct probe_obj *p, const char *name, const char *file, bool glob,
		     pinst_vec *out)
{
	char *last = last_component(name);
	struct walk w = { .p = p, .whole = name, .last = last, .file = file, .glob = glob,
			  .out = out };
	bool searchable = !glob && last[0] && !strpbrk(last, "<> ");
	u8 *marks = pobj_candidates(p, searchable ? last : NULL, FIND_FUNC);

	w.qualified = strcmp(last, name) != 0;
	for (size_t i = 0; i < p->units.all.n; i++) {
		if (!marks[i] || !punit_open(p, &p->units.all.v[i]))
			continue;
		w.u = &p->units.all.v[i];
		find_in_unit(&w);
	}
	vec_free(&w.found);
	for vec_each(i, out)
		log_printf(LOG_PROBE, 2, "%s at 0x%llx (entry 0x%llx)%s", name,
			   (unsigned long long)die_off(i),
			   (unsigned long long)i->entry, i->inlined ? ", inlined" : "");
	free(marks);
	free(last);
}
