// SPDX-License-Identifier: GPL-2.0-or-later
// Values of metrics in the rows of counters.
#include "util/analysis/stat/formula.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/analysis/stat/stat-priv.h"
#include "util/event/tool.h"

void stat_formulas_release(struct stat_formulas *f)
{
	for vec_each(x, &f->v) {
		for vec_each(o, &x->operands)
			vec_free(&o->events);
		vec_free(&x->operands);
		free(x->label);
	}
	vec_free(&f->v);
	vec_free(&f->asked);
}

static bool uses(const struct stat_formula *x, int event)
{
	for vec_each(o, &x->operands)
		for (size_t i = 0; i < o->events.n; i++)
			if (o->events.v[i] == event)
				return true;
	return false;
}

enum stat_lack stat_formulas_lack(const struct stat_formulas *f, int event)
{
	enum stat_lack least = STAT_LACK_HIDDEN;
	bool any = false;

	for vec_each(x, &f->v) {
		if (!uses(x, event))
			continue;
		any = true;
		least = MIN(least, x->metric->lack);
	}
	return any ? least : STAT_LACK_SHOWN;
}

/* What an identifier is worth is asked while one expression is evaluated for one slot. */
struct question {
	const struct stat_numbers *n;
	const struct stat_formula *f;
	const struct metric_env *known;
	size_t slot;
};

static const struct stat_operand *operand(const struct stat_formula *f, const char *id)
{
	for vec_each(o, &f->operands)
		if (!strcmp(o->id, id))
			return o;
	return NULL;
}

/* Of perf's own events there is one value for all slots. Times are in seconds. */
static double tool_value(const struct stat_numbers *n, int event)
{
	const struct event *e = n->l->events.v[event];
	double sum = 0;

	for (size_t k = 0; k < n->n_slots; k++)
		sum += n->values[(size_t)event * n->n_slots + k];
	return event_tool_is_level(e->tool) || e->sensor ? sum * e->scale : sum / 1e9;
}

static double value(void *ctx, const char *id)
{
	const struct question *q = ctx;
	const struct stat_operand *o = operand(q->f, id);
	double sum = 0;

	if ((!o || !o->events.n) && event_tool_find(id) == EVENT_TOOL_DURATION)
		return q->n->wall_ns ? (double)q->n->wall_ns / 1e9 : NAN;
	if (!o || !o->events.n)
		return NAN;
	for (size_t i = 0; i < o->events.n; i++) {
		const int no = o->events.v[i];
		const struct event *e = q->n->l->events.v[no];

		if (!e->supported)
			return NAN;
		sum += e->tool ? tool_value(q->n, no) :
			q->n->values[(size_t)no * q->n->n_slots + q->slot] *
			(e->scale ? e->scale : 1);
	}
	return sum;
}

static double source_count(void *ctx, const char *id)
{
	const struct question *q = ctx;
	const struct stat_operand *o = operand(q->f, id);

	return o ? (double)o->events.n : 0;
}

static bool has_event(void *ctx, const char *id)
{
	const struct question *q = ctx;

	return q->known->has_event && q->known->has_event(q->known->ctx, id);
}

static bool literal(void *ctx, const char *name, double *out)
{
	const struct question *q = ctx;

	return q->known->literal && q->known->literal(q->known->ctx, name, out);
}

static bool cpuid(void *ctx, const char *pattern)
{
	const struct question *q = ctx;

	return q->known->cpuid && q->known->cpuid(q->known->ctx, pattern);
}

struct stat_metric stat_formula_value(const struct stat_numbers *n, const struct stat_formulas *all,
				      const struct stat_formula *f, size_t slot)
{
	struct question q = { n, f, &all->known, slot };
	const struct metric_env env = { value, has_event, source_count, literal, cpuid, &q };
	const double v = metric_expr_eval(f->metric->expr, &env);

	return (struct stat_metric){ .unit = f->label, .value = v * f->metric->scale,
				     .decimals = f->metric->scaled ? 1 : 2,
				     .verdict = metric_judge(f->metric, &env, v) };
}
