// SPDX-License-Identifier: GPL-2.0-or-later
// What an expression is worth, and which events it needs.
#include "util/metric/expr-priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/num.h"

static double as_bits(double a, double b, enum node_kind kind)
{
	const u64 x = u64_of(a), y = u64_of(b);

	if (isnan(a) || isnan(b))
		return NAN;
	return (double)(kind == NODE_AND ? x & y : kind == NODE_OR ? x | y : x ^ y);
}

static double eval_pair(enum node_kind kind, double a, double b)
{
	switch (kind) {
	case NODE_ADD: return a + b;
	case NODE_SUB: return a - b;
	case NODE_MUL: return a * b;
	case NODE_DIV: return b ? a / b : NAN;
	case NODE_MOD: return b ? fmod(a, b) : NAN;
	case NODE_RATIO: return b ? a / b : 0;
	case NODE_LESS: return isnan(a) || isnan(b) ? NAN : a < b;
	case NODE_GREATER: return isnan(a) || isnan(b) ? NAN : a > b;
	case NODE_MIN: return isnan(a) || isnan(b) ? NAN : MIN(a, b);
	case NODE_MAX: return isnan(a) || isnan(b) ? NAN : MAX(a, b);
	default: return as_bits(a, b, kind);
	}
}

static double literal(const struct metric_env *env, const char *name)
{
	double v = NAN;

	return env->literal && env->literal(env->ctx, name, &v) ? v : NAN;
}

static double eval_if(const struct metric_expr *e, const struct metric_node *n,
		      const struct metric_env *env)
{
	const double cond = metric_node_eval(e, n->arg[1], env);

	return isnan(cond) ? NAN : metric_node_eval(e, n->arg[cond ? 0 : 2], env);
}

double metric_node_eval(const struct metric_expr *e, int no, const struct metric_env *env)
{
	const struct metric_node *n = &e->nodes.v[no];

	switch (n->kind) {
	case NODE_NUMBER: return n->number;
	case NODE_ID: return env->value ? env->value(env->ctx, n->text) : NAN;
	case NODE_LITERAL: return literal(env, n->text);
	case NODE_METRIC: return metric_node_eval(n->metric, n->metric->root, env);
	case NODE_IF: return eval_if(e, n, env);
	case NODE_NEG: return -metric_node_eval(e, n->arg[0], env);
	case NODE_HAS_EVENT: return env->has_event && env->has_event(env->ctx, n->text);
	case NODE_SOURCE_COUNT:
		return env->source_count ? env->source_count(env->ctx, n->text) : NAN;
	case NODE_CPUID: return env->cpuid && env->cpuid(env->ctx, n->text);
	default: return eval_pair(n->kind, metric_node_eval(e, n->arg[0], env),
				  metric_node_eval(e, n->arg[1], env));
	}
}

double metric_expr_eval(const struct metric_expr *e, const struct metric_env *env)
{
	return metric_node_eval(e, e->root, env);
}

/* --- what has to be counted --- */

bool metric_node_known(const struct metric_expr *e, int no)
{
	const struct metric_node *n = &e->nodes.v[no];

	switch (n->kind) {
	case NODE_NUMBER: case NODE_LITERAL: case NODE_HAS_EVENT: case NODE_CPUID: return true;
	case NODE_ID: case NODE_SOURCE_COUNT: return false;
	case NODE_METRIC: return metric_node_known(n->metric, n->metric->root);
	case NODE_NEG: return metric_node_known(e, n->arg[0]);
	case NODE_IF:
		return metric_node_known(e, n->arg[0]) && metric_node_known(e, n->arg[1]) &&
			metric_node_known(e, n->arg[2]);
	default: return metric_node_known(e, n->arg[0]) && metric_node_known(e, n->arg[1]);
	}
}

static void add_id(metric_ids *out, const char *id)
{
	for vec_each(have, out)
		if (!strcmp(*have, id))
			return;
	vec_push(out, id);
}

static void add_ids(const struct metric_expr *e, int no, const struct metric_env *env,
		    metric_ids *out)
{
	const struct metric_node *n = &e->nodes.v[no];

	switch (n->kind) {
	case NODE_NUMBER: case NODE_LITERAL: case NODE_HAS_EVENT: case NODE_CPUID: break;
	case NODE_ID: case NODE_SOURCE_COUNT: add_id(out, n->text); break;
	case NODE_METRIC: add_ids(n->metric, n->metric->root, env, out); break;
	case NODE_NEG: add_ids(e, n->arg[0], env, out); break;
	case NODE_IF:
		if (metric_node_known(e, n->arg[1])) {
			const double v = metric_node_eval(e, n->arg[1], env);

			if (!isnan(v))
				add_ids(e, n->arg[v ? 0 : 2], env, out);
			break;
		}
		for (int i = 0; i < 3; i++)
			add_ids(e, n->arg[i], env, out);
		break;
	default:
		add_ids(e, n->arg[0], env, out);
		add_ids(e, n->arg[1], env, out);
	}
}

void metric_expr_ids(const struct metric_expr *e, const struct metric_env *env, metric_ids *out)
{
	add_ids(e, e->root, env, out);
}
