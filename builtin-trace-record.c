// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "builtin-trace.h"
#include "util/analysis/sys-sink.h"
#include "util/base/json.h"
#include "util/cli/error.h"
#include "util/record/record.h"

#define STACK_COLUMN 38

void trace_no_line(void *ctx, const struct sys_line *line)
{
	(void)ctx;
	(void)line;
}

/* "main (/usr/bin/x)"; for strace, "/usr/bin/x(main+0x10) [0x1136]". */
static void add_frame(const struct location *f, bool strace, struct str *out)
{
	const char *path = f->dso ? f->dso->path : "[unknown]";

	if (strace) {
		str_add_safe(out, path);
		str_addch(out, '(');
		if (f->sym) {
			str_add_safe(out, f->sym->name);
			str_addf(out, "+%#llx", (unsigned long long)(f->rva - f->sym->start_rva));
		}
		str_addf(out, ") [%#llx]", (unsigned long long)f->rva);
		return;
	}
	if (f->sym)
		str_add_safe(out, f->sym->name);
	else
		str_addf(out, "[%#llx]", (unsigned long long)f->rva);
	str_add(out, " (");
	str_add_safe(out, path);
	str_addch(out, ')');
}

static bool shows_frame(const struct location *f, bool kernel)
{
	return (f->cpumode != PERF_RECORD_MISC_KERNEL || kernel) && (f->va || f->dso);
}

static void add_frame_line(const struct location *f, bool strace, struct str *out)
{
	if (strace)
		str_add(out, " > ");
	else
		str_addchn(out, ' ', STACK_COLUMN);
	add_frame(f, strace, out);
	str_addch(out, '\n');
}

static void add_frame_json(const struct location *f, struct json *frames)
{
	struct str text = STR_INIT;

	add_frame(f, false, &text);
	json_strn(frames, str_cstr(&text), text.len);
	str_release(&text);
}

unsigned trace_add_frames(const struct trace *t, const struct sink_item *it, bool kernel, struct str *out)
{
	const enum view_sys_form form = t->view.form;
	struct json json;
	unsigned n = 0;

	for (u32 i = 0; it->res && i < it->res->n_frames; i++) {
		const struct location *f = &it->res->frames[i];

		if (!shows_frame(f, kernel))
			continue;
		if (!n++ && form == VIEW_SYS_JSON)
			view_sys_json_stack_begin(&json, it->sample->tid, out);
		if (form == VIEW_SYS_JSON)
			add_frame_json(f, &json);
		else
			add_frame_line(f, form == VIEW_SYS_STRACE, out);
	}
	if (n && form == VIEW_SYS_JSON)
		view_sys_json_stack_end(&json);
	return n;
}

void trace_after_call(void *ctx, const struct sink_item *it)
{
	struct trace *t = ctx;

	if (!t->done && !t->off && !t->o->summary_only)
		trace_add_frames(t, it, t->o->kernel_graph, &t->out);
}

/* --switch-on and --switch-off: whether the event is shown. */
static bool switched(struct trace *t, const struct event *e)
{
	const struct trace_opts *o = t->o;
	bool on_mark = o->switch_on && !strcmp(e->name, o->switch_on), off_mark = o->switch_off && !strcmp(e->name, o->switch_off);
	bool hidden = (on_mark && t->hide_on) || (off_mark && t->hide_off);

	if (t->off && on_mark) {
		t->off = false;
		return o->show_switch;
	}
	if (!t->off && off_mark) {
		t->off = true;
		return o->show_switch;
	}
	return !t->off && (!hidden || o->show_switch);
}

static void add_runtime(struct trace *t, const struct sample *s, const struct event *e)
{
	const struct tp_field *pid = tp_field(e->format, "pid"), *runtime = tp_field(e->format, "runtime");

	if (pid && runtime)
		trace_add_runtime(t, tp_read_u64(pid, s->raw, t->swap), tp_read_u64(runtime, s->raw, t->swap));
}

