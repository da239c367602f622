// SPDX-License-Identifier: GPL-2.0-or-later
// perf sched: one model of the scheduler, fed by the stream; each sub-command observes it.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "util/analysis/sched-latency.h"
#include "util/analysis/sched-replay.h"
#include "util/analysis/schedstat.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/cli/recording.h"
#include "util/data/reader.h"
#include "util/data/writer.h"
#include "util/os/workload.h"
#include "util/view/sched-text.h"
#include "util/view/schedstat.h"

struct sched_input {
	const char *path;
	bool force;
	struct cli_common common;
};

static const struct option_def input_options[] = {
	OPT_STRING('i', "input", struct sched_input, path, "file", "input file name"),
	OPT_FLAG('f', "force", struct sched_input, force, "don't complain, do it"),
	OPT_END
};

/* What all sub-commands that read a recording share. */
struct session {
	struct os os;
	struct data_reader reader;
	struct stream *stream;
	struct sched *model;
	struct sink *sink;
	struct progress progress;
	struct stream_opts opts;
	struct err err;
};

static int session_open(struct session *s, const struct sched_input *in)
{
	os_init(&s->os);
	s->model = sched_new();
	cli_stream_progress(&s->opts, &s->progress, "Processing events...");
	if (data_open(&s->reader, in->path, in->force ? DATA_FORCE : 0, &s->err) < 0)
		return -1;
	if (!s->reader.stream && sched_need_switches(&s->reader.events, s->reader.path, &s->err) < 0)
		return -1;
	s->stream = stream_new(&s->reader, &s->os, &s->opts, &s->err);
	if (!s->stream)
		return -1;
	s->sink = sched_sink_new(s->model, &s->reader.events, s->reader.swap);
	return 0;
}

static int session_run(struct session *s)
{
	struct sink *sinks[] = { s->sink };
	int ret = stream_run(s->stream, sinks, 1, &s->err);

	sched_close(s->model);
	progress_finish(&s->progress);
	return ret;
}

/* Prints the error or the warnings; the exit status. */
static int session_close(struct session *s, int ret)
{
	struct str warnings = STR_INIT;

	if (ret < 0) {
		ret = cli_error(&s->err);
	} else if (s->stream) {
		fflush(stdout);
		cli_data_warnings(&s->reader);
		stream_warnings(s->stream, &warnings);
		fputs(str_cstr(&warnings), stderr);
		if (sched_get_stats(s->model)->n_bad)
			cli_warn("%llu events without the needed fields were left out: their formats in the recording are damaged",
				 (unsigned long long)sched_get_stats(s->model)->n_bad);
		ret = 0;
	}
	str_release(&warnings);
	sched_sink_free(s->sink);
	stream_free(s->stream);
	sched_free(s->model);
	data_close(&s->reader);
	os_release(&s->os);
	err_release(&s->err);
	return ret;
}

/* --- latency --- */

struct latency_cmd {
	struct sched_input in;
	struct latency_opts opts;
	struct latency_view view;
	bool json;
};

static const struct option_def latency_options[] = {
	OPT_STRING('s', "sort", struct latency_cmd, opts.sort, "key[,key2...]", "sort by key(s): runtime, switch, avg, max"),
	OPT_FLAG('p', "pids", struct latency_cmd, opts.per_task, "latency stats per pid instead of per comm"),
	OPT_STRING('C', "CPU", struct latency_cmd, opts.cpus, "n", "CPU to profile on"),
	OPT_FLAG(0, "percentiles", struct latency_cmd, view.percentiles, "also the delays that 50, 95 and 99% are not above"),
	OPT_FLAG(0, "histogram", struct latency_cmd, view.histogram, "also how often delays of which size occurred"),
	OPT_FLAG(0, "json", struct latency_cmd, json, "the table as one JSON object"),
	OPT_END
};

