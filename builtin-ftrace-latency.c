// SPDX-License-Identifier: GPL-2.0-or-later
// perf ftrace latency: a histogram of how long a function takes, by the kernel's tracer or by BPF,
// or of the time between two tracepoints.
#include <errno.h>
#include <stdlib.h>

#include "builtin-ftrace.h"
#include "util/analysis/ns-hist.h"
#include "util/base/num.h"
#include "util/base/xalloc.h"
#include "util/bpf/latency.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/pager.h"
#include "util/event/event.h"
#include "util/session/live.h"
#include "util/view/draw.h"
#include "util/view/ftrace-text.h"

static const double shares[] = { .5, .75, .9, .95, .99, .999 };

static void add_data(const struct ftrace_opts *c, const struct latency_sums *t,
		     const struct latency_buckets *b, struct str *out)
{
	static const char *const keys[] = { "count", "total_ns", "avg_ns", "min_ns", "max_ns",
					    "p50_ns", "p75_ns", "p90_ns", "p95_ns", "p99_ns",
					    "p999_ns" };
	enum { FIRST_SHARE = ARRAY_SIZE(keys) - ARRAY_SIZE(shares) };
	u64 values[ARRAY_SIZE(keys)] = { t->n, t->total_ns, t->n ? t->total_ns / t->n : 0,
					 t->min_ns, t->max_ns };
	struct table facts = { 0 }, rows = { .key = "buckets" };
	struct draw d;
	u64 from, to;

	for (size_t i = 0; i < ARRAY_SIZE(shares); i++)
		values[FIRST_SHARE + i] = ns_hist_percentile_ns(&t->hist, shares[i], t->max_ns);
	table_set_facts(&facts, keys, values, ARRAY_SIZE(keys));
	table_add_column(&rows, "from_ns", "from_ns");
	table_add_column(&rows, "to_ns", "to_ns");
	table_add_column(&rows, "count", "count");
	for (int i = 0; i < LATENCY_BUCKETS && ftrace_bucket(b, i, &from, &to); i++) {
		struct cell *cell = table_add_row(&rows)->cells;

		cell[0] = cell_count(from * b->unit_ns);
		if (to)
			cell[1] = cell_count(to * b->unit_ns);
		cell[2] = cell_count(t->counts[i]);
	}
	draw_begin(&d, &(struct draw_opts){ .output = c->data }, out);
	draw_facts(&d, &facts);
	draw_table(&d, &rows);
	draw_end(&d);
	table_release(&facts);
	table_release(&rows);
}

static void show_latency(const struct ftrace_opts *c, const struct latency_sums *t,
			 const struct latency_buckets *b)
{
	struct str out = STR_INIT;

	if (table_output_data(&c->data)) {
		add_data(c, t, b, &out);
	} else {
		ftrace_add_histogram(&out, t, b, c->hide_empty);
		ftrace_add_statistics(&out, t, b->unit_ns);
		for (size_t i = 0; c->percentiles && i < ARRAY_SIZE(shares); i++)
			str_addf(&out, "  %9.4g%%: %20.3f\n", shares[i] * 100,
				 (double)ns_hist_percentile_ns(&t->hist, shares[i], t->max_ns) /
				 (double)b->unit_ns);
	}
	cli_page(&out);
	str_release(&out);
}

static int check_latency(const struct ftrace_opts *c, struct err *err)
{
	if (c->events && c->run.funcs.n)
		return err_set(err, EINVAL, "-T measures a function, -e the time between two "
			       "events: one of them");
	if (!c->events && c->run.funcs.n != 1) {
		err_set(err, EINVAL, c->run.funcs.n ? "a histogram is of one function" :
			"which function is to be measured?");
		err_hint(err, "perf ftrace latency -T FUNCTION, or -e EVENT1,EVENT2");
		return -EINVAL;
	}
	if (!c->range && (c->min || c->max))
		return err_set(err, EINVAL, "--min-latency and --max-latency need --bucket-range");
	if (c->max && c->max <= c->min)
		return err_set(err, EINVAL, "--max-latency is not above --min-latency");
	return 0;
}

static int measure_calls(struct ftrace_opts *c, const char **argv, const struct latency_buckets *b,
			 struct latency_sums *sums, u64 *n_lost, struct err *err)
{
	struct ftrace_model *m = ftrace_model_new(b);
	const int ret = ftrace_measure(c, argv, m, n_lost, err);

	*sums = *ftrace_model_times(m);
	ftrace_model_free(m);
	return ret;
}

