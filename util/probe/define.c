// SPDX-License-Identifier: GPL-2.0-or-later
// Names and texts of definitions, as the kernel takes them.
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "util/base/xalloc.h"
#include "util/probe/probe-priv.h"

void probe_defs_release(probe_defs *d)
{
	for vec_each(x, d)
		probe_def_release(x);
	vec_free(d);
}

void probe_notes_release(probe_notes *n)
{
	for vec_each(s, n)
		free(*s);
	vec_free(n);
}

void add_note(probe_notes *notes, const char *fmt, ...)
{
	struct str s = STR_INIT;
	va_list ap;

	va_start(ap, fmt);
	str_addv(&s, fmt, ap);
	va_end(ap);
	for vec_each(n, notes)
		if (!strcmp(*n, str_cstr(&s))) {
			str_release(&s);
			return;
		}
	vec_push(notes, str_detach(&s));
}

void note_left_out(probe_notes *notes, const names_vec *names, const char *reason)
{
	struct str s = STR_INIT;

	for (size_t i = 0; i < names->n && i < 10; i++)
		str_addf(&s, "%s%s", i ? ", " : "", names->v[i]);
	if (names->n)
		add_note(notes, "%zu function%s left out, which %s %s: %s%s", names->n,
			 names->n > 1 ? "s are" : " is",
			 names->n > 1 ? "are" : "is", reason, str_cstr(&s), names->n > 10 ?
			 ", ..." : "");
	str_release(&s);
}

void defs_cut(probe_defs *d, size_t n)
{
	probe_defs tail = { 0 };

	for (size_t i = n; i < d->n; i++)
		vec_push(&tail, d->v[i]);
	d->n = n;
	probe_defs_release(&tail);
}

int hand_error(struct err *to, struct err *e)
{
	const int ret = -e->code;

	err_release(to ? to : e);
	if (to)
		*to = *e;
	return ret;
}

static char *group_of(const struct probe_obj *p)
{
	const char *base;
	struct str s = STR_INIT;

	if (p->kernel)
		return xstrdup("probe");
	base = strrchr(p->path, '/');
	base = base ? base + 1 : p->path;
	str_add(&s, "probe_");
	for (; isalnum((unsigned char)*base) || *base == '_'; base++)
		if (s.len < 60)
			str_addch(&s, *base);
	return str_detach(&s);
}

/* Of several names of one place, the one that was meant. */
static const struct psym *symbol_named_at(struct probe_obj *p, const char *name, u64 addr)
{
	const struct psym *s = pobj_symbol_at(p, addr);

	if (!s || !name || !strcmp(s->name, name))
		return s;
	for (const struct psym *x = s; x >= p->names.all.v && x->addr == s->addr; x--)
		if (!x->data && !strcmp(x->name, name))
			return x;
	return s;
}

static void place_by_symbol(struct probe_obj *p, const char *name, u64 addr, struct probe_at *at)
{
	const struct psym *s = symbol_named_at(p, name, addr);
	int same = 0;
	bool ambiguous;

	at->off = addr;
	if (!s)
		return;
	for vec_each(x, &p->names.all)
		same += !strcmp(x->name, s->name) && !x->data;
	ambiguous = same > 1 && p->names.text_va && !p->module;	/* several functions of this name */
	at->module = p->module ? xstrdup(p->module) : NULL;
	at->symbol = xstrdup(ambiguous ? "_text" : s->name);
	at->off = addr - (ambiguous ? p->names.text_va : s->addr);
}

/* Where it is, for people: "leaf+4". */
static char *where_text(struct probe_obj *p, u64 addr)
{
	const struct psym *s = pobj_symbol_at(p, addr);

	return s ? xasprintf("%s+%llu", s->name, (unsigned long long)(addr - s->addr)) :
		xasprintf("0x%llx", (unsigned long long)addr);
}

void add_def(struct probe_obj *p, const struct probe_spec *s, int index, const struct def_place *at,
	     probe_fetches *args, probe_defs *out)
{
	u64 addr = at->addr;
	struct probe_def *d;

	for vec_each(x, out)
		if (x->addr == addr && x->spec == index)
			return;
	d = vec_add(out);
	d->group = s->group ? xstrdup(s->group) : group_of(p);
	d->event = s->event && s->ret ? xasprintf("%s__return", s->event) :
		xstrdup(s->event ? s->event : at->event);
	d->args = *args;
	*args = (probe_fetches){ 0 };
	d->where = where_text(p, addr);
	d->addr = addr;
	d->kernel = p->kernel;
	d->spec = index;
	d->at.ret = s->ret;
	if (p->kernel) {
		place_by_symbol(p, at->func, addr, &d->at);
	} else {
		if (!pobj_file_off(p, addr, &d->at.off))
			d->at.off = addr;
		d->at.path = xstrdup(p->path);
		d->at.ref_ctr_off = at->ref_ctr_off;
	}
}

