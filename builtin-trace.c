// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "builtin.h"
#include "builtin-trace.h"
#include "arch/arch.h"
#include "util/base/io.h"
#include "util/base/outfile.h"
#include "util/cli/config.h"
#include "util/cli/error.h"
#include "util/cli/pager.h"
#include "util/cli/progress.h"
#include "util/syscalls/btf.h"
#include "util/view/sys-memo.h"

/* ---- output ---- */

void trace_write(struct trace *t)
{
	if (t->out.len)
		cli_output_begins(t->out_fd);
	if (t->out.len && !t->failed_write)
		t->failed_write = -io_write(t->out_fd, t->out.buf, t->out.len);
	if (t->failed_write)
		t->done = true;
	str_reset(&t->out);
}

/* A reader of the output that went away has seen what it wanted. */
static int check_writes(const struct trace *t, struct err *err)
{
	if (!t->failed_write || t->failed_write == EPIPE)
		return 0;
	return err_sys(err, t->failed_write, "cannot write '%s'", t->o->output ? t->o->output : "standard error");
}

void trace_on_line(void *ctx, const struct sys_line *line)
{
	struct trace *t = ctx;

	if (t->done || t->off || t->hide)
		return;
	if ((line->kind == SYS_LINE_SIGNAL && t->select.no_signals) || (line->kind == SYS_LINE_EXIT && t->select.no_exits))
		return;
	if (line->kind == SYS_LINE_BEGIN && t->o->with_return) {
		if (!t->view.base_ns)
			t->view.base_ns = line->start_ns;
		return;
	}
	t->n_lines++;
	if (t->n_renamed != t->lines.n_renamed) {
		t->n_renamed = t->lines.n_renamed;
		if (t->view.memo)
			sys_memo_clear(t->view.memo);
	}
	view_sys_line(&t->view, line, &t->out);
	if (t->out.len >= TRACE_WRITE_BYTES)
		trace_write(t);
	if (line->kind != SYS_LINE_BEGIN && t->o->max_events && ++t->n_events >= t->o->max_events)
		t->done = true;
}

bool trace_has_target(const struct trace_opts *o)
{
	return o->target.pid || o->target.tid || o->target.system_wide || o->target.cpu_list || o->target.user || o->cgroup;
}

bool trace_wants_sums(const struct trace_opts *o)
{
	return o->summary_only || o->with_summary;
}

bool trace_wants_stacks(const struct trace *t)
{
	return t->capture && t->o->call_graph && !t->o->summary_only;
}

bool trace_has_events(const struct trace *t)
{
	return t->select.events.len || t->o->faults || trace_wants_stacks(t);
}

static const char *fd_name(void *ctx, u64 key, u32 tgid, int fd)
{
	struct trace *t = ctx;

	(void)tgid;
	(void)fd;
	return key ? sys_lines_file(&t->lines, key) : NULL;
}

/* Those of the running kernel are right for a recording only if it was made there: see trace_replay(). */
static bool load_types(struct trace *t)
{
	struct str text = STR_INIT;

	if (!t->btf_tried && !t->foreign && !os_read_file(&t->os, "/sys/kernel/btf/vmlinux", &text, NULL))
		t->btf = sys_btf_new(&text);
	t->btf_tried = true;
	str_release(&text);
	return t->btf != NULL;
}

/* A struct by the type information of the kernel; without it (another machine's recording) it stays a pointer. */
static bool add_type(void *ctx, const char *type, struct span bytes, struct str *out)
{
	struct trace *t = ctx;

	return load_types(t) && sys_btf_add(t->btf, type, bytes, &t->view.style, out);
}

static const char *enumerator(void *ctx, const char *type, u64 value)
{
	struct trace *t = ctx;

	return load_types(t) ? sys_btf_enum(t->btf, type, value) : NULL;
}

static const char *pid_comm(void *ctx, int pid)
{
	struct trace *t = ctx;

	return sys_lines_comm(&t->lines, pid);
}

void trace_add_runtime(struct trace *t, u32 tid, u64 ns)
{
	struct trace_runtime *r = hmap_get(&t->runtimes, tid);

	if (!r) {
		r = xnew(struct trace_runtime);
		hmap_put(&t->runtimes, tid, r);
	}
	r->ns += ns;
}

