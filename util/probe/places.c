// SPDX-License-Identifier: GPL-2.0-or-later
// Where functions, their inlined copies and source lines are; and which lines are, when the one
// that was asked for is nowhere.
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "util/base/xalloc.h"
#include "util/probe/places-priv.h"

static const char *inst_name(struct pinst *i)
{
	const char *n = dwarf_diename(&i->fn);

	return n ? n : "function";
}

/* --- places by DWARF */

static void add_place(struct job *j, u64 addr, struct pinst *i, struct punit *u, const char *name)
{
	for vec_each(x, &j->places)
		if (x->addr == addr)
			return;
	vec_push(&j->places, ((struct place){ addr, i, u, name }));
}

static bool row_counts(struct job *j, struct punit *u, const struct pline *row)
{
	const char *file;
	u32 line = unit_line_of(u, row->addr, row->file, &file);

	if (line == row->line || !line)
		return true;
	if (j->take_shared) {
		const struct psym *sym = pobj_symbol_at(j->p, row->addr);

		/* a function's entry is its declaration's */
		if (!sym || sym->addr != row->addr)
			return true;
	}
	j->n_shared++;
	j->shared_with = line;
	j->shared_file = file;
	return false;
}

static int pattern_lines(struct job *j, struct punit *u, const char *file, u32 first, u32 last,
			 u32_vec *out)
{
	char *path = source_path(j->p, u, file);
	struct source src;
	struct str pat = STR_INIT, text = STR_INIT;
	int ret = source_load(path, &src, j->err);

	if (!ret) {
		for (const char *p = j->s->pattern; *p; p++)
			if (!isspace((unsigned char)*p))
				str_addch(&pat, *p);
		for (u32 l = first; l <= last && l <= src.lines.n; l++) {
			str_reset(&text);
			for (const char *p = src.lines.v[l - 1]; *p; p++)
				if (!isspace((unsigned char)*p))
					str_addch(&text, *p);
			if (glob_match(str_cstr(&text), str_cstr(&pat)))
				vec_push(out, l);
		}
		source_release(&src);
	} else {
		err_hint(j->err, "a pattern needs the source file: name its directory with -s");
	}
	str_release(&pat);
	str_release(&text);
	free(path);
	return ret;
}

/* A line whose code was inlined begins where the copies do. i: of this function only, or NULL. */
static void places_of_calls(struct job *j, struct punit *u, struct pinst *i, const char *file,
			    u32 line)
{
	pline_vec calls = { 0 };

	if (j->s->pattern || j->p->opts->no_inlines)
		return;
	inlined_calls(i ? &i->die : &u->die, file, line, &calls, 0);
	for vec_each(c, &calls)
		if (!i || dwarf_haspc(&i->die, c->addr) > 0)
			add_place(j, c->addr, i, u, i ? inst_name(i) : NULL);
	vec_free(&calls);
}

/* Rows of one function (or copy) at the wanted lines. */
static void places_in(struct job *j, struct pinst *i, const char *file, const u32_vec *lines)
{
	pline_vec rows = { 0 };

	unit_lines(i->unit, file, &rows);
	for vec_each(r, &rows)
		for vec_each(l, lines)
			if (r->line == *l && dwarf_haspc(&i->die, r->addr) > 0 &&
			    (j->s->pattern || row_counts(j, i->unit, r)))
				add_place(j, r->addr, i, i->unit, inst_name(i));
	vec_free(&rows);
	for vec_each(l, lines)
		places_of_calls(j, i->unit, i, file, *l);
}

static u32 last_line(struct pinst *i, const char *file)
{
	pline_vec rows = { 0 };
	u32 last = 0;

	unit_lines(i->unit, file, &rows);
	for vec_each(r, &rows)
		if (r->line > last && dwarf_haspc(&i->die, r->addr) > 0)
			last = r->line;
	vec_free(&rows);
	return last;
}

