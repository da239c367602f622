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

static int kmem_record(int argc, const char **argv, void *in)
{
	static const char *const words[] = { "kmem", "record", NULL };
	word_list names = { NULL, 0, 0 };
	struct kmem_cmd *c = in;
	struct err err = ERR_INIT;
	struct os os;
	int ret;

	if (kmem_check(c))
		return CLI_FAILED;
	os_init(&os);
	ret = kmem_find_events(c, &os, &names, &err);
	os_release(&os);
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
					       { "live", kmem_live }, { NULL, NULL } };
	static const char *const words[] = { "record", "stat", "live", NULL };
	const char *const usage[] = { "[<options>] {record|stat|live}", NULL };
	struct kmem_cmd c = { .callers.rows = -1, .memory.rows = -1 };
	const struct option_table tables[] = {
		{ kmem_options, &c }, cli_symbols_group(&c.stream.symbols), session_group(),
		cli_common_group(&c.common), { 0 } };
	const struct cli_cmd cmd = { .name = "kmem", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION, .words = words };
	const int n = cli_parse(&cmd, argc, argv);

	return n < 0 ? cli_status(n) : cli_run_sub(&cmd, subs, n, argv, &c);
}
