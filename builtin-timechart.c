// SPDX-License-Identifier: GPL-2.0-or-later
// perf timechart: a picture of who ran, waited and blocked when; and the recording for it.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "builtin-record.h"
#include "builtin-sched.h"
#include "util/analysis/sched-chain.h"
#include "util/analysis/sched-select.h"
#include "util/base/log.h"
#include "util/base/outfile.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/session/warnings.h"
#include "util/view/timechart-svg.h"

/* About 64 MB: what a 10 s recording of a busy machine with 64 CPUs is thinned to. */
#define MAX_BARS (1 << 20)
#define MAX_FRAMES 12

struct timechart_cmd {
	const char *input, *output;
	bool force, skip_eagain, topology;
	opt_list processes;
	struct timechart_view view;
	struct symbols_opts symbols;
	struct cli_common common;
};

static const struct option_def timechart_options[] = {
	OPT_STRING('i', "input", struct timechart_cmd, input, "file",
	     "the recording to read (default: perf.data; -: standard input)"),
	OPT_FLAG('f', "force", struct timechart_cmd, force,
	     "read a recording that belongs to another user"),
	OPT_STRING('o', "output", struct timechart_cmd, output, "file",
	     "where to write the drawing (default: output.svg)"),
	OPT_UINT('n', "proc-num", struct timechart_cmd, view.max_tasks, "n",
		 "number of tasks to draw (default: 15)"),
	OPT_LIST('p', "process", struct timechart_cmd, processes, "process",
		 "draw only these tasks, by id or name"),
	OPT_FLAG('P', "power-only", struct timechart_cmd, view.cpus_only, "draw the CPUs only"),
	OPT_FLAG('t', "topology", struct timechart_cmd, topology,
		 "sort CPUs according to topology"),
	OPT_FLAG('T', "tasks-only", struct timechart_cmd, view.tasks_only, "draw the tasks only"),
	OPT_UINT('w', "width", struct timechart_cmd, view.width, "n", "width of the drawing"),
	OPT_STRING(0, "highlight", struct timechart_cmd, view.highlight, "duration or task name",
		   "highlight tasks with this name, or that ran this long (ns)"),
	OPT_DURATION(0, "io-min-time", struct timechart_cmd, view.io_min_ns, 1, "time",
		     "draw shorter IO as long as this (ns, or with a unit)"),
	OPT_DURATION(0, "io-merge-dist", struct timechart_cmd, view.io_merge_ns, 1, "time",
		     "draw IO that is no more than this apart as one (ns, or with a unit)"),
	OPT_FLAG(0, "io-skip-eagain", struct timechart_cmd, skip_eagain,
	     "leave out IO that failed with EAGAIN"),
	OPT_END
};

struct run {
	struct session s;
	struct sched *model;
	struct timechart *chart;
	struct sink *sink, *io_sink, *power_sink;
	int_vec cpu_order;
};

static void make_sinks(struct run *r, const struct timechart_cmd *c)
{
	const struct source *src = r->s.source;

	r->model = sched_new();
	r->chart = timechart_new(r->model, MAX_BARS);
	r->io_sink = timechart_io_sink_new(r->chart, r->model, src->events, src->swap,
					   c->skip_eagain,
					   src->once);
	r->power_sink = timechart_power_sink_new(r->chart, r->model, src->events, src->swap,
						 src->once);
	r->sink = sched_sink_new(r->model, src->events, src->swap);
	if (sched_have_chains(src->events)) {
		r->sink->wants |= SINK_CHAIN | SINK_SYMBOLS;
		timechart_keep_chains(r->chart, MAX_FRAMES);
	}
}

static int run_sinks(struct run *r)
{
	struct sink *sinks[] = { r->sink, r->io_sink, r->power_sink };
	size_t n = 0;
	int ret;

	for (size_t i = 0; i < ARRAY_SIZE(sinks); i++)
		if (sinks[i])
			sinks[n++] = sinks[i];
	ret = session_run(&r->s, sinks, n);
	sched_close(r->model);
	timechart_close(r->chart);
	return ret;
}

static int run_model(struct run *r, const struct timechart_cmd *c)
{
	const struct stream_opts opts = { .symbols = c->symbols };
	struct session *s = &r->s;
	int ret = session_open(s, &(struct session_opts){ .path = c->input, .force = c->force,
							  .quiet = c->common.quiet });

	if (ret)
		return ret;
	make_sinks(r, c);
	if (!r->io_sink && !r->power_sink)
		ret = sched_need_switches(s->source->events, s->source->name, &s->err);
	if (!ret)
		ret = session_prepare(s, &opts);
	return ret ? ret : run_sinks(r);
}

