// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/ftrace.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/hash.h"
#include "util/base/str.h"
#include "util/base/xalloc.h"

const char *const ftrace_key_names[FTRACE_N_KEYS] = { "total", "avg", "max", "count", "name" };

struct function { const char *name; u64 n, total_ns, max_ns; };

struct ftrace_model {
	struct latency_buckets buckets;
	struct latency_sums times;
	struct strmap by_name;
	VEC(struct function *) functions;
	struct arena arena;
};

struct ftrace_model *ftrace_model_new(const struct latency_buckets *buckets)
{
	struct ftrace_model *m = xnew(struct ftrace_model);

	m->buckets = *buckets;
	return m;
}

void ftrace_model_free(struct ftrace_model *m)
{
	if (!m)
		return;
	strmap_release(&m->by_name);
	vec_free(&m->functions);
	arena_release(&m->arena);
	free(m);
}

/* --- lines
 *
 *  1) + 12.345 us   |  } / * name * /		the marker (+ ! # * @ $) says how long it was
 *  1)   0.541 us    |    name [module]();		a function that calls none */

static bool parse_duration(const char *p, const char *end, u64 *ns)
{
	u64 us = 0, part = 0, scale = 1000;

	while (p < end && !isdigit((unsigned char)*p)) {
		if (!strchr(" +!#*@$\t", *p))
			return false;
		p++;
	}
	if (p == end)
		return false;
	for (; p < end && isdigit((unsigned char)*p); p++)
		us = us * 10 + (u64)(*p - '0');
	if (p < end && *p == '.')
		for (p++; p < end && isdigit((unsigned char)*p) && scale > 1; p++) {
			scale /= 10;
			part += (u64)(*p - '0') * scale;
		}
	while (p < end && *p == ' ')
		p++;
	if (end - p < 2 || memcmp(p, "us", 2) || us > ~(u64)0 / 1000 - 1)
		return false;
	*ns = us * 1000 + part;
	return true;
}

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* The function that ends in a line, and its duration. False: none does. */
static bool parse_line(const char *line, size_t len, const char **name, size_t *name_len, u64 *ns)
{
	const char *end = line + len, *bar = memchr(line, '|', len), *duration, *p;

	if (!bar)
		return false;
	duration = memchr(line, ')', (size_t)(bar - line));
	if (!parse_duration(duration ? duration + 1 : line, bar, ns))
		return false;
	for (p = bar + 1; p < end && *p == ' '; p++)
		;
	if (end - p > 5 && !memcmp(p, "} /* ", 5))
		p += 5;
	else if (memchr(p, '{', (size_t)(end - p)) || p == end || *p == '}')
		return false;
	*name = p;
	while (p < end && is_name(*p))
		p++;
	*name_len = (size_t)(p - *name);
	return *name_len > 0;
}

bool ftrace_bucket(const struct latency_buckets *b, int i, u64 *from, u64 *to)
{
	const bool last = i == LATENCY_BUCKETS - 1;

	if (!b->range) {
		*from = i ? 1ULL << (i - 1) : 0;
		*to = last ? 0 : 1ULL << i;
		return true;
	}
	*from = i ? b->min + (u64)(i - 1) * b->range : 0;
	*to = last ? 0 : b->min + (u64)i * b->range;
	if (b->max && *from >= b->max)
		*to = 0;
	return !b->max || !i || *from < b->max + b->range;
}

static struct function *function_of(struct ftrace_model *m, const char *name, size_t len)
{
	const char *key = arena_strndup(&m->arena, name, len);
	struct function *f = strmap_get(&m->by_name, key);

	if (!f) {
		f = arena_alloc(&m->arena, sizeof(*f));
		f->name = key;
		strmap_put(&m->by_name, key, f);
		vec_push(&m->functions, f);
	}
	return f;
}

void ftrace_model_line(struct ftrace_model *m, const char *line, size_t len)
{
	const char *name;
	struct function *f;
	size_t n;
	u64 ns;

	if (!parse_line(line, len, &name, &n, &ns))
		return;
	latency_add(&m->times, &m->buckets, ns);
	f = function_of(m, name, n);
	f->n++;
	f->total_ns += ns;
	if (ns > f->max_ns)
		f->max_ns = ns;
}

const struct latency_sums *ftrace_model_times(const struct ftrace_model *m) { return &m->times; }

/* --- results */

static u64 value(const struct function *f, enum ftrace_key key)
{
	switch (key) {
	case FTRACE_AVG: return f->total_ns / f->n;
	case FTRACE_MAX: return f->max_ns;
	case FTRACE_COUNT: return f->n;
	default: return f->total_ns;
	}
}

static int compare(const void *a, const void *b, void *key)
{
	const struct function *x = *(struct function *const *)a, *y = *(struct function *const *)b;
	const enum ftrace_key k = *(const enum ftrace_key *)key;

	if (k != FTRACE_NAME && value(x, k) != value(y, k))
		return value(x, k) > value(y, k) ? -1 : 1;
	return strcmp(x->name, y->name);
}

void ftrace_model_profile(struct ftrace_model *m, enum ftrace_key key, struct table *t)
{
	static const char *const titles[] = { "function", "total_ns", "avg_ns", "max_ns" };

	t->key = "functions";
	for (size_t i = 0; i < ARRAY_SIZE(titles); i++)
		table_add_column(t, titles[i], titles[i]);
	table_add_column(t, "count", "count");
	if (m->functions.n)
		qsort_r(m->functions.v, m->functions.n, sizeof(*m->functions.v), compare, &key);
	for vec_each(at, &m->functions) {
		struct cell *cell = table_add_row(t)->cells;

		cell[0] = cell_text((*at)->name);
		cell[1] = cell_count((*at)->total_ns);
		cell[2] = cell_count((*at)->total_ns / (*at)->n);
		cell[3] = cell_count((*at)->max_ns);
		cell[4] = cell_count((*at)->n);
	}
}
