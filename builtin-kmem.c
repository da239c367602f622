// SPDX-License-Identifier: GPL-2.0-or-later
// perf kmem: what the kernel's allocators, of pieces (slab) and of pages, were asked for, and by
// whom.
#include <errno.h>
#include <stdlib.h>

#include "builtin.h"
#include "builtin-kmem.h"
#include "builtin-record.h"
#include "util/base/num.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/session/session.h"

/* -l and -s are of the table that was asked for last. */
static int set_callers(const struct opt_use *u, struct err *err UNUSED)
{
	struct kmem_cmd *c = u->base;

	c->callers.shown = !u->unset;
	c->last = &c->callers;
	return 0;
}

static int set_memory(const struct opt_use *u, struct err *err UNUSED)
{
	struct kmem_cmd *c = u->base;

	c->memory.shown = !u->unset;
	c->last = &c->memory;
	return 0;
}

static int set_rows(const struct opt_use *u, struct err *err)
{
	struct kmem_cmd *c = u->base;
	int n = -1;

	if (u->arg && (!parse_int(u->arg, &n) || n < 0))
		return err_set(err, EINVAL, "'%s' is not a number of lines", u->arg);
	*(c->last ? &c->last->rows : &c->callers.rows) = n;
	return 0;
}

static int set_keys(const struct opt_use *u, struct err *err UNUSED)
{
	struct kmem_cmd *c = u->base;

	*(c->last ? &c->last->keys : &c->keys) = u->unset ? NULL : u->arg;
	return 0;
}

const struct option_def kmem_options[] = {
	OPT_STRING('i', "input", struct kmem_cmd, path, "file",
	     "the recording to read (default: perf.data; -: standard input)"),
	OPT_FLAG('f', "force", struct kmem_cmd, force,
		 "read a recording that belongs to another user"),
	OPT_CALL_NO(0, "caller", NULL, set_callers, "a row for each place that asked for memory"),
	OPT_CALL_NO(0, "alloc", NULL, set_memory, "a row for each piece of memory"),
	OPT_CALL_NO('s', "sort", "key[,key2...]", set_keys,
		    "sort rows of the table that was asked for last by these keys: ptr, callsite,\n"
		    "bytes, hit, pingpong, frag (default: frag,hit,bytes); with --page: page,\n"
		    "callsite, bytes, hit, order, migtype, gfp (default: bytes,hit)"),
	OPT_CALL_NO('l', "line", "num", set_rows,
		    "at most so many rows of the table that was asked for last"),
	OPT_FLAG(0, "raw-ip", struct kmem_cmd, raw_ip, "addresses instead of functions"),
	OPT_FLAG(0, "slab", struct kmem_cmd, slab, "the slab allocator (default)"),
	OPT_FLAG(0, "page", struct kmem_cmd, page,
		 "the page allocator (with --slab: both)"),
	OPT_FLAG(0, "live", struct kmem_cmd, live, "with --page: only what was not freed again"),
	OPT_STRING(0, "time", struct kmem_cmd, stream.filter.time, "str",
		   "only this span of time: start,stop (in s; or percentages: 10%-20%)"),
	OPT_END
};

/* --- record */

static const struct { const char *name; bool page; } events[] = {
	/* before 6.3 nodes had events of their own */
	{ "kmalloc", false }, { "kmalloc_node", false }, { "kfree", false },
	{ "kmem_cache_alloc", false }, { "kmem_cache_alloc_node", false },
	{ "kmem_cache_free", false }, { "mm_page_alloc", true }, { "mm_page_free", true },
};

/* Those that there are, of the allocators that were asked for. */
static int find_events(const struct kmem_cmd *c, char **names, struct err *err)
{
	struct os os;
	int n = 0, ret;

	os_init(&os);
	ret = os_tracefs(&os, err);
	for (size_t i = 0; i < ARRAY_SIZE(events) && ret >= 0; i++)
		if ((events[i].page ? c->page : c->slab) &&
		    os_has_tracepoint(&os, "kmem", events[i].name))
			names[n++] = xasprintf("kmem:%s", events[i].name);
	if (ret >= 0 && !n)
		ret = err_set(err, ENOENT, "no tracepoints of the %s allocator below "
			      "%s/events/kmem", c->slab ? "slab" : "page", os.tracefs);
	os_release(&os);
	return ret < 0 ? ret : n;
}

static int kmem_record(int argc, const char **argv, void *in)
{
	static const char *const words[] = { "kmem", "record", NULL };
	char *names[ARRAY_SIZE(events) + 1] = { NULL };
	struct kmem_cmd *c = in;
	struct err err = ERR_INIT;
	int ret;

	if (kmem_check(c))
		return CLI_FAILED;
	ret = find_events(c, names, &err);
	ret = ret < 0 ? cli_error(&err) :
		record_with(&(struct record_preset){
			.words = words, .events = (const char *const *)names, .system_wide = true,
			.raw = true, .period = 1, .callchain = c->page }, argc, argv);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		free(names[i]);
	err_release(&err);
	return ret;
}

int cmd_kmem(int argc, const char **argv)
{
	static const struct cli_sub subs[] = { { "record", kmem_record }, { "stat", kmem_stat },
					       { NULL, NULL } };
	static const char *const words[] = { "record", "stat", NULL };
	const char *const usage[] = { "[<options>] {record|stat}", NULL };
	struct kmem_cmd c = { .callers.rows = -1, .memory.rows = -1 };
	const struct option_table tables[] = {
		{ kmem_options, &c }, cli_symbols_group(&c.stream.symbols), session_group(),
		cli_common_group(&c.common), { 0 } };
	const struct cli_cmd cmd = { .name = "kmem", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION, .words = words };
	const int n = cli_parse(&cmd, argc, argv);

	return n < 0 ? cli_status(n) : cli_run_sub(&cmd, subs, n, argv, &c);
}
