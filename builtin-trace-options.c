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

	o->what.faults = FAULTS_NONE;
	for (int i = 0; u->arg && i < 3; i++)
		if (!strcmp(u->arg, names[i]))
			o->what.faults = FAULTS_ALL + i;
	return o->what.faults || u->unset ? 0 :
		err_set(err, EINVAL, "page faults are all, maj or min, not '%s'", u->arg);
}

static int add_filter(const struct opt_use *u, struct err *err)
{
	struct trace_opts *o = u->base;

	(void)err;
	if (u->unset)
		vec_free(&o->what.filters);
	else
		vec_push(&o->what.filters, ((struct sys_filter){ u->arg, o->what.events.n }));
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
		{ 'x', "strings have octal escapes; --json has their bytes" },
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
	{ .short_name = c, .kind = OPT_KIND_CALL, .flags = OPT_HIDDEN | OPT_NONEG, .call = set_strace_habit, .help = l }

static const struct option_def trace_options[] = {
	OPT_LIST('e', "event", struct trace_opts, what.events, "event",
			"system calls, classes of them (file, net, process, signal, ipc, memory, "
		 "desc), globs, /regex, !not, and events"),
	OPT_LIST(0, "expr", struct trace_opts, what.events, "expr", "the same as -e"),
	OPT_FLAG(0, "comm", struct trace_opts, look.comm, "show the thread COMM next to its id"),
	OPT_STRING('o', "output", struct trace_opts, look.output, "file", "output file name"),
	OPT_STRING('G', "cgroup", struct trace_opts, live.cgroup, "name",
		   "only tasks in this cgroup"),
	OPT_U64('D', "delay", struct trace_opts, delay_ms, "n",
		"ms to wait before starting measurement after program start"),
	OPT_DURATION(0, "duration", struct trace_opts, what.min_ns, 1000000, "float",
		     "show only calls with duration > N.M ms"),
	OPT_FLAG(0, "with-return", struct trace_opts, look.with_return,
		 "one line a call, when it has returned: none is cut in two"),
	OPT_FLAG(0, "failure", struct trace_opts, what.failure, "show only calls that failed"),
	OPT_STRING(0, "filter-pids", struct trace_opts, live.excluded, "pids",
		   "leave out these processes and threads (with -a)"),
	OPT_FLAG(0, "no-inherit", struct trace_opts, live.no_inherit, "child tasks are not traced"),
	OPT_U64(0, "max-events", struct trace_opts, what.max_events, "n", "exit after n events"),
	OPT_INT(0, "max-string", struct trace_opts, what.max_string, "n",
		"bytes of a buffer that are shown (default 32)"),
	OPT_INT(0, "max-summary", struct trace_opts, sums.max_rows, "n",
		"show at most n rows a summary"),
	OPT_SIZE('m', "mmap-pages", struct trace_opts, live.ring_bytes, "size",
			"buffer between kernel and perf: a size (64M) or a number of pages"),
	OPT_FLAG('s', "summary", struct trace_opts, sums.only,
		 "show only a summary with statistics"),
	OPT_FLAG(0, "summary-only", struct trace_opts, sums.only, "the same as -s"),
	OPT_FLAG(0, "bpf-summary", struct trace_opts, sums.by_bpf,
		 "a summary, as -s, which is kept in the kernel anyway"),
	OPT_FLAG('S', "with-summary", struct trace_opts, sums.with, "show all calls and a summary"),
	OPT_FLAG(0, "errno-summary", struct trace_opts, sums.errnos,
		 "with -s or -S: count the errors of each call"),
	OPT_CHOICE(0, "summary-mode", struct trace_opts, sums.mode, "thread|total|cgroup",
		   "how to show the summary"),
	OPT_FLAG(0, "show-cpu", struct trace_opts, look.show_cpu, "show the CPU"),
	OPT_CHOICE(0, "style", struct trace_opts, look.style, "perf|strace", "how lines look"),
	OPT_FLAG(0, "json", struct trace_opts, look.json, "one JSON object a line"),
	OPT_FLAG('T', "time", struct trace_opts, look.full_time,
		 "show the full timestamp, not the time since the first event"),
	OPT_SET(0, "syscalls", struct trace_opts, what.syscalls, 1,
		"trace system calls (the default, unless only events are asked for)"),
	OPT_CALL_NO('F', "pf", "all|maj|min", set_faults, "page faults"),
	OPT_STRING('i', "input", struct trace_opts, input, "file",
		   "show what perf trace record wrote"),
	OPT_STRING(0, "call-graph", struct trace_opts, what.call_graph, "mode",
		   "stacks: fp, dwarf[,bytes]"),
	OPT_CALL(0, "filter", "filter", add_filter, "of the tracepoints in the -e before it"),
	OPT_INT(0, "max-stack", struct trace_opts, what.max_stack, "n",
		"show at most n entries of a stack"),
	OPT_INT(0, "min-stack", struct trace_opts, what.min_stack, "n",
		"leave out events whose stack is shorter"),
	OPT_STRING(0, "switch-on", struct trace_opts, what.marks.on, "event",
		   "show nothing before this event"),
	OPT_STRING(0, "switch-off", struct trace_opts, what.marks.off, "event",
		   "show nothing after this event"),
	OPT_FLAG(0, "show-on-off-events", struct trace_opts, what.marks.show,
		 "show the events of --switch-on and --switch-off too"),
	OPT_FLAG(0, "libtraceevent_print", struct trace_opts, look.tp_print,
		 "tracepoints as their format prints them"),
	OPT_FLAG(0, "kernel-syscall-graph", struct trace_opts, what.kernel_graph,
		 "show the kernel's part of the stack at the end of calls"),
	OPT_FLAG(0, "print-sample", struct trace_opts, look.print_sample,
		 "before each line, what it was made from, for debugging"),
	OPT_FLAG(0, "sched", struct trace_opts, sums.runtimes,
		 "with -s or -S: the time that each thread was on a CPU"),
	OPT_CALL(0, "map-dump", "BPF map", set_strace_habit,
		 "of old versions: there is no BPF object of the user with maps to dump"),
	OPT_FLAG(0, "tool_stats", struct trace_opts, look.tool_stats,
		 "show at the end how many lines and lost records there were"),
	OPT_STRING(0, "proc-map-timeout", struct trace_opts, what.map_timeout, "n",
		   "ms for reading the mappings of a process (of events)"),
	OPT_FLAG(0, "force-btf", struct trace_opts, what.force_btf,
		 "all structs as the kernel's type information has them"),
	OPT_SET(0, "no-bpf", struct trace_opts, what.capture, CAPTURE_RINGS,
		"do without BPF: calls from tracepoints, no strings"),
	OPT_FLAG(0, "sort-events", struct trace_opts, force,
		 "accepted: events are always in order"),
	OPT_FLAG('f', "force", struct trace_opts, force, "accepted: nothing is refused"),
	OPT_HABIT('y', "fd-names"), OPT_HABIT('k', "stack-traces"),
	OPT_HABIT('c', "summary-strace"), OPT_HABIT('n', "syscall-number"),
	OPT_HABIT('x', "hex-strings"), OPT_HABIT('z', "successful-only"),
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
		{ "summary-mode", o->sums.mode }, { "max-summary", o->sums.max_rows },
			{ "sched", o->sums.runtimes },
	};

	for (size_t i = 0; i < ARRAY_SIZE(of_sums); i++)
		if (of_sums[i].given && !trace_wants_sums(o))
			return cli_usage_error_opt(cmd, of_sums[i].name,
						   "--%s is about the summary: give -s or -S, too",
						   of_sums[i].name);
	if (o->live.excluded && *argv && !has_target(o))
		return cli_usage_error_opt(cmd, "filter-pids",
					   "--filter-pids is for -a and -p: the command's "
					   "processes have no numbers yet");
	if (o->what.marks.show && !o->what.marks.on && !o->what.marks.off)
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

	o->look.tp_print = v && !strcmp(v, "libtraceevent");
	if (!v || o->look.tp_print || !strcmp(v, "libbeauty"))
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
	int ret = config_get_int(c, "trace.args_alignment", -1, &o->look.align, err);

	o->look.align = o->look.align < 0 ? 0 : o->look.align ? o->look.align : -1;
	if (!ret)
		ret = config_get_bool(c, "trace.show_arg_names", true, &o->look.show_names, err);
	if (!ret)
		ret = config_get_bool(c, "trace.show_prefix", false, &o->look.show_prefix, err);
	if (!ret && config_get(c, "trace.add_events"))
		o->what.add_events = xstrdup(config_get(c, "trace.add_events"));
	if (!ret)
		ret = get_beautifiers(c, o, err);
	if (!ret)
		ret = config_get_bool(c, "trace.show_zeros", true, &o->look.show_zeros, err);
	if (!ret)
		ret = config_get_bool(c, "trace.show_zeros", false, &o->look.show_event_zeros, err);
	if (!ret)
		ret = config_get_bool(c, "trace.show_timestamp", true, &o->look.show_time, err);
	if (!ret)
		ret = config_get_bool(c, "trace.show_duration", true, &o->look.show_duration, err);
	if (!ret)
		ret = config_get_bool(c, "trace.no_inherit", false, &o->live.no_inherit, err);
	if (!ret)
		ret = set_capture(c, &o->what.capture, err);
	o->what.config.no_inherit = o->live.no_inherit;
	o->what.config.capture = o->what.capture;
	return ret;
}

