// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/readers.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/os/priority.h"

/* What a full disk leaves of the files: room for what DIR/data says of machine and binaries. */
#define SPARE_BYTES (512u << 10)

enum { PLACE_WAKE, N_READER_PLACES };	/* of what is waited for; the rings follow */

struct reader {
	struct readers *all;
	const struct record_thread *spec;
	size_t nr;			/* of the file */
	VEC(size_t) slots;		/* of the session's rings */
	struct output out;		/* its writer and its scan */
	struct live_unwind *unwind;	/* NULL: what rings hold goes to the file as it is */
	u64 n_turns;			/* of "all", that it has taken part in */
	struct str task_records;		/* records for the session's thread */
	struct waiter waiter;
	int wake_fd;
	pthread_mutex_t lock;
	pthread_t thread;
	bool running, end, new_rings, lost_ring, reported;
	struct err err;			/* the first failure */
	int astray;			/* -errno: it may not run where it should */
	u64 pushed_ns, pushed_bytes, n_wakeups;
};

struct readers {
	struct record_session *s;
	VEC(struct reader *) v;
	size_t n_slots;			/* of the rings that are given to somebody */
	int wake_fd;
	u64 looked_ns;			/* when all rings were looked at for mappings */
	u64 bytes, unpacked_bytes;	/* at the last collection, as is alive */
	bool alive;			/* somebody still writes into a ring */
	/* Where stacks are unwound the session's thread leads: all take their rings at a time. */
	pthread_mutex_t turn_lock;
	pthread_cond_t turn, turn_is_over;
	u64 n_turns;
	size_t n_busy;
	bool end, quick;
	int nice_before;		/* of the session's thread, while it is quick */
};

/* --- a reader's own thread --- */

static int write_spans(struct reader *r, struct span a, struct span b)
{
	if (r->err.code)
		return -r->err.code;
	if (!output_scan_spans(&r->out.scan, a, b))
		return err_set(&r->err, EINVAL, RECORD_BAD_RING);
	return data_writev(&r->out.w, a, b, &r->err);
}

static void pass(struct reader *r, bool all)
{
	struct record_session *s = r->all->s;
	const u64 least = all ? 1 : s->o->buffers.flush_bytes;

	for vec_each(i, &r->slots) {
		struct rings_slot *slot = &s->rings.slots.v[*i];
		struct span sp[2];
		u64 head;

		if (!rings_waiting(slot, least, sp, &head))
			continue;
		write_spans(r, sp[0], sp[1]);
		rings_free_to(slot, head);
	}
}

static void wait_for_rings(struct reader *r)
{
	struct record_session *s = r->all->s;

	waiter_cut(&r->waiter, 0);
	waiter_add(&r->waiter, r->wake_fd);
	for vec_each(i, &r->slots)
		waiter_add(&r->waiter, rings_polled_fd(&s->rings.slots.v[*i]));
	r->new_rings = false;
}

static void follow_threads(struct reader *r)
{
	for (size_t i = 0; i < r->slots.n; i++) {
		struct rings_slot *slot = &r->all->s->rings.slots.v[r->slots.v[i]];

		r->n_wakeups += waiter_ready(&r->waiter, N_READER_PLACES + i);
		rings_follow_threads(slot, &r->waiter, N_READER_PLACES + i);
		r->lost_ring |= rings_polled_fd(slot) < 0;
	}
}

/* 0: nothing is to be done before something comes. */
static u64 next_push(const struct reader *r)
{
	return r->out.w.raw_bytes != r->pushed_bytes ? r->pushed_ns + RECORD_PUSH_NS : 0;
}

static void push(struct reader *r)
{
	const u64 now = os_now_ns();

	if (now - r->pushed_ns < RECORD_PUSH_NS)
		return;
	r->pushed_ns = now;
	r->pushed_bytes = r->out.w.raw_bytes;
	if (!r->err.code)
		data_writer_push(&r->out.w, &r->err);
}

/* A failure and a ring's end are reported once. */
static void tell(struct reader *r)
{
	const bool news = r->err.code || r->lost_ring;

	if (r->task_records.len || (news && !r->reported) || r->all->s->o->output.max_bytes)
		wake_ring(r->all->wake_fd);
	r->reported |= news;
}

