// SPDX-License-Identifier: GPL-2.0-or-later
// perf sched record: perf record with the scheduler's events.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "builtin-record.h"
#include "builtin-sched.h"
#include "util/base/xalloc.h"
#include "util/cli/error.h"
#include "util/cli/options.h"
#include "util/os/priority.h"
#include "util/os/schedstats.h"
#include "util/os/wait-set.h"

struct sched_record_opts { bool schedstat, why; };

static const struct option_def record_options[] = {
	OPT_FLAG(0, "schedstat", struct sched_record_opts, schedstat,
		 "set kernel.sched_schedstats to 1 meanwhile, for the sched_stat events"),
	OPT_FLAG(0, "why", struct sched_record_opts, why,
		 "also call chains, and the other events that perf sched why makes use of"),
	OPT_END
};

/* Those events that exist: it depends on the kernel's version and configuration. */
static int find_events(struct os *os, word_list *out, struct err *err)
{
	/* or: taken when the one before does not exist. */
	static const struct { const char *name; bool or; } events[] = {
		{ "sched_switch", false }, { "sched_stat_wait", false },
			{ "sched_stat_sleep", false }, { "sched_stat_iowait", false },
		{ "sched_stat_blocked", false }, { "sched_stat_runtime", false },
		{ "sched_process_fork", false },
		{ "sched_wakeup_new", false }, { "sched_migrate_task", false },
		{ "sched_waking", false }, { "sched_wakeup", true },
	};
	bool had = false;
	int ret = os_tracefs(os, err);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		if (events[i].or && had)
			continue;
		had = os_add_tracepoint(os, "sched", events[i].name, out);
	}
	return out->n ? 0 : err_set(err, ENOENT, "no scheduler tracepoints below %s/events/sched",
				    os->tracefs);
}

int sched_record_with(const struct record_preset *more, int argc, const char **argv)
{
	static const char *const words[] = { "sched", "record", NULL };
	struct record_preset p = *more;
	word_list names = { NULL, 0, 0 };
	struct err err = ERR_INIT;
	struct os os;
	int ret;

	os_init(&os);
	ret = find_events(&os, &names, &err);
	for (const char *const *e = more->events; e && *e; e++)
		vec_push(&names, xstrdup(*e));
	vec_push(&names, NULL);
	p.words = p.words ? p.words : words;
	p.events = (const char *const *)names.v;
	p.system_wide = p.raw = true;
	p.period = 1;
	/* among thousands of runnable threads it would come too late, and records be lost */
	if (os_may_be_realtime())
		p.rt_prio = 1;
	ret = ret < 0 ? cli_error(&err) : record_with(&p, argc, argv);
	words_release(&names);
	err_release(&err);
	os_release(&os);
	return ret;
}

/* What perf sched why makes use of, as far as it exists here. */
static int record_for_why(int argc, const char **argv)
{
	static const char *const events[] = {
		"lock:contention_begin", "lock:contention_end", "block:block_rq_insert",
		"block:block_rq_issue", "block:block_rq_complete", "irq:irq_handler_entry",
		"irq:softirq_entry", "timer:hrtimer_expire_entry", "exceptions:page_fault_user",
		NULL };
	word_list names = { NULL, 0, 0 };
	struct err err = ERR_INIT;
	struct os os;
	int ret;

	os_init(&os);
	ret = record_find_events(&os, events, &names, &err);
	vec_push(&names, NULL);
	ret = ret < 0 ? cli_error(&err) :
		sched_record_with(&(struct record_preset){ .events = (const char *const *)names.v,
						    .callchain = true },
				  argc, argv);
	words_release(&names);
	err_release(&err);
	os_release(&os);
	return ret;
}

static int record_as(const struct sched_record_opts *c, int argc, const char **argv)
{
	return c->why ? record_for_why(argc, argv) :
		sched_record_with(&(struct record_preset){ .events = NULL }, argc, argv);
}

/* With the scheduler's statistics: signals end perf record, and not this before it has put the
 * switch back. */
static int record_with_stats(const struct sched_record_opts *c, int argc, const char **argv)
{
	struct waiter waiter = { .signal_fd = -1 };
	struct schedstats counters = { 0 };
	struct err err = ERR_INIT;
	struct os os;
	int ret = waiter_init(&waiter, &err);

	os_init(&os);
	if (!ret)
		ret = schedstats_on(&counters, &os, &err);
	ret = ret ? cli_error(&err) : record_as(c, argc, argv);
	schedstats_off(&counters, &os);
	waiter_release(&waiter);
	os_release(&os);
	err_release(&err);
	return ret;
}

int sched_record(int argc, const char **argv, void *in UNUSED)
{
	struct sched_record_opts c = { 0 };
	const char *const usage[] = { "[--schedstat] [--why] [<options of perf record>] "
				      "[<command>]", NULL };
	const struct option_table tables[] = { { record_options, &c }, { 0 } };
	const struct cli_cmd cmd = { .name = "sched record", .usage = usage, .tables = tables };
	bool help;
	const int n = record_own_flags(&cmd, argc, argv, &help);

	if (help)
		return cmd_record(argc, argv);		/* and what perf record has */
	if (n < 0)
		return cli_status(n);
	argc -= n;
	argv += n;
	return c.schedstat ? record_with_stats(&c, argc, argv) : record_as(&c, argc, argv);
}
