// SPDX-License-Identifier: GPL-2.0-or-later
// perf sched stats: the counters of /proc/schedstat around a command, or recorded.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "builtin.h"
#include "builtin-sched.h"
#include "util/analysis/schedstat.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/data/writer.h"
#include "util/os/schedstats.h"
#include "util/os/wait-set.h"
#include "util/os/workload.h"
#include "util/session/session.h"
#include "util/view/schedstat.h"

struct stats_cmd {
	const char *input, *output, *cpus;
	struct table_output data;
	bool force;
	int verbose;
	struct cli_common common;
};

static const struct option_def stats_options[] = {
	OPT_STRING('C', "cpu", struct stats_cmd, cpus, "cpu", "only these CPUs (0-3,8)"),
	OPT_FLAG('f', "force", struct stats_cmd, force,
	     "read a recording that belongs to another user"),
	OPT_STRING('i', "input", struct stats_cmd, input, "file",
		   "the file to report (default: perf.data)"),
	OPT_STRING('o', "output", struct stats_cmd, output, "file",
		   "the file to record into (default: perf.data)"),
	OPT_COUNT('v', "verbose", struct stats_cmd, verbose,
		  "explain the fields"),
	OPT_END
};

/* One recording: what was counted in it. */
struct stats_side {
	schedstat_rows rows, delta, average;
	u64 elapsed;
	struct session session;
	struct data_features live;		/* without a recording */
};

static void stats_release(struct stats_side *s)
{
	vec_free(&s->rows);
	vec_free(&s->delta);
	vec_free(&s->average);
	data_features_release(&s->live);
}

/* Differences and averages of the CPUs in a list (NULL: all). */
static int stats_settle(struct stats_side *s, const char *cpus, struct err *err)
{
	int ret = schedstat_keep_cpus(&s->rows, cpus, err);

	if (ret)
		return ret;
	schedstat_delta(&s->rows, &s->delta, &s->elapsed);
	schedstat_average(&s->delta, &s->average);
	return 0;
}

struct rows_sink {
	struct sink sink;
	schedstat_rows *rows;
	bool bad;
	u64 bad_off;
};

static void take_row(struct sink *sink, const struct perf_event_header *rec,
		     const struct sample_id *id UNUSED, u64 off)
{
	struct rows_sink *r = sink->ctx;

	if (r->bad || schedstat_decode(rec, r->rows) >= 0)
		return;
	r->bad = sink->stop = true;
	r->bad_off = off;
}

static int stats_load(struct stats_side *s, const char *path, const struct stats_cmd *o)
{
	struct rows_sink rows = { .sink = { .wants = SINK_SIDEBAND, .record = take_row,
					    .ctx = &rows },
				  .rows = &s->rows };
	struct session *in = &s->session;
	int ret = session_open(in, &(struct session_opts){ .path = path, .force = o->force,
							   .quiet = o->common.quiet });

	if (!ret)
		ret = session_run(in, (struct sink *[]){ &rows.sink }, 1);
	if (!ret && rows.bad)
		ret = err_set(&in->err, EINVAL, "%s: the record at offset 0x%llx is damaged, or of "
						"an unknown "
			      "version of schedstat", in->source->name,
			      (unsigned long long)rows.bad_off);
	if (!ret && !s->rows.n) {
		ret = err_set(&in->err, ENOENT, "no scheduler statistics in '%s'",
			      in->source->name);
		err_hint(&in->err, "record them with: perf sched stats record -- COMMAND");
	}
	return ret ? ret : stats_settle(s, o->cpus, &in->err);
}

static struct schedstat_domain find_domain(const void *ctx, s64 cpu, int domain)
{
	const struct stats_side *s = ctx;

	for vec_each(c, s->session.open ? &s->session.source->env->domains : &s->live.domains) {
		for vec_each(d, &c->domains) {
			if ((cpu == SCHEDSTAT_ANY_CPU || c->cpu == (u32)cpu) && (int)d->domain ==
			    domain)
				return (struct schedstat_domain){ d->name, d->cpus };
		}
	}
	return (struct schedstat_domain){ 0 };
}

static struct schedstat_side view_of(const struct stats_side *s, const schedstat_rows *rows,
				     const struct stats_cmd *c)
{
	return (struct schedstat_side){ rows, s->elapsed, c->verbose > 0, find_domain, s };
}

static void show(struct str *out)
{
	cli_pager_start();
	fputs(str_cstr(out), stdout);
	str_release(out);
}

