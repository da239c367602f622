// SPDX-License-Identifier: GPL-2.0-or-later
// main: global options, the command's name, and what every command's end has in common.
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "builtin.h"
#include "util/base/io.h"
#include "util/base/log.h"
#include "util/base/num.h"
#include "util/base/str.h"
#include "util/base/vec.h"
#include "util/cli/config.h"
#include "util/cli/error.h"
#include "util/cli/manual.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/cli/progress.h"
#include "util/session/session.h"

#define USAGE "perf [--version] [--help] [OPTIONS] COMMAND [ARGS]"

static int cmd_help(int argc, const char **argv);
static int cmd_config(int argc, const char **argv);

/* In the order in which "perf" lists them. A command is in when its file is. */
static const struct perf_command perf_commands[] = {
#if __has_include("builtin-annotate.c")
	{ "annotate", cmd_annotate, "Read perf.data (created by perf record) and display annotated "
				    "code" },
#endif
#if __has_include("builtin-archive.c")
	{ "archive", cmd_archive, "Create archive with object files with build-ids found in "
				  "perf.data file" },
#endif
#if __has_include("builtin-bench.c")
	{ "bench", cmd_bench, "General framework for benchmark suites" },
#endif
#if __has_include("builtin-buildid-cache.c")
	{ "buildid-cache", cmd_buildid_cache, "Manage build-id cache." },
#endif
#if __has_include("builtin-buildid-list.c")
	{ "buildid-list", cmd_buildid_list, "List the buildids in a perf.data file" },
#endif
#if __has_include("builtin-c2c.c")
	{ "c2c", cmd_c2c, "Shared Data C2C/HITM Analyzer." },
#endif
#if __has_include("builtin-check.c")
	{ "check", cmd_check, "check if a feature is present in perf" },
#endif
	{ "config", cmd_config, "Get and set variables in a configuration file." },
#if __has_include("builtin-daemon.c")
	{ "daemon", cmd_daemon, "Run record sessions on background" },
#endif
#if __has_include("builtin-data.c")
	{ "data", cmd_data, "Data file related processing" },
#endif
#if __has_include("builtin-diff.c")
	{ "diff", cmd_diff, "Read perf.data files and display the differential profile" },
#endif
#if __has_include("builtin-doctor.c")
	{ "doctor", cmd_doctor, "Say what stands in the way of measuring, and how good perf.data "
				"is" },
#endif
#if __has_include("builtin-evlist.c")
	{ "evlist", cmd_evlist, "List the event names in a perf.data file" },
#endif
#if __has_include("builtin-export.c")
	{ "export", cmd_export, "Convert perf.data to the formats of other profile viewers" },
#endif
#if __has_include("builtin-flame.c")
	{ "flame", cmd_flame, "Record a command, or read perf.data, and draw a flame graph" },
#endif
#if __has_include("builtin-ftrace.c")
	{ "ftrace", cmd_ftrace, "simple wrapper for kernel's ftrace functionality" },
#endif
#if __has_include("builtin-heap.c")
	{ "heap", cmd_heap, "Show which functions of programs allocate memory, and what becomes "
	  "of it" },
#endif
#if __has_include("builtin-heatmap.c")
	{ "heatmap", cmd_heatmap, "Record a command, or read perf.data, and draw a map of when, or "
				  "of how long" },
#endif
#if __has_include("builtin-inject.c")
	{ "inject", cmd_inject, "Filter to augment the events stream with additional information" },
#endif
#if __has_include("builtin-io.c")
	{ "io", cmd_io, "Show who makes requests to block devices, and how long they take" },
#endif
#if __has_include("builtin-iostat.c")
	{ "iostat", cmd_iostat, "Show I/O performance metrics" },
#endif
#if __has_include("builtin-kallsyms.c")
	{ "kallsyms", cmd_kallsyms, "Searches running kernel for symbols" },
#endif
#if __has_include("builtin-kmem.c")
	{ "kmem", cmd_kmem, "Tool to trace/measure kernel memory properties" },
#endif
#if __has_include("builtin-kvm.c")
	{ "kvm", cmd_kvm, "Tool to trace/measure kvm guest os" },
#endif
#if __has_include("builtin-kwork.c")
	{ "kwork", cmd_kwork, "Tool to trace/measure kernel work properties (latencies)" },
#endif
#if __has_include("builtin-list.c")
	{ "list", cmd_list, "List all symbolic event types" },
#endif
#if __has_include("builtin-lock.c")
	{ "lock", cmd_lock, "Analyze lock events" },
#endif
#if __has_include("builtin-mem.c")
	{ "mem", cmd_mem, "Profile memory accesses" },
#endif
#if __has_include("builtin-record.c")
	{ "record", cmd_record, "Run a command and record its profile into perf.data" },
#endif
#if __has_include("builtin-report.c")
	{ "report", cmd_report, "Read perf.data (created by perf record) and display the profile" },
#endif
#if __has_include("builtin-sched.c")
	{ "sched", cmd_sched, "Tool to trace/measure scheduler properties (latencies)" },
#endif
#if __has_include("builtin-script.c")
	{ "script", cmd_script, "Read perf.data (created by perf record) and display trace "
				"output" },
#endif
#if __has_include("builtin-sql.c")
	{ "sql", cmd_sql, "Ask questions about perf.data in SQL" },
#endif
#if __has_include("builtin-stat.c")
	{ "stat", cmd_stat, "Run a command and gather performance counter statistics" },
#endif
#if __has_include("builtin-test.c")
	{ "test", cmd_test, "Runs sanity tests." },
#endif
#if __has_include("builtin-timechart.c")
	{ "timechart", cmd_timechart, "Tool to visualize total system behavior during a workload" },
#endif
#if __has_include("builtin-top.c")
	{ "top", cmd_top, "System profiling tool." },
#endif
	{ "version", cmd_version, "display the version of perf binary" },
#if __has_include("builtin-probe.c")
	{ "probe", cmd_probe, "Define new dynamic tracepoints" },
#endif
#if __has_include("builtin-trace.c")
	{ "trace", cmd_trace, "strace inspired tool" },
#endif
	{ "help", cmd_help, NULL },	/* no text: not in the list of common commands */
	{ NULL, NULL, NULL }
};