static const char *const fault_kinds[] = {
	[PERF_COUNT_SW_PAGE_FAULTS] = "", [PERF_COUNT_SW_PAGE_FAULTS_MIN] = "min", [PERF_COUNT_SW_PAGE_FAULTS_MAJ] = "maj",
};

static bool is_fault(const struct event *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config < ARRAY_SIZE(fault_kinds) && fault_kinds[e->attr.config];
}

/* ---- of a recording: what is shown ---- */

static bool has_fault(int faults, const struct event *e)
{
	return faults && is_fault(e) && (faults == FAULTS_ALL || e->attr.config == (faults == FAULTS_MAJ ?
			PERF_COUNT_SW_PAGE_FAULTS_MAJ : PERF_COUNT_SW_PAGE_FAULTS_MIN));
}

/* The words of -e that are no calls, the n-th one. false: there are no more. */
static bool nth_word(const struct trace *t, size_t n, struct str *out)
{
	size_t len = t->event_ends.n ? t->event_ends.v[t->event_ends.n - 1] : 0;
	const char *p = str_cstr(&t->select.events), *end = p + len;

	for (; p < end; p += strcspn(p, ",{}")) {
		p += strspn(p, ",{}");
		if (p >= end || n--)
			continue;
		str_reset(out);
		str_addn(out, p, strcspn(p, ",{}/"));
		return true;
	}
	return false;
}

static bool is_named(const char *word, const struct event *e)
{
	size_t n = strlen(word);

	return !fnmatch(word, e->name, 0) || (!strncmp(word, e->name, n) && (e->name[n] == ':' || e->name[n] == '/'));
}

/* Of a recording that has more events than those asked for, which are as in a live trace. */
static bool selects(const struct trace *t, const struct event *e)
{
	struct str word = STR_INIT;
	bool any = t->o->faults != FAULTS_NONE || t->o->events.n, found = has_fault(t->o->faults, e);

	for (size_t i = 0; !found && nth_word(t, i, &word); i++)
		found = is_named(str_cstr(&word), e);
	str_release(&word);
	return found || !any;
}

static bool is_shown(struct trace *t, const struct event *e)
{
	struct trace_shown s = { e, true };

	if (!t->o->input)
		return true;
	for vec_each(k, &t->shown)
		if (k->event == e)
			return k->yes;
	s.yes = selects(t, e) || (t->o->switch_on && !strcmp(e->name, t->o->switch_on)) ||
		(t->o->switch_off && !strcmp(e->name, t->o->switch_off));
	vec_push(&t->shown, s);
	return s.yes;
}

/* Is there something of each kind that is asked for? */
static int find_words(const struct trace *t, const struct event_list *l, struct err *err)
{
	struct str word = STR_INIT;
	bool found = !t->o->faults;
	int ret = 0;

	for vec_each(e, &l->events)
		found |= has_fault(t->o->faults, *e);
	if (!found)
		ret = err_set(err, ENOENT, "the file has no page faults of the kind that -F asks for");
	for (size_t i = 0; !ret && nth_word(t, i, &word); i++) {
		found = false;
		for vec_each(e, &l->events)
			found |= is_named(str_cstr(&word), *e);
		if (!found)
			ret = err_set(err, ENOENT, "'%s' is neither a system call nor an event of the file", str_cstr(&word));
	}
	if (ret)
		err_hint(err, "'perf evlist -i FILE' lists the events it has");
	str_release(&word);
	return ret;
}

