// SPDX-License-Identifier: GPL-2.0-or-later
// perf kvm stat live: the table of report again and again.
#include "builtin-kvm.h"
#include "util/cli/error.h"
#include "util/cli/rows.h"
#include "util/data/features.h"
#include "util/os/os.h"
#include "util/record/record.h"
#include "util/session/live-table.h"
#include "util/view/kvm-text.h"

#define DELAY_S 1

struct kvm_watch {
	struct kvm_stat_opts stat;
	struct stream_opts stream;
	struct record_buffers buffers;
	u64 delay_ns;
	struct kvm *kvm;
	bool all;
	int timeout_ms;
};

static int set_delay(const struct opt_use *u, struct err *err)
{
	return cli_set_delay(u, DELAY_S, &((struct kvm_watch *)u->base)->delay_ns, err);
}

static int set_pages(const struct opt_use *u, struct err *err)
{
	struct kvm_watch *w = u->base;
	struct os os;
	int ret;

	os_init(&os);
	ret = record_parse_pages(&w->buffers, u->arg, &os, err);
	w->buffers.most_bytes = w->buffers.ring_pages * os.page_bytes;
	os_release(&os);
	return ret;
}

#define WATCH struct kvm_watch
static const struct option_def live_options[] = {
	OPT_FLAG('a', "all-cpus", WATCH, all, "what happens on all CPUs (there is nothing else)"),
	OPT_CALL_NO('d', "display", "n", set_delay, "seconds between tables (default 1)"),
	OPT_DURATION(0, "duration", WATCH, stat.model.long_ns, 1000, "n",
		     "also list events that take longer than this many microseconds; not those "
		     "in which the guest has nothing to do (HLT)"),
	OPT_STRING(0, "event", WATCH, stat.event, "event",
		   "which events: vmexit (default), mmio, ioport (these two on x86)"),
	OPT_STRING('k', "key", WATCH, stat.key, "key",
		   "rows begin with the largest: sample (how many, default), time (the sum)"),
	OPT_CALL('m', "mmap-pages", "pages", set_pages, "the size of a CPU's ring buffer"),
	OPT_STRING('p', "pid", WATCH, stat.pids, "pid", "only of these processes"),
	OPT_UINT(0, "proc-map-timeout", WATCH, timeout_ms, "n",
		 "accepted as upstream perf does; no mappings are read here"),
	OPT_INT(0, "vcpu", WATCH, stat.model.vcpu, "n", "only of this virtual CPU"),
	OPT_END
};
#undef WATCH

static struct sink *begin(void *ctx, const struct event_list *events,
			  struct machine *machine UNUSED, struct err *err UNUSED)
{
	struct kvm_watch *w = ctx;

	w->kvm = kvm_new(&w->stat.model, events, false);
	return kvm_sink(w->kvm);
}

static void show(void *ctx, struct str *out)
{
	struct kvm_watch *w = ctx;
	struct table t = { 0 };
	u64 n_more;

	kvm_stat_add(&w->stat, w->kvm, out);
	if (w->stat.model.long_ns && !table_output_data(&w->stat.data)) {
		n_more = kvm_long_table(w->kvm, &t);
		kvm_add_long(out, &t, n_more);
		table_release(&t);
	}
	kvm_restart(w->kvm);
}

static bool is_amd_here(void)
{
	struct data_features f;
	struct os os;
	bool amd;

	os_init(&os);
	data_features_init(&f);
	data_features_collect(&f, &os);
	amd = kvm_is_amd(f.cpuid);
	data_features_release(&f);
	os_release(&os);
	return amd;
}

static int watch(struct kvm_watch *w, const char **argv)
{
	struct live_table_opts o = { .argv = argv, .stream = &w->stream, .delay_ns = w->delay_ns,
				     .ring_bytes = w->buffers.most_bytes,
				     .plain = table_output_data(&w->stat.data),
				     .lost_means = "exits are missing, or seem longer than "
						   "they were",
				     .begin = begin, .show = show, .ctx = w };
	word_list names = { NULL, 0, 0 };
	struct err err = ERR_INIT;
	int status = kvm_stat_events(&names, &err);

	o.events = (const char *const *)names.v;
	w->stat.model.amd = is_amd_here();
	status = status < 0 ? cli_error(&err) : live_table_run(&o);
	kvm_free(w->kvm);
	words_release(&names);
	err_release(&err);
	return status;
}

int kvm_stat_live(int argc, const char **argv, void *ctx)
{
	static const char *const usage[] = { "[<options>] [<command>]", NULL };
	struct kvm_watch w = { .stat = { .kvm = *(struct kvm_cmd *)ctx, .model.vcpu = -1 },
			       .stream.threads = 1, .delay_ns = DELAY_S * NSEC_PER_SEC };
	const struct option_table tables[] = {
		{ live_options, &w }, cli_output_group(&w.stat.data),
		cli_common_group(&w.stat.kvm.common), { 0 } };
	const struct cli_cmd cmd = { .name = "kvm stat live", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	struct err err = ERR_INIT;
	int n = cli_parse(&cmd, argc, argv), status;

	if (n < 0)
		return cli_status(n);
	status = kvm_stat_parse(&w.stat, &err) ? cli_error(&err) : watch(&w, n ? argv : NULL);
	vec_free(&w.stat.pid_list);
	err_release(&err);
	return status;
}
