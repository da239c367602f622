// SPDX-License-Identifier: GPL-2.0-or-later
// perf sched record: perf record with the scheduler's events.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "builtin-sched.h"
#include "util/cli/error.h"
#include "util/cli/options.h"
#include "util/os/priority.h"
#include "util/os/schedstats.h"
#include "util/os/waiting.h"

int sched_run_command(const char *const *front, size_t n_front, int argc, const char **argv)
{
	const struct perf_command *cmd = find_command(front[0]);
	VEC(const char *) args = { 0 };
	int ret;

	if (!cmd)
		return cli_errorf("this perf was built without 'perf %s'", front[0]);

	for (size_t i = 0; i < n_front; i++)
		vec_push(&args, front[i]);
	for (int i = 1; i < argc; i++)
		vec_push(&args, argv[i]);
	vec_push(&args, NULL);
	ret = cmd->run((int)args.n - 1, args.v);
	vec_free(&args);
	return ret;
}

struct record_cmd { bool schedstat; };

static const struct option_def record_options[] = {
	OPT_FLAG(0, "schedstat", struct record_cmd, schedstat,
		 "switch kernel.sched_schedstats on meanwhile: for sched_stat_wait, _sleep, _blocked and _iowait"),
	OPT_END
};

static bool tracepoint_exists(struct os *os, const char *name)
{
	char *path = xasprintf("tracing:events/sched/%s/id", name);
	struct str text = STR_INIT;
	bool yes = os_read_file(os, path, &text, NULL) == 0;

	str_release(&text);
	free(path);
	return yes;
}

typedef VEC(const char *) arg_list;

/* Those events that exist: it depends on the kernel's version and configuration. */
static int add_events(struct os *os, arg_list *args, struct err *err)
{
	/* or: taken when the one before does not exist. */
	static const struct { const char *name; bool or; } events[] = {
		{ "sched_switch", false }, { "sched_stat_wait", false }, { "sched_stat_sleep", false }, { "sched_stat_iowait", false },
		{ "sched_stat_blocked", false }, { "sched_stat_runtime", false }, { "sched_process_fork", false },
		{ "sched_wakeup_new", false }, { "sched_migrate_task", false }, { "sched_waking", false }, { "sched_wakeup", true },
	};
	bool had = false, any = false;

	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		if (events[i].or && had)
			continue;
		had = tracepoint_exists(os, events[i].name);
		if (!had)
			continue;
		any = true;
		vec_push(args, xstrdup("-e"));
		vec_push(args, xasprintf("sched:%s", events[i].name));
	}
	return any ? 0 : err_set(err, ENOENT, "no scheduler tracepoints below %s/events/sched", os->tracefs);
}

/* With the scheduler's statistics: signals end perf record, and not this before it has put the switch back. */
static int record_with(struct os *os, bool schedstat, const char *const *front, size_t n_front, int argc, const char **argv)
{
	struct waiter waiter = { .signal_fd = -1 };
	struct schedstats counters = { 0 };
	struct err err = ERR_INIT;
	int ret = schedstat ? waiter_init(&waiter, &err) : 0;

	if (!ret && schedstat)
		ret = schedstats_on(&counters, os, &err);
	ret = ret ? cli_error(&err) : sched_run_command(front, n_front, argc, argv);
	schedstats_off(&counters, os);
	waiter_release(&waiter);
	err_release(&err);
	return ret;
}

/* Own options come first; what follows is perf record's. < 0: as cli_parse(). */
static int parse_own(struct record_cmd *c, int argc, const char **argv)
{
	const char *const usage[] = { "[--schedstat] [<options of perf record>] [<command>]", NULL };
	const struct option_table tables[] = { { record_options, c }, { 0 } };
	const struct cli_cmd cmd = { .name = "sched record", .usage = usage, .tables = tables };
	const char *own[] = { argv[0], argc > 1 ? argv[1] : "", NULL };

	if (argc < 2 || !(!strcmp(own[1], "--schedstat") || !strcmp(own[1], "-h") || str_has_prefix(own[1], "--list-opts")))
		return 0;
	return cli_parse(&cmd, 2, own);
}

int sched_record(int argc, const char **argv, void *in UNUSED)
{
	static const char *const fixed[] = { "record", "-a", "-R", "-c", "1" };
	struct record_cmd c = { 0 };
	arg_list front = { 0 };
	struct err err = ERR_INIT;
	struct os os;
	int ret = parse_own(&c, argc, argv);

	if (ret < 0 && (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--list-opts")))
		return sched_run_command(fixed, 1, argc, argv);		/* and what perf record has */
	if (ret < 0)
		return cli_status(ret);
	os_init(&os);
	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++)
		vec_push(&front, xstrdup(fixed[i]));
	if (os_may_be_realtime()) {	/* among thousands of runnable threads it would come too late, and records be lost */
		vec_push(&front, xstrdup("-r"));
		vec_push(&front, xstrdup("1"));
	}
	ret = os_tracefs(&os, &err);
	if (ret >= 0)
		ret = add_events(&os, &front, &err);
	if (ret < 0)
		ret = cli_error(&err);
	else
		ret = record_with(&os, c.schedstat, front.v, front.n, argc - c.schedstat, argv + c.schedstat);
	for (size_t i = 0; i < front.n; i++)
		free((char *)front.v[i]);
	vec_free(&front);
	err_release(&err);
	os_release(&os);
	return ret;
}