/* Options that only tracing can follow: those that would leave something out are errors, the others are named. */
static int check_live_options(const struct trace_opts *o, struct err *err)
{
	const struct { const char *name; bool given, wrong; } all[] = {
		{ "-u", o->target.user, true }, { "-G", o->cgroup, true }, { "-D", o->delay_ms, true },
		{ "-a", o->target.system_wide, false }, { "-m", o->mmap_bytes, false }, { "--per-thread", o->target.per_thread, false },
		{ "--no-inherit", o->no_inherit && !o->config.no_inherit, false }, { "--call-graph", o->call_graph, false },
		{ "--no-bpf", o->capture != o->config.capture, false }, { "--force-btf", o->force_btf, false },
		{ "--max-string", o->max_string != o->config.max_string, false }, { "--proc-map-timeout", o->map_timeout, false },
	};
	struct record_opts ro = { .period = 1 };
	struct str names = STR_INIT;
	int ret = o->call_graph && *o->call_graph ? record_parse_callgraph(&ro, o->call_graph, err) : 0;

	for (size_t i = 0; i < ARRAY_SIZE(all) && !ret; i++) {
		if (all[i].given && all[i].wrong)
			ret = err_set(err, EINVAL, "%s is for tracing: the recording of -i does not have what it asks for", all[i].name);
		else if (all[i].given)
			str_addf(&names, "%s%s", names.len ? ", " : "", all[i].name);
	}
	if (!ret && o->summary_mode == VIEW_SYS_CGROUP && trace_wants_sums(o))
		ret = err_set(err, EINVAL, "--summary-mode cgroup is for tracing: a recording does not have the groups of its calls");
	if (!ret && names.len && !o->common.quiet)
		cli_warn("no effect with -i, the recording is as it is: %s", str_cstr(&names));
	str_release(&names);
	return ret;
}

static void add_event_args(struct trace *t, const struct sink_item *it, bool fault, struct str *out)
{
	const struct sample *s = it->sample;
	const struct event *e = s->event;

	if (fault)
		sys_event_fault(it, fault_kinds[e->attr.config], out);
	else if (e->format && t->o->tp_print)
		tp_print(e->format, s->raw, t->swap, s->cpu, s->time_ns, out);
	else if (e->format && !sys_event_call(e->format, s->raw, t->swap, t->set, &t->view.style, out))
		sys_event_fields(e->format, s->raw, t->swap, &t->view.style, out);
}

static void add_json_event(struct trace *t, const struct sink_item *it, const char *comm, bool fault)
{
	const struct sample *s = it->sample;
	struct view_sys_event e = { .time_ns = s->time_ns, .comm = comm, .name = s->event->name, .pid = s->pid, .tid = s->tid };
	struct str args = STR_INIT;

	add_event_args(t, it, fault, &args);
	e.args = (struct span){ (const u8 *)str_cstr(&args), args.len };
	view_sys_json_event(&e, &t->out);
	str_release(&args);
}

void trace_on_event(void *ctx, const struct sink_item *it)
{
	struct trace *t = ctx;
	const struct sample *s = it->sample;
	const struct event *e = s->event;
	const char *comm = it->res && it->res->comm ? it->res->comm->name : NULL;
	bool fault = is_fault(e);

	if (t->o->sched && e->format && !strcmp(e->name, TRACE_RUNTIME_EVENT)) {
		add_runtime(t, s, e);
		return;
	}
	if (t->done || e->dummy || !is_shown(t, e) || !switched(t, e) || (it->res && (int)it->res->n_frames < t->o->min_stack))
		return;
	sys_lines_flush(&t->lines);
	if (comm)
		sys_lines_note(&t->lines, s->tid, comm);
	if (t->view.form == VIEW_SYS_JSON) {
		add_json_event(t, it, comm, fault);
	} else {
		view_sys_head(&t->view, s->time_ns, t->with_syscalls || fault, comm, s->tid, s->cpu, &t->out);
		if (!fault) {
			str_add_safe(&t->out, e->name);
			str_addch(&t->out, '(');
		}
		add_event_args(t, it, fault, &t->out);
		str_add(&t->out, fault ? "\n" : ")\n");
	}
	trace_add_frames(t, it, true, &t->out);
	if (t->o->max_events && ++t->n_events >= t->o->max_events)
		t->done = true;
	if (t->out.len >= TRACE_WRITE_BYTES)
		trace_write(t);
}