static int sched_latency(int argc, const char **argv, void *in)
{
	struct latency_cmd c = { .in = *(struct sched_input *)in };
	const char *const usage[] = { "[<options>]", NULL };
	const struct option_table tables[] = { { latency_options, &c }, { input_options, &c.in }, cli_common_group(&c.in.common),
					       { 0 } };
	const struct cli_cmd cmd = { .name = "sched latency", .usage = usage, .tables = tables };
	struct latency *l = NULL;
	struct session s = { 0 };
	int n = cli_parse(&cmd, argc, argv), ret = -1;

	if (n < 0)
		return cli_status(n);
	if (n > 0)
		return cli_usage_error(&cmd, "unexpected argument '%s'", argv[0]);
	if (session_open(&s, &c.in) == 0)
		l = latency_new(s.model, &c.opts, &s.err);
	if (l)
		ret = session_run(&s);
	if (!ret) {
		cli_pager_start();
		if (c.json)
			latency_json(stdout, l, s.model);
		else
			latency_print(stdout, l, s.model, &c.view);
	}
	latency_free(l);
	return session_close(&s, ret);
}

/* --- map --- */

struct map_cmd {
	struct sched_input in;
	struct map_opts opts;
};

static const struct option_def map_options[] = {
	OPT_FLAG(0, "compact", struct map_cmd, opts.compact, "map output in compact mode"),
	OPT_STRING(0, "cpus", struct map_cmd, opts.cpus, "cpus", "display given CPUs in map"),
	OPT_STRING(0, "color-cpus", struct map_cmd, opts.color_cpus, "cpus", "highlight given CPUs in map"),
	OPT_STRING(0, "color-pids", struct map_cmd, opts.color_pids, "pids", "highlight given pids in map"),
	OPT_STRING(0, "task-name", struct map_cmd, opts.task_names, "task", "map output only for the given task name(s)."),
	OPT_FLAG(0, "fuzzy-name", struct map_cmd, opts.fuzzy, "given command name can be partially matched (fuzzy matching)"),
	OPT_END
};

static int sched_map(int argc, const char **argv, void *in)
{
	struct map_cmd c = { .in = *(struct sched_input *)in };
	const char *const usage[] = { "[<options>]", NULL };
	const struct option_table tables[] = { { map_options, &c }, { input_options, &c.in }, cli_common_group(&c.in.common),
					       { 0 } };
	const struct cli_cmd cmd = { .name = "sched map", .usage = usage, .tables = tables };
	struct session s = { 0 };
	struct sched_map *m = NULL;
	int n = cli_parse(&cmd, argc, argv), ret = -1;

	if (n < 0)
		return cli_status(n);
	if (n > 0)
		return cli_usage_error(&cmd, "unexpected argument '%s'", argv[0]);
	c.opts.color = cli_color_on(CLI_COLOR_AUTO, STDOUT_FILENO);
	c.opts.width = cli_columns(STDOUT_FILENO);
	if (session_open(&s, &c.in) == 0) {
		cli_pager_start();
		m = sched_map_new(s.model, stdout, &c.opts, &s.err);
	}
	if (m)
		ret = session_run(&s);
	sched_map_free(m);
	return session_close(&s, ret);
}

/* --- timehist --- */

struct timehist_cmd {
	struct sched_input in;
	struct timehist_opts opts;
	struct symbols_opts symbols;
	bool call_graph;
};

static const struct option_def timehist_options[] = {
	OPT_STRING('C', "cpu", struct timehist_cmd, opts.cpus, "cpu", "list of cpus to profile"),
	OPT_FLAG('g', "call-graph", struct timehist_cmd, call_graph, "Display call chains if present (default on)"),
	OPT_FLAG('I', "idle-hist", struct timehist_cmd, opts.idle_hist, "Show idle events only"),
	OPT_FLAG('M', "migrations", struct timehist_cmd, opts.migrations, "Show migration events"),
	OPT_FLAG('n', "next", struct timehist_cmd, opts.next, "Show next task"),
	OPT_STRING('p', "pid", struct timehist_cmd, opts.pids, "pid[,pid...]", "analyze events only for given process id(s)"),
	OPT_FLAG('P', "pre-migrations", struct timehist_cmd, opts.pre_migrations, "Show pre-migration wait time"),
	OPT_FLAG('s', "summary", struct timehist_cmd, opts.only_summary, "Show only syscall summary with statistics"),
	OPT_FLAG('S', "with-summary", struct timehist_cmd, opts.summary, "Show all syscalls and summary with statistics"),
	OPT_STRING('t', "tid", struct timehist_cmd, opts.tids, "tid[,tid...]", "analyze events only for given thread id(s)"),
	OPT_FLAG('V', "cpu-visual", struct timehist_cmd, opts.cpu_visual, "Add CPU visual"),
	OPT_FLAG('w', "wakeups", struct timehist_cmd, opts.wakeups, "Show wakeup events"),
	OPT_INT(0, "max-stack", struct timehist_cmd, opts.max_stack, "n", "Maximum number of functions to display backtrace."),
	OPT_STRING(0, "prio", struct timehist_cmd, opts.prios, "prio", "analyze events only for given task priority(ies)"),
	OPT_FLAG(0, "show-prio", struct timehist_cmd, opts.prio, "Show task priority"),
	OPT_FLAG(0, "state", struct timehist_cmd, opts.state, "Show task state when sched-out"),
	OPT_STRING(0, "time", struct timehist_cmd, opts.time, "str", "Time span for analysis (start,stop)"),
	OPT_END
};

