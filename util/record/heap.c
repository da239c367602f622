// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/heap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/hash.h"
#include "util/base/num.h"
#include "util/base/words.h"
#include "util/bpf/heapprog.h"
#include "util/os/kernel.h"
#include "util/os/module-watch.h"
#include "util/os/procfs.h"
#include "util/record/heap-places.h"

#define MAX_RECORD (1024 + 8 * HEAP_MAX_FRAMES)

#define PASS_NS (3 * (NSEC_PER_SEC / 1000))

#define MOST_ENDED 1024		/* processes, until what they had is looked for */

struct heap_recorder {
	struct heapprog *programs;
	struct heap_places *places;
	const struct event *alloc, *free;
	const struct os *os;
	struct live_unwind *live;	/* NULL: the programs follow frame pointers */
	bool inner_pids;		/* of a namespace: the programs have others */
	struct hmap ended;		/* pids */
	u64 clock_off_ns, clock_at_ns;	/* perf's clock minus the programs', and when that was so */
	/* while something is written */
	struct output *out;
	u64 *data_bytes;
	u64 until_ns;		/* 0: until everything is written */
	struct err *err;
};

int record_parse_heap_period(struct record_heap *o, const char *text, struct err *err)
{
	u64 n = 0;

	if (parse_size(text, &n) && n && n <= HEAP_MAX_PERIOD) {
		o->period = n;
		return 0;
	}
	err_set(err, EINVAL, "'%s' is not a number of bytes to sample by", text);
	err_hint(err, "1 (each allocation) to 1G; 512K unless given");
	return -EINVAL;
}

void heap_recorder_add_events(struct event_list *list, const struct record_opts *o)
{
	struct perf_event_attr a = {
		.size = sizeof(a), .type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_BPF_OUTPUT, .sample_period = o->heap.period,
		.sample_id_all = 1, .exclude_callchain_kernel = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD | PERF_SAMPLE_WEIGHT,
		.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST,
	};

	/* what is mapped is to be known at once: its functions are to be probed */
	for vec_each(e, &list->events) {
		(*e)->attr.watermark = 1;
		(*e)->attr.wakeup_watermark = 1;
	}
	if (o->sampling.clockid != RECORD_NO_CLOCKID) {
		a.use_clockid = 1;
		a.clockid = o->sampling.clockid;
	}
	a.sample_type |= PERF_SAMPLE_CALLCHAIN;
	event_list_add(list, &a, HEAP_ALLOC_EVENT);
	a.sample_type &= ~(u64)PERF_SAMPLE_CALLCHAIN;
	event_list_add(list, &a, HEAP_FREE_EVENT);
}

static int check(const struct record_opts *o, struct err *err)
{
	const struct record_output *out = &o->output;
	const char *other = NULL;

	if (o->buffers.overwrite)
		other = "--overwrite";
	else if (out->switch_bytes || out->switch_ns || out->switch_on_signal)
		other = "--switch-output: a free and its allocation would be in two files";
	else if (o->target.cpu_list || o->target.user || o->target.per_thread)
		other = "-C, -u and --per-thread: memory is of processes";
	return other ? err_set(err, ENOTSUP, "heap recording does not go with %s", other) : 0;
}

static bool is_all(const struct target *t)
{
	return t->system_wide || (t->tids.n && t->tids.v[0] < 0);
}

static int add_libraries(struct heap_recorder *c, const char *list, struct err *err)
{
	word_list names = { NULL, 0, 0 };
	int ret = 0;

	words_split(list, &names);
	for (size_t i = 0; i < names.n && !ret; i++)
		ret = heap_places_add_library(c->places, names.v[i], err);
	words_release(&names);
	return ret;
}

