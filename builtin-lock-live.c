// SPDX-License-Identifier: GPL-2.0-or-later
// perf lock contention -b: waits for the kernel's locks, summed up by BPF programs as they happen.
#include <errno.h>

#include "builtin-lock.h"
#include "util/bpf/lockstat.h"
#include "util/cli/error.h"
#include "util/os/cgroup.h"
#include "util/session/live-whom.h"

enum { PROGRAM_FRAMES = 3 };	/* of the BPF program and what calls it */

struct run {
	struct lock_cmd *c;
	struct live_session live;
	struct lockstat *stat;
	struct lockstat_missing missing;
	struct live_sums sums;
	struct lock_model *model;
};

/* Filters of names are asked here: what they look at is kept apart. */
static u32 parts_of(const struct lock_cmd *c)
{
	static const u32 by[] = {
		[LOCK_BY_CALLER] = LOCKREC_STACK, [LOCK_BY_TASK] = LOCKREC_TASK,
		[LOCK_BY_LOCK] = LOCKREC_ADDR, [LOCK_BY_OWNER] = LOCKREC_OWNER,
		[LOCK_BY_CGROUP] = LOCKREC_CGROUP,
	};

	return by[c->opts.by] | (c->opts.locks ? LOCKREC_ADDR : 0) |
		(c->opts.callers ? LOCKREC_STACK : 0) | (c->by_owner ? LOCKREC_OWNER : 0) |
		(c->opts.percentiles ? LOCKREC_TIMES : 0);
}

u32 lock_table_size(u64 n)
{
	u32 p = n ? 1 : 0;

	while (p < n)
		p *= 2;
	return p;
}

static int open_programs(struct run *r, struct err *err)
{
	const struct lock_cmd *c = r->c;
	const int max = c->opts.max_stack;
	struct lockstat_opts o = {
		.parts = parts_of(c), .n_entries = lock_table_size(c->live.n_entries),
		.n_frames = max && max < LOCKREC_MAX_FRAMES - PROGRAM_FRAMES ?
			(u32)max + PROGRAM_FRAMES : LOCKREC_MAX_FRAMES,
	};
	struct live_whom w;
	int ret = lock_types_mask(c->opts.types, &o.types, err);

	if (ret)
		return ret;
	ret = live_whom_find(&r->live, c->live.cgroups, &w, err);
	o.scope = live_whom_scope(&w);
	if (!ret)
		ret = lockstat_open(&r->stat, &o, &r->live.os, err);
	live_whom_release(&w);
	return ret;
}

static int watch(struct run *r, struct err *err)
{
	int ret;

	lockstat_switch(r->stat, true);
	ret = live_session_run(&r->live, NULL, 0, err);
	lockstat_stop(r->stat);
	lockstat_missing(r->stat, &r->missing);
	return ret;
}

/* --- what came out */

static char *cgroup_name(void *ctx, u64 id)
{
	return os_cgroup2_path(ctx, id);
}

static int put(void *ctx, const struct lockstat_sum *s)
{
	struct run *r = ctx;
	struct { struct lockrec rec; struct ns_hist hist; } raw = { .rec = s->rec };

	if (s->hist)
		raw.hist = *s->hist;
	return live_sums_put(&r->sums, (struct span){ (const u8 *)&raw, s->hist ? sizeof(raw) :
			     sizeof(raw.rec) }, s->frames, s->n_frames);
}

static int sum_up(struct run *r, struct err *err)
{
	struct lock_cmd *c = r->c;
	const struct stream_opts so = { .threads = 1, .symbols = c->in.symbols, .no_inline = true };
	int ret;

	c->opts.cgroup = cgroup_name;
	c->opts.ctx = &r->live.os;
	r->model = lock_new(&c->opts, NULL, false, err);
	if (!r->model)
		return -EINVAL;
	ret = live_sums_open(&r->sums, LOCK_SUMS_EVENT, &r->live.os, &so, lock_sink(r->model), err);
	if (!ret && lockstat_each(r->stat, put, r))
		ret = err_set(err, EINVAL, "the sums of the BPF programs cannot be read");
	return ret;
}

