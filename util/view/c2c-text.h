/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_C2C_TEXT_H
#define VIEW_C2C_TEXT_H
/*
 * Shared cache lines as text, in the layout of upstream perf. Appends to a struct str; any thread.
 */
#include "util/analysis/c2c.h"
#include "util/base/str.h"

struct c2c_view {
	enum c2c_display display;
	const char *grouping;		/* "offset,iaddr" */
	const char *const *events;	/* their names, NULL-ended */
	int node_info;			/* 0: numbers of nodes; 1: shares of each; 2: CPUs */
	bool double_line, full_symbols, no_source;
	const struct chain_opts *chain;	/* how call trees are drawn; NULL: not */
};

void c2c_add_stats(struct str *out, const struct c2c_tables *t, const struct c2c_view *v);
/* Which lines are shared, and from where they were accessed. */
void c2c_add_lines(struct str *out, const struct c2c_tables *t, const struct c2c_view *v);

#endif