static int places_by_line(struct job *j, struct pinst *i)
{
	const char *file;
	u32_vec lines = { 0 };
	int decl = 0, ret = 0;

	if (!inst_decl(i, &file, &decl))
		return err_set(j->err, ENOENT, "'%s' has no line where it is declared",
			       inst_name(i));
	if (j->s->pattern)
		ret = pattern_lines(j, i->unit, file, decl, last_line(i, file), &lines);
	else
		vec_push(&lines, (u32)decl + j->s->line);
	if (!ret)
		places_in(j, i, file, &lines);
	vec_free(&lines);
	return ret;
}

static int place_by_offset(struct job *j, struct pinst *i)
{
	u64 addr = i->entry + j->s->off;
	const struct psym *sym;
	bool inside = dwarf_haspc(&i->die, addr) > 0;

	if (!inside && !i->inlined) {
		sym = pobj_symbol_at(j->p, i->entry);
		inside = sym && addr < sym->addr + sym->size;
	}
	if (!inside) {
		sym = pobj_symbol_at(j->p, i->entry);
		return offset_error(j->s, inst_name(i), sym ? sym->size : 0, j->err);
	}
	add_place(j, addr, i, i->unit, inst_name(i));
	return 0;
}

static void place_at_entry(struct job *j, struct pinst *i)
{
	u64 addr = i->entry;

	if (!i->inlined && args_need_dwarf(j->s) && !punit_optimized(i->unit)) {
		addr = unit_prologue_end(i->unit, i);
		j->skipped_prologue = j->skipped_prologue || addr != i->entry;
	}
	add_place(j, addr, i, i->unit, inst_name(i));
}

int places_of_inst(struct job *j, struct pinst *i)
{
	if ((j->s->has_line && j->s->line) || j->s->pattern)
		return places_by_line(j, i);
	if (j->s->off)
		return place_by_offset(j, i);
	if (j->s->ret && i->inlined)
		return 0;
	if (j->s->ret)
		add_place(j, i->entry, i, i->unit, inst_name(i));
	else
		place_at_entry(j, i);
	return 0;
}

/* --- lines that would do */

struct near {
	struct job *j;
	struct pinst *within;	/* NULL: the whole file */
	u32 want, base;		/* absolute; what is reported is relative to base */
	u32 below, above;	/* 0: none */
};

struct near_row { u32 line; u64 addr; const char *file; struct punit *unit; };
typedef VEC(struct near_row) near_rows;

static int by_line(const void *a, const void *b)
{
	const struct near_row *x = a, *y = b;

	return x->line != y->line ? (x->line < y->line ? -1 : 1) : x->addr < y->addr ? -1 :
		x->addr > y->addr;
}

static void near_rows_of(struct near *n, struct punit *u, const char *file, near_rows *out)
{
	pline_vec rows = { 0 };

	unit_lines(u, file, &rows);
	for vec_each(r, &rows)
		if (!n->within || dwarf_haspc(&n->within->die, r->addr) > 0)
			vec_push(out, ((struct near_row){ r->line, r->addr, r->file, u }));
	vec_free(&rows);
}

/* The line whose probe stands at the row: the row's own, or the declaration's at a function's
 * entry. */
static u32 near_line(const struct near_row *r)
{
	const char *file;
	u32 line = unit_line_of(r->unit, r->addr, r->file, &file);

	return line ? line : r->line;
}

/* Only as many rows are looked up as it takes: each one means a walk through the unit. */
static void near_choose(struct near *n, near_rows *rows)
{
	if (rows->n)
		qsort(rows->v, rows->n, sizeof(*rows->v), by_line);
	for (size_t i = rows->n; i-- && !n->below;) {
		u32 line = rows->v[i].line < n->want ? near_line(&rows->v[i]) : 0;

		n->below = line >= n->base && line < n->want ? line : 0;
	}
	for (size_t i = 0; i < rows->n && !n->above; i++) {
		u32 line = rows->v[i].line > n->want ? near_line(&rows->v[i]) : 0;

		n->above = line > n->want ? line : 0;
	}
}

