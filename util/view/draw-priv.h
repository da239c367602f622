/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_DRAW_PRIV_H
#define VIEW_DRAW_PRIV_H
/*
 * What a renderer is. To add one: a file with these functions, and a line in draw.c.
 */
#include "util/view/draw.h"

struct draw_ops {
	void *(*begin)(struct draw *d);			/* its state */
	void (*facts)(struct draw *d, const struct table *t);
	void (*group_begin)(struct draw *d, const char *key, const struct table *facts);
	void (*group_end)(struct draw *d);
	void (*table_begin)(struct draw *d, const struct table *t);
	void (*row)(struct draw *d, const struct table *t, const struct table_row *row);
	void (*table_end)(struct draw *d, const struct table *t);
	void (*end)(struct draw *d);			/* frees the state, too */
};
extern const struct draw_ops draw_csv, draw_json;

/* Columns that share one name: the members of an event group side by side. */
static inline size_t column_span(const struct column *c)	/* not of bands: these have keys */
{
	return c->n_members > 1 && !c->band ? c->n_members : 1;
}
/* Decimals of a CELL_NUM as CSV and JSON have it. */
static inline int data_decimals(const struct column *c, const struct cell *cell)
{
	return cell->decimals ? cell->decimals - 1 : c->decimals ? c->decimals : 4;
}

#endif
