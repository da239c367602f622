// SPDX-License-Identifier: GPL-2.0-or-later
// perf kmem live: the tables of stat again and again, of what was asked for since the last ones.
#include "builtin-kmem.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/rows.h"
#include "util/os/os.h"
#include "util/session/live-table.h"

enum { ROWS = 20 };		/* of callers, where nothing says how many */

struct kmem_watch {
	struct kmem_cmd *c;
	u64 delay_ns;
	struct os os;
	struct kmem_input in;
	struct kmem_pass pass;
	struct sink all, *sinks[2];	/* all: gives to sinks, which change with each table */
	size_t n_sinks;
};

static int set_delay(const struct opt_use *u, struct err *err)
{
	return cli_set_delay(u, 2, &((struct kmem_watch *)u->base)->delay_ns, err);
}

static const struct option_def live_options[] = {
	OPT_CALL_NO('d', "delay", "n", set_delay, "seconds between tables (default 2)"),
	OPT_END
};

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct kmem_watch *w = sink->ctx;

	for (size_t i = 0; i < w->n_sinks; i++)
		w->sinks[i]->samples(w->sinks[i], items, n);
}

static void begin_pass(struct kmem_watch *w)
{
	w->n_sinks = kmem_pass_begin(&w->pass, &w->in, w->sinks);
}

static struct sink *begin(void *ctx, const struct event_list *events, struct machine *machine,
			  struct err *err UNUSED)
{
	struct kmem_watch *w = ctx;

	w->in = (struct kmem_input){ events, false, machine, w->os.page_bytes };
	begin_pass(w);
	w->all = (struct sink){ .ctx = w, .samples = on_samples };
	for (size_t i = 0; i < w->n_sinks; i++)
		w->all.wants |= w->sinks[i]->wants;
	return &w->all;
}

static void show(void *ctx, struct str *out)
{
	struct kmem_watch *w = ctx;

	kmem_pass_show(&w->pass, out);
	kmem_pass_end(&w->pass);
	begin_pass(w);
}

static void find_nodes(struct kmem_watch *w)
{
	os_cpu_vec cpus = { NULL, 0, 0 };

	if (!os_topology(&w->os, &cpus, NULL))
		for vec_each(cpu, &cpus) {
			while (w->pass.nodes.n <= (size_t)cpu->cpu)
				vec_push(&w->pass.nodes, -1);
			w->pass.nodes.v[cpu->cpu] = cpu->node;
		}
	vec_free(&cpus);
}

static int watch(struct kmem_watch *w, const char **argv)
{
	struct live_table_opts o = { .argv = argv, .names = !w->c->raw_ip,
				     .stacks = w->c->page ? &live_table_kernel_stacks : NULL,
				     .stream = &w->c->stream, .delay_ns = w->delay_ns,
				     .lost_means = "what was asked for is more than is shown",
				     .begin = begin, .show = show,
				     .plain = table_output_data(&w->c->data), .ctx = w };
	word_list names = { NULL, 0, 0 };
	struct err err = ERR_INIT;
	int status = kmem_find_events(w->c, &w->os, &names, &err);

	vec_push(&names, NULL);
	o.events = (const char *const *)names.v;
	find_nodes(w);
	status = status < 0 ? cli_error(&err) : live_table_run(&o);
	kmem_pass_end(&w->pass);
	vec_free(&w->pass.nodes);
	words_release(&names);
	err_release(&err);
	return status;
}

int kmem_live(int argc, const char **argv, void *in)
{
	struct kmem_watch w = { .c = in, .delay_ns = LIVE_TABLE_NS, .pass.c = in };
	struct kmem_cmd *c = in;
	const char *const usage[] = { "[<options>] [<command>]", NULL };
	const struct option_table tables[] = {
		{ live_options, &w }, { kmem_options, c }, cli_symbols_group(&c->stream.symbols),
		cli_output_group(&c->data), cli_common_group(&c->common), { 0 } };
	const struct cli_cmd cmd = { .name = "kmem live", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	const int n = cli_parse(&cmd, argc, argv);
	int status;

	if (n < 0)
		return cli_status(n);
	if (c->path || c->stream.filter.time)
		return cli_usage_error_opt(&cmd, "input,time",
					   "live shows what happens now: -i and --time are of "
					   "recordings, for perf kmem stat");
	if (kmem_check(c))
		return CLI_FAILED;
	if (!c->callers.shown && !c->memory.shown) {
		c->callers.shown = true;
		c->callers.rows = c->callers.rows < 0 ? ROWS : c->callers.rows;
	}
	c->stream.threads = 1;
	os_init(&w.os);
	status = watch(&w, n ? argv : NULL);
	os_release(&w.os);
	return status;
}