/* name: what stands before the colon of the lines that are offered. */
static void near_hint(struct near *n, const char *name)
{
	u32 one = n->below ? n->below : n->above;
	struct err *err = n->j->err;

	if (n->below && n->above)
		err_hint(err, "the nearest lines with code of their own are %s:%u and %s:%u; -L %s "
			      "shows all", name, n->below - n->base,
			 name, n->above - n->base, name);
	else if (one)
		err_hint(err, "the nearest line with code of its own is %s:%u; -L %s shows all",
			 name, one - n->base, name);
}

static void func_line_hint(struct job *j, struct pinst *i)
{
	struct near n = { .j = j, .within = i };
	near_rows rows = { 0 };
	const char *file;
	int decl = 0;

	if (!inst_decl(i, &file, &decl))
		return;
	n.base = decl;
	n.want = decl + j->s->line;
	near_rows_of(&n, i->unit, file, &rows);
	near_choose(&n, &rows);
	near_hint(&n, j->s->func);
	vec_free(&rows);
}

static void file_line_hint(struct job *j)
{
	struct near n = { .j = j, .want = j->s->line };
	near_rows rows = { 0 };

	for vec_each(u, &j->p->units.all) {
		const char *file = unit_file(u, j->s->file);

		if (file)
			near_rows_of(&n, u, file, &rows);
	}
	near_choose(&n, &rows);
	near_hint(&n, j->s->file);
	vec_free(&rows);
}

/* The line that is meant instead: its code begins where the one that was asked for begins. */
static void shared_hint(struct job *j, struct pinst *i)
{
	const char *file = NULL;
	int decl = 0;

	if (j->s->file && !j->s->func)
		err_hint(j->err, "probe that one: %s:%u", j->s->file, j->shared_with);
	else if (i && inst_decl(i, &file, &decl) && file && j->shared_file &&
		 !strcmp(file, j->shared_file) &&
		 (int)j->shared_with >= decl)
		err_hint(j->err, "probe that one: %s:%u", j->s->func, j->shared_with - decl);
	else if (i)
		func_line_hint(j, i);
}

int no_places(struct job *j)
{
	struct pinst *i = j->insts.n ? &j->insts.v[0] : NULL;

	if (j->s->ret) {
		err_set(j->err, EINVAL, "'%s' has only inlined copies: they have no return to "
					"probe", j->s->point);
		err_hint(j->err, "probe '%s' without %%return, or one of its last lines (-L %s "
				 "shows them)", j->s->func, j->s->func);
	} else if (j->n_shared) {
		err_set(j->err, ENOENT, "probe point '%s': this line begins at the same address as "
					"line %u%s%s", j->s->point,
			j->shared_with, j->shared_file ? " of " : "", j->shared_file ?
			j->shared_file : "");
		shared_hint(j, i);
	} else if (j->s->pattern) {
		err_set(j->err, ENOENT, "probe point '%s' not found: no line with code matches the "
					"pattern", j->s->point);
		err_hint(j->err, "blanks do not count, and the pattern is for whole lines: "
				 "\"*word*\" finds a word in them");
	} else {
		err_set(j->err, ENOENT, "probe point '%s' not found: there is no code at this line",
			j->s->point);
		if (i)
			func_line_hint(j, i);
		else
			file_line_hint(j);
	}
	return -ENOENT;
}

/* --- file:line */

static bool is_header(const char *file)
{
	const char *dot = strrchr(file, '.');

	return !dot || dot[1] == 'h' || !strcmp(dot, ".inc") || !strcmp(dot, ".def") ||
		!strcmp(dot, ".tcc") || !strcmp(dot, ".rs") ||
	       !strcmp(dot, ".ipp") || !strcmp(dot, ".go");
}

static void rows_of_unit(struct job *j, struct punit *u, const char *file)
{
	u32_vec lines = { 0 };
	pline_vec rows = { 0 };

	unit_lines(u, file, &rows);
	if (j->s->pattern) {
		u32 last = 0;

		for vec_each(r, &rows)
			last = r->line > last ? r->line : last;
		pattern_lines(j, u, file, 1, last, &lines);
	} else {
		vec_push(&lines, j->s->line);
	}
	for vec_each(r, &rows)
		for vec_each(l, &lines)
			if (r->line == *l && (j->s->pattern || row_counts(j, u, r)))
				add_place(j, r->addr, NULL, u, NULL);
	vec_free(&rows);
	vec_free(&lines);
}