static bool switches_have_chains(const struct event_list *l)
{
	for (size_t i = 0; i < l->events.n; i++) {
		const struct event *e = l->events.v[i];

		if (e->tp_name && !strcmp(e->tp_name, "sched_switch"))
			return e->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
	}
	return false;
}

static int sched_timehist(int argc, const char **argv, void *in)
{
	struct timehist_cmd c = { .in = *(struct sched_input *)in, .call_graph = true, .opts.max_stack = 5 };
	const char *const usage[] = { "[<options>]", NULL };
	const struct option_table tables[] = { { timehist_options, &c }, { input_options, &c.in }, cli_symbols_group(&c.symbols),
					       cli_common_group(&c.in.common), { 0 } };
	const struct cli_cmd cmd = { .name = "sched timehist", .usage = usage, .tables = tables };
	struct session s = { 0 };
	struct timehist *t = NULL;
	int n = cli_parse(&cmd, argc, argv), ret = -1;

	if (n < 0)
		return cli_status(n);
	if (n > 0)
		return cli_usage_error(&cmd, "unexpected argument '%s'", argv[0]);
	s.opts.symbols = c.symbols;
	if (session_open(&s, &c.in) == 0) {
		c.opts.max_cpu = (int)s.reader.feat.nrcpus_online;
		c.opts.chains = c.call_graph && switches_have_chains(&s.reader.events);
		if (c.opts.chains)
			s.sink->wants |= SINK_CHAIN | SINK_SYMBOLS;
		else if (c.call_graph && !c.in.common.quiet)
			fprintf(stderr, "Samples of sched_switch event do not have callchains.\n");
		cli_pager_start();
		t = timehist_new(s.model, stdout, &c.opts, &s.err);
	}
	if (t)
		ret = session_run(&s);
	if (!ret)
		timehist_end(t);
	timehist_free(t);
	return session_close(&s, ret);
}

/* --- replay --- */

struct replay_cmd {
	struct sched_input in;
	int repeat;
};

static const struct option_def replay_options[] = {
	OPT_INT('r', "repeat", struct replay_cmd, repeat, "n", "repeat the workload replay N times (0: infinite)"),
	OPT_END
};

static void print_script(const struct replay *r, const struct replay_task **of, size_t n)
{
	struct load_overhead cost;
	struct str name = STR_INIT;

	load_measure(&cost);
	printf("run measurement overhead: %llu nsecs\nsleep measurement overhead: %llu nsecs\n", (unsigned long long)cost.run_ns,
	       (unsigned long long)cost.sleep_ns);
	printf("the run test took %llu nsecs\nthe sleep test took %llu nsecs\n", (unsigned long long)cost.run_test_ns,
	       (unsigned long long)cost.sleep_test_ns);
	printf("nr_run_events:        %llu\nnr_sleep_events:      %llu\nnr_wakeup_events:     %llu\n", (unsigned long long)r->n_runs,
	       (unsigned long long)r->n_sleeps, (unsigned long long)r->n_wakes);
	for (size_t i = 0; i < n; i++) {
		str_reset(&name);
		str_add_safe(&name, of[i]->task->comm);
		printf("task %6zu (%20s:%10u), nr_events: %zu\n", i, str_cstr(&name), of[i]->task->tid, of[i]->steps.n);
	}
	str_release(&name);
	printf("------------------------------------------------------------\n");
	fflush(stdout);
}