/* As other versions of perf show it. */
static void add_failures(const struct run *r, struct str *out)
{
	const struct lockstat_missing *m = &r->missing;
	const u64 bad = m->lost.n_waits + m->lost.n_sums + m->n_missed,
		total = lock_get_stats(r->model)->n_waits + bad;
	const struct { const char *name; u64 n; } why[] = {
		{ "task", m->lost.n_waits }, { "stack", m->lost.n_stacks }, { "time", m->n_missed },
		{ "data", m->lost.n_sums },
	};

	if (r->c->view.sep) {
		str_addf(out, "# debug: total=%llu%s bad=%llu", (unsigned long long)total,
			 r->c->view.sep, (unsigned long long)bad);
		for (size_t i = 0; i < ARRAY_SIZE(why); i++)
			str_addf(out, "%s bad_%s=%llu", r->c->view.sep, why[i].name,
				 (unsigned long long)why[i].n);
		str_addch(out, '\n');
		return;
	}
	str_addf(out, "\n=== output for debug ===\n\nbad: %llu, total: %llu\nbad rate: %.2f %%\n"
		      "histogram of failure reasons\n", (unsigned long long)bad,
		 (unsigned long long)total, total ? 100.0 * (double)bad / (double)total : 0.0);
	for (size_t i = 0; i < ARRAY_SIZE(why); i++)
		str_addf(out, " %10s: %llu\n", why[i].name, (unsigned long long)why[i].n);
}

static void tell_missing(const struct run *r)
{
	const struct lockstat_missing *m = &r->missing;

	lock_tell_lost_sums(m->lost.n_sums, m->lost.sums_ns);
	if (m->lost.n_waits)
		cli_warn("%llu waits are missing: too many tasks waited at once (a larger -M "
			 "helps)", (unsigned long long)m->lost.n_waits);
	if (m->lost.n_stacks)
		cli_warn("%llu waits are counted without their caller: there are more different "
			 "ones than there is room for (a larger -M helps)",
			 (unsigned long long)m->lost.n_stacks);
	if (m->lost.n_steps)
		cli_warn("%llu waits are missing in the percentiles, for which there was no room "
			 "(a larger -M helps)", (unsigned long long)m->lost.n_steps);
	if (m->n_missed)
		cli_warn("%llu beginnings or ends of waits were not seen: they came in an "
			 "interrupt while another one was being counted",
			 (unsigned long long)m->n_missed);
	lock_tell_unseen(m->n_unwatched, m->n_unended);
}

static int show(struct run *r, struct err *err)
{
	const struct lock_cmd *c = r->c;
	const bool data = table_output_data(&c->data);
	struct str text = STR_INIT;
	int ret;

	lock_draw(c, r->model, true, &text);
	if (c->view.stacks && !data)
		add_failures(r, &text);
	ret = lock_write(&c->in, &text, data, err);
	if (!c->in.common.quiet)
		tell_missing(r);
	str_release(&text);
	return ret;
}

int lock_contention_live(struct lock_cmd *c, const char **argv)
{
	const struct live_session_opts o = { .target = c->live.target,
					     .argv = *argv ? argv : NULL };
	struct run r = { .c = c };
	struct err err = ERR_INIT;
	int ret = live_session_open(&r.live, &o, &err), status;

	if (!ret)
		ret = open_programs(&r, &err);
	if (!ret)
		ret = watch(&r, &err);
	if (!ret)
		ret = sum_up(&r, &err);
	if (!ret)
		ret = show(&r, &err);
	live_sums_close(&r.sums);
	lock_free(r.model);
	lockstat_close(r.stat);
	status = live_session_close(&r.live);
	if (ret)
		status = cli_error(&err);
	err_release(&err);
	return status;
}
