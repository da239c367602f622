// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/off-time.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/num.h"
#include "util/bpf/offcpu.h"
#include "util/os/kernel.h"
#include "util/os/module-watch.h"
#include "util/wire/scoperec.h"

#define NS_PER_MS 1000000ULL
#define MAX_RECORD (1024 + 8 * OFFCPU_MAX_FRAMES)

struct off_time {
	struct offcpu *programs;
	const struct event *event;
	const struct os *os;
	u64 thresh_ns;
	/* of a key's hash: struct written of the last file, owned */
	struct hmap written;
	/* NULL: stacks come by frame pointers */
	struct live_unwind *live;
	struct hmap lessons;		/* id -> struct lesson *, owned */
	u64 clock_off_ns, clock_at_ns;	/* perf's clock minus the programs', and when that was so */
	/* while something is written */
	struct output *out;
	u64 *data_bytes;
	struct err *err;
};

/* A stack that was unwound here. */
struct lesson { int n; u64 frames[OFFCPU_MAX_FRAMES]; };
struct written { struct offcpu_key key; u64 ns; struct written *next; };

int record_parse_off_cpu(struct record_off_cpu *o, const char *text, struct err *err)
{
	o->on = true;
	if (!text || parse_duration(text, NS_PER_MS, &o->thresh_ns))
		return 0;
	err_set(err, EINVAL, "'%s' is not how long a block lasts that is written at once", text);
	err_hint(err, "a number of milliseconds (%llu unless given), or with a unit: 2s, 100us",
		 (unsigned long long)(RECORD_OFF_CPU_THRESH_NS / NS_PER_MS));
	return -EINVAL;
}

void off_time_add_event(struct event_list *list, const struct record_opts *o)
{
	struct perf_event_attr a = {
		.size = sizeof(a), .type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_BPF_OUTPUT, .sample_period = 1, .sample_id_all = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN,
		.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST,
		.exclude_callchain_kernel = 1,
	};

	if (o->sampling.clockid != RECORD_NO_CLOCKID) {
		a.use_clockid = 1;
		a.clockid = o->sampling.clockid;
	}
	event_list_add(list, &a, OFF_CPU_EVENT);
}

static int check(const struct record_opts *o, struct err *err)
{
	if (o->buffers.overwrite)
		return err_set(err, ENOTSUP, "--off-cpu writes as it goes: it does not go with "
			       "--overwrite");
	return 0;
}

/* Each once. */
static int find_cgroups(const struct event_list *list, int_vec *fds, struct err *err)
{
	for vec_each(p, &list->events) {
		bool known = !(*p)->cgroup;

		for (const struct event *const *q = (void *)list->events.v; !known && *q != *p; q++)
			known = (*q)->cgroup && !strcmp((*q)->cgroup, (*p)->cgroup);
		if (!known)
			vec_push(fds, (*p)->cgroup_fd);
	}
	return fds->n <= SCOPE_MAX_CGROUPS ? 0 :
		err_set(err, E2BIG, "off-CPU time is measured of at most %d cgroups",
			SCOPE_MAX_CGROUPS);
}

int off_time_new(struct off_time **out, const struct off_time_of *of, const struct os *os,
		 struct err *err)
{
	const struct record_opts *o = of->o;
	const struct target *t = &o->target;
	const bool all = t->tids.n && t->tids.v[0] < 0;
	struct offcpu_opts bo = {
		.tids = all ? NULL : &t->tids, .held = of->held,
		.inherit = !o->scope.no_inherit && !t->per_thread,
		.cpus = t->cpu_list ? &t->cpus : NULL,
		.stacks = of->live ? live_unwind_program(of->live) : NULL,
		.by_uid = t->uid_program > 0, .thresh_ns = o->off_cpu.thresh_ns,
	};
	const struct event *e = event_list_named(of->list, OFF_CPU_EVENT);
	struct off_time *c;
	int ret = check(o, err);
	int_vec cgroups = { NULL, 0, 0 };
	u64 dev;