int heap_recorder_new(struct heap_recorder **out, const struct heap_recorder_of *of,
		      const struct os *os, struct err *err)
{
	const struct record_opts *o = of->o;
	struct heapprog_opts po = {
		.period = o->heap.period, .way = (enum heapprog_way)o->heap.way,
		.stacks = of->live ? live_unwind_program(of->live) : NULL,
		.copies_stacks = of->live,
	};
	struct heap_recorder *c;
	int ret = check(o, err);

	*out = NULL;
	if (ret)
		return ret;
	if (!os_inner_pids(&po.pid_ns_dev, &po.pid_ns))
		po.pid_ns_dev = po.pid_ns = 0;
	c = xnew(struct heap_recorder);
	c->os = os;
	c->live = of->live;
	c->inner_pids = po.pid_ns;
	c->alloc = event_list_named(of->list, HEAP_ALLOC_EVENT);
	c->free = event_list_named(of->list, HEAP_FREE_EVENT);
	ret = heapprog_open(&c->programs, &po, os, err);
	if (!ret && !(c->alloc && c->alloc->n_ids && c->free && c->free->n_ids))
		ret = err_set(err, EINVAL, "the events of the heap are not open");
	if (ret) {
		heap_recorder_free(c);
		return ret;
	}
	c->places = heap_places_new(c->programs, os, is_all(&o->target));
	ret = add_libraries(c, o->heap.libraries, err);
	if (ret)
		heap_recorder_free(c);
	else
		*out = c;
	return ret;
}

void heap_recorder_free(struct heap_recorder *c)
{
	if (!c)
		return;
	heap_places_free(c->places);
	hmap_release(&c->ended);
	heapprog_close(c->programs);
	free(c);
}

int heap_recorder_add_command(struct heap_recorder *c, pid_t pid, const char *const *argv,
			      struct err *err)
{
	return heap_places_add_command(c->places, pid, argv, err);
}

void heap_recorder_sideband(void *ctx, const struct perf_event_header *rec)
{
	struct heap_recorder *c = ctx;
	struct wire_task t;
	const char *reason;

	heap_places_record(c->places, rec);
	if (rec->type == PERF_RECORD_EXIT && !c->inner_pids &&
	    !wire_decode_task(rec, &t, &reason) && t.pid == t.tid)
		hmap_put(&c->ended, t.pid, c);
}

/* Else a long recording of many processes fills the table. A number may be that of another process
 * by now. */
static void forget_ended(struct heap_recorder *c)
{
	struct hmap gone = { NULL, NULL, 0, 0 };

	for hmap_each(i, &c->ended)
		if (!procfs_has((pid_t)c->ended.keys[i]))
			hmap_put(&gone, c->ended.keys[i], c);
	heapprog_forget(c->programs, &gone);
	hmap_release(&gone);
	hmap_release(&c->ended);
	c->ended = (struct hmap){ NULL, NULL, 0, 0 };
}

void heap_recorder_switch(struct heap_recorder *c, bool on)
{
	heap_places_begin(c->places);
	heapprog_switch(c->programs, on);
}

int heap_recorder_fd(const struct heap_recorder *c)
{
	return heapprog_fd(c->programs);
}

u64 heap_recorder_lost(const struct heap_recorder *c, const struct event *e)
{
	const struct heap_lost lost = heapprog_lost(c->programs);

	return e == c->alloc ? lost.n_allocs + lost.n_full + lost.n_pending :
		e == c->free ? lost.n_frees : 0;
}

void heap_recorder_result(const struct heap_recorder *c, struct record_result *res)
{
	const struct heap_lost lost = heapprog_lost(c->programs);
	const struct heap_totals all = heapprog_totals(c->programs);
	const struct err *failure = heap_places_failure(c->places);
	const char *late;
	const u64 n_late = heap_places_late(c->places, &late);

	res->heap = (struct record_heap_result){
		.n_allocs = all.n_allocs, .bytes = all.bytes, .n_frees = all.n_frees,
		.n_lost = lost.n_allocs + lost.n_frees, .n_full = lost.n_full,
		.n_uncounted = lost.n_pending,
		.way = (int)heapprog_way(c->programs), .n_probed = heap_places_probed(c->places),
		.failure = failure ? xstrdup(failure->msg) : NULL,
		.n_late = n_late, .late = n_late ? xstrdup(late) : NULL,
	};
}