/* --- what the kernel would read as something else

 * It splits its control files into lines, cuts each at a '#', and splits what is left at blanks:
 * space, tab to carriage return, and the byte 0xa0, which is also a part of letters in UTF-8
 * ("\303\240" is an a with a grave accent). Names in binaries and the paths of these are other
 * people's: none of them may end a word, or begin another definition. What a terminal does not show
 * as it is, is refused with them: definitions are shown, too. */

#define MAX_LINE_BYTES 4094	/* of the kernel's buffer of 4096, with the newline and a 0 */

static const char *misread(const char *text, bool one_word)
{
	struct str shown = STR_INIT;
	const char *what = NULL;

	if (strchr(text, '\n'))
		what = "a newline";
	else if (strchr(text, '#'))
		what = "a '#'";
	else if (one_word && strchr(text, ' '))
		what = "a blank";
	else if (strchr(text, '\xa0'))
		what = "the byte 0xa0";
	str_add_safe(&shown, text);
	if (!what && strcmp(str_cstr(&shown), text))
		what = "a control character";
	str_release(&shown);
	return what;
}

int def_check(const struct probe_def *d, struct err *err)
{
	struct str text = STR_INIT;
	const char *what;
	size_t n;

	probe_def_text(d, &text);
	what = misread(str_cstr(&text), false);
	n = text.len;
	str_release(&text);
	if (!probe_name_ok(d->group) || !probe_name_ok(d->event))
		return err_set(err, EINVAL, "'%s:%s' is not a name for an event: the kernel takes "
					    "letters, digits and _", d->group,
			       d->event);
	if (what)
		return err_set(err, EINVAL, "cannot add event '%s:%s': its definition has %s in "
					    "it, where the kernel's parser ends what it "
			       "reads", d->group, d->event, what);
	if (n > MAX_LINE_BYTES) {
		err_set(err, E2BIG, "cannot add event '%s:%s': its definition has %zu bytes, and "
				    "the kernel takes lines of at most %d",
			d->group, d->event, n, MAX_LINE_BYTES);
		err_hint(err, "name fewer arguments, or give the file a shorter path");
		return -E2BIG;
	}
	return 0;
}

int def_check_place(const struct probe_obj *p, const struct probe_def *d, struct err *err)
{
	const char *what = p->path ? misread(p->path, true) : NULL;
	struct str path = STR_INIT, place = STR_INIT;

	if (what) {
		str_add_safe(&path, p->path);
		err_set(err, EINVAL, "the kernel cannot take the name of '%s': the path has "
				     "%s in it, where its parser ends a name",
			str_cstr(&path), what);
		err_hint(err, "give the file a second, plain name on the same file system, and "
			      "probe that: ln FILE NAME (a hard link; a "
			 "symbolic one is followed)");
		str_release(&path);
		return -EINVAL;
	}
	probe_at_text(&d->at, &place);
	if (!p->path && memchr(str_cstr(&place), ' ', place.len)) {
		fetches_text(&d->args, &place);
		err_set(err, EINVAL, "cannot add event '%s:%s': its place has a blank in it: '%s'",
			d->group, d->event, str_cstr(&place));
		str_release(&place);
		return -EINVAL;
	}
	str_release(&place);
	return def_check(d, err);
}

/* --- names that are free */

static void rename_def(struct probe_def *d, const char *event)
{
	free(d->event);
	d->event = xstrdup(event);
}

static bool same_text(const char *a, const char *b)
{
	return !a || !b ? a == b : !strcmp(a, b);
}

/* Names and types of arguments. The kernel takes several places of one event when these agree. */
static bool same_shape(const probe_fetches *a, const probe_fetches *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		const struct probe_fetch *x = &a->v[i], *y = &b->v[i];

		/* without a name it gets one by what it is */
		if (!same_text(x->name, y->name) || !same_text(x->type, y->type) ||
		    (!x->name && strcmp(x->base, y->base)))
			return false;
	}
	return true;
}

static bool same_event(const struct probe_def *a, const struct probe_def *b)
{
	return a->spec == b->spec && !strcmp(a->group, b->group) && !strcmp(a->event, b->event);
}

/* The name is there already, or a definition in front of end has it, other than those of the
 * specification "but" (-1: any). */
static bool name_used(const probe_events *have, const probe_defs *defs, const struct probe_def *end,
		      int but, const char *group,
		      const char *event)
{
	for vec_each(e, have)
		if (!strcmp(e->group, group) && !strcmp(e->event, event))
			return true;
	for (const struct probe_def *d = defs->v; d < end; d++)
		if (d->spec != but && !strcmp(d->group, group) && !strcmp(d->event, event))
			return true;
	return false;
}