void trace_put_runtimes(struct trace *t)
{
	if (t->o->summary_mode != VIEW_SYS_THREAD)
		return;
	for vec_each(g, &t->sum.groups) {
		const struct trace_runtime *r = hmap_get(&t->runtimes, g->id);

		g->runtime_ns = r ? r->ns : 0;
	}
}

/* ---- the command ---- */

static void make_plans(struct trace *t)
{
	t->plans = xcalloc(2 * SYSPLAN_NRS, sizeof(*t->plans));
	for (unsigned i = 0; i < 2 * SYSPLAN_NRS; i++) {
		bool compat = i >= SYSPLAN_NRS;

		if (t->with_syscalls && (!t->select.any || t->select.wanted[i]))
			t->plans[i].flags = SYSPLAN_WANTED;
		syscall_plan(&t->set->e[i], compat, t->o->max_string, !t->o->no_fds, &t->plans[i]);
	}
}

/* An event that output begins or ends at may be one that nobody wants to see: then it is watched, and no more. */
static int add_switch(struct trace *t, const char *option, const char *name, const struct event_list *list, bool *hidden, struct err *err)
{
	struct event_list one;
	struct pmu_db *db;
	int ret;

	if (!name || event_list_named(list, name))
		return 0;
	event_list_init(&one);
	db = pmu_db_new(&t->os);
	ret = event_parse(&one, name, &t->os, db, NULL) || one.events.n != 1 || strcmp(one.events.v[0]->name, name);
	event_list_release(&one);
	pmu_db_free(db);
	if (ret) {
		err_set(err, EINVAL, "--switch-%s: '%s' is not the name of an event", option, name);
		err_hint(err, "see 'perf list' for names; the beginning of a call is syscalls:sys_enter_NAME");
		return -EINVAL;
	}
	*hidden = true;
	str_addf(&t->select.events, "%s%s", t->select.events.len ? "," : "", name);
	return 0;
}

static int add_switches(struct trace *t, const struct event_list *list, struct err *err)
{
	const struct trace_opts *o = t->o;
	int ret = add_switch(t, "on", o->switch_on, list, &t->hide_on, err);

	if (!ret && o->switch_on && o->switch_off && !strcmp(o->switch_on, o->switch_off))
		return err_set(err, EINVAL, "--switch-on and --switch-off are the same event, '%s'", o->switch_on);
	return ret ? ret : add_switch(t, "off", o->switch_off, list, &t->hide_off, err);
}

/* A word that is no call must be an event. */
static int check_events(struct trace *t, struct err *err)
{
	const char *words = str_cstr(&t->select.events), *near;
	struct event_list list;
	struct pmu_db *db;
	int ret;

	event_list_init(&list);
	db = pmu_db_new(&t->os);
	ret = *words ? event_parse(&list, words, &t->os, db, err) : 0;
	if (ret && !strchr(words, ':') && !strchr(words, ',')) {
		near = sys_select_nearest(t->set, words);
		err_set(err, EINVAL, "'%s' is neither a system call nor an event", words);
		if (near)
			err_hint(err, "did you mean '%s'? See 'perf list' for events", near);
		else
			err_hint(err, "see 'perf list' for events");
	}
	if (!ret)
		ret = add_switches(t, &list, err);
	event_list_release(&list);
	pmu_db_free(db);
	return ret;
}

/* The names in a file, one or several a line; # begins a comment. before: what each gets in front */
static int add_group(const struct trace *t, const char *path, const char *before, struct str *out, struct err *err)
{
	struct str text = STR_INIT;
	bool any = false;
	int ret = os_read_file(&t->os, path, &text, err);

	if (ret) {
		err_prefix(err, "-e @%s: neither a class of calls nor a file", path);
		return ret;
	}
	for (const char *p = str_cstr(&text); *p;) {
		size_t n = strcspn(p, ", \t\r\n#");

		if (n && any)
			str_addch(out, ',');
		if (n)
			str_add(out, before);
		str_addn(out, p, n);
		any |= n > 0;
		p += n;
		if (*p == '#')
			p += strcspn(p, "\n");
		else if (*p)
			p++;
	}
	str_release(&text);
	return any ? 0 : err_set(err, EINVAL, "-e @%s: the file names no calls", path);
}

