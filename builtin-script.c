// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf script: samples as text, in time order.
 */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "builtin-script.h"
#include "builtin.h"
#include "util/base/log.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/stacks.h"
#include "util/cli/pager.h"
#include "util/export/perf-script.h"
#include "util/export/raw-dump.h"
#include "util/export/script-counts.h"
#include "util/session/warnings.h"
#include "util/wire/synthrec.h"

struct script_cmd {
	const char *input;
	u64 show;
	bool header, header_only, full_info, force, dump_raw, no_system_wide, list_fields;
	struct script_opts text;
	struct script_run scripts;
	struct script_filter filter;
	struct stream_opts stream;
	struct itrace_opts itrace;
	struct cli_common common;
};

static int list_fields(void)
{
	struct str s = STR_INIT;

	str_add(&s, "Fields: ");
	script_fields_names(&s);
	str_add(&s, "\nTypes: hw,sw,trace,raw,break,synth\n");
	fputs(str_cstr(&s), stdout);
	str_release(&s);
	return 0;
}

static int set_fields(const struct opt_use *u, struct err *err)
{
	struct script_cmd *c = u->base;

	return script_fields_parse(&c->text.fields, u->arg, err);
}

/* Options that stand for several. */
static int set_trace(struct script_cmd *c, const char *itrace, const char *fields, struct err *err)
{
	c->text.ns = true;
	return itrace_opts_parse(&c->itrace, itrace, false, err) ? -EINVAL :
		script_fields_parse(&c->text.fields, fields, err);
}

static int set_insn_trace(const struct opt_use *u, struct err *err)
{
	const bool disasm = u->arg && !strcmp(u->arg, "disasm");

	if (u->arg && !disasm && strcmp(u->arg, "raw") != 0)
		return err_set(err, EINVAL, "instructions are shown as raw or disasm, not as '%s'",
			       u->arg);
	return set_trace(u->base, "i0nse", disasm ? "+disasm,-event,-period" :
			 "+insn,-event,-period", err);
}

static int set_call_trace(const struct opt_use *u, struct err *err)
{
	return set_trace(u->base, "cewp", "-ip,-addr,-event,-period,+callindent", err);
}

static int set_call_ret_trace(const struct opt_use *u, struct err *err)
{
	return set_trace(u->base, "crewp", "-ip,-addr,-event,-period,+flags,+callindent", err);
}

static int set_inline(const struct opt_use *u, struct err *err UNUSED)
{
	struct script_cmd *c = u->base;

	c->stream.no_inline = u->unset;
	return 0;
}

static int set_merged(const struct opt_use *u, struct err *err)
{
	if (!u->unset)
		return 0;
	err_set(err, ENOTSUP, "call chains are always shown with their user parts");
	err_hint(err, "'perf script -D' shows the records in which these came");
	return -ENOTSUP;
}

