// SPDX-License-Identifier: GPL-2.0-or-later
// perf kvm stat record and report: why virtual CPUs left their guests, and how long that took.

#include "builtin-kvm.h"
#include "builtin-record.h"
#include "util/analysis/kvm.h"
#include "util/base/words.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/pager.h"
#include "util/session/session.h"
#include "util/session/warnings.h"

/* ---- record ---- */

static int stat_record(int argc, const char **argv, void *ctx)
{
	static const char *const words[] = { "kvm", "stat", "record", NULL };
	const struct kvm_cmd *c = ctx;
	word_list names = { NULL, 0, 0 };
	struct err err = ERR_INIT;
	int ret = kvm_stat_events(&names, &err);

	ret = ret < 0 ? cli_error(&err) :
		record_with(&(struct record_preset){
			.words = words, .events = (const char *const *)names.v, .raw = true,
			.period = 1, .pages = "1024",
			.output = c->output ? c->output : kvm_file(c) }, argc, argv);
	words_release(&names);
	err_release(&err);
	return ret;
}

/* ---- report ---- */

#define ST struct kvm_stat_opts
static const struct option_def report_options[] = {
	OPT_STRING(0, "event", ST, event, "event",
		   "which events: vmexit (default), mmio, ioport (these two on x86)"),
	OPT_FLAG('f', "force", ST, force, "read a recording that belongs to another user"),
	OPT_STRING('i', "input", ST, kvm.input, "file",
		   "the recording to read (default: perf.data.guest)"),
	OPT_STRING('k', "key", ST, key, "key",
		   "rows begin with the largest: sample (how many, default), time (the sum)"),
	OPT_STRING('p', "pid", ST, pids, "pid", "only of these processes"),
	OPT_FLAG(0, "stdio", ST, stdio, "as text (there is nothing else)"),
	OPT_INT(0, "vcpu", ST, model.vcpu, "n", "only of this virtual CPU"),
	OPT_END
};
#undef ST

static void show(const struct kvm_stat_opts *o, struct kvm *k)
{
	struct str text = STR_INIT;

	kvm_stat_add(o, k, &text);
	cli_page(&text);
	str_release(&text);
}

static int run(struct kvm_stat_opts *o)
{
	struct session s = { 0 };
	struct stream_opts stream = { .threads = 1 };
	struct kvm *k = NULL;
	struct sink *sink;
	int ret = session_open(&s, &(struct session_opts){
		.path = o->kvm.input ? o->kvm.input : kvm_file(&o->kvm), .force = o->force,
		.quiet = o->kvm.common.quiet });

	if (!ret && !s.source->once)
		ret = kvm_need_events(s.source->events, s.source->name, &s.err);
	if (!ret)
		ret = session_prepare(&s, &stream);
	if (!ret) {
		o->model.amd = kvm_is_amd(s.source->env->cpuid);
		k = kvm_new(&o->model, s.source->events, s.source->swap);
		sink = kvm_sink(k);
		ret = session_run(&s, &sink, 1);
	}
	if (!ret)
		show(o, k);
	session_warn_analysis(&s, k ? kvm_totals(k)->n_bad : 0, ret);
	kvm_free(k);
	return session_close(&s, ret);
}

static int stat_report(int argc, const char **argv, void *ctx)
{
	static const char *const usage[] = { "[<options>]", NULL };
	struct kvm_stat_opts o = { .kvm = *(struct kvm_cmd *)ctx, .model.vcpu = -1 };
	const struct option_table tables[] =
		{ { report_options, &o }, cli_output_group(&o.data), session_group(),
		  cli_common_group(&o.kvm.common), { 0 } };
	const struct cli_cmd cmd = { .name = "kvm stat report", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	struct err err = ERR_INIT;
	int ret = cli_parse(&cmd, argc, argv);

	if (ret < 0)
		return cli_status(ret);
	ret = kvm_stat_parse(&o, &err) ? cli_error(&err) : run(&o);
	vec_free(&o.pid_list);
	err_release(&err);
	return ret;
}

int kvm_stat(int argc, const char **argv, void *ctx)
{
	static const char *const usage[] = { "{record|report|live} [<options>]", NULL };
	static const char *const words[] = { "record", "report", "live", NULL };
	static const struct cli_sub subs[] = { { "record", stat_record },
					       { "report", stat_report },
					       { "live", kvm_stat_live }, { NULL, NULL } };
	struct kvm_cmd c = *(struct kvm_cmd *)ctx;
	const struct option_table tables[] = { cli_common_group(&c.common), { 0 } };
	const struct cli_cmd cmd = { .name = "kvm stat", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION, .words = words };
	const int n = cli_parse(&cmd, argc, argv);

	return n < 0 ? cli_status(n) : cli_run_sub(&cmd, subs, n, argv, &c);
}
