// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/live.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/base/hash.h"
#include "util/os/procfs.h"
#include "util/os/uevent.h"

/* 8 MB lost 7% of a million calls a second, 16 MB nothing */
#define RING_BYTES (16u << 20)
#define ALL_BYTES (512u << 20)		/* of memory for all rings together */
#define LEAST_BYTES (128u << 10)
#define BATCH 512

/* ---- opening ---- */

static int map_rings(struct live *l, struct err *err)
{
	const size_t n = MAX(l->list->cpus.n, l->list->tids.n);
	const u64 most = l->o.buffers.most_bytes ? l->o.buffers.most_bytes : RING_BYTES;
	u64 bytes = LEAST_BYTES;
	int ret;

	if (l->o.buffers.ring_pages)
		return rings_map(&l->rings, l->list, l->os, l->o.buffers.ring_pages, 0, err);
	while (bytes * 2 <= MIN(most, (u64)ALL_BYTES / MAX(n, (size_t)1)))
		bytes *= 2;
	for (;; bytes /= 2) {
		ret = rings_map(&l->rings, l->list, l->os, (unsigned)(bytes / l->os->page_bytes), 0,
				err);
		if ((ret != -EPERM && ret != -ENOMEM) || bytes <= LEAST_BYTES)
			return ret;
		rings_release(&l->rings);
		err_release(err);
	}
}

static int enable_sideband(const struct live *l, struct err *err)
{
	int ret = event_list_switch(l->list, true, true);

	return ret ? err_sys(err, -ret, "cannot enable the side-band event") : 0;
}

static void init_cursors(struct live *l)
{
	l->time_word = wire_sample_time_pos(&l->list->events.v[0]->attr);
	l->cursors = xcalloc(l->rings.slots.n, sizeof(*l->cursors));
	for (size_t i = 0; i < l->rings.slots.n; i++)
		l->cursors[i].at = l->rings.slots.v[i].ring.tail;
}

int live_open(struct live *l, struct event_list *list, const struct record_opts *o, pid_t workload,
	      struct os *os, struct err *err)
{
	struct target *target;
	int ret;

	*l = (struct live){ .list = list, .o = *o, .os = os, .workload = workload, .cpu_fd = -1 };
	target = &l->o.target;
	target->per_cpu = true;
	l->o.sampling.for_filters = true;
	ret = record_watch_user(list, &l->o, &l->only_now, err);
	if (!ret)
		ret = record_configure(list, &l->o, os, err);
	if (!ret)
		ret = target_resolve(target, os, err);
	if (ret == -ESRCH && l->only_now.msg)
		err_hint(err, "only processes that are there can be watched: %s", l->only_now.msg);
	if (ret)
		return ret;
	if (workload)
		vec_push(&target->tids, workload);
	l->policy = (struct open_policy){
		.use = OPEN_SAMPLE, .target = target, .workload = workload,
			.enable_on_exec = workload && !o->when.start_disabled,
		.inherit = !o->scope.no_inherit && target->tids.n && target->tids.v[0] != -1,
		.allow_fallback = true,
	};
	if (target->system_wide || target->cpu_list)
		l->cpu_fd = os_uevent_cpus(os);
	ret = event_list_open(list, &l->policy, os, &l->opened, err);
	if (!ret)
		ret = filters_new(&l->filters, list, os, err);
	if (!ret)
		ret = map_rings(l, err);
	if (!ret)
		ret = enable_sideband(l, err);
	if (!ret)
		init_cursors(l);
	return ret;
}

void live_close(struct live *l)
{
	for (size_t i = 0; l->cursors && i < l->rings.slots.n; i++)
		free(l->cursors[i].split);
	free(l->cursors);
	filters_free(l->filters);
	modules_free(l->modules);
	rings_release(&l->rings);
	if (l->list && l->cpu_fd >= 0)
		close(l->cpu_fd);
	if (l->list)
		event_list_close(l->list);
	open_report_release(&l->opened);
	err_release(&l->only_now);
	target_release(&l->o.target);
	*l = (struct live){ .list = NULL };
}

static int follow_cpu(struct live *l, int cpu, struct err *err)
{
	event_gone_vec gone = { NULL, 0, 0 };
	const size_t n = l->rings.slots.n;
	int ret = event_list_reopen_cpu(l->list, cpu, &l->policy, l->os, &gone, err);

	if (!ret)
		ret = rings_follow_cpu(&l->rings, l->list, l->os, cpu, err);
	if (!ret)
		ret = filters_attach(l->filters, err);
	l->cursors = xreallocarray(l->cursors, l->rings.slots.n, sizeof(*l->cursors));
	for (size_t i = n; i < l->rings.slots.n; i++)
		l->cursors[i] = (struct live_cursor){ .at = l->rings.slots.v[i].ring.tail };
	for vec_each(g, &gone)
		if (g->fd >= 0)
			close(g->fd);
	vec_free(&gone);
	return ret ? ret : enable_sideband(l, err);
}

