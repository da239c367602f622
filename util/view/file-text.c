// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/file-text.h"

#include "util/view/draw.h"

static void add_count(struct str *out, const char *name, u64 n)
{
	str_addf(out, "%20s events: %10llu", name, (unsigned long long)n);
}

static void add_records(struct str *out, const struct file_counts *f)
{
	str_add(out, "\nAggregated stats:\n");
	add_count(out, "TOTAL", f->facts.rows.v[0].cells[0].u);
	str_addch(out, '\n');
	for vec_each(row, &f->records.rows) {
		add_count(out, row->cells[0].text, row->cells[1].u);
		str_addf(out, "  (%4.1f%%)\n", row->cells[2].d);
	}
}

static void add_events(struct str *out, const struct table *events)
{
	static const char *const names[] = { "SAMPLE", "LOST_SAMPLES", "LOST_SAMPLES (BPF)" };

	for vec_each(row, &events->rows) {
		str_add_safe(out, row->cells[0].text);
		str_add(out, " stats:\n");
		for (size_t i = 0; i < ARRAY_SIZE(names); i++)
			if (row->cells[1 + i].u) {
				add_count(out, names[i], row->cells[1 + i].u);
				str_addch(out, '\n');
			}
	}
}

static void add_stacks(struct str *out, const struct table *stacks)
{
	const struct table_row *last = NULL;

	for vec_each(row, &stacks->rows) {
		bool copied = row->cells[0].u;

		if (!last || last->cells[0].u != copied)
			str_add(out, copied ? "User stacks, unwound from copies:\n" :
				"User stacks, recorded as call chains:\n");
		str_addf(out, "%20llu  (%5.1f%%)  %s\n", (unsigned long long)row->cells[2].u,
			 row->cells[3].d, row->cells[1].text);
		last = row;
	}
}

void file_counts_show(struct str *out, const struct file_counts *f, const struct table_output *o)
{
	struct draw d;

	if (!table_output_data(o)) {
		add_records(out, f);
		add_events(out, &f->events);
		add_stacks(out, &f->stacks);
		return;
	}
	draw_begin(&d, &(struct draw_opts){ .output = *o }, out);
	draw_facts(&d, &f->facts);
	draw_table(&d, &f->records);
	draw_table(&d, &f->events);
	draw_table(&d, &f->stacks);
	draw_end(&d);
}

void tasks_show(struct str *out, const struct table *tasks, const struct table_output *o)
{
	if (table_output_data(o)) {
		draw_only_table(out, tasks, o);
		return;
	}
	str_add(out, "#      pid      tid     ppid  comm\n");
	for vec_each(row, &tasks->rows) {
		const struct cell *ppid = &row->cells[2];

		str_addf(out, "%10u %8u %8lld |", (u32)row->cells[0].s, (u32)row->cells[1].s,
			 ppid->kind == CELL_NONE ? -1 : (long long)ppid->s);
		str_addchn(out, ' ', MIN(row->indent, 200u));
		str_add_safe(out, row->cells[3].text);
		str_addch(out, '\n');
	}
}