static int replay_rounds(const struct load_task *tasks, size_t n, int repeat, struct err *err)
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
		printf("#%-3d: %0.3f, ravg: %0.2f, cpu: %0.2f / %0.2f\n", i, (double)t.wall_ns / 1e6, wall_ms / i, (double)t.cpu_ns / 1e6,
		       cpu_ms / i);
		fflush(stdout);
	}
	return ret;
}

static int sched_replay(int argc, const char **argv, void *in)
{
	struct replay_cmd c = { .in = *(struct sched_input *)in, .repeat = 10 };
	const char *const usage[] = { "[<options>]", NULL };
	const struct option_table tables[] = { { replay_options, &c }, { input_options, &c.in }, cli_common_group(&c.in.common),
					       { 0 } };
	const struct cli_cmd cmd = { .name = "sched replay", .usage = usage, .tables = tables };
	const struct replay_task **of = NULL;
	struct load_task *tasks = NULL;
	struct replay *r = NULL;
	struct session s = { 0 };
	int n = cli_parse(&cmd, argc, argv), ret = -1;

	if (n < 0)
		return cli_status(n);
	if (n > 0)
		return cli_usage_error(&cmd, "unexpected argument '%s'", argv[0]);
	if (session_open(&s, &c.in) == 0) {
		r = replay_new(s.model);
		ret = session_run(&s);
	}
	if (!ret) {
		size_t n_tasks = replay_script(r, &tasks, &of);

		print_script(r, of, n_tasks);
		ret = replay_rounds(tasks, n_tasks, c.repeat, &s.err);
	}
	free(of);
	free(tasks);
	replay_free(r);
	return session_close(&s, ret);
}

/* --- stats: counters of /proc/schedstat --- */

struct stats_cmd {
	const char *input, *output, *cpus;
	struct cli_common common;
};

static const struct option_def stats_options[] = {
	OPT_STRING('C', "cpu", struct stats_cmd, cpus, "cpu", "list of cpus to profile"),
	OPT_STRING('i', "input", struct stats_cmd, input, "file", "`stats report` with input filename"),
	OPT_STRING('o', "output", struct stats_cmd, output, "file", "`stats record` with output filename"),
	OPT_END
};

/* One recording: what was counted in it. */
struct stats_side {
	schedstat_rows rows, delta, average;
	u64 elapsed;
	struct data_reader reader;
};

static void stats_release(struct stats_side *s)
{
	vec_free(&s->rows);
	vec_free(&s->delta);
	vec_free(&s->average);
	data_close(&s->reader);
}

static bool cpu_listed(const int_vec *cpus, u32 cpu)
{
	for (size_t i = 0; i < cpus->n; i++) {
		if (cpus->v[i] == (int)cpu)
			return true;
	}
	return !cpus->n;
}

/* Differences and averages of the CPUs in a list (NULL: all). */
static int stats_settle(struct stats_side *s, const char *cpus, struct err *err)
{
	int_vec list = { 0 };
	int ret = cpus ? parse_int_list(cpus, &list, err) : 0;
	size_t n = 0;

	if (!ret) {
		schedstat_delta(&s->rows, &s->delta, &s->elapsed);
		for (size_t i = 0; i < s->delta.n; i++) {
			if (cpu_listed(&list, s->delta.v[i].cpu))
				s->delta.v[n++] = s->delta.v[i];
		}
		s->delta.n = n;
		schedstat_average(&s->delta, &s->average);
	}
	vec_free(&list);
	return ret;
}

static int stats_load(struct stats_side *s, const char *path, const char *cpus, struct err *err)
{
	struct data_cursor c;
	struct data_record rec;
	int ret = data_open(&s->reader, path, 0, err);

	if (ret < 0)
		return ret;
	data_cursor_init(&c, &s->reader);
	while ((ret = data_cursor_next(&c, &rec, err)) > 0) {
		if (schedstat_decode(rec.hdr, &s->rows) < 0) {
			ret = err_set(err, EINVAL, "%s: the record at offset 0x%llx is damaged, or of an unknown version of schedstat",
				      s->reader.path, (unsigned long long)rec.off);
			break;
		}
	}
	data_cursor_release(&c);
	if (ret == 0 && !s->rows.n) {
		ret = err_set(err, ENOENT, "no scheduler statistics in '%s'", s->reader.path);
		err_hint(err, "record them with: perf sched stats record -- COMMAND");
	}
	return ret < 0 ? ret : stats_settle(s, cpus, err);
}