/* -e with the words @FILE replaced by what the files have. */
static int add_selection(struct trace *t, const char *text, struct err *err)
{
	struct str whole = STR_INIT;
	const char *all = text;
	int ret = 0;

	while (*text && !ret) {
		size_t n = strcspn(text, ","), skip = *text == '!';
		struct str word = STR_INIT;

		str_addn(&word, text, n);
		if (n > skip + 1 && text[skip] == '@' && !syscall_class(str_cstr(&word) + skip + 1)) {
			if (text == all)	/* a ! there is for the whole list */
				str_addn(&whole, text, skip);
			ret = add_group(t, str_cstr(&word) + skip + 1, skip && text != all ? "!" : "", &whole, err);
		} else {
			str_addn(&whole, text, n);
		}
		str_release(&word);
		text += n;
		if (*text)
			str_addch(&whole, *text++);
	}
	if (!ret)
		ret = sys_select_add(&t->select, str_cstr(&whole), t->set, err);
	str_release(&whole);
	return ret;
}

/* A --filter with nothing to filter would be one that is ignored. */
static int check_filters(const struct trace *t, struct err *err)
{
	for vec_each(f, &t->o->filters) {
		size_t begin = f->after > 1 ? t->event_ends.v[f->after - 2] : 0;

		if (t->o->input) {
			err_set(err, EINVAL, "--filter is for the kernel: it has no effect on a recording");
			err_hint(err, "give it to 'perf trace record', or use perf script and grep");
			return -EINVAL;
		}
		if (!f->after || t->event_ends.v[f->after - 1] == begin) {
			err_set(err, EINVAL, "--filter must follow the -e of a tracepoint%s%s%s", f->after ? ": '" : "",
				f->after ? t->o->events.v[f->after - 1] : "", f->after ? "' is none" : "");
			err_hint(err, "a system call as a tracepoint is -e syscalls:sys_enter_NAME, its fields are in "
				 "'perf list --details' or tracefs");
			return -EINVAL;
		}
	}
	return 0;
}

static int prepare(struct trace *t, const struct arch_info *arch, struct err *err)
{
	struct trace_opts *o = t->o;
	int ret = 0;

	t->set = xnew(struct syscall_set);
	syscall_set_init(t->set, arch);
	sys_select_init(&t->select);
	if (!o->input && (o->target.pid || o->target.tid || o->target.cpu_list)) {	/* do they exist? */
		struct target copy = o->target;

		ret = target_resolve(&copy, &t->os, err);
		target_release(&copy);
	}
	for (size_t i = 0; i < o->events.n && !ret; i++) {
		ret = add_selection(t, o->events.v[i], err);
		vec_push(&t->event_ends, t->select.events.len);
	}
	if (!ret)
		ret = check_filters(t, err);
	t->with_syscalls = o->syscalls >= 0 ? o->syscalls : t->select.any || !t->select.events.len;
	if (!ret && o->add_events && *o->add_events)
		ret = sys_select_add(&t->select, o->add_events, t->set, err);
	if (!ret && o->sched)
		ret = sys_select_add(&t->select, TRACE_RUNTIME_EVENT, t->set, err);
	if (!ret && !o->input)
		ret = check_events(t, err);
	if (ret)
		return ret;
	t->view = (struct view_sys){
		.form = o->json ? VIEW_SYS_JSON : o->style == STYLE_STRACE ? VIEW_SYS_STRACE : VIEW_SYS_STOCK,
		.full_time = o->full_time, .no_comm = !o->comm, .show_cpu = o->show_cpu, .align = o->align,
		.no_time = !o->show_time, .no_duration = !o->show_duration,
		.print_sample = o->print_sample,
		.style = { .strace = o->style == STYLE_STRACE, .hide_zeros = !o->show_zeros && o->show_names,
			   .no_names = o->style == STYLE_STRACE || !o->show_names,
			   .prefix = o->style == STYLE_STRACE || o->show_prefix,
			   .max_string = o->max_string, .fd_name = o->no_fds ? NULL : fd_name,
			   .hide_event_zeros = !o->show_event_zeros && o->show_names,
			   .comm = pid_comm, .add_type = add_type, .enumerator = enumerator, .force_types = o->force_btf, .ctx = t },
	};
	if (t->view.form == VIEW_SYS_STOCK)
		t->view.memo = sys_memo_new();
	t->off = o->switch_on != NULL;
	sys_lines_init(&t->lines, t->set, trace_on_line, t);
	t->lines.whole = t->o->with_return;
	t->lines.devices = t->o->style == STYLE_STRACE;
	make_plans(t);
	return 0;
}

