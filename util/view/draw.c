// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/draw-priv.h"

void draw_begin(struct draw *d, const struct draw_opts *opts, struct str *out)
{
	*d = (struct draw){ .ops = opts->output.json ? &draw_json : &draw_csv, .opts = *opts,
			    .out = out };
	d->state = d->ops->begin(d);
}

void draw_end(struct draw *d)
{
	d->ops->end(d);
	d->state = NULL;
}

void draw_facts(struct draw *d, const struct table *t) { d->ops->facts(d, t); }

void draw_group_begin(struct draw *d, const char *key,
		      const struct table *facts) { d->ops->group_begin(d, key, facts); }

void draw_group_end(struct draw *d) { d->ops->group_end(d); }

void draw_table_begin(struct draw *d, const struct table *t) { d->ops->table_begin(d, t); }

void draw_row(struct draw *d, const struct table *t,
	      const struct table_row *row) { d->ops->row(d, t, row); }

void draw_table_end(struct draw *d, const struct table *t) { d->ops->table_end(d, t); }

void draw_table(struct draw *d, const struct table *t)
{
	draw_table_begin(d, t);
	for vec_each(row, &t->rows)
		if (!row->hidden)
			draw_row(d, t, row);
	draw_table_end(d, t);
}

void draw_only_table(struct str *out, const struct table *t, const struct table_output *output)
{
	struct draw d;

	draw_begin(&d, &(struct draw_opts){ .output = *output }, out);
	draw_table(&d, t);
	draw_end(&d);
}

void draw_json_rows(struct str *out, const struct table *t)
{
	struct draw d;

	draw_begin(&d, &(struct draw_opts){ .output.json = true, .json = DRAW_JSON_ROWS }, out);
	draw_table(&d, t);
	draw_end(&d);
}
