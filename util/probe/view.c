// SPDX-License-Identifier: GPL-2.0-or-later
// Looking around: source lines, variables, functions, and what existing probes are on.
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "util/base/num.h"
#include "util/base/xalloc.h"
#include "util/probe/probe-priv.h"

/* --- filters */

static bool filter_or(const char **p, const char *name);

static const char *skip_blank(const char *p) { return p + strspn(p, " \t"); }

static bool filter_atom(const char **p, const char *name)
{
	size_t n;
	char *pat;
	bool ok;

	*p = skip_blank(*p);
	if (**p == '!') {
		++*p;
		return !filter_atom(p, name);
	}
	if (**p == '(') {
		++*p;
		ok = filter_or(p, name);
		*p = skip_blank(*p);
		*p += **p == ')';
		return ok;
	}
	n = strcspn(*p, " \t&|)");
	pat = xstrndup(*p, n);
	*p += n;
	ok = glob_match(name, pat);
	free(pat);
	return ok;
}

static bool filter_and(const char **p, const char *name)
{
	bool ok = filter_atom(p, name);

	while (*(*p = skip_blank(*p)) == '&') {
		++*p;
		ok &= filter_atom(p, name);
	}
	return ok;
}

static bool filter_or(const char **p, const char *name)
{
	bool ok = filter_and(p, name);

	while (*(*p = skip_blank(*p)) == '|') {
		++*p;
		ok |= filter_and(p, name);
	}
	return ok;
}

bool probe_filter_match(const char *filter, const char *name)
{
	return !filter || !filter[0] || filter_or(&filter, name);
}

/* --- functions */

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a,
								 *(char *const *)b); }

/* The kernel frees what it runs while it starts: probes of it can only be set by the boot
 * configuration. */
static void freed_range(const struct probe_obj *p, u64 *from, u64 *to)
{
	*from = *to = 0;
	if (!p->kernel || p->module)
		return;
	for vec_each(s, &p->names.all) {
		if (!strcmp(s->name, "__init_begin"))
			*from = s->addr;
		if (!strcmp(s->name, "__init_end"))
			*to = s->addr;
	}
}

int probe_list_funcs(struct probe_obj *p, struct table *out, struct err *err)
{
	const char *filter = p->opts->filter ? p->opts->filter : "!_* & !*@plt";
	VEC(const char *) names = { 0 };
	const char *last = NULL;
	int ret = pobj_symbols(p, err);
	u64 freed, freed_end;

	freed_range(p, &freed, &freed_end);
	for (size_t i = 0; i < p->names.all.n && !ret; i++) {
		const struct psym *s = &p->names.all.v[i];
		const char *name = s->data || (s->addr >= freed && s->addr < freed_end) ? NULL :
			psym_plain(p, s);

		if (name && probe_filter_match(filter, name))
			vec_push(&names, name);
	}
	if (names.n)
		qsort(names.v, names.n, sizeof(*names.v), by_text);
	out->key = "functions";
	table_add_column(out, "function", "Function");
	for vec_each(n, &names) {
		if (last && !strcmp(last, *n))
			continue;
		table_add_row(out)->cells[0] = cell_text(table_text(out, *n));
		last = *n;
	}
	vec_free(&names);
	if (!ret && !last) {
		ret = err_set(err, ENOENT, "no function of '%s' matches the filter '%s'",
			      pobj_name(p), filter);
		if (!p->names.all.n)
			err_set(err, ENOENT, "'%s' has no symbols", pobj_name(p));
	}
	return ret;
}

/* --- source lines */

struct listing {
	struct probe_obj *p;
	const char *file;
	struct punit *unit;
	u32 decl;		/* line 0 of relative numbers; 0: absolute */
	u32 first, last, limit;
	u8 *mark;		/* by absolute line */
	u32 n_mark;
	bool title_file;	/* of a whole file */
};

static bool in_range(const struct listing *l, u32 line)
{
	return line >= l->first && !(l->last && line > l->last) && !(l->limit && line >= l->limit);
}