static struct schedstat_data data_of(const struct stats_side *s, struct table *rows)
{
	schedstat_table(&s->delta, &s->average, find_domain, s, rows);
	return (struct schedstat_data){ rows, s->elapsed };
}

/* b NULL: one side. */
static void stats_draw(const struct stats_side *a, const struct stats_side *b,
		       const struct stats_cmd *c)
{
	struct table rows[2] = { 0 };
	struct schedstat_data old = data_of(a, &rows[0]), new = { NULL, 0 };
	struct str out = STR_INIT;

	if (b)
		new = data_of(b, &rows[1]);
	schedstat_draw(&out, &old, b ? &new : NULL, &c->data);
	show(&out);
	table_release(&rows[0]);
	table_release(&rows[1]);
}

static void stats_print(const struct stats_side *s, const struct stats_cmd *c)
{
	struct schedstat_side all = view_of(s, &s->average, c), each = view_of(s, &s->delta, c);
	struct str out = STR_INIT;

	if (table_output_data(&c->data)) {
		stats_draw(s, NULL, c);
		return;
	}
	schedstat_head(&out, &all, NULL);
	schedstat_block(&out, &all, NULL, 0, "<ALL CPUS SUMMARY>");
	for (size_t at = 0; at < s->delta.n;)
		at = schedstat_block(&out, &each, NULL, at, NULL);
	show(&out);
}

static void stats_compare(const struct stats_side *s, const struct stats_cmd *c)
{
	struct schedstat_side a = view_of(&s[0], &s[0].average, c);
	struct schedstat_side b = view_of(&s[1], &s[1].average, c);
	struct str out = STR_INIT;

	if (table_output_data(&c->data)) {
		stats_draw(&s[0], &s[1], c);
		return;
	}
	schedstat_head(&out, &a, &b);
	schedstat_block(&out, &a, &b, 0, "<ALL CPUS SUMMARY>");
	show(&out);
}

static int read_schedstat(struct os *os, schedstat_rows *out, struct err *err)
{
	struct str text = STR_INIT;
	int ret = schedstats_read(os, &text, err);

	if (ret == -ENOENT)
		err_hint(err, "the kernel needs CONFIG_SCHEDSTATS");
	if (!ret)
		ret = schedstat_parse(str_cstr(&text), out, err);
	str_release(&text);
	return ret;
}

/* Until the command has ended (none: until the user's signal, which also ends a command). */
static int wait_for_end(struct os *os, struct waiter *waiter, const char *const *argv,
			bool data_to_stdout, struct err *err)
{
	struct workload w = { 0 };
	int ret = 0;

	if (argv[0]) {
		ret = workload_prepare(&w, argv, data_to_stdout, err);
		if (!ret)
			ret = workload_start(&w, err);
		if (!ret)
			waiter_watch(waiter, w.pid);
	}
	if (!ret && waiter_wait(waiter, os, 0) == WAIT_ENDED)
		workload_poll(&w);
	workload_release(&w, ret || waiter->signal);
	return ret;
}

/* The counters before and after a command, which are switched on meanwhile. */
static int stats_measure(struct os *os, const char *const *argv, bool data_to_stdout,
			 schedstat_rows *rows, struct err *err)
{
	struct waiter waiter = { .signal_fd = -1 };
	struct schedstats counters = { 0 };
	int ret = waiter_init(&waiter, err);

	if (!ret) {
		ret = schedstats_on(&counters, os, err);
		if (ret == -EACCES || ret == -EPERM || ret == -EROFS) {
			cli_warn("most counters stand still, and cannot be switched on: as root: "
				 "sysctl kernel.sched_schedstats=1");
			err_release(err);
			ret = 0;
		}
	}
	if (!ret)
		ret = read_schedstat(os, rows, err);
	if (!ret)
		ret = wait_for_end(os, &waiter, argv, data_to_stdout, err);
	if (!ret)
		ret = read_schedstat(os, rows, err);
	schedstats_off(&counters, os);
	waiter_release(&waiter);
	return ret;
}

static int stats_write(struct os *os, const char *path, const schedstat_rows *rows, struct err *err)
{
	struct data_writer_opts opts = { .keep_old = true, .by_default = !path };
	struct data_features feat;
	struct data_writer w = { 0 };
	struct event_list none = { 0 };
	struct str bytes = STR_INIT;
	int ret = data_writer_open(&w, path, &opts, err);

	data_features_init(&feat);
	for vec_each(row, rows)
		schedstat_encode(row, &bytes);
	if (!ret)
		ret = data_writer_events(&w, &none, (struct span){ 0 }, err);
	if (!ret)
		ret = data_write(&w, bytes.buf, bytes.len, err);
	if (!ret) {
		data_features_collect(&feat, os);
		data_features_collect_domains(&feat, os, rows->v[0].version);
		ret = data_writer_finish(&w, &feat, &none, err);
	}
	data_writer_release(&w);
	data_features_release(&feat);
	str_release(&bytes);
	return ret;
}

