// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/doctor-text.h"

#include "util/view/text.h"

#define STATE_WIDTH 6

static void add_padded(struct str *out, const char *text, size_t width)
{
	const size_t from = out->len;

	str_add_safe(out, text ? text : "");
	if (out->len - from < width)
		str_addchn(out, ' ', width - (out->len - from));
}

static void add_finding(struct str *out, const struct table_row *row, size_t width)
{
	const char *value = row->cells[2].text, *what = row->cells[3].text,
		*fix = row->cells[4].text;

	add_padded(out, row->cells[0].text, STATE_WIDTH);
	add_padded(out, row->cells[1].text, value || what ? width + 2 : 0);
	if (value)
		str_add_safe(out, value);
	if (value && what)
		str_add(out, ": ");
	if (what)
		str_add_safe(out, what);
	str_addch(out, '\n');
	if (!fix)
		return;
	str_addchn(out, ' ', STATE_WIDTH);
	str_add(out, "fix: ");
	str_add_safe(out, fix);
	str_addch(out, '\n');
}

void findings_show(struct str *out, const struct table *findings)
{
	const size_t bad = findings_count(findings, FINDING_BAD),
		notes = findings_count(findings, FINDING_NOTE);
	size_t width = 0;

	for vec_each(row, &findings->rows)
		width = MAX(width, strlen(row->cells[1].text));
	for vec_each(row, &findings->rows)
		add_finding(out, row, width);
	str_addf(out, "# bad: %zu, notes: %zu\n", bad, notes);
}

void facts_show(struct str *out, const struct table *facts)
{
	const struct table_row *row = &facts->rows.v[0];
	const u64 ns = table_cell(facts, row, "duration_ns")->u;

	str_add(out, "# ");
	str_add_safe(out, table_cell(facts, row, "file")->text);
	str_addf(out, ": %llu samples in %llu.%03llu s, %llu bytes (%llu a sample), clock %s%s\n",
		 (unsigned long long)table_cell(facts, row, "samples")->u,
		 (unsigned long long)(ns / 1000000000), (unsigned long long)(ns / 1000000 % 1000),
		 (unsigned long long)table_cell(facts, row, "bytes")->u,
		 (unsigned long long)table_cell(facts, row, "bytes_per_sample")->u,
		 table_cell(facts, row, "clock")->text,
		 table_cell(facts, row, "wall_clock")->u ? ", time of day known" : "");
}

void quality_show(struct str *out, const struct table *t, size_t most)
{
	struct table first = *t;

	if (!t->rows.n)
		return;
	first.rows.n = MIN(t->rows.n, most);
	str_addf(out, "\n# %s\n", t->key);
	text_table(out, &first, &(struct text_opts){ 0 });
	if (first.rows.n < t->rows.n)
		str_addf(out, "# and %zu more, which --json has\n", t->rows.n - first.rows.n);
}