/* ---- writing ---- */

static u64 perf_time(struct heap_recorder *c, u64 mono_ns)
{
	const u64 now = os_now_ns();

	if (!c->clock_at_ns || now - c->clock_at_ns > NSEC_PER_SEC) {
		const u64 t = os_perf_time(c->os, &c->alloc->attr, now);

		c->clock_off_ns = t ? t - now : c->clock_off_ns;
		c->clock_at_ns = now;
	}
	return mono_ns + c->clock_off_ns;
}

static int write_sample(struct heap_recorder *c, const struct heap_rec *r, u64 time_ns,
			const u64 *frames, u64 n)
{
	const struct event *e = r->what == HEAP_RECORD_FREE ? c->free : c->alloc;
	u64 chain[1 + HEAP_MAX_FRAMES] = { PERF_CONTEXT_USER }, rec[MAX_RECORD / 8];
	const struct sample smp = {
		.present = e->attr.sample_type, .id = e->ids[0], .time_ns = time_ns,
		.ip = n ? frames[0] : r->ip, .addr = r->ptr, .period = r->weight,
		.weight = r->bytes, .pid = r->pid, .tid = r->tid,
		.misc = PERF_RECORD_MISC_USER, .cpumode = PERF_RECORD_MISC_USER,
		.chain = chain, .chain_n = 1 + n,
	};
	int bytes;

	if (n)
		memcpy(chain + 1, frames, n * sizeof(*chain));
	bytes = wire_encode_sample(&e->attr, &smp, rec, sizeof(rec));
	if (bytes < 0)
		return err_set(c->err, -bytes, "cannot write a sample of %s", e->name);
	output_scan_sample(&c->out->scan, time_ns, n ? chain + 1 : &smp.ip, n ? n : 1);
	if (c->data_bytes)
		*c->data_bytes += (u64)bytes;
	return output_write_seen(c->out, (struct span){ (const u8 *)rec, (size_t)bytes },
				 (struct span){ NULL, 0 }, c->err);
}

static int write_record(struct heap_recorder *c, const struct heap_rec *r)
{
	const u64 time_ns = perf_time(c, r->time_ns);
	u64 frames[HEAP_MAX_FRAMES] = { r->ip };
	int n = 1;

	if (r->what == HEAP_RECORD_FREE)
		return write_sample(c, r, time_ns, NULL, 0);
	if (r->what == HEAP_RECORD_ALLOC)
		return write_sample(c, r, time_ns, (const u64 *)(r + 1),
				    MIN(r->n_frames, (u32)HEAP_MAX_FRAMES));
	if (c->live)
		n = live_unwind_lesson(c->live, &((const struct heap_stack_rec *)r)->stack, time_ns,
				       frames, HEAP_MAX_FRAMES);
	return write_sample(c, r, time_ns, frames, (u64)MAX(n, 1));
}

static int on_record(void *ctx, const struct heap_rec *r)
{
	struct heap_recorder *c = ctx;
	const int ret = write_record(c, r);

	return ret || !c->until_ns || os_now_ns() < c->until_ns ? ret : -EAGAIN;
}

int heap_recorder_pass(struct heap_recorder *c, bool all, struct output *out, u64 *data_bytes,
		       struct err *err)
{
	int ret;

	c->out = out;
	c->data_bytes = data_bytes;
	c->err = err;
	c->until_ns = all ? 0 : os_now_ns() + PASS_NS;
	if (c->ended.n >= MOST_ENDED)
		forget_ended(c);
	ret = heapprog_drain(c->programs, on_record, c);
	return ret == -EAGAIN ? 0 : ret;
}
