// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/block-cycles.h"

#include <stdlib.h>

enum { COL_SHARE, COL_CYCLES, COL_MEAN_SHARE, COL_MEAN, COL_BLOCK, COL_DSO };

static void add_columns(struct table *t)
{
	static const struct { const char *key, *title; u16 width; } cols[] = {
		[COL_SHARE] = { "cycles_percent", "Sampled Cycles%", 15 },
		[COL_CYCLES] = { "cycles", "Sampled Cycles", 14 },
		[COL_MEAN_SHARE] = { "mean_percent", "Avg Cycles%", 11 },
		[COL_MEAN] = { "mean_cycles", "Avg Cycles", 10 },
		[COL_BLOCK] = { "block", "[Program Block Range]", 70 },
		[COL_DSO] = { "dso", "Shared Object", 20 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cols); i++) {
		struct column *c = table_add_column(t, cols[i].key, cols[i].title);

		c->right = true;
		c->min_width = cols[i].width;
		c->decimals = 2;
	}
}

static int by_cycles(const void *pa, const void *pb)
{
	const struct block_end *a = pa, *b = pb;
	int c;

	if (a->cycles.sum != b->cycles.sum)
		return a->cycles.sum > b->cycles.sum ? -1 : 1;
	c = strcmp(a->sym->name, b->sym->name);
	if (c)
		return c;
	return a->end_rva < b->end_rva ? -1 : a->end_rva > b->end_rva;
}

/* "200", "12.4K", "2.5M" */
static struct cell cell_cycles(struct table *t, u64 n)
{
	static const struct { u64 unit; char letter; } units[] = {
		{ 1000000000, 'B' }, { 1000000, 'M' }, { 1000, 'K' } };
	struct cell c = cell_count(n);
	struct str text = STR_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(units) && !text.len; i++)
		if (n > units[i].unit)
			str_addf(&text, "%.1f%c", (double)n / (double)units[i].unit,
				 units[i].letter);
	if (text.len)
		c.text = table_text(t, str_cstr(&text));
	str_release(&text);
	return c;
}

static struct cell cell_share(u64 n, u64 of)
{
	return cell_pct(of ? 100.0 * (double)n / (double)of : 0);
}

static void add_row(struct table *t, const struct block_end *e, u64 cycles, u64 means)
{
	struct table_row *row = table_add_row(t);
	const u64 start = e->sym->start_rva, mean = e->cycles.sum / e->cycles.n;
	const char *path = e->dso ? e->dso->path : "[unknown]", *slash = strrchr(path, '/');
	struct str name = STR_INIT;

	code_block_name(&name, e->dso, e->sym, e->start_rva == BLOCK_NO_START ? 0 :
			e->start_rva - start, e->end_rva - start);
	row->cells[COL_SHARE] = cell_share(e->cycles.sum, cycles);
	row->cells[COL_CYCLES] = cell_cycles(t, e->cycles.sum);
	row->cells[COL_MEAN_SHARE] = cell_share(mean, means);
	row->cells[COL_MEAN] = cell_cycles(t, mean);
	row->cells[COL_BLOCK] = cell_text(table_text(t, str_cstr(&name)));
	row->cells[COL_DSO] = cell_text(slash ? slash + 1 : path);
	str_release(&name);
}

void block_cycles_table(const struct code_blocks *b, struct table *t)
{
	u64 cycles = 0, means = 0;
	block_ends v = { 0 };

	add_columns(t);
	code_blocks_by_end(b, &v);
	for vec_each(e, &v) {
		cycles += e->cycles.sum;
		means += e->cycles.sum / e->cycles.n;
	}
	if (v.n)
		qsort(v.v, v.n, sizeof(*v.v), by_cycles);
	for vec_each(e, &v)
		add_row(t, e, cycles, means);
	vec_free(&v);
}
