// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "util/base/num.h"
#include "util/os/ancestry.h"
#include "util/os/priority.h"
#include "util/os/procfs.h"
#include "util/session/live-priv.h"

#define TICK_NS 100000000
/* between a record's time stamp and its place in a ring; longer interruptions are rare */
#define MARGIN_NS 500000

#define TRIM_EXITS 256

/* of what is waited for; one for each ring */
enum { PLACE_CAPTURE, PLACE_INPUT, PLACE_MODULES, PLACE_RINGS };

/* ---- opening ---- */

static bool names_tasks(const struct target *t)
{
	return t->pid || t->tid;
}

int live_session_open(struct live_session *s, const struct live_session_opts *o, struct err *err)
{
	const struct target *t = &o->target;
	int ret = 0;

	*s = (struct live_session){ .o = *o, .waiter = { .signal_fd = -1 } };
	os_init(&s->os);
	live_rings_init(&s->rings);
	s->paused = o->delay_ns > 0;
	s->everybody = t->system_wide || t->user || o->cgroup || t->cpu_list ||
		(!names_tasks(t) && !o->argv);
	if (o->excluded)
		ret = parse_int_list(o->excluded, &s->excluded, err);
	if (!ret && s->everybody)
		os_ancestry(&s->os, getpid(), &s->excluded);
	if (!ret && o->argv)
		ret = workload_prepare(&s->work, o->argv, false, err);
	return ret;
}

int live_session_events(struct live_session *s, const struct live_events *e,
			const struct stream_opts *so, struct err *err)
{
	int ret = live_rings_open(s, e, err);

	if (ret)
		return ret;
	for vec_each(p, &e->list->events)
		s->rings.chains |= ((*p)->attr.sample_type &
				    (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_STACK_USER)) != 0;
	s->rings.maps |= s->rings.chains;
	s->stream = stream_new(&s->rings.source, &s->os, so, err);
	return s->stream ? 0 : -EINVAL;
}

/* ---- running ---- */

static bool put(void *ctx, const struct wire_timed *recs, size_t n)
{
	struct live_session *s = ctx;

	return stream_put(s->stream, recs, n) && !s->done;
}

/* When many have ended. All samples of before the bound were handed out. */
static void forget_ended(struct live_session *s, u64 bound_ns)
{
	struct hmap kept = { NULL, NULL, 0, 0 };
	struct machine_stats st;

	machine_get_stats(stream_machine(s->stream), &st);
	if (st.exits - s->trimmed_exits < TRIM_EXITS)
		return;
	s->o.on_keep(s->o.ctx, &kept);
	stream_trim(s->stream, bound_ns - TICK_NS, &kept);
	hmap_release(&kept);
	s->trimmed_exits = st.exits;
}

/* What a pass hands out is older than its bound, which is taken before the sources are looked
 * at. */
static int drain(struct live_session *s, bool last, struct err *err)
{
	const u64 bound = last ? UINT64_MAX : os_now_ns() - MARGIN_NS;
	int ret = live_capture_drain(s, err);

	if (s->stream) {
		struct source *source = &s->rings.source;
		int r = source->ops->pass(source, bound, put, s, ret ? NULL : err);

		ret = ret ? ret : r;
		live_session_feed(s, bound);
		live_capture_drop(s);
	}
	if (s->o.on_pass)
		s->o.on_pass(s->o.ctx, bound);
	if (s->o.on_keep && s->stream && !last)
		forget_ended(s, bound);
	return ret;
}

/* A ring whose threads are gone is always ready: the ticks are enough for what is left in it. */
static void wait_for_rings(struct live_session *s)
{
	int_vec fds = { NULL, 0, 0 };

	waiter_cut(&s->waiter, PLACE_RINGS);
	if (s->stream)
		s->rings.source.ops->fds(&s->rings.source, &fds);
	for vec_each(fd, &fds)
		waiter_add(&s->waiter, *fd);
	vec_free(&fds);
}

static bool watches_somebody(struct live_session *s)
{
	const struct target *t = &s->o.target;
	int_vec ids = { NULL, 0, 0 };

	if (s->work.pid) {
		waiter_watch(&s->waiter, s->work.pid);
		return true;
	}
	if (!names_tasks(t) || parse_int_list(t->pid ? t->pid : t->tid, &ids, NULL))
		return true;
	for vec_each(id, &ids)
		waiter_watch(&s->waiter, *id);
	vec_free(&ids);
	return s->waiter.pids.n || s->waiter.polled.n;
}

static int start_delayed(struct live_session *s, struct err *err)
{
	s->paused = false;
	if (s->capture)
		syscapture_pause(s->capture, false);
	return s->stream ? live_rings_start(s, err) : 0;
}

