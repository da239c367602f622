/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef METRIC_EXPR_PRIV_H
#define METRIC_EXPR_PRIV_H
/*
 * The tree of an expression, between its parser (expr.c), evaluation (eval.c) and sets (set.c).
 */
#include "util/metric/metric.h"

enum node_kind {
	NODE_NUMBER, NODE_ID, NODE_LITERAL, NODE_METRIC,
	NODE_IF,			/* arg[0] if arg[1] else arg[2] */
	NODE_NEG, NODE_ADD, NODE_SUB, NODE_MUL, NODE_DIV, NODE_MOD, NODE_LESS, NODE_GREATER,
	NODE_AND, NODE_OR, NODE_XOR, NODE_MIN, NODE_MAX, NODE_RATIO,
	NODE_HAS_EVENT, NODE_SOURCE_COUNT, NODE_CPUID,	/* of text */
};

struct metric_node {
	enum node_kind kind;
	double number;
	char *text;			/* an identifier as an event's text; owned */
	const struct metric_expr *metric;	/* NODE_METRIC: of the set */
	int arg[3];			/* numbers of nodes */
};

struct metric_expr {
	VEC(struct metric_node) nodes;
	int root;
	int mark;			/* of metric_set_link(): being looked at, done */
};

/* Binary operators by what binds least first; all group to the left. */
struct metric_operator { char c; enum node_kind kind; int level; };
extern const struct metric_operator metric_operators[];
#define METRIC_OPERATORS 10
#define METRIC_TOP_LEVEL 6	/* of what no operator stands in */
double metric_node_eval(const struct metric_expr *e, int no, const struct metric_env *env);
/* What no count has a part in. */
bool metric_node_known(const struct metric_expr *e, int no);

#endif
