// SPDX-License-Identifier: GPL-2.0-or-later
// perf list metrics and metricgroups: what perf stat -M takes.
#include <stdlib.h>
#include <string.h>

#include "builtin-list.h"
#include "util/metric/metric.h"
#include "util/view/draw.h"

/* Names in groups, each once, sorted as the set is. */
static void add_groups(const struct metric_set *s, struct table *t)
{
	table_add_column(t, "MetricGroup", "MetricGroup");
	for vec_each(m, &s->metrics) {
		char *all = xstrdup((*m)->groups), *save = NULL;

		for (char *p = strtok_r(all, ";", &save); p; p = strtok_r(NULL, ";", &save)) {
			bool have = false;

			for vec_each(row, &t->rows)
				have |= !strcmp(row->cells[0].text, p);
			if (!have)
				table_add_row(t)->cells[0] = cell_text(table_text(t, p));
		}
		free(all);
	}
}

static struct cell text_or_none(const char *text)
{
	return text && *text ? cell_text(text) : cell_absent();
}

static void add_metrics(const struct metric_set *s, struct table *t)
{
	static const char *const keys[] = { "MetricName", "BriefDescription", "MetricGroup",
					    "MetricExpr", "MetricThreshold" };

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		table_add_column(t, keys[i], keys[i]);
	for vec_each(p, &s->metrics) {
		const struct metric *m = *p;
		struct cell *c = table_add_row(t)->cells;

		c[0] = cell_text(m->name);
		c[1] = text_or_none(m->desc);
		c[2] = text_or_none(m->groups);
		c[3] = cell_text(m->text);
		c[4] = text_or_none(m->threshold_text);
	}
}

static void add_text(const struct table *t, const struct list_metrics_opts *o, struct str *out)
{
	if (!o->names_only)
		str_add(out, o->groups ? "\nMetric Groups:\n\n" : "\nMetrics:\n\n");
	for vec_each(row, &t->rows) {
		if (o->names_only) {
			str_add(out, row == t->rows.v ? "" : " ");
			str_add_safe(out, row->cells[0].text);
			continue;
		}
		str_add(out, o->groups ? "" : "  ");
		str_add_safe(out, row->cells[0].text);
		str_addch(out, '\n');
		if (!o->groups && row->cells[1].kind == CELL_TEXT) {
			str_add(out, "       [");
			str_add_safe(out, row->cells[1].text);
			str_add(out, "]\n");
		}
	}
}

size_t list_metrics(FILE *f, const struct list_metrics_opts *o)
{
	const struct draw_opts how = { .output = o->data, .json = DRAW_JSON_ARRAY };
	struct metric_set s = { 0 };
	struct table t = { .key = "metrics" };
	struct str out = STR_INIT;
	struct draw d;
	size_t n;

	metric_set_add_builtin(&s);
	if (o->groups)
		add_groups(&s, &t);
	else
		add_metrics(&s, &t);
	if (table_output_data(&o->data)) {
		draw_begin(&d, &how, &out);
		draw_table(&d, &t);
		draw_end(&d);
	} else {
		add_text(&t, o, &out);
	}
	fputs(str_cstr(&out), f);
	n = t.rows.n;
	str_release(&out);
	table_release(&t);
	metric_set_release(&s);
	return n;
}
