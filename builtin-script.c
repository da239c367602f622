// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf script: samples as text, in time order.
 */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "builtin.h"
#include "util/base/log.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/recording.h"
#include "util/cli/pager.h"
#include "util/data/reader.h"
#include "util/export/perf-script.h"
#include "util/export/raw-dump.h"
#include "util/export/script-counts.h"
#include "util/stream/stream.h"

struct script_cmd {
	const char *input;
	u64 show;
	bool header, header_only, full_info, force, dump_raw, no_system_wide;
	struct script_opts text;
	struct stream_opts stream;
	struct cli_common common;
};

static int list_fields(const struct opt_use *u UNUSED, struct err *err UNUSED)
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

static int set_inline(const struct opt_use *u, struct err *err UNUSED)
{
	struct script_cmd *c = u->base;

	c->stream.no_inline = u->unset;
	return 0;
}

static const struct option_def script_options[] = {
	OPT_STRING('i', "input", struct script_cmd, input, "file", "input file name"),
	OPT_CALL('F', "fields", "str", set_fields,
		 "comma separated output fields prepend with 'type:'. +field to add and -field to remove. "
		 "Valid types: hw,sw,trace,raw,break,synth. Fields: comm,tid,pid,time,cpu,event,trace,ip,sym,dso,dsoff,addr,symoff,"
		 "srcline,period,iregs,uregs,brstack,brstacksym,brstackoff,flags,data_src,weight,bpf-output,phys_addr,misc,tod,"
		 "data_page_size,code_page_size,ins_lat,cgroup,retire_lat,callindent,synth,machine_pid,vcpu"),
	OPT_CALL(0, "list-fields", NULL, list_fields, "list the names that -F takes"),
	OPT_FLAG('G', "hide-call-graph", struct script_cmd, text.hide_chain,
		 "when printing symbols do not display call chain"),
	OPT_FLAG('f', "force", struct script_cmd, force, "don't complain, do it"),
	OPT_FLAG('D', "dump-raw-trace", struct script_cmd, dump_raw, "dump raw trace in ASCII"),
	OPT_FLAG('L', "Latency", struct script_cmd, text.latency, "show latency attributes (irqs/preemption disabled, etc)"),
	OPT_FLAG('I', "show-info", struct script_cmd, full_info, "display extended information from perf.data file"),
	OPT_FLAG(0, "header", struct script_cmd, header, "show data header"),
	OPT_FLAG(0, "header-only", struct script_cmd, header_only, "show only data header"),
	OPT_FLAG(0, "ns", struct script_cmd, text.ns, "use 9 decimal places when displaying time"),
	OPT_FLAG(0, "deltatime", struct script_cmd, text.deltatime, "show time stamps relative to previous event"),
	OPT_FLAG(0, "reltime", struct script_cmd, text.reltime, "show time stamps relative to start"),
	OPT_BIT(0, "show-task-events", struct script_cmd, show, SHOW_TASK, "show the fork/comm/exit events"),
	OPT_BIT(0, "show-mmap-events", struct script_cmd, show, SHOW_MMAP, "show the mmap events"),
	OPT_BIT(0, "show-switch-events", struct script_cmd, show, SHOW_SWITCH, "show context switch events (if recorded)"),
	OPT_BIT(0, "show-lost-events", struct script_cmd, show, SHOW_LOST, "show lost events (if recorded)"),
	OPT_BIT(0, "show-namespace-events", struct script_cmd, show, SHOW_NAMESPACES, "show namespace events (if recorded)"),
	OPT_BIT(0, "show-cgroup-events", struct script_cmd, show, SHOW_CGROUP, "show cgroup events (if recorded)"),
	OPT_BIT(0, "show-bpf-events", struct script_cmd, show, SHOW_BPF, "show bpf related events (if recorded)"),
	OPT_BIT(0, "show-round-events", struct script_cmd, show, SHOW_ROUND, "show round events (if recorded)"),
	OPT_BIT(0, "show-text-poke-events", struct script_cmd, show, SHOW_TEXT_POKE,
		"show text poke related events (if recorded)"),
	OPT_CALL_NO(0, "inline", NULL, set_inline, "show inline function"),
	OPT_FLAG(0, "full-source-path", struct script_cmd, text.full_source_path,
		 "show full source file name path for source lines"),
	OPT_FLAG(0, "show-kernel-path", struct script_cmd, text.show_kernel_path,
		 "show the file that names the functions of [kernel.kallsyms]"),
	OPT_STRING(0, "stop-bt", struct script_cmd, text.stop_bt, "symbol[,symbol...]",
		   "stop display of callgraph at these symbols"),
	OPT_FLAG(0, "per-event-dump", struct script_cmd, text.per_event,
		 "dump trace output to files named by the monitored events"),
	OPT_U64(0, "max-events", struct script_cmd, text.max_samples, "n", "stop after this many samples"),
	OPT_FLAG('a', "all-cpus", struct script_cmd, no_system_wide, "accepted: system-wide is what the file says"),
	OPT_END
};

