// SPDX-License-Identifier: GPL-2.0-or-later
// perf kmem: the options, whether they go together, and the events that they ask for.
#include <errno.h>
#include <string.h>

#include "builtin-kmem.h"
#include "util/base/num.h"
#include "util/base/words.h"
#include "util/cli/error.h"
#include "util/cli/options.h"

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

static int check_keys(const struct kmem_cmd *c, const char *keys, struct err *err)
{
	for (const char *p = keys ? keys : ""; *p; p += *p == ',') {
		const size_t n = strcspn(p, ",");
		const int k = word_index(kmem_key_names, KMEM_N_KEYS, p, n);

		if (k < 0 || !((c->slab && kmem_key_fits((enum kmem_key)k, false)) ||
			       (c->page && kmem_key_fits((enum kmem_key)k, true)))) {
			err_set(err, EINVAL, "--sort: there is no key '%.*s'", (int)n, p);
			err_hint(err, "the keys are: %s%s%s",
				 c->slab ? "ptr, callsite, bytes, hit, pingpong, frag" : "",
				 c->slab && c->page ? "; with --page: " : "",
				 c->page ? "page, callsite, bytes, hit, order, migtype, gfp" : "");
			return -EINVAL;
		}
		p += n;
	}
	return 0;
}

int kmem_check(struct kmem_cmd *c)
{
	struct err err = ERR_INIT;
	int ret;

	c->slab = c->slab || !c->page;
	ret = check_keys(c, c->keys, &err);
	if (!ret)
		ret = check_keys(c, c->callers.keys, &err);
	if (!ret)
		ret = check_keys(c, c->memory.keys, &err);
	if (!ret && c->live && !c->page)
		ret = err_set(&err, EINVAL, "--live is of the page allocator: it needs --page");
	if (ret)
		cli_error(&err);
	err_release(&err);
	return ret;
}

int kmem_find_events(const struct kmem_cmd *c, struct os *os, word_list *names,
		     struct err *err)
{
	static const struct { const char *name; bool page; } events[] = {
		/* before 6.3 nodes had events of their own */
		{ "kmalloc", false }, { "kmalloc_node", false }, { "kfree", false },
		{ "kmem_cache_alloc", false }, { "kmem_cache_alloc_node", false },
		{ "kmem_cache_free", false }, { "mm_page_alloc", true }, { "mm_page_free", true },
	};
	int ret = os_tracefs(os, err);

	for (size_t i = 0; i < ARRAY_SIZE(events) && ret >= 0; i++)
		if (events[i].page ? c->page : c->slab)
			os_add_tracepoint(os, "kmem", events[i].name, names);
	if (ret >= 0 && !names->n)
		ret = err_set(err, ENOENT, "no tracepoints of the %s allocator below "
			      "%s/events/kmem", c->slab ? "slab" : "page", os->tracefs);
	return ret;
}
