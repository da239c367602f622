// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/stat.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "util/base/num.h"
#include "util/view/draw.h"

/* Columns of a text row: value 18, unit 4, name 32, then the metric: " # " value 8, unit 23. */
#define W_VALUE 18
#define W_UNIT 4
#define W_NAME 32
#define W_METRIC 8
#define W_METRIC_UNIT 23
#define W_ASKED 26

/* Text is for people: numbers are written as their locale says (main keeps LC_NUMERIC at "C" for
 * all that programs read). */
struct numbers { locale_t own, before; };

static struct numbers numbers_begin(void)
{
	struct numbers n = { .own = newlocale(LC_NUMERIC_MASK, "", (locale_t)0) };

	if (n.own)
		n.before = uselocale(n.own);
	return n;
}

static void numbers_end(struct numbers n)
{
	if (!n.own)
		return;
	uselocale(n.before);
	freelocale(n.own);
}

/* A separator may be several bytes, in one column. */
static void add_right(struct str *out, size_t width, const char *text)
{
	size_t columns = 0;

	for (const char *p = text; *p; p++)
		columns += (*p & 0xc0) != 0x80;
	if (columns < width)
		str_addchn(out, ' ', width - columns);
	str_add(out, text);
}

/* --- text --- */

static int number_width(const struct stat_view *v)
{
	return v->aggr == STAT_SOCKET || v->aggr == STAT_NODE ? 9 : 12;
}

static void add_text_id(const struct stat_view *v, const struct stat_row *r, size_t width,
			struct str *out)
{
	struct str id = STR_INIT;

	stat_row_id(v->aggr, r, &id);
	switch (v->aggr) {
	case STAT_GLOBAL: break;
	case STAT_CPU: str_addf(out, "%-*s", (int)MAX(width + 1, (size_t)11), str_cstr(&id)); break;
	case STAT_THREAD: {
		struct str comm = STR_INIT;

		str_add_safe(&comm, r->comm ? r->comm : "");
		str_addf(out, "%16s-%-8d ", str_cstr(&comm), r->tid);
		str_release(&comm);
		break;
	}
	default: str_addf(out, "%-*s%*d ", (int)width, str_cstr(&id), number_width(v),
			  r->n_counters);
	}
	str_release(&id);
}

static void add_value(const struct stat_view *v, const struct stat_row *r, struct str *out)
{
	if (r->state != STAT_COUNTED)
		str_add(out, r->state == STAT_NOT_SUPPORTED ? "<not supported>" : "<not counted>");
	else if (r->fraction)
		str_addf(out, v->group_digits ? "%'.2f" : "%.2f", r->value);
	else if (v->group_digits && r->value >= 0)
		str_add_grouped(out, u64_of(round(r->value)));
	else
		str_addf(out, "%.0f", r->value);
}

/* One that was asked for: its unit and name, coloured by its threshold. */
static void add_asked_metric(const struct stat_metric *m, bool colour, struct str *out)
{
	const char *on = !colour || !m->verdict ? "" : !strcmp(m->verdict, "bad") ? "\033[31m" :
		"\033[32m";

	str_addf(out, " # %s%*.*f%s ", on, W_METRIC, m->decimals, m->value, *on ? "\033[m" : "");
	str_add_safe(out, m->unit);
	str_addchn(out, ' ', strlen(m->unit) < W_ASKED ? W_ASKED - strlen(m->unit) : 0);
}

static void add_metric(const struct stat_metric *m, struct str *out)
{
	bool pct = str_has_prefix(m->unit, "of all") || str_has_suffix(m->unit, "cycles idle");

	if (pct)
		str_addf(out, " # %*.2f%%  %-*s", W_METRIC - 1, m->value, W_METRIC_UNIT - 1,
			 m->unit);
	else if (m->decimals == 2)
		str_addf(out, " # %*.2f  %-*s", W_METRIC - 1, m->value, W_METRIC_UNIT, m->unit);
	else
		str_addf(out, " # %*.*f %-*s", W_METRIC, m->decimals, m->value, W_METRIC_UNIT,
			 m->unit);
}

/* Nothing but a metric, below the row that it belongs to. */
static void add_metric_row(const struct stat_view *v, const struct stat_row *r, s64 time_ns,
			   size_t width, struct str *out)
{
	struct str lead = STR_INIT;

	if (time_ns >= 0)
		str_addchn(out, ' ', 17);
	add_text_id(v, r, width, &lead);
	str_addchn(out, ' ', lead.len + W_VALUE + 1 + W_UNIT + 1 + W_NAME);
	str_release(&lead);
	add_asked_metric(&r->metric, v->colour, out);
	str_addch(out, '\n');
}

static void add_text_row(const struct stat_view *v, const struct stat_row *r, s64 time_ns,
			 size_t width, struct str *out)
{
	struct str s = STR_INIT;

	if (time_ns >= 0)
		str_addf(out, "%6lld.%09lld ", (long long)(time_ns / 1000000000),
			 (long long)(time_ns % 1000000000));
	add_text_id(v, r, width, out);
	add_value(v, r, &s);
	add_right(out, W_VALUE, str_cstr(&s));
	str_addch(out, ' ');
	str_reset(&s);
	str_add_safe(&s, r->unit);
	str_addf(out, "%-*s ", W_UNIT, str_cstr(&s));
	str_reset(&s);
	str_add_safe(&s, r->name);
	str_addf(out, "%-*s", W_NAME, str_cstr(&s));
	if (r->cgroup) {
		str_addch(out, ' ');
		str_add_safe(out, r->cgroup);
	}
	if (r->state != STAT_COUNTED)
		str_addchn(out, ' ', 28);
	else if (r->metric.unit)
		add_asked_metric(&r->metric, v->colour, out);
	else if (r->also.unit)
		add_metric(&r->also, out);
	else
		str_addchn(out, ' ', 3 + W_METRIC + 1 + W_METRIC_UNIT);
	if (r->state == STAT_COUNTED && r->noise_pct > 0)
		str_addf(out, "  ( +-%6.2f%% )", r->noise_pct);
	if (r->state == STAT_COUNTED && r->running_pct < 99.995)
		str_addf(out, "  (%.2f%%)", r->running_pct);
	str_addch(out, '\n');
	if (r->extra.unit && r->state == STAT_COUNTED) {
		str_addchn(out, ' ', W_VALUE + 1 + W_UNIT + 1 + W_NAME);
		add_metric(&r->extra, out);
		str_addch(out, '\n');
	}
	str_release(&s);
}