static int cmd_help(int argc, const char **argv)
{
	return help_command(perf_commands, argc, argv);
}

static int cmd_config(int argc, const char **argv)
{
	return config_command(perf_commands, argc, argv);
}

enum global_action { RUN_COMMAND, SHOW_VERSION, SHOW_HELP, LIST_COMMANDS, SHOW_EXEC_PATH };

struct global_opts {
	int action;	/* enum global_action */
	bool build_options;
};

/* Settings for everything that runs below travel in the environment: also perf's own children
 * get them. */
static int set_env(const struct opt_use *u, struct err *err)
{
	(void)err;
	setenv((const char *)(uintptr_t)u->def->val, u->arg ? u->arg : "cat", 1);
	return 0;
}

static int paginate(const struct opt_use *u, struct err *err)
{
	(void)u;
	(void)err;
	cli_pager_start();
	return 0;
}

static int set_debug(const struct opt_use *u, struct err *err)
{
	const char *level = str_has_prefix(u->arg, "verbose=") ? u->arg + 8 : u->arg;
	int n;

	if (!strcmp(u->arg, "verbose"))
		log_set_level(1);
	else if (parse_int(level, &n))
		log_set_level(n);
	else if (!log_set_domain(u->arg))
		return err_set(err, EINVAL, "no such debug domain: '%s'", u->arg);
	return 0;
}

#define ENV_OPTION(l, a, env, h) \
	OPT_DEF(0, l, CALL, h, .val = (u64)(uintptr_t)env, .arg = a, .call = set_env)

static const struct option_def global_options[] = {
	OPT_SET('v', "version", struct global_opts, action, SHOW_VERSION, "print the version"),
	OPT_SET('h', "help", struct global_opts, action, SHOW_HELP, "list the commands"),
	OPT_SET(0, "list-cmds", struct global_opts, action, LIST_COMMANDS,
		"print the names of all commands"),
	OPT_SET(0, "exec-path", struct global_opts, action, SHOW_EXEC_PATH,
		"print where perf keeps its helpers"),
	OPT_FLAG(0, "build-options", struct global_opts, build_options,
		 "with --version: what perf was built with"),
	OPT_CALL('p', "paginate", NULL, paginate, "show the output in the pager"),
	ENV_OPTION("no-pager", NULL, "PERF_PAGER", "do not use a pager"),
	ENV_OPTION("buildid-dir", "dir", "PERF_BUILDID_DIR",
		   "the build-id cache (default ~/.debug)"),
	ENV_OPTION("debugfs-dir", "dir", "PERF_DEBUGFS_DIR", "where debugfs is mounted"),
	ENV_OPTION("config", "file", "PERF_CONFIG", "read only this configuration file"),
	OPT_CALL(0, "debug", "domain[=level]", set_debug,
		 "log to stderr: verbose=2 for all, or symbols=2 for one domain"),
	OPT_END
};

