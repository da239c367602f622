// SPDX-License-Identifier: GPL-2.0-or-later
// Sets of metrics: by name and group, those that use others, judging values.
#include "util/metric/expr-priv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Nodes of a metric with all that it uses: a chain that doubles at each step is refused. */
#define MAX_TOTAL_NODES 20000

static void metric_free(struct metric *m)
{
	if (!m)
		return;
	metric_expr_free(m->expr);
	metric_expr_free(m->threshold);
	free(m->name);
	free(m->desc);
	free(m->text);
	free(m->groups);
	free(m->threshold_text);
	free(m->unit);
	free(m);
}

void metric_set_release(struct metric_set *s)
{
	for vec_each(m, &s->metrics)
		metric_free(*m);
	vec_free(&s->metrics);
}

static size_t place_of(const struct metric_set *s, const char *name, bool *found)
{
	size_t from = 0, to = s->metrics.n;

	*found = false;
	while (from < to) {
		const size_t mid = from + (to - from) / 2;
		const int c = strcasecmp(name, s->metrics.v[mid]->name);

		if (!c) {
			*found = true;
			return mid;
		}
		if (c < 0)
			to = mid;
		else
			from = mid + 1;
	}
	return from;
}

const struct metric *metric_set_find(const struct metric_set *s, const char *name)
{
	bool found;
	const size_t at = place_of(s, name, &found);

	return found ? s->metrics.v[at] : NULL;
}

static void put(struct metric_set *s, struct metric *m)
{
	bool found;
	const size_t at = place_of(s, m->name, &found);

	if (found) {
		metric_free(s->metrics.v[at]);
		s->metrics.v[at] = m;
		return;
	}
	vec_push(&s->metrics, NULL);
	memmove(&s->metrics.v[at + 1], &s->metrics.v[at],
		(s->metrics.n - 1 - at) * sizeof(*s->metrics.v));
	s->metrics.v[at] = m;
}

static char *copy(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

int metric_set_put(struct metric_set *s, const struct metric_text *t, struct err *err)
{
	struct metric *m = xnew(struct metric);
	const char *unit = t->scale_unit ? t->scale_unit : "";
	char *end = NULL;

	m->name = xstrdup(t->name);
	m->text = xstrdup(t->expr);
	m->desc = copy(t->desc);
	m->groups = xstrdup(t->groups ? t->groups : "");
	m->threshold_text = copy(t->threshold);
	m->scaled = *unit;
	m->scale = strtod(unit, &end);
	if (end == unit)
		m->scale = 1;
	m->unit = xstrdup(end ? end : unit);
	m->lack = t->lack;
	m->expr = metric_expr_parse(t->expr, err);
	if (m->expr && t->threshold)
		m->threshold = metric_expr_parse(t->threshold, err);
	if (!m->expr || (t->threshold && !m->threshold)) {
		metric_free(m);
		return -EINVAL;
	}
	put(s, m);
	return 0;
}

/* --- metrics of metrics --- */

enum { MARK_NEW, MARK_OPEN, MARK_DONE };

static int link_expr(const struct metric_set *s, struct metric_expr *e, const struct metric *of,
		     size_t *size, struct err *err)
{
	int ret = 0;

	if (e->mark == MARK_OPEN)
		return err_set(err, ELOOP, "the metric '%s' is made of itself", of->name);
	*size = e->nodes.n;
	e->mark = MARK_OPEN;
	for (size_t i = 0; i < e->nodes.n && !ret; i++) {
		struct metric_node *n = &e->nodes.v[i];
		const struct metric *used = n->kind == NODE_ID || n->kind == NODE_METRIC ?
			metric_set_find(s, n->text) : NULL;
		size_t more = 0;

		if (!used)
			continue;
		ret = link_expr(s, used->expr, used, &more, err);
		n->kind = NODE_METRIC;
		n->metric = used->expr;
		*size += more;
		if (!ret && *size > MAX_TOTAL_NODES)
			ret = err_set(err, E2BIG, "the metric '%s' is too long with those that it "
				      "is made of", of->name);
	}
	e->mark = MARK_DONE;
	return ret;
}

int metric_set_link(struct metric_set *s, struct err *err)
{
	size_t size;
	int ret = 0;

	for (size_t i = 0; i < s->metrics.n && !ret; i++) {
		struct metric *m = s->metrics.v[i];

		ret = link_expr(s, m->expr, m, &size, err);
		if (!ret && m->threshold)
			ret = link_expr(s, m->threshold, m, &size, err);
	}
	return ret;
}

/* --- choosing --- */

static bool metric_in_group(const struct metric *m, const char *group)
{
	const size_t n = strlen(group);

	for (const char *p = m->groups; *p;) {
		const size_t len = strcspn(p, ";");

		if (len == n && !strncasecmp(p, group, n))
			return true;
		p += len + (p[len] == ';');
	}
	return false;
}

static void add_once(metric_vec *out, const struct metric *m)
{
	for vec_each(have, out)
		if (*have == m)
			return;
	vec_push(out, m);
}

static int unknown(const struct metric_set *s, const char *name, struct err *err)
{
	VEC(const char *) names = { 0 };
	struct str shown = STR_INIT;
	const char *best;

	for vec_each(m, &s->metrics)
		vec_push(&names, (*m)->name);
	best = nearest_name(name, names.v, names.n);
	str_add_safe(&shown, name);
	err_set(err, ENOENT, "there is no metric and no group '%s'", str_cstr(&shown));
	if (best)
		err_hint(err, "did you mean '%s'? 'perf list metrics' shows those that there are",
			 best);
	else
		err_hint(err, "'perf list metrics' shows those that there are");
	str_release(&shown);
	vec_free(&names);
	return -ENOENT;
}

size_t metric_set_count(const struct metric_set *s, const char *group)
{
	size_t n = 0;

	for vec_each(m, &s->metrics)
		n += metric_in_group(*m, group);
	return n;
}

int metric_set_select(const struct metric_set *s, const char *names, metric_vec *out,
		      struct err *err)
{
	char *all = xstrdup(names), *save = NULL;
	int ret = 0;

	for (char *p = strtok_r(all, ",", &save); p && !ret; p = strtok_r(NULL, ",", &save)) {
		const struct metric *m = metric_set_find(s, p);
		bool any = m;

		if (m)
			add_once(out, m);
		for vec_each(g, &s->metrics)
			if (metric_in_group(*g, p) || !strcmp(p, "all")) {
				add_once(out, *g);
				any = true;
			}
		if (!any)
			ret = unknown(s, p, err);
	}
	free(all);
	return ret;
}

const char *metric_judge(const struct metric *m, const struct metric_env *env, double value)
{
	double v;

	if (!m->threshold || isnan(value))
		return NULL;
	v = metric_expr_eval(m->threshold, env);
	return isnan(v) ? NULL : v ? "bad" : "good";
}