void view_stat_interval_title(const struct stat_view *v, struct str *out)
{
	static const char *const titles[] = {
		[STAT_GLOBAL] = "#           time             counts unit events\n",
		[STAT_CPU] = "#           time CPU                    counts unit events\n",
		[STAT_CORE] = "#           time core            cpus             counts unit "
			      "events\n",
		[STAT_CLUSTER] = "#           time cluster         cpus             counts unit "
				 "events\n",
		[STAT_CACHE] = "#           time cache                  cpus             counts "
			       "unit events\n",
		[STAT_DIE] = "#           time die          cpus             counts unit events\n",
		[STAT_SOCKET] = "#           time socket cpus             counts unit events\n",
		[STAT_NODE] = "#           time node   cpus             counts unit events\n",
		[STAT_THREAD] = "#           time             comm-pid                  counts "
				"unit events\n",
	};

	if (!table_output_data(&v->output))
		str_add(out, titles[v->aggr]);
}

/* --- data: upstream's fields and keys --- */

static void add_data(const struct stat_view *v, const struct stat_row *rows, size_t n, s64 time_ns,
		     const char *lead,
		     struct str *out)
{
	const struct draw_opts opts = { .output = v->output, .json = DRAW_JSON_LINES,
					.no_keys = true };
	struct table t = { 0 };
	struct draw d;

	stat_table(rows, n, &(struct stat_table_opts){ v->aggr, time_ns, lead }, &t);
	draw_begin(&d, &opts, out);
	draw_table(&d, &t);
	draw_end(&d);
	table_release(&t);
}

void view_stat_rows(const struct stat_view *v, const struct stat_row *rows, size_t n, s64 time_ns,
		    const char *lead,
		    struct str *out)
{
	struct numbers numbers;
	struct str id = STR_INIT;
	size_t width = 0;

	if (v->metric_only) {
		view_stat_metrics(v, rows, n, &(struct stat_table_opts){ v->aggr, time_ns, lead },
				  out);
		return;
	}
	if (table_output_data(&v->output)) {
		add_data(v, rows, n, time_ns, lead, out);
		return;
	}
	numbers = numbers_begin();
	for (size_t i = 0; i < n; i++) {
		str_reset(&id);
		if (v->aggr != STAT_THREAD)
			stat_row_id(v->aggr, &rows[i], &id);
		width = MAX(width, id.len);
	}
	str_release(&id);
	for (size_t i = 0; i < n; i++)
		if (rows[i].state == STAT_ONLY_METRIC)
			add_metric_row(v, &rows[i], time_ns, width, out);
		else if (rows[i].lack < STAT_LACK_HIDDEN)
			add_text_row(v, &rows[i], time_ns, width, out);
	numbers_end(numbers);
}

/* --- the end --- */

/* As many decimals as show three digits of the error. */
static int decimals_for(double error)
{
	int d = 4;

	if (error <= 0)
		return 9;
	while (d < 9 && error * pow(10, d) < 100)
		d++;
	return d;
}

static void add_bar(double deviation, double scale, struct str *out)
{
	int n = scale > 0 ? (int)(fabs(deviation) / scale + 0.5) : 0;

	str_addchn(out, '#', MAX(1, MIN(n, 40)));
}

static void add_elapsed(const double *seconds, size_t runs, bool table, struct str *out)
{
	struct stat_spread s = { 0 };
	double error;
	int d;

	for (size_t i = 0; i < runs; i++)
		stat_spread_add(&s, seconds[i]);
	error = stat_spread_error(&s);
	if (runs < 2) {
		str_addf(out, "%18.9f seconds time elapsed\n", runs ? seconds[0] : 0.0);
		return;
	}
	d = decimals_for(error);
	if (table) {
		str_add(out, "         # Table of individual measurements:\n");
		for (size_t i = 0; i < runs; i++) {
			double dev = seconds[i] - s.mean;

			str_addf(out, "         %.*f (%+.*f) ", d, seconds[i], d, dev);
			add_bar(dev, error, out);
			str_addch(out, '\n');
		}
		str_add(out, "\n         # Final result:\n");
	}
	str_addf(out, "%18.*f +- %.*f seconds time elapsed", d, s.mean, d, error);
	if (s.mean > 0)
		str_addf(out, "  ( +-%6.2f%% )", 100 * error / s.mean);
	str_addch(out, '\n');
}

void view_stat_elapsed(const double *seconds, size_t runs, bool table, struct str *out)
{
	struct numbers numbers = numbers_begin();

	add_elapsed(seconds, runs, table, out);
	numbers_end(numbers);
}

void view_stat_cpu_time(double user_s, double sys_s, struct str *out)
{
	struct numbers numbers = numbers_begin();

	str_addf(out, "\n%18.9f seconds user\n%18.9f seconds sys\n\n", user_s, sys_s);
	numbers_end(numbers);
}
