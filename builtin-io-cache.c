// SPDX-License-Identifier: GPL-2.0-or-later
// perf io cache: what happened to pages of files, and by whom.
#include "builtin-io.h"
#include "util/analysis/page-cache.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/session/warnings.h"
#include "util/view/io-text.h"

struct cache_cmd {
	struct io_input in;
	struct page_cache_opts opts;
	struct table_output output;
};

#define F struct cache_cmd
static const struct option_def cache_options[] = {
	OPT_STRING('s', "sort", F, opts.keys, "key[,key2...]",
		   "what rows are of: comm, pid, tid, device, inode\n(default: comm,device)"),
	OPT_STRING(0, "time", F, in.stream.filter.time, "str",
		   "only this span of time: start,stop (in s; or percentages: 10%-20%)"),
	OPT_END
};
#undef F

static void show_cache(struct page_cache *p, const struct table_output *output)
{
	struct page_cache_tables t = { .facts.key = NULL };
	struct str out = STR_INIT;

	page_cache_tables(p, &t);
	page_cache_show(&out, &t, output);
	cli_page(&out);
	page_cache_tables_release(&t);
	str_release(&out);
}

static int run_cache(struct cache_cmd *c)
{
	struct session s = { 0 };
	struct page_cache *p = NULL;
	int ret = io_open_recording(&s, &c->in, page_cache_need_events);

	c->opts.page_bytes = s.os.page_bytes;
	if (!ret && !(p = page_cache_new(&c->opts, s.source->events, s.source->swap, &s.err)))
		ret = -1;
	if (!ret)
		ret = session_run(&s, (struct sink *[]){ page_cache_sink(p) }, 1);
	if (!ret)
		show_cache(p, &c->output);
	session_warn_analysis(&s, p ? page_cache_n_bad(p) : 0, ret);
	page_cache_free(p);
	return session_close(&s, ret);
}

int io_cache(int argc, const char **argv, void *in)
{
	struct cache_cmd c = { .in = *(struct io_input *)in };
	const char *const usage[] = { "[<options>]", NULL };
	const struct option_table tables[] = { { cache_options, &c }, { io_input_options, &c.in },
					       cli_output_group(&c.output), session_group(),
					       cli_common_group(&c.in.common), { 0 } };
	const struct cli_cmd cmd = { .name = "io cache", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	const int n = cli_parse(&cmd, argc, argv);

	return n < 0 ? cli_status(n) : run_cache(&c);
}
