// SPDX-License-Identifier: GPL-2.0-or-later
// What the command line and the configuration say to perf trace.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-trace.h"
#include "util/base/num.h"
#include "util/cli/atfile.h"
#include "util/cli/config.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/os/rights.h"
#include "util/session/session.h"

bool trace_wants_sums(const struct trace_opts *o)
{
	return o->sums.only || o->sums.with;
}

static bool has_target(const struct trace_opts *o)
{
	return !target_none(&o->live.target) || o->live.cgroup;
}

static int set_faults(const struct opt_use *u, struct err *err)
{
	static const char *const names[] = { "all", "maj", "min" };
	struct trace_opts *o = u->base;

	o->selection.faults = FAULTS_NONE;
	for (int i = 0; u->arg && i < 3; i++)
		if (!strcmp(u->arg, names[i]))
			o->selection.faults = FAULTS_ALL + i;
	return o->selection.faults || u->unset ? 0 :
		err_set(err, EINVAL, "page faults are all, maj or min, not '%s'", u->arg);
}

static int add_filter(const struct opt_use *u, struct err *err)
{
	struct trace_opts *o = u->base;

	(void)err;
	if (u->unset)
		vec_free(&o->selection.filters);
	else
		vec_push(&o->selection.filters,
			 ((struct sys_filter){ u->arg, o->selection.events.n }));
	return 0;
}

/* What strace's letters would be here. */
static int set_strace_habit(const struct opt_use *u, struct err *err)
{
	static const struct { char letter; const char *here; } habits[] = {
		{ 'y', NULL },		/* -y, -yy: as it always is */
		{ 'f', NULL },
		{ 'k', "stacks are --call-graph dwarf" },
		{ 'c', "the summary alone is -s, calls and summary -S; --errno-summary counts "
		       "errors" },
		{ 'n', "--json has the raw arguments" },
		{ 'z', "only failed calls: --failure" },
		{ 'Z', "only failed calls: --failure" },
		{ 'P', "use -e file and grep for the path" },
		{ 'r', "times are relative to the first line; -T shows the full time" },
		{ 'w', "the summary (-s) is of wall time always" },
		{ 'E', "use env(1): perf trace env VAR=value command" },
		{ 'A', "use a new file, -o writes it anew" },
		{ 'V', "see 'perf version'" },
	};
	const char *here = "see 'perf trace -h' for what there is";

	for (size_t i = 0; i < ARRAY_SIZE(habits); i++)
		if (habits[i].letter == u->def->short_name)
			here = habits[i].here;
	if (!here)
		return 0;
	if (!u->def->short_name)
		err_set(err, EINVAL, "--%s is of old versions: there are no maps to dump, strings "
				     "are copied by perf's own programs",
			u->def->name);
	else
		err_set(err, EINVAL, "-%c is strace's, not perf trace's: %s", u->def->short_name,
			here);
	return -EINVAL;
}
#define OPT_HABIT(c, l) \
	{ .short_name = c, .kind = OPT_KIND_CALL, .flags = OPT_HIDDEN | OPT_NONEG, \
	  .call = set_strace_habit, .help = l }