	*out = NULL;
	if (!os_inner_pids(&dev, &bo.pid_ns))
		bo.pid_ns = 0;
	if (!ret)
		ret = find_cgroups(of->list, &cgroups, err);
	if (cgroups.n)
		bo.cgroup_fds = &cgroups;
	if (!ret && bo.by_uid)
		ret = target_find_user(t->user, &bo.uid, err);
	if (ret)
		goto out;
	c = xnew(struct off_time);
	c->event = e;
	c->os = os;
	c->live = bo.stacks ? of->live : NULL;
	c->thresh_ns = o->off_cpu.thresh_ns;
	ret = offcpu_open(&c->programs, &bo, os, err);
	if (!ret && !(e && e->n_ids))
		ret = err_set(err, EINVAL, "the event " OFF_CPU_EVENT " is not open");
	if (ret)
		off_time_free(c);
	else
		*out = c;
out:
	vec_free(&cgroups);
	return ret;
}

void off_time_free(struct off_time *c)
{
	if (!c)
		return;
	for hmap_each(i, &c->written)
		for (struct written *w = c->written.vals[i], *next; w; w = next) {
			next = w->next;
			free(w);
		}
	hmap_release(&c->written);
	for hmap_each(i, &c->lessons)
		free(c->lessons.vals[i]);
	hmap_release(&c->lessons);
	offcpu_close(c->programs);
	free(c);
}

void off_time_switch(struct off_time *c, bool on)
{
	offcpu_switch(c->programs, on);
}

int off_time_fd(const struct off_time *c)
{
	return offcpu_fd(c->programs);
}

void off_time_result(const struct off_time *c, struct record_result *res)
{
	const struct offcpu_lost lost = offcpu_lost(c->programs);

	res->n_blocks_lost = lost.n;
	res->blocks_lost_ns = lost.ns;
}

/* ---- writing ---- */

static u64 perf_time(struct off_time *c, u64 mono_ns)
{
	const u64 now = os_now_ns();

	if (!c->clock_at_ns || now - c->clock_at_ns > NSEC_PER_SEC) {
		const u64 t = os_perf_time(c->os, &c->event->attr, now);

		c->clock_off_ns = t ? t - now : c->clock_off_ns;
		c->clock_at_ns = now;
	}
	return mono_ns + c->clock_off_ns;
}

static u64 lesson_key(u64 id, u32 tid)
{
	return hash_u64(id) ^ tid;
}

static int learn(void *ctx, const struct offcpu_lesson *l)
{
	struct off_time *c = ctx;
	const u64 key = lesson_key(l->id, l->tid);
	struct lesson *stack = hmap_get(&c->lessons, key);

	if (!stack)
		stack = xnew(struct lesson);
	stack->n = live_unwind_lesson(c->live, l, perf_time(c, os_now_ns()), stack->frames,
				      OFFCPU_MAX_FRAMES);
	hmap_put(&c->lessons, key, stack);
	return 0;
}

/* As it was unwound here, or by the program. */
static u64 stack_of(const struct off_time *c, const struct offcpu_sum *s, const u64 **frames)
{
	const struct lesson *l = c->live ? hmap_get(&c->lessons, lesson_key(s->hash, s->tid)) :
		NULL;

	*frames = l && l->n ? l->frames : (const u64 *)s->frames;
	return l && l->n ? (u64)l->n : MIN(s->n_frames, (u32)OFFCPU_MAX_FRAMES);
}

