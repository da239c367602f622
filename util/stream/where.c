// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --where: whether a sample passes.
 */
#include "util/stream/where-priv.h"

#include <errno.h>

#include "util/base/hash.h"
#include "util/base/str.h"
#include "util/event/tracepoint.h"
#include "util/stream/frame.h"

/* ---- fields of tracepoints ---- */

static void find_tp_field(void *ctx, const struct event *e, void *state)
{
	const struct where_node *n = ctx;
	const struct tp_field **field = state;
	const bool of_it = !n->event || glob_match(e->name, n->event);

	*field = e->format && of_it ? tp_field(e->format, n->name) : NULL;
}

static void hint_fields(const struct event_list *l, const char *name, struct err *err)
{
	const char *names[512];
	size_t n = 0;
	const char *near;

	for (; n < ARRAY_SIZE(names) && where_field_name(n); n++)
		names[n] = where_field_name(n);
	for vec_each(e, &l->events)
		for (size_t i = 0; (*e)->format && i < tp_n_fields((*e)->format); i++)
			if (n < ARRAY_SIZE(names))
				names[n++] = tp_field_at((*e)->format, i)->name;
	near = nearest_name(name, names, n);
	if (near) {
		err_hint(err, "did you mean '%s'?", near);
		return;
	}
	err_hint(err, "samples have comm, pid, tid, cpu, time, event, period, ip, addr, dso, sym, "
		      "mode and stack; tracepoints the fields that 'perf evlist --trace-fields' "
		      "lists");
}

static int bind_node(struct where_filter *w, struct where_node *n, const struct event_list *l,
		     bool complete, struct err *err)
{
	bool any = false, texts = false;

	if (!n->fields) {
		n->fields = xnew(struct per_event);
		per_event_init(n->fields, sizeof(const struct tp_field *), find_tp_field, NULL);
	}
	n->fields->ctx = n;		/* nodes do not move any more */
	per_event_fill(n->fields, l);
	for vec_each(e, &l->events) {
		const struct tp_field *f =
			*(const struct tp_field **)per_event(n->fields, *e);

		any |= f != NULL;
		texts |= f && f->is_string;
	}
	if (!any && complete) {
		where_fail(w->text, n->at, err, "no event of the recording has a field '%s'",
			   n->name);
		hint_fields(l, n->name, err);
		return -EINVAL;
	}
	if (!any || texts || n->op == W_GLOB || n->op == W_REGEX || n->op == W_CONTAINS)
		return 0;
	for (u32 i = n->first; i < n->first + n->n; i++)
		if (!w->literals.v[i].is_number)
			return where_fail(w->text, w->literals.v[i].at, err,
					  "not a number, as '%s' is: '%s'", n->name,
					  w->literals.v[i].text);
	return 0;
}

int where_bind(struct where_filter *w, const struct event_list *l, bool swap, bool complete,
	       struct err *err)
{
	int rc = 0;

	w->swap = swap;
	for (size_t i = 0; i < w->nodes.n && !rc; i++)
		if (w->nodes.v[i].field && w->nodes.v[i].field->kind == WK_TRACEPOINT)
			rc = bind_node(w, &w->nodes.v[i], l, complete, err);
	return rc;
}

static bool get_tp(const struct where_node *n, const struct where_ask *a, struct where_value *out)
{
	const struct tp_field *const *at = a->s->event ?
		per_event_peek(n->fields, a->s->event) : NULL;
	const struct tp_field *f = at ? *at : NULL;

	if (!f || !a->s->raw.len)
		return false;
	if (f->is_string) {
		out->text[0] = tp_read_str(f, a->s->raw, a->swap, &out->len);
		out->is_text = true;
		return out->text[0] != NULL;
	}
	out->n.v = tp_read_u64(f, a->s->raw, a->swap);
	out->n.negative = f->is_signed && (s64)out->n.v < 0;
	return true;
}

/* ---- times ---- */

bool where_has_percent(const struct where_filter *w) { return w->percent; }

static u64 at_percent(u64 first_ns, u64 last_ns, double pct)
{
	return first_ns + (u64)((double)(last_ns - first_ns) * pct / 100);
}

void where_set_bounds(struct where_filter *w, u64 first_ns, u64 last_ns)
{
	last_ns = MAX(first_ns, last_ns);
	for vec_each(l, &w->literals) {
		if (!l->is_percent)
			continue;
		l->n.v = at_percent(first_ns, last_ns, l->pct);
		l->to.v = at_percent(first_ns, last_ns, l->to_pct);
	}
}

unsigned where_wants(const struct where_filter *w) { return w->wants; }

/* ---- comparisons ---- */

static int cmp_numbers(const struct where_number *a, const struct where_number *b)
{
	if (a->negative != b->negative)
		return a->negative ? -1 : 1;
	if (a->negative)
		return (s64)a->v < (s64)b->v ? -1 : (s64)a->v > (s64)b->v;
	return a->v < b->v ? -1 : a->v > b->v;
}

static bool equal_text(const struct where_value *v, const char *text)
{
	if (v->len)
		return strlen(text) == v->len && !memcmp(v->text[0], text, v->len);
	return !strcmp(v->text[0], text) || (v->text[1] && !strcmp(v->text[1], text));
}

static bool in_list(const struct where_filter *w, const struct where_node *n,
		    const struct where_value *v)
{
	for (u32 i = n->first; i < n->first + n->n; i++) {
		const struct where_literal *l = &w->literals.v[i];

		if (v->is_text ? equal_text(v, l->text) :
		    !l->is_number ? false : !l->is_range ? !cmp_numbers(&v->n, &l->n) :
		    cmp_numbers(&v->n, &l->n) >= 0 && cmp_numbers(&v->n, &l->to) <= 0)
			return true;
	}
	return false;
}