static const struct option_def script_options[] = {
	OPT_STRING('i', "input", struct script_cmd, input, "file",
	     "the recording to read (default: perf.data; -: standard input)"),
	OPT_CALL('F', "fields", "str", set_fields,
		 "the fields to print: [TYPE:]FIELD,...; +FIELD adds, -FIELD removes one"),
	OPT_FLAG(0, "list-fields", struct script_cmd, list_fields, "list the names that -F takes"),
	OPT_FLAG('G', "hide-call-graph", struct script_cmd, text.hide_chain,
		 "do not print call chains"),
	OPT_FLAG('f', "force", struct script_cmd, force,
	     "read a recording that belongs to another user"),
	OPT_FLAG('D', "dump-raw-trace", struct script_cmd, dump_raw,
	     "print all records of the file"),
	OPT_FLAG('L', "Latency", struct script_cmd, text.latency,
		 "show irqs-off, need-resched, hardirq/softirq and preempt-depth flags"),
	OPT_FLAG('I', "show-info", struct script_cmd, full_info,
		 "print the header with the machine's topology"),
	OPT_FLAG(0, "header", struct script_cmd, header, "print the header before the samples"),
	OPT_FLAG(0, "header-only", struct script_cmd, header_only, "print only the header"),
	OPT_FLAG(0, "ns", struct script_cmd, text.ns, "print times in ns (9 decimals)"),
	OPT_FLAG(0, "deltatime", struct script_cmd, text.deltatime,
		 "print times since the event before"),
	OPT_FLAG(0, "reltime", struct script_cmd, text.reltime,
		 "print times since the first event"),
	OPT_BIT(0, "show-task-events", struct script_cmd, show, SHOW_TASK,
		"print the records of forks, names and exits of tasks"),
	OPT_BIT(0, "show-mmap-events", struct script_cmd, show, SHOW_MMAP,
	     "print the records of mappings"),
	OPT_BIT(0, "show-switch-events", struct script_cmd, show, SHOW_SWITCH,
		"print the records of context switches"),
	OPT_BIT(0, "show-lost-events", struct script_cmd, show, SHOW_LOST,
		"print the records of lost events"),
	OPT_BIT(0, "show-namespace-events", struct script_cmd, show, SHOW_NAMESPACES,
		"print the records of namespaces"),
	OPT_BIT(0, "show-cgroup-events", struct script_cmd, show, SHOW_CGROUP,
		"print the records of cgroups"),
	OPT_BIT(0, "show-bpf-events", struct script_cmd, show, SHOW_BPF,
		"print the records of BPF programs and kernel symbols"),
	OPT_BIT(0, "show-round-events", struct script_cmd, show, SHOW_ROUND,
		"print where perf record finished a round of its buffers"),
	OPT_BIT(0, "show-text-poke-events", struct script_cmd, show, SHOW_TEXT_POKE,
		"print the records of patched kernel code"),
	OPT_CALL_NO(0, "inline", NULL, set_inline, "print inlined functions (default)"),
	OPT_FLAG(0, "full-source-path", struct script_cmd, text.full_source_path,
		 "print the full paths of source files"),
	OPT_FLAG(0, "show-kernel-path", struct script_cmd, text.show_kernel_path,
		 "print the file that names the functions of [kernel.kallsyms]"),
	OPT_STRING(0, "stop-bt", struct script_cmd, text.stop_bt, "symbol[,symbol...]",
		   "end call chains at these functions"),
	OPT_FLAG(0, "per-event-dump", struct script_cmd, text.per_event,
		 "print each event into a file of its own, PERF.DATA.EVENT.dump"),
	OPT_FLAG(0, "stitch-lbr", struct script_cmd, stream.stitch_lbr,
		 "call stacks that the CPU kept go on with those of samples before theirs"),
	OPT_CALL_NO(0, "merge-callchains", NULL, set_merged,
		    "call chains go on with their user parts that were recorded later (default)"),
	OPT_STRING(0, "switch-on", struct script_cmd, filter.between.on, "event",
		   "only samples after one of this event"),
	OPT_STRING(0, "switch-off", struct script_cmd, filter.between.off, "event",
		   "only samples until one of this event, and after the next of --switch-on"),
	OPT_FLAG(0, "show-on-off-events", struct script_cmd, filter.between.show,
		 "and the samples of those two events"),
	OPT_INT(0, "addr-range", struct script_cmd, stream.filter.addr_range, "n",
		"-S ADDRESS: samples in so many bytes from there on"),
	OPT_CALL_OPTARG(0, "insn-trace", "raw|disasm", NULL, set_insn_trace,
			"print the instructions of a trace, with their bytes (default) or as text"),
	OPT_CALL(0, "call-trace", NULL, set_call_trace, "print the calls of a trace"),
	OPT_CALL(0, "call-ret-trace", NULL, set_call_ret_trace,
		 "print the calls and returns of a trace"),
	OPT_STRING(0, "graph-function", struct script_cmd, text.graph_function,
		   "function[,function...]", "of a trace: only these, and what they call"),
	OPT_UINT(0, "max-blocks", struct script_cmd, text.max_blocks, "n",
		 "fields brstackinsn: at most so many blocks of code of a branch stack"),
	OPT_U64(0, "max-events", struct script_cmd, text.max_samples, "n",
		"stop after this many samples"),
	OPT_FLAG('l', "list", struct script_cmd, scripts.list,
		 "list the scripts that are installed"),
	OPT_STRING('g', "gen-script", struct script_cmd, scripts.generate, "lang",
		   "write a script that prints the events of the recording: python, or FILE.py"),
	OPT_SETTING_FIELD("script.libpython", OPT_KIND_STRING, struct script_cmd, scripts.library,
			  "file"),
	OPT_STRING('s', "script", struct script_cmd, scripts.script, "name",
		   "run this script in Python over the samples: FILE.py, or python:FILE"),
	OPT_STRING(0, "dlfilter", struct script_cmd, filter.file, "file",
		   "samples that this shared object keeps (see perf_dlfilter.h)"),
	OPT_LIST(0, "dlarg", struct script_cmd, filter.args, "argument",
		 "an argument of that filter; may be repeated"),
	OPT_FLAG(0, "list-dlfilters", struct script_cmd, filter.list,
		 "list the filters that are installed (-v: with more about each)"),
	OPT_FLAG('a', "all-cpus", struct script_cmd, no_system_wide,
		 "accepted: system-wide is what the file says"),
	OPT_END
};