enum stats_what { STATS_LIVE, STATS_RECORD, STATS_REPORT, STATS_DIFF };

static int stats_live(const struct stats_cmd *c, enum stats_what what, const char *const *argv,
		      struct err *err)
{
	struct stats_side s = { 0 };
	struct os os;
	int ret;

	os_init(&os);
	ret = stats_measure(&os, argv, what == STATS_RECORD && c->output && !strcmp(c->output, "-"),
			    &s.rows, err);
	if (!ret && what == STATS_RECORD) {
		ret = schedstat_keep_cpus(&s.rows, c->cpus, err);
		if (!ret)
			ret = stats_write(&os, c->output, &s.rows, err);
		if (!ret)
			fprintf(stderr, "[ perf sched stats: Wrote samples to %s ]\n", c->output ?
				c->output : "perf.data");
	} else if (!ret) {
		ret = stats_settle(&s, c->cpus, err);
		if (!ret) {
			data_features_collect_domains(&s.live, &os, s.rows.v[0].version);
			stats_print(&s, c);
		}
	}
	stats_release(&s);
	os_release(&os);
	return ret;
}

/* The exit status. */
static int stats_report(const struct stats_cmd *c)
{
	struct stats_side s = { 0 };
	int ret = stats_load(&s, c->input, c);

	if (!ret)
		stats_print(&s, c);
	ret = session_close(&s.session, ret);
	stats_release(&s);
	return ret;
}

/* The exit status. */
static int stats_diff(const struct stats_cmd *c, const char *old, const char *new)
{
	struct stats_side s[2] = { 0 };
	int ret = stats_load(&s[0], old, c), other = 0;

	if (!ret) {
		other = stats_load(&s[1], new, c);
		if (!other)
			stats_compare(s, c);
	}
	ret = session_close(&s[0].session, ret);
	other = session_close(&s[1].session, other);
	stats_release(&s[0]);
	stats_release(&s[1]);
	return ret ? ret : other;
}

static enum stats_what stats_word(const char *word)
{
	return !word ? STATS_LIVE : !strcmp(word, "record") ? STATS_RECORD :
		!strcmp(word, "report") ? STATS_REPORT :
	       !strcmp(word, "diff") ? STATS_DIFF : STATS_LIVE;
}

int sched_stats(int argc, const char **argv, void *in UNUSED)
{
	struct stats_cmd c = { 0 };
	const char *const usage[] = { "[<options>] [<command>]",
				      "[<options>] record [<options>] [<command>]",
				      "[<options>] report [<options>]", "[<options>] diff "
									"[<options>] [<old> "
									"[<new>]]", NULL };
	const struct option_table tables[] =
		{ { stats_options, &c }, cli_output_group(&c.data), session_group(),
		  cli_common_group(&c.common), { 0 } };
	static const char *const words[] = { "record", "report", "diff", NULL };
	struct cli_cmd cmd = { .name = "sched stats", .usage = usage, .tables = tables,
			       .words = words, .flags = CLI_STOP_AT_NON_OPTION };
	struct err err = ERR_INIT;
	enum stats_what what;
	int n = cli_parse(&cmd, argc, argv), ret;

	if (n < 0)
		return cli_status(n);
	what = stats_word(n ? argv[0] : NULL);
	if (what != STATS_LIVE) {
		if (what != STATS_RECORD)
			/* no workload: options may follow the files */
			cmd.flags = what == STATS_REPORT ? CLI_NO_ARGUMENTS : 0;
		n = cli_parse(&cmd, n, argv);
		if (n < 0)
			return cli_status(n);
	}
	if (what == STATS_DIFF && n > 2)
		return cli_usage_error(&cmd, "two recordings can be compared, not %d", n);
	if (what == STATS_DIFF)
		return stats_diff(&c, n == 2 ? argv[0] : "perf.data.old",
				  n == 2 ? argv[1] : n ? argv[0] : "perf.data");
	if (what == STATS_REPORT)
		return stats_report(&c);
	ret = stats_live(&c, what, argv, &err);
	ret = ret ? cli_error(&err) : 0;
	err_release(&err);
	return ret;
}
