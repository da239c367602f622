// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/daemon/server-priv.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/xalloc.h"

#define LOOK_NS 100000000ULL	/* how often, where there are no pidfds */

void daemon_log(const char *fmt, ...)
{
	struct str line = STR_INIT, text = STR_INIT;
	struct timespec now;
	struct tm tm = { 0 };
	char day[32];
	va_list ap;

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &tm);
	strftime(day, sizeof(day), "%F %T", &tm);
	va_start(ap, fmt);
	str_addv(&text, fmt, ap);
	va_end(ap);
	str_addf(&line, "[%s.%06ld] ", day, now.tv_nsec / 1000);
	str_add_safe(&line, str_cstr(&text));
	str_addch(&line, '\n');
	io_write(STDERR_FILENO, line.buf, line.len);
	str_release(&line);
	str_release(&text);
}

void crew_wait(struct daemon *d, bool serves, u64 until_ns)
{
	struct waiter *w = &d->waiter;

	waiter_cut(w, 0);
	waiter_add(w, serves ? d->listen_fd : -1);
	waiter_add(w, serves ? d->watch.fd : -1);
	for vec_each(s, &d->sessions) {
		if (s->pid && s->end_fd < 0)
			until_ns = wait_earlier(until_ns, os_now_ns() + LOOK_NS);
		if (s->pid)
			waiter_add(w, s->end_fd);
		if (s->pid && s->awaited && !serves)	/* else nobody takes a late one */
			waiter_add(w, s->ack_fd);
	}
	waiter_wait(w, &d->os, until_ns);
	d->stop |= w->signal != 0;
	w->signal = 0;
	w->asked = false;
}

void crew_reap(struct daemon *d)
{
	for vec_each(s, &d->sessions) {
		struct str how = STR_INIT;

		if (daemon_session_ended(s)) {
			daemon_session_end_text(s, &how);
			daemon_log("session '%s' %s", s->name, str_cstr(&how));
		}
		str_release(&how);
	}
}

static size_t n_awaited(struct daemon *d)
{
	size_t n = 0;

	for vec_each(s, &d->sessions) {
		if (s->awaited && s->pid && daemon_session_answered(s))
			s->awaited = false;
		n += s->awaited && s->pid;
	}
	return n;
}

void crew_ping(struct daemon *d, const char *name)
{
	const u64 until_ns = os_now_ns() + CREW_ANSWER_NS;

	for vec_each(s, &d->sessions) {
		s->awaited = s->pid && (!*name || !strcmp(s->name, name));
		if (s->awaited)
			daemon_session_ping(s);
	}
	while (!d->stop && n_awaited(d) && os_now_ns() < until_ns) {
		crew_wait(d, false, until_ns);
		crew_reap(d);
	}
}

/* *look: of one the perf has ended, but not what it has started; nothing says when that does. */
static size_t n_ending(const struct daemon *d, bool *look)
{
	size_t n = 0;

	*look = false;
	for vec_each(s, &d->sessions) {
		const bool lingers = s->ending && daemon_session_lingers(s);

		n += lingers;
		*look |= lingers && !s->pid;
	}
	return n;
}

void crew_end(struct daemon *d)
{
	const u64 until_ns = os_now_ns() + CREW_END_NS;
	bool look;

	for vec_each(s, &d->sessions)
		if (s->ending)
			daemon_session_signal(s, SIGTERM);
	while (n_ending(d, &look) && os_now_ns() < until_ns) {
		crew_wait(d, false, look ? os_now_ns() + LOOK_NS / 10 : until_ns);
		crew_reap(d);
	}
	for vec_each(s, &d->sessions)
		if (s->ending && s->group) {
			daemon_log("session '%s' has not ended in time: killed (signal 9)",
				   s->name);
			daemon_session_kill(s);
		}
}

static void start(struct daemon *d, struct daemon_session *s)
{
	struct err err = ERR_INIT;

	if (daemon_session_start(s, d->base.path, &d->waiter.before, &err))
		daemon_log("session '%s' cannot be started: %s", s->name, err.msg);
	else
		daemon_log("reconfig: running session [%s:%d]: %s", s->name, (int)s->pid, s->run);
	err_release(&err);
}

static struct daemon_session *find(struct daemon *d, const char *name)
{
	for vec_each(s, &d->sessions)
		if (!strcmp(s->name, name))
			return s;
	return NULL;
}

/* Forgets those that the plan has no more, or not with that command line. */
static void drop_ending(struct daemon *d)
{
	size_t kept = 0;

	for vec_each(s, &d->sessions) {
		if (!s->ending) {
			d->sessions.v[kept++] = *s;
			continue;
		}
		daemon_log("reconfig: session '%s' killed", s->name);
		daemon_session_release(s);
	}
	d->sessions.n = kept;
}

void crew_follow(struct daemon *d, const struct daemon_plan *plan)
{
	for vec_each(s, &d->sessions) {
		const struct daemon_plan_session *now = daemon_plan_find(plan, s->name);

		s->ending = !now || strcmp(now->run, s->run);
	}
	crew_end(d);
	drop_ending(d);
	for vec_each(p, &plan->sessions) {
		struct daemon_session *s = find(d, p->name);

		if (d->stop || (s && s->pid))
			continue;
		if (!s) {
			s = vec_add(&d->sessions);
			daemon_session_init(s, p->name, p->run);
		}
		start(d, s);
	}
}
