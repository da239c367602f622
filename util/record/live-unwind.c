// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Invariants:
 * 1. A pass first notes the heads of all rings (H1), and then those again (H2). Only what lies
 * before H1 is written and
 *    unwound; side-band records are looked for up to H2.
 * 2. What a sample before H1 needs was published before the sample was, so it lies before H2 of its
 * ring, whichever CPU that
 *    belongs to. It is applied before the first sample is unwound.
 * 3. Side-band records are applied in the order of their times. Those that are newer than
 * everything before H1 wait for the
 *    next pass, because an older one may still be unseen: no record older than them can come then.
 * 4. Of several that unwind only the first one changes the machine, while the others wait. Under
 * its lock threads are made that nobody knew, and the program in the kernel is taught and its
 * chains are written; it unwinds nothing itself then, so its engine is there for that.
 */
#include "util/record/live-unwind.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "util/base/log.h"
#include "util/record/kernel-unwind.h"
#include "util/wire/offcpurec.h"

#define MAX_FRAMES 1023
#define FRAMES_APART (MAX_FRAMES + 37)	/* not all in the same sets of a cache */
#define OUT_BYTES (256u << 10)
#define RECORD_ROOM 65536
#define TRIM_EXITS 4096
#define CACHE_LINE 64
#define SMALL_RECORD 2048
#define FETCHED_AHEAD 2048
#define MANY_ROWS 50		/* that were taught in a pass */
#define FIRST_PASSES 10
/* of a stack: more would push out of the nearest cache what was fetched first */
#define MOST_FETCHED 8192

struct pending { u64 time_ns; size_t seq; struct perf_event_header *rec; };

/* A sample that was decoded; its record is not given back to the kernel before it is written.
 * note: the record of the program in the kernel that came before it, NULL: none; owned. frames: it
 * has a chain of frame pointers, too, and no copy of its stack goes to the file. */
struct waiting { struct sample s; const struct perf_event_attr *file;
		 struct perf_event_header *note; bool frames; };

/* What all that unwind have in common. */
struct live_all {
	VEC(struct live_unwind *) more;
	pthread_mutex_t lock;
	VEC(struct pending) pending;
	VEC(u64) heads;				/* H1 */
	u64 trimmed_exits;			/* of the machine's, when it was trimmed last */
	/* n_dsos: of the store, whose files were opened or looked at */
	size_t seq, n_dsos;
	u64 n_taught;				/* rows, when the last pass began */
	unsigned n_passes;			/* up to FIRST_PASSES */
};

struct live_unwind {
	struct live_unwind *first;		/* NULL: it is the first itself */
	struct live_all all;			/* of the first; as are store, machine and list */
	const char *engine;
	struct symbols_opts symbols;
	struct dso_store *store;
	struct machine *machine;
	struct unwind_ctx *ctx;
	struct kernel_unwind *kernel;		/* NULL: no program in the kernel unwinds */
	char *how;
	struct perf_event_header *note;		/* of it, for the next sample of the ring; owned */
	struct event_list *list;
	VEC(struct perf_event_attr) attrs;	/* as they were opened, by event */
	/* of the last sample; NULL after the machine has changed */
	struct thread *thread;
	/* of the last record with a stack: up to its copy of that */
	size_t head_bytes;
	struct unwind_frame *frames;		/* of waiting samples, each FRAMES_APART */
	struct waiting waiting[UNWIND_BATCH];
	struct unwind_job jobs[UNWIND_BATCH];	/* of the same */
	int n_waiting;
	u8 *split, *out;
	size_t out_bytes;
	u64 n_bad;
};

/* The recorder's own engine, where a program in the kernel goes before it. */
static const char *engine_of(const struct record_stacks *o)
{
	return record_unwinds_in_kernel(o) ? NULL : o->unwind_engine;
}

/* By default, and with "auto", it is not needed: without it everything is done here. Who asks
 * for it learns why not. */