static void mark_line(struct listing *l, u32 line)
{
	if (!in_range(l, line))
		return;
	if (line >= l->n_mark) {
		u32 n = line + 256;

		l->mark = xrealloc(l->mark, n);
		memset(l->mark + l->n_mark, 0, n - l->n_mark);
		l->n_mark = n;
	}
	l->mark[line] = 1;
}

static bool any_to_mark(const struct listing *l, const struct pline *from, const struct pline *to)
{
	for (; from < to; from++)
		if (in_range(l, from->line) && (from->line >= l->n_mark || !l->mark[from->line]))
			return true;
	return false;
}

/* Lines as they can be probed: by rows of their own, and by calls that were inlined. */
static void mark_rows(struct listing *l, struct punit *u, Dwarf_Die *within)
{
	pline_vec rows = { 0 };
	const char *f;

	unit_lines(u, l->file, &rows);
	for (struct pline *r = rows.v, *next; r < rows.v + rows.n; r = next) {
		const struct psym *s;

		for (next = r + 1; next < rows.v + rows.n && next->addr == r->addr;)
			next++;
		if (within && dwarf_haspc(within, r->addr) <= 0)
			continue;
		/* of lines that share an address one counts; at a function's entry that is its
		 * declaration, wherever its code begins */
		s = pobj_symbol_at(l->p, r->addr);
		if ((s && s->addr == r->addr) || any_to_mark(l, r, next))
			mark_line(l, unit_line_of(u, r->addr, r->file, &f));
	}
	vec_clear(&rows);
	if (!l->p->opts->no_inlines)
		inlined_calls(within ? within : &u->die, l->file, 0, &rows, 0);
	for vec_each(c, &rows)
		mark_line(l, c->line);
	vec_free(&rows);
}

/* Where the next function of the file is declared: inlined copies are surrounded by their
 * callers' lines. */
static u32 next_function(Dwarf_Die *die, const char *file, u32 decl, u32 best, int depth)
{
	Dwarf_Die d;
	int line;

	if (depth > 8 || dwarf_child(die, &d))
		return best;
	do {
		int tag = dwarf_tag(&d);

		if (tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
		    tag == DW_TAG_structure_type)
			best = next_function(&d, file, decl, best, depth + 1);
		if (tag != DW_TAG_subprogram || dwarf_hasattr(&d, DW_AT_declaration) ||
		    dwarf_decl_line(&d, &line) || line <= (int)decl)
			continue;
		const char *f = (!best || (u32)line < best) ? die_decl_file(&d) : NULL;

		if (f && !strcmp(f, file))
			best = line;
	} while (!dwarf_siblingof(&d, &d));
	return best;
}

static void begin_lines(struct table *t)
{
	static const char *const keys[] = { "function", "file", "first", "line", "probe",
					    "source" };

	if (t->cols.n)
		return;
	t->key = "lines";
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		table_add_column(t, keys[i], keys[i]);
}

static struct cell *add_line(struct table *t, const struct listing *l, const char *title,
			     const char *file)
{
	struct cell *c = table_add_row(t)->cells;

	c[PROBE_LINE_FUNCTION] = title ? cell_text(table_text(t, title)) : cell_absent();
	c[PROBE_LINE_FILE] = cell_text(table_text(t, file));
	c[PROBE_LINE_FIRST] = cell_count(l->first - l->decl);
	c[PROBE_LINE_NUMBER] = c[PROBE_LINE_PROBE] = c[PROBE_LINE_SOURCE] = cell_absent();
	return c;
}

/* As the file has it; a carriage return at the end is no part of the line. */
static const char *source_text(struct table *t, const char *line)
{
	struct str s = STR_INIT;
	const char *text;

	for (; *line; line++)
		if (*line != '\r')
			str_addch(&s, *line);
	text = table_text(t, str_cstr(&s));
	str_release(&s);
	return text;
}

