// SPDX-License-Identifier: GPL-2.0-or-later
// perf sched: one model of the scheduler, fed by the stream; each sub-command observes it.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "builtin-sched.h"
#include "util/analysis/sched-chain.h"
#include "util/analysis/sched-latency.h"
#include "util/analysis/sched-replay.h"
#include "util/analysis/sched-select.h"
#include "util/base/json.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/export/samples-json.h"
#include "util/session/warnings.h"
#include "util/view/sched-text.h"

struct sched_input {
	const char *path;
	bool force, dump;
	struct cli_common common;
};

static const struct option_def input_options[] = {
	OPT_STRING('i', "input", struct sched_input, path, "file", "input file name"),
	OPT_FLAG('D', "dump-raw-trace", struct sched_input, dump, "dump raw trace in ASCII"),
	OPT_FLAG('f', "force", struct sched_input, force, "don't complain, do it"),
	OPT_END
};

/* What all sub-commands that read a recording share. */
struct reading {
	struct session s;
	struct sched *model;
	struct sink *sink;
};

/* Another command of perf: the words in front, then those of argv after argv[0]. Its status. */
static int run_command(const char *const *front, size_t n_front, int argc, const char **argv)
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

static void dump_records(const struct sched_input *in)
{
	const char *const front[] = { "script", "-D", "-i", in->path };
	const char *none[] = { NULL };

	run_command(front, in->path ? 4 : 2, 0, none);
	fflush(stdout);
}

static int reading_open(struct reading *r, const struct sched_input *in,
			const struct symbols_opts *symbols)
{
	struct session *s = &r->s;
	const struct stream_opts opts = { .symbols = symbols ? *symbols :
					  (struct symbols_opts){ 0 } };
	int ret = session_open(s, &(struct session_opts){ .path = in->path, .force = in->force,
							  .quiet = in->common.quiet });

	r->model = sched_new();
	if (!ret && in->dump)
		dump_records(in);
	if (!ret && !s->source->once)
		ret = sched_need_switches(s->source->events, s->source->name, &s->err);
	if (!ret)
		ret = session_prepare(s, &opts);
	if (!ret)
		r->sink = sched_sink_new(r->model, s->source->events, s->source->swap);
	return ret;
}

static int reading_run(struct reading *r)
{
	int ret = session_run(&r->s, &r->sink, 1);

	sched_close(r->model);
	return ret;
}

/* The exit status. */
static int reading_close(struct reading *r, int ret)
{
	const u64 n_bad = sched_get_stats(r->model)->n_bad;

	session_warn(&r->s);
	if (!ret && n_bad) {
		session_damaged();
		cli_warn("%llu events without the needed fields were left out: their formats in "
			 "the recording "
			 "are damaged", (unsigned long long)n_bad);
	}
	sched_sink_free(r->sink);
	sched_free(r->model);
	return session_close(&r->s, ret);
}

/* --- latency --- */

struct latency_cmd {
	struct sched_input in;
	struct latency_opts opts;
	struct latency_view view;
	bool json;
};

static const struct option_def latency_options[] = {
	OPT_STRING('s', "sort", struct latency_cmd, opts.sort, "key[,key2...]",
		   "sort by key(s): runtime, switch, avg, max"),
	OPT_FLAG('p', "pids", struct latency_cmd, opts.per_task,
		 "latency stats per pid instead of per comm"),
	OPT_STRING('C', "CPU", struct latency_cmd, opts.cpus, "n", "CPU to profile on"),
	OPT_FLAG(0, "percentiles", struct latency_cmd, view.percentiles,
		 "also the delays that 50, 95 and 99% are not above"),
	OPT_FLAG(0, "histogram", struct latency_cmd, view.histogram,
		 "also how often delays of which size occurred"),
	OPT_FLAG(0, "json", struct latency_cmd, json, "the table as one JSON object"),
	OPT_END
};