int trace_open_output(struct trace *t, int input_fd, struct err *err)
{
	const struct outfile_opts o = { .how = OUTFILE_LIVE, .named = true, .mode = 0666, .input_fd = input_fd };
	int fd = STDERR_FILENO;

	if (t->o->output && *t->o->output == '|') {
		err_set(err, EINVAL, "-o '|COMMAND' is strace's, not perf trace's");
		err_hint(err, "use a pipe of the shell: -o >(COMMAND), or the standard error: 2>&1 | COMMAND");
		return -EINVAL;
	}
	if (t->o->output)
		fd = outfile_fd(t->o->output, &o, err);
	if (fd < 0)
		return fd;
	t->out_fd = fd;
	t->view.color = cli_color_on(CLI_COLOR_AUTO, t->out_fd);
	return 0;
}

static void release(struct trace *t)
{
	trace_events_close(t);
	syscapture_close(t->capture);
	workload_release(&t->work, true);
	sys_memo_free(t->view.memo);
	sys_lines_release(&t->lines);
	sys_summary_release(&t->sum);
	sys_select_release(&t->select);
	vec_free(&t->event_ends);
	vec_free(&t->shown);
	str_release(&t->out);
	for hmap_each(i, &t->runtimes)
		free(t->runtimes.vals[i]);
	hmap_release(&t->runtimes);
	free(t->set);
	free(t->plans);
	sys_btf_free(t->btf);
	os_release(&t->os);
	if (t->out_fd > STDERR_FILENO)
		close(t->out_fd);
	if (t->signal_fd >= 0)
		close(t->signal_fd);
}

static void trace_init(struct trace *t, struct trace_opts *o)
{
	*t = (struct trace){ .o = o, .out_fd = STDERR_FILENO, .signal_fd = -1 };
	os_init(&t->os);
}

static void show_stats(struct trace *t, u64 lost)
{
	if (!t->o->tool_stats)
		return;
	str_addf(&t->out, "\n Stats:\n  lines of calls: %llu\n  lost records:   %llu\n", (unsigned long long)t->n_lines,
		 (unsigned long long)lost);
	trace_write(t);
}

/* Tracepoints have no memory of arguments. */
static void warn_rings(const struct trace_opts *o)
{
	bool strings = o->max_string != o->config.max_string;

	if (strings || o->force_btf)
		cli_warn("no effect without BPF, there are no strings and structs: %s%s%s", strings ? "--max-string" : "",
			 strings && o->force_btf ? ", " : "", o->force_btf ? "--force-btf" : "");
}

static int trace_live(struct trace_opts *o, const char **argv)
{
	struct trace t;
	struct err err = ERR_INIT, why = ERR_INIT;
	int ret, status = 0;
	bool captured = false;

	trace_init(&t, o);
	ret = prepare(&t, arch_host(), &err);
	if (!ret)
		ret = trace_open_output(&t, 0, &err);
	if (ret)
		goto out;
	if (*argv)
		ret = workload_prepare(&t.work, argv, false, &err);
	if (!ret && t.with_syscalls && o->capture != CAPTURE_RINGS) {
		ret = trace_start_capture(&t, &why, &err);
		captured = t.capture;
		if (captured && o->common.verbose && syscapture_engine(t.capture) == SYSCAPTURE_RAW)
			cli_warn("calls are watched without the kernel's type information: files behind descriptors have no names");
		if (!ret && !captured && o->capture != CAPTURE_AUTO) {
			ret = err_set(&err, why.code, "%s", why.msg);
			if (why.hint)
				err_hint(&err, "%s", why.hint);
		}
		if (!ret && !captured && o->common.verbose) {
			cli_warn_err(&why);
			cli_warn("calls come from tracepoints instead: without strings");
		}
	}
	if (!ret && t.with_syscalls && !captured && !o->common.quiet)
		warn_rings(o);
	if (!ret)
		ret = trace_run(&t, &status, &err);
	if (!ret)
		show_stats(&t, t.capture ? syscapture_lost(t.capture) : 0);
	if (!ret)
		ret = check_writes(&t, &err);
out:
	if (ret)
		status = cli_error(&err);
	err_release(&err);
	err_release(&why);
	release(&t);
	return status;
}

