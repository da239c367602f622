// SPDX-License-Identifier: GPL-2.0-or-later
// perf sched why: what a task waited for, back over all tasks that it waited for.
#include <errno.h>
#include <stdio.h>

#include "builtin-sched.h"
#include "util/analysis/sched-select.h"
#include "util/analysis/why/why.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/view/why-text.h"

struct why_cmd {
	struct sched_input in;
	struct symbols_opts symbols;
	struct why_view view;
	const char *task, *time;	/* NULL: not given */
	int slowest;
	bool all;
};

enum { DEFAULT_PARTS = 30 };

static const struct option_def why_options[] = {
	OPT_UINT(0, "slowest", struct why_cmd, slowest, "n",
		 "the n longest waits, of the task or of all"),
	OPT_FLAG('a', "all", struct why_cmd, all,
		 "with --slowest: also waits that tasks want, for a timer or for work"),
	OPT_STRING(0, "time", struct why_cmd, time, "str",
		   "only this span of time: start,stop (in s)"),
	OPT_UINT(0, "max-parts", struct why_cmd, view.max_parts, "n",
		 "show the n longest parts of a chain (default: 30, 0: all)"),
	OPT_END
};

static int find_spans(struct why *w, struct why_cmd *c, why_spans *out, struct err *err)
{
	struct why_search what = { .n = (size_t)c->slowest, .to_ns = UINT64_MAX, .all = c->all };
	why_tasks tasks = { 0 };
	int ret = c->time ? sched_parse_window(c->time, &what.from_ns, &what.to_ns, err) : 0;

	if (c->task)
		why_find_tasks(w, c->task, &tasks);
	if (!ret && c->task && !tasks.n) {
		ret = err_set(err, ENOENT, "the recording has no task '%s'", c->task);
		err_hint(err, "perf sched timehist -s shows which tasks it has");
	}
	if (!ret && c->slowest) {
		what.only = c->task ? &tasks : NULL;
		why_slowest(w, &what, out);
	} else if (!ret) {
		struct why_span s = why_life(w, tasks.v[0]);

		s.from_ns = MAX(s.from_ns, what.from_ns);
		s.to_ns = MIN(s.to_ns, what.to_ns);
		if (s.to_ns > s.from_ns)
			vec_push(out, s);
		if (tasks.n > 1 && !c->in.common.quiet)
			cli_warn("%zu tasks are '%s': this is the one that waited longest, "
				 "others can be asked for by their numbers", tasks.n, c->task);
	}
	vec_free(&tasks);
	return ret;
}

static int show(struct sched_reading *r, struct why *w, struct why_cmd *c)
{
	why_spans spans = { 0 };
	struct str out = STR_INIT;
	struct why_tables *t;
	int ret = find_spans(w, c, &spans, &r->s.err);

	if (!ret && !spans.n)
		ret = err_set(&r->s.err, ENOENT, c->slowest ? "no task waited" :
			      "the task did nothing in that time");
	t = why_explain(w, &spans);
	c->view.ranking = c->slowest > 0;
	if (!ret) {
		why_show(&out, t, spans.n, &c->view);
		cli_page(&out);
	}
	why_tables_free(t, spans.n);
	str_release(&out);
	vec_free(&spans);
	return ret;
}

/* The model and, in the same pass, all other events. */
static int read_all(struct sched_reading *r, struct why *w)
{
	int ret = session_run(&r->s, (struct sink *[]){ r->sink, why_sink(w) }, 2);

	sched_close(r->model);
	why_close(w);
	return ret;
}

static int run(struct sched_reading *r, struct why_cmd *c)
{
	bool chains;
	struct why *w = sched_why_new(r->model, r->sink, &r->s, &chains);
	int ret = read_all(r, w);

	if (!ret)
		ret = show(r, w, c);
	if (!ret && !chains && !c->in.common.quiet)
		fprintf(stderr, "Without call chains it is mostly not known what tasks wait for: "
			"record with perf sched record --why\n");
	why_free(w);
	return ret;
}

int sched_why(int argc, const char **argv, void *in)
{
	struct why_cmd c = { .in = *(struct sched_input *)in, .view.max_parts = DEFAULT_PARTS };
	const char *const usage[] = { "[<options>] {<task>|<pid>}",
				      "[<options>] --slowest <n> [<task>|<pid>]", NULL };
	const struct option_table tables[] = { { why_options, &c },
					       { sched_input_options, &c.in },
					       cli_symbols_group(&c.symbols),
					       cli_output_group(&c.view.output), session_group(),
					       cli_common_group(&c.in.common), { 0 } };
	const struct cli_cmd cmd = { .name = "sched why", .usage = usage, .tables = tables };
	struct sched_reading r = { 0 };
	int n = cli_parse(&cmd, argc, argv), ret;

	if (n < 0)
		return cli_status(n);
	if (n > 1)
		return cli_usage_error(&cmd, "unexpected argument '%s'", argv[1]);
	if (!n && !c.slowest)
		return cli_usage_error(&cmd, "which task? Name one, or use --slowest");
	c.task = n ? argv[0] : NULL;
	ret = sched_reading_open(&r, &c.in, &c.symbols);
	return sched_reading_close(&r, ret ? ret : run(&r, &c));
}