/* ---- what the options ask for ---- */

/* perf inject --itrace made it: the errors of the trace are records of it. */
static bool was_decoded(const struct event_list *l)
{
	for vec_each(e, &l->events)
		for (size_t i = 0; i < (*e)->n_ids; i++)
			if ((*e)->ids[i] > WIRE_SYNTH_ID_BASE)
				return true;
	return false;
}

static int prepare_text(struct script_cmd *c, struct session *s)
{
	struct script_opts *o = &c->text;
	const struct source *src = s->source;
	struct err *err = &s->err;

	o->swap = src->swap;
	o->show = c->show;
	o->trace_errors = s->trace_errors > 0 || was_decoded(src->events);
	o->fields.traces = data_has(src->env, FEAT_AUXTRACE) && !c->itrace.none;
	o->data_path = src->name;
	o->has_tod = data_has(src->env, FEAT_CLOCK_DATA);
	o->tod_ns = src->env->clock_tod_ns;
	o->tod_clock_ns = src->env->clock_ns;
	o->counters = session_branch_counters(s);
	for (int t = 0; t < ST_NR; t++) {
		if (o->fields.set[t] & SF_TOD && !o->has_tod) {
			err_set(err, EINVAL, "the time of day (field tod) is not known: the "
					     "recording does not have its clock");
			err_hint(err, "record with a clock that can be converted: "
				      "perf record -k mono");
			return -EINVAL;
		}
	}
	return script_fields_check(&o->fields, src->events, !o->hide_chain, c->stream.filter.cpus,
				   err);
}

/* ---- running ---- */

static void print_header(struct script_cmd *c, const struct session *s, struct script_sink *sink)
{
	struct str text = STR_INIT;

	data_print_header(s->source->reader, c->full_info, &text);
	if (sink)
		script_sink_text(sink, str_cstr(&text), text.len);
	else
		fwrite(str_cstr(&text), 1, text.len, stdout);
	str_release(&text);
}

static void put_counts(void *sink, const char *text, size_t n)
{
	script_sink_text(sink, text, n);
}

/* What perf stat recorded has no samples, but counts; a pipe does not say beforehand what it
 * brings. */
static void flush_text(void *sink)
{
	script_sink_flush(sink);
}

static int run_sinks(struct script_cmd *c, struct session *s, struct script_sink *sink)
{
	struct script_counts *counts = NULL;
	struct sink *sinks[2] = { script_sink(sink) };
	size_t n = 1;
	int ret;

	if (s->source->once || data_has(s->source->env, FEAT_STAT)) {
		counts = script_counts_new(s->source->events, put_counts, sink);
		sinks[n++] = script_counts_sink(counts);
	}
	c->filter.flush = flush_text;
	c->filter.ctx = sink;
	ret = script_run_sinks(&c->filter, s, sinks, n);
	script_counts_free(counts);
	return ret;
}