static int check_output(const struct trace_opts *o, struct err *err)
{
	if (!o->look.output || *o->look.output != '|')
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
		{ "--no-inherit", o->live.no_inherit && !o->what.config.no_inherit, false },
		{ "--call-graph", o->what.call_graph, false },
		{ "--no-bpf", o->what.capture != o->what.config.capture, false },
		{ "--force-btf", o->what.force_btf, false },
		{ "--max-string", o->what.max_string != o->what.config.max_string, false },
		{ "--proc-map-timeout", o->what.map_timeout, false },
	};
	struct record_opts ro = { .period = 1 };
	struct str names = STR_INIT;
	int ret = o->what.call_graph && *o->what.call_graph ?
		record_parse_callgraph(&ro, o->what.call_graph, err) : 0;

	for (size_t i = 0; i < ARRAY_SIZE(all) && !ret; i++) {
		if (all[i].given && all[i].wrong)
			ret = err_set(err, EINVAL, "%s is for tracing: the recording of -i does "
						   "not have what it asks for", all[i].name);
		else if (all[i].given)
			str_addf(&names, "%s%s", names.len ? ", " : "", all[i].name);
	}
	if (!ret && o->sums.mode == VIEW_SYS_CGROUP && trace_wants_sums(o))
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
	struct trace_what *w = &o->what;
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
	if (!ret && o->sums.runtimes)
		ret = sys_select_add_more(select, SYS_RUNTIME_EVENT, set, err);
	if (!ret && !o->input)
		ret = sys_events_check(select, set, os, err);
	return ret || o->input ? ret : sys_switch_add(&w->marks, select, os, err);
}

