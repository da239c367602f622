// SPDX-License-Identifier: GPL-2.0-or-later
// perf lock contention, report and info: waits for the kernel's locks, summed up from a recording.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "builtin-lock.h"
#include "util/base/log.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/view/draw.h"

static const struct option_def report_options[] = {
	OPT_FLAG('t', "threads", struct lock_cmd, by_task, "a row for each thread that waited"),
	OPT_FLAG('c', "combine-locks", struct lock_cmd, opts.combine,
		 "one row for all locks of one name"),
	OPT_STRING('k', "key", struct lock_cmd, choice.key, "field",
		   "sort rows by one of: acquired, " LOCK_FIELDS " (default: acquired)"),
	OPT_STRING('F', "field", struct lock_cmd, choice.fields, "field[,field...]",
		   "show these columns: acquired, " LOCK_FIELDS),
	OPT_INT('E', "entries", struct lock_cmd, view.n_rows, "n", "show at most so many rows"),
	OPT_FLAG(0, "percentiles", struct lock_cmd, opts.percentiles,
		 "also the times that 50, 95 and 99% of the waits are not above"),
	OPT_END
};

/* --- what was asked for */

static int find_field(const char *name, size_t n, bool contention)
{
	for (int i = contention ? LOCK_CONTENDED : 0; i < LOCK_N_FIELDS; i++)
		if (strlen(lock_field_names[i].key) == n &&
		    !strncmp(lock_field_names[i].key, name, n))
			return i;
	return -1;
}

static int bad_field(const char *what, const char *name, size_t n, bool contention,
		     struct err *err)
{
	err_set(err, EINVAL, "%s: there is no field '%.*s'", what, (int)n, name);
	err_hint(err, "the fields are: %s" LOCK_FIELDS, contention ? "" : "acquired, ");
	return -EINVAL;
}

static bool has_field(const struct lock_view *v, int f)
{
	for (int i = 0; i < v->n_fields; i++)
		if (v->fields[i] == f)
			return true;
	return false;
}

int lock_set_fields(struct lock_view *v, const char *fields, const char *key, bool contention,
		    enum lock_field *sort, struct err *err)
{
	const int by = key ? find_field(key, strlen(key), contention) :
		contention ? LOCK_TOTAL_WAIT : LOCK_ACQUIRED;

	if (by < 0)
		return bad_field("--key", key, strlen(key), contention, err);
	*sort = (enum lock_field)by;
	for (const char *p = fields; p && *p; p += *p == ',') {
		const size_t n = strcspn(p, ",");
		const int f = find_field(p, n, contention);

		if (f < 0)
			return bad_field("--field", p, n, contention, err);
		if (!has_field(v, f))
			v->fields[v->n_fields++] = f;
		p += n;
	}
	if (!has_field(v, by))
		v->fields[v->n_fields++] = by;
	return 0;
}

/* A separator that stands in names leaves lines that nobody can take apart. */
static int check_separator(struct lock_cmd *c, struct err *err)
{
	static const char used[] = ".+:_0123456789abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	if (!c->sep)
		return 0;
	c->view.sep = cli_separator(c->sep);
	if (!*c->view.sep || strpbrk(c->view.sep, used))
		return err_set(err, EINVAL, "the separator '%s' stands in names and numbers",
			       c->view.sep);
	return 0;
}

static int check(struct lock_cmd *c, bool contention, struct err *err)
{
	int ret = 0;

	if (c->by_task && c->by_lock)
		ret = err_set(err, EINVAL, "--threads and --lock-addr exclude each other");
	if (!ret && c->by_owner + c->by_cgroup + c->by_lock > 1)
		ret = err_set(err, EINVAL, "only one of --lock-owner, --lock-cgroup and "
			      "--lock-addr at a time");
	if (!ret && c->sep && c->data.json)
		ret = err_set(err, EINVAL, "-x and --json exclude each other");
	if (!ret && (c->opts.stack_skip < 0 || c->opts.max_stack < 0 || c->view.n_rows < 0))
		ret = err_set(err, EINVAL, "--stack-skip, --max-stack and --entries cannot be "
					   "negative");
	if (!ret)
		ret = check_separator(c, err);
	if (!ret)
		ret = lock_set_fields(&c->view, c->choice.fields, c->choice.key, contention,
				      &c->opts.key, err);
	/* their stacks tell more than their names */
	c->opts.by = c->by_owner && c->view.stacks ? LOCK_BY_CALLER : c->by_owner ? LOCK_BY_OWNER :
		c->by_cgroup ? LOCK_BY_CGROUP :
		c->by_task ? LOCK_BY_TASK : c->by_lock || !contention ? LOCK_BY_LOCK :
		LOCK_BY_CALLER;
	c->view.by = c->opts.by;
	c->view.percentiles = c->opts.percentiles;
	return ret ? cli_error(err) : 0;
}

/* --- what is shown */

static void tell_stats(const struct lock_stats *st)
{
	if (st->n_unended)
		cli_warn("%llu waits had no end in the recording: they are not counted",
			 (unsigned long long)st->n_unended);
	if (st->n_unbegun)
		cli_warn("%llu waits began before the recording, or their beginning was lost: they "
			 "are not counted", (unsigned long long)st->n_unbegun);
}