static int sched_latency(int argc, const char **argv, void *in)
{
	struct latency_cmd c = { .in = *(struct sched_input *)in };
	const char *const usage[] = { "[<options>]", NULL };
	const struct option_table tables[] = { { latency_options, &c }, { input_options, &c.in },
					       session_group(),
					       cli_common_group(&c.in.common), { 0 } };
	const struct cli_cmd cmd = { .name = "sched latency", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	struct latency *l = NULL;
	struct reading r = { 0 };
	int n = cli_parse(&cmd, argc, argv), ret = -1;

	if (n < 0)
		return cli_status(n);
	if (reading_open(&r, &c.in, NULL) == 0)
		l = latency_new(r.model, &c.opts, &r.s.err);
	if (l)
		ret = reading_run(&r);
	if (!ret) {
		c.view.n_records = stream_get_stats(r.s.stream)->n_records;
		cli_pager_start();
		if (c.json)
			latency_json(stdout, l, r.model);
		else
			latency_print(stdout, l, r.model, &c.view);
		session_sched_unseen(r.model, &(struct sched_selection){ .cpus = c.opts.cpus });
	}
	latency_free(l);
	return reading_close(&r, ret);
}

/* --- map --- */

struct map_cmd {
	struct sched_input in;
	struct map_opts opts;
};

static const struct option_def map_options[] = {
	OPT_FLAG(0, "compact", struct map_cmd, opts.compact, "map output in compact mode"),
	OPT_STRING(0, "cpus", struct map_cmd, opts.cpus, "cpus", "display given CPUs in map"),
	OPT_STRING(0, "color-cpus", struct map_cmd, opts.color_cpus, "cpus",
		   "highlight given CPUs in map"),
	OPT_STRING(0, "color-pids", struct map_cmd, opts.color_pids, "pids",
		   "highlight given pids in map"),
	OPT_STRING(0, "task-name", struct map_cmd, opts.task_names, "task",
		   "map output only for the given task name(s)."),
	OPT_FLAG(0, "fuzzy-name", struct map_cmd, opts.fuzzy,
		 "given command name can be partially matched (fuzzy matching)"),
	OPT_FLAG(0, "json", struct map_cmd, opts.json, "the switches as a JSON array"),
	OPT_END
};

static int sched_map(int argc, const char **argv, void *in)
{
	struct map_cmd c = { .in = *(struct sched_input *)in };
	const char *const usage[] = { "[<options>]", NULL };
	const struct option_table tables[] = { { map_options, &c }, { input_options, &c.in },
					       session_group(),
					       cli_common_group(&c.in.common), { 0 } };
	const struct cli_cmd cmd = { .name = "sched map", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	struct reading r = { 0 };
	struct sched_map *m = NULL;
	int n = cli_parse(&cmd, argc, argv), ret = -1;

	if (n < 0)
		return cli_status(n);
	c.opts.color = cli_color_on(CLI_COLOR_AUTO, STDOUT_FILENO);
	c.opts.width = cli_columns(STDOUT_FILENO);
	if (reading_open(&r, &c.in, NULL) == 0) {
		/* else session_sched_unseen() wants to know all that there were */
		if (!c.opts.cpus && !c.opts.task_names)
			sched_sink_leave_wakes(r.sink);
		cli_pager_start();
		m = sched_map_new(r.model, stdout, &c.opts, &r.s.err);
	}
	if (m)
		ret = reading_run(&r);
	if (!ret) {
		sched_map_end(m, stream_get_stats(r.s.stream)->n_records);
		session_sched_unseen(r.model, &(struct sched_selection){ .cpus = c.opts.cpus,
									 .names = c.opts.task_names,
								     .fuzzy = c.opts.fuzzy });
	}
	sched_map_free(m);
	return reading_close(&r, ret);
}

/* --- timehist --- */

struct timehist_cmd {
	struct sched_input in;
	struct timehist_opts opts;
	struct symbols_opts symbols;
	bool call_graph, no_call_graph;
};

static const struct option_def timehist_options[] = {
	OPT_STRING('C', "cpu", struct timehist_cmd, opts.cpus, "cpu", "list of cpus to profile"),
	OPT_FLAG('g', "call-graph", struct timehist_cmd, call_graph,
		 "Display call chains if present (default on)"),
	OPT_FLAG('G', "hide-call-graph", struct timehist_cmd, no_call_graph,
		 "Do not display call chains"),
	OPT_FLAG('I', "idle-hist", struct timehist_cmd, opts.idle_hist, "Show idle events only"),
	OPT_FLAG('M', "migrations", struct timehist_cmd, opts.migrations, "Show migration events"),
	OPT_FLAG('n', "next", struct timehist_cmd, opts.next, "Show next task"),
	OPT_STRING('p', "pid", struct timehist_cmd, opts.pids, "pid[,pid...]",
		   "analyze events only for given process id(s)"),
	OPT_FLAG('P', "pre-migrations", struct timehist_cmd, opts.pre_migrations,
		 "Show pre-migration wait time"),
	OPT_FLAG('s', "summary", struct timehist_cmd, opts.only_summary,
		 "Show only syscall summary with statistics"),
	OPT_FLAG('S', "with-summary", struct timehist_cmd, opts.summary,
		 "Show all syscalls and summary with statistics"),
	OPT_STRING('t', "tid", struct timehist_cmd, opts.tids, "tid[,tid...]",
		   "analyze events only for given thread id(s)"),
	OPT_FLAG('V', "cpu-visual", struct timehist_cmd, opts.cpu_visual, "Add CPU visual"),
	OPT_FLAG('w', "wakeups", struct timehist_cmd, opts.wakeups, "Show wakeup events"),
	OPT_UINT(0, "max-stack", struct timehist_cmd, opts.max_stack, "n",
		 "Maximum number of functions to display backtrace."),
	OPT_STRING(0, "prio", struct timehist_cmd, opts.prios, "prio",
		   "analyze events only for given task priority(ies)"),
	OPT_FLAG(0, "show-prio", struct timehist_cmd, opts.prio, "Show task priority"),
	OPT_FLAG(0, "state", struct timehist_cmd, opts.state, "Show task state when sched-out"),
	OPT_STRING(0, "time", struct timehist_cmd, opts.time, "str",
		   "Time span for analysis (start,stop)"),
	OPT_FLAG(0, "json", struct timehist_cmd, opts.json,
		 "the events as one JSON object; with the summary of -s or -S"),
	OPT_END
};

static int sched_timehist(int argc, const char **argv, void *in)
{
	struct timehist_cmd c = { .in = *(struct sched_input *)in, .call_graph = true,
				  .opts.max_stack = 5 };
	const char *const usage[] = { "[<options>]", NULL };
	const struct option_table tables[] = { { timehist_options, &c }, { input_options, &c.in },
					       cli_symbols_group(&c.symbols),
					       session_group(), cli_common_group(&c.in.common),
					       { 0 } };
	const struct cli_cmd cmd = { .name = "sched timehist", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	struct reading r = { 0 };
	struct timehist *t = NULL;
	int n = cli_parse(&cmd, argc, argv), ret = -1;

	if (n < 0)
		return cli_status(n);
	if (c.opts.only_summary && (c.opts.next || c.opts.wakeups))
		return cli_usage_error(&cmd, "-s and -[n|w] are mutually exclusive");
	c.call_graph &= !c.no_call_graph;
	if (reading_open(&r, &c.in, &c.symbols) == 0) {
		c.opts.max_cpu = (int)r.s.source->env->nrcpus_online;
		c.opts.chains = c.call_graph && sched_have_chains(r.s.source->events);
		if (c.opts.chains)
			r.sink->wants |= SINK_CHAIN | SINK_SYMBOLS;
		if (!c.opts.only_summary)
			cli_pager_start();
		t = timehist_new(r.model, stdout, &c.opts, &r.s.err);
	}
	if (t && c.call_graph && !c.opts.chains && !c.in.common.quiet)
		fprintf(stderr, "Samples of sched_switch event do not have callchains.\n");
	if (t)
		ret = reading_run(&r);
	if (!ret) {
		cli_pager_start();
		timehist_end(t);
		session_sched_unseen(r.model, &(struct sched_selection){ .cpus = c.opts.cpus,
									 .pids = c.opts.pids,
									 .tids = c.opts.tids });
	}
	timehist_free(t);
	return reading_close(&r, ret);
}

/* --- replay --- */

struct replay_cmd {
	struct sched_input in;
	int repeat;
	bool json;
};

static const struct option_def replay_options[] = {
	OPT_UINT('r', "repeat", struct replay_cmd, repeat, "n",
		 "repeat the workload replay N times (0: infinite)"),
	OPT_FLAG(0, "json", struct replay_cmd, json,
		 "what is run, and how long each round took, as one JSON object"),
	OPT_END
};

static void print_script(const struct replay *r, const struct replay_task **of, size_t n)
{
	struct load_overhead cost;
	struct str name = STR_INIT;

	load_measure(&cost);
	printf("run measurement overhead: %llu nsecs\nsleep measurement overhead: %llu nsecs\n",
	       (unsigned long long)cost.run_ns,
	       (unsigned long long)cost.sleep_ns);
	printf("the run test took %llu nsecs\nthe sleep test took %llu nsecs\n",
	       (unsigned long long)cost.run_test_ns,
	       (unsigned long long)cost.sleep_test_ns);
	printf("nr_run_events:        %llu\nnr_sleep_events:      %llu\nnr_wakeup_events:     "
	       "%llu\n", (unsigned long long)r->n_runs,
	       (unsigned long long)r->n_sleeps, (unsigned long long)r->n_wakes);
	for (size_t i = 0; i < n; i++) {
		str_reset(&name);
		str_add_safe(&name, of[i]->task->comm);
		printf("task %6zu (%20s:%10u), nr_events: %zu\n", i, str_cstr(&name),
		       of[i]->task->tid, of[i]->steps.n);
	}
	str_release(&name);
	printf("------------------------------------------------------------\n");
	fflush(stdout);
}

static void json_script(const struct replay *r, const struct replay_task **of, size_t n)
{
	struct str out = STR_INIT;
	struct json j;

	json_init(&j, &out);
	str_addf(&out, "{\"run_events\":%llu,\"sleep_events\":%llu,\"wakeup_events\":%llu,\"run_ns\":%llu,\n\"tasks\":",
		 (unsigned long long)r->n_runs, (unsigned long long)r->n_sleeps,
			 (unsigned long long)r->n_wakes,
		 (unsigned long long)r->run_ns);
	json_open(&j, '[');
	for (size_t i = 0; i < n; i++) {
		json_open(&j, '{');
		json_key_str(&j, "comm", of[i]->task->comm);
		json_key_u64(&j, "tid", of[i]->task->tid);
		json_key_u64(&j, "events", of[i]->steps.n);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	str_add(&out, ",\n\"rounds\":[");
	fputs(str_cstr(&out), stdout);
	str_release(&out);
}

static int replay_rounds(const struct load_task *tasks, size_t n, int repeat, bool json,
			 struct err *err)
{
	double wall_ms = 0, cpu_ms = 0;
	struct load_times t;
	int ret = 0;

	for (int i = 1; !ret && (!repeat || i <= repeat); i++) {
		ret = load_run(tasks, n, &t, err);
		if (ret)
			break;
		wall_ms += (double)t.wall_ns / 1e6;
		cpu_ms += (double)t.cpu_ns / 1e6;
		if (json) {
			printf("%s{\"wall_ns\":%llu,\"cpu_ns\":%llu}", i > 1 ? "," : "",
			       (unsigned long long)t.wall_ns,
			       (unsigned long long)t.cpu_ns);
			fflush(stdout);
			continue;
		}
		printf("#%-3d: %0.3f, ravg: %0.2f, cpu: %0.2f / %0.2f\n", i,
		       (double)t.wall_ns / 1e6, wall_ms / i, (double)t.cpu_ns / 1e6,
		       cpu_ms / i);
		fflush(stdout);
	}
	if (json)
		puts("]}");
	return ret;
}

static int sched_replay(int argc, const char **argv, void *in)
{
	struct replay_cmd c = { .in = *(struct sched_input *)in, .repeat = 10 };
	const char *const usage[] = { "[<options>]", NULL };
	const struct option_table tables[] = { { replay_options, &c }, { input_options, &c.in },
					       session_group(),
					       cli_common_group(&c.in.common), { 0 } };
	const struct cli_cmd cmd = { .name = "sched replay", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	const struct replay_task **of = NULL;
	struct load_task *tasks = NULL;
	struct replay *replay = NULL;
	struct reading r = { 0 };
	int n = cli_parse(&cmd, argc, argv), ret = -1;

	if (n < 0)
		return cli_status(n);
	if (reading_open(&r, &c.in, NULL) == 0) {
		replay = replay_new(r.model);
		ret = reading_run(&r);
	}
	if (!ret) {
		size_t n_tasks = replay_script(replay, &tasks, &of);

		if (c.json)
			json_script(replay, of, n_tasks);
		else
			print_script(replay, of, n_tasks);
		ret = replay_rounds(tasks, n_tasks, c.repeat, c.json, &r.s.err);
	}
	free(of);
	free(tasks);
	replay_free(replay);
	return reading_close(&r, ret);
}


struct script_cmd {
	struct sched_input in;
	struct symbols_opts symbols;
	bool json;
};

static const struct option_def script_options[] = {
	OPT_FLAG(0, "json", struct script_cmd, json,
		 "the events as one JSON array; with -i and the symbols options only"),
	OPT_END
};

static int script_json(int argc, const char **argv, const struct sched_input *in)
{
	struct script_cmd c = { .in = *in };
	const char *const usage[] = { "--json [<options>]", NULL };
	const struct option_table tables[] = { { script_options, &c }, { input_options, &c.in },
					       cli_symbols_group(&c.symbols),
					       session_group(), cli_common_group(&c.in.common),
					       { 0 } };
	const struct cli_cmd cmd = { .name = "sched script", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	struct samples_json *json = NULL;
	struct reading r = { 0 };
	int n = cli_parse(&cmd, argc, argv), ret = -1;

	if (n < 0)
		return cli_status(n);
	if (reading_open(&r, &c.in, &c.symbols) == 0) {
		struct sink *sinks[1];

		cli_pager_start();
		json = samples_json_events_new(stdout, r.s.source->swap);
		sinks[0] = samples_json_sink(json);
		ret = session_run(&r.s, sinks, 1);
		samples_json_end(json);
	}
	samples_json_free(json);
	return reading_close(&r, ret);
}

static int sched_script(int argc, const char **argv, void *ctx)
{
	const struct sched_input *in = ctx;
	const char *const front[] = { "script", "-i", in->path };

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--json"))
			return script_json(argc, argv, in);
	}
	return run_command(front, in->path ? 3 : 1, argc, argv);
}

static const struct cli_sub subs[] = {
	{ "record", sched_record }, { "latency", sched_latency }, { "map", sched_map },
		{ "script", sched_script },
	{ "timehist", sched_timehist }, { "replay", sched_replay }, { "stats", sched_stats },
	{ NULL, NULL },
};

int cmd_sched(int argc, const char **argv)
{
	struct sched_input in = { 0 };
	const char *const usage[] = { "[<options>] "
				      "{record|latency|map|replay|script|stats|timehist}", NULL };
	static const char *const words[] = { "record", "latency", "map", "replay", "script",
					     "stats", "timehist", NULL };
	const struct option_table tables[] =
		{ { input_options, &in }, session_group(), cli_common_group(&in.common), { 0 } };
	const struct cli_cmd cmd = { .name = "sched", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION,
				     .words = words };
	int n = cli_parse(&cmd, argc, argv);

	return n < 0 ? cli_status(n) : cli_run_sub(&cmd, subs, n, argv, &in);
}