static bool matches_one(const struct where_filter *w, const struct where_node *n, const char *s)
{
	const char *pattern = n->n ? w->literals.v[n->first].text : NULL;

	switch (n->op) {
	case W_REGEX: return !regexec(n->regex, s, 0, NULL, 0);
	case W_GLOB: return glob_match(s, pattern);
	/* of a stack whole names, or a pattern */
	case W_CONTAINS: return n->field->kind != WK_STACK ? strstr(s, pattern) != NULL :
		is_glob(pattern) ? glob_match(s, pattern) : !strcmp(s, pattern);
	default: return false;
	}
}

static bool matches_number(const struct where_filter *w, const struct where_node *n,
			   const struct where_value *v)
{
	struct str s = STR_INIT;
	bool yes;

	str_addf(&s, v->n.negative ? "%lld" : "%llu", (unsigned long long)v->n.v);
	yes = matches_one(w, n, str_cstr(&s));
	str_release(&s);
	return yes;
}

static bool matches(const struct where_filter *w, const struct where_node *n,
		    const struct where_value *v)
{
	char *copy;
	bool yes;

	if (!v->is_text)
		return matches_number(w, n, v);
	if (!v->len)
		return matches_one(w, n, v->text[0]) ||
			(v->text[1] && matches_one(w, n, v->text[1]));
	copy = xstrndup(v->text[0], v->len);
	yes = matches_one(w, n, copy);
	free(copy);
	return yes;
}

/* ---- what was asked before ---- */

#define MEMO_SLOTS 1024

struct where_memo {
	struct { const void *of; const struct where_node *node; bool yes; } v[MEMO_SLOTS];
};

struct where_memo *where_memo_new(void) { return xnew(struct where_memo); }
void where_memo_free(struct where_memo *m) { free(m); }

static bool matches_kept(const struct where_filter *w, const struct where_node *n,
			 const struct where_value *v, struct where_memo *m)
{
	const void *of = v->text[1] ? v->text[1] : v->text[0];
	size_t i;

	if (!v->stays || !m)
		return matches(w, n, v);
	i = hash_slot((uintptr_t)of + (uintptr_t)n, MEMO_SLOTS);
	if (m->v[i].of != of || m->v[i].node != n) {
		m->v[i].yes = matches(w, n, v);
		m->v[i].of = of;
		m->v[i].node = n;
	}
	return m->v[i].yes;
}

/* ---- the tree ---- */

static bool stack_contains(const struct where_filter *w, const struct where_node *n,
			   const struct where_ask *a, struct where_memo *m)
{
	const struct resolved *r = a->res;
	struct where_value v = { .is_text = true, .stays = true };

	for (u32 i = 0; i < r->n_frames; i++) {
		v.text[0] = frame_label(&r->frames[i]);
		if (matches_kept(w, n, &v, m))
			return true;
	}
	v.text[0] = frame_label(&r->leaf);
	return a->s->present & PERF_SAMPLE_IP && matches_kept(w, n, &v, m);
}

static bool compare(const struct where_filter *w, const struct where_node *n,
		    const struct where_value *v)
{
	const struct where_literal *l = &w->literals.v[n->first];
	int c;

	if (v->is_text)		/* there is no order of texts */
		return n->op == W_EQ ? equal_text(v, l->text) :
			n->op == W_NE && !equal_text(v, l->text);
	if (!l->is_number)
		return n->op == W_NE;
	c = cmp_numbers(&v->n, &l->n);
	switch (n->op) {
	case W_EQ: return c == 0;
	case W_NE: return c != 0;
	case W_LT: return c < 0;
	case W_LE: return c <= 0;
	case W_GT: return c > 0;
	default: return c >= 0;
	}
}

static bool has_value(const struct where_value *v)
{
	return v->is_text ? v->len || *v->text[0] : v->n.v != 0;
}

static bool holds(const struct where_filter *w, u32 node, const struct where_ask *a,
		  struct where_memo *m);

static bool test_holds(const struct where_filter *w, const struct where_node *n,
		       const struct where_ask *a, struct where_memo *m)
{
	struct where_value v = { 0 };

	if (n->field->kind == WK_STACK)
		return stack_contains(w, n, a, m) != n->negated;
	if (!(n->field->get ? n->field->get(a, &v) : get_tp(n, a, &v)))
		return false;
	switch (n->op) {
	case W_IN: return in_list(w, n, &v) != n->negated;
	case W_GLOB:
	case W_REGEX:
	case W_CONTAINS: return matches_kept(w, n, &v, m) != n->negated;
	case W_HAS: return has_value(&v);
	default: return compare(w, n, &v);
	}
}

static bool holds(const struct where_filter *w, u32 node, const struct where_ask *a,
		  struct where_memo *m)
{
	const struct where_node *n = &w->nodes.v[node];

	switch (n->op) {
	case W_AND: return holds(w, n->a, a, m) && holds(w, n->b, a, m);
	case W_OR: return holds(w, n->a, a, m) || holds(w, n->b, a, m);
	case W_NOT: return !holds(w, n->a, a, m);
	default: return test_holds(w, n, a, m);
	}
}

bool where_has_stage(const struct where_filter *w, enum where_stage stage)
{
	return w->roots[stage].n;
}

bool where_passes(const struct where_filter *w, enum where_stage stage, const struct sample *s,
		  const struct resolved *res, struct where_memo *m)
{
	const struct where_ask a = { s, res, w->swap };

	for (size_t i = 0; i < w->roots[stage].n; i++)
		if (!holds(w, w->roots[stage].v[i], &a, m))
			return false;
	return true;
}
