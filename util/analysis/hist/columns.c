// SPDX-License-Identifier: GPL-2.0-or-later
// What rows have in common, nested or not: columns, and the values of a group's members.
#include "util/analysis/hist/nest-priv.h"
#include "util/analysis/hist/shares.h"

struct column *hist_add_column(const struct key *k, struct table *t)
{
	struct column *c = table_add_column(t, k->arg ? k->arg : k->def->name,
					    k->title ? k->title : k->def->title);

	c->right = k->def->right;
	c->trim = k->def->trim;
	c->none = k->def->none;
	c->form = k->def->form;
	c->decimals = k->decimals ? k->decimals : k->def->decimals ? k->def->decimals : 2;
	c->min_width = k->width ? k->width : k->def->width;
	c->width = k->def->fixed ? k->def->width : 0;
	return c;
}

/* ---- shares: a column for each class that there is, of the event itself ---- */

static bool is_shares(const struct key *k)
{
	return k->def->special && k->def->special != KEY_OF_HISTORY;
}

u32 result_classes(const struct result *r)
{
	const struct event_rows *er = &r->h->by_event[r->members[0].e->index];
	u32 seen = 0;

	for vec_each(row, &er->rows)
		for (unsigned i = 0; row->shares && i < N_SHARES; i++)
			seen |= (row->shares[i] != 0) << i;
	return seen;
}

/* "------- Cache -------" above width characters. */
static const char *band_title(struct table *t, const char *title, size_t width)
{
	const size_t n = strlen(title) + 2, left = width > n ? (width - n) / 2 : 0;
	struct str s = STR_INIT;
	const char *text;

	str_addchn(&s, '-', left);
	str_addf(&s, " %s ", title);
	str_addchn(&s, '-', width > n ? width - n - left : 0);
	text = table_text(t, str_cstr(&s));
	str_release(&s);
	return text;
}

#define SHARE_WIDTH 7		/* " 100.0%" */

static struct column *add_shares(const struct result *r, struct table *t, const struct key *k)
{
	const u32 seen = r->classes;
	unsigned n, first, n_shown, member = 0;
	const struct share_class *classes = share_classes(k->def->special - 1, &n, &first);
	const char *band = k->def->title;
	struct column *c = NULL;

	n_shown = (unsigned)__builtin_popcount(seen >> first & ((1u << n) - 1));
	if (n_shown > 1)
		band = band_title(t, band, n_shown * SHARE_WIDTH);
	for (unsigned i = 0; i < n; i++) {
		struct str key = STR_INIT;

		if (!(seen >> (first + i) & 1))
			continue;
		str_addf(&key, "%s.%s_pct", k->def->name, classes[i].key);
		c = table_add_column(t, table_text(t, str_cstr(&key)), classes[i].title);
		str_release(&key);
		c->band = band;
		c->right = true;
		c->decimals = 1;
		c->form = COL_WORD | COL_CSV_ALIGNED;
		c->width = SHARE_WIDTH;
		c->member = (u16)member++;
		c->n_members = (u16)n_shown;
	}
	return c;
}

static size_t share_cells(const struct result *r, const struct key *k, const struct row_values *v,
			  struct cell *cells)
{
	const u32 seen = r->classes;
	unsigned n, first;
	size_t at = 0;

	share_classes(k->def->special - 1, &n, &first);
	for (unsigned i = first; i < first + n; i++)
		if (seen >> i & 1)
			cells[at++] = cell_pct(v->row->shares && v->total ?
					       100.0 * (double)v->row->shares[i] /
					       (double)v->total : 0);
	return at;
}

size_t result_value_cells(const struct result *r, const struct key *k, size_t m,
			  const struct row_values *v, struct cell *cells)
{
	if (is_shares(k))
		return m ? 0 : share_cells(r, k, v, cells);
	k->def->value_cell(v, cells);
	return 1;
}

struct column *result_add_column(const struct result *r, struct table *t, size_t key)
{
	const struct key *k = &r->h->opts.keys->cols.v[key];
	const size_t copies = k->def->level == KEY_VALUE ? r->n : 1;
	struct column *c = NULL;

	if (is_shares(k))
		return add_shares(r, t, k);
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
