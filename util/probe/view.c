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

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The kernel frees what it runs while it starts: probes of it can only be set by the boot configuration. */
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

int probe_show_funcs(struct probe_obj *p, struct str *out, struct err *err)
{
	const char *filter = p->opts->filter ? p->opts->filter : "!_* & !*@plt";
	VEC(const char *) names = { 0 };
	const char *last = NULL;
	int ret = pobj_symbols(p, err);
	u64 freed, freed_end;

	freed_range(p, &freed, &freed_end);
	for (size_t i = 0; i < p->names.all.n && !ret; i++) {
		const struct psym *s = &p->names.all.v[i];
		const char *name = s->data || (s->addr >= freed && s->addr < freed_end) ? NULL : psym_plain(p, s);

		if (name && probe_filter_match(filter, name))
			vec_push(&names, name);
	}
	if (names.n)
		qsort(names.v, names.n, sizeof(*names.v), by_text);
	for vec_each(n, &names) {
		if (last && !strcmp(last, *n))
			continue;
		str_add_safe(out, *n);
		str_addch(out, '\n');
		last = *n;
	}
	vec_free(&names);
	if (!ret && !last) {
		ret = err_set(err, ENOENT, "no function of '%s' matches the filter '%s'", pobj_name(p), filter);
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
		/* of lines that share an address one counts; at a function's entry that is its declaration, wherever its code begins */
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

/* Where the next function of the file is declared: inlined copies are surrounded by their callers' lines. */
static u32 next_function(Dwarf_Die *die, const char *file, u32 decl, u32 best, int depth)
{
	Dwarf_Die d;
	int line;

	if (depth > 8 || dwarf_child(die, &d))
		return best;
	do {
		int tag = dwarf_tag(&d);

		if (tag == DW_TAG_namespace || tag == DW_TAG_class_type || tag == DW_TAG_structure_type)
			best = next_function(&d, file, decl, best, depth + 1);
		if (tag != DW_TAG_subprogram || dwarf_hasattr(&d, DW_AT_declaration) || dwarf_decl_line(&d, &line) || line <= (int)decl)
			continue;
		const char *f = (!best || (u32)line < best) ? die_decl_file(&d) : NULL;

		if (f && !strcmp(f, file))
			best = line;
	} while (!dwarf_siblingof(&d, &d));
	return best;
}

static void print_listing(struct listing *l, const char *title, struct str *out, probe_notes *notes)
{
	char *path = source_path(l->p, l->unit, l->file);
	struct source src = { .text = STR_INIT };
	struct err e = ERR_INIT;
	u32 end = l->last, last_mark = 0;
	bool have = !source_load(path, &src, &e);

	for (u32 k = l->first; k < l->n_mark; k++)
		if (l->mark[k])
			last_mark = k;
	str_addf(out, "<%s%s", title ? title : "", title ? "@" : "");
	str_add_safe(out, have ? path : l->file);
	str_addf(out, ":%u>\n", l->first - l->decl);
	if (!have) {
		add_note(notes, "the source is not there: %s; name its folder with -s. Line numbers only:", e.msg);
		err_release(&e);
	}
	if (!end)
		end = l->title_file ? src.lines.n : last_mark + 3;
	for (u32 k = l->first ? l->first : 1; k <= end && (!have || k <= src.lines.n); k++) {
		bool on = k < l->n_mark && l->mark[k];

		if (!have && !on)
			continue;
		if (on)
			str_addf(out, "%7u  ", k - l->decl);
		else
			str_add(out, "         ");
		if (have)
			for (const char *c = src.lines.v[k - 1]; *c; c++) {
				if (*c == '\t')
					str_addch(out, '\t');
				else if (*c != '\r')
					str_add_safen(out, c, 1);
			}
		str_addch(out, '\n');
	}
	source_release(&src);
	free(path);
}

static int lines_of_function(struct probe_obj *p, const struct probe_spec *s, u32 last, struct str *out, probe_notes *notes,
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
		if (l.file && (strcmp(l.file, file) || line != decl)) {	/* another function of this name */
			print_listing(&l, s->func, out, notes);
			str_addch(out, '\n');
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
	else if (!l.n_mark && (ret = err_set(err, ENOENT, "no line of '%s' in this range has code", s->text)))
		err_hint(err, "the function begins at line %d of %s; -L %s shows all of it", decl, l.file, s->func);
	else
		print_listing(&l, s->func, out, notes);
	free(l.mark);
	vec_free(&insts);
	return ret;
}

static int lines_of_file(struct probe_obj *p, const struct probe_spec *s, u32 last, struct str *out, probe_notes *notes, struct err *err)
{
	struct listing l = { .p = p, .first = s->has_line ? s->line : 0, .last = last, .title_file = true };
	bool narrow = str_has_suffix(s->file, ".c") || str_has_suffix(s->file, ".cc") || str_has_suffix(s->file, ".cpp");

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
		err_set(err, ENOENT, "no source file '%s' in the debug information of %s", s->file, pobj_name(p));
		hint_file(p, s->file, err);
		return -ENOENT;
	}
	if (!l.n_mark) {
		err_set(err, ENOENT, "no line of '%s' in this range has code", s->text);
		err_hint(err, "-L %s shows the whole file", s->file);
		return -ENOENT;
	}
	print_listing(&l, NULL, out, notes);
	free(l.mark);
	return 0;
}

int probe_show_lines(struct probe_obj *p, const struct probe_spec *s, u32 last, struct str *out, probe_notes *notes, struct err *err)
{
	int ret = pobj_dwarf(p, err);

	if (ret)
		return ret;
	return s->func ? lines_of_function(p, s, last, out, notes, err) : lines_of_file(p, s, last, out, notes, err);
}

/* --- variables */

static void add_ranges(struct pctx *c, Dwarf_Die *var, struct str *out)
{
	Dwarf_Attribute a;
	Dwarf_Addr base, lo, hi;
	Dwarf_Op *ops;
	size_t n;
	ptrdiff_t off = 0;
	const struct psym *s = pobj_symbol_at(c->obj, c->addr);
	bool first = true;

	if (!s || !dwarf_attr_integrate(var, DW_AT_location, &a))
		return;
	while ((off = dwarf_getlocations(&a, off, &base, &lo, &hi, &ops, &n)) > 0) {
		if (lo == 0 && hi == (Dwarf_Addr)-1) {	/* everywhere in its scope */
			lo = s->addr;
			hi = s->addr + s->size;
		}
		if (first)
			str_addf(out, "\t@<%s+[", s->name);
		str_addf(out, "%s%lld-%lld", first ? "" : ",", (long long)(lo - s->addr), (long long)(hi - s->addr));
		first = false;
	}
	if (!first)
		str_add(out, "]>");
}

typedef VEC(char *) text_vec;

static void add_var(struct pctx *c, Dwarf_Die *var, bool external, text_vec *out)
{
	const char *name = dwarf_diename(var), *filter = c->obj->opts->filter;
	struct str s = STR_INIT;
	struct ploc l;
	Dwarf_Die type;

	if (!name || !probe_filter_match(filter ? filter : "!__k???tab_* & !__crc_*", name))
		return;
	ploc_of_var(c, var, 0, &l);
	if (l.kind == LOC_NONE && !c->obj->opts->range)
		return;
	if (c->obj->opts->range)
		str_add(&s, external ? "[EXT]\t" : l.kind == LOC_NONE ? "[INV]\t" : "[VAL]\t");
	if (type_of(var, &type))
		type_name(&type, &s);
	else
		str_add(&s, "void");
	str_addch(&s, '\t');
	str_add_safe(&s, name);
	if (c->obj->opts->range && !external)
		add_ranges(c, var, &s);
	vec_push(out, str_detach(&s));
}

static void add_externs(struct pctx *c, Dwarf_Die *scope, text_vec *out, int depth)
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

/* Scopes of one function or inlined copy, and behind them those of copies of others in it; not its caller's. */
static void own_scopes(struct probe_obj *p, const struct probe_def *d, struct punit *u, die_vec *out)
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

static void vars_at(struct probe_obj *p, const struct probe_def *d, struct punit *u, struct str *out)
{
	u64 addr = d->addr;
	struct pctx c = { .obj = p, .unit = u, .addr = addr };
	const struct psym *s = pobj_symbol_at(p, addr);
	die_vec vars = { 0 };
	text_vec lines = { 0 };

	unit_scopes(u, addr, &c.scopes);
	Dwarf_Die outer = c.scopes.n ? *vec_last(&c.scopes) : u->die;
	const char *fn = c.scopes.n ? dwarf_diename(&outer) : NULL;

	vec_clear(&c.scopes);
	own_scopes(p, d, u, &c.scopes);

	if (s)
		str_addf(out, "\t@<%s+%llu>\n", place_name(p, s, fn), (unsigned long long)(addr - s->addr));
	else
		str_addf(out, "\t@<0x%llx>\n", (unsigned long long)addr);
	visible_vars(&c, false, &vars);
	vec_push(&c.scopes, outer);	/* has the frame base */
	for vec_each(v, &vars)
		add_var(&c, v, false, &lines);
	if (p->opts->externs)
		add_externs(&c, &u->die, &lines, 0);
	if (lines.n)
		qsort(lines.v, lines.n, sizeof(*lines.v), by_text);
	for (size_t i = 0; i < lines.n; i++)	/* declared and defined: one line */
		if (!i || strcmp(lines.v[i], lines.v[i - 1]))
			str_addf(out, "\t\t%s\n", lines.v[i]);
	for vec_each(l, &lines)
		free(*l);
	if (!lines.n)
		str_add(out, "\t\t(No matched variables)\n");
	vec_free(&lines);
	vec_free(&vars);
	vec_free(&c.scopes);
}

int probe_show_vars(struct probe_obj *p, const struct probe_spec *s, struct str *out, struct err *err)
{
	probe_defs defs = { 0 };
	probe_notes notes = { 0 };
	int ret = pobj_dwarf(p, err);

	ret = ret ? ret : probe_resolve(p, s, 0, &defs, &notes, err);
	if (!ret) {
		str_add(out, "Available variables at ");
		str_add_safe(out, s->point);
		str_addch(out, '\n');
		for vec_each(d, &defs) {
			struct punit *u = pobj_unit_at(p, d->addr);

			if (u)
				vars_at(p, d, u, out);
			else
				ret = err_set(err, ENOENT, "'%s' is in code that was built without debug information", s->point);
		}
	}
	probe_defs_release(&defs);
	probe_notes_release(&notes);
	return ret;
}

/* --- existing probes */

static void arg_names(const probe_fetches *args, struct str *out)
{
	for vec_each(f, args) {
		str_addch(out, ' ');
		if (f->name)
			str_add(out, f->name);
		else
			fetch_text(f, out);
	}
}

/* The function, and the line in it when a line begins here. */
static bool describe_addr(struct probe_obj *p, u64 addr, bool ret, struct str *out)
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
	if (!name && s)
		name = psym_plain(p, s);
	if (!name) {
		str_addf(out, "0x%llx", (unsigned long long)addr);
		return false;
	}
	str_add_safe(out, name);
	if (s && addr == s->addr)
		str_add(out, ret ? "%return" : "");
	else if (line && decl && (int)line > decl && file && decl_file && !strcmp(file, decl_file))
		str_addf(out, ":%u", line - decl);
	else if (s)
		str_addf(out, "+%llu", (unsigned long long)(addr - s->addr));
	if (decl_file) {
		str_addch(out, '@');
		str_add_safe(out, decl_file);
	}
	vec_free(&scopes);
	return true;
}

static void describe_user(const struct probe_opts *o, const struct probe_event *e, struct probe_obj **cached, struct str *out)
{
	const char *path = e->at.path;
	u64 off = e->at.off, va = 0;

	if (*cached && ((*cached)->kernel || strcmp((*cached)->path, path))) {
		probe_close(*cached);
		*cached = NULL;
	}
	if (!*cached)
		*cached = probe_open_user(o, path, NULL);
	if (*cached) {
		va = elf_off_to_rva(&(*cached)->elf, off);
		describe_addr(*cached, va == UINT64_MAX ? off : va, e->ret, out);
	} else {
		str_addf(out, "0x%llx", (unsigned long long)off);
	}
	str_add(out, " in ");
	str_add_safe(out, path);
}

/* "[module:]symbol[+off]" of a kernel whose debug information is there; false: the kernel's own words must do. */
static bool describe_kernel(const struct probe_opts *o, const struct probe_event *e, struct probe_obj **cached, struct str *out)
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
		describe_addr(p, s->addr + e->at.off, e->ret, out);
	if (s && module) {
		str_add(out, " in ");
		str_add_safe(out, module);
	}
	return s != NULL;
}

void probe_event_describe(const struct probe_opts *o, const struct probe_event *e, struct probe_obj **cached, struct str *out)
{
	if (e->kernel && describe_kernel(o, e, cached, out)) {
	} else if (e->kernel) {
		str_add_safe(out, e->place);
		if (str_has_suffix(e->place, "+0"))
			out->buf[out->len -= 2] = 0;
		if (e->ret && !e->fprobe)
			str_add(out, "%return");
	} else {
		describe_user(o, e, cached, out);
	}
	if (e->args.n) {
		str_add(out, " with");
		arg_names(&e->args, out);
	}
	if (e->n_places > 1)
		str_addf(out, ", %d places", e->n_places);
}