static void list_lines(struct listing *l, const char *title, struct table *out, probe_notes *notes)
{
	char *path = source_path(l->p, l->unit, l->file);
	struct source src = { .text = STR_INIT };
	struct err e = ERR_INIT;
	u32 end = l->last, last_mark = 0;
	bool have = !source_load(path, &src, &e), any = false;
	const char *file = have ? path : l->file;

	begin_lines(out);
	for (u32 k = l->first; k < l->n_mark; k++)
		if (l->mark[k])
			last_mark = k;
	if (!have) {
		add_note(notes, "the source is not there: %s; name its directory with -s. Line "
				"numbers only:", e.msg);
		err_release(&e);
	}
	if (!end)
		end = l->title_file ? src.lines.n : last_mark + 3;
	for (u32 k = l->first ? l->first : 1; k <= end && (!have || k <= src.lines.n); k++) {
		bool on = k < l->n_mark && l->mark[k];
		struct cell *c;

		if (!have && !on)
			continue;
		c = add_line(out, l, title, file);
		c[PROBE_LINE_NUMBER] = cell_int((s64)k - l->decl);
		c[PROBE_LINE_PROBE] = cell_bool(on);
		c[PROBE_LINE_SOURCE] = have ? cell_text(source_text(out, src.lines.v[k - 1])) :
			(struct cell){ .kind = CELL_NONE };
		any = true;
	}
	if (!any)	/* the range is past the end of the file */
		add_line(out, l, title, file);
	source_release(&src);
	free(path);
}

static int lines_of_function(struct probe_obj *p, const struct probe_spec *s, u32 last,
			     struct table *out, probe_notes *notes,
			     struct err *err)
{
	pinst_vec insts = { 0 };
	struct listing l = { .p = p };
	int decl = 0, ret;

	ret = find_insts(p, s, &insts, err);
	if (ret)
		return ret;
	for vec_each(i, &insts) {
		const char *file;
		int line;

		if (!inst_decl(i, &file, &line))
			continue;
		/* another function of this name */
		if (l.file && (strcmp(l.file, file) || line != decl)) {
			list_lines(&l, s->func, out, notes);
			free(l.mark);
			l.mark = NULL;
			l.n_mark = 0;
			l.file = NULL;
		}
		if (!l.file) {
			decl = line;
			l.file = file;
			l.unit = i->unit;
			l.decl = decl;
			l.first = decl + (s->has_line ? s->line : 0);
			l.last = last ? decl + last : 0;
			l.limit = last ? 0 : next_function(&i->unit->die, file, decl, 0, 0);
		}
		mark_rows(&l, i->unit, &i->die);
	}
	if (!l.file)
		ret = err_set(err, ENOENT, "'%s' has no lines in the debug information", s->func);
	else if (!l.n_mark && (ret = err_set(err, ENOENT, "no line of '%s' in this range has code",
					     s->text)))
		err_hint(err, "the function begins at line %d of %s; -L %s shows all of it", decl,
			 l.file, s->func);
	else
		list_lines(&l, s->func, out, notes);
	free(l.mark);
	vec_free(&insts);
	return ret;
}

static int lines_of_file(struct probe_obj *p, const struct probe_spec *s, u32 last,
			 struct table *out, probe_notes *notes, struct err *err)
{
	struct listing l = { .p = p, .first = s->has_line ? s->line : 0, .last = last,
			     .title_file = true };
	bool narrow = str_has_suffix(s->file, ".c") || str_has_suffix(s->file, ".cc") ||
		str_has_suffix(s->file, ".cpp");

	pobj_units(p);
	for (int pass = narrow ? 0 : 1; pass < 2 && !l.file; pass++)
		for vec_each(u, &p->units.all) {
			const char *name = dwarf_diename(&u->die), *f;

			if (!pass && !(name && file_matches(name, s->file)))
				continue;
			f = unit_file(u, s->file);
			if (!f || (l.file && strcmp(f, l.file)))
				continue;
			l.file = f;
			l.unit = u;
			mark_rows(&l, u, NULL);
		}
	if (!l.file) {
		err_set(err, ENOENT, "no source file '%s' in the debug information of %s", s->file,
			pobj_name(p));
		hint_file(p, s->file, err);
		return -ENOENT;
	}
	if (!l.n_mark) {
		err_set(err, ENOENT, "no line of '%s' in this range has code", s->text);
		err_hint(err, "-L %s shows the whole file", s->file);
		return -ENOENT;
	}
	list_lines(&l, NULL, out, notes);
	free(l.mark);
	return 0;
}