/* ---- what the options ask for ---- */

static int prepare_text(struct script_cmd *c, const struct data_reader *r, struct err *err)
{
	struct script_opts *o = &c->text;

	o->swap = r->swap;
	o->show = c->show;
	o->data_path = r->path;
	o->has_tod = data_has(&r->feat, FEAT_CLOCK_DATA);
	o->tod_ns = r->feat.clock_tod_ns;
	o->tod_clock_ns = r->feat.clock_ns;
	for (int t = 0; t < ST_NR; t++) {
		if (o->fields.set[t] & SF_TOD && !o->has_tod) {
			err_set(err, EINVAL, "Can't provide 'tod' time, missing clock data.");
			err_hint(err, "record with -k/--clockid");
			return -EINVAL;
		}
	}
	return script_fields_check(&o->fields, &r->events, !o->hide_chain, c->stream.filter.cpus, err);
}

/* A comm that no task had: say so, and which ones there are. */
static void explain_no_comm(struct stream *st, const char *wanted)
{
	struct thread *const *threads;
	size_t n = machine_threads(stream_machine(st), &threads);
	const char *names[12];
	size_t n_names = 0;
	struct str s = STR_INIT;

	for (size_t i = 0; i < n && n_names < ARRAY_SIZE(names); i++) {
		const char *name = thread_comm_at(threads[i], UINT64_MAX)->name;
		bool known = name[0] == ':';

		for (size_t k = 0; k < n_names && !known; k++)
			known = strcmp(names[k], name) == 0;
		if (!known)
			names[n_names++] = name;
	}
	for (size_t i = 0; i < n_names; i++) {
		str_add(&s, i ? ", " : "");
		str_add_safe(&s, names[i]);
	}
	cli_warn("no sample of a task named '%s'; tasks here: %s%s", wanted, str_cstr(&s),
		 n_names == ARRAY_SIZE(names) ? ", ..." : "");
	str_release(&s);
}

/* Nothing was printed because of the filters: that is worth a word. */
static void explain_nothing(const struct script_cmd *c, struct stream *st)
{
	const struct stream_stats *stats = stream_get_stats(st);

	if (!stats->n_samples || stats->n_filtered < stats->n_samples)
		return;
	if (c->stream.filter.comms)
		explain_no_comm(st, c->stream.filter.comms);
	else
		cli_warn("none of the %llu samples passes the filter", (unsigned long long)stats->n_filtered);
}

/* ---- running ---- */

static void print_header(struct script_cmd *c, const struct data_reader *r, struct script_sink *sink)
{
	struct str s = STR_INIT;

	data_print_header(r, c->full_info, &s);
	if (sink)
		script_sink_text(sink, str_cstr(&s), s.len);
	else
		fwrite(str_cstr(&s), 1, s.len, stdout);
	str_release(&s);
}

static void put_counts(void *sink, const char *text, size_t n)
{
	script_sink_text(sink, text, n);
}

