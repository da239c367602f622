// SPDX-License-Identifier: GPL-2.0-or-later
// perf stat --compare A B: two commands by turns, and whether one of them is faster.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-stat.h"
#include "util/analysis/stat/compare.h"
#include "util/cli/error.h"
#include "util/view/draw.h"

#define DEFAULT_PAIRS 20

typedef VEC(double) values;

struct measure {
	const char *name;		/* borrowed */
	values v[2];			/* of A and B, one a pair */
	struct stat_comparison is;
};

struct comparing {
	struct stat_cmd *c;
	VEC(struct measure) measures;	/* times, then events */
};

enum { ELAPSED, CPU, USER, SYSTEM, N_TIMES };
static const char *const time_names[N_TIMES] = { "seconds elapsed", "seconds of CPU",
						 "seconds user", "seconds sys" };

int stat_compare_take(const struct cli_cmd *cmd, struct stat_cmd *c, int *argc, const char **argv)
{
	for (int i = 1; i < *argc && strcmp(argv[i], "--"); i++) {
		if (strcmp(argv[i], "--compare"))
			continue;
		if (i + 2 >= *argc)
			return cli_usage_error_opt(cmd, "compare", "--compare takes two "
						   "commands: perf stat --compare 'A' 'B' -r 20");
		c->compare.commands[0] = argv[i + 1];
		c->compare.commands[1] = argv[i + 2];
		memmove(argv + i, argv + i + 3, (size_t)(*argc - i - 3) * sizeof(*argv));
		*argc -= 3;
		argv[*argc] = NULL;
		return 0;
	}
	return 0;
}

static void put(struct comparing *x, size_t no, const char *name, int which, double value)
{
	while (x->measures.n <= no)
		vec_add(&x->measures);
	x->measures.v[no].name = name;
	vec_push(&x->measures.v[no].v[which], value);
}

/* Names of events stay: they are the list's. */
static void put_all(struct comparing *x, int which, const struct count_result *r)
{
	put(x, ELAPSED, time_names[ELAPSED], which, r->seconds.v[0]);
	put(x, CPU, time_names[CPU], which, r->user_s + r->sys_s);
	put(x, USER, time_names[USER], which, r->user_s);
	put(x, SYSTEM, time_names[SYSTEM], which, r->sys_s);
	for (size_t i = 0; i < r->rows.n; i++)
		put(x, N_TIMES + i, r->rows.v[i].event->name, which,
		    r->rows.v[i].state == STAT_COUNTED ? r->rows.v[i].value : 0);
}

/* 0, or the exit status; kept: it is no warm-up. */
static int run_one(struct comparing *x, int which, bool kept)
{
	struct stat_cmd *c = x->c;
	const char *argv[] = { "/bin/sh", "-c", c->compare.commands[which], NULL };
	struct count_opts o = c->count;
	struct count_result r = { 0 };
	struct err err = ERR_INIT;
	int status = 0;

	o.argv = argv;
	o.runs = 1;
	if (count_run(&c->events.list, &c->os, &o, &r, &err))
		status = cli_error(&err);
	else if (r.signal)
		status = 128 + r.signal;
	else if (r.exit_code)
		status = cli_errorf("command %c failed with exit status %d: '%s'", 'A' + which,
				    r.exit_code, c->compare.commands[which]);
	else if (kept)
		put_all(x, which, &r);
	err_release(&err);
	count_result_release(&r);
	return status;
}

/* --- what it says --- */

static const char *const words[] = { [STAT_NO_DIFFERENCE] = "no difference seen",
				     [STAT_LESS] = "less", [STAT_MORE] = "more",
				     [STAT_NO_RATIO] = "" };
static const char *const time_words[] = { [STAT_NO_DIFFERENCE] = "no difference seen",
					  [STAT_LESS] = "faster", [STAT_MORE] = "slower",
					  [STAT_NO_RATIO] = "" };

static void add_value(struct str *out, double v, bool seconds)
{
	if (seconds)
		str_addf(out, " %16.6f", v);
	else
		str_addf(out, v == floor(v) ? " %16.0f" : " %16.2f", v);
}

/* What decides: the elapsed time, or, where that was too unsteady to say, the CPU time. */
static const struct measure *deciding(const struct comparing *x)
{
	const struct measure *elapsed = &x->measures.v[ELAPSED], *cpu = &x->measures.v[CPU];
	const bool cpu_differs = cpu->is.verdict == STAT_LESS || cpu->is.verdict == STAT_MORE;

	return elapsed->is.verdict == STAT_NO_DIFFERENCE && cpu_differs ? cpu : elapsed;
}