static const struct option_def trace_options[] = {
	OPT_LIST('e', "event", struct trace_opts, selection.events, "event",
			"system calls, classes (file, net, ...), globs, /regex, !not, and events"),
	OPT_LIST(0, "expr", struct trace_opts, selection.events, "expr", "the same as -e"),
	OPT_FLAG(0, "comm", struct trace_opts, lines.comm,
	     "show the name of the thread before its id (default)"),
	OPT_STRING('o', "output", struct trace_opts, output.path, "file",
	     "where to write the lines (default: standard error)"),
	OPT_STRING('G', "cgroup", struct trace_opts, live.cgroup, "name",
		   "only tasks in this cgroup"),
	OPT_U64('D', "delay", struct trace_opts, delay_ms, "n",
		"begin this many ms after the start (-1: start disabled)"),
	OPT_DURATION(0, "duration", struct trace_opts, selection.min_ns, 1000000, "float",
		     "show only calls that took longer than this many ms"),
	OPT_FLAG(0, "with-return", struct trace_opts, lines.with_return,
		 "one line a call, when it has returned: none is cut in two"),
	OPT_FLAG(0, "failure", struct trace_opts, selection.failure, "show only calls that failed"),
	OPT_STRING(0, "filter-pids", struct trace_opts, live.excluded, "pids",
		   "leave out these processes and threads (with -a)"),
	OPT_FLAG(0, "no-inherit", struct trace_opts, live.no_inherit, "do not follow children"),
	OPT_U64(0, "max-events", struct trace_opts, selection.max_events, "n",
		"exit after n events"),
	OPT_INT(0, "max-string", struct trace_opts, capture.max_string, "n",
		"bytes of a buffer that are shown (default 32)"),
	OPT_INT(0, "max-summary", struct trace_opts, sums.table.max_rows, "n",
		"show at most n rows a summary"),
	OPT_SIZE('m', "mmap-pages", struct trace_opts, live.ring_bytes, "size",
			"size of the buffer, in pages or with a unit (64M)"),
	OPT_FLAG('s', "summary", struct trace_opts, sums.only,
		 "show only a summary with statistics"),
	OPT_FLAG(0, "summary-only", struct trace_opts, sums.only, "the same as -s"),
	OPT_FLAG(0, "bpf-summary", struct trace_opts, sums.by_bpf,
		 "the same as -s: the summary is made in the kernel where it can be"),
	OPT_FLAG('S', "with-summary", struct trace_opts, sums.with, "show all calls and a summary"),
	OPT_FLAG(0, "errno-summary", struct trace_opts, sums.table.errnos,
		 "with -s or -S: count the errors of each call"),
	OPT_CHOICE(0, "summary-mode", struct trace_opts, sums.table.by, "thread|total|cgroup",
		   "with -s or -S: rows by thread, total or cgroup"),
	OPT_FLAG(0, "show-cpu", struct trace_opts, lines.show_cpu, "show the CPU of each call"),
	OPT_CHOICE(0, "style", struct trace_opts, lines.style, "perf|strace",
	     "how lines look: perf or strace"),
	OPT_FLAG('T', "time", struct trace_opts, lines.full_time,
		 "show the full timestamp, not the time since the first event"),
	OPT_SET(0, "syscalls", struct trace_opts, selection.syscalls, 1,
		"trace system calls (the default, unless only events are asked for)"),
	OPT_CALL_NO('F', "pf", "all|maj|min", set_faults, "show page faults: all, maj or min"),
	OPT_STRING('i', "input", struct trace_opts, input, "file",
		   "show what perf trace record wrote"),
	OPT_STRING(0, "call-graph", struct trace_opts, stacks.call_graph, "mode",
		   "show call chains: fp or dwarf[,bytes]"),
	OPT_CALL(0, "filter", "filter", add_filter,
	     "only events of the tracepoints in the -e before it that match this"),
	OPT_INT(0, "max-stack", struct trace_opts, stacks.max, "n",
		"show at most n entries of a stack"),
	OPT_INT(0, "min-stack", struct trace_opts, stacks.min, "n",
		"leave out events whose stack is shorter"),
	OPT_STRING(0, "switch-on", struct trace_opts, selection.marks.on, "event",
		   "show nothing before this event"),
	OPT_STRING(0, "switch-off", struct trace_opts, selection.marks.off, "event",
		   "show nothing after this event"),
	OPT_FLAG(0, "show-on-off-events", struct trace_opts, selection.marks.show,
		 "show the events of --switch-on and --switch-off too"),
	OPT_FLAG(0, "libtraceevent_print", struct trace_opts, lines.tp_print,
		 "show tracepoints as their format prints them"),
	OPT_FLAG(0, "kernel-syscall-graph", struct trace_opts, stacks.kernel,
		 "show the kernel's part of the stack at the end of calls"),
	OPT_FLAG(0, "print-sample", struct trace_opts, lines.print_sample,
		 "print before each line what it was made from, for debugging"),
	OPT_FLAG(0, "sched", struct trace_opts, sums.table.runtimes,
		 "with -s or -S: show how long each thread was on a CPU"),
	OPT_CALL(0, "map-dump", "BPF map", set_strace_habit,
		 "of old versions (not supported)"),
	OPT_FLAG(0, "tool_stats", struct trace_opts, sums.stats,
		 "show at the end how many lines and lost records there were"),
	OPT_STRING(0, "proc-map-timeout", struct trace_opts, capture.map_timeout, "n",
		   "ms to read the mappings of a process that runs already"),
	OPT_FLAG(0, "force-btf", struct trace_opts, capture.force_btf,
		 "show all structs as the kernel's type information (BTF) has them"),
	OPT_SET(0, "no-bpf", struct trace_opts, capture.how, CAPTURE_RINGS,
		"trace without BPF: calls from tracepoints, without strings"),
	OPT_FLAG(0, "sort-events", struct trace_opts, force,
		 "accepted: events are always in order"),
	OPT_FLAG('f', "force", struct trace_opts, force, "accepted: nothing is refused"),
	OPT_STRING(0, "kallsyms", struct trace_opts, kallsyms, "file",
		   "of a recording: the names of its kernel's functions"),
	OPT_HABIT('y', "fd-names"), OPT_HABIT('k', "stack-traces"),
	OPT_HABIT('c', "summary-strace"), OPT_HABIT('n', "syscall-number"),
	OPT_HABIT('z', "successful-only"),
	OPT_HABIT('Z', "failed-only"), OPT_HABIT('P', "trace-path"),
	OPT_HABIT('r', "relative-timestamps"), OPT_HABIT('w', "wall-clock"), OPT_HABIT('E', "env"),
	OPT_HABIT('b', "detach-on"),
	OPT_HABIT('d', "debug"), OPT_HABIT('I', "interruptible"),
	OPT_HABIT('A', "output-append-mode"), OPT_HABIT('O', "overhead"),
	OPT_HABIT('U', "summary-columns"), OPT_HABIT('X', "const-print-style"),
	OPT_HABIT('V', "strace-version"),
	OPT_END
};

