// SPDX-License-Identifier: GPL-2.0-or-later
// Expressions as text again, complete in themselves: what recordings keep of metrics.
#include "util/metric/expr-priv.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

struct printing {
	const struct metric_env *env;
	struct str *out;
};

static void print_node(const struct printing *p, const struct metric_expr *e, int no, int level);

static void print_number(const struct printing *p, double v)
{
	if (isnan(v))
		str_add(p->out, "NaN");
	else if (v < 0)
		str_addf(p->out, isinf(v) ? "(-1e999)" : "(-%.17g)", -v);
	else
		str_addf(p->out, isinf(v) ? "1e999" : "%.17g", v);
}

/* A backslash before what the grammar would read otherwise: "if" is no event, "\if" is one. */
static void print_id(const struct printing *p, const char *id)
{
	const bool word = !strcmp(id, "if") || !strcmp(id, "else") || !strcasecmp(id, "nan");

	for (const char *c = id; *c; c++) {
		const bool first = c == id && !isalpha((unsigned char)*c) && *c != '_';

		if ((c == id && word) || first ||
		    (!isalnum((unsigned char)*c) && !strchr("_.:?", *c)))
			str_addch(p->out, '\\');
		str_addch(p->out, *c);
	}
}

static void print_if(const struct printing *p, const struct metric_expr *e,
		     const struct metric_node *n)
{
	if (metric_node_known(e, n->arg[1])) {
		const double v = metric_node_eval(e, n->arg[1], p->env);

		if (isnan(v))
			print_number(p, v);
		else
			print_node(p, e, n->arg[v ? 0 : 2], METRIC_TOP_LEVEL);
		return;
	}
	str_addch(p->out, '(');
	print_node(p, e, n->arg[0], 0);
	str_add(p->out, " if ");
	print_node(p, e, n->arg[1], 0);
	str_add(p->out, " else ");
	print_node(p, e, n->arg[2], 0);
	str_addch(p->out, ')');
}

static void print_call(const struct printing *p, const struct metric_expr *e,
		       const struct metric_node *n)
{
	str_add(p->out, n->kind == NODE_MIN ? "min(" : n->kind == NODE_MAX ? "max(" : "d_ratio(");
	print_node(p, e, n->arg[0], 0);
	str_add(p->out, ", ");
	print_node(p, e, n->arg[1], 0);
	str_addch(p->out, ')');
}

/* level: of the operator that it stands beside */
static void print_pair(const struct printing *p, const struct metric_expr *e,
		       const struct metric_node *n, int level)
{
	const struct metric_operator *op = metric_operators;

	while (op->kind != n->kind)
		op++;
	if (op->level < level)
		str_addch(p->out, '(');
	print_node(p, e, n->arg[0], op->level);
	str_addf(p->out, " %c ", op->c);
	print_node(p, e, n->arg[1], op->level + 1);
	if (op->level < level)
		str_addch(p->out, ')');
}

static void print_node(const struct printing *p, const struct metric_expr *e, int no, int level)
{
	const struct metric_node *n = &e->nodes.v[no];

	switch (n->kind) {
	case NODE_ID: print_id(p, n->text); break;
	case NODE_METRIC: print_node(p, n->metric, n->metric->root, level); break;
	case NODE_IF: print_if(p, e, n); break;
	case NODE_NEG:
		str_addch(p->out, '-');
		print_node(p, e, n->arg[0], METRIC_TOP_LEVEL);
		break;
	case NODE_NUMBER: case NODE_LITERAL: case NODE_HAS_EVENT: case NODE_SOURCE_COUNT:
	case NODE_CPUID: print_number(p, metric_node_eval(e, no, p->env)); break;
	case NODE_MIN: case NODE_MAX: case NODE_RATIO: print_call(p, e, n); break;
	default: print_pair(p, e, n, level);
	}
}

void metric_expr_print(const struct metric_expr *e, const struct metric_env *env, struct str *out)
{
	const struct printing p = { env, out };

	print_node(&p, e, e->root, 0);
}
