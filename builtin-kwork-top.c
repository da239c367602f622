// SPDX-License-Identifier: GPL-2.0-or-later
// perf kwork top: which tasks the CPUs ran.
#include <stdio.h>

#include "builtin-kwork.h"
#include "util/analysis/kwork-top.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/view/draw.h"
#include "util/view/kwork-text.h"

struct top_cmd {
	struct kwork_input in;
	struct kwork_sort sort;
};

static const struct option_def top_options[] = {
	OPT_STRING('s', "sort", struct top_cmd, sort.keys, "key[,key2...]",
		   "sort rows by these keys: rate, runtime, tid"),
	OPT_END
};

static void show(const struct top_cmd *c, struct kwork_top *top)
{
	struct kwork_top_tables t = { 0 };
	struct str text = STR_INIT;
	struct draw d;

	kwork_top_tables(top, &t);
	if (table_output_data(&c->in.data)) {
		draw_begin(&d, &(struct draw_opts){ .output = c->in.data }, &text);
		draw_table(&d, &t.tasks);
		draw_table(&d, &t.cpus);
		draw_end(&d);
	} else {
		kwork_add_top(&text, &t);
	}
	cli_page(&text);
	str_release(&text);
	kwork_top_tables_release(&t);
}

static int run(struct top_cmd *c)
{
	struct kwork_top_opts opts = { .name = c->in.name };
	struct session s = { 0 };
	struct kwork_top *top = NULL;
	struct sink *sinks[1];
	int ret;

	if (kwork_parse_classes(c->in.classes, &opts.classes))
		return CLI_FAILED;
	for (int i = 0; i < c->sort.n_sorts && i < KWORK_TOP_N_KEYS; i++)
		opts.keys[opts.n_keys++] = (enum kwork_top_key)c->sort.sorts[i];
	ret = kwork_open(&s, &c->in, kwork_top_need_events);
	if (!ret) {
		top = kwork_top_new(&opts, s.source->events, s.source->swap);
		sinks[0] = kwork_top_sink(top);
		ret = session_run(&s, sinks, 1);
	}
	if (!ret)
		show(c, top);
	ret = kwork_close(&s, top ? kwork_top_bad(top) : 0, ret);
	kwork_top_free(top);
	return ret;
}

int kwork_top(int argc, const char **argv, void *in)
{
	static const char *const names[] = { "rate", "runtime", "tid" };
	struct top_cmd c = { .in = *(struct kwork_input *)in,
			     .sort = { .keys = "rate,runtime,tid", .names = names,
				       .n_names = KWORK_TOP_N_KEYS } };
	const int n = kwork_parse(&c.in, &c.sort, "kwork top",
				  (struct option_table){ top_options, &c }, argc, argv);

	return n < 0 ? cli_status(n) : run(&c);
}