static int trace_file(struct trace_opts *o)
{
	struct trace t;
	struct session s = { 0 };
	int ret;

	trace_init(&t, o);
	ret = session_open(&s, &(struct session_opts){ .path = o->input, .force = o->force,
						       .quiet = o->common.quiet });
	if (!ret)
		ret = prepare(&t, arch_recorded(s.source->env->arch), &s.err);
	if (!ret)
		ret = trace_replay(&t, &s);
	if (!ret && trace_wants_sums(o))
		trace_show_sums(&t);
	trace_write(&t);
	if (!ret)
		show_stats(&t, t.lines.n_lost);
	if (!ret)
		ret = check_writes(&t, &s.err);
	release(&t);
	return session_close(&s, ret);
}

/* "trace record": perf record of all calls. */
static int trace_record(int argc, const char **argv)
{
	static const char *const fixed[] = { "record", "-R", "-c", "1", "-e", "raw_syscalls:sys_enter,raw_syscalls:sys_exit" };
	opt_list args = { NULL, 0, 0 };
	int status;

	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++)
		vec_push(&args, fixed[i]);
	for (int i = 1; i < argc; i++)
		vec_push(&args, argv[i]);
	vec_push(&args, NULL);
	status = cmd_record((int)args.n - 1, args.v);
	vec_free(&args);
	return status;
}

static int set_faults(const struct opt_use *u, struct err *err)
{
	static const char *const names[] = { "all", "maj", "min" };
	struct trace_opts *o = u->base;

	o->faults = FAULTS_NONE;
	for (int i = 0; u->arg && i < 3; i++)
		if (!strcmp(u->arg, names[i]))
			o->faults = FAULTS_ALL + i;
	return o->faults || u->unset ? 0 : err_set(err, EINVAL, "page faults are all, maj or min, not '%s'", u->arg);
}

static int add_filter(const struct opt_use *u, struct err *err)
{
	struct trace_opts *o = u->base;

	(void)err;
	if (u->unset)
		vec_free(&o->filters);
	else
		vec_push(&o->filters, ((struct trace_filter){ u->arg, o->events.n }));
	return 0;
}

/* What strace's letters would be here. */
static int set_strace_habit(const struct opt_use *u, struct err *err)
{
	static const struct { char letter; const char *here; } habits[] = {
		{ 'y', NULL },		/* -y, -yy: as it always is */
		{ 'f', NULL },
		{ 'k', "stacks are --call-graph dwarf" },
		{ 'c', "the summary alone is -s, calls and summary -S; --errno-summary counts errors" },
		{ 'n', "--json has the raw arguments" },
		{ 'z', "only failed calls: --failure" },
		{ 'Z', "only failed calls: --failure" },
		{ 'P', "use -e file and grep for the path" },
		{ 'r', "times are relative to the first line; -T shows the full time" },
		{ 'w', "the summary (-s) is of wall time always" },
		{ 'E', "use env(1): perf trace env VAR=value command" },
		{ 'A', "use a new file, -o writes it anew" },
		{ 'V', "see 'perf version'" },
		{ 'x', "strings have octal escapes; --json has their bytes" },
	};
	const char *here = "see 'perf trace -h' for what there is";

	for (size_t i = 0; i < ARRAY_SIZE(habits); i++)
		if (habits[i].letter == u->def->short_name)
			here = habits[i].here;
	if (!here)
		return 0;
	if (!u->def->short_name)
		err_set(err, EINVAL, "--%s is of old versions: there are no maps to dump, strings are copied by perf's own programs",
			u->def->name);
	else
		err_set(err, EINVAL, "-%c is strace's, not perf trace's: %s", u->def->short_name, here);
	return -EINVAL;
}
#define OPT_HABIT(c, l) \
	{ .short_name = c, .kind = OPT_KIND_CALL, .flags = OPT_HIDDEN | OPT_NONEG, .call = set_strace_habit, .help = l }