/* What perf stat recorded has no samples, but counts; a pipe does not say beforehand what it brings. */
static int run_sinks(struct stream *st, const struct data_reader *r, struct script_sink *sink, struct err *err)
{
	struct script_counts *counts = NULL;
	struct sink *sinks[2] = { script_sink(sink) };
	size_t n = 1;
	int ret;

	if (r->stream || data_has(&r->feat, FEAT_STAT)) {
		counts = script_counts_new(&r->events, put_counts, sink);
		sinks[n++] = script_counts_sink(counts);
	}
	ret = stream_run(st, sinks, n, err);
	script_counts_free(counts);
	return ret;
}

static int run_text(struct script_cmd *c, struct data_reader *r, const struct os *os, struct err *err)
{
	c->stream.count_broken = c->common.verbose > 0;
	const struct source src = source_of_reader(r);
	struct stream *st = stream_new(&src, os, &c->stream, err);
	struct script_sink *sink = NULL;
	struct raw_dump dump;
	struct str log = STR_INIT;
	int ret = -EINVAL;

	if (!st)
		return ret;
	if (c->dump_raw) {
		raw_dump_init(&dump, r->stream ? "pipe" : r->path, &r->events, machine_arch(stream_machine(st)), STDOUT_FILENO);
		c->text.dump = &dump;
	}
	if (c->dump_raw)
		cli_pager_start();
	c->text.begin = cli_pager_start;
	sink = script_sink_new(&c->text, &r->events, stream_machine(st), STDOUT_FILENO);
	if (c->header || c->full_info)
		print_header(c, r, sink);
	ret = run_sinks(st, r, sink, err);
	if (ret == 0)
		ret = script_sink_finish(sink, &log, err);
	fputs(str_cstr(&log), stdout);
	if (ret == 0 || ret == -EPIPE) {
		cli_recording_end(r, ret ? NULL : st, false);
		if (ret == 0)
			cli_symbol_warnings(stream_dsos(st), log_on(LOG_CLI, 1));
		if (ret == 0 && !script_sink_samples(sink))
			explain_nothing(c, st);
		if (c->common.verbose > 0)
			cli_unwind_stats(stream_get_stats(st));
		ret = 0;
	}
	script_sink_free(sink);
	stream_free(st);
	str_release(&log);
	return ret;
}

static int run(struct script_cmd *c, const struct os *os, struct err *err)
{
	struct data_reader r;
	int ret = data_open(&r, c->input, (c->force ? DATA_FORCE : 0) | (c->header_only ? DATA_HEADER_ONLY : 0), err);

	if (ret < 0)
		goto out;
	if (c->header_only) {
		print_header(c, &r, NULL);
		cli_recording_end(&r, NULL, false);
		goto out;
	}
	ret = prepare_text(c, &r, err);
	if (ret == 0)
		ret = run_text(c, &r, os, err);
out:
	data_close(&r);
	return ret;
}

int cmd_script(int argc, const char **argv)
{
	struct script_cmd c = { 0 };
	const char *const usage[] = { "[<options>]", NULL };
	const struct option_table tables[] = {
		{ script_options, &c }, cli_filter_group(&c.stream.filter), cli_symbols_group(&c.stream.symbols),
		cli_stream_group(&c.stream), cli_recording_group(), cli_common_group(&c.common), { 0 } };
	const struct cli_cmd cmd = { .name = "script", .usage = usage, .tables = tables };
	struct err err = ERR_INIT;
	struct os os;
	int n, ret;

	script_fields_init(&c.text.fields);
	n = cli_parse(&cmd, argc, argv);
	if (n < 0)
		return cli_status(n);
	if (n > 0)
		return cli_errorf("cannot run '%s': this perf prints samples, it does not run scripts over them", argv[0]);
	os_init(&os);
	ret = run(&c, &os, &err);
	if (ret < 0)
		cli_error(&err);
	os_release(&os);
	err_release(&err);
	return ret < 0 ? CLI_FAILED : 0;
}