static void warn(const struct script_cmd *c, struct session *s, struct script_sink *sink)
{
	session_warn(s);
	session_symbol_warnings(s, log_on(LOG_CLI, 1));
	if (!script_sink_samples(sink))
		session_nothing_left(s, &c->stream.filter);
	if (c->common.verbose > 0)
		cli_unwind_stats(stream_get_stats(s->stream));
}

static int run_text(struct script_cmd *c, struct session *s)
{
	struct script_sink *sink;
	struct raw_dump dump;
	struct str log = STR_INIT;
	struct machine *m;
	int ret;

	c->stream.count_broken = c->common.verbose > 0;
	ret = session_prepare(s, &c->stream);
	if (ret)
		return ret;
	m = stream_machine(s->stream);
	if (c->dump_raw) {
		raw_dump_init(&dump, s->source->once ? "pipe" : s->source->name, s->source->events,
			      machine_arch(m), STDOUT_FILENO);
		if (!s->source->once && s->source->reader->files.n == 1)
			raw_dump_with_aux(&dump, s->source->reader->files.v[0].fd);
		c->text.dump = &dump;
		cli_pager_start();
	}
	c->text.begin = cli_pager_start;
	sink = script_sink_new(&c->text, s->source->events, m, STDOUT_FILENO);
	if (c->header || c->full_info)
		print_header(c, s, sink);
	ret = run_sinks(c, s, sink);
	if (ret == 0)
		ret = script_sink_finish(sink, &log, &s->err);
	fputs(str_cstr(&log), stdout);
	if (ret == 0)
		warn(c, s, sink);
	script_sink_free(sink);
	str_release(&log);
	return ret;
}

/* -D shows a trace's packets. */
static const struct itrace_opts *traces_of(const struct script_cmd *c)
{
	return c->dump_raw && !c->itrace.set ? NULL : &c->itrace;
}

static int run(struct script_cmd *c, struct session *s)
{
	int ret = session_open(s, &(struct session_opts){ .path = c->input, .force = c->force,
							  .header_only = c->header_only,
							  .itrace = traces_of(c),
							  .symbols = &c->stream.symbols });

	if (ret == 0 && c->header_only) {
		print_header(c, s, NULL);
		return 0;
	}
	if (ret == 0 && c->scripts.generate)
		return script_generate(&c->scripts, s);
	if (ret == 0 && c->scripts.script)
		return script_run(&c->scripts, &c->filter, &c->stream, s);
	if (ret == 0)
		ret = prepare_text(c, s);
	return ret ? ret : run_text(c, s);
}

int cmd_script(int argc, const char **argv)
{
	struct script_cmd c = { 0 };
	const char *const usage[] = { "[<options>]",
				      "[<options>] record <script> [<options>] [<command>]",
				      "[<options>] report <script> [<script-args>]",
				      "[<options>] <script> [<script-args>] [<command>]", NULL };
	const struct option_table tables[] = {
		{ script_options, &c }, cli_filter_group(&c.stream.filter),
			cli_symbols_group(&c.stream.symbols), cli_guests_group(&c.stream.guests),
		cli_stream_group(&c.stream), cli_itrace_group(&c.itrace, false), session_group(),
		cli_common_group(&c.common), { 0 } };
	const struct cli_cmd cmd = { .name = "script", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	struct session s = { 0 };
	int n;

	script_fields_init(&c.text.fields);
	n = cli_parse(&cmd, argc, argv);
	if (n < 0)
		return cli_status(n);
	c.scripts.args = argv;
	if (c.scripts.list)
		return script_show_list();
	if (c.filter.list)
		return script_show_filters(c.common.verbose > 0);
	if (n > 0 && !c.scripts.script && !c.scripts.generate)
		return script_run_installed(&c.scripts, n, c.input);
	if (c.list_fields)
		return list_fields();
	if (c.filter.between.show && !c.filter.between.on && !c.filter.between.off)
		return cli_usage_error(&cmd, "--show-on-off-events needs --switch-on or "
					     "--switch-off");
	n = session_close(&s, run(&c, &s));
	vec_free(&c.filter.args);
	return n;
}