int probe_list_lines(struct probe_obj *p, const struct probe_spec *s, u32 last, struct table *out,
		     probe_notes *notes, struct err *err)
{
	int ret = pobj_dwarf(p, err);

	if (ret)
		return ret;
	return s->func ? lines_of_function(p, s, last, out, notes, err) :
		lines_of_file(p, s, last, out, notes, err);
}

/* --- variables */

static void add_ranges(struct pctx *c, Dwarf_Die *var, struct table *t, struct cell *cells)
{
	const struct psym *s = pobj_symbol_at(c->obj, c->addr);
	struct table *list = NULL;
	Dwarf_Attribute a;
	Dwarf_Addr base, lo, hi;
	Dwarf_Op *ops;
	size_t n;
	ptrdiff_t off = 0;

	if (!s || !dwarf_attr_integrate(var, DW_AT_location, &a))
		return;
	while ((off = dwarf_getlocations(&a, off, &base, &lo, &hi, &ops, &n)) > 0) {
		if (lo == 0 && hi == (Dwarf_Addr)-1) {	/* everywhere in its scope */
			lo = s->addr;
			hi = s->addr + s->size;
		}
		if (!list) {
			list = table_new_list(t);
			table_add_column(list, "offset", "Offset");
		}
		table_add_row(list)->cells[0] = cell_int((s64)(lo - s->addr));
		table_add_row(list)->cells[0] = cell_int((s64)(hi - s->addr));
	}
	if (!list)
		return;
	cells[PROBE_VAR_RANGE_OF] = cell_text(table_text(t, s->name));
	cells[PROBE_VAR_RANGES] = cell_list(list);
}

/* Where the variables of a place go: rows with its own cells filled in. */
struct var_rows {
	struct table *t;
	const struct cell *place;
	size_t from;			/* the place's first row */
};

static struct cell *add_var_row(struct var_rows *out)
{
	struct cell *c = table_add_row(out->t)->cells;

	memcpy(c, out->place, PROBE_VAR_SCOPE * sizeof(*c));
	for (int i = PROBE_VAR_SCOPE; i < PROBE_VAR_COLUMNS; i++)
		c[i] = cell_absent();
	return c;
}

static void add_var(struct pctx *c, Dwarf_Die *var, bool external, struct var_rows *out)
{
	const char *name = dwarf_diename(var), *filter = c->obj->opts->filter;
	const bool range = c->obj->opts->range;
	struct str type = STR_INIT;
	struct cell *cells;
	struct ploc l;
	Dwarf_Die die;

	if (!name || !probe_filter_match(filter ? filter : "!__k???tab_* & !__crc_*", name))
		return;
	ploc_of_var(c, var, 0, &l);
	if (l.kind == LOC_NONE && !range)
		return;
	cells = add_var_row(out);
	if (range)
		cells[PROBE_VAR_SCOPE] = cell_text(external ? "EXT" : l.kind == LOC_NONE ? "INV" :
						   "VAL");
	if (type_of(var, &die))
		type_name(&die, &type);
	else
		str_add(&type, "void");
	cells[PROBE_VAR_TYPE] = cell_text(table_text(out->t, str_cstr(&type)));
	cells[PROBE_VAR_NAME] = cell_text(table_text(out->t, name));
	if (range && !external)
		add_ranges(c, var, out->t, cells);
	str_release(&type);
}

static int cmp_cell_text(const struct cell *a, const struct cell *b)
{
	return strcmp(a->text ? a->text : "", b->text ? b->text : "");
}