static void run_release(struct run *r)
{
	timechart_io_sink_free(r->io_sink);
	timechart_power_sink_free(r->power_sink);
	vec_free(&r->cpu_order);
	sched_sink_free(r->sink);
	timechart_free(r->chart);
	sched_free(r->model);
}

/* Threads of a core beside each other, cores of a socket too. */
static int order_cpus(struct run *r, struct timechart_view *v)
{
	const struct data_features *f = r->s.source->env;
	int ret = 0;

	if (!data_has(f, FEAT_CPU_TOPOLOGY)) {
		err_set(&r->s.err, ENOENT, "'%s' does not have the topology of its CPUs",
			r->s.source->name);
		err_hint(&r->s.err, "leave -t out: the CPUs are sorted by number");
		return -ENOENT;
	}
	for (size_t i = 0; i < f->core_siblings.n && !ret; i++) {
		int_vec socket = { 0 };

		ret = parse_int_list(f->core_siblings.v[i], &socket, &r->s.err);
		for (size_t k = 0; k < f->thread_siblings.n && !ret; k++) {
			int_vec core = { 0 };

			ret = parse_int_list(f->thread_siblings.v[k], &core, &r->s.err);
			for (size_t m = 0; m < socket.n && !ret && core.n; m++) {
				if (socket.v[m] != core.v[0])
					continue;
				for vec_each(cpu, &core)
					vec_push(&r->cpu_order, *cpu);
			}
			vec_free(&core);
		}
		vec_free(&socket);
	}
	v->cpu_order = r->cpu_order.v;
	v->n_order = r->cpu_order.n;
	return ret;
}

/* Names and pids that nobody in the recording has. */
static void warn_unseen(const struct run *r, const struct timechart_view *v)
{
	u64 ns;

	session_sched_unseen(r->model, &(struct sched_selection){ .any = v->processes });
	if (v->highlight && !parse_u64(v->highlight, &ns))
		session_sched_unseen(r->model, &(struct sched_selection){ .any = v->highlight });
}

static int draw(struct timechart_cmd *c)
{
	struct str svg = STR_INIT;
	const struct sched_stats *st;
	struct run r = { 0 };
	int ret = run_model(&r, c);

	if (!ret && c->topology)
		ret = order_cpus(&r, &c->view);
	if (!ret) {
		const struct outfile_opts o = { .how = OUTFILE_WHOLE, .named = c->output,
						.mode = 0666,
						.input_fd = r.s.source->reader->files.v[0].fd };

		timechart_svg(r.chart, r.model, &c->view, &svg);
		ret = outfile_write(c->output ? c->output : "output.svg", &o, svg.buf, svg.len,
				    &r.s.err);
	}
	if (!ret) {
		session_warn(&r.s);
		if (!c->common.quiet)
			session_symbol_warnings(&r.s, log_on(LOG_CLI, 1));
		warn_unseen(&r, &c->view);
		st = sched_get_stats(r.model);
		fprintf(stderr, "Written %2.1f seconds of trace to %s.\n",
			st->first_ns == UINT64_MAX ? 0 : (double)(st->last_ns - st->first_ns) / 1e9,
			c->output ? c->output : "output.svg");
	}
	str_release(&svg);
	run_release(&r);
	return session_close(&r.s, ret);
}

/* Of the wanted processes all are drawn, unless their number is limited. */
static int draw_selected(struct timechart_cmd *c)
{
	struct str list = STR_INIT;
	int ret;

	for vec_each(word, &c->processes) {
		str_add(&list, list.len ? "," : "");
		str_add(&list, *word);
	}
	if (list.len) {
		c->view.processes = list.buf;
		c->view.max_tasks = c->view.max_tasks ? c->view.max_tasks : INT_MAX;
	}
	ret = draw(c);
	str_release(&list);
	return ret;
}

struct chart_record_opts {
	bool io_only, tasks_only, power_only, callchain;
	const char *output, *pages;
};

static const struct option_def record_options[] = {
	OPT_FLAG('I', "io-only", struct chart_record_opts, io_only,
	     "record only IO: calls that read, write, sync, receive, send and poll"),
	OPT_FLAG('P', "power-only", struct chart_record_opts, power_only,
		 "record only idle states and frequencies of the CPUs"),
	OPT_FLAG('T', "tasks-only", struct chart_record_opts, tasks_only,
		 "record only the scheduler's events"),
	OPT_FLAG('g', "callchain", struct chart_record_opts, callchain, "record call chains"),
	OPT_STRING('o', "output", struct chart_record_opts, output, "file",
		   "where to write the recording (default: perf.data)"),
	OPT_STRING('m', "mmap-pages", struct chart_record_opts, pages, "pages",
		   "size of each CPU's buffer, in pages or with a unit (16M)"),
	OPT_END
};

