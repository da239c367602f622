// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/sched-rows.h"

enum { AT_ONCE = 256 };		/* rows: each is about 2 kB of cells */

static void write_out(struct sched_rows *r)
{
	fwrite(r->out.buf, 1, r->out.len, r->fp);
	str_reset(&r->out);
}

void sched_rows_init(struct sched_rows *r, FILE *fp, const struct table_output *output)
{
	r->fp = fp;
	draw_begin(&r->draw, &(struct draw_opts){ .output = *output }, &r->out);
}

void sched_rows_begin(struct sched_rows *r)
{
	r->begun = true;
	draw_table_begin(&r->draw, &r->table);
}

static void draw_rows(struct sched_rows *r)
{
	for vec_each(row, &r->table.rows)
		draw_row(&r->draw, &r->table, row);
	table_clear_rows(&r->table);
}

void sched_rows_added(struct sched_rows *r)
{
	if (r->table.rows.n < AT_ONCE)
		return;
	draw_rows(r);
	write_out(r);
}

void sched_rows_flush(struct sched_rows *r)
{
	draw_rows(r);
	write_out(r);
	fflush(r->fp);
}

void sched_rows_end(struct sched_rows *r)
{
	draw_rows(r);
	if (r->begun)
		draw_table_end(&r->draw, &r->table);
}

void sched_rows_close(struct sched_rows *r)
{
	draw_end(&r->draw);
	write_out(r);
}

void sched_rows_release(struct sched_rows *r)
{
	if (r->draw.state) {	/* it was not run to its end: nothing is shown of it */
		draw_end(&r->draw);
		r->draw.state = NULL;
	}
	table_release(&r->table);
	str_release(&r->out);
}