bool live_follow_cpus(struct live *l, void (*said)(void *ctx, const char *text), void *ctx)
{
	struct os_cpu_event e;
	bool any = false;

	while (l->cpu_fd >= 0 && os_uevent_next_cpu(l->cpu_fd, &e)) {
		struct err reason = ERR_INIT;
		int ret = e.online ? follow_cpu(l, e.cpu, &reason) : 0;

		any |= e.online;
		if (ret && ret != -ENOENT && ret != -ENODEV) {
			err_prefix(&reason, "CPU %d is online, but from here on its events are "
					    "missing", e.cpu);
			said(ctx, reason.msg);
		}
		err_release(&reason);
	}
	return any;
}

/* ---- what was there before ---- */

static int synth_targets(struct live *l, struct synth *y)
{
	struct hmap seen = { NULL, NULL, 0, 0 };
	int ret = 0;

	for (size_t i = 0; i < l->list->tids.n && !ret; i++) {
		struct procfs_status st;

		if (procfs_status(l->os, l->list->tids.v[i], &st, NULL) ||
		    hmap_get(&seen, (u64)st.tgid))
			continue;
		hmap_put(&seen, (u64)st.tgid, l);
		ret = synth_process(y, st.tgid, NULL);
		if (ret == -ESRCH || ret == -ENOENT)
			ret = 0;
	}
	hmap_release(&seen);
	return ret;
}

int live_before(struct live *l, bool maps, synth_emit emit, void *ctx, struct err *err)
{
	struct synth y = {
		.os = l->os, .attr = &l->list->events.v[0]->attr, .emit = emit, .ctx = ctx,
			.no_maps = !maps, .build_ids = maps,
		.maps_timeout_ms = (unsigned)MAX(l->o.sideband.proc_map_timeout_ms, 0),
		.data_maps = l->o.sampling.addr, .namespaces = l->o.sideband.namespaces,
	};
	int ret;

	if (maps)		/* begins before what is there is read */
		l->modules = modules_new(l->os);
	ret = maps ? synth_kernel(&y) : 0;
	if (!ret && l->o.sideband.all_cgroups)
		ret = synth_cgroups(&y, err);
	if (!ret && l->workload)
		ret = synth_comm(&y, l->workload, "perf-exec");
	else if (!ret)
		ret = l->list->tids.v[0] < 0 ? synth_tasks(&y, err) : synth_targets(l, &y);
	l->kernel_hidden = y.kernel_hidden;
	synth_release(&y);
	return ret;
}

/* ---- modules ---- */

struct following { struct live *l; live_fn fn; void *ctx; struct synth synth; };

/* Not before what was handed out: it is of that time that nothing else was there. */
static int put_mapping(void *ctx, const struct perf_event_header *rec)
{
	const struct following *f = ctx;
	const struct wire_timed r = { rec, MAX(f->synth.time_ns, f->l->passed_ns) };

	f->fn(f->ctx, &r, 1);
	return 0;
}

void live_follow_modules(struct live *l, live_fn fn, void *ctx)
{
	struct following f = { l, fn, ctx, {
		.os = l->os, .attr = &l->list->events.v[0]->attr, .emit = put_mapping,
		.build_ids = true,
	} };

	if (!l->modules || !modules_changed(l->modules, l->passed_ns))
		return;
	f.synth.ctx = &f;
	modules_update(l->modules, &f.synth, l->passed_ns);
	synth_release(&f.synth);
}

int live_modules_fd(const struct live *l)
{
	return l->modules ? modules_fd(l->modules) : -1;
}

/* ---- reading ---- */

static u64 time_in(const struct live *l, const struct perf_event_header *h, u64 last_ns)
{
	struct sample_id id;
	const char *reason;
	u64 t;

	if (h->type == PERF_RECORD_SAMPLE) {
		if (sizeof(*h) + (size_t)(l->time_word + 1) * sizeof(t) > h->size)
			return last_ns;
		memcpy(&t, (const char *)(h + 1) + (size_t)l->time_word * sizeof(t), sizeof(t));
		return t;
	}
	if (wire_decode_id(&l->list->events.v[0]->attr, h, &id, &reason) ||
	    !(id.present & PERF_SAMPLE_TIME))
		return last_ns;
	return id.time_ns;
}

/* None is of the future: a ring would wait for it, and lose what comes. */
static u64 time_of(const struct live *l, const struct perf_event_header *h, u64 last_ns)
{
	const u64 t = time_in(l, h, last_ns);

	return t > l->now_ns ? last_ns : t;
}

