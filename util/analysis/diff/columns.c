// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The columns of values: those of the baseline, and those of each other file. To add one: its cell,
 * and a line in the table.
 */
#include "util/analysis/diff/diff-priv.h"

enum when { ALWAYS, PERIOD, FORMULA, CHANCE, DATA, BLOCK, TIMES };	/* whether it is shown */

struct value_column {
	const char *key, *title;
	enum when when;
	bool base;			/* of the baseline */
	u16 width;
	u16 form;
	u8 decimals;
	void (*cell)(const struct diffing *d, const struct diff_row *r, size_t file,
		     struct cell *out);
};

/* ---- cells ---- */

static void base_cell(const struct diffing *d, const struct diff_row *r, size_t file,
		      struct cell *out)
{
	(void)file;
	if (r->sides[0].has && d->shown.period)
		*out = cell_pct(diff_base_pct(d, r));
}

static void base_period_cell(const struct diffing *d, const struct diff_row *r, size_t file,
			     struct cell *out)
{
	(void)d, (void)file;
	*out = cell_count(r->sides[0].period);
}

static void base_samples_cell(const struct diffing *d, const struct diff_row *r, size_t file,
			      struct cell *out)
{
	(void)d, (void)file;
	*out = cell_count(r->sides[0].n);
}

/* As upstream perf has it: at the right of 14 columns, also below a title that is wider. */
static const char *weighted_text(const struct diffing *d, s64 v, size_t file)
{
	const int more = d->n <= 2 || d->o->data ? 0 : file < 10 ? 1 : 2;
	struct str s = STR_INIT;
	const char *text;

	str_addf(&s, "%14lld%*s", (long long)v, more, "");
	text = table_text(d->out, str_cstr(&s));
	str_release(&s);
	return text;
}

static const char *block_text(const struct diffing *d, const struct diff_row *r, size_t file,
			      const struct diff_block *b)
{
	struct str s = STR_INIT;
	const char *text;

	diff_add_block_name(&s, &r->sides[file], b);
	if (!d->o->data)
		str_addf(&s, " %4lld", (long long)b->diff);
	text = table_text(d->out, str_cstr(&s));
	str_release(&s);
	return text;
}

/* What the baseline does not have is 0 in the text, as upstream perf has it. */
static void cycles_diff_cell(const struct diffing *d, const struct diff_row *r, size_t file,
			     struct cell *out)
{
	const struct diff_block *b = diff_block_of(r, file);

	if (b && !d->o->data)
		*out = cell_text(block_text(d, r, file, b));
	else if (b && b->paired)
		*out = cell_int(b->diff);
}

static void block_cell(const struct diffing *d, const struct diff_row *r, size_t file,
		       struct cell *out)
{
	const struct diff_block *b = diff_block_of(r, file);

	if (b)
		*out = cell_text(block_text(d, r, file, b));
}

static void cycles_cell(const struct diffing *d, const struct diff_row *r, size_t file,
			struct cell *out)
{
	const struct diff_block *b = diff_block_of(r, file);

	(void)d;
	if (b)
		*out = cell_count(b->cycles);
}

static void times_cell(const struct diffing *d, const struct diff_row *r, size_t file,
		       struct cell *out)
{
	const struct diff_block *b = diff_block_of(r, file);
	struct str s = STR_INIT;

	if (b)
		diff_add_block_times(&s, b);
	if (s.len)
		*out = cell_text(table_text(d->out, str_cstr(&s)));
	str_release(&s);
}

static void value_cell(const struct diffing *d, const struct diff_row *r, size_t file,
		       struct cell *out)
{
	const bool weighted = d->o->compute == DIFF_WDIFF;
	double value;

	if (d->o->compute == DIFF_CYCLES) {
		cycles_diff_cell(d, r, file, out);
		return;
	}
	if (!diff_value(d, r, file, &value)) {
		*out = (struct cell){ .kind = CELL_NONE };
		out->text = r->sides[file].has ? "N/A" : NULL;
		return;
	}
	*out = d->o->compute <= DIFF_DELTA ? cell_pct(value) : weighted ? cell_int((s64)value) :
		cell_num(value, -1);
	if (weighted)
		out->text = d->o->fields && !out->s ? "" : weighted_text(d, out->s, file);
}

static void add_formula(struct str *s, const struct diffing *d, const struct diff_row *r,
			size_t file)
{
	const unsigned long long base = r->sides[0].period, is = r->sides[file].period;

	switch (d->o->compute) {
	case DIFF_DELTA_ABS:
	case DIFF_DELTA:
		str_addf(s, "(%llu * 100 / %llu) - (%llu * 100 / %llu)", is,
			 (unsigned long long)d->total[file].period, base,
			 (unsigned long long)d->shown.period);
		return;
	case DIFF_RATIO:
		str_addf(s, "%llu / %llu", is, base);
		return;
	case DIFF_WDIFF:
		str_addf(s, "(%llu * %lld) - (%llu * %lld)", is, (long long)d->o->weight, base,
			 (long long)d->o->weight_base);
		return;
	case DIFF_CYCLES:
		return;
	}
}

static void formula_cell(const struct diffing *d, const struct diff_row *r, size_t file,
			 struct cell *out)
{
	struct str s = STR_INIT;