static int show(struct lock_reading *r, const struct lock_cmd *c, bool contention)
{
	struct str text = STR_INIT;
	int ret;

	lock_draw(c, r->models[0], contention, &text);
	ret = lock_write(&c->in, &text, table_output_data(&c->data), &r->s.err);
	if (!c->in.common.quiet)
		tell_stats(lock_get_stats(r->models[0]));
	str_release(&text);
	return ret;
}

static int run(struct lock_cmd *c, bool contention)
{
	struct lock_reading r = { 0 };
	int ret = lock_reading_run(&r, &c->in, &c->opts, 1);

	if (!ret)
		ret = show(&r, c, contention);
	return lock_reading_close(&r, ret);
}

static int parse_and_run(struct lock_cmd *c, bool contention, int argc, const char **argv)
{
	const char *const usage[] = { contention ? "[<options>] [-b [<command>]]" : "[<options>]",
				      NULL };
	static const struct option_def none[] = { OPT_END };
	const struct option_table tables[] =
		{ { contention ? lock_contention_options : report_options, c },
		  { contention ? lock_choice_options : none, &c->choice },
		  { contention ? lock_live_options : none, &c->live },
		  { lock_input_options, &c->in }, cli_symbols_group(&c->in.symbols),
		  cli_output_group(&c->data), session_group(), cli_common_group(&c->in.common),
		  { 0 } };
	const struct cli_cmd cmd = { .name = contention ? "lock contention" : "lock report",
				     .usage = usage, .tables = tables,
				     .flags = contention ? CLI_STOP_AT_NON_OPTION :
					     CLI_NO_ARGUMENTS };
	struct err err = ERR_INIT;
	const int n = cli_parse(&cmd, argc, argv);
	int ret;

	if (n < 0)
		return cli_status(n);
	c->view.stacks = log_on(LOG_CLI, 1);
	c->view.no_head = c->in.common.quiet;
	ret = check(c, contention, &err);
	err_release(&err);
	if (!ret && contention)
		ret = lock_check_live(c, n);
	if (ret)
		return ret;
	return c->live.use_bpf ? lock_contention_live(c, argv) : run(c, contention);
}

int lock_contention(int argc, const char **argv, void *in)
{
	struct lock_cmd c = { .in = *(struct lock_input *)in, .opts.max_stack = 8,
			      .choice.fields = "contended,wait_total,wait_max,avg_wait" };

	return parse_and_run(&c, true, argc, argv);
}

int lock_report(int argc, const char **argv, void *in)
{
	struct lock_cmd c = { .in = *(struct lock_input *)in,
			      .choice.fields = "acquired,contended,avg_wait,wait_total,wait_max,"
					"wait_min" };

	return parse_and_run(&c, false, argc, argv);
}

/* --- info */

struct info_cmd {
	struct lock_input in;
	struct table_output data;
	bool threads, map;
};

static const struct option_def info_options[] = {
	OPT_FLAG('t', "threads", struct info_cmd, threads, "only the threads that waited"),
	OPT_FLAG('m', "map", struct info_cmd, map, "only the locks: address and name"),
	OPT_END
};

static void add_info(struct lock_reading *r, const struct info_cmd *c, struct str *text)
{
	struct table tables[LOCK_MODELS] = { { 0 }, { 0 } };
	const bool both = c->threads == c->map;

	for (int i = 0; i < LOCK_MODELS; i++)
		lock_table(r->models[i], &tables[i]);
	tables[0].key = "threads";
	if (table_output_data(&c->data)) {
		struct draw d;

		draw_begin(&d, &(struct draw_opts){ .output = c->data }, text);
		if (both || c->threads)
			draw_table(&d, &tables[0]);
		if (both || c->map)
			draw_table(&d, &tables[1]);
		draw_end(&d);
	} else {
		if (both || c->threads)
			lock_add_threads(text, &tables[0]);
		if (both)
			str_addch(text, '\n');
		if (both || c->map)
			lock_add_map(text, &tables[1]);
	}
	for (int i = 0; i < LOCK_MODELS; i++)
		table_release(&tables[i]);
}

int lock_info(int argc, const char **argv, void *in)
{
	struct info_cmd c = { .in = *(struct lock_input *)in };
	const char *const usage[] = { "[<options>]", NULL };
	const struct option_table tables[] =
		{ { info_options, &c }, { lock_input_options, &c.in },
		  cli_symbols_group(&c.in.symbols), cli_output_group(&c.data), session_group(),
		  cli_common_group(&c.in.common), { 0 } };
	const struct cli_cmd cmd = { .name = "lock info", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	const struct lock_opts opts[LOCK_MODELS] = { { .by = LOCK_BY_TASK, .by_number = true },
						     { .by = LOCK_BY_LOCK, .by_number = true } };
	struct lock_reading r = { 0 };
	struct str text = STR_INIT;
	int ret = cli_parse(&cmd, argc, argv);

	if (ret < 0)
		return cli_status(ret);
	ret = lock_reading_run(&r, &c.in, opts, LOCK_MODELS);
	if (!ret) {
		add_info(&r, &c, &text);
		ret = lock_write(&c.in, &text, table_output_data(&c.data), &r.s.err);
	}
	str_release(&text);
	return lock_reading_close(&r, ret);
}