/* Words after which an option of strace took a number that is a command here. */
static int check_command(const struct cli_cmd *cmd, const struct trace_opts *o, const char **argv)
{
	const char *tid = o->live.target.tid;

	if (tid && (!strcmp(tid, "t") || !strcmp(tid, "tt")))
		return cli_usage_error_opt(cmd, "tid",
					   "-t is a thread here, -t%s of strace is -T or "
					   "trace.show_timestamp", tid);
	if (!*argv || !**argv || strspn(*argv, "0123456789") != strlen(*argv))
		return 0;
	return cli_usage_error_opt(cmd, "summary",
				   "'%s' would be the command: -s N of strace is --max-string N "
				   "here, -a N is the "
				   "setting trace.args_alignment (to run it: ./%s)", *argv, *argv);
}

/* Options that say something about others which were not given would be ignored. */
static int check_needs(const struct cli_cmd *cmd, const struct trace_opts *o, const char **argv)
{
	const struct { const char *name; bool given; } of_sums[] = {
		{ "summary-mode", o->sums.table.by }, { "max-summary", o->sums.table.max_rows },
			{ "sched", o->sums.table.runtimes },
	};

	for (size_t i = 0; i < ARRAY_SIZE(of_sums); i++)
		if (of_sums[i].given && !trace_wants_sums(o))
			return cli_usage_error_opt(cmd, of_sums[i].name,
						   "--%s is about the summary: give -s or -S, too",
						   of_sums[i].name);
	if (o->output.data.sep && (!o->sums.only || o->sums.stats))
		return cli_usage_error_opt(cmd, "field-separator",
					   "-x is the separator of the summary alone: give -s, and "
					   "no --tool_stats (strace's -x: strings have octal "
					   "escapes here)");
	if (o->live.excluded && *argv && !has_target(o))
		return cli_usage_error_opt(cmd, "filter-pids",
					   "--filter-pids is for -a and -p: the command's "
					   "processes have no numbers yet");
	if (o->selection.marks.show && !o->selection.marks.on && !o->selection.marks.off)
		return cli_usage_error_opt(cmd, "show-on-off-events",
					   "--show-on-off-events needs --switch-on or "
					   "--switch-off");
	if (o->input && *argv)
		return cli_usage_error_opt(cmd, "input", "'%s': no command is run with -i", *argv);
	return 0;
}

