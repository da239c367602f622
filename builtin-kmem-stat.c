// SPDX-License-Identifier: GPL-2.0-or-later
// perf kmem stat: what the kernel's allocators were asked for, out of a recording.
#include "builtin-kmem.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/session/session.h"
#include "util/session/warnings.h"

struct run {
	const struct kmem_cmd *c;
	struct session s;
	struct kmem_pass pass;
};

static int need_events(struct run *r)
{
	struct source *source = r->s.source;
	int ret = 0;

	if (source->once)
		return 0;
	if (r->c->slab)
		ret = kmem_need_events(source->events, source->name, &r->s.err);
	if (!ret && r->c->page)
		ret = kmem_page_need_events(source->events, source->name, &r->s.err);
	return ret;
}

static int run_session(struct run *r)
{
	const struct kmem_cmd *c = r->c;
	struct kmem_input in;
	struct sink *sinks[2];
	int ret = session_open(&r->s, &(struct session_opts){ .path = c->path, .force = c->force,
							     .quiet = c->common.quiet });

	if (!ret)
		ret = need_events(r);
	if (!ret)
		ret = session_prepare(&r->s, &c->stream);
	if (ret)
		return ret;
	session_nodes(&r->s, &r->pass.nodes);
	in = (struct kmem_input){ r->s.source->events, r->s.source->swap,
				  stream_machine(r->s.stream), r->s.os.page_bytes };
	return session_run(&r->s, sinks, kmem_pass_begin(&r->pass, &in, sinks));
}

int kmem_stat(int argc, const char **argv, void *in)
{
	const char *const usage[] = { "[<options>]", NULL };
	struct kmem_cmd *c = in;
	const struct option_table tables[] = {
		{ kmem_options, c }, cli_symbols_group(&c->stream.symbols),
		cli_output_group(&c->data), session_group(), cli_common_group(&c->common), { 0 } };
	const struct cli_cmd cmd = { .name = "kmem stat", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	struct run r = { .c = c, .pass.c = c };
	struct str out = STR_INIT;
	int ret = cli_parse(&cmd, argc, argv);

	if (ret < 0)
		return cli_status(ret);
	if (kmem_check(c))
		return CLI_FAILED;
	ret = run_session(&r);
	if (!ret) {
		kmem_pass_show(&r.pass, &out);
		cli_page(&out);
	}
	session_warn_analysis(&r.s, kmem_pass_n_bad(&r.pass), ret);
	kmem_pass_end(&r.pass);
	vec_free(&r.pass.nodes);
	str_release(&out);
	return session_close(&r.s, ret);
}