/* Instances of a template take arguments of different types: each shape becomes an event of its
 * own. */
static void split_shapes(const probe_events *have, probe_defs *defs)
{
	for (size_t i = 1; i < defs->n; i++) {
		struct probe_def *d = &defs->v[i], *first = NULL;
		char *name = NULL, *old;

		for (struct probe_def *e = defs->v; e < d && !first; e++)
			if (same_event(e, d))
				first = e;
		for (int n = 1; first && !same_shape(&d->args, &first->args) && !name; n++) {
			name = xasprintf("%s_%d", d->event, n);
			if (name_used(have, defs, defs->v + defs->n, -1, d->group, name)) {
				free(name);
				name = NULL;
			}
		}
		old = name ? xstrdup(d->event) : NULL;
		for (size_t k = i; name && k < defs->n; k++) {
			struct probe_def *e = &defs->v[k];

			if (e->spec == d->spec && !strcmp(e->event, old) &&
			    same_shape(&e->args, &d->args))
				rename_def(e, name);
		}
		free(old);
		free(name);
	}
}

int probe_make_unique(const probe_events *have, probe_defs *defs, bool force, struct err *err)
{
	split_shapes(have, defs);
	for (size_t i = 0; i < defs->n; i++) {
		struct probe_def *d = &defs->v[i];
		char *old, *try;

		if (!name_used(have, defs, d, d->spec, d->group, d->event))
			continue;
		if (!force) {
			err_set(err, EEXIST, "event \"%s\" already exists", d->event);
			err_hint(err, "remove it with 'perf probe -d %s:%s',\nadd another one with "
				      "'perf probe -f' (%s_1),\n"
				 "or name this one: 'NAME=...'", d->group, d->event, d->event);
			return -EEXIST;
		}
		old = xstrdup(d->event);
		for (int n = 1;; n++) {
			try = xasprintf("%s_%d", old, n);
			if (!name_used(have, defs, d, d->spec, d->group, try))
				break;
			free(try);
		}
		for (size_t k = i; k < defs->n; k++)	/* all places of this event */
			if (defs->v[k].spec == d->spec && !strcmp(defs->v[k].event, old))
				rename_def(&defs->v[k], try);
		free(try);
		free(old);
	}
	return 0;
}

/* --- what was added */

static void add_event_line(const struct probe_def *d, const struct probe_spec *s, int places,
			   struct str *out)
{
	char *name = xasprintf("%s:%s", d->group, d->event);

	str_addf(out, "  %-20s (on ", name);
	str_add_safe(out, s->point);
	if (d->at.path) {
		str_add(out, " in ");
		str_add_safe(out, d->at.path);
	}
	for vec_each(a, &s->args)
		str_addf(out, "%s%s%s%s%s%s%s", a == s->args.v ? " with " : " ",
			 a->name ? a->name : "", a->name ? "=" : "", a->expr, a->type ? ":" : "",
			 a->type ? a->type : "", a->user ? "@user" : "");
	str_add(out, ")");
	if (places > 1)
		str_addf(out, " at %d places", places);
	str_add(out, "\n");
	free(name);
}

size_t probe_defs_events(const probe_defs *defs, const struct probe_spec *specs, struct str *out)
{
	size_t events = 0;

	for vec_each(d, defs) {
		bool earlier = false;
		int places = 0;

		for vec_each(e, defs) {
			const bool same = same_event(e, d);

			earlier = earlier || (same && e < d);
			places += same;
		}
		if (earlier)
			continue;
		add_event_line(d, &specs[d->spec], places, out);
		events++;
	}
	return events;
}

/* --- near names */

int offset_error(const struct probe_spec *s, const char *func, u64 bytes, struct err *err)
{
	err_set(err, EINVAL, "offset %llu is past the end of '%s' (%llu bytes)",
		(unsigned long long)s->off, func,
		(unsigned long long)bytes);
	err_hint(err, "a disassembly tells at which offsets its instructions begin: objdump -d "
		      "--disassemble=%s FILE", func);
	return -EINVAL;
}

void hint_nearest(struct probe_obj *p, const char *name, struct err *err)
{
	VEC(const char *) v = { 0 };
	const char *near;

	pobj_symbols(p, NULL);
	for vec_each(s, &p->names.all)
		if (!s->data && v.n < 200000)
			vec_push(&v, s->name);
	near = nearest_name(name, v.v, v.n);
	const char *opt = p->path ? " -x " : p->module ? " -m " : "", *of = p->path ? p->path :
		p->module ? p->module : "";

	if (near)
		err_hint(err, "did you mean '%s'? 'perf probe -F%s%s' lists the functions", near,
			 opt, of);
	else
		err_hint(err, "'perf probe -F%s%s' lists the functions", opt, of);
	vec_free(&v);
}