static int get_beautifiers(const struct config *c, struct trace_opts *o, struct err *err)
{
	const char *v = config_get(c, "trace.tracepoint_beautifiers");

	o->lines.tp_print = v && !strcmp(v, "libtraceevent");
	if (!v || o->lines.tp_print || !strcmp(v, "libbeauty"))
		return 0;
	return err_set(err, EINVAL, "trace.tracepoint_beautifiers is libtraceevent or libbeauty, "
				    "not '%s'", v);
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
	int ret = config_get_int(c, "trace.args_alignment", -1, &o->lines.align, err);

	o->lines.align = o->lines.align < 0 ? 0 : o->lines.align ? o->lines.align : -1;
	if (!ret)
		ret = config_get_bool(c, "trace.show_arg_names", true, &o->lines.show_names, err);
	if (!ret)
		ret = config_get_bool(c, "trace.show_prefix", false, &o->lines.show_prefix, err);
	if (!ret && config_get(c, "trace.add_events"))
		o->selection.add_events = xstrdup(config_get(c, "trace.add_events"));
	if (!ret)
		ret = get_beautifiers(c, o, err);
	if (!ret)
		ret = config_get_bool(c, "trace.show_zeros", true, &o->lines.show_zeros, err);
	if (!ret)
		ret = config_get_bool(c, "trace.show_zeros", false, &o->lines.show_event_zeros,
				      err);
	if (!ret)
		ret = config_get_bool(c, "trace.show_timestamp", true, &o->lines.show_time, err);
	if (!ret)
		ret = config_get_bool(c, "trace.show_duration", true, &o->lines.show_duration, err);
	if (!ret)
		ret = config_get_bool(c, "trace.no_inherit", false, &o->live.no_inherit, err);
	if (!ret)
		ret = set_capture(c, &o->capture.how, err);
	o->capture.config.no_inherit = o->live.no_inherit;
	o->capture.config.how = o->capture.how;
	return ret;
}

static int check_output(const struct trace_opts *o, struct err *err)
{
	if (!o->output.path || *o->output.path != '|')
		return 0;
	err_set(err, EINVAL, "-o '|COMMAND' is strace's, not perf trace's");
	err_hint(err, "use a pipe of the shell: -o >(COMMAND), or the standard error: 2>&1 | "
		      "COMMAND");
	return -EINVAL;
}

/* Options that only tracing can follow: those that would leave something out are errors, the
 * others are named. */
int trace_check_input(const struct trace_opts *o, struct err *err)
{
	const struct { const char *name; bool given, wrong; } all[] = {
		{ "-u", o->live.target.user, true }, { "-G", o->live.cgroup, true },
			{ "-D", o->delay_ms, true },
		{ "-a", o->live.target.system_wide, false }, { "-m", o->live.ring_bytes, false },
		{ "--per-thread", o->live.target.per_thread, false },
		{ "--no-inherit", o->live.no_inherit && !o->capture.config.no_inherit, false },
		{ "--call-graph", o->stacks.call_graph, false },
		{ "--no-bpf", o->capture.how != o->capture.config.how, false },
		{ "--force-btf", o->capture.force_btf, false },
		{ "--max-string", o->capture.max_string != o->capture.config.max_string, false },
		{ "--proc-map-timeout", o->capture.map_timeout, false },
	};
	struct record_stacks checked = { .callgraph = RECORD_CHAIN_NONE };
	struct str names = STR_INIT;
	int ret = o->stacks.call_graph && *o->stacks.call_graph ?
		record_parse_callgraph(&checked, o->stacks.call_graph, err) : 0;

	for (size_t i = 0; i < ARRAY_SIZE(all) && !ret; i++) {
		if (all[i].given && all[i].wrong)
			ret = err_set(err, EINVAL, "%s is for tracing: the recording of -i does "
						   "not have what it asks for", all[i].name);
		else if (all[i].given)
			str_addf(&names, "%s%s", names.len ? ", " : "", all[i].name);
	}
	if (!ret && o->sums.table.by == SYS_SUMS_CGROUP && trace_wants_sums(o))
		ret = err_set(err, EINVAL, "--summary-mode cgroup is for tracing: a recording does "
					   "not have the groups of its calls");
	if (!ret)
		ret = check_output(o, err);
	if (!ret && names.len && !o->common.quiet)
		cli_warn("no effect with -i, the recording is as it is: %s", str_cstr(&names));
	str_release(&names);
	return ret;
}