/* A record that wraps around is copied; there is at most one between two positions of a ring. */
static const struct perf_event_header *whole(struct live_cursor *c, const struct ring *r,
					     const u8 *data)
{
	const size_t at = c->at & (r->data_bytes - 1), first = r->data_bytes - at;
	const struct perf_event_header *h = (const void *)(data + at);
	const size_t size = h->size;

	if (size <= first)
		return h;
	if (c->split_bytes < size) {
		c->split = xrealloc(c->split, 65536);
		c->split_bytes = 65536;
	}
	memcpy(c->split, data + at, first);
	memcpy(c->split + first, data, size - first);
	return (const void *)c->split;
}

static void look(const struct live *l, size_t i)
{
	struct live_cursor *c = &l->cursors[i];
	const struct ring *r = &l->rings.slots.v[i].ring;
	const u8 *data = (const u8 *)r->base +
		((const struct perf_event_mmap_page *)r->base)->data_offset;
	const struct perf_event_header *h = (const void *)(data + (c->at & (r->data_bytes - 1)));

	c->hdr = NULL;
	if (c->head - c->at < sizeof(*h) || h->size < sizeof(*h) || h->size > c->head - c->at)
		return;		/* a record's size is a multiple of 8: its header never wraps */
	c->hdr = whole(c, r, data);
	c->time_ns = c->last_ns = time_of(l, c->hdr, c->last_ns);
}

/* The ring with the oldest record, and how far it may be read before another one has the oldest. */
static int oldest(const struct live *l, u64 bound_ns, u64 *until_ns)
{
	int best = -1;

	*until_ns = bound_ns;
	for (size_t i = 0; i < l->rings.slots.n; i++) {
		const struct live_cursor *c = &l->cursors[i];

		if (!c->hdr)
			continue;
		if (best < 0 || c->time_ns < l->cursors[best].time_ns) {
			if (best >= 0)
				*until_ns = MIN(*until_ns, l->cursors[best].time_ns);
			best = (int)i;
		} else {
			*until_ns = MIN(*until_ns, c->time_ns);
		}
	}
	return best >= 0 && l->cursors[best].time_ns < bound_ns ? best : -1;
}

struct batch { struct live *l; live_fn fn; void *ctx; struct wire_timed recs[BATCH]; size_t n;
	       bool stopped; };

/* What the rings held up to the cursors is free afterwards. */
static void hand_out(struct batch *b)
{
	if (b->n && !b->stopped)
		b->stopped = !b->fn(b->ctx, b->recs, b->n);
	b->n = 0;
	for (size_t i = 0; i < b->l->rings.slots.n; i++)
		if (b->l->rings.slots.v[i].ring.tail != b->l->cursors[i].at)
			rings_free_to(&b->l->rings.slots.v[i], b->l->cursors[i].at);
}

void live_pass(struct live *l, u64 bound_ns, live_fn fn, void *ctx)
{
	struct batch b = { .l = l, .fn = fn, .ctx = ctx };
	u64 until_ns;
	int i;

	for (size_t k = 0; k < l->rings.slots.n; k++)
		l->cursors[k].head = rings_head(&l->rings.slots.v[k]);
	l->now_ns = os_now_ns();
	for (size_t k = 0; k < l->rings.slots.n; k++)
		look(l, k);
	while ((i = oldest(l, bound_ns, &until_ns)) >= 0) {
		struct live_cursor *c = &l->cursors[i];

		do {
			b.recs[b.n++] = (struct wire_timed){ c->hdr, c->time_ns };
			c->at += c->hdr->size;
			/* the copy of one that wraps is made once: the next one would overwrite
			 * it */
			if (b.n == BATCH || (c->hdr == (const void *)c->split && c->hdr))
				hand_out(&b);
			look(l, (size_t)i);
		} while (c->hdr && c->time_ns <= until_ns && c->time_ns < bound_ns);
	}
	hand_out(&b);
	l->passed_ns = MIN(bound_ns, l->now_ns);
}

u64 live_lost(const struct live *l)
{
	u64 all = 0;

	for vec_each(p, &l->list->events) {
		const struct event *e = *p;

		for (int k = 0; !e->dummy && e->fds && k < e->n_threads * e->n_cpus; k++) {
			u64 buf[16], n = 0, on, run;
			struct wire_value v[4];
			ssize_t got = e->fds[k] < 0 ? 0 : read(e->fds[k], buf, sizeof(buf));

			if (got > 0 && !wire_read_values(e->attr.read_format,
							 (struct span){ (u8 *)buf, (size_t)got }, v,
							 4, &n, &on,
							 &run) && n)
				all += v[0].lost;
		}
	}
	return all;
}