static const struct option_def trace_options[] = {
	OPT_LIST('e', "event", struct trace_opts, events, "event",
			"system calls, classes of them (file, net, process, signal, ipc, memory, "
		 "desc), globs, /regex, !not, and events"),
	OPT_LIST(0, "expr", struct trace_opts, events, "expr", "the same as -e"),
	OPT_FLAG(0, "comm", struct trace_opts, comm, "show the thread COMM next to its id"),
	OPT_STRING('o', "output", struct trace_opts, output, "file", "output file name"),
	OPT_STRING('G', "cgroup", struct trace_opts, cgroup, "name", "only tasks in this cgroup"),
	OPT_U64('D', "delay", struct trace_opts, delay_ms, "n", "ms to wait before starting measurement after program start"),
	OPT_DURATION(0, "duration", struct trace_opts, duration_ns, 1000000, "float", "show only calls with duration > N.M ms"),
	OPT_FLAG(0, "with-return", struct trace_opts, with_return, "one line a call, when it has returned: none is cut in two"),
	OPT_FLAG(0, "failure", struct trace_opts, failure, "show only calls that failed"),
	OPT_STRING(0, "filter-pids", struct trace_opts, filter_pids, "pids", "leave out these processes and threads (with -a)"),
	OPT_FLAG(0, "no-inherit", struct trace_opts, no_inherit, "child tasks are not traced"),
	OPT_U64(0, "max-events", struct trace_opts, max_events, "n", "exit after n events"),
	OPT_INT(0, "max-string", struct trace_opts, max_string, "n", "bytes of a buffer that are shown (default 32)"),
	OPT_INT(0, "max-summary", struct trace_opts, max_summary, "n", "show at most n rows a summary"),
	OPT_SIZE('m', "mmap-pages", struct trace_opts, mmap_bytes, "size",
			"buffer between kernel and perf: a size (64M) or a number of pages"),
	OPT_FLAG('s', "summary", struct trace_opts, summary_only, "show only a summary with statistics"),
	OPT_FLAG(0, "summary-only", struct trace_opts, summary_only, "the same as -s"),
	OPT_FLAG(0, "bpf-summary", struct trace_opts, bpf_summary, "a summary, as -s, which is kept in the kernel anyway"),
	OPT_FLAG('S', "with-summary", struct trace_opts, with_summary, "show all calls and a summary"),
	OPT_FLAG(0, "errno-summary", struct trace_opts, errno_summary, "with -s or -S: count the errors of each call"),
	OPT_CHOICE(0, "summary-mode", struct trace_opts, summary_mode, "thread|total|cgroup", "how to show the summary"),
	OPT_FLAG(0, "show-cpu", struct trace_opts, show_cpu, "show the CPU"),
	OPT_CHOICE(0, "style", struct trace_opts, style, "perf|strace", "how lines look"),
	OPT_FLAG(0, "json", struct trace_opts, json, "one JSON object a line"),
	OPT_FLAG('T', "time", struct trace_opts, full_time, "show the full timestamp, not the time since the first event"),
	OPT_SET(0, "syscalls", struct trace_opts, syscalls, 1, "trace system calls (the default, unless only events are asked for)"),
	OPT_CALL_NO('F', "pf", "all|maj|min", set_faults, "page faults"),
	OPT_STRING('i', "input", struct trace_opts, input, "file", "show what perf trace record wrote"),
	OPT_STRING(0, "call-graph", struct trace_opts, call_graph, "mode", "stacks: fp, dwarf[,bytes]"),
	OPT_CALL(0, "filter", "filter", add_filter, "of the tracepoints in the -e before it"),
	OPT_INT(0, "max-stack", struct trace_opts, max_stack, "n", "show at most n entries of a stack"),
	OPT_INT(0, "min-stack", struct trace_opts, min_stack, "n", "leave out events whose stack is shorter"),
	OPT_STRING(0, "switch-on", struct trace_opts, switch_on, "event", "show nothing before this event"),
	OPT_STRING(0, "switch-off", struct trace_opts, switch_off, "event", "show nothing after this event"),
	OPT_FLAG(0, "show-on-off-events", struct trace_opts, show_switch, "show the events of --switch-on and --switch-off too"),
	OPT_FLAG(0, "libtraceevent_print", struct trace_opts, tp_print, "tracepoints as their format prints them"),
	OPT_FLAG(0, "kernel-syscall-graph", struct trace_opts, kernel_graph, "show the kernel's part of the stack at the end of calls"),
	OPT_FLAG(0, "print-sample", struct trace_opts, print_sample, "before each line, what it was made from, for debugging"),
	OPT_FLAG(0, "sched", struct trace_opts, sched, "with -s or -S: the time that each thread was on a CPU"),
	OPT_CALL(0, "map-dump", "BPF map", set_strace_habit, "of old versions: there is no BPF object of the user with maps to dump"),
	OPT_FLAG(0, "tool_stats", struct trace_opts, tool_stats, "show at the end how many lines and lost records there were"),
	OPT_STRING(0, "proc-map-timeout", struct trace_opts, map_timeout, "n", "ms for reading the mappings of a process (of events)"),
	OPT_FLAG(0, "force-btf", struct trace_opts, force_btf, "all structs as the kernel's type information has them"),
	OPT_SET(0, "no-bpf", struct trace_opts, capture, CAPTURE_RINGS, "do without BPF: calls from tracepoints, no strings"),
	OPT_FLAG(0, "sort-events", struct trace_opts, force, "accepted: events are always in order"),
	OPT_FLAG('f', "force", struct trace_opts, force, "accepted: nothing is refused"),
	OPT_HABIT('y', "fd-names"), OPT_HABIT('k', "stack-traces"), OPT_HABIT('c', "summary-strace"), OPT_HABIT('n', "syscall-number"),
	OPT_HABIT('x', "hex-strings"), OPT_HABIT('z', "successful-only"), OPT_HABIT('Z', "failed-only"), OPT_HABIT('P', "trace-path"),
	OPT_HABIT('r', "relative-timestamps"), OPT_HABIT('w', "wall-clock"), OPT_HABIT('E', "env"), OPT_HABIT('b', "detach-on"),
	OPT_HABIT('d', "debug"), OPT_HABIT('I', "interruptible"), OPT_HABIT('A', "output-append-mode"), OPT_HABIT('O', "overhead"),
	OPT_HABIT('U', "summary-columns"), OPT_HABIT('X', "const-print-style"), OPT_HABIT('V', "strace-version"),
	OPT_END
};