static const char *domain_cpus(void *ctx, u32 cpu, u32 domain)
{
	const struct data_reader *r = ctx;

	for vec_each(c, &r->feat.domains) {
		for vec_each(d, &c->domains) {
			if (c->cpu == cpu && d->domain == domain)
				return d->cpus;
		}
	}
	return NULL;
}

static void stats_print(struct stats_side *s)
{
	struct schedstat_side all = { &s->average, s->elapsed }, each = { &s->delta, s->elapsed };
	struct str out = STR_INIT;

	schedstat_head(&out, &all, NULL);
	schedstat_block(&out, &all, NULL, 0, "<ALL CPUS SUMMARY>", NULL, NULL);
	for (size_t at = 0; at < s->delta.n;)
		at = schedstat_block(&out, &each, NULL, at, NULL, domain_cpus, &s->reader);
	cli_pager_start();
	fputs(str_cstr(&out), stdout);
	str_release(&out);
}

static int read_schedstat(struct os *os, schedstat_rows *out, struct err *err)
{
	struct str text = STR_INIT;
	int ret = os_read_file(os, "/proc/schedstat", &text, err);

	if (ret == -ENOENT)
		err_hint(err, "the kernel needs CONFIG_SCHEDSTATS");
	if (!ret)
		ret = schedstat_parse(str_cstr(&text), out, err);
	str_release(&text);
	return ret;
}

/* Times and most counters stand still while they are switched off. */
static void warn_disabled(struct os *os)
{
	struct str text = STR_INIT;

	if (!os_read_file(os, "/proc/sys/kernel/sched_schedstats", &text, NULL) && str_has_prefix(str_cstr(&text), "0"))
		fprintf(stderr, "Most counters stand still: switch them on with sysctl kernel.sched_schedstats=1\n");
	str_release(&text);
}

/* The counters before and after a command. */
static int stats_measure(struct os *os, const char *const *argv, schedstat_rows *rows, struct err *err)
{
	struct workload w = { 0 };
	int ret = read_schedstat(os, rows, err);

	if (ret < 0)
		return ret;
	warn_disabled(os);
	ret = workload_prepare(&w, argv, false, err);
	if (!ret)
		ret = workload_start(&w, err);
	if (!ret)
		ret = workload_wait(&w, NULL);
	if (!ret)
		ret = read_schedstat(os, rows, err);
	workload_release(&w, ret != 0);
	return ret;
}

/* The CPUs of a mask in hex with commas, as a list. */
static char *mask_cpus(const char *mask)
{
	size_t n = 0, n_bits = 0, len = strcspn(mask, " ");
	struct str out = STR_INIT;
	bool *bits = xcalloc(len * 4 + 1, sizeof(*bits));

	for (size_t i = len; i-- > 0;) {
		int digit = mask[i] >= '0' && mask[i] <= '9' ? mask[i] - '0' : mask[i] >= 'a' && mask[i] <= 'f' ? mask[i] - 'a' + 10 : -1;

		for (int k = 0; k < 4 && digit >= 0; k++)
			bits[n_bits++] = digit >> k & 1;
	}
	for (size_t i = 0; i < n_bits; i = n + 1) {
		n = i;
		if (!bits[i])
			continue;
		while (n + 1 < n_bits && bits[n + 1])
			n++;
		str_addf(&out, n > i ? "%s%zu-%zu" : "%s%zu", out.len ? "," : "", i, n);
	}
	free(bits);
	return str_detach(&out);
}