static int add_kernel(struct live_unwind *u, const struct rings *r, const struct record_stacks *o,
		      const struct os *os, struct err *err)
{
	struct err reason = ERR_INIT;
	int ret;

	if (!record_unwinds_in_kernel(o)) {
		u->how = xasprintf("unwound by perf while recording (--unwind %s)",
				   o->unwind_engine);
		return 0;
	}
	ret = kernel_unwind_new(&u->kernel, u->list, r, o, os, u->ctx, &reason);
	if (ret && o->unwind_engine && strcmp(o->unwind_engine, "auto")) {
		ret = err_set(err, reason.code, "stacks cannot be unwound in the kernel: %s",
			      reason.msg);
		if (reason.hint)
			err_hint(err, "%s", reason.hint);
	} else {
		if (ret)
			log_printf(LOG_UNWIND, 1, "stacks are unwound by the recorder, not in the "
						  "kernel: %s", reason.msg);
		u->how = ret ? xasprintf("unwound by perf while recording, not in the kernel: %s",
					 reason.msg) : NULL;
		ret = 0;
	}
	err_release(&reason);
	return ret;
}

/* The kernel follows frame pointers for it, too. */
static bool has_frames(const struct perf_event_attr *a)
{
	return a->sample_type & PERF_SAMPLE_STACK_USER && !a->exclude_callchain_user;
}

