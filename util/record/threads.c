// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/threads.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void record_threads_release(struct record_threads *t)
{
	for vec_each(one, &t->v) {
		vec_free(&one->cpus);
		vec_free(&one->may_run);
	}
	vec_free(&t->v);
}

/* --- one for each CPU, core, package or node --- */

static bool same_cpu(const struct os_cpu *a, const struct os_cpu *b)
{
	return a->cpu == b->cpu;
}

static bool same_package(const struct os_cpu *a, const struct os_cpu *b)
{
	return a->socket == b->socket;
}

/* Of one die, too: numbers of cores begin anew in each. Where nothing is known, each CPU is one. */
static bool same_core(const struct os_cpu *a, const struct os_cpu *b)
{
	return same_cpu(a, b) || (a->core >= 0 && a->core == b->core && a->die == b->die &&
				  same_package(a, b));
}

static bool same_node(const struct os_cpu *a, const struct os_cpu *b)
{
	return a->node == b->node;
}

typedef bool (*same_fn)(const struct os_cpu *a, const struct os_cpu *b);
static const struct { const char *word; same_fn same; } kinds[] = {
	{ "cpu", same_cpu }, { "core", same_core },
	{ "package", same_package }, { "numa", same_node },
};

static int by_topology(struct record_threads *t, same_fn same, const struct os *os,
		       struct err *err)
{
	VEC(const struct os_cpu *) first = { NULL, 0, 0 };
	os_cpu_vec all = { NULL, 0, 0 };
	int ret = os_topology(os, &all, err);

	for (size_t i = 0; i < all.n && !ret; i++) {
		const struct os_cpu *c = &all.v[i];
		size_t k = 0;

		while (k < first.n && !same(first.v[k], c))
			k++;
		if (k == first.n) {
			vec_push(&first, c);
			vec_push(&t->v, ((struct record_thread){ .cpus = { NULL, 0, 0 } }));
		}
		vec_push(&t->v.v[k].cpus, c->cpu);
		vec_push(&t->v.v[k].may_run, c->cpu);
	}
	vec_free(&first);
	vec_free(&all);
	return ret;
}

/* --- masks --- */

static int bad_masks(const char *text, struct err *err)
{
	if (err->code)
		err_prefix(err, "--threads=%s", text);
	else
		err_set(err, EINVAL, "'%s' does not say which threads there shall be", text);
	err_hint(err, "cpu, core, package or numa, or for each thread the CPUs that it reads and "
		      "those that it runs on: 0,2-3/0-3:1/1");
	return -EINVAL;
}

static int parse_mask(const char *from, size_t n, const int_vec *online, int_vec *out,
		      struct err *err)
{
	char *word = xstrndup(from, n);
	int ret = parse_int_list(word, out, err);

	if (!ret && !out->n)
		ret = err_set(err, EINVAL, "a mask is empty");
	for (size_t i = 0; i < out->n && !ret; i++)
		if (!int_list_has(online, out->v[i]))
			ret = err_set(err, EINVAL, "there is no CPU %d, or it is offline",
				      out->v[i]);
	free(word);
	return ret;
}

static int not_twice(const struct record_threads *t, struct err *err)
{
	const struct record_thread *last = &t->v.v[t->v.n - 1];

	for (size_t i = 0; i + 1 < t->v.n; i++)
		for vec_each(c, &last->cpus)
			if (int_list_has(&t->v.v[i].cpus, *c))
				return err_set(err, EINVAL, "two threads would read CPU %d", *c);
	return 0;
}

static int by_masks(struct record_threads *t, const char *text, const struct os *os,
		    struct err *err)
{
	int_vec online = { 0 };
	int ret = os_online_cpus(os, &online, err);

	for (const char *p = text; p && !ret;) {
		const char *end = strchrnul(p, ':'), *slash = memchr(p, '/', (size_t)(end - p));
		struct record_thread *one;

		vec_push(&t->v, ((struct record_thread){ .cpus = { NULL, 0, 0 } }));
		one = &t->v.v[t->v.n - 1];
		ret = !slash ? -EINVAL :
			parse_mask(p, (size_t)(slash - p), &online, &one->cpus, err);
		if (!ret)
			ret = parse_mask(slash + 1, (size_t)(end - slash - 1), &online,
					 &one->may_run, err);
		if (!ret)
			ret = not_twice(t, err);
		p = *end ? end + 1 : NULL;
	}
	vec_free(&online);
	return ret ? bad_masks(text, err) : 0;
}

int record_parse_threads(struct record_threads *t, const char *text, const struct os *os,
			 struct err *err)
{
	const char *word = text && *text ? text : kinds[0].word;
	same_fn same = NULL;
	int ret;

	record_threads_release(t);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i].word, word))
			same = kinds[i].same;
	ret = same ? by_topology(t, same, os, err) : by_masks(t, word, os, err);
	if (ret)
		record_threads_release(t);
	return ret;
}