static void add_verdict(const struct comparing *x, struct str *out)
{
	const struct measure *m = deciding(x);
	const struct stat_comparison *t = &m->is;

	if (t->verdict == STAT_NO_DIFFERENCE)
		str_addf(out, "\n No difference seen: B takes %.4f to %.4f times as long as A.\n\n",
			 t->low, t->high);
	else if (m == &x->measures.v[CPU])
		str_addf(out, "\n B is %s: it takes %.4f times as much CPU time as A (%.4f to "
			 "%.4f).\n\n", time_words[t->verdict], t->ratio, t->low, t->high);
	else
		str_addf(out, "\n B is %s: it takes %.4f times as long as A (%.4f to %.4f).\n\n",
			 time_words[t->verdict], t->ratio, t->low, t->high);
}

static void add_text(const struct comparing *x, struct str *out)
{
	const struct stat_cmd *c = x->c;

	str_add(out, "\n A: ");
	str_add_safe(out, c->compare.commands[0]);
	str_add(out, "\n B: ");
	str_add_safe(out, c->compare.commands[1]);
	str_addf(out, "\n\n %-24s %16s %16s %9s   %d%% interval (%zu pairs)\n", "median of", "A",
		 "B", "B / A", STAT_CONFIDENCE_PCT, x->measures.v[ELAPSED].v[0].n);
	for (size_t i = 0; i < x->measures.n; i++) {
		const struct measure *m = &x->measures.v[i];
		const bool time = i < N_TIMES;

		str_addch(out, ' ');
		str_addf(out, "%-24s", m->name);
		add_value(out, m->is.median_a, time);
		add_value(out, m->is.median_b, time);
		if (m->is.verdict != STAT_NO_RATIO)
			str_addf(out, " %9.4f   %.4f .. %-10.4f %s", m->is.ratio, m->is.low,
				 m->is.high, (time ? time_words : words)[m->is.verdict]);
		str_addch(out, '\n');
	}
	add_verdict(x, out);
}

static void add_data(const struct comparing *x, struct str *out)
{
	static const char *const keys[] = { "measure", "a", "b", "ratio", "low", "high",
					    "verdict" };
	const struct draw_opts how = { .output = x->c->output.data, .json = DRAW_JSON_ROWS };
	struct table t = { .key = "comparison" };
	struct draw d;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		table_add_column(&t, keys[i], keys[i]);
	for (size_t i = 0; i < x->measures.n; i++) {
		const struct measure *m = &x->measures.v[i];
		const bool ratio = m->is.verdict != STAT_NO_RATIO;
		struct cell *cells = table_add_row(&t)->cells;

		cells[0] = cell_text(m->name);
		cells[1] = cell_num(m->is.median_a, 6);
		cells[2] = cell_num(m->is.median_b, 6);
		cells[3] = ratio ? cell_num(m->is.ratio, 6) : cell_absent();
		cells[4] = ratio ? cell_num(m->is.low, 6) : cell_absent();
		cells[5] = ratio ? cell_num(m->is.high, 6) : cell_absent();
		cells[6] = ratio ? cell_text((i < N_TIMES ? time_words : words)[m->is.verdict]) :
			cell_absent();
	}
	draw_begin(&d, &how, out);
	draw_table(&d, &t);
	draw_end(&d);
	table_release(&t);
}

/* The status that --fail-if-slower asks for. */
static int judge(const struct comparing *x)
{
	const struct stat_comparison *t = &deciding(x)->is;
	const double limit = 1 + x->c->compare.fail_pct / 100;

	if (!x->c->compare.fails || t->verdict != STAT_MORE || t->ratio <= limit)
		return 0;
	return cli_errorf("command B is %.2f%% slower than A: more than --fail-if-slower %g allows",
			  100 * (t->ratio - 1), x->c->compare.fail_pct);
}

static int show(struct comparing *x)
{
	struct str s = STR_INIT;

	for vec_each(m, &x->measures)
		stat_compare(m->v[0].v, m->v[1].v, m->v[0].n, &m->is);
	if (table_output_data(&x->c->output.data))
		add_data(x, &s);
	else
		add_text(x, &s);
	fputs(str_cstr(&s), x->c->output.f);
	str_release(&s);
	return judge(x);
}

int stat_compare_run(struct stat_cmd *c)
{
	struct comparing x = { .c = c };
	const int pairs = c->count.runs > 1 ? c->count.runs : DEFAULT_PAIRS;
	struct err err = ERR_INIT;
	int status = 0, close_status;

	c->count.null_run = !c->events.list.events.n && !c->events.metrics;
	if (stat_prepare_events(c, &err) ||
	    stat_output_open(&c->output, c->common.quiet, &err)) {
		status = cli_error(&err);
		err_release(&err);
		return status;
	}
	for (int i = -1; i < pairs && !status; i++)
		for (int which = 0; which < 2 && !status; which++)
			status = run_one(&x, which, i >= 0);
	if (!status)
		status = show(&x);
	close_status = stat_output_close(&c->output);
	for vec_each(m, &x.measures) {
		vec_free(&m->v[0]);
		vec_free(&m->v[1]);
	}
	vec_free(&x.measures);
	return status ? status : close_status;
}