void trace_sum_call(void *ctx, const struct sysrec *r)
{
	struct trace *t = ctx;
	u64 id = t->o->summary_mode == VIEW_SYS_THREAD ? r->tid : 0;
	struct sys_sum_group *g = sys_summary_group(&t->sum, id);

	free(g->label);
	g->label = xstrndup(r->comm, strnlen(r->comm, sizeof(r->comm)));
	sys_summary_add(&t->sum, id, r->nr, r->flags & SYSREC_F_COMPAT, r->enter_ns ? r->exit_ns - r->enter_ns : 0, r->ret);
}

static int replay_stream(struct trace *t, struct session *s)
{
	struct stream_opts so = { .threads = 1, .max_frames = t->o->max_stack,
				  .filter = { .pids = t->o->target.pid, .tids = t->o->target.tid, .cpus = t->o->target.cpu_list } };
	int_vec excluded = { NULL, 0, 0 };
	const struct sys_sink_opts ko = {
		.pairs = { .lines = &t->lines, .wanted = t->select.any || !t->with_syscalls ? t->select.wanted : NULL,
			   .min_ns = t->o->duration_ns, .only_failed = t->o->failure,
			   .on_call = trace_wants_sums(t->o) ? trace_sum_call : NULL, .ctx = t },
		.swap = s->source->swap, .after_call = trace_after_call, .on_event = trace_on_event, .ctx = t, .excluded = &excluded,
		.wants = SINK_SYMBOLS | SINK_ADDR | SINK_CHAIN,
	};
	struct sink *sink = sys_sink_new(&ko);
	int ret = session_prepare(s, &so);

	if (!ret && t->o->filter_pids)
		ret = parse_int_list(t->o->filter_pids, &excluded, &s->err);
	if (!ret)
		ret = session_run(s, &sink, 1);
	if (!ret) {
		sys_lines_end(&t->lines);
		trace_write(t);
	}
	sys_sink_free(sink);
	vec_free(&excluded);
	return ret;
}

void trace_show_sums(struct trace *t)
{
	const struct view_sys_sum v = { .group = t->o->summary_mode, .errnos = t->o->errno_summary, .runtimes = t->o->sched,
					.max_rows = t->o->max_summary > 0 ? t->o->max_summary : 0, .json = t->o->json };

	trace_put_runtimes(t);
	sys_summary_sort(&t->sum);
	view_sys_summary(&v, &t->sum, t->set, &t->out);
}

static int find_switch(const struct event_list *l, const char *option, const char *name, struct err *err)
{
	if (!name || event_list_named(l, name))
		return 0;
	err_set(err, ENOENT, "the file has no event '%s' for --switch-%s", name, option);
	err_hint(err, "'perf evlist -i FILE' lists those it has");
	return -ENOENT;
}

/* The same build of the same kernel has the same types. */
static bool recorded_here(const struct data_features *f)
{
	struct utsname u;

	return !uname(&u) && f->osrelease && !strcmp(f->osrelease, u.release) && f->hostname &&
	       !strcmp(f->hostname, u.nodename);
}

int trace_replay(struct trace *t, struct session *s)
{
	const struct source *src = s->source;
	int ret = check_live_options(t->o, &s->err);

	if (!ret && !src->once)
		ret = find_words(t, src->events, &s->err);
	if (ret)
		return ret;
	t->lines.fn = t->o->summary_only ? trace_no_line : trace_on_line;
	t->swap = src->swap;
	t->foreign = !recorded_here(src->env);
	ret = trace_open_output(t, src->reader->files.v[0].fd, &s->err);
	if (!ret)
		ret = find_switch(src->events, "on", t->o->switch_on, &s->err);
	if (!ret)
		ret = find_switch(src->events, "off", t->o->switch_off, &s->err);
	return ret ? ret : replay_stream(t, s);
}