/* Names and CPUs of the scheduling domains. */
static void stats_domains(struct os *os, u16 version, struct data_features *f)
{
	struct str text = STR_INIT;
	char *save = NULL;

	if (os_read_file(os, "/proc/schedstat", &text, NULL) < 0)
		return;
	for (char *line = strtok_r(text.buf, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *field = strchr(line, ' ');
		struct data_schedstat_domain *d;

		if (str_has_prefix(line, "cpu")) {
			vec_add(&f->domains)->cpu = (u32)strtoul(line + 3, NULL, 10);
			continue;
		}
		if (!field || !f->domains.n || !str_has_prefix(line, "domain"))
			continue;
		d = vec_add(&vec_last(&f->domains)->domains);
		d->domain = (u32)strtoul(line + 6, NULL, 10);
		field++;
		if (version == 17) {
			d->name = xstrndup(field, strcspn(field, " "));
			field += strcspn(field, " ");
			field += *field == ' ';
		}
		d->mask = xstrndup(field, strcspn(field, " "));
		d->cpus = mask_cpus(field);
	}
	data_set(f, FEAT_CPU_DOMAIN_INFO);
	str_release(&text);
}

static int stats_write(struct os *os, const char *path, const schedstat_rows *rows, struct err *err)
{
	struct data_writer_opts opts = { .keep_old = true };
	struct data_features feat;
	struct data_writer w = { 0 };
	struct event_list none = { 0 };
	struct str bytes = STR_INIT;
	int ret = data_writer_open(&w, path, &opts, err);

	data_features_init(&feat);
	for vec_each(row, rows)
		schedstat_encode(row, &bytes);
	if (!ret)
		ret = data_writer_events(&w, &none, (struct span){ 0 }, err);
	if (!ret)
		ret = data_write(&w, bytes.buf, bytes.len, err);
	if (!ret) {
		data_features_collect(&feat, os);
		stats_domains(os, rows->v[0].version, &feat);
		ret = data_writer_finish(&w, &feat, &none, err);
	}
	data_writer_release(&w);
	data_features_release(&feat);
	str_release(&bytes);
	return ret;
}

enum stats_what { STATS_LIVE, STATS_RECORD, STATS_REPORT, STATS_DIFF };

static int stats_live(const struct stats_cmd *c, enum stats_what what, const char *const *argv, struct err *err)
{
	struct stats_side s = { 0 };
	struct os os;
	int ret;

	os_init(&os);
	ret = stats_measure(&os, argv, &s.rows, err);
	if (!ret && what == STATS_RECORD) {
		ret = stats_write(&os, c->output ? c->output : "perf.data", &s.rows, err);
		if (!ret)
			fprintf(stderr, "[ perf sched stats: Wrote samples to %s ]\n", c->output ? c->output : "perf.data");
	} else if (!ret) {
		ret = stats_settle(&s, c->cpus, err);
		if (!ret)
			stats_print(&s);
	}
	stats_release(&s);
	os_release(&os);
	return ret;
}

static int stats_diff(const struct stats_cmd *c, const char *old, const char *new, struct err *err)
{
	struct stats_side s[2] = { 0 };
	struct str out = STR_INIT;
	int ret = stats_load(&s[0], old, c->cpus, err);

	if (!ret)
		ret = stats_load(&s[1], new, c->cpus, err);
	if (!ret) {
		struct schedstat_side a = { &s[0].average, s[0].elapsed }, b = { &s[1].average, s[1].elapsed };

		schedstat_head(&out, &a, &b);
		schedstat_block(&out, &a, &b, 0, "<ALL CPUS SUMMARY>", NULL, NULL);
		cli_pager_start();
		fputs(str_cstr(&out), stdout);
	}
	str_release(&out);
	stats_release(&s[0]);
	stats_release(&s[1]);
	return ret;
}

static enum stats_what stats_word(const char *word)
{
	return !word ? STATS_LIVE : !strcmp(word, "record") ? STATS_RECORD : !strcmp(word, "report") ? STATS_REPORT :
	       !strcmp(word, "diff") ? STATS_DIFF : STATS_LIVE;
}

static int sched_stats(int argc, const char **argv, void *in UNUSED)
{
	struct stats_cmd c = { 0 };
	const char *const usage[] = { "[<options>] {record|report|diff} [<options>]", "[<options>] <command>", NULL };
	const struct option_table tables[] = { { stats_options, &c }, cli_common_group(&c.common), { 0 } };
	const struct cli_cmd cmd = { .name = "sched stats", .usage = usage, .tables = tables, .flags = CLI_STOP_AT_NON_OPTION };
	struct err err = ERR_INIT;
	enum stats_what what;
	int n = cli_parse(&cmd, argc, argv), ret;

	if (n < 0)
		return cli_status(n);
	what = stats_word(n ? argv[0] : NULL);
	if (what != STATS_LIVE) {
		n = cli_parse(&cmd, n, argv);
		if (n < 0)
			return cli_status(n);
	}
	if ((what == STATS_LIVE || what == STATS_RECORD) && !n)
		return cli_usage_error(&cmd, "a command to run is missing");
	if (what == STATS_REPORT && n)
		return cli_usage_error(&cmd, "unexpected argument '%s'", argv[0]);
	if (what == STATS_DIFF && n > 2)
		return cli_usage_error(&cmd, "two recordings can be compared, not %d", n);
	if (what == STATS_DIFF) {
		ret = stats_diff(&c, n == 2 ? argv[0] : "perf.data.old", n == 2 ? argv[1] : n ? argv[0] : "perf.data", &err);
	} else if (what == STATS_REPORT) {
		struct stats_side s = { 0 };

		ret = stats_load(&s, c.input, c.cpus, &err);
		if (!ret)
			stats_print(&s);
		stats_release(&s);
	} else {
		ret = stats_live(&c, what, argv, &err);
	}
	ret = ret ? cli_error(&err) : 0;
	err_release(&err);
	return ret;
}

/* --- record and script are those commands, with what a scheduler recording needs --- */

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

static bool tracepoint_exists(struct os *os, const char *name)
{
	char *path = xasprintf("tracing:events/sched/%s/id", name);
	struct str text = STR_INIT;
	bool yes = os_read_file(os, path, &text, NULL) == 0;

	str_release(&text);
	free(path);
	return yes;
}

static int sched_record(int argc, const char **argv, void *in UNUSED)
{
	static const char *const events[] = {
		"sched_switch", "sched_stat_wait", "sched_stat_sleep", "sched_stat_iowait", "sched_stat_blocked", "sched_stat_runtime",
		"sched_process_fork", "sched_wakeup_new", "sched_migrate_task", "sched_waking",
	};
	VEC(const char *) front = { 0 };
	VEC(char *) names = { 0 };
	struct err err = ERR_INIT;
	struct os os;
	int ret;

	os_init(&os);
	if (os_tracefs(&os, &err) < 0) {
		ret = cli_error(&err);
		goto out;
	}
	vec_push(&front, "record");
	vec_push(&front, "-a");
	vec_push(&front, "-R");
	vec_push(&front, "-c");
	vec_push(&front, "1");
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		/* Which of them exist depends on the kernel's version and configuration. */
		if (!tracepoint_exists(&os, events[i]))
			continue;
		vec_push(&front, "-e");
		vec_push(&names, xasprintf("sched:%s", events[i]));
		vec_push(&front, *vec_last(&names));
	}
	if (!names.n)
		ret = cli_errorf("no scheduler tracepoints below %s/events/sched", os.tracefs);
	else
		ret = run_command(front.v, front.n, argc, argv);
out:
	for (size_t i = 0; i < names.n; i++)
		free(names.v[i]);
	vec_free(&names);
	vec_free(&front);
	err_release(&err);
	os_release(&os);
	return ret;
}

static int sched_script(int argc, const char **argv, void *ctx)
{
	const struct sched_input *in = ctx;
	const char *const front[] = { "script", "-i", in->path };

	return run_command(front, in->path ? 3 : 1, argc, argv);
}

static const struct cli_sub subs[] = {
	{ "record", sched_record }, { "latency", sched_latency }, { "map", sched_map }, { "script", sched_script },
	{ "timehist", sched_timehist }, { "replay", sched_replay }, { "stats", sched_stats },
	{ NULL, NULL },
};

int cmd_sched(int argc, const char **argv)
{
	struct sched_input in = { 0 };
	const char *const usage[] = { "[<options>] {record|latency|map|replay|script|stats|timehist}", NULL };
	static const char *const words[] = { "record", "latency", "map", "replay", "script", "stats", "timehist", NULL };
	const struct option_table tables[] = { { input_options, &in }, cli_common_group(&in.common), { 0 } };
	const struct cli_cmd cmd = { .name = "sched", .usage = usage, .tables = tables, .flags = CLI_STOP_AT_NON_OPTION,
				     .words = words };
	int n = cli_parse(&cmd, argc, argv);

	return n < 0 ? cli_status(n) : cli_run_sub(&cmd, subs, n, argv, &in);
}
