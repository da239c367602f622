// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel's capture of system calls as a source: whom it watches, and its records in the
// order of time among events.
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "util/base/num.h"
#include "util/os/cgroup.h"
#include "util/session/live-priv.h"

#define ALL_RING_BYTES (64 << 20)	/* of a whole system */

/* BPF programs know the unified hierarchy only; groups of another one are left to events. */
static int open_cgroup(const struct os *os, const char *name, struct err *err)
{
	struct err other = ERR_INIT;
	int fd = os_cgroup2_open(os, name, err), v1;

	if (fd >= 0)
		return fd;
	v1 = os_cgroup_open(os, name, &other);
	if (v1 >= 0) {
		close(v1);
		err_release(err);
		fd = err_set(err, ENOTSUP, "BPF programs do not know cgroup '%s': it is in a "
					   "hierarchy of version 1", name);
	}
	err_release(&other);
	return fd;
}

struct whom { int_vec tgids, tids, cpus; };

static int find_whom(const struct target *t, struct whom *w, struct syscapture_opts *o,
		     struct err *err)
{
	int ret = t->pid ? parse_int_list(t->pid, &w->tgids, err) : 0;

	if (!ret && t->tid)
		ret = parse_int_list(t->tid, &w->tids, err);
	if (!ret && t->cpu_list)
		ret = parse_int_list(t->cpu_list, &w->cpus, err);
	if (!ret && t->user)
		ret = target_find_user(t->user, &o->uid, err);
	o->tgids = &w->tgids;
	o->tids = &w->tids;
	o->cpus = t->cpu_list ? &w->cpus : NULL;
	o->by_uid = t->user;
	return ret;
}

int live_session_capture(struct live_session *s, const struct syscapture_opts *opts,
			 bool (*take)(void *ctx, const struct sysrec *r, size_t bytes, u64 now_ns),
			 struct err *reason, struct err *err)
{
	const struct target *t = &s->o.target;
	struct syscapture_opts o = *opts;
	struct whom w = { { NULL, 0, 0 }, { NULL, 0, 0 }, { NULL, 0, 0 } };
	int ret = find_whom(t, &w, &o, err);

	o.excluded = &s->excluded;
	o.all = s->everybody;
	/* with all it is one of them */
	o.held = t->pid || t->tid || s->everybody ? 0 : s->work.pid;
	o.no_inherit = s->o.no_inherit;
	o.paused = s->o.delay_ns > 0;
	o.ring_bytes = s->o.ring_bytes || !s->everybody ? s->o.ring_bytes : ALL_RING_BYTES;
	o.cgroup_fd = -1;
	s->captured.take = take;
	if (!ret && s->o.cgroup)
		o.cgroup_fd = open_cgroup(&s->os, s->o.cgroup, reason);
	if (!ret && (!s->o.cgroup || o.cgroup_fd >= 0))
		syscapture_open(&s->capture, &o, &s->os, reason);
	if (o.cgroup_fd >= 0)
		close(o.cgroup_fd);
	vec_free(&w.tgids);
	vec_free(&w.tids);
	vec_free(&w.cpus);
	return ret;
}

/* ---- its records between the events ---- */

static void keep(struct live_captured *c, const void *record, size_t bytes)
{
	const u64 n = bytes;

	str_addn(&c->spool, (const char *)&n, sizeof(n));
	/* the ring's records are so aligned */
	str_addn(&c->spool, record, ALIGN_UP(bytes, 8));
}

static int on_record(void *ctx, const void *record, size_t bytes)
{
	struct live_session *s = ctx;

	if (s->rings.open)
		keep(&s->captured, record, bytes);
	else
		s->captured.take(s->o.ctx, record, bytes, UINT64_MAX);
	return !s->rings.open && s->done;
}

int live_capture_drain(struct live_session *s, struct err *err)
{
	int ret = s->capture ? syscapture_drain(s->capture, on_record, s) : 0;

	return ret < 0 ? err_sys(err, -ret, "cannot map the buffer of calls") : 0;
}

/* The time at which a record was made. */
static u64 record_time(const struct sysrec *r)
{
	if (r->type == SYSREC_NAME)
		return 0;
	return r->type == SYSREC_CALL || r->flags & SYSREC_F_CUT ? r->exit_ns : r->enter_ns;
}

void live_session_feed(struct live_session *s, u64 time_ns)
{
	struct live_captured *c = &s->captured;

	while (c->at + sizeof(u64) < c->spool.len && !s->done) {
		const char *p = c->spool.buf + c->at;
		const struct sysrec *r = (const struct sysrec *)(p + sizeof(u64));
		u64 n;

		memcpy(&n, p, sizeof(n));
		if (record_time(r) > time_ns || !c->take(s->o.ctx, r, n, time_ns))
			break;
		c->at += sizeof(n) + ALIGN_UP(n, 8);
	}
}

void live_capture_drop(struct live_session *s)
{
	struct live_captured *c = &s->captured;

	if (c->at < c->spool.len)
		memmove(c->spool.buf, c->spool.buf + c->at, c->spool.len - c->at);
	c->spool.len -= c->at;
	c->at = 0;
}

void live_capture_release(struct live_session *s)
{
	syscapture_close(s->capture);
	s->capture = NULL;
	str_release(&s->captured.spool);
}