/* Words after which an option of strace took a number that is a command here. */
static int check_command(const struct cli_cmd *cmd, const struct trace_opts *o, const char **argv)
{
	const char *tid = o->target.tid;

	if (tid && (!strcmp(tid, "t") || !strcmp(tid, "tt")))
		return cli_usage_error_opt(cmd, "tid", "-t is a thread here, -t%s of strace is -T or trace.show_timestamp", tid);
	if (!*argv || !**argv || strspn(*argv, "0123456789") != strlen(*argv))
		return 0;
	return cli_usage_error_opt(cmd, "summary", "'%s' would be the command: -s N of strace is --max-string N here, -a N is the "
				   "setting trace.args_alignment (to run it: ./%s)", *argv, *argv);
}

/* Options that say something about others which were not given would be ignored. */
static int check_needs(const struct cli_cmd *cmd, const struct trace_opts *o, const char **argv)
{
	const struct { const char *name; bool given; } of_sums[] = {
		{ "summary-mode", o->summary_mode }, { "max-summary", o->max_summary }, { "sched", o->sched },
	};

	for (size_t i = 0; i < ARRAY_SIZE(of_sums); i++)
		if (of_sums[i].given && !trace_wants_sums(o))
			return cli_usage_error_opt(cmd, of_sums[i].name, "--%s is about the summary: give -s or -S, too",
						   of_sums[i].name);
	if (o->filter_pids && *argv && !trace_has_target(o))
		return cli_usage_error_opt(cmd, "filter-pids",
					   "--filter-pids is for -a and -p: the command's processes have no numbers yet");
	if (o->show_switch && !o->switch_on && !o->switch_off)
		return cli_usage_error_opt(cmd, "show-on-off-events", "--show-on-off-events needs --switch-on or --switch-off");
	if (o->input && *argv)
		return cli_usage_error_opt(cmd, "input", "'%s': no command is run with -i", *argv);
	return 0;
}