/* ---- to what the rooms take ---- */

static bool is_class(const char *word)
{
	return syscall_class(word) != 0;
}

int trace_select(struct trace_opts *o, struct os *os, const struct syscall_set *set,
		 struct sys_select *select, bool *calls,
		 struct err *err)
{
	static const struct cli_atfile files = { "-e", "calls", is_class, "a class of calls" };
	struct trace_selection *w = &o->selection;
	int ret = 0;

	for (size_t i = 0; i < w->events.n && !ret; i++) {
		struct str one = STR_INIT;

		ret = cli_atfile_expand(&files, w->events.v[i], os, &one, err);
		if (!ret)
			ret = sys_select_add(select, str_cstr(&one), set, err);
		str_release(&one);
	}
	if (!ret && w->filters.n && o->input) {
		ret = err_set(err, EINVAL, "--filter is for the kernel: it has no effect on a "
					   "recording");
		err_hint(err, "give it to 'perf trace record', or use perf script and grep");
	}
	if (!ret)
		ret = sys_filters_check(select, &w->filters, w->events.v, err);
	*calls = w->syscalls >= 0 ? w->syscalls : select->any || !select->events.len;
	if (!ret && w->add_events && *w->add_events)
		ret = sys_select_add_more(select, w->add_events, set, err);
	if (!ret && o->sums.table.runtimes)
		ret = sys_select_add_more(select, SYS_RUNTIME_EVENT, set, err);
	if (!ret && !o->input)
		ret = sys_events_check(select, set, os, err);
	return ret || o->input ? ret : sys_switch_add(&w->marks, select, os, err);
}

static struct view_sys view_of(const struct trace_opts *o)
{
	const struct trace_lines *l = &o->lines;
	const bool strace = l->style == STYLE_STRACE;

	return (struct view_sys){
		.form = o->output.data.json ? VIEW_SYS_JSON : strace ? VIEW_SYS_STRACE :
			VIEW_SYS_UPSTREAM,
		.full_time = l->full_time, .no_comm = !l->comm, .show_cpu = l->show_cpu,
		.align = l->align, .print_sample = l->print_sample,
		.no_time = !l->show_time, .no_duration = !l->show_duration,
		.style = { .strace = strace, .prefix = strace || l->show_prefix,
			   .no_names = strace || !l->show_names,
			   .hide_zeros = !l->show_zeros && l->show_names,
			   .hide_event_zeros = !l->show_event_zeros && l->show_names,
			   .max_string = o->capture.max_string,
			   .force_types = o->capture.force_btf },
	};
}

void trace_set_show(struct trace_opts *o, bool calls, struct sys_show *show)
{
	struct trace_selection *w = &o->selection;

	*show = (struct sys_show){
		.view = view_of(o),
		.what = { .marks = &w->marks, .max_events = w->max_events,
			  .min_stack = o->stacks.min, .no_lines = o->sums.only,
			  .recorded = o->input, .faults = w->faults },
		.how = { .with_calls = calls, .with_return = o->lines.with_return,
			 .by_format = o->lines.tp_print, .kernel_frames = o->stacks.kernel },
	};
}

void trace_capture_opts(const struct trace_opts *o, const struct sysplan *plans,
			struct syscapture_opts *out)
{
	*out = (struct syscapture_opts){
		.engine = o->capture.how == CAPTURE_BTF ? SYSCAPTURE_BTF :
			  o->capture.how == CAPTURE_RAWTP ? SYSCAPTURE_RAW : SYSCAPTURE_ANY,
		.plans = plans, .records = !o->sums.only, .sums = trace_wants_sums(o),
		.errno_sums = o->sums.table.errnos,
		.cgroup_sums = o->sums.table.by == SYS_SUMS_CGROUP, .entered = true,
		.min_ns = o->selection.min_ns,
		.only_failed = o->selection.failure, .lifecycle = o->lines.style == STYLE_STRACE &&
		!o->output.data.json,
	};
}