void trace_set_show(struct trace_opts *o, const struct syscall_set *set,
		    const struct sys_select *select,
		    const struct sysplan *plans, struct sys_show *show)
{
	const struct trace_look *l = &o->look;
	const struct trace_what *w = &o->what;
	const bool strace = l->style == STYLE_STRACE, calls = show->with_calls;

	*show = (struct sys_show){
		.view = { .form = l->json ? VIEW_SYS_JSON : strace ? VIEW_SYS_STRACE :
			  VIEW_SYS_UPSTREAM,
			  .full_time = l->full_time, .no_comm = !l->comm, .show_cpu = l->show_cpu,
			  .align = l->align,
			  .no_time = !l->show_time, .no_duration = !l->show_duration,
			  .print_sample = l->print_sample,
			  .style = { .strace = strace, .hide_zeros = !l->show_zeros &&
				     l->show_names,
				     .no_names = strace || !l->show_names, .prefix = strace ||
				     l->show_prefix,
				     .max_string = w->max_string, .hide_event_zeros =
				     !l->show_event_zeros && l->show_names,
				     .force_types = w->force_btf } },
		.set = set, .select = select, .plans = plans, .marks = &o->what.marks,
		.max_events = w->max_events, .min_stack = w->min_stack, .no_lines = o->sums.only,
		.with_calls = calls,
		.with_return = l->with_return, .by_format = l->tp_print,
		.kernel_frames = w->kernel_graph,
		.recorded = o->input, .faults = w->faults,
	};
}

void trace_capture_opts(const struct trace_opts *o, const struct sysplan *plans,
			struct syscapture_opts *out)
{
	*out = (struct syscapture_opts){
		.engine = o->what.capture == CAPTURE_BTF ? SYSCAPTURE_BTF :
			  o->what.capture == CAPTURE_RAWTP ? SYSCAPTURE_RAW : SYSCAPTURE_ANY,
		.plans = plans, .records = !o->sums.only, .sums = trace_wants_sums(o),
		.errno_sums = o->sums.errnos,
		.cgroup_sums = o->sums.mode == VIEW_SYS_CGROUP, .entered = true,
		.min_ns = o->what.min_ns,
		.only_failed = o->what.failure, .lifecycle = o->look.style == STYLE_STRACE &&
		!o->look.json,
	};
}

