// SPDX-License-Identifier: GPL-2.0-or-later
// perf kwork report, latency and timehist: how long the kernel's work took, and waited.
#include <stdio.h>

#include "builtin-kwork.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/view/draw.h"
#include "util/view/kwork-text.h"

struct kwork_cmd {
	struct kwork_input in;
	struct kwork_opts opts;
	struct kwork_view view;
	struct kwork_sort sort;
	struct str *text;		/* of the runs; NULL: rows are wanted */
};

static const struct option_def report_options[] = {
	OPT_STRING('s', "sort", struct kwork_cmd, sort.keys, "key[,key2...]",
		   "sort rows by these keys: runtime, max, count"),
	OPT_FLAG('S', "with-summary", struct kwork_cmd, view.summary,
		 "also the sum of all rows, and the time that the recording covers"),
	OPT_END
};

static const struct option_def latency_options[] = {
	OPT_STRING('s', "sort", struct kwork_cmd, sort.keys, "key[,key2...]",
		   "sort rows by these keys: avg, max, count"),
	OPT_END
};

static void show_rows(const struct kwork_cmd *c, struct kwork *k, u64 n_records)
{
	struct kwork_view view = c->view;
	struct table t = { 0 };
	struct str text = STR_INIT;

	view.n_records = n_records;
	kwork_table(k, &t);
	if (table_output_data(&c->in.data))
		draw_only_table(&text, &t, &c->in.data);
	else
		kwork_add_table(&text, &t, kwork_get_stats(k), &view);
	cli_page(&text);
	str_release(&text);
	table_release(&t);
}

static void on_run(void *ctx, const struct kwork_run *r)
{
	struct kwork_cmd *c = ctx;

	kwork_add_run(c->text, r);
	if (c->text->len < 65536)
		return;
	fwrite(c->text->buf, 1, c->text->len, stdout);
	str_reset(c->text);
}

static int read_all(struct kwork_cmd *c, struct session *s, struct kwork **out)
{
	struct sink *sinks[1];
	int ret = kwork_open(s, &c->in, kwork_need_events);

	if (ret)
		return ret;
	*out = kwork_new(&c->opts, s->source->events, s->source->swap, stream_machine(s->stream));
	sinks[0] = kwork_sink(*out);
	if (c->text) {
		cli_pager_start();
		kwork_add_runs_head(c->text);
	}
	return session_run(s, sinks, 1);
}

static int run(struct kwork_cmd *c)
{
	struct session s = { 0 };
	struct kwork *k = NULL;
	int ret;

	c->opts.name = c->in.name;
	c->view.latency = c->opts.latency;
	for (int i = 0; i < c->sort.n_sorts && i < KWORK_N_KEYS; i++)
		c->opts.keys[c->opts.n_keys++] = (enum kwork_key)c->sort.sorts[i];
	if (kwork_parse_classes(c->in.classes, &c->opts.classes))
		return CLI_FAILED;
	ret = read_all(c, &s, &k);
	if (!ret && c->text)
		fwrite(str_cstr(c->text), 1, c->text->len, stdout);
	else if (!ret)
		show_rows(c, k, stream_get_stats(s.stream)->n_records);
	ret = kwork_close(&s, k ? kwork_get_stats(k)->n_bad : 0, ret);
	kwork_free(k);
	return ret;
}

int kwork_report(int argc, const char **argv, void *in)
{
	static const char *const names[] = { "runtime", NULL, "max", "count" };
	struct kwork_cmd c = { .in = *(struct kwork_input *)in,
			       .sort = { .keys = "runtime,max,count", .names = names,
					 .n_names = KWORK_N_KEYS } };
	const int n = kwork_parse(&c.in, &c.sort, "kwork report",
				  (struct option_table){ report_options, &c }, argc, argv);

	return n < 0 ? cli_status(n) : run(&c);
}

int kwork_latency(int argc, const char **argv, void *in)
{
	static const char *const names[] = { NULL, "avg", "max", "count" };
	struct kwork_cmd c = { .in = *(struct kwork_input *)in, .opts.latency = true,
			       .sort = { .keys = "avg,max,count", .names = names,
					 .n_names = KWORK_N_KEYS } };
	const int n = kwork_parse(&c.in, &c.sort, "kwork latency",
				  (struct option_table){ latency_options, &c }, argc, argv);

	return n < 0 ? cli_status(n) : run(&c);
}

int kwork_timehist(int argc, const char **argv, void *in)
{
	static const struct option_def no_options[] = { OPT_END };
	struct str text = STR_INIT;
	struct kwork_cmd c = { .in = *(struct kwork_input *)in, .text = &text,
			       .opts.run = on_run };
	const int n = kwork_parse(&c.in, &c.sort, "kwork timehist",
				  (struct option_table){ no_options, &c }, argc, argv);
	int ret;

	if (n < 0)
		return cli_status(n);
	c.opts.ctx = &c;
	ret = run(&c);
	str_release(&text);
	return ret;
}
