// SPDX-License-Identifier: GPL-2.0-or-later
// perf trace: system calls, and events among them, as lines and sums.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "builtin-record.h"
#include "builtin-trace.h"
#include "util/analysis/sys-types.h"
#include "util/base/log.h"
#include "util/base/num.h"
#include "util/cli/error.h"
#include "util/cli/output.h"
#include "util/cli/pager.h"
#include "util/record/record.h"
#include "util/session/warnings.h"
#include "util/view/sys-show.h"
#include "util/view/sys-sum.h"

struct trace {
	struct trace_opts *o;
	struct os os;
	struct live_session live;
	struct event_list list;		/* of live events */
	struct syscall_set set;
	struct sys_select select;
	struct sysplan *plans;
	struct sys_types types;
	struct sys_show show;
	struct sys_summary sum;
	struct sys_runtimes runtimes;
	struct sink *sink;		/* of events */
	struct cli_output out;
	bool calls_as_events;
};

/* ---- output ---- */

static void write_out(void *ctx, struct str *text)
{
	struct trace *t = ctx;

	cli_output_write(&t->out, text);
	if (t->out.failed)
		t->show.done = t->live.done = true;
}

static void on_call(void *ctx, const struct sysrec *r)
{
	struct trace *t = ctx;

	sys_summary_call(&t->sum, t->o->sums.table.by == SYS_SUMS_THREAD, r);
}

static bool load_types(void *ctx, struct str *out)
{
	const struct trace *t = ctx;

	return !os_kernel_btf(&t->os, out, NULL);
}

static int prepare(struct trace *t, const struct arch_info *arch, struct err *err)
{
	const bool names = !t->o->lines.no_fds;
	bool calls;
	int ret;

	syscall_set_init(&t->set, arch);
	sys_select_init(&t->select);
	ret = trace_select(t->o, &t->os, &t->set, &t->select, &calls, err);
	if (ret)
		return ret;
	t->plans = sys_select_plans(&t->select, &t->set, calls, t->o->capture.max_string, names);
	trace_set_show(t->o, calls, &t->show);
	t->show.set = &t->set;
	t->show.what.select = &t->select;
	t->show.what.plans = t->plans;
	t->show.runtimes = t->o->sums.table.runtimes ? &t->runtimes : NULL;
	t->show.flush = write_out;
	t->show.ctx = t;
	sys_show_init(&t->show);
	t->types = (struct sys_types){ .load = load_types, .ctx = t };
	sys_types_init(&t->types, &t->show.lines, &t->show.view.style, names);
	return 0;
}

static int open_output(struct trace *t, int input_fd, struct err *err)
{
	int ret = cli_output_open(&t->out, t->o->output.path, input_fd, err);

	t->show.view.color = !ret && cli_color_on(CLI_COLOR_AUTO, t->out.fd);
	return ret;
}

static struct trace *trace_new(struct trace_opts *o)
{
	struct trace *t = xnew(struct trace);

	t->o = o;
	os_init(&t->os);
	event_list_init(&t->list);
	return t;
}

static void trace_free(struct trace *t)
{
	sys_sink_free(t->sink);
	event_list_release(&t->list);
	sys_show_release(&t->show);
	sys_types_release(&t->types);
	sys_summary_release(&t->sum);
	sys_select_release(&t->select);
	sys_runtimes_release(&t->runtimes);
	free(t->plans);
	os_release(&t->os);
	cli_output_close(&t->out);
	free(t);
}

/* Those that the kernel kept, or that were added up here. */
static void show_sums(struct trace *t)
{
	const struct sys_sums_opts *o = &t->o->sums.table;
	struct sys_tables tables = { .groups = { NULL, 0, 0 } };

	if (t->live.capture)
		live_session_sums(&t->live, o->by, &t->sum);
	if (o->by == SYS_SUMS_THREAD)
		sys_runtimes_put(&t->runtimes, &t->sum);
	sys_summary_sort(&t->sum);
	sys_summary_tables(&t->sum, o, &t->set, &tables);
	view_sys_summary(&tables, &t->o->output.data, &t->show.out);
	sys_tables_release(&tables);
	if (t->live.capture && syscapture_sums_lost(t->live.capture))
		trace_tell_missing(t->o, syscapture_sums_lost(t->live.capture), &t->show.out);
}

static int show_end(struct trace *t, u64 lost, struct err *err)
{
	if (trace_wants_sums(t->o))
		show_sums(t);
	if (t->o->sums.stats)
		view_sys_stats(&t->show.view, t->show.n_lines, lost, &t->show.out);
	sys_show_flush(&t->show);
	return cli_output_check(&t->out, err);
}