static void *reader_thread(void *ctx)
{
	struct reader *r = ctx;

	r->astray = os_run_on(&r->spec->may_run);
	/* Whoever fills the ring runs on the same CPU: without this the reader waits for its turn
	 * while more comes. */
	if (!r->all->s->o->buffers.rt_prio)
		os_quick();
	pthread_mutex_lock(&r->lock);
	while (!r->end) {
		const u64 until_ns = next_push(r);

		pthread_mutex_unlock(&r->lock);
		waiter_wait(&r->waiter, r->all->s->os, until_ns);
		pthread_mutex_lock(&r->lock);
		wake_answer(r->wake_fd);
		if (r->new_rings)
			wait_for_rings(r);
		follow_threads(r);
		pass(r, false);
		push(r);
		tell(r);
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

/* --- readers that unwind: led by the session's thread --- */

static void unwind_own(struct reader *r)
{
	struct record_session *s = r->all->s;

	pthread_mutex_lock(&r->lock);
	for vec_each(i, &r->slots)
		live_unwind_take(r->unwind, &s->rings, *i, &r->out,
				 r->err.code ? NULL : &r->err);
	push(r);
	pthread_mutex_unlock(&r->lock);
}

static void *led_thread(void *ctx)
{
	struct reader *r = ctx;
	struct readers *all = r->all;

	r->astray = os_run_on(&r->spec->may_run);
	if (!all->s->o->buffers.rt_prio)
		os_quick();
	pthread_mutex_lock(&all->turn_lock);
	while (!all->end) {
		if (r->n_turns == all->n_turns) {
			pthread_cond_wait(&all->turn, &all->turn_lock);
			continue;
		}
		r->n_turns = all->n_turns;
		pthread_mutex_unlock(&all->turn_lock);
		unwind_own(r);
		pthread_mutex_lock(&all->turn_lock);
		if (!--all->n_busy)
			pthread_cond_signal(&all->turn_is_over);
	}
	pthread_mutex_unlock(&all->turn_lock);
	return NULL;
}

/* What the rings hold now; by this thread alone while the others do not run. */
static void take_turn(struct readers *r)
{
	live_unwind_look(r->s->live, &r->s->rings, &r->s->out);
	pthread_mutex_lock(&r->turn_lock);
	r->n_turns++;
	for vec_each(p, &r->v)
		r->n_busy += (*p)->running;
	pthread_cond_broadcast(&r->turn);
	while (r->n_busy)
		pthread_cond_wait(&r->turn_is_over, &r->turn_lock);
	pthread_mutex_unlock(&r->turn_lock);
	for vec_each(p, &r->v)
		if (!(*p)->running)
			unwind_own(*p);
}

static void end_turns(struct readers *r)
{
	pthread_mutex_lock(&r->turn_lock);
	r->end = true;
	pthread_cond_broadcast(&r->turn);
	pthread_mutex_unlock(&r->turn_lock);
}

/* --- beginning --- */

/* The reader whose thread has that CPU; the first one has those of nobody. */
static struct reader *reader_of(const struct readers *r, int cpu)
{
	for vec_each(p, &r->v)
		if (int_list_has(&(*p)->spec->cpus, cpu))
			return *p;
	return r->v.v[0];
}

static void say_others(const struct record_session *s, const int_vec *others)
{
	struct str text = STR_INIT;

	if (others->n) {
		str_add_int_list(&text, others->v, others->n);
		record_say(s, RECORD_WARNING, "CPUs that no thread of --threads was given (%s) are "
					      "read by the first one", str_cstr(&text));
	}
	str_release(&text);
}

static void give_rings(struct readers *r)
{
	struct rings *rings = &r->s->rings;
	int_vec others = { 0 };

	for (; r->n_slots < rings->slots.n; r->n_slots++) {
		const int cpu = rings->slots.v[r->n_slots].ring.cpu;
		struct reader *one = reader_of(r, cpu);

		if (!int_list_has(&one->spec->cpus, cpu) && !int_list_has(&others, cpu))
			vec_push(&others, cpu);
		vec_push(&one->slots, r->n_slots);
		one->new_rings = true;
	}
	say_others(r->s, &others);
	vec_free(&others);
}

static bool has_ring(const struct record_session *s, const struct record_thread *t)
{
	for vec_each(slot, &s->rings.slots)
		if (int_list_has(&t->cpus, slot->ring.cpu))
			return true;
	return false;
}

static void add_reader(struct readers *r, const struct record_thread *t)
{
	struct reader *one = xnew(struct reader);

	one->all = r;
	one->spec = t;
	one->nr = r->v.n;
	one->out.w.fd = one->wake_fd = -1;
	pthread_mutex_init(&one->lock, NULL);
	waiter_init_fds(&one->waiter);
	output_scan_init(&one->out.scan, &r->s->list->events.v[0]->attr, NULL);
	one->out.scan.tap.records = &one->task_records;
	vec_push(&r->v, one);
}

static int open_reader(struct reader *one, struct err *err)
{
	const struct record_session *s = one->all->s;
	const struct data_writer_opts wo = { .comp_level = s->o->output.comp_level, .async = true,
					     .n_sharers = (unsigned)one->all->v.n,
					     .records = true };
	char *path = xasprintf("%s.%zu", s->out.path, one->nr);
	int ret;

	one->wake_fd = wake_open();
	ret = one->wake_fd < 0 ? err_sys(err, -one->wake_fd, "cannot make a thread that reads") :
		data_writer_open(&one->out.w, path, &wo, err);
	one->pushed_ns = os_now_ns();
	free(path);
	return ret;
}

int readers_new(struct readers **out, struct record_session *s, struct err *err)
{
	struct readers *r = xnew(struct readers);
	int ret = 0;

	*out = r;
	r->s = s;
	r->alive = true;
	pthread_mutex_init(&r->turn_lock, NULL);
	pthread_cond_init(&r->turn, NULL);
	pthread_cond_init(&r->turn_is_over, NULL);
	r->wake_fd = wake_open();
	if (r->wake_fd < 0)
		return err_sys(err, -r->wake_fd, "cannot make threads that read");
	for vec_each(t, &s->o->threads.v)
		if (has_ring(s, t))
			add_reader(r, t);
	if (!r->v.n)
		add_reader(r, &s->o->threads.v.v[0]);
	give_rings(r);
	for (size_t i = 0; i < r->v.n && !ret; i++)
		ret = open_reader(r->v.v[i], err);
	for (size_t i = 0; i < r->v.n && !ret && s->live; i++) {
		r->v.v[i]->unwind = live_unwind_more(s->live, err);
		ret = r->v.v[i]->unwind ? 0 : -EINVAL;
	}
	return ret;
}

/* Signals are the session's. */
int readers_start(struct readers *r, struct err *err)
{
	sigset_t all, old;
	int ret = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	for (size_t i = 0; i < r->v.n && !ret; i++) {
		struct reader *one = r->v.v[i];

		if (!one->unwind)
			wait_for_rings(one);
		ret = pthread_create(&one->thread, NULL, one->unwind ? led_thread : reader_thread,
				     one);
		one->running = !ret;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	/* it is waited for by the others, so it must not wait for its turn on the CPU */
	r->quick = r->s->live && !r->s->o->buffers.rt_prio;
	if (r->quick)
		r->nice_before = os_quick();
	return ret ? err_sys(err, ret, "cannot make a thread that reads") : 0;
}

int readers_fd(const struct readers *r)
{
	return r->wake_fd;
}

/* --- what they found --- */

static int copy_error(const struct err *from, struct err *err)
{
	err_set(err, from->code, "%s", from->msg);
	if (from->hint)
		err_hint(err, "%s", from->hint);
	return -from->code;
}

static bool has_more(const struct reader *one)
{
	const struct rings *rings = &one->all->s->rings;
	struct span sp[2];
	u64 head;

	for vec_each(i, &one->slots)
		if (rings_waiting(&rings->slots.v[*i], 1, sp, &head))
			return true;
	return false;
}

/* For who holds files: mappings are not to wait until a ring is half full. One thread that looks
 * costs less than one a CPU would. */
static void look_for_mappings(struct readers *r)
{
	const u64 now = os_now_ns();

	if (!r->s->out.held || now - r->looked_ns < HELD_TICK_MS * 1000000ULL)
		return;
	r->looked_ns = now;
	for vec_each(p, &r->v) {
		struct reader *one = *p;

		if (pthread_mutex_trylock(&one->lock))
			continue;	/* it reads just now */
		if (has_more(one))
			wake_ring(one->wake_fd);
		pthread_mutex_unlock(&one->lock);
	}
}

/* all: with what the rings hold, and the addresses. */
static int collect_one(struct readers *r, struct reader *one, bool all, bool pages,
		       struct err *err)
{
	struct str taken;
	int ret;

	pthread_mutex_lock(&one->lock);
	if (all && !one->unwind)
		pass(one, true);
	output_scan_fold(&r->s->out.scan, &one->out.scan, pages);
	r->s->res->n_wakeups += one->n_wakeups;
	one->n_wakeups = 0;
	taken = one->task_records;
	one->task_records = (struct str)STR_INIT;
	r->bytes += one->out.w.data_bytes;
	r->unpacked_bytes += one->out.w.raw_bytes;
	for vec_each(i, &one->slots)
		r->alive |= rings_polled_fd(&r->s->rings.slots.v[*i]) >= 0;
	ret = one->err.code ? copy_error(&one->err, err) : 0;
	pthread_mutex_unlock(&one->lock);
	output_scan_spans(&r->s->out.scan,
			  (struct span){ (const u8 *)str_cstr(&taken), taken.len },
			  (struct span){ NULL, 0 });
	str_release(&taken);
	return ret;
}

static int collect(struct readers *r, bool all, bool pages, struct err *err)
{
	int ret = 0;

	r->bytes = r->unpacked_bytes = 0;
	r->alive = false;
	for vec_each(p, &r->v) {
		const int one = collect_one(r, *p, all, pages, ret ? NULL : err);

		ret = ret ? ret : one;
	}
	return ret;
}

/* Of all readers, and without what lies in front of their locks: only an estimate. */
static size_t n_pages(const struct readers *r)
{
	size_t n = 0;

	for vec_each(p, &r->v) {
		pthread_mutex_lock(&(*p)->lock);
		n += (*p)->out.scan.pages.n;
		pthread_mutex_unlock(&(*p)->lock);
	}
	return n;
}

int readers_collect(struct readers *r, bool all, struct err *err)
{
	struct output_scan *scan = &r->s->out.scan;
	int ret;

	wake_answer(r->wake_fd);
	if (r->s->live)
		take_turn(r);
	ret = collect(r, all, false, err);
	if (!all && !r->s->live)
		look_for_mappings(r);
	if (ret || !output_scan_is_full(scan, n_pages(r)))
		return ret;
	ret = collect(r, true, true, err);
	output_scan_compact(scan, r->s->os);
	return ret;
}

bool readers_alive(const struct readers *r)
{
	return r->alive;
}

u64 readers_bytes(const struct readers *r, u64 *unpacked_bytes)
{
	*unpacked_bytes = r->unpacked_bytes;
	return r->bytes;
}

/* --- CPUs that come --- */

void readers_hold(struct readers *r)
{
	for vec_each(p, &r->v)
		pthread_mutex_lock(&(*p)->lock);
}

void readers_go_on(struct readers *r)
{
	give_rings(r);
	for vec_each(p, &r->v) {
		(*p)->new_rings = true;
		(*p)->lost_ring = (*p)->reported = false;
		pthread_mutex_unlock(&(*p)->lock);
		wake_ring((*p)->wake_fd);
	}
}

/* --- the end --- */

void readers_stop(struct readers *r)
{
	end_turns(r);
	if (r->quick)
		os_normal(r->nice_before);
	r->quick = false;
	for vec_each(p, &r->v) {
		struct reader *one = *p;

		if (!one->running)
			continue;
		pthread_mutex_lock(&one->lock);
		one->end = true;
		pthread_mutex_unlock(&one->lock);
		wake_ring(one->wake_fd);
		pthread_join(one->thread, NULL);
		one->running = false;
		if (one->astray)
			record_say(r->s, RECORD_INFO, "the thread that wrote %s could not run on "
						      "the CPUs that it was given: it ran where "
						      "perf may", one->out.w.path);
	}
}

int readers_write(struct readers *r, size_t slot, struct span a, struct span b, struct err *err)
{
	struct reader *one = reader_of(r, r->s->rings.slots.v[slot].ring.cpu);
	const int ret = write_spans(one, a, b);

	return ret ? copy_error(&one->err, err) : 0;
}

int readers_finish(struct readers *r, struct err *err)
{
	int ret = 0;

	for vec_each(p, &r->v) {
		struct reader *one = *p;
		const int bad = data_writer_end(&one->out.w, SPARE_BYTES, ret ? NULL : err);

		ret = ret ? ret : bad;
	}
	collect(r, false, true, NULL);
	return ret;
}

void readers_free(struct readers *r)
{
	if (!r)
		return;
	readers_stop(r);
	for vec_each(p, &r->v) {
		struct reader *one = *p;

		data_writer_release(&one->out.w);
		output_scan_release(&one->out.scan);
		str_release(&one->task_records);
		waiter_release(&one->waiter);
		err_release(&one->err);
		vec_free(&one->slots);
		pthread_mutex_destroy(&one->lock);
		if (one->wake_fd >= 0)
			close(one->wake_fd);
		free(one);
	}
	vec_free(&r->v);
	pthread_mutex_destroy(&r->turn_lock);
	pthread_cond_destroy(&r->turn);
	pthread_cond_destroy(&r->turn_is_over);
	if (r->wake_fd >= 0)
		close(r->wake_fd);
	free(r);
}