/* As their text does. */
static int cmp_ranges(const struct cell *a, const struct cell *b)
{
	struct str s[2] = { STR_INIT, STR_INIT };
	const struct cell *of[2] = { a, b };
	int c;

	for (int k = 0; k < 2; k++)
		for (size_t i = 0; of[k]->kind == CELL_LIST && i < of[k]->list->rows.n; i++)
			str_addf(&s[k], "%lld%c", (long long)of[k]->list->rows.v[i].cells[0].s,
				 i % 2 ? ',' : '-');
	c = strcmp(str_cstr(&s[0]), str_cstr(&s[1]));
	str_release(&s[0]);
	str_release(&s[1]);
	return c;
}

static int by_variable(const void *pa, const void *pb)
{
	const struct cell *a = ((const struct table_row *)pa)->cells,
		*b = ((const struct table_row *)pb)->cells;
	int c = 0;

	for (int i = PROBE_VAR_SCOPE; i <= PROBE_VAR_NAME && !c; i++)
		c = cmp_cell_text(&a[i], &b[i]);
	return c ? c : cmp_ranges(&a[PROBE_VAR_RANGES], &b[PROBE_VAR_RANGES]);
}

/* Declared and defined: one row. */
static void sort_vars(struct var_rows *out)
{
	struct table *t = out->t;
	size_t n = out->from;

	if (t->rows.n > n)
		qsort(t->rows.v + n, t->rows.n - n, sizeof(*t->rows.v), by_variable);
	for (size_t i = n; i < t->rows.n; i++) {
		if (n > out->from && !by_variable(&t->rows.v[n - 1], &t->rows.v[i])) {
			const struct cell *ranges = &t->rows.v[i].cells[PROBE_VAR_RANGES];

			if (ranges->kind == CELL_LIST)
				table_release((struct table *)ranges->list);
			continue;
		}
		t->rows.v[n++] = t->rows.v[i];
	}
	t->rows.n = n;
}

static void add_externs(struct pctx *c, Dwarf_Die *scope, struct var_rows *out, int depth)
{
	Dwarf_Die d;

	if (depth > 8 || dwarf_child(scope, &d))
		return;
	do {
		if (dwarf_tag(&d) == DW_TAG_variable)
			add_var(c, &d, true, out);
		else if (dwarf_tag(&d) == DW_TAG_namespace)
			add_externs(c, &d, out, depth + 1);
	} while (!dwarf_siblingof(&d, &d));
}

/* Scopes of one function or inlined copy, and after them those of copies of others in it; not
 * its caller's. */
static void own_scopes(struct probe_obj *p, const struct probe_def *d, struct punit *u,
		       die_vec *out)
{
	die_vec all = { 0 };
	size_t from = 0, to = 0;
	Dwarf_Die fn;

	if (d->inst && pobj_die(p, d->inst, &fn)) {
		die_scopes(&fn, d->addr, &all);
		to = all.n;
		for (size_t i = 0; i + 1 < all.n; i++)
			if (dwarf_tag(&all.v[i]) == DW_TAG_inlined_subroutine)
				from = i + 1;
	} else {
		unit_scopes(u, d->addr, &all);
		while (to < all.n && dwarf_tag(&all.v[to]) == DW_TAG_lexical_block)
			to++;
		to += to < all.n;
	}
	for (size_t i = from; i < to; i++)
		vec_push(out, all.v[i]);
	for (size_t i = 0; i < from; i++)
		vec_push(out, all.v[i]);
	vec_free(&all);
}

/* Of a function's aliases the one that its DWARF has. */
static const char *place_name(struct probe_obj *p, const struct psym *s, const char *fn)
{
	const struct psym *own = fn ? pobj_symbol(p, fn) : NULL;

	return fn && (s->name[0] == '_' || (own && own->addr == s->addr)) ? fn : s->name;
}

static void fill_place(struct probe_obj *p, u64 addr, const char *fn, u64 number, struct table *t,
		       struct cell *c)
{
	const struct psym *s = pobj_symbol_at(p, addr);

	c[PROBE_VAR_PLACE] = cell_count(number);
	c[PROBE_VAR_SYMBOL] = s ? cell_text(table_text(t, place_name(p, s, fn))) : cell_absent();
	c[PROBE_VAR_OFFSET] = s ? cell_count(addr - s->addr) : cell_absent();
	c[PROBE_VAR_ADDRESS] = cell_addr(addr);
}

