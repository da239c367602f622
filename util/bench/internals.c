// SPDX-License-Identifier: GPL-2.0-or-later
// internals: what perf itself does at the beginning of a command.
#include "util/bench/bench-priv.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/os/target.h"
#include "util/record/synth.h"
#include "util/symbols/kallsyms.h"

static int check_iterations(int n, struct err *err)
{
	return n > 0 ? 0 : err_set(err, EINVAL, "-i %d: at least one iteration is needed", n);
}

static void print_usec(const struct bench *b, const char *what, const struct stat_spread *us)
{
	fprintf(b->out, "  Average %s took: %.3f usec (+- %.3f usec)\n", what, us->mean,
		stat_spread_error(us));
}

/* ---- records of a process ---- */

static int drop_record(void *ctx, const struct perf_event_header *rec)
{
	(void)ctx;
	(void)rec;
	return 0;
}

static int synthesize(const struct bench *b, int n, bool data_maps, struct err *err)
{
	struct stat_spread us = { 0 }, events = { 0 };
	int ret = 0;

	for (int i = 0; i < n && !ret; i++) {
		struct synth s = { .os = b->os, .emit = drop_record, .data_maps = data_maps };
		const u64 from = bench_now_us();

		ret = synth_process(&s, getpid(), err);
		stat_spread_add(&us, (double)(bench_now_us() - from));
		stat_spread_add(&events, (double)s.n_records);
		synth_release(&s);
	}
	if (ret)
		return ret;
	print_usec(b, data_maps ? "data synthesis" : "synthesis", &us);
	fprintf(b->out, "  Average num. events: %.3f (+- %.3f)\n", events.mean,
		stat_spread_error(&events));
	fprintf(b->out, "  Average time per event %.3f usec\n",
		events.mean > 0 ? us.mean / events.mean : 0);
	return 0;
}

int bench_synthesize(struct bench *b, const void *opts, struct err *err)
{
	const struct bench_internals_opts *o = opts;
	int ret = check_iterations(o->iterations, err);

	if (ret)
		return ret;
	fprintf(b->out, "Computing performance of single threaded perf event synthesis by\n"
			"synthesizing events on the perf process itself:\n");
	ret = synthesize(b, o->iterations, false, err);
	return ret ? ret : synthesize(b, o->iterations, true, err);
}

/* ---- /proc/kallsyms ---- */

static int drop_symbol(void *ctx, const struct kallsym *s)
{
	(void)ctx;
	(void)s;
	return 0;
}

int bench_kallsyms_parse(struct bench *b, const void *opts, struct err *err)
{
	const struct bench_internals_opts *o = opts;
	struct stat_spread ms = { 0 };
	int ret = check_iterations(o->iterations, err);

	for (int i = 0; i < o->iterations && !ret; i++) {
		struct str text = STR_INIT;
		const u64 from = bench_now_us();
		u64 n_bad;

		ret = os_read_file(b->os, "/proc/kallsyms", &text, err);
		if (!ret && text.len)
			kallsyms_parse(text.buf, text.len, drop_symbol, NULL, &n_bad);
		stat_spread_add(&ms, (double)(bench_now_us() - from) / 1000);
		str_release(&text);
	}
	if (!ret)
		fprintf(b->out, "  Average kallsyms__parse took: %.3f ms (+- %.3f ms)\n", ms.mean,
			stat_spread_error(&ms));
	return ret;
}

/* ---- sysfs ---- */

int bench_pmu_scan(struct bench *b, const void *opts, struct err *err)
{
	const struct bench_internals_opts *o = opts;
	struct stat_spread core = { 0 }, all = { 0 };
	int ret = check_iterations(o->iterations, err);

	if (ret)
		return ret;
	fprintf(b->out, "Computing performance of sysfs PMU event scan for %d times\n",
		o->iterations);
	for (int i = 0; i < o->iterations; i++) {
		u64 from = bench_now_us();
		struct pmu_db *db = pmu_db_new(b->os);

		event_is_there("cycles", b->os, db);
		stat_spread_add(&core, (double)(bench_now_us() - from));
		pmu_db_free(db);
		from = bench_now_us();
		db = pmu_db_new(b->os);
		event_is_there("no-such-event-of-any-pmu", b->os, db);
		stat_spread_add(&all, (double)(bench_now_us() - from));
		pmu_db_free(db);
	}
	print_usec(b, "core PMU scanning", &core);
	print_usec(b, "PMU scanning", &all);
	return 0;
}

/* ---- events ---- */

struct open_run { struct bench *b; const struct bench_open_opts *o; struct target target; };

static int fill_list(struct open_run *r, struct event_list *l, struct err *err)
{
	struct pmu_db *db = pmu_db_new(r->b->os);
	int ret = 0;

	for (int i = 0; i < r->o->n_events && !ret; i++)
		ret = event_parse(l, r->o->event ? r->o->event : "dummy", r->b->os, db, err);
	pmu_db_free(db);
	return ret;
}

static int open_and_close(struct open_run *r, struct event_list *l, struct stat_spread *us,
			  struct err *err)
{
	const struct open_policy p = { .use = OPEN_COUNT, .target = &r->target,
				       .inherit = !r->target.per_thread };
	struct open_report report = { 0 };
	const u64 from = bench_now_us();
	int ret = event_list_open(l, &p, r->b->os, &report, err);

	if (!ret) {
		event_list_enable(l);
		event_list_close(l);
		stat_spread_add(us, (double)(bench_now_us() - from));
	}
	open_report_release(&report);
	return ret;
}

static int run_opens(struct open_run *r, struct err *err)
{
	struct stat_spread us = { 0 };
	struct event_list l;
	size_t n_fds;
	int ret;

	event_list_init(&l);
	ret = fill_list(r, &l, err);
	if (!ret) {
		n_fds = l.events.n * r->target.cpus.n * r->target.tids.n;
		fprintf(r->b->out, "  Number of cpus:\t%zu\n  Number of threads:\t%zu\n"
				   "  Number of events:\t%zu (%zu fds)\n"
				   "  Number of iterations:\t%d\n",
			r->target.cpus.n, r->target.tids.n, (size_t)l.events.n, n_fds,
			r->o->iterations);
		fflush(r->b->out);
		os_want_fds(n_fds + 64);
	}
	event_list_release(&l);
	for (int i = 0; i < r->o->iterations && !ret; i++) {
		event_list_init(&l);
		ret = fill_list(r, &l, err);
		ret = ret ? ret : open_and_close(r, &l, &us, err);
		event_list_release(&l);
	}
	if (!ret)
		print_usec(r->b, "open-close", &us);
	return ret;
}

int bench_open_close(struct bench *b, const void *opts, struct err *err)
{
	const struct bench_open_opts *o = opts;
	struct open_run r = { b, o, { 0 } };
	int ret = check_iterations(o->iterations, err);
	char *self = xasprintf("%d", getpid());

	r.target.pid = o->pid;
	r.target.tid = o->tid;
	r.target.cpu_list = o->cpu_list;
	r.target.user = o->user;
	r.target.system_wide = o->system_wide;
	r.target.per_thread = o->per_thread;
	r.target.per_cpu = !o->per_thread;
	if (!o->pid && !o->tid && !o->user && !o->system_wide && !o->cpu_list)
		r.target.pid = self;
	ret = ret ? ret : target_resolve(&r.target, b->os, err);
	ret = ret ? ret : run_opens(&r, err);
	target_release(&r.target);
	free(self);
	return ret;
}