static void list_common(FILE *f)
{
	fprintf(f, "\n usage: " USAGE "\n\n The most commonly used perf commands are:\n");
	for (const struct perf_command *c = perf_commands; c->name; c++)
		if (c->help)
			fprintf(f, "   %-15s %s\n", c->name, c->help);
	fprintf(f, "\n See 'perf help COMMAND' for more information on a specific command.\n\n");
}

static int unknown_command(const char *name)
{
	VEC(const char *) names = { NULL, 0, 0 };
	struct str s = STR_INIT;
	const char *best;

	for (const struct perf_command *c = perf_commands; c->name; c++)
		vec_push(&names, c->name);
	best = nearest_name(name, names.v, names.n);
	str_add(&s, "perf: '");
	str_add_safe(&s, name);
	str_add(&s, "' is not a perf-command. See 'perf --help'.\n");
	if (best)
		str_addf(&s, "\nDid you mean %s?\n", best);
	fputs(str_cstr(&s), stderr);
	str_release(&s);
	vec_free(&names);
	return CLI_FAILED;
}

static int run_action(const struct global_opts *o)
{
	const char *const version[] = { "version", o->build_options ? "--build-options" : NULL,
					NULL };
	struct str s = STR_INIT;

	switch (o->action) {
	case SHOW_VERSION:
		return cmd_version(o->build_options ? 2 : 1, (const char **)version);
	case LIST_COMMANDS:
		for (const struct perf_command *c = perf_commands; c->name; c++)
			printf("%s ", c->name);
		printf("\n");
		return 0;
	case SHOW_EXEC_PATH:
		cli_exe_dir(&s);
		printf("%s/../libexec/perf-core\n", str_cstr(&s));
		str_release(&s);
		return 0;
	}
	cli_pager_start();
	list_common(stdout);
	return 0;
}

/* Help works also with a file that cannot be understood; config reads the named file. */
static bool wants_config(int argc, const char **argv)
{
	static const char *const without[] = { "help", "version", "config" },
		*const about[] = { "-h", "--help", "--list-opts" };

	for (size_t i = 0; i < ARRAY_SIZE(without); i++)
		if (!strcmp(argv[0], without[i]))
			return false;
	for (size_t i = 0; argc == 2 && i < ARRAY_SIZE(about); i++)
		if (!strcmp(argv[1], about[i]))
			return false;
	return true;
}

/* Before the command, as its parts (the build-id cache, the pager) go by it, too. */
static int read_config(const char *command)
{
	struct err err = ERR_INIT;
	int status = config_start(&err) < 0 ? cli_error(&err) : 0;

	if (!status)
		config_apply(command);
	err_release(&err);
	return status;
}

/* -v: a setting that is misspelt, or has no effect, would do nothing without a word. */
static void warn_setting(const char *text, bool known)
{
	(void)known;
	cli_warn("%s", text);
}

static int run_command(int argc, const char **argv)
{
	const struct perf_command *c = find_command(perf_commands, argv[0]);
	int status = 0;

	if (!c)
		return unknown_command(argv[0]);
	if (wants_config(argc, argv))
		status = read_config(argv[0]);
	status = status ? status : c->run(argc, argv);
	if (log_on(LOG_CLI, 1) && config_used()->items.n)
		config_check(perf_commands, config_used(), warn_setting);
	return status;
}

/* perf [global options] COMMAND ... */
static int run_perf(int argc, const char **argv)
{
	static const char *const usage[] = { "[--version] [--help] [OPTIONS] COMMAND [ARGS]",
					     NULL };
	struct global_opts o = { .action = RUN_COMMAND };
	const struct option_table tables[] = { { global_options, &o }, { NULL, NULL } };
	const struct cli_cmd globals = { .name = "", .usage = usage, .tables = tables,
					 .flags = CLI_STOP_AT_NON_OPTION };
	int n;

	if (argc > 2 && !strcmp(argv[1], "--complete"))	/* not an option: any words follow */
		return complete_line(perf_commands, &globals, argc - 2, argv + 2);
	n = cli_parse(&globals, argc, argv);
	if (n < 0)
		return cli_status(n);
	if (o.action != RUN_COMMAND && !(o.action == SHOW_HELP && n))
		return run_action(&o);
	if (o.action == SHOW_HELP) {	/* perf --help CMD */
		const char *help[] = { "help", argv[0], NULL };

		return cmd_help(2, help);
	}
	if (n)
		return run_command(n, argv);
	list_common(stdout);
	return CLI_FAILED;
}

