// SPDX-License-Identifier: GPL-2.0-or-later
// What rows have in common, nested or not: columns, and the values of a group's members.
#include "util/analysis/hist/nest-priv.h"

struct column *hist_add_column(const struct key *k, struct table *t)
{
	struct column *c = table_add_column(t, k->arg ? k->arg : k->def->name,
					    k->title ? k->title : k->def->title);

	c->right = k->def->right;
	c->trim = k->def->trim;
	c->none = k->def->none;
	c->form = k->def->form;
	c->decimals = k->def->decimals ? k->def->decimals : 2;
	c->min_width = k->width ? k->width : k->def->width;
	c->width = k->def->fixed ? k->def->width : 0;
	return c;
}

struct column *result_add_column(const struct result *r, struct table *t, size_t key)
{
	const struct key *k = &r->h->opts.keys->cols.v[key];
	const size_t copies = k->def->level == KEY_VALUE ? r->n : 1;
	struct column *c = NULL;

	for (size_t m = 0; m < copies; m++) {
		c = hist_add_column(k, t);
		c->member = (u16)m;
		c->n_members = (u16)copies;
	}
	return c;
}

void result_key_cell(const struct key *k, u64 word, const struct hist_row *row, struct table *t,
		     struct cell *out)
{
	k->def->cell(k, word, t, out);
	if (k->def->times_samples && out->kind == CELL_COUNT)
		out->u *= row->self_n;
}

const struct hist_row *result_member_row(const struct result *r, size_t m,
					 const struct hist_row *row)
{
	return m ? hmap_get(&r->rows[m], (u64)row->gid << 32 | row->fid) : row;
}
