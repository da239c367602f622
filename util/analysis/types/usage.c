// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/types/usage.h"

#include <stdlib.h>
#include <string.h>

#include "util/base/str.h"

#define MAX_DEPTH 32
#define MAX_LINES 100000

bool datatype_is_named(const struct datatype *d, const char *name)
{
	static const char *const kinds[] = { "struct ", "union ", "enum " };

	if (!strcmp(d->name, name))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (str_has_prefix(d->name, kinds[i]) &&
		    !strcmp(d->name + strlen(kinds[i]), name))
			return true;
	return false;
}

static void add_sum(struct annotate_sum *to, struct annotate_sum more)
{
	to->n += more.n;
	to->period += more.period;
}

/* Units have a copy each of a type: the name and the size tell. */
static struct type_usage *usage_of(struct types_usage *u, const struct dso *d,
				   const struct datatype *type)
{
	struct type_usage *t;

	for vec_each(it, &u->types)
		if (it->dso == d && it->type->bytes == type->bytes &&
		    (it->type == type || !strcmp(it->type->name, type->name)))
			return it;
	t = vec_add(&u->types);
	t->dso = d;
	t->type = type;
	return t;
}

static void add_part(struct type_usage *t, u64 off, u32 event, struct annotate_sum sum)
{
	const struct type_part part = { off, event, sum };

	for vec_each(p, &t->parts)
		if (p->off == off && p->event == event) {
			add_sum(&p->sum, sum);
			return;
		}
	vec_push(&t->parts, part);
}

static void add_insn(struct types_usage *u, const struct access *a)
{
	const bool good = a->why == ACCESS_KNOWN || a->why == ACCESS_STACK;
	struct insn_stat *s = NULL;

	u->n_why[a->why]++;
	if (!a->mnemonic)
		return;
	for vec_each(it, &u->insns)
		if (!strcmp(it->mnemonic, a->mnemonic))
			s = it;
	if (!s) {
		s = vec_add(&u->insns);
		s->mnemonic = a->mnemonic;
	}
	*(good ? &s->n_good : &s->n_bad) += 1;
}

struct adding { struct types_usage *u; const struct event *const *events; };

static void add_symbol(struct adding *x, const struct annotate_symbol *s)
{
	struct types_usage *u = x->u;

	for (u32 e = 0; e < u->n_events; e++)
		for (size_t i = 0; i < s->n_counts; i++) {
			const struct annotate_count *c = &s->counts[i];
			const struct access *a;

			if (c->event != x->events[e]->index)
				continue;
			a = access_find(u->finder, s->dso, s->sym, c->rva);
			if (!e) {
				add_insn(u, a);
				add_sum(&u->why[a->why], c->sum);
			}
			if (a->why == ACCESS_KNOWN)
				add_part(usage_of(u, s->dso, a->type), a->off, e, c->sum);
		}
}

static int by_use(const void *x, const void *y)
{
	const struct type_usage *a = x, *b = y;
	const struct annotate_sum sa = type_usage_total(a, 0), sb = type_usage_total(b, 0);

	if (sa.period != sb.period)
		return sa.period > sb.period ? -1 : 1;
	return strcmp(a->type->name, b->type->name);
}

static int by_number(const void *x, const void *y)
{
	const struct insn_stat *a = x, *b = y;
	const u64 na = a->n_good + a->n_bad, nb = b->n_good + b->n_bad;

	return na != nb ? (na > nb ? -1 : 1) : strcmp(a->mnemonic, b->mnemonic);
}

void types_usage_init(struct types_usage *u, struct access_finder *finder,
		      const struct annotate *counts, const struct event *const *events, size_t n)
{
	struct adding x = { .u = u, .events = events };
	annotate_symbols order = { 0 };

	*u = (struct types_usage){ .finder = finder, .n_events = n };
	annotate_order(counts, events, n, &order);
	for vec_each(s, &order)
		add_symbol(&x, *s);
	if (u->types.n)
		qsort(u->types.v, u->types.n, sizeof(*u->types.v), by_use);
	if (u->insns.n)
		qsort(u->insns.v, u->insns.n, sizeof(*u->insns.v), by_number);
	vec_free(&order);
}

void types_usage_release(struct types_usage *u)
{
	for vec_each(t, &u->types)
		vec_free(&t->parts);
	vec_free(&u->types);
	vec_free(&u->insns);
}

struct annotate_sum type_usage_sum(const struct type_usage *t, u32 event, u64 off, u64 bytes)
{
	struct annotate_sum sum = { 0 };

	for vec_each(p, &t->parts)
		if (p->event == event && p->off >= off && p->off - off < bytes)
			add_sum(&sum, p->sum);
	return sum;
}

struct annotate_sum type_usage_total(const struct type_usage *t, u32 event)
{
	return type_usage_sum(t, event, 0, UINT64_MAX);
}

static void add_lines(const struct types_usage *u, const struct type_usage *t,
		      const struct type_line *it, const struct datatype *type, type_lines *out)
{
	struct type_line line = *it;

	if (!type || out->n >= MAX_LINES)
		return;
	access_complete(u->finder, t->dso, type);
	line.opens = type->kind == DATATYPE_STRUCT && it->depth < MAX_DEPTH;
	line.type = type->name;
	vec_push(out, line);
	if (!line.opens)
		return;
	for (size_t i = 0; i < type->n_fields; i++) {
		const struct datatype_field *f = &type->fields[i];
		const struct type_line below = { .name = f->name, .off = it->off + f->off,
			.bytes = f->bytes, .depth = it->depth + 1 };

		add_lines(u, t, &below, f->type, out);
	}
	line = (struct type_line){ .depth = it->depth, .closes = true };
	vec_push(out, line);
}

void type_usage_lines(const struct types_usage *u, const struct type_usage *t, type_lines *out)
{
	const struct type_line whole = { .name = "", .bytes = t->type->bytes };

	add_lines(u, t, &whole, t->type, out);
}