/* The command that the program's own name says: "trace", "perf-report". */
static const char *command_from_name(const char *argv0)
{
	const char *slash = strrchr(argv0, '/'), *base = slash ? slash + 1 : argv0;

	if (!strcmp(base, "trace"))
		return base;
	if (!str_has_prefix(base, "perf-"))
		return NULL;
	return find_command(perf_commands, base + 5) ? base + 5 : NULL;
}

/* Has the reader of our output gone away? That is its own will. */
static bool reader_gone(int fd)
{
	struct pollfd p = { .fd = fd };

	return poll(&p, 1, 0) == 1 && (p.revents & POLLERR);
}

/* The one place that decides what output that is lost means: failure, whatever the command
 * thinks. Also of what only the closing of a file tells (quotas, network file systems). */
static int check_stdout(int status)
{
	const bool earlier = ferror(stdout) != 0;
	const int failed = fflush(stdout) != 0 ? errno : 0, copy = dup(STDOUT_FILENO);
	const int closing = copy >= 0 && close(copy) < 0 ? errno : 0, code = failed ? failed :
		closing;
	struct err err = ERR_INIT;

	if ((!earlier && !code) || code == EPIPE || reader_gone(STDOUT_FILENO))
		return status;
	if (!cli_error_printed()) {
		if (code)
			err_sys(&err, code, "cannot write to standard output");
		else
			err_set(&err, EIO, "cannot write to standard output: what was shown is not "
					   "all");
		if (!err.hint)
			err_hint(&err, "see whether there is room where it goes (df), or send it "
				       "elsewhere");
		cli_error(&err);
		err_release(&err);
	}
	return status ? status : CLI_FAILED;
}

struct call { int argc; char **argv; int status; sigset_t mask; };

static int run_main(int argc, char **argv)
{
	const char **args = xcalloc((size_t)argc + 2, sizeof(*args));
	const char *own;
	int status;

	io_open_standard();
	for (int i = 0; i < argc; i++)
		args[i] = argv[i];
	cli_progress_start();
	own = argc ? command_from_name(args[0]) : NULL;
	if (own) {
		args[0] = own;
		status = run_command(argc, args);
	} else {
		status = run_perf(argc, args);
	}
	status = check_stdout(session_status(status));
	cli_pager_finish();
	config_stop();
	free(args);
	return status;
}

static void *run_thread(void *ctx)
{
	struct call *c = ctx;

	pthread_sigmask(SIG_SETMASK, &c->mask, NULL);
	c->status = run_main(c->argc, c->argv);
	return NULL;
}

#define STACK_BYTES (8UL << 20)

/* A command is measured under the limits of its shell, which may leave perf itself a stack that
 * is too small (ulimit -s 64): then perf runs on one of its own. Signals are for that thread. */
static bool run_with_stack(struct call *c)
{
	pthread_attr_t attr;
	pthread_t thread;
	struct rlimit rl;
	sigset_t all;
	bool runs;

	if (getrlimit(RLIMIT_STACK, &rl) || rl.rlim_cur >= STACK_BYTES / 8 ||
	    pthread_attr_init(&attr))
		return false;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &c->mask);
	runs = !pthread_attr_setstacksize(&attr, STACK_BYTES) &&
		!pthread_setattr_default_np(&attr) &&
	       !pthread_create(&thread, &attr, run_thread, c);
	if (runs)
		pthread_join(thread, NULL);
	pthread_sigmask(SIG_SETMASK, &c->mask, NULL);
	pthread_attr_destroy(&attr);
	return runs;
}

int main(int argc, char **argv)
{
	struct call call = { .argc = argc, .argv = argv };

	setlocale(LC_CTYPE, "");	/* the rest is read by scripts, and costs a file each */
	signal(SIGXFSZ, SIG_IGN);	/* a write fails instead, with a message */
	if (!run_with_stack(&call))
		call.status = run_main(argc, argv);
	return call.status;
}
