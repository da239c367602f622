// SPDX-License-Identifier: GPL-2.0-or-later
// perf kmem: what the kernel's slab allocator was asked for, and by whom.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "builtin-record.h"
#include "util/analysis/kmem.h"
#include "util/base/num.h"
#include "util/base/words.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/session/session.h"
#include "util/session/warnings.h"
#include "util/view/draw.h"
#include "util/view/kmem-text.h"

struct kmem_cmd {
	const char *path, *keys;
	bool force, slab, page, callers, memory, raw_ip, last_is_memory;
	int caller_rows, memory_rows;
	struct kmem_opts opts;
	struct table_output data;
	struct stream_opts stream;
	struct cli_common common;
};

/* -l is of the table that was asked for last. */
static int set_callers(const struct opt_use *u, struct err *err UNUSED)
{
	struct kmem_cmd *c = u->base;

	c->callers = !u->unset;
	c->last_is_memory = false;
	return 0;
}

static int set_memory(const struct opt_use *u, struct err *err UNUSED)
{
	struct kmem_cmd *c = u->base;

	c->memory = !u->unset;
	c->last_is_memory = true;
	return 0;
}

static int set_rows(const struct opt_use *u, struct err *err)
{
	struct kmem_cmd *c = u->base;
	int n = -1;

	if (u->arg && (!parse_int(u->arg, &n) || n < 0))
		return err_set(err, EINVAL, "'%s' is not a number of lines", u->arg);
	*(c->last_is_memory ? &c->memory_rows : &c->caller_rows) = n;
	return 0;
}

static const struct option_def kmem_options[] = {
	OPT_STRING('i', "input", struct kmem_cmd, path, "file",
	     "the recording to read (default: perf.data; -: standard input)"),
	OPT_FLAG('f', "force", struct kmem_cmd, force,
		 "read a recording that belongs to another user"),
	OPT_CALL_NO(0, "caller", NULL, set_callers, "a row for each place that asked for memory"),
	OPT_CALL_NO(0, "alloc", NULL, set_memory, "a row for each piece of memory"),
	OPT_STRING('s', "sort", struct kmem_cmd, keys, "key[,key2...]",
		   "sort rows by these keys: ptr, callsite, bytes, hit, pingpong, frag\n"
		   "(default: frag,hit,bytes)"),
	OPT_CALL_NO('l', "line", "num", set_rows,
		    "at most so many rows of the table that was asked for last"),
	OPT_FLAG(0, "raw-ip", struct kmem_cmd, raw_ip, "addresses instead of functions"),
	OPT_FLAG(0, "slab", struct kmem_cmd, slab, "the slab allocator (default)"),
	OPT_FLAG(0, "page", struct kmem_cmd, page, "the page allocator: not in this perf yet"),
	OPT_STRING(0, "time", struct kmem_cmd, stream.filter.time, "str",
		   "only this span of time: start,stop (in s; or percentages: 10%-20%)"),
	OPT_END
};

static int parse_keys(struct kmem_cmd *c, struct err *err)
{
	for (const char *p = c->keys ? c->keys : "frag,hit,bytes"; *p; p += *p == ',') {
		const size_t n = strcspn(p, ",");
		const int k = word_index(kmem_key_names, KMEM_N_KEYS, p, n);

		if (k < 0) {
			err_set(err, EINVAL, "--sort: there is no key '%.*s'", (int)n, p);
			err_hint(err, "the keys are: ptr, callsite, bytes, hit, pingpong, frag");
			return -EINVAL;
		}
		if (c->opts.n_keys < KMEM_N_KEYS)
			c->opts.keys[c->opts.n_keys++] = (enum kmem_key)k;
		p += n;
	}
	return 0;
}

static int check(struct kmem_cmd *c)
{
	struct err err = ERR_INIT;
	int ret = parse_keys(c, &err);

	if (!ret && c->page) {
		ret = err_set(&err, ENOTSUP, "this perf does not analyze the page allocator yet");
		err_hint(&err, "'perf record -a -g -e kmem:mm_page_alloc -- COMMAND' and 'perf "
			       "report' show who asks for pages");
	}
	if (ret)
		cli_error(&err);
	err_release(&err);
	return ret;
}

/* --- stat */

static void show_data(const struct kmem_cmd *c, const struct kmem *k, const struct kmem_tables *t,
		      struct str *out)
{
	const struct kmem_totals *totals = kmem_totals(k);
	const u64 values[] = { totals->requested, totals->allocated, totals->freed,
			       totals->n_allocs, totals->n_frees, totals->n_cross };
	static const char *const keys[] = { "bytes_requested", "bytes_allocated", "bytes_freed",
					    "allocations", "frees", "cross_node_allocations" };
	struct table facts = { 0 };
	struct draw d;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		table_add_column(&facts, keys[i], keys[i]);
	table_add_row(&facts);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		facts.rows.v[0].cells[i] = cell_count(values[i]);
	draw_begin(&d, &(struct draw_opts){ .output = c->data }, out);
	draw_facts(&d, &facts);
	draw_table(&d, &t->callers);
	if (c->memory)
		draw_table(&d, &t->memory);
	draw_end(&d);
	table_release(&facts);
}

