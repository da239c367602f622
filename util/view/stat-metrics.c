// SPDX-License-Identifier: GPL-2.0-or-later
// --metric-only: the metrics alone, a column each.
#include "util/view/stat.h"

#include <stdlib.h>
#include <string.h>

#include "util/view/draw.h"

static int id_width(const struct stat_view *v)
{
	return v->aggr == STAT_THREAD ? 25 : v->aggr == STAT_CPU ? 8 : 16;
}

static int by_event(const void *a, const void *b)
{
	const struct stat_formula *x = *(const struct stat_formula *const *)a,
		*y = *(const struct stat_formula *const *)b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* The metrics in the order of their events; of those counted for several cgroups one. */
typedef VEC(const struct stat_formula *) formula_vec;
static void columns(const struct stat_view *v, formula_vec *out)
{
	formula_vec all = { 0 };

	for (size_t i = 0; v->formulas && i < v->formulas->v.n; i++)
		vec_push(&all, &v->formulas->v.v[i]);
	if (all.n)
		qsort(all.v, all.n, sizeof(*all.v), by_event);
	for vec_each(f, &all) {
		bool have = false;

		for vec_each(o, out)
			have |= !strcmp((*o)->label, (*f)->label);
		if (!have)
			vec_push(out, *f);
	}
	vec_free(&all);
}

void view_stat_metric_head(const struct stat_view *v, bool interval, struct str *out)
{
	/* as upstream perf heads it */
	const char *id = v->aggr == STAT_THREAD ? "comm-pid" : stat_aggr_name(v->aggr);
	const char *sep = v->output.sep;
	formula_vec cols = { 0 };

	columns(v, &cols);
	if (v->output.json || (!sep && !interval)) {
		vec_free(&cols);
		return;
	}
	if (sep) {
		if (interval)
			str_addf(out, "time%s", sep);
		if (v->aggr != STAT_GLOBAL)
			str_addf(out, "%s%s", id, sep);
		if (stat_counts_cpus(v->aggr))
			str_addf(out, "ctrs%s", sep);
		for vec_each(f, &cols)
			str_addf(out, "%s%s", (*f)->label, sep);
		str_addch(out, '\n');
	} else {
		str_add(out, "#           time ");
		if (v->aggr != STAT_GLOBAL)
			str_addf(out, "%-*s ", id_width(v), id);
		for vec_each(f, &cols)
			str_addf(out, "%*s ", VIEW_STAT_METRIC_WIDTH, (*f)->label);
		str_addch(out, '\n');
	}
	vec_free(&cols);
}

static const struct stat_row *row_with(const struct stat_row *rows, size_t n,
				       const struct stat_row *of, const char *label)
{
	for (size_t i = 0; i < n; i++)
		if (rows[i].metric.unit && stat_same_place(&rows[i], of) &&
		    !strcmp(rows[i].metric.unit, label))
			return &rows[i];
	return NULL;
}

static int width_of(const struct stat_formula *f)
{
	return MAX((int)strlen(f->label), VIEW_STAT_METRIC_WIDTH);
}

/* What a row is of; the first row of each place. */
static bool is_first(const struct stat_row *rows, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (stat_same_place(&rows[k], &rows[i]))
			return false;
	return true;
}

static void add_text_line(const struct stat_view *v, const struct stat_row *rows, size_t n,
			  const struct stat_row *of, s64 time_ns, struct str *out)
{
	formula_vec cols = { 0 };

	columns(v, &cols);
	if (time_ns >= 0)
		str_addf(out, "%6lld.%09lld ", (long long)(time_ns / 1000000000),
			 (long long)(time_ns % 1000000000));
	if (v->aggr != STAT_GLOBAL) {
		struct str id = STR_INIT, safe = STR_INIT;

		stat_row_id(v->aggr, of, &id);
		str_add_safe(&safe, str_cstr(&id));
		str_addf(out, "%-*s ", id_width(v), str_cstr(&safe));
		str_release(&id);
		str_release(&safe);
	}
	for vec_each(f, &cols) {
		const struct stat_row *r = row_with(rows, n, of, (*f)->label);

		if (r)
			str_addf(out, "%*.*f ", width_of(*f), r->metric.decimals, r->metric.value);
		else
			str_addf(out, "%*s ", width_of(*f), "");
	}
	str_addch(out, '\n');
	vec_free(&cols);
}

static void add_text(const struct stat_view *v, const struct stat_row *rows, size_t n, s64 time_ns,
		     struct str *out)
{
	formula_vec cols = { 0 };

	columns(v, &cols);
	if (time_ns < 0) {
		if (v->aggr != STAT_GLOBAL)
			str_addchn(out, ' ', (size_t)id_width(v) + 1);
		for vec_each(f, &cols)
			str_addf(out, "%*s ", width_of(*f), (*f)->label);
		str_addch(out, '\n');
	}
	for (size_t i = 0; i < n; i++)
		if (is_first(rows, i))
			add_text_line(v, rows, n, &rows[i], time_ns, out);
	vec_free(&cols);
}

static void add_values(const struct stat_view *v, struct table *t, const formula_vec *cols,
		       const struct stat_row *rows, size_t n, const struct stat_row *of)
{
	const size_t first = t->cols.n - cols->n - 1;
	struct cell *c = vec_last(&t->rows)->cells + first;

	for vec_each(f, cols) {
		const struct stat_row *r = row_with(rows, n, of, (*f)->label);
		struct str s = STR_INIT;

		if (r)
			str_addf(&s, "%.*f", r->metric.decimals, r->metric.value);
		*c++ = r ? cell_text(table_text(t, str_cstr(&s))) : cell_absent();
		str_release(&s);
	}
	*c = v->output.sep ? cell_text("") : cell_absent();
}

static void add_data(const struct stat_view *v, const struct stat_row *rows, size_t n,
		     const struct stat_table_opts *o, struct str *out)
{
	const struct draw_opts opts = { .output = v->output, .json = DRAW_JSON_LINES,
					.no_keys = true };
	formula_vec cols = { 0 };
	struct table t = { 0 };
	struct draw d;

	columns(v, &cols);
	stat_id_columns(o, &t);
	for vec_each(f, &cols)
		table_add_column(&t, (*f)->label, (*f)->label);
	table_add_column(&t, "", "")->form = COL_NOT_IN_JSON;	/* a separator ends each line */
	for (size_t i = 0; i < n; i++)
		if (is_first(rows, i)) {
			stat_id_cells(o, &t, &rows[i]);
			add_values(v, &t, &cols, rows, n, &rows[i]);
		}
	draw_begin(&d, &opts, out);
	draw_table(&d, &t);
	draw_end(&d);
	table_release(&t);
	vec_free(&cols);
}

void view_stat_metrics(const struct stat_view *v, const struct stat_row *rows, size_t n,
		       const struct stat_table_opts *o, struct str *out)
{
	if (table_output_data(&v->output))
		add_data(v, rows, n, o, out);
	else
		add_text(v, rows, n, o->time_ns, out);
}
