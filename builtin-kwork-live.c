// SPDX-License-Identifier: GPL-2.0-or-later
// perf kwork live: the table of report or latency again and again.
#include <stdio.h>

#include "builtin-kwork.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/rows.h"
#include "util/session/live-table.h"
#include "util/view/draw.h"
#include "util/view/kwork-text.h"

struct kwork_watch {
	struct kwork_input in;
	struct kwork_opts opts;
	struct kwork_view view;
	struct kwork_sort sort;
	u64 delay_ns;
	struct kwork *work;
};

static int set_delay(const struct opt_use *u, struct err *err)
{
	return cli_set_delay(u, 2, &((struct kwork_watch *)u->base)->delay_ns, err);
}

static const struct option_def live_options[] = {
	OPT_CALL_NO('d', "delay", "n", set_delay, "seconds between tables (default 2)"),
	OPT_FLAG(0, "latency", struct kwork_watch, opts.latency,
		 "how long work waited, not how long it ran"),
	OPT_STRING('n', "name", struct kwork_watch, in.name, "name",
		   "only work of this name: TIMER, or a function of a work queue"),
	OPT_STRING('C', "cpu", struct kwork_watch, in.stream.filter.cpus, "cpu",
		   "only work on these CPUs (0-3,8)"),
	OPT_STRING('s', "sort", struct kwork_watch, sort.keys, "key[,key2...]",
		   "sort rows by these keys: runtime (with --latency: avg), max, count"),
	OPT_FLAG('S', "with-summary", struct kwork_watch, view.summary,
		 "also the sum of all rows"),
	OPT_END
};

static struct sink *begin(void *ctx, const struct event_list *events, struct machine *machine,
			  struct err *err UNUSED)
{
	struct kwork_watch *w = ctx;

	w->work = kwork_new(&w->opts, events, false, machine);
	return kwork_sink(w->work);
}

static void show(void *ctx, struct str *out)
{
	struct kwork_watch *w = ctx;
	struct table t = { 0 };

	kwork_table(w->work, &t);
	if (table_output_data(&w->in.data))
		draw_only_table(out, &t, &w->in.data);
	else
		kwork_add_table(out, &t, kwork_get_stats(w->work), &w->view);
	table_release(&t);
	kwork_restart(w->work);
}

static int watch(struct kwork_watch *w, const char **argv)
{
	const char *names[KWORK_EVENTS + 1] = { NULL };
	int status;

	kwork_events(w->opts.classes, names);
	w->in.stream.threads = 1;
	status = live_table_run(&(struct live_table_opts){
				.events = names, .names = true, .argv = argv,
				.lost_means = "what they are of is missing, or too long",
				.stream = &w->in.stream, .delay_ns = w->delay_ns,
				.plain = table_output_data(&w->in.data),
				.begin = begin, .show = show, .ctx = w });
	kwork_free(w->work);
	return status;
}

int kwork_live(int argc, const char **argv, void *in)
{
	static const char *const run_names[] = { "runtime", NULL, "max", "count" };
	static const char *const wait_names[] = { NULL, "avg", "max", "count" };
	struct kwork_watch w = { .in = *(struct kwork_input *)in, .delay_ns = LIVE_TABLE_NS,
				 .sort = { .n_names = KWORK_N_KEYS } };
	const char *const usage[] = { "[<options>] [<command>]", NULL };
	const struct option_table tables[] = {
		{ live_options, &w }, { kwork_class_options, &w.in },
		cli_symbols_group(&w.in.stream.symbols), cli_output_group(&w.in.data),
		cli_common_group(&w.in.common), { 0 } };
	const struct cli_cmd cmd = { .name = "kwork live", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	const int n = cli_parse(&cmd, argc, argv);

	if (n < 0)
		return cli_status(n);
	w.sort.names = w.opts.latency ? wait_names : run_names;
	if (!w.sort.keys)
		w.sort.keys = w.opts.latency ? "avg,max,count" : "runtime,max,count";
	if (kwork_parse_sort(&w.sort) || kwork_parse_classes(w.in.classes, &w.opts.classes))
		return CLI_FAILED;
	for (int i = 0; i < w.sort.n_sorts && i < KWORK_N_KEYS; i++)
		w.opts.keys[w.opts.n_keys++] = (enum kwork_key)w.sort.sorts[i];
	w.opts.name = w.in.name;
	w.view.latency = w.opts.latency;
	return watch(&w, n ? argv : NULL);
}