static void vars_at(struct probe_obj *p, const struct probe_def *d, struct punit *u, u64 number,
		    struct table *t)
{
	struct pctx c = { .obj = p, .unit = u, .addr = d->addr };
	struct cell place[PROBE_VAR_SCOPE];
	struct var_rows rows = { t, place, t->rows.n };
	die_vec vars = { 0 };

	unit_scopes(u, d->addr, &c.scopes);
	Dwarf_Die outer = c.scopes.n ? *vec_last(&c.scopes) : u->die;
	const char *fn = c.scopes.n ? dwarf_diename(&outer) : NULL;

	vec_clear(&c.scopes);
	own_scopes(p, d, u, &c.scopes);
	fill_place(p, d->addr, fn, number, t, place);
	visible_vars(&c, false, &vars);
	vec_push(&c.scopes, outer);	/* has the frame base */
	for vec_each(v, &vars)
		add_var(&c, v, false, &rows);
	if (p->opts->externs)
		add_externs(&c, &u->die, &rows, 0);
	sort_vars(&rows);
	if (t->rows.n == rows.from)	/* none: a row of the place alone */
		add_var_row(&rows);
	vec_free(&vars);
	vec_free(&c.scopes);
}

static void begin_vars(struct table *t)
{
	static const char *const keys[PROBE_VAR_COLUMNS] = {
		"place", "symbol", "offset", "address", "scope", "type", "name", "range_of",
			"ranges",
	};

	t->key = "variables";
	for (size_t i = 0; i < PROBE_VAR_COLUMNS; i++)
		table_add_column(t, keys[i], keys[i]);
}

int probe_list_vars(struct probe_obj *p, const struct probe_spec *s, struct table *out,
		    struct err *err)
{
	probe_defs defs = { 0 };
	probe_notes notes = { 0 };
	int ret = pobj_dwarf(p, err);
	u64 number = 0;

	ret = ret ? ret : probe_resolve(p, s, 0, &defs, &notes, err);
	if (!ret) {
		begin_vars(out);
		for vec_each(d, &defs) {
			struct punit *u = pobj_unit_at(p, d->addr);

			if (u)
				vars_at(p, d, u, number++, out);
			else
				ret = err_set(err, ENOENT, "'%s' is in code that was built without "
							   "debug information", s->point);
		}
	}
	probe_defs_release(&defs);
	probe_notes_release(&notes);
	return ret;
}

/* --- existing probes */

void probe_event_table_begin(struct table *t)
{
	static const char *const keys[PROBE_EVENT_COLUMNS] = {
		"group", "event", "function", "line", "offset", "address", "return", "file",
			"binary", "args", "places",
		"kernel_place",
	};

	t->key = "probes";
	for (size_t i = 0; i < PROBE_EVENT_COLUMNS; i++)
		table_add_column(t, keys[i], keys[i]);
}

/* An argument without a name is reported as it is fetched. */
static struct cell arg_names(struct table *t, const probe_fetches *args)
{
	struct table *list = table_new_list(t);

	table_add_column(list, "name", "Name");
	for vec_each(f, args) {
		struct str s = STR_INIT;

		if (f->name)
			str_add(&s, f->name);
		else
			fetch_text(f, &s);
		table_add_row(list)->cells[0] = cell_text(table_text(t, str_cstr(&s)));
		str_release(&s);
	}
	return cell_list(list);
}