/* The file has only chains where no stack stays as a copy. */
static void drop_copies(struct live_unwind *u)
{
	for (size_t i = 0; i < u->list->events.n; i++) {
		struct perf_event_attr *a = &u->list->events.v[i]->attr;

		if (!has_frames(&u->attrs.v[i]))
			continue;
		a->sample_type &= ~(u64)(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
		a->sample_regs_user = 0;
		a->sample_stack_user = 0;
	}
}

static int add_engine(struct live_unwind *u, struct err *err)
{
	const struct unwind_opts uo = { .engine = u->engine, .max_frames = MAX_FRAMES,
					.stop_unread = true };

	u->ctx = unwind_new(u->machine, &uo, err);
	u->frames = xmalloc(UNWIND_BATCH * FRAMES_APART * sizeof(*u->frames));
	u->split = xmalloc(RECORD_ROOM);
	u->out = xmalloc(OUT_BYTES);
	return u->ctx ? 0 : -EINVAL;
}

struct live_unwind *live_unwind_more(struct live_unwind *first, struct err *err)
{
	struct live_unwind *u = xnew(struct live_unwind);

	u->first = first;
	u->engine = first->engine;
	u->store = first->store;
	u->machine = first->machine;
	u->list = first->list;
	u->kernel = first->kernel;
	for vec_each(a, &first->attrs)
		vec_push(&u->attrs, *a);
	vec_push(&first->all.more, u);
	return add_engine(u, err) ? NULL : u;
}

int live_unwind_new(struct live_unwind **out, struct event_list *list, const struct rings *r,
		    const struct record_stacks *o,
		    const struct os *os, struct err *err)
{
	struct live_unwind *u = xnew(struct live_unwind);
	const struct machine_opts mo = { .keep_comm_after_exit = true };
	int ret;

	*out = u;
	pthread_mutex_init(&u->all.lock, NULL);
	u->engine = engine_of(o);
	u->symbols = o->symbols;
	u->symbols.live = true;
	u->store = dso_store_new(os, &u->symbols);
	u->machine = machine_new(u->store, &mo);
	u->list = list;
	if (add_engine(u, err))
		return -EINVAL;
	for (size_t i = 0; i < list->events.n; i++) {
		struct perf_event_attr *a = &list->events.v[i]->attr;

		vec_push(&u->attrs, *a);
		if (!(a->sample_type & PERF_SAMPLE_STACK_USER))
			continue;
		a->exclude_callchain_user = 0;	/* the chains in the file have that part */
	}
	ret = add_kernel(u, r, o, os, err);
	drop_copies(u);
	return ret;
}

/* What its engine has done; what it alone has is freed. */
static void release_own(struct live_unwind *u, struct record_unwound *res)
{
	for (int i = 0; u->ctx && i < UNWIND_END_NR && i < (int)ARRAY_SIZE(res->ended); i++)
		res->ended[i] += unwind_ended(u->ctx, i);
	if (u->ctx && unwind_unread(u->ctx) && !res->unread_file) {
		struct dso *d = unwind_unread(u->ctx);

		res->unread_file = xstrdup(d->path);
		res->unread_reason = dso_reason(d) ? xstrdup(dso_reason(d)) : NULL;
	}
	if (u->kernel && !u->first)
		kernel_unwind_free(u->kernel, res);
	if (u->ctx)
		unwind_free(u->ctx);
	free(u->note);
	for (int i = 0; i < u->n_waiting; i++)
		free(u->waiting[i].note);
	vec_free(&u->attrs);
	free(u->frames);
	free(u->split);
	free(u->out);
}

void live_unwind_free(struct live_unwind *u, struct record_unwound *res)
{
	struct machine_stats st;

	machine_get_stats(u->machine, &st);
	res->n_tasks_seen = st.forks;
	res->n_tasks_kept = st.threads;
	release_own(u, res);
	for vec_each(p, &u->all.more) {
		release_own(*p, res);
		free(*p);
	}
	free(u->how);
	vec_free(&u->all.more);
	pthread_mutex_destroy(&u->all.lock);
	machine_free(u->machine);
	dso_store_free(u->store);
	for (size_t i = 0; i < u->all.pending.n; i++)
		free(u->all.pending.v[i].rec);
	vec_free(&u->all.pending);
	vec_free(&u->all.heads);
	free(u);
}

const char *live_unwind_how(const struct live_unwind *u)
{
	return u->how ? u->how : "unwound in the kernel at the sample";
}

void live_unwind_record(struct live_unwind *u, const struct perf_event_header *rec)
{
	const char *reason;

	if (machine_apply(u->machine, rec, 0, &reason))
		u->n_bad++;
	/* processes that run are there to be asked when a stack needs a file */
	u->all.n_dsos = dso_count(u->store);
}

/* The record at pos: in place, or put together when it wraps. NULL: an impossible size. */
static const struct perf_event_header *record_at(struct live_unwind *u,
						 const struct rings_slot *slot, u64 pos, u64 head)
{
	struct span sp[2];
	const struct perf_event_header *h;
	int n = rings_span(slot, pos, head, sp);

	if (!n)
		return NULL;
	h = (const void *)sp[0].ptr;
	if (h->size < sizeof(*h) || h->size > sp[0].len + sp[1].len)
		return NULL;
	if (h->size <= sp[0].len)
		return h;
	memcpy(u->split, sp[0].ptr, sp[0].len);
	memcpy(u->split + sp[0].len, sp[1].ptr, h->size - sp[0].len);
	return (const void *)u->split;
}

/* Records with dumps were written by another CPU and lie so far apart that each line misses all
 * near caches. */
static void fetch_bytes(const struct rings_slot *slot, u64 pos, size_t bytes)
{
	for (size_t at = 0; at < bytes; at += CACHE_LINE)
		__builtin_prefetch(rings_word(slot, pos + at));
}

/* For whoever walks from record to record: the heads of those with dumps, which are mostly of
 * one size, or all there is, in a line. Up to where it has come. */
static u64 fetch_ahead(const struct rings_slot *slot, u64 pos, u64 fetched, size_t bytes)
{
	if (bytes > SMALL_RECORD) {
		fetch_bytes(slot, pos + 10 * (u64)bytes, CACHE_LINE);
		return pos + bytes;
	}
	for (fetched = MAX(fetched, pos); fetched < pos + FETCHED_AHEAD; fetched += CACHE_LINE)
		__builtin_prefetch(rings_word(slot, fetched));
	return fetched;
}

/* What the last stack took, the next one most likely takes as well. */
static void fetch_stack(const struct live_unwind *u, struct span stack)
{
	const size_t bytes = MIN(MIN(unwind_reach(u->ctx), (u64)MOST_FETCHED), (u64)stack.len);

	for (size_t at = 0; at < bytes; at += CACHE_LINE)
		__builtin_prefetch(stack.ptr + at);
}

static bool is_sideband(u32 type)
{
	return type != PERF_RECORD_SAMPLE && type != PERF_RECORD_READ && type != PERF_RECORD_LOST &&
		type < 64;
}

static u64 time_of(const struct live_unwind *u, const struct output *out,
		   const struct perf_event_header *h)
{
	struct sample_id id;
	const char *reason;
	u64 t;

	if (h->type != PERF_RECORD_SAMPLE)
		return wire_decode_id(&u->attrs.v[0], h, &id, &reason) ? 0 : id.time_ns;
	if (!out->scan.time_off || out->scan.time_off + 8 > h->size)
		return 0;
	memcpy(&t, (const u8 *)h + out->scan.time_off, sizeof(t));
	return t;
}

/* Collects the side-band of a ring up to h2; the latest time before h1. */
static u64 scan_ring(struct live_unwind *u, struct rings_slot *slot, u64 h1, u64 h2,
		     struct output *out)
{
	const struct perf_event_header *h;
	u64 latest = 0, fetched = slot->ring.tail;

	for (u64 pos = slot->ring.tail; pos != h2 && (h = record_at(u, slot, pos, h2));
	     pos += h->size) {
		fetched = fetch_ahead(slot, pos, fetched, h->size);

		const u64 t = time_of(u, out, h);

		if (h1 - pos && h1 - slot->ring.tail > pos - slot->ring.tail && t > latest)
			latest = t;
		if (is_sideband(h->type) && pos - slot->ring.tail >= slot->seen - slot->ring.tail) {
			struct pending p = { t, u->all.seq++, xmemdup(h, h->size) };

			vec_push(&u->all.pending, p);
			output_scan_hold(&out->scan, h);
		}
	}
	slot->seen = h2;
	return latest;
}

static int by_time(const void *a, const void *b)
{
	const struct pending *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->seq < y->seq ? -1 : 1;
}

/* Files that were mapped just now are opened now: they may be gone with their container before
 * the first stack needs them. */
static void open_new_files(struct live_unwind *u)
{
	for (; u->all.n_dsos < dso_count(u->store); u->all.n_dsos++) {
		struct dso *d = dso_at(u->store, u->all.n_dsos);

		if (d->kind == DSO_FILE)
			dso_file(d);
	}
}

static void apply_up_to(struct live_unwind *u, u64 t)
{
	size_t n = 0, kept = 0;
	const char *reason;

	if (!u->all.pending.n)
		return;
	qsort(u->all.pending.v, u->all.pending.n, sizeof(*u->all.pending.v), by_time);
	for (; n < u->all.pending.n && u->all.pending.v[n].time_ns <= t; n++) {
		if (machine_apply(u->machine, u->all.pending.v[n].rec, u->all.pending.v[n].time_ns,
				  &reason))
			u->n_bad++;
		else if (u->kernel)
			kernel_unwind_sideband(u->kernel, u->machine, u->all.pending.v[n].rec,
					       u->all.pending.v[n].time_ns);
		free(u->all.pending.v[n].rec);
	}
	for (; n < u->all.pending.n; n++)
		u->all.pending.v[kept++] = u->all.pending.v[n];
	u->all.pending.n = kept;
	open_new_files(u);
}

void live_unwind_swap_attrs(struct live_unwind *u)
{
	for (size_t i = 0; i < u->attrs.n && i < u->list->events.n; i++) {
		const struct perf_event_attr a = u->attrs.v[i];

		u->attrs.v[i] = u->list->events.v[i]->attr;
		u->list->events.v[i]->attr = a;
	}
}

int live_unwind_follow_cpu(struct live_unwind *u, const struct rings *r, const struct os *os,
			   int cpu, struct err *err)
{
	return u->kernel ? kernel_unwind_follow_cpu(u->kernel, u->list, r, os, cpu, err) : 0;
}

/* --- converting --- */

static size_t event_of(const struct live_unwind *u, const struct perf_event_header *h)
{
	const int at = wire_sample_id_pos(&u->attrs.v[0]);
	const struct event *e;
	u64 id;

	if (u->attrs.n == 1 || at < 0 || 8 + (size_t)at * 8 + 8 > h->size)
		return 0;
	memcpy(&id, (const u8 *)h + 8 + (size_t)at * 8, sizeof(id));
	e = event_list_by_id(u->list, id);
	return e ? (size_t)e->index : 0;
}

static void lock(const struct live_unwind *u)
{
	if (u->first)
		pthread_mutex_lock(&u->first->all.lock);
}

static void unlock(const struct live_unwind *u)
{
	if (u->first)
		pthread_mutex_unlock(&u->first->all.lock);
}

static struct thread *thread_of(struct live_unwind *u, const struct sample *s)
{
	struct thread *th = u->thread;

	if (th && th->pid == s->pid && th->tid == s->tid && s->time_ns >= th->start_ns &&
	    s->time_ns < th->end_ns)
		return th;
	lock(u);
	u->thread = machine_thread_at(u->machine, s->pid, s->tid, s->time_ns);
	unlock(u);
	return u->thread;
}

/* As every tool shows frames that were unwound: a caller by the last byte of its call, so that also
 * a call that ends its function has the right name with readers that look addresses up as they
 * are. */
static size_t put_frames(u64 *chain, const struct unwind_frame *frames, int n)
{
	bool exact = true;

	for (int i = 0; i < n; i++) {
		chain[i] = exact || frames[i].signal ? frames[i].va : frames[i].va - 1;
		exact = frames[i].signal;
	}
	return (size_t)n;
}

/* The chain as it goes to the file; *keep: its user part is missing, because a binary cannot be
 * read now. */
static size_t make_chain(struct live_unwind *u, const struct waiting *w, struct unwind_job *j,
			 u64 *chain, bool *keep)
{
	const struct sample *s = &w->s;
	size_t n = 0;

	for (u64 i = 0; i < s->chain_n && n < PERF_MAX_STACK_DEPTH; i++) {
		if (s->chain[i] == PERF_CONTEXT_USER)
			break;	/* the kernel leaves that part out on request */
		chain[n++] = s->chain[i];
	}
	if (w->frames && j->reason != UNWIND_COMPLETE && j->reason != UNWIND_MAX_FRAMES && j->th)
		j->n = unwind_join(u->ctx, s, j->th, j->out, j->n, j->max);
	*keep = j->reason == UNWIND_NO_BINARY && !w->frames;
	if (j->n > 0 && !*keep) {
		chain[n++] = PERF_CONTEXT_USER;
		n += put_frames(chain + n, j->out, j->n);
	}
	return n;
}

/* Registers and stack go where the chain has come from them; of those that stay the unused end
 * of the copy goes. */
static void drop_dump(struct sample *s, bool keep)
{
	if (keep) {
		s->stack_dyn_bytes = s->stack.len;
		return;
	}
	s->user_regs = (struct regs_view){ .abi = PERF_SAMPLE_REGS_ABI_NONE };
	s->stack = (struct span){ NULL, 0 };
}

static int flush(struct live_unwind *u, struct output *out, struct err *err)
{
	const size_t n = u->out_bytes;

	u->out_bytes = 0;
	return n ? output_write_seen(out, (struct span){ u->out, n }, (struct span){ NULL, 0 },
				     err) : 0;
}

/* Where RECORD_ROOM bytes are free. */
static u8 *room(struct live_unwind *u, struct output *out, int *ret, struct err *err)
{
	if (RECORD_ROOM > OUT_BYTES - u->out_bytes && !*ret)
		*ret = flush(u, out, err);
	return *ret ? NULL : u->out + u->out_bytes;
}

/* What was put there. */
static void add_record(struct live_unwind *u, struct output *out, const u8 *rec)
{
	const struct perf_event_header *h = (const void *)rec;

	output_scan_record(&out->scan, h);
	u->out_bytes += h->size;
}

/* What the program in the kernel has said of this sample. */
static void heed_note(struct live_unwind *u, struct waiting *w, const struct unwind_job *j,
		      bool keep, struct output *out)
{
	struct stackrec r;

	if (!w->note)
		return;
	lock(u);
	if (!kernel_unwind_record(u->kernel, w->note, &r)) {
		u->n_bad++;
	} else if (r.what == STACKREC_CHAIN) {
		kernel_unwind_compare(u->kernel, &r, &w->s, j->reason);
	} else {
		/* what is learned is noted, here or because the chain has it: see note_chain() */
		if (kernel_unwind_stop_va(&r))
			output_scan_address(&out->scan, kernel_unwind_stop_va(&r));
		kernel_unwind_learn(u->kernel, &r, &w->s, keep ? NULL : j->th, j->out, j->n);
	}
	unlock(u);
	free(w->note);
	w->note = NULL;
}

static void forget_waiting(struct live_unwind *u)
{
	for (int i = 0; i < u->n_waiting; i++)
		free(u->waiting[i].note);
	u->n_waiting = 0;
}

/* The samples that wait are unwound and go to the file. */
static int write_waiting(struct live_unwind *u, struct output *out, struct err *err)
{
	int ret = 0;

	unwind_users(u->ctx, u->jobs, u->n_waiting);
	for (int i = 0; i < u->n_waiting && !ret; i++) {
		u64 chain[PERF_MAX_STACK_DEPTH + MAX_FRAMES + 2];
		struct waiting *w = &u->waiting[i];
		u8 *to = room(u, out, &ret, err);
		bool keep = false;

		w->s.chain_n = make_chain(u, w, &u->jobs[i], chain, &keep);
		w->s.chain = chain;
		heed_note(u, w, &u->jobs[i], keep, out);
		drop_dump(&w->s, keep);
		if (to && wire_encode_sample(w->file, &w->s, to, RECORD_ROOM) >= 0)
			add_record(u, out, to);
	}
	forget_waiting(u);
	return ret;
}

/* To those that wait; one that cannot be decoded stays out. */
static void add_waiting(struct live_unwind *u, size_t ev, const struct perf_event_header *h)
{
	struct waiting *w = &u->waiting[u->n_waiting];
	const char *reason;

	if (wire_decode_sample(&u->attrs.v[ev], h, &w->s, &reason)) {
		u->n_bad++;
		return;
	}
	w->file = &u->list->events.v[ev]->attr;
	w->frames = has_frames(&u->attrs.v[ev]);
	w->note = u->note;
	u->note = NULL;
	u->jobs[u->n_waiting] = (struct unwind_job){
		.s = &w->s, .th = w->s.user_regs.regs ? thread_of(u, &w->s) : NULL,
			.max = MAX_FRAMES,
		.out = u->frames + (size_t)u->n_waiting * FRAMES_APART,
	};
	u->n_waiting++;
	if (!w->s.stack.ptr)
		return;
	u->head_bytes = (size_t)(w->s.stack.ptr - (const u8 *)h);
	fetch_stack(u, w->s.stack);
}

/* For the features. Of user code the program knows only what was taught, from samples that are
 * in the first file and were looked at whole: there its files are known to be hit. */
static void note_chain(const struct stackrec *r, const struct perf_event_header *h,
		       struct output *out)
{
	size_t n = out->n_files ? r->n : 0;
	u64 t = 0;

	while (n < r->n && r->words[n] != PERF_CONTEXT_USER)
		n++;
	if (out->scan.time_off)
		memcpy(&t, (const u8 *)h + out->scan.time_off, sizeof(t));
	output_scan_sample(&out->scan, t, r->words, n);
}

/* A record of the program in the kernel: a chain, or what there is to say of the sample that
 * follows. */
static int take_stackrec(struct live_unwind *u, size_t slot, const struct perf_event_header *h,
			 const struct stackrec *r,
			 struct output *out, struct err *err)
{
	int ret = 0;
	u8 *to;

	if (r->what == STACKREC_NOTICE || kernel_unwind_compares(u->kernel)) {
		free(u->note);
		u->note = xmemdup(h, h->size);
		return 0;
	}
	if (u->n_waiting)
		ret = write_waiting(u, out, err);
	to = room(u, out, &ret, err);
	if (to) {
		note_chain(r, h, out);
		lock(u);
		u->out_bytes += kernel_unwind_write(u->kernel, slot, h, r, to, RECORD_ROOM);
		unlock(u);
	}
	return ret;
}

static int take_record(struct live_unwind *u, size_t slot, const struct perf_event_header *h,
		       struct output *out, struct err *err)
{
	const bool sample = h->type == PERF_RECORD_SAMPLE;
	struct stackrec r;
	size_t ev;
	int ret;
	u8 *to;

	if (sample && u->kernel && kernel_unwind_record(u->kernel, h, &r))
		return take_stackrec(u, slot, h, &r, out, err);
	ev = sample ? event_of(u, h) : 0;
	if (sample && u->attrs.v[ev].sample_type & PERF_SAMPLE_STACK_USER) {
		add_waiting(u, ev, h);
		/* the next record that wraps is put together in the same place */
		return u->n_waiting == UNWIND_BATCH || h == (const void *)u->split ?
			write_waiting(u, out, err) : 0;
	}
	ret = write_waiting(u, out, err);
	to = room(u, out, &ret, err);
	if (to) {
		memcpy(to, h, h->size);
		if (u->kernel)
			kernel_unwind_mend(u->kernel, slot, to);
		add_record(u, out, to);
	}
	return ret;
}

static int drain_ring(struct live_unwind *u, const struct rings *r, size_t nr, u64 h1,
		      struct output *out, struct err *err)
{
	struct rings_slot *slot = &r->slots.v[nr];
	const struct perf_event_header *h;
	u64 pos, freed = slot->ring.tail;
	int ret = 0;

	for (pos = slot->ring.tail; pos != h1 && !ret; pos += h->size) {
		h = record_at(u, slot, pos, h1);
		if (!h) {
			ret = err_set(err, EINVAL, "the kernel's ring buffer holds a record with "
						   "an impossible size");
			break;
		}
		fetch_bytes(slot, pos + h->size, u->head_bytes ? u->head_bytes : CACHE_LINE);
		ret = take_record(u, nr, h, out, err);
		/* the kernel may go on meanwhile */
		if (!u->n_waiting && pos - freed > slot->ring.data_bytes / 8) {
			freed = pos;
			__atomic_store_n(
				&((struct perf_event_mmap_page *)slot->ring.base)->data_tail,
				pos, __ATOMIC_RELEASE);
		}
	}
	if (ret)
		forget_waiting(u);
	return ret ? ret : write_waiting(u, out, err);
}

/* What ended a second before the newest sample has no samples in the rings any more. A recording
 * of days must not grow with each process of the machine. */
static void forget_ended(struct live_unwind *u, u64 latest_ns)
{
	struct machine_stats st;

	if (latest_ns < NSEC_PER_SEC)
		return;
	machine_get_stats(u->machine, &st);
	if (st.exits - u->all.trimmed_exits < TRIM_EXITS)
		return;
	machine_trim(u->machine, latest_ns - NSEC_PER_SEC, NULL);
	u->all.trimmed_exits = st.exits;
}

void live_unwind_look(struct live_unwind *u, struct rings *r, struct output *out)
{
	u64 latest = 0;

	vec_clear(&u->all.heads);
	u->all.n_taught = u->kernel ? kernel_unwind_taught(u->kernel) : 0;
	u->all.n_passes += u->all.n_passes < FIRST_PASSES;
	if (u->kernel)
		kernel_unwind_watch(u->kernel);
	for (size_t i = 0; i < r->slots.n; i++)
		vec_push(&u->all.heads, rings_head(&r->slots.v[i]));
	for (size_t i = 0; i < r->slots.n; i++) {
		u64 t = scan_ring(u, &r->slots.v[i], u->all.heads.v[i], rings_head(&r->slots.v[i]),
				  out);

		latest = MAX(latest, t);
	}
	apply_up_to(u, latest);
	forget_ended(u, latest);
}

int live_unwind_take(struct live_unwind *u, struct rings *r, size_t nr, struct output *out,
		     struct err *err)
{
	struct rings_slot *slot = &r->slots.v[nr];
	const u64 head = (u->first ? u->first : u)->all.heads.v[nr];
	int ret = 0;

	u->thread = NULL;
	if (head != slot->ring.tail && !out->failed)
		ret = drain_ring(u, r, nr, head, out, err);
	if (!ret)
		ret = flush(u, out, err);
	rings_free_to(slot, head);
	return ret;
}

int live_unwind_pass(struct live_unwind *u, struct rings *r, struct output *out, u64 *data_bytes,
		     struct err *err)
{
	int ret = 0;

	live_unwind_look(u, r, out);
	for (size_t i = 0; i < r->slots.n; i++) {
		int one;

		*data_bytes += u->all.heads.v[i] - r->slots.v[i].ring.tail;
		one = live_unwind_take(u, r, i, out, ret ? NULL : err);
		ret = ret ? ret : one;
	}
	return ret;
}

bool live_unwind_teaches(const struct live_unwind *u)
{
	return u->kernel && (kernel_unwind_taught(u->kernel) - u->all.n_taught > MANY_ROWS ||
			     u->all.n_passes < FIRST_PASSES);
}

/* ---- stacks of other programs ---- */

const struct stackprog *live_unwind_program(const struct live_unwind *u)
{
	return u->kernel ? kernel_unwind_program(u->kernel) : NULL;
}

int live_unwind_lesson(struct live_unwind *u, const struct offcpu_lesson *l, u64 time_ns,
		       u64 *frames, int max)
{
	const struct arch_info *a = arch_host();
	/* by perf's numbers, ascending: x86 has them in this order */
	const u64 regs[] = { l->bp, l->sp, l->ip };
	const struct stackrec_notice notice = { .mm = l->mm, .exec_pages = l->exec_pages,
						.va = l->va, .tgid = l->global_tgid,
						.exec_id = l->exec_id };
	const struct stackrec rec = { .what = STACKREC_NOTICE, .reason = (u8)l->reason,
				      .words = (const void *)&notice, .n = sizeof(notice) / 8 };
	const struct sample s = {
		.pid = l->tgid, .tid = l->tid, .time_ns = time_ns, .ip = l->ip,
		.user_regs = { .abi = PERF_SAMPLE_REGS_ABI_64, .regs = regs,
			       .mask = 1ULL << a->perf_fp | 1ULL << a->perf_sp |
				       1ULL << a->perf_ip },
		.stack = { l->stack, l->stack_bytes }, .stack_dyn_bytes = l->stack_bytes,
	};
	struct thread *th = machine_thread_at(u->machine, s.pid, s.tid, time_ns);
	enum unwind_end reason;
	int n;

	if (l->reason >= STACKREC_WHY_NR)
		return 0;
	n = unwind_user(u->ctx, &s, th, u->frames, MIN(max, MAX_FRAMES), &reason);
	if (u->kernel)
		kernel_unwind_learn(u->kernel, &rec, &s, th, u->frames, n);
	return (int)put_frames(frames, u->frames, n);
}
