// SPDX-License-Identifier: GPL-2.0-or-later
// perf kvm stat: why virtual CPUs left their guests, and how long that took.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "builtin-kvm.h"
#include "builtin-record.h"
#include "util/analysis/kvm.h"
#include "util/base/words.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/pager.h"
#include "util/event/tracepoint-names.h"
#include "util/session/session.h"
#include "util/session/warnings.h"
#include "util/view/draw.h"
#include "util/view/kvm-text.h"

/* ---- record ---- */

/* Those that there are: which depends on the architecture. */
static int stat_record(int argc, const char **argv, void *ctx)
{
	static const char *const words[] = { "kvm", "stat", "record", NULL };
	static const char *const events[] = { "kvm_entry", "kvm_exit", "kvm_mmio", "kvm_pio" };
	const struct kvm_cmd *c = ctx;
	word_list names = { NULL, 0, 0 };
	struct err err = ERR_INIT;
	struct os os;
	int ret;

	os_init(&os);
	ret = os_tracefs(&os, &err);
	for (size_t i = 0; i < ARRAY_SIZE(events) && ret >= 0; i++)
		os_add_tracepoint(&os, "kvm", events[i], &names);
	if (ret >= 0 && !names.n) {
		ret = err_set(&err, ENOENT, "no tracepoints of virtual machines below "
					    "%s/events/kvm", os.tracefs);
		err_hint(&err, "the kernel's module kvm has them: 'modprobe kvm' on a host of "
			       "virtual machines");
	}
	vec_push(&names, NULL);
	ret = ret < 0 ? cli_error(&err) :
		record_with(&(struct record_preset){
			.words = words, .events = (const char *const *)names.v, .raw = true,
			.period = 1, .pages = "1024",
			.output = c->output ? c->output : kvm_file(c) }, argc, argv);
	words_release(&names);
	err_release(&err);
	os_release(&os);
	return ret;
}

/* ---- report ---- */

struct kvm_stat_opts {
	struct kvm_cmd kvm;
	const char *event, *key, *pids;
	bool force, stdio;
	struct kvm_opts model;
	struct table_output data;
	int_vec pid_list;
};

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

static int parse_word(const char *option, const char *text, const char *const *names, int n,
		      struct err *err)
{
	const int k = word_index(names, n, text, strlen(text));
	struct str all = STR_INIT;

	if (k >= 0)
		return k;
	for (int i = 0; i < n; i++)
		str_addf(&all, "%s%s", i ? ", " : "", names[i]);
	err_set(err, EINVAL, "%s: there is no '%s'", option, text);
	err_hint(err, "there are: %s", str_cstr(&all));
	str_release(&all);
	return -EINVAL;
}

static int parse_opts(struct kvm_stat_opts *o, struct err *err)
{
	static const char *const events[KVM_N_KINDS] = { "vmexit", "mmio", "ioport" };
	static const char *const keys[] = { "sample", "time" };
	int ret = 0;

	if (o->event) {
		ret = parse_word("--event", o->event, events, KVM_N_KINDS, err);
		o->model.kind = ret < 0 ? KVM_VMEXIT : (enum kvm_kind)ret;
	}
	if (ret >= 0 && o->key) {
		ret = parse_word("--key", o->key, keys, ARRAY_SIZE(keys), err);
		o->model.key = ret < 0 ? KVM_BY_SAMPLES : (enum kvm_key)ret;
	}
	if (ret >= 0 && o->pids) {
		ret = parse_int_list(o->pids, &o->pid_list, err);
		o->model.pids = &o->pid_list;
	}
	return ret < 0 ? ret : 0;
}

static void show(const struct kvm_stat_opts *o, struct kvm *k)
{
	struct table t = { 0 };
	struct str text = STR_INIT;

	kvm_table(k, &t);
	if (table_output_data(&o->data))
		draw_only_table(&text, &t, &o->data);
	else
		kvm_add_table(&text, &t, kvm_totals(k), &o->model, o->pids);
	cli_page(&text);
	str_release(&text);
	table_release(&t);
}

static bool is_amd(const char *cpuid)
{
	return cpuid && (str_has_prefix(cpuid, "AuthenticAMD") ||
			 str_has_prefix(cpuid, "HygonGenuine"));
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
		o->model.amd = is_amd(s.source->env->cpuid);
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
	ret = parse_opts(&o, &err) ? cli_error(&err) : run(&o);
	vec_free(&o.pid_list);
	err_release(&err);
	return ret;
}

int kvm_stat(int argc, const char **argv, void *ctx)
{
	static const char *const usage[] = { "{record|report} [<options>]", NULL };
	static const char *const words[] = { "record", "report", NULL };
	static const struct cli_sub subs[] = { { "record", stat_record },
					       { "report", stat_report }, { NULL, NULL } };
	struct kvm_cmd c = *(struct kvm_cmd *)ctx;
	const struct option_table tables[] = { cli_common_group(&c.common), { 0 } };
	const struct cli_cmd cmd = { .name = "kvm stat", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION, .words = words };
	const int n = cli_parse(&cmd, argc, argv);

	return n < 0 ? cli_status(n) : cli_run_sub(&cmd, subs, n, argv, &c);
}