/* The function, and the line in it when a line begins here. */
static void place_addr(struct probe_obj *p, u64 addr, struct table *t, struct cell *c)
{
	struct punit *u = pobj_dwarf(p, NULL) ? NULL : pobj_unit_at(p, addr);
	const struct psym *s = pobj_symbol_at(p, addr);
	die_vec scopes = { 0 };
	const char *file = NULL, *name = NULL, *decl_file = NULL;
	int decl = 0;
	u32 line = 0;

	if (u) {
		unit_scopes(u, addr, &scopes);
		line = unit_line_of(u, addr, NULL, &file);
	}
	if (scopes.n) {
		Dwarf_Die *fn = vec_last(&scopes);

		name = dwarf_diename(fn);
		decl_file = die_decl_file(fn);
		dwarf_decl_line(fn, &decl);
	}
	vec_free(&scopes);
	if (!name && s)
		name = psym_plain(p, s);
	c[PROBE_EVENT_ADDRESS] = cell_addr(addr);
	if (!name)
		return;
	c[PROBE_EVENT_FUNCTION] = cell_text(table_text(t, name));
	if (s && addr == s->addr)
		c[PROBE_EVENT_OFFSET] = cell_count(0);
	else if (line && decl && (int)line > decl && file && decl_file && !strcmp(file, decl_file))
		c[PROBE_EVENT_LINE] = cell_count(line - (u32)decl);
	else if (s)
		c[PROBE_EVENT_OFFSET] = cell_count(addr - s->addr);
	if (decl_file)
		c[PROBE_EVENT_FILE] = cell_text(table_text(t, decl_file));
}

static void place_user(const struct probe_opts *o, const struct probe_event *e,
		       struct probe_obj **cached,
		       struct table *t, struct cell *c)
{
	const char *path = e->at.path;
	const u64 off = e->at.off;

	if (*cached && ((*cached)->kernel || strcmp((*cached)->path, path))) {
		probe_close(*cached);
		*cached = NULL;
	}
	if (!*cached)
		*cached = probe_open_user(o, path, NULL);
	c[PROBE_EVENT_ADDRESS] = cell_addr(off);
	if (*cached) {
		const u64 va = elf_off_to_rva(&(*cached)->elf, off);

		place_addr(*cached, va == UINT64_MAX ? off : va, t, c);
	}
	c[PROBE_EVENT_BINARY] = cell_text(table_text(t, path));
}

/* "[module:]symbol[+off]" of a kernel whose debug information is there; false: the kernel's own
 * words must do. */
static bool place_kernel(const struct probe_opts *o, const struct probe_event *e,
			 struct probe_obj **cached,
			 struct table *t, struct cell *c)
{
	const char *module = e->at.module;
	struct probe_obj *p = *cached;
	const struct psym *s = NULL;

	if (p && (!p->kernel || strcmp(p->module ? p->module : "", module ? module : ""))) {
		probe_close(p);
		p = NULL;
	}
	if (!p)
		p = probe_open_kernel(o, module, NULL);
	*cached = p;
	if (p && p->has_elf && e->at.symbol && !pobj_dwarf(p, NULL))
		s = pobj_symbol(p, e->at.symbol);
	if (s)
		place_addr(p, s->addr + e->at.off, t, c);
	if (s && module)
		c[PROBE_EVENT_BINARY] = cell_text(table_text(t, module));
	return s != NULL;
}

void probe_event_table_add(struct table *t, const struct probe_opts *o, const struct probe_event *e,
			   struct probe_obj **cached)
{
	struct cell *c = table_add_row(t)->cells;

	for (int i = 0; i < PROBE_EVENT_COLUMNS; i++)
		c[i] = cell_absent();
	c[PROBE_EVENT_GROUP] = cell_text(table_text(t, e->group));
	c[PROBE_EVENT_NAME] = cell_text(table_text(t, e->event));
	c[PROBE_EVENT_RETURN] = cell_bool(e->ret);
	c[PROBE_EVENT_PLACES] = cell_count((u64)MAX(e->n_places, 1));
	c[PROBE_EVENT_ARGS] = arg_names(t, &e->args);
	if (!e->kernel) {
		place_user(o, e, cached, t, c);
	} else if (!place_kernel(o, e, cached, t, c)) {
		const int n = (int)strlen(e->place) - (str_has_suffix(e->place, "+0") ? 2 : 0);
		char *place = xasprintf("%.*s%s", n, e->place, e->ret && !e->fprobe ? "%return" :
					"");

		c[PROBE_EVENT_KERNEL_PLACE] = cell_text(table_text(t, place));
		free(place);
	}
}
