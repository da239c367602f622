// SPDX-License-Identifier: GPL-2.0-or-later
// perf c2c: cache lines that CPUs take from each other, recorded and reported.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "builtin-mem.h"
#include "builtin.h"
#include "util/analysis/c2c.h"
#include "util/base/words.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/pager.h"
#include "util/cli/rows.h"
#include "util/session/session.h"
#include "util/session/warnings.h"
#include "util/view/c2c-text.h"
#include "util/view/draw.h"

/* ---- record ---- */

struct c2c_record_opts {
	struct cli_common common;
	opt_list events;
	int ldlat;
	bool kernel, user;
};

#define ST struct c2c_record_opts
static const struct option_def record_options[] = {
	OPT_LIST('e', "event", ST, events, "event",
		 "memory events, by the names that -e list shows"),
	OPT_INT('l', "ldlat", ST, ldlat, "n",
		"only loads that took at least n cycles (default 30, AMD: all)"),
	OPT_FLAG('k', "all-kernel", ST, kernel, "only in the kernel"),
	OPT_FLAG('u', "all-user", ST, user, "only in user space"),
	OPT_END
};
#undef ST

static int c2c_record(int argc, const char **argv, void *ctx UNUSED)
{
	static const char *const usage[] = { "[<options>] [<options of perf record>] [<command>]",
					     NULL };
	static const char *const words[] = { "c2c", "record", NULL };
	struct c2c_record_opts o = { .ldlat = 0 };
	struct picture_record r = { 0 };
	const struct option_table tables[] =
		{ { record_options, &o }, picture_options(&r, record_options),
		  cli_common_group(&o.common), { 0 } };
	const struct cli_cmd cmd = { .name = "c2c record", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	struct mem_recording m;
	int n = cli_parse(&cmd, argc, argv);

	m = (struct mem_recording){ .words = words, .events = o.events, .ldlat = o.ldlat,
				    .phys = true, .sample_cpu = true, .kernel = o.kernel,
				    .user = o.user };
	n = n < 0 ? cli_status(n) : mem_record_run(&m, &r, n, argv);
	vec_free(&m.events);
	picture_release(&r);
	return n;
}

/* ---- report ---- */

struct c2c_report_opts {
	struct cli_common common;
	const char *input, *coalesce, *display;
	bool force, stats, stdio, show_all;
	int node_info;
	struct c2c_view view;
	struct c2c_opts model;
	struct chain_opts chain;
	struct table_output data;
	struct stream_opts stream;
	int_vec nodes;			/* of each CPU */
};

/* As upstream perf has it here: -g alone begins at the outermost caller, everything else at the
 * innermost function; graphs have no limit (upstream's takes none at all). */
static int set_chains(const struct opt_use *u, struct err *err)
{
	struct c2c_report_opts *o = u->base;
	struct chain_opts c = { .mode = CHAIN_GRAPH, .caller = !u->unset && !u->arg };

	if (u->unset)
		c.mode = CHAIN_NONE;
	else if (u->arg && chain_opts_parse(&c, u->arg, err))
		return -EINVAL;
	if (c.mode == CHAIN_FRACTAL && c.min_pct == 0)
		c.min_pct = CLI_CHAIN_MIN_PCT;
	if (c.key != CHAIN_KEY_FUNCTION) {
		err_set(err, ENOTSUP, "call graphs of rows of cache lines are of functions");
		err_hint(err, "'perf report --mem-mode --sort dcacheline,sym -g address' shows "
			      "lines and addresses");
		return -ENOTSUP;
	}
	o->chain = c;
	return 0;
}

static bool takes_chains(const char *word)
{
	struct chain_opts c = { 0 };

	return *word != '-' && !chain_opts_parse(&c, word, NULL);
}

#define ST struct c2c_report_opts
static const struct option_def report_options[] = {
	OPT_STRING('c', "coalesce", ST, coalesce, "fields",
		   "accesses with these in common are a row: pid, tid, iaddr, dso (default: "
		   "iaddr)"),
	OPT_STRING('d', "display", ST, display, "type",
		   "for which accesses lines are shown, in this order: tot, lcl, rmt (loads of "
		   "lines\nthat were modified elsewhere), peer (lines of other caches)"),
	OPT_FLAG('f', "force", ST, force, "read a recording that belongs to another user"),
	{ .name = "call-graph", .short_name = 'g', .kind = OPT_KIND_CALL,
	  .flags = OPT_OPTARG | OPT_UNSETS, .takes_next = takes_chains,
	  .arg = "print_type,threshold[,print_limit],order,value", .call = set_chains,
	  .help = "how to show the call graphs of rows, where there are any (default:\n"
		  "graph,0,callee,percent; -g alone: caller; none: not)" },
	OPT_STRING('i', "input", ST, input, "file", "the recording to read (default: perf.data)"),
	OPT_COUNT('N', "node-info", ST, node_info,
		  "more of the nodes of each row: shares; given twice: their CPUs"),
	OPT_FLAG(0, "double-cl", ST, view.double_line,
		 "lines are pairs of lines, which CPUs may fetch together"),
	OPT_FLAG(0, "full-symbols", ST, view.full_symbols, "names of functions in full"),
	OPT_FLAG(0, "no-source", ST, view.no_source, "without source lines"),
	OPT_FLAG(0, "show-all", ST, show_all, "all lines, not only those that are shared"),
	OPT_FLAG(0, "stats", ST, stats, "only the sums"),
	OPT_FLAG(0, "stitch-lbr", ST, stream.stitch_lbr,
		 "call stacks that the CPU kept go on with those of samples before theirs"),
	OPT_FLAG(0, "stdio", ST, stdio, "as text (there is nothing else)"),
	OPT_END
};
#undef ST

static int parse_coalesce(struct c2c_report_opts *o, struct str *grouping, struct err *err)
{
	static const char *const names[] = { "pid", "tid", "iaddr", "dso" };
	bool *const fields[] = { &o->model.by_pid, &o->model.by_tid, &o->model.by_code,
				 &o->model.by_dso };
	word_list words = { 0 };
	int ret = 0;

	str_add(grouping, "offset");
	words_split(o->coalesce ? o->coalesce : "iaddr", &words);
	for vec_each(word, &words) {
		const int k = word_index(names, ARRAY_SIZE(names), *word, strlen(*word));

		if (k < 0 && !ret) {
			ret = err_set(err, EINVAL, "-c: there is no field '%s'", *word);
			err_hint(err, "the fields are: pid, tid, iaddr, dso");
		}
		if (k >= 0)
			*fields[k] = true;
		str_addf(grouping, ",%s", *word);
	}
	words_release(&words);
	return ret;
}

static int parse_display(struct c2c_report_opts *o, struct err *err)
{
	static const char *const names[] = { "tot", "lcl", "rmt", "peer" };
	const int k = o->display ? word_index(names, ARRAY_SIZE(names), o->display,
					      strlen(o->display)) : C2C_TOTAL;

	if (k < 0) {
		err_set(err, EINVAL, "-d: there is no display '%s'", o->display);
		err_hint(err, "the displays are: tot, lcl, rmt, peer");
		return -EINVAL;
	}
	o->model.display = (enum c2c_display)k;
	return 0;
}

/* The lines of the machine that was recorded. */
static u32 line_bytes(const struct data_features *f)
{
	u32 bytes = f->cacheline_bytes;

	for vec_each(c, &f->caches)
		if (!bytes && c->level == 1)
			bytes = c->line_bytes;
	return bytes && !(bytes & (bytes - 1)) ? bytes : 64;
}

static int memory_node(const void *ctx, u64 phys)
{
	const struct data_features *f = ctx;
	const u64 block = phys / f->mem_block_bytes;

	for vec_each(n, &f->mem_nodes)
		if (block / 64 < n->map.n && n->map.v[block / 64] >> (block % 64) & 1)
			return (int)n->node;
	return -1;
}

static void set_machine(struct c2c_report_opts *o, const struct session *s)
{
	const struct data_features *f = s->source->env;

	session_nodes(s, &o->nodes);
	while (o->nodes.n < f->nrcpus_avail)
		vec_push(&o->nodes, -1);
	o->model.nodes = o->nodes.v;
	o->model.n_cpus = o->nodes.n;
	o->model.line_bytes = line_bytes(f) << (int)o->view.double_line;
	if (f->mem_nodes.n && f->mem_block_bytes) {
		o->model.memory_node = memory_node;
		o->model.ctx = f;
	}
	if (!o->display && f->arch && !strcmp(f->arch, "aarch64"))
		o->model.display = C2C_PEERS;
	o->model.all = o->show_all;
	if (o->chain.mode != CHAIN_NONE && !o->stats)
		o->model.chain = o->view.chain = &o->chain;
	o->view.display = o->model.display;
	o->view.node_info = MIN(o->node_info, 2);
}

static void add_data(struct str *out, const struct c2c_report_opts *o, const struct c2c_tables *t)
{
	struct draw d;

	draw_begin(&d, &(struct draw_opts){ .output = o->data }, out);
	for (size_t i = 0; i < t->lines.rows.n && !o->stats; i++) {
		struct table one = t->lines, rows = { 0 };

		one.rows.v = &t->lines.rows.v[i];
		one.rows.n = 1;
		draw_group_begin(&d, t->lines.key, &one);
		c2c_rows(t, i, &rows);
		draw_table(&d, &rows);
		draw_group_end(&d);
		table_release(&rows);
	}
	draw_end(&d);
}

static void show(struct c2c_report_opts *o, struct c2c *c, const struct event_list *events)
{
	struct c2c_tables t = { 0 };
	struct str out = STR_INIT;
	opt_list names = { 0 };

	for vec_each(e, &events->events)
		vec_push(&names, (*e)->name);
	vec_push(&names, NULL);
	o->view.events = names.v;
	c2c_tables(c, &t);
	if (table_output_data(&o->data)) {
		add_data(&out, o, &t);
	} else {
		c2c_add_stats(&out, &t, &o->view);
		if (!o->stats)
			c2c_add_lines(&out, &t, &o->view);
	}
	cli_page(&out);
	str_release(&out);
	vec_free(&names);
	c2c_tables_release(&t);
}

static int run(struct c2c_report_opts *o, struct session *s)
{
	struct c2c *c = NULL;
	struct sink *sink;
	int ret = session_open(s, &(struct session_opts){ .path = o->input, .force = o->force,
							  .quiet = o->common.quiet });

	if (!ret && !s->source->once)
		ret = c2c_need_events(s->source->events, s->source->name, &s->err);
	if (!ret)
		ret = session_prepare(s, &o->stream);
	if (!ret) {
		set_machine(o, s);
		c = c2c_new(&o->model);
		sink = c2c_sink(c);
		ret = session_run(s, &sink, 1);
	}
	if (!ret)
		show(o, c, s->source->events);
	session_warn_analysis(s, 0, ret);
	c2c_free(c);
	vec_free(&o->nodes);
	return ret;
}

static int c2c_report(int argc, const char **argv, void *ctx UNUSED)
{
	static const char *const usage[] = { "[<options>]", NULL };
	struct c2c_report_opts o = { .chain = { .mode = CHAIN_GRAPH } };
	const struct option_table tables[] = {
		{ report_options, &o }, cli_symbols_group(&o.stream.symbols),
		cli_output_group(&o.data), session_group(), cli_common_group(&o.common), { 0 } };
	const struct cli_cmd cmd = { .name = "c2c report", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	struct str grouping = STR_INIT;
	struct err err = ERR_INIT;
	struct session s = { 0 };
	int ret = cli_parse(&cmd, argc, argv);

	if (ret < 0)
		return cli_status(ret);
	ret = parse_coalesce(&o, &grouping, &err);
	ret = ret ? ret : parse_display(&o, &err);
	o.view.grouping = str_cstr(&grouping);
	ret = ret ? cli_error(&err) : session_close(&s, run(&o, &s));
	str_release(&grouping);
	err_release(&err);
	return ret;
}

int cmd_c2c(int argc, const char **argv)
{
	static const char *const usage[] = { "{record|report}", NULL };
	static const char *const words[] = { "record", "report", NULL };
	static const struct cli_sub subs[] = { { "record", c2c_record }, { "report", c2c_report },
					       { NULL, NULL } };
	struct cli_common common = { 0 };
	const struct option_table tables[] = { cli_common_group(&common), { 0 } };
	const struct cli_cmd cmd = { .name = "c2c", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION, .words = words };
	int n = cli_parse(&cmd, argc, argv);

	return n < 0 ? cli_status(n) : cli_run_sub(&cmd, subs, n, argv, NULL);
}