/* ---- live ---- */

static bool take_call(void *ctx, const struct sysrec *r, size_t bytes, u64 now_ns)
{
	struct trace *t = ctx;
	bool taken = sys_show_record(&t->show, r, bytes, now_ns);

	t->live.done = t->show.done;
	return taken;
}

static void on_event(void *ctx, const struct sink_item *it)
{
	struct trace *t = ctx;

	sys_show_event(&t->show, it);
	t->live.done = t->show.done;
}

static void after_call(void *ctx, const struct sink_item *it)
{
	struct trace *t = ctx;

	sys_show_stack(&t->show, it);
}

static void before_event(void *ctx, u64 time_ns)
{
	struct trace *t = ctx;

	live_session_feed(&t->live, time_ns);
}

static void on_pass(void *ctx, u64 bound_ns)
{
	struct trace *t = ctx;

	if (t->calls_as_events)
		sys_sink_until(t->sink, bound_ns);
	sys_show_flush(&t->show);
}

/* How calls are watched where the kernel lets BPF do it; else they come as events, or it is said
 * why not. */
static int capture(struct trace *t, struct err *err)
{
	struct syscapture_opts so;
	struct err reason = ERR_INIT;
	int ret;

	trace_capture_opts(t->o, t->plans, &so);
	ret = live_session_capture(&t->live, &so, take_call, &reason, err);
	if (!ret)
		ret = trace_check_capture(t->o, t->live.capture, &reason, err);
	err_release(&reason);
	return ret;
}

static struct sys_sink_opts sink_opts(struct trace *t)
{
	return (struct sys_sink_opts){
		.pairs = { .lines = &t->show.lines, .min_ns = t->o->selection.min_ns,
			   .only_failed = t->o->selection.failure,
			   .on_call = trace_wants_sums(t->o) ? on_call : NULL, .ctx = t },
		.on_event = on_event, .ctx = t,
	};
}

static int add_events(struct trace *t, struct sys_events *out, struct err *err)
{
	struct sys_events_opts o = { .select = &t->select, .set = &t->set, .plans = t->plans,
				     .calls = t->calls_as_events };
	int ret;

	trace_events_opts(t->o, t->live.capture, &o);
	if (!t->calls_as_events && !o.stacks && !t->select.events.len && !o.faults)
		return 0;
	ret = sys_events_add(&t->list, &o, &t->os, out, err);
	if (ret && t->calls_as_events && !out->n_calls)
		trace_tell_no_way(t->o, &t->os, err);
	return ret;
}

/* What BPF does not capture: events, and where it captures nothing the calls themselves. */
static int open_events(struct trace *t, struct err *err)
{
	const struct stream_opts so = { .threads = 1, .max_frames = t->o->stacks.max };
	struct sys_events events = { 0 };
	struct live_events le = { .list = &t->list, .maps = t->o->selection.faults };
	struct record_opts ro;
	struct sys_sink_opts ko = sink_opts(t);
	int ret;

	t->calls_as_events = t->show.how.with_calls && !t->live.capture;
	ret = add_events(t, &events, err);
	if (!ret && t->list.events.n)
		ret = trace_sampling(t->o, t->calls_as_events, &ro, err);
	if (ret || !t->list.events.n)
		return ret;
	le.sampling = &ro;
	le.n_early = events.n_calls;
	ret = live_session_events(&t->live, &le, &so, err);
	if ((ret == -EACCES || ret == -EPERM) && t->calls_as_events && !t->live.everybody)
		trace_hint_paranoid(&t->os, err);
	if (ret)
		return ret;
	if (t->calls_as_events)
		trace_say_rings(t->o);
	sys_show_events(&t->show, &events);
	ko.pairs.wanted = t->select.any ? t->select.wanted : NULL;
	ko.pairs.held = t->o->delay_ms ? 0 : (u32)t->live.rings.live.workload;
	ko.after_call = t->o->stacks.call_graph ? after_call : NULL;
	ko.before = t->calls_as_events ? NULL : before_event;
	ko.no_calls = !t->calls_as_events;
	ko.names = events.names;
	ko.wants = (t->o->selection.faults ? SINK_SYMBOLS | SINK_ADDR : 0) |
		(t->live.rings.chains ? SINK_SYMBOLS | SINK_CHAIN : 0);
	t->sink = sys_sink_new(&ko);
	return 0;
}