int trace_sampling(const struct trace_opts *o, bool calls, struct record_opts *ro, struct err *err)
{
	*ro = (struct record_opts){ .raw = true, .period = 1, .dump_bytes = RECORD_DEFAULT_DUMP,
				    .raw_dumps = true,
				    .addr = o->what.faults != FAULTS_NONE, .no_bpf_event = true,
				    .proc_map_timeout_ms = 500,
				    .user_regs = calls ? 1 : 0 };	/* one word more, and the ABI of the task */
	if (o->what.map_timeout)
		ro->proc_map_timeout_ms = (int)strtol(o->what.map_timeout, NULL, 10);
	return o->what.call_graph ? record_parse_callgraph(ro, o->what.call_graph, err) : 0;
}

int trace_told_capture(const struct trace_opts *o, const struct syscapture *c,
		       const struct err *reason, struct err *err)
{
	int ret = 0;

	if (c && o->common.verbose && syscapture_engine(c) == SYSCAPTURE_RAW)
		cli_warn("calls are watched without the kernel's type information: files behind "
			 "descriptors have no names");
	if (!c && o->what.capture != CAPTURE_AUTO) {
		ret = err_set(err, reason->code, "%s", reason->msg);
		if (reason->hint)
			err_hint(err, "%s", reason->hint);
	} else if (!c && o->common.verbose) {
		cli_warn_err(reason);
		cli_warn("calls come from tracepoints instead: without strings");
	}
	return ret;
}

void trace_events_opts(const struct trace_opts *o, bool captured, struct sys_events_opts *out)
{
	const struct trace_what *w = &o->what;

	out->filters = &w->filters;
	out->stacks = captured && w->call_graph && !o->sums.only;
	out->one_stack = w->call_graph;
	out->kernel_graph = w->kernel_graph;
	out->only_failed = w->failure;
	out->faults = w->faults;
}

void trace_warn_lost(u64 n)
{
	cli_warn("%llu records were lost: perf could not keep up. A larger buffer (-m 128M), fewer "
		 "calls (-e) or the summary "
		 "alone (-s) help", (unsigned long long)n);
}

void trace_hint_paranoid(const struct os *os, struct err *err)
{
	if (os_paranoid(os) > 1)
		err_hint(err, "calls of your own commands need perf_event_paranoid at 1 only, it "
			      "is %d: sudo sysctl "
			 "kernel.perf_event_paranoid=1\n(for those of others, and for strings: "
			 "root, or CAP_BPF and CAP_PERFMON)",
			 os_paranoid(os));
}

/* Tracepoints have no memory of arguments. */
void trace_warn_rings(const struct trace_opts *o)
{
	bool strings = o->what.max_string != o->what.config.max_string;

	if (!o->common.quiet && (strings || o->what.force_btf))
		cli_warn("no effect without BPF, there are no strings and structs: %s%s%s",
			 strings ? "--max-string" : "",
			 strings && o->what.force_btf ? ", " : "", o->what.force_btf ?
			 "--force-btf" : "");
}

int trace_check_targets(const struct trace_opts *o, struct os *os, struct err *err)
{
	struct target copy = o->live.target;
	int ret = check_output(o, err);

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
	if ((o->sums.by_bpf || o->sums.errnos) && !o->sums.with)
		o->sums.only = true;
	if (o->what.kernel_graph && !o->what.call_graph)
		o->what.call_graph = "fp";
	/* as upstream perf takes it */
	if ((o->what.max_stack || o->what.min_stack) && !o->what.call_graph)
		o->what.call_graph = "dwarf";
}

int trace_parse(struct trace_opts *o, int argc, const char **argv, int *n_args, int *status)
{
	static const char *const usage[] = { "[<options>] [<command>]",
					     "[<options>] -- <command> [<options>]",
					     "record [<options>] [<command>]", NULL };
	const struct option_table tables[] =
		{ { trace_options, o }, cli_target_group(&o->live.target), session_group(),
					       cli_common_group(&o->common), { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "trace", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	struct err err = ERR_INIT;
	int n;

	*o = (struct trace_opts){ .what = { .syscalls = -1, .max_string = 32,
					    .config.max_string = 32 }, .look.comm = true };
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
	if (o->what.max_string < 0 || o->what.max_string > 2048)
		*status = cli_usage_error_opt(&cmd, "max-string", "--max-string is 0 to 2048");
	else
		*status = check_command(&cmd, o, argv);
	if (!*status)
		*status = check_needs(&cmd, o, argv);
	return *status ? -1 : 0;
}

void trace_opts_release(struct trace_opts *o)
{
	vec_free(&o->what.events);
	vec_free(&o->what.filters);
	free(o->what.add_events);
}