/* The command's end may be seen before its last records are. */
static bool has_ended(struct live_session *s, enum wait_result r, u64 now)
{
	if (s->work.pid && workload_poll(&s->work) == 1)
		return true;
	return (r == WAIT_ENDED && !s->work.pid) ||
		(s->o.limit_ns && now - s->started_ns >= s->o.limit_ns);
}

static u64 next_look(const struct live_session *s, u64 next_tick)
{
	u64 at = os_now_ns() + TICK_NS;

	if (next_tick)
		at = MIN(at, next_tick);
	return s->o.limit_ns ? MIN(at, s->started_ns + s->o.limit_ns) : at;
}

static void look_at_input(struct live_session *s)
{
	if (!s->o.on_input || !(waiter_ready(&s->waiter, PLACE_INPUT) ||
				waiter_hung(&s->waiter, PLACE_INPUT)))
		return;
	if (!s->o.on_input(s->o.ctx))
		waiter_set(&s->waiter, PLACE_INPUT, -1);
}

static void stop(struct live_session *s)
{
	if (s->stopped)
		return;
	s->stopped = true;
	if (s->capture)
		syscapture_stop(s->capture);
	if (s->stream)
		event_list_disable(s->rings.source.events);
}

/* Once. */
static int take_last(struct live_session *s, struct err *err)
{
	if (s->stopped)
		return 0;
	stop(s);
	return s->done ? 0 : drain(s, true, err);
}

bool live_session_pass(struct live_session *s, int *ret, struct err *err)
{
	enum wait_result r = waiter_wait(&s->waiter, &s->os, next_look(s, s->next_tick_ns));
	u64 now = os_now_ns();

	if (s->paused && now - s->started_ns >= s->o.delay_ns)
		*ret = start_delayed(s, err);
	if (!s->ended && has_ended(s, r, now)) {
		s->ended = true;
		*ret = *ret ? *ret : take_last(s, err);
	}
	if (s->ended)
		return false;
	if (!*ret)
		*ret = drain(s, false, err);
	if (!*ret && live_rings_follow(s, err))
		wait_for_rings(s);
	look_at_input(s);
	if (s->next_tick_ns && now >= s->next_tick_ns) {
		s->o.on_tick(s->o.ctx);
		s->next_tick_ns = now + s->o.tick_ns;
	}
	return !s->done && !*ret && !s->waiter.signal;
}

static int watch(struct live_session *s, struct err *err)
{
	int ret = 0;

	while (!s->ended && live_session_pass(s, &ret, err))
		;
	return ret;
}

static int start(struct live_session *s, struct err *err)
{
	int ret = s->stream && !s->paused ? live_rings_start(s, err) : 0;

	if (!ret && s->work.pid)
		ret = workload_start(&s->work, err);
	s->started_ns = os_now_ns();
	return ret;
}

static int start_and_watch(struct live_session *s, struct err *err)
{
	const int nice_before = os_quick();
	int ret = s->o.rt_prio ? os_realtime(s->o.rt_prio, err) : 0;

	signal(SIGPIPE, SIG_IGN);
	waiter_add(&s->waiter, s->capture ? syscapture_fd(s->capture) : -1);
	waiter_add(&s->waiter, s->o.on_input ? s->o.input_fd : -1);
	waiter_add(&s->waiter, s->rings.open ? live_modules_fd(&s->rings.live) : -1);
	wait_for_rings(s);
	if (!ret)
		ret = start(s, err);
	if (!ret) {
		s->next_tick_ns = s->o.tick_ns ? s->started_ns + s->o.tick_ns : 0;
		s->ended = !watches_somebody(s);
		ret = s->o.drive ? s->o.drive(s->o.ctx, err) : watch(s, err);
		if (!ret)
			ret = take_last(s, err);
		stop(s);
	}
	os_normal(nice_before);
	return ret;
}

int live_session_run(struct live_session *s, struct sink *const *sinks, size_t n, struct err *err)
{
	int ret = 0;

	if (s->stream) {
		stream_begin(s->stream, sinks, n);
		ret = live_rings_before(s, err);
	}
	if (!ret)
		/* the command was forked before: it keeps the signals as they were */
		ret = waiter_init(&s->waiter, err);
	if (!ret)
		ret = start_and_watch(s, err);
	if (s->stream)
		stream_end(s->stream);
	return ret;
}

u64 live_session_lost(const struct live_session *s)
{
	return (s->capture ? syscapture_lost(s->capture) : 0) +
	       (s->rings.open ? s->rings.source.ops->lost(&s->rings.source) : 0);
}

int live_session_close(struct live_session *s)
{
	const int status = s->work.pid && s->work.reaped ? workload_exit_code(&s->work) : 0;

	stream_free(s->stream);
	if (s->rings.open)
		source_close(&s->rings.source);
	live_capture_release(s);
	workload_release(&s->work, true);
	waiter_release(&s->waiter);
	vec_free(&s->excluded);
	os_release(&s->os);
	return status;
}