/* The line where a function is declared is its entry's, though its code may begin at the brace,
 * lines further down. */
static void entries_declared(struct job *j, struct punit *u, Dwarf_Die *die, const char *file,
			     int depth)
{
	Dwarf_Die d;

	if (depth > 8 || dwarf_child(die, &d))
		return;
	do {
		struct pinst i = { .die = d, .fn = d, .unit = u };
		int tag = dwarf_tag(&d), line;
		const char *f;

		if (tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
		    tag == DW_TAG_structure_type)
			entries_declared(j, u, &d, file, depth + 1);
		if (tag == DW_TAG_subprogram && !dwarf_decl_line(&d, &line) &&
		    line == (int)j->s->line && die_entry(&d, &i.entry) &&
		    (f = die_decl_file(&d)) && !strcmp(f, file))
			vec_push(&j->insts, i);
	} while (!dwarf_siblingof(&d, &d));
}

typedef void (*in_unit)(struct job *j, struct punit *u, const char *file);

static void declarations_of_unit(struct job *j, struct punit *u, const char *file)
{
	entries_declared(j, u, &u->die, file, 0);
}

static void calls_of_unit(struct job *j, struct punit *u, const char *file)
{
	if (!is_header(j->s->file))	/* the units of a header are too many to be walked */
		places_of_calls(j, u, NULL, file, j->s->line);
}

/* False: no unit has such a file. */
static bool each_unit_with_file(struct job *j, in_unit call)
{
	bool seen = false, header = is_header(j->s->file);

	for (int pass = 0; pass < 2 && !seen; pass++)
		for vec_each(u, &j->p->units.all) {
			const char *name = dwarf_diename(&u->die), *file;

			/* a unit is named by its main file: no need to read the line tables of
			 * the others */
			if (!pass && !header && !(name && file_matches(name, j->s->file)))
				continue;
			file = unit_file(u, j->s->file);
			if (!file)
				continue;
			seen = true;
			call(j, u, file);
		}
	return seen;
}

/* The source files whose last component is the nearest. */
void hint_file(struct probe_obj *p, const char *wanted, struct err *err)
{
	VEC(const char *) v = { 0 };
	const char *slash = strrchr(wanted, '/'), *near;

	for vec_each(u, &p->units.all) {
		const char *name = dwarf_diename(&u->die), *base = name ? strrchr(name, '/') : NULL;

		if (name)
			vec_push(&v, base ? base + 1 : name);
	}
	near = nearest_name(slash ? slash + 1 : wanted, v.v, v.n);
	if (near)
		err_hint(err, "did you mean '%s'?", near);
	else
		err_hint(err, "-F lists its functions, and -L FUNCTION tells where one is");
	vec_free(&v);
}

int places_of_file(struct job *j)
{
	struct probe_obj *p = j->p;
	int ret = pobj_dwarf(p, j->err);

	if (ret)
		return ret;
	pobj_units(p);
	if (!each_unit_with_file(j, rows_of_unit)) {
		err_set(j->err, ENOENT, "no source file '%s' in the debug information of %s",
			j->s->file, pobj_name(p));
		hint_file(p, j->s->file, j->err);
		return -ENOENT;
	}
	if (j->err && j->err->code)	/* a pattern without its source */
		return -j->err->code;
	each_unit_with_file(j, calls_of_unit);
	if (!j->places.n && !j->s->pattern)
		each_unit_with_file(j, declarations_of_unit);
	for vec_each(i, &j->insts)
		place_at_entry(j, i);
	if (!j->places.n && j->n_shared) {
		j->take_shared = true;
		each_unit_with_file(j, rows_of_unit);
	}
	return j->places.n ? 0 : no_places(j);
}