/* Two events of -e: both tracepoints. */
static int find_events(const char *text, struct event_list *l, struct err *err)
{
	struct os os;
	int ret;

	os_init(&os);
	ret = os_tracefs(&os, err);
	if (!ret)
		ret = event_parse(l, text, &os, NULL, err);
	os_release(&os);
	for (size_t i = 0; i < l->events.n && !ret; i++)
		if (l->events.v[i]->attr.type != PERF_TYPE_TRACEPOINT)
			ret = err_set(err, EINVAL, "-e: '%s' is not a tracepoint",
				      l->events.v[i]->name);
	if (!ret && l->events.n != 2) {
		ret = err_set(err, EINVAL, "-e needs two tracepoints, and '%s' is %zu", text,
			      l->events.n);
		err_hint(err, "where it begins and where it ends: "
			 "-e syscalls:sys_enter_read,syscalls:sys_exit_read");
	}
	return ret;
}

/* --- by BPF */

struct watched { int_vec pids, cpus; };

static int choose_tasks(const struct live_session *s, struct target *t, struct latency_opts *o,
			struct watched *w, struct err *err)
{
	int ret = t->pid || t->tid ? target_resolve(t, &s->os, err) : 0;

	if (!ret && t->cpu_list) {
		ret = parse_int_list(t->cpu_list, &w->cpus, err);
		o->cpus = &w->cpus;
	}
	if (ret || t->system_wide || (!s->work.pid && target_none(t)))
		return ret;
	if (t->tid) {
		o->tids = &t->tids;
		return 0;
	}
	o->pids = &w->pids;
	if (s->work.pid)
		vec_push(&w->pids, s->work.pid);
	return t->pid ? parse_int_list(t->pid, &w->pids, err) : 0;
}

/* Until the command or what is watched ends, or a signal comes. */
static int run_programs(struct target *t, const char **argv, struct latency_opts *o,
			struct latency_sums *sums, u64 *n_lost, struct err *err)
{
	const struct live_session_opts so = { .target = *t, .argv = *argv ? argv : NULL };
	struct watched w = { { NULL, 0, 0 }, { NULL, 0, 0 } };
	struct latency *l = NULL;
	struct live_session s;
	int ret = live_session_open(&s, &so, err);

	if (!ret)
		ret = choose_tasks(&s, t, o, &w, err);
	if (!ret)
		ret = latency_open(&l, o, &s.os, err);
	if (!ret)
		ret = live_session_run(&s, NULL, 0, err);
	if (!ret)
		ret = latency_read(l, sums, err);
	if (!ret)
		*n_lost = latency_n_lost(l);
	latency_close(l);
	live_session_close(&s);
	vec_free(&w.pids);
	vec_free(&w.cpus);
	target_release(t);
	return ret;
}

static int measure_by_bpf(struct ftrace_opts *c, const char **argv, const struct latency_buckets *b,
			  struct latency_sums *sums, struct err *err)
{
	struct latency_opts o = { .buckets = *b };
	struct event_list l;
	char *names[2] = { NULL, NULL };
	u64 n_lost = 0;
	int ret = 0;

	event_list_init(&l);
	if (c->events)
		ret = find_events(c->events, &l, err);
	else
		o.function = c->run.funcs.v[0];
	for (size_t i = 0; i < 2 && c->events && !ret; i++)
		names[i] = xasprintf("%s:%s", l.events.v[i]->tp_system, l.events.v[i]->tp_name);
	o.first = names[0];
	o.second = names[1];
	if (!ret)
		ret = run_programs(&c->run.target, argv, &o, sums, &n_lost, err);
	if (n_lost)
		cli_warn("%llu times were not measured: more than 65,536 threads were between "
			 "beginning and end", (unsigned long long)n_lost);
	free(names[0]);
	free(names[1]);
	event_list_release(&l);
	return ret;
}

int ftrace_latency(int argc, const char **argv, void *in)
{
	const char *const usage[] = { "[<options>] [<command>]", NULL };
	struct ftrace_opts *c = in;
	const struct option_table tables[] = {
		{ ftrace_latency_options, c }, { ftrace_target_options, c },
		cli_output_group(&c->data),
		cli_common_group(&c->run.common), { 0 } };
	const struct cli_cmd cmd = { .name = "ftrace latency", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	struct latency_sums sums = { .n = 0 };
	struct err err = ERR_INIT;
	struct latency_buckets b;
	u64 n_lost = 0;
	int ret = cli_parse(&cmd, argc, argv);

	if (ret < 0)
		return cli_status(ret);
	b = (struct latency_buckets){ .unit_ns = c->nsec ? 1 : 1000, .range = c->range,
				      .min = c->min, .max = c->max };
	ret = check_latency(c, &err);
	if (!ret)
		ret = c->bpf || c->events ? measure_by_bpf(c, argv, &b, &sums, &err) :
			measure_calls(c, argv, &b, &sums, &n_lost, &err);
	if (!ret)
		show_latency(c, &sums, &b);
	return ftrace_finish(c, ret, n_lost, &err);
}