int trace_sampling(const struct trace_opts *o, bool calls, struct record_opts *ro, struct err *err)
{
	*ro = (struct record_opts){
		.sampling = { .raw = true, .period = 1, .addr = o->selection.faults != FAULTS_NONE,
			      /* one word more, and the ABI of the task */
			      .user_regs = calls ? 1 : 0 },
		.stacks = { .dump_bytes = RECORD_DEFAULT_DUMP, .raw_dumps = true },
		.sideband = { .no_bpf_event = true, .proc_map_timeout_ms = 500 },
	};
	if (o->capture.map_timeout)
		ro->sideband.proc_map_timeout_ms = (int)strtol(o->capture.map_timeout, NULL, 10);
	if (o->stacks.call_graph && record_parse_callgraph(&ro->stacks, o->stacks.call_graph, err))
		return -EINVAL;
	/* each event is shown, and waits for nothing: whole stacks are worth their copies */
	if (ro->stacks.callgraph == RECORD_CHAIN_AUTO)
		ro->stacks.callgraph = RECORD_CHAIN_DWARF;
	return 0;
}

int trace_check_capture(const struct trace_opts *o, const struct syscapture *c,
		       const struct err *reason, struct err *err)
{
	int ret = 0;

	if (c && o->common.verbose && syscapture_engine(c) == SYSCAPTURE_RAW)
		cli_warn("calls are watched without the kernel's type information: files behind "
			 "descriptors have no names");
	if (!c && o->capture.how != CAPTURE_AUTO) {
		ret = err_set(err, reason->code, "%s", reason->msg);
		if (reason->hint)
			err_hint(err, "%s", reason->hint);
	} else if (!c && o->common.verbose) {
		cli_warn_err(reason);
	}
	return ret;
}

void trace_events_opts(const struct trace_opts *o, bool captured, struct sys_events_opts *out)
{
	const struct trace_selection *w = &o->selection;

	out->filters = &w->filters;
	out->stacks = captured && o->stacks.call_graph && !o->sums.only;
	out->one_stack = o->stacks.call_graph;
	out->kernel_graph = o->stacks.kernel;
	out->only_failed = w->failure;
	out->faults = w->faults;
}

void trace_warn_lost(u64 n)
{
	cli_warn("%llu records were lost: perf could not keep up. A larger buffer (-m 128M), fewer "
		 "calls (-e) or the summary "
		 "alone (-s) help", (unsigned long long)n);
}

void trace_tell_missing(const struct trace_opts *o, u64 n, struct str *out)
{
	if (table_output_data(&o->output.data))
		cli_warn("%llu calls are missing: too many threads for the tables",
			 (unsigned long long)n);
	else
		str_addf(out, " %llu calls are missing: too many threads for the tables\n",
			 (unsigned long long)n);
}

void trace_say_rings(const struct trace_opts *o)
{
	if (o->capture.how == CAPTURE_AUTO && !o->common.quiet)
		cli_warn("calls come from tracepoints instead: without strings%s",
			 o->common.verbose ? "" : " (-v says why)");
}

/* Why not by BPF, where that is for want of rights: else there is no hint. */
static void bpf_hint(const struct os *os, struct err *bpf)
{
	if (os_may_bpf(os))
		return;
	err_set(bpf, EPERM, "BPF is forbidden");
	os_bpf_hint(os, EPERM, bpf);
}

void trace_hint_paranoid(const struct os *os, struct err *err)
{
	struct err bpf = ERR_INIT;

	if (os_paranoid(os) <= 1 || os_call_is_filtered(os, OS_PERF_EVENT_OPEN))
		return;
	bpf_hint(os, &bpf);
	err_hint(err, "calls of your own commands need perf_event_paranoid at 1 only, it is %d: "
		      "sudo sysctl kernel.perf_event_paranoid=1%s%s%s", os_paranoid(os),
		 os_sysctl_where(os), bpf.hint ? "\nfor those of others, and for strings: " : "",
		 bpf.hint ? bpf.hint : "");
	err_release(&bpf);
}

