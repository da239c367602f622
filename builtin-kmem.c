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

/* --- record */

static const struct { const char *name; bool page; } events[] = {
	/* before 6.3 nodes had events of their own */
	{ "kmalloc", false }, { "kmalloc_node", false }, { "kfree", false },
	{ "kmem_cache_alloc", false }, { "kmem_cache_alloc_node", false },
	{ "kmem_cache_free", false }, { "mm_page_alloc", true }, { "mm_page_free", true },
};

/* Those that there are, of the allocators that were asked for. */
static int find_events(const struct kmem_cmd *c, word_list *names, struct err *err)
{
	struct os os;
	int ret;

	os_init(&os);
	ret = os_tracefs(&os, err);
	for (size_t i = 0; i < ARRAY_SIZE(events) && ret >= 0; i++)
		if (events[i].page ? c->page : c->slab)
			os_add_tracepoint(&os, "kmem", events[i].name, names);
	if (ret >= 0 && !names->n)
		ret = err_set(err, ENOENT, "no tracepoints of the %s allocator below "
			      "%s/events/kmem", c->slab ? "slab" : "page", os.tracefs);
	os_release(&os);
	return ret;
}

static int kmem_record(int argc, const char **argv, void *in)
{
	static const char *const words[] = { "kmem", "record", NULL };
	word_list names = { NULL, 0, 0 };
	struct kmem_cmd *c = in;
	struct err err = ERR_INIT;
	int ret;

	if (kmem_check(c))
		return CLI_FAILED;
	ret = find_events(c, &names, &err);
	vec_push(&names, NULL);
	ret = ret < 0 ? cli_error(&err) :
		record_with(&(struct record_preset){
			.words = words, .events = (const char *const *)names.v,
			.system_wide = true, .raw = true, .period = 1,
			.callchain = c->page }, argc, argv);
	words_release(&names);
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