	if (!r->sides[file].has)
		return;
	add_formula(&s, d, r, file);
	*out = cell_text(table_text(d->out, str_cstr(&s)));
	str_release(&s);
}

static void pct_cell(const struct diffing *d, const struct diff_row *r, size_t file,
		     struct cell *out)
{
	const u64 total = d->total[file].period;

	if (r->sides[file].has)
		*out = cell_pct(total ? (double)r->sides[file].period * 100 / (double)total : 0);
}

static void period_cell(const struct diffing *d, const struct diff_row *r, size_t file,
			struct cell *out)
{
	(void)d;
	if (r->sides[file].has)
		*out = cell_count(r->sides[file].period);
}

static void samples_cell(const struct diffing *d, const struct diff_row *r, size_t file,
			 struct cell *out)
{
	(void)d;
	*out = cell_count(r->sides[file].n);
}

static void chance_cell(const struct diffing *d, const struct diff_row *r, size_t file,
			struct cell *out)
{
	*out = cell_bool(diff_is_chance(d, r, file));
}

/* ---- the table ---- */

static const struct value_column columns[] = {
	{ "pct", "Baseline", ALWAYS, true, 8, COL_WORD | COL_BARE_PERCENT, 0, base_cell },
	{ "period", "Base period", PERIOD, true, 14, COL_WORD, 0, base_period_cell },
	{ "samples", "Samples", DATA, true, 0, 0, 0, base_samples_cell },
	{ "", "", ALWAYS, false, 0, COL_WORD, 0, value_cell },	/* as computed[] has it */
	{ "stddev", "      stddev/Hist", TIMES, false, 17, 0, 0, times_cell },
	{ "block", "Block", BLOCK, false, 0, 0, 0, block_cell },
	{ "cycles", "Cycles", BLOCK, false, 0, 0, 0, cycles_cell },
	{ "formula", "Formula", FORMULA, false, 70, 0, 0, formula_cell },
	{ "pct", "Share", DATA, false, 0, 0, 0, pct_cell },
	{ "period", "Period", PERIOD, false, 14, COL_WORD, 0, period_cell },
	{ "samples", "Samples", DATA, false, 0, 0, 0, samples_cell },
	{ "chance", "By chance", CHANCE, false, 9, 0, 0, chance_cell },
};

static const struct value_column computed[] = {
	[DIFF_DELTA_ABS] = { .key = "delta_pct", .title = "Delta Abs", .width = 7,
			     .form = COL_PLUS_SIGN },
	[DIFF_DELTA] = { .key = "delta_pct", .title = "Delta", .width = 7, .form = COL_PLUS_SIGN },
	[DIFF_RATIO] = { .key = "ratio", .title = "Ratio", .width = 14, .decimals = 6,
			 .form = COL_CSV_ALIGNED },
	[DIFF_WDIFF] = { .key = "weighted_diff", .title = "Weighted diff", .width = 14 },
	[DIFF_CYCLES] = { .key = "cycles_diff", .title = "[Program Block Range] Cycles Diff",
			  .width = 70 },
};

static bool is_shown(const struct diff_opts *o, enum when when)
{
	switch (when) {
	case ALWAYS: return true;
	case PERIOD: return o->period || o->data;
	case FORMULA: return o->formula && !o->data;
	case CHANCE: return (o->chance || o->data) && o->compute != DIFF_CYCLES;
	case BLOCK: return o->data && o->compute == DIFF_CYCLES;
	case TIMES: return o->times && o->compute == DIFF_CYCLES;
	case DATA: return o->data;
	}
	return false;
}

static void add_column(struct diffing *d, const struct value_column *v, size_t file)
{
	const bool value = !*v->key;
	const struct value_column *is = value ? &computed[d->o->compute] : v;
	const bool numbered = d->n > 2 && !d->o->data;
	struct str key = STR_INIT, title = STR_INIT;
	struct column *c;

	if (file)
		str_addf(&key, "file%zu.%s", file, is->key);
	else
		str_addf(&key, "baseline.%s", is->key);
	str_add(&title, is->title);
	if (numbered)
		str_addf(&title, "/%zu", file);
	c = table_add_column(d->out, table_text(d->out, str_cstr(&key)),
			     table_text(d->out, str_cstr(&title)));
	c->right = v->when != TIMES;
	c->none = "";
	c->form = v->form | (value ? is->form : 0);
	c->decimals = is->decimals ? is->decimals : 2;
	c->width = d->o->data ? 0 : MAX((size_t)is->width, title.len);
	str_release(&key);
	str_release(&title);
}

void diff_add_columns(struct diffing *d)
{
	for (size_t file = 0; file < d->n; file++)
		for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
			if (columns[i].base == !file && is_shown(d->o, columns[i].when))
				add_column(d, &columns[i], file);
}

size_t diff_fill_cells(const struct diffing *d, const struct diff_row *r, struct cell *cells)
{
	size_t at = 0;

	for (size_t file = 0; file < d->n; file++)
		for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
			if (columns[i].base == !file && is_shown(d->o, columns[i].when))
				columns[i].cell(d, r, file, &cells[at++]);
	return at;
}