int trace_check_rings(const struct trace_opts *o, bool calls, struct err *err)
{
	const struct trace_capture *c = &o->capture;
	bool strings = c->max_string != c->config.max_string;

	/* tracepoints have no memory of arguments */
	if (calls && !o->common.quiet && (strings || c->force_btf))
		cli_warn("no effect without BPF, there are no strings and structs: %s%s%s",
			 strings ? "--max-string" : "", strings && c->force_btf ? ", " : "",
			 c->force_btf ? "--force-btf" : "");
	return !trace_wants_sums(o) || o->sums.table.by != SYS_SUMS_CGROUP ? 0 :
		err_set(err, ENOTSUP, "--summary-mode cgroup needs BPF: tracepoints do not "
				      "tell the group of a call");
}

void trace_tell_no_way(const struct trace_opts *o, const struct os *os, struct err *err)
{
	struct err bpf = ERR_INIT;

	if (o->capture.how != CAPTURE_AUTO || o->stacks.call_graph)
		return;
	err_prefix(err, "system calls can be watched neither by BPF (see -v) nor by tracepoints");
	bpf_hint(os, &bpf);
	if (bpf.hint)
		err_hint(err, "%s%s%s", err->hint ? err->hint : "",
			 err->hint ? "\nor, for BPF: " : "", bpf.hint);
	err_release(&bpf);
}

int trace_check_targets(const struct trace_opts *o, struct os *os, struct err *err)
{
	struct target copy = o->live.target;
	int ret = check_output(o, err);

	if (!ret && o->kallsyms)
		ret = err_set(err, EINVAL, "--kallsyms is for a recording (-i): the names of the "
			      "running kernel are its own");
	if (!ret)
		ret = copy.pid || copy.tid || copy.cpu_list ? target_resolve(&copy, os, err) : 0;

	target_release(&copy);
	return ret;
}

/* ---- reading them ---- */

/* What some options say about others. */
static void complete(struct trace_opts *o)
{
	if (o->live.ring_bytes && o->live.ring_bytes < 65536)
		o->live.ring_bytes *= 4096;	/* a number of pages */
	o->live.delay_ns = o->delay_ms * 1000000;
	if ((o->sums.by_bpf || o->sums.table.errnos) && !o->sums.with)
		o->sums.only = true;
	if (o->stacks.kernel && !o->stacks.call_graph)
		o->stacks.call_graph = "fp";
	/* as upstream perf takes it */
	if ((o->stacks.max || o->stacks.min) && !o->stacks.call_graph)
		o->stacks.call_graph = "dwarf";
}

int trace_parse(struct trace_opts *o, int argc, const char **argv, int *n_args, int *status)
{
	static const char *const usage[] = { "[<options>] [<command>]",
					     "[<options>] -- <command> [<options>]",
					     "record [<options>] [<command>]", NULL };
	const struct option_table tables[] =
		{ { trace_options, o }, cli_output_group(&o->output.data),
		  cli_target_group(&o->live.target), session_group(),
		  cli_common_group(&o->common), { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "trace", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	struct err err = ERR_INIT;
	int n;

	*o = (struct trace_opts){ .selection.syscalls = -1, .capture = { .max_string = 32,
					    .config.max_string = 32 }, .lines.comm = true };
	if (load_config(o, &err)) {
		*status = cli_error(&err);
		err_release(&err);
		return -1;
	}
	*n_args = n = cli_parse(&cmd, argc, argv);
	if (n < 0) {
		*status = cli_status(n);
		return -1;
	}
	complete(o);
	if (o->capture.max_string < 0 || o->capture.max_string > 2048)
		*status = cli_usage_error_opt(&cmd, "max-string", "--max-string is 0 to 2048");
	else
		*status = check_command(&cmd, o, argv);
	if (!*status)
		*status = check_needs(&cmd, o, argv);
	return *status ? -1 : 0;
}

void trace_opts_release(struct trace_opts *o)
{
	vec_free(&o->selection.events);
	vec_free(&o->selection.filters);
	free(o->selection.add_events);
}