static int get_beautifiers(const struct config *c, struct trace_opts *o, struct err *err)
{
	const char *v = config_get(c, "trace.tracepoint_beautifiers");

	o->tp_print = v && !strcmp(v, "libtraceevent");
	if (!v || o->tp_print || !strcmp(v, "libbeauty"))
		return 0;
	return err_set(err, EINVAL, "trace.tracepoint_beautifiers is libtraceevent or libbeauty, not '%s'", v);
}

/* Which way calls are watched: for tests, and to see what other kernels would give. */
static int set_capture(const struct config *c, int *out, struct err *err)
{
	static const char *const names[] = { "auto", "btf", "rawtp", "rings" };
	const char *text = config_get(c, "trace.capture");

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!text || !strcmp(text, names[i])) {
			*out = (int)i;
			return 0;
		}
	return err_set(err, EINVAL, "trace.capture is auto, btf, rawtp or rings, not '%s'", text);
}

static int load_config(struct trace_opts *o, struct err *err)
{
	const struct config *c = config_used();
	int ret = config_get_int(c, "trace.args_alignment", -1, &o->align, err);

	o->align = o->align < 0 ? 0 : o->align ? o->align : -1;
	if (!ret)
		ret = config_get_bool(c, "trace.show_arg_names", true, &o->show_names, err);
	if (!ret)
		ret = config_get_bool(c, "trace.show_prefix", false, &o->show_prefix, err);
	if (!ret && config_get(c, "trace.add_events"))
		o->add_events = xstrdup(config_get(c, "trace.add_events"));
	if (!ret)
		ret = get_beautifiers(c, o, err);
	if (!ret)
		ret = config_get_bool(c, "trace.show_zeros", true, &o->show_zeros, err);
	if (!ret)
		ret = config_get_bool(c, "trace.show_zeros", false, &o->show_event_zeros, err);
	if (!ret)
		ret = config_get_bool(c, "trace.show_timestamp", true, &o->show_time, err);
	if (!ret)
		ret = config_get_bool(c, "trace.show_duration", true, &o->show_duration, err);
	if (!ret)
		ret = config_get_bool(c, "trace.no_inherit", false, &o->no_inherit, err);
	if (!ret)
		ret = set_capture(c, &o->capture, err);
	o->config.no_inherit = o->no_inherit;
	o->config.capture = o->capture;
	return ret;
}

int cmd_trace(int argc, const char **argv)
{
	static const char *const usage[] = { "[<options>] [<command>]", "[<options>] -- <command> [<options>]",
					     "record [<options>] [<command>]", NULL };
	struct trace_opts o = { .comm = true, .max_string = 32, .syscalls = -1 };
	const struct option_table tables[] = { { trace_options, &o }, cli_target_group(&o.target), session_group(),
					       cli_common_group(&o.common), { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "trace", .usage = usage, .tables = tables, .flags = CLI_STOP_AT_NON_OPTION };
	struct err err = ERR_INIT;
	int n, status;

	if (argc > 1 && !strcmp(argv[1], "record"))
		return trace_record(argc - 1, argv + 1);
	o.config.max_string = o.max_string;
	if (load_config(&o, &err)) {
		status = cli_error(&err);
		err_release(&err);
		return status;
	}
	n = cli_parse(&cmd, argc, argv);
	if (n < 0)
		return cli_status(n);
	if (o.mmap_bytes && o.mmap_bytes < 65536)
		o.mmap_bytes *= 4096;	/* a number of pages */
	if ((o.bpf_summary || o.errno_summary) && !o.with_summary)
		o.summary_only = true;
	if (o.kernel_graph && !o.call_graph)
		o.call_graph = "fp";
	if ((o.max_stack || o.min_stack) && !o.call_graph)	/* as the stock takes it */
		o.call_graph = "dwarf";
	if (o.max_string < 0 || o.max_string > 2048)
		return cli_usage_error_opt(&cmd, "max-string", "--max-string is 0 to 2048");
	n = check_command(&cmd, &o, argv);
	if (n)
		return n;
	n = check_needs(&cmd, &o, argv);
	if (n)
		return n;
	status = o.input ? trace_file(&o) : trace_live(&o, argv);
	vec_free(&o.events);
	vec_free(&o.filters);
	free(o.add_events);
	return status;
}