/* The calls that this kernel has; each is two events. */
static void add_io_events(struct os *os, word_list *names)
{
	for (size_t i = 0; i < 2 * timechart_io_calls(); i++) {
		char *name = xasprintf("sys_%s_%s", i % 2 ? "exit" : "enter",
				       timechart_io_call(i / 2));

		os_add_tracepoint(os, "syscalls", name, names);
		free(name);
	}
}

static int add_events(const struct chart_record_opts *c, word_list *names, struct err *err)
{
	struct os os;
	int ret;

	os_init(&os);
	ret = os_tracefs(&os, err);
	if (ret >= 0 && c->io_only)
		add_io_events(&os, names);
	for (size_t i = 0; ret >= 0 && !c->io_only && !c->tasks_only &&
	     i < timechart_power_events(); i++)
		os_add_tracepoint(&os, "power", timechart_power_event(i), names);
	if (ret >= 0 && !names->n && c->io_only) {
		ret = err_set(err, ENOENT, "no tracepoints of system calls below "
					   "%s/events/syscalls", os.tracefs);
		err_hint(err, "the kernel needs CONFIG_FTRACE_SYSCALLS");
	} else if (ret >= 0 && !names->n && c->power_only) {
		ret = err_set(err, ENOENT, "no tracepoints of idle states and frequencies below "
					   "%s/events/power", os.tracefs);
		err_hint(err, "leave -P out: the scheduler's events tell when the CPUs were idle");
	}
	os_release(&os);
	return ret;
}

/* perf record, or perf sched record, with what is asked for. argv: the command alone. */
static int record_chart(const struct chart_record_opts *c, const word_list *names, int argc,
			const char **argv)
{
	static const char *const words[] = { "timechart", "record", NULL };
	struct record_preset p = { .words = words, .output = c->output, .pages = c->pages,
				   .events = (const char *const *)names->v,
				   .callchain = c->callchain };

	if (!c->io_only && !c->power_only)
		return sched_record_with(&p, argc, argv);
	p.system_wide = p.raw = p.exclude_perf = true;
	p.period = 1;
	return record_with(&p, argc, argv);
}

static int timechart_record(int argc, const char **argv, void *ctx UNUSED)
{
	struct chart_record_opts c = { 0 };
	const char *const usage[] = { "[<options>] [<command>]", NULL };
	const struct option_table tables[] = { { record_options, &c }, { 0 } };
	const struct cli_cmd cmd = { .name = "timechart record", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	word_list names = { NULL, 0, 0 };
	opt_list line = { NULL, 0, 0 };
	struct err err = ERR_INIT;
	int n = cli_parse(&cmd, argc, argv), ret;

	if (n < 0)
		return cli_status(n);
	if (c.io_only + c.tasks_only + c.power_only > 1)
		return cli_usage_error_opt(&cmd, "I,P,T",
					   "only one of -I, -P and -T leaves something to record");
	ret = add_events(&c, &names, &err);
	vec_push(&names, NULL);
	record_line(&line, NULL, n, argv);
	ret = ret < 0 ? cli_error(&err) : record_chart(&c, &names, (int)line.n - 1, line.v);
	words_release(&names);
	vec_free(&line);
	err_release(&err);
	return ret;
}

static const struct cli_sub subs[] = { { "record", timechart_record }, { NULL, NULL } };

int cmd_timechart(int argc, const char **argv)
{
	struct timechart_cmd c = { .output = NULL };
	const char *const usage[] = { "[<options>] {record}", NULL };
	static const char *const words[] = { "record", NULL };
	const struct option_table tables[] =
		{ { timechart_options, &c }, cli_symbols_group(&c.symbols),
					       session_group(), cli_common_group(&c.common),
					       { 0 } };
	const struct cli_cmd cmd = { .name = "timechart", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION,
				     .words = words };
	int n = cli_parse(&cmd, argc, argv);

	if (n < 0)
		n = cli_status(n);
	else if (n > 0)
		n = cli_run_sub(&cmd, subs, n, argv, &c);
	else if (c.view.cpus_only && c.view.tasks_only)
		n = cli_usage_error_opt(&cmd, "P,T", "-P and -T leave nothing to draw");
	else
		n = draw_selected(&c);
	vec_free(&c.processes);
	return n;
}
