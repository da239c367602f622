// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/sys-sum.h"

#include <stdio.h>

#include "util/view/draw.h"

static u64 number(const struct table *t, const struct table_row *row, const char *key)
{
	return table_cell(t, row, key)->u;
}

static double ms(const struct table *t, const struct table_row *row, const char *key)
{
	return (double)number(t, row, key) / 1e6;
}

static void text_title(const struct table *t, struct str *out)
{
	const struct table_row *row = &t->rows.v[0];
	const struct cell *comm = table_cell(t, row, "comm"), *cgroup = table_cell(t, row,
										   "cgroup");

	str_addch(out, ' ');
	if (!comm && !cgroup) {
		str_addf(out, "total, %llu events\n\n", (unsigned long long)number(t, row,
										   "events"));
		return;
	}
	if (cgroup)
		str_add_safe(out, cgroup->text);
	else if (comm->text)
		str_add_safe(out, comm->text);
	else
		str_addf(out, ":%llu", (unsigned long long)number(t, row, "tid"));
	if (comm)
		str_addf(out, " (%llu)", (unsigned long long)number(t, row, "tid"));
	str_addf(out, ", %llu events, %.1f%%", (unsigned long long)number(t, row, "events"),
		 table_cell(t, row, "events_pct")->d);
	if (table_cell(t, row, "runtime_ns"))
		str_addf(out, ", %.3f msec", ms(t, row, "runtime_ns"));
	str_add(out, "\n\n");
}

static void text_errnos(const struct table *list, struct str *out)
{
	for vec_each(row, &list->rows)
		str_addf(out, "\t\t\t\t%s%s: %llu\n",
			 row->cells[0].kind == CELL_COUNT ? "errno " : "", row->cells[0].text,
			 (unsigned long long)row->cells[1].u);
}

static void text_call(const struct table *t, const struct table_row *row, struct str *out)
{
	const char *name = table_cell(t, row, "syscall")->text;
	const struct cell *errnos = table_cell(t, row, "errnos");
	const u64 n = number(t, row, "calls");
	char unknown[24];

	if (!name) {
		snprintf(unknown, sizeof(unknown), "syscall_%u", (u32)number(t, row, "nr"));
		name = unknown;
	}
	str_addf(out, "   %-15s %8llu %6llu %9.3f %9.3f %9.3f %9.3f %9.2f%%\n", name,
		 (unsigned long long)n, (unsigned long long)number(t, row, "errors"),
		 ms(t, row, "total_ns"), ms(t, row, "min_ns"),
		 (double)number(t, row, "total_ns") / (n ? (double)n : 1) / 1e6,
		 ms(t, row, "max_ns"), table_cell(t, row, "stddev_pct")->d);
	if (errnos)
		text_errnos(errnos->list, out);
}

static void text(const struct sys_tables *t, struct str *out)
{
	str_add(out, "\n Summary of events:\n\n");
	for vec_each(g, &t->groups) {
		text_title(&g->facts, out);
		str_add(out, "   syscall            calls  errors  total       min       avg       "
			     "max       stddev\n"
			"                                     (msec)    (msec)    (msec)    "
			"(msec)        (%)\n"
			"   --------------- --------  ------ -------- --------- --------- "
			"---------     ------\n");
		for vec_each(row, &g->calls.rows)
			text_call(&g->calls, row, out);
		str_add(out, "\n\n");
	}
}

void view_sys_summary(const struct sys_tables *t, const struct table_output *output,
		      struct str *out)
{
	struct draw d;

	if (!table_output_data(output)) {
		text(t, out);
		return;
	}
	draw_begin(&d, &(struct draw_opts){ .output = *output, .json = DRAW_JSON_ROWS }, out);
	for vec_each(g, &t->groups) {
		draw_group_begin(&d, "groups", &g->facts);
		draw_table(&d, &g->calls);
		draw_group_end(&d);
	}
	draw_end(&d);
}