static int run_live(struct trace *t, struct err *err)
{
	const struct trace_opts *o = t->o;
	int ret = t->show.how.with_calls && o->capture.how != CAPTURE_RINGS ? capture(t, err) : 0;

	if (!ret && !t->live.capture)
		ret = trace_check_rings(o, t->show.how.with_calls, err);
	if (!ret)
		ret = open_events(t, err);
	if (!ret)
		ret = live_session_run(&t->live, &t->sink, 1, err);
	if (ret)
		return ret;
	sys_show_end(&t->show, live_session_lost(&t->live));
	if (live_session_lost(&t->live))
		trace_warn_lost(live_session_lost(&t->live));
	return show_end(t, t->live.capture ? syscapture_lost(t->live.capture) : 0, err);
}

static int trace_live(struct trace_opts *o, const char **argv)
{
	struct trace *t = trace_new(o);
	struct err err = ERR_INIT;
	int ret = trace_check_targets(o, &t->os, &err), status = 0;

	if (!ret)
		ret = prepare(t, arch_host(), &err);
	if (!ret)
		ret = open_output(t, 0, &err);
	o->live.argv = *argv ? argv : NULL;
	o->live.on_pass = on_pass;
	o->live.ctx = t;
	if (!ret) {
		ret = live_session_open(&t->live, &o->live, &err);
		if (!ret)
			ret = run_live(t, &err);
		status = live_session_close(&t->live);
	}
	if (ret)
		status = cli_error(&err);
	err_release(&err);
	trace_free(t);
	return status;
}

/* ---- of a recording ---- */

static int replay(struct trace *t, struct session *s)
{
	const struct target *target = &t->o->live.target;
	const struct stream_opts so = { .threads = 1, .max_frames = t->o->stacks.max,
					.filter = { .pids = target->pid, .tids = target->tid,
						    .cpus = target->cpu_list },
					.symbols = { .kallsyms = t->o->kallsyms } };
	int_vec excluded = { NULL, 0, 0 };
	struct sys_sink_opts ko = sink_opts(t);
	int ret = session_prepare(s, &so);

	ko.pairs.wanted = t->select.any || !t->show.how.with_calls ? t->select.wanted : NULL;
	ko.swap = s->source->swap;
	ko.set = &t->set;
	ko.after_call = after_call;
	ko.excluded = &excluded;
	ko.wants = SINK_SYMBOLS | SINK_ADDR | SINK_CHAIN;
	t->sink = sys_sink_new(&ko);
	if (!ret && t->o->live.excluded)
		ret = parse_int_list(t->o->live.excluded, &excluded, &s->err);
	if (!ret)
		ret = session_run(s, &t->sink, 1);
	if (!ret)
		sys_lines_end(&t->show.lines);
	sys_show_flush(&t->show);
	vec_free(&excluded);
	return ret;
}

static int show_recording(struct trace *t, struct session *s)
{
	const struct source *src = s->source;
	int ret = prepare(t, arch_recorded(src->env->arch), &s->err);

	if (!ret)
		ret = trace_check_input(t->o, &s->err);
	if (!ret && !src->once)
		ret = sys_events_find(&t->select, t->o->selection.faults, src->events, &s->err);
	if (ret)
		return ret;
	t->show.how.swap = src->swap;
	if (!os_is_running(&t->os, src->env->hostname, src->env->osrelease))
		t->types.load = NULL;	/* those of this kernel would be wrong */
	ret = open_output(t, src->reader->files.v[0].fd, &s->err);
	if (!ret)
		ret = sys_switch_find(&t->o->selection.marks, src->events, &s->err);
	if (!ret)
		ret = replay(t, s);
	return ret ? ret : show_end(t, t->show.lines.n_lost, &s->err);
}

static int trace_file(struct trace_opts *o)
{
	struct trace *t = trace_new(o);
	struct session s = { 0 };
	int ret = session_open(&s, &(struct session_opts){ .path = o->input, .force = o->force,
							   .quiet = o->common.quiet });

	if (!ret)
		ret = show_recording(t, &s);
	session_warn(&s);
	if (!ret && !s.quiet)
		session_symbol_warnings(&s, log_on(LOG_CLI, 1));
	trace_free(t);
	return session_close(&s, ret);
}

int cmd_trace(int argc, const char **argv)
{
	static const char *const calls[] = { "raw_syscalls:sys_enter,raw_syscalls:sys_exit", NULL };
	static const char *const words[] = { "trace", "record", NULL };
	struct trace_opts o;
	int n, status = 0;

	if (argc > 1 && !strcmp(argv[1], "record"))
		return record_with(&(struct record_preset){ .words = words, .events = calls,
							    .raw = true, .period = 1 },
				   argc - 1, argv + 1);
	if (!trace_parse(&o, argc, argv, &n, &status))
		status = o.input ? trace_file(&o) : trace_live(&o, argv);
	trace_opts_release(&o);
	return status;
}