static int write_sample(struct off_time *c, const struct offcpu_sum *s, u64 ns, u64 time_ns)
{
	u64 chain[1 + OFFCPU_MAX_FRAMES] = { PERF_CONTEXT_USER }, rec[MAX_RECORD / 8];
	const u64 *frames;
	const u64 n = stack_of(c, s, &frames);
	const struct sample smp = {
		.present = c->event->attr.sample_type, .id = c->event->ids[0],
		.time_ns = time_ns, .ip = n ? frames[0] : 0, .period = ns,
		.pid = s->tgid, .tid = s->tid, .cpu = s->cpu,
		.misc = PERF_RECORD_MISC_USER, .cpumode = PERF_RECORD_MISC_USER,
		.chain = chain, .chain_n = 1 + n,
	};
	int bytes;

	memcpy(chain + 1, frames, n * sizeof(*chain));
	bytes = wire_encode_sample(&c->event->attr, &smp, rec, sizeof(rec));
	if (bytes < 0)
		return err_set(c->err, -bytes, "cannot write a sample of " OFF_CPU_EVENT);
	if (time_ns == OFFCPU_SUMS_NS)
		c->out->scan.n_samples++;	/* no time that the file covers */
	else
		output_scan_sample(&c->out->scan, time_ns, NULL, 0);
	for (u64 i = 0; i < n; i++)
		output_scan_address(&c->out->scan, frames[i]);
	if (c->data_bytes)
		*c->data_bytes += (u64)bytes;
	return output_write_seen(c->out, (struct span){ (const u8 *)rec, (size_t)bytes },
				 (struct span){ NULL, 0 }, c->err);
}

static int write_block(void *ctx, const struct offcpu_sum *s)
{
	struct off_time *c = ctx;

	return write_sample(c, s, s->ns, perf_time(c, s->last_ns));
}

/* What goes on when the recording ends. */
static int write_open(void *ctx, const struct offcpu_sum *s)
{
	struct off_time *c = ctx;

	return s->ns >= c->thresh_ns ? write_block(ctx, s) :
		write_sample(c, s, s->ns, OFFCPU_SUMS_NS);
}

/* Of the sum of this key: what other files have of it. */
static u64 *written_of(struct off_time *c, const struct offcpu_sum *s)
{
	const struct offcpu_key k = { .hash = s->hash, .tgid = s->tgid, .tid = s->tid,
				      .exec_id = s->exec_id };
	const u64 at = s->hash ^ ((u64)s->tid << 32 | s->exec_id);
	struct written *first = hmap_get(&c->written, at), *w = first;

	while (w && memcmp(&w->key, &k, sizeof(k)))
		w = w->next;
	if (!w) {
		w = xnew(struct written);
		w->key = k;
		w->next = first;
		hmap_put(&c->written, at, w);
	}
	return &w->ns;
}

static int write_sum(void *ctx, const struct offcpu_sum *s)
{
	struct off_time *c = ctx;
	u64 *before = written_of(c, s), ns = s->ns - *before;

	*before = s->ns;
	if (!ns)
		return 0;
	/* at the end its code is not there any more */
	return write_sample(c, s, ns, offcpu_is_replaced(c->programs, s) ?
			    perf_time(c, s->last_ns) : OFFCPU_SUMS_NS);
}

static void writing(struct off_time *c, struct output *out, u64 *data_bytes, struct err *err)
{
	c->out = out;
	c->data_bytes = data_bytes;
	c->err = err;
}

int off_time_pass(struct off_time *c, struct output *out, u64 *data_bytes, struct err *err)
{
	int ret;

	writing(c, out, data_bytes, err);
	ret = offcpu_learn(c->programs, learn, c);
	return ret ? ret : offcpu_drain(c->programs, write_block, c);
}

int off_time_write_sums(struct off_time *c, struct output *out, bool last, struct err *err)
{
	int ret = 0;

	writing(c, out, NULL, err);
	ret = offcpu_learn(c->programs, learn, c);
	if (!ret && last)
		ret = offcpu_stop(c->programs, c->os, write_open, c);
	if (!ret && last)
		ret = offcpu_drain(c->programs, write_block, c);
	return ret ? ret : offcpu_sums(c->programs, write_sum, c);
}