static void show(const struct kmem_cmd *c, struct kmem *k)
{
	struct kmem_tables t = { 0 };
	struct str out = STR_INIT;

	kmem_tables(k, &t);
	if (table_output_data(&c->data)) {
		show_data(c, k, &t, &out);
	} else {
		if (c->callers)
			kmem_add_rows(&out, &t.callers, true, c->caller_rows, c->raw_ip);
		if (c->memory)
			kmem_add_rows(&out, &t.memory, false, c->memory_rows, c->raw_ip);
		kmem_add_totals(&out, kmem_totals(k));
	}
	cli_pager_start();
	fwrite(str_cstr(&out), 1, out.len, stdout);
	str_release(&out);
	kmem_tables_release(&t);
}

static int run_session(struct kmem_cmd *c, struct session *s, int_vec *nodes, struct kmem **out)
{
	struct sink *sinks[1];
	int ret = session_open(s, &(struct session_opts){ .path = c->path, .force = c->force,
							  .quiet = c->common.quiet });

	if (!ret && !s->source->once)
		ret = kmem_need_events(s->source->events, s->source->name, &s->err);
	if (!ret)
		ret = session_prepare(s, &c->stream);
	if (ret)
		return ret;
	session_nodes(s, nodes);
	c->opts.nodes = nodes->v;
	c->opts.n_nodes = nodes->n;
	*out = kmem_new(&c->opts, s->source->events, s->source->swap, stream_machine(s->stream));
	sinks[0] = kmem_sink(*out);
	return session_run(s, sinks, 1);
}

static int kmem_stat(int argc, const char **argv, void *in)
{
	const char *const usage[] = { "[<options>]", NULL };
	struct kmem_cmd c = *(struct kmem_cmd *)in;
	const struct option_table tables[] = {
		{ kmem_options, &c }, cli_symbols_group(&c.stream.symbols),
		cli_output_group(&c.data), session_group(), cli_common_group(&c.common), { 0 } };
	const struct cli_cmd cmd = { .name = "kmem stat", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	struct session s = { 0 };
	struct kmem *k = NULL;
	int_vec nodes = { NULL, 0, 0 };
	int ret = cli_parse(&cmd, argc, argv);

	if (ret < 0)
		return cli_status(ret);
	if (check(&c))
		return CLI_FAILED;
	ret = run_session(&c, &s, &nodes, &k);
	if (!ret)
		show(&c, k);
	session_warn_analysis(&s, k ? kmem_totals(k)->n_bad : 0, ret);
	kmem_free(k);
	vec_free(&nodes);
	return session_close(&s, ret);
}

/* --- record */

/* Those that there are: before 6.3 nodes had events of their own. */
static int kmem_record(int argc, const char **argv, void *in)
{
	static const char *const words[] = { "kmem", "record", NULL };
	static const char *const events[] = { "kmalloc", "kmalloc_node", "kfree",
					      "kmem_cache_alloc", "kmem_cache_alloc_node",
					      "kmem_cache_free" };
	char *names[ARRAY_SIZE(events) + 1] = { NULL };
	struct err err = ERR_INIT;
	struct os os;
	int ret, n = 0;

	if (check(in))
		return CLI_FAILED;
	os_init(&os);
	ret = os_tracefs(&os, &err);
	for (size_t i = 0; i < ARRAY_SIZE(events) && ret >= 0; i++)
		if (os_has_tracepoint(&os, "kmem", events[i]))
			names[n++] = xasprintf("kmem:%s", events[i]);
	if (ret >= 0 && !n)
		ret = err_set(&err, ENOENT, "no tracepoints of the slab allocator below "
					    "%s/events/kmem", os.tracefs);
	ret = ret < 0 ? cli_error(&err) :
		record_with(&(struct record_preset){
			.words = words, .events = (const char *const *)names, .system_wide = true,
			.raw = true, .period = 1 }, argc, argv);
	for (int i = 0; i < n; i++)
		free(names[i]);
	err_release(&err);
	os_release(&os);
	return ret;
}

int cmd_kmem(int argc, const char **argv)
{
	static const struct cli_sub subs[] = { { "record", kmem_record }, { "stat", kmem_stat },
					       { NULL, NULL } };
	static const char *const words[] = { "record", "stat", NULL };
	const char *const usage[] = { "[<options>] {record|stat}", NULL };
	struct kmem_cmd c = { .caller_rows = -1, .memory_rows = -1 };
	const struct option_table tables[] = {
		{ kmem_options, &c }, cli_symbols_group(&c.stream.symbols), session_group(),
		cli_common_group(&c.common), { 0 } };
	const struct cli_cmd cmd = { .name = "kmem", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION, .words = words };
	const int n = cli_parse(&cmd, argc, argv);

	return n < 0 ? cli_status(n) : cli_run_sub(&cmd, subs, n, argv, &c);
}
