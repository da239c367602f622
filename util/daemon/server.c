// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/daemon/server-priv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/daemon/talk.h"
#include "util/os/local-socket.h"
#include "util/os/run.h"

#define CLIENT_S 5	/* how long a client may take to say what it wants */
#define MINUTE_NS (60 * NSEC_PER_SEC)

enum { PLACE_LISTEN, PLACE_WATCH };	/* of the waiter, see crew_wait() */

int daemon_open(struct daemon *d, const struct daemon_opts *o, const struct daemon_plan *plan,
		struct err *err)
{
	int ret;

	*d = (struct daemon){ .o = o, .listen_fd = -1, .stop_fd = -1, .watch.fd = -1 };
	os_init(&d->os);
	ret = daemon_base_open(&d->base, o->base, err);
	if (!ret)
		ret = daemon_base_lock(&d->base, err);
	if (!ret)
		ret = file_watch_init(&d->watch, err);
	for (const char *const *f = o->files; *f && !ret; f++)
		ret = file_watch_add(&d->watch, *f, err);
	if (!ret) {
		d->listen_fd = local_socket_listen(d->base.path, DAEMON_SOCKET, err);
		ret = MIN(d->listen_fd, 0);
	}
	for (size_t i = 0; i < plan->sessions.n && !ret; i++)
		daemon_session_init(vec_add(&d->sessions), plan->sessions.v[i].name,
				    plan->sessions.v[i].run);
	return ret;
}

static void plan_of(const struct daemon *d, struct daemon_plan *plan)
{
	for vec_each(s, &d->sessions)
		daemon_plan_add(plan, s->name, s->run, NULL);
}

/* Of those that do not run, or do not answer. One that has done its work is none. */
static void add_warnings(const struct daemon *d, struct str *out)
{
	for vec_each(s, &d->sessions) {
		struct str words = STR_INIT;

		if (s->pid ? s->answers : !s->status)
			continue;
		if (s->pid) {
			str_addf(out, "session '%s' has not answered yet", s->name);
		} else {
			str_addf(out, "session '%s' has ended: ", s->name);
			daemon_session_end_text(s, out);
		}
		daemon_session_words(s, &words);
		str_addf(out, "; see '%s/output'%s%s", s->dir, words.len ? ":\n" : "",
			 str_cstr(&words));
		str_addch(out, '\0');
		str_release(&words);
	}
}

int daemon_begin(struct daemon *d, struct str *warnings, struct err *err)
{
	struct daemon_plan plan = { 0 };
	const int ret = waiter_init(&d->waiter, err);

	if (ret)
		return ret;
	d->waiter.usr2_asks = true;	/* for sessions; the daemon does not end by it */
	d->started_ns = os_now_ns();
	daemon_base_own(&d->base);
	daemon_log("daemon started (pid %d)", (int)getpid());
	plan_of(d, &plan);
	crew_follow(d, &plan);
	daemon_plan_release(&plan);
	crew_ping(d, "");
	crew_reap(d);
	add_warnings(d, warnings);
	return 0;
}

/* --- what is asked --- */

struct request { struct daemon *d; const char *name; struct str *answer; };

static void add_row(struct request *r, const char *kind, const struct daemon_session *s,
		    const char *text)
{
	char pid[24], minutes[24];

	snprintf(pid, sizeof(pid), "%d", (int)s->pid);
	snprintf(minutes, sizeof(minutes), "%llu",
		 (unsigned long long)((os_now_ns() - s->started_ns) / MINUTE_NS));
	daemon_add_row(r->answer, &(struct daemon_row){ kind, pid, minutes, s->name, text });
}

static void do_list(struct request *r)
{
	const struct daemon_session self = { .name = r->d->base.path, .pid = getpid(),
					     .started_ns = r->d->started_ns };

	add_row(r, "daemon", &self, "");
	for vec_each(s, &r->d->sessions) {
		struct str how = STR_INIT;

		daemon_session_end_text(s, &how);
		if (s->pid)
			add_row(r, "session", s, s->run);
		else
			daemon_add_row(r->answer, &(struct daemon_row){
				"ended", str_cstr(&how), "", s->name, s->run });
		str_release(&how);
	}
}

static bool is_asked(const struct request *r, const struct daemon_session *s)
{
	return s->pid && (!*r->name || !strcmp(s->name, r->name));
}

static void add_missing(struct request *r)
{
	if (*r->name && !r->answer->len)
		daemon_add_row(r->answer, &(struct daemon_row){ "fail", "", "", r->name,
								"not found" });
}

/* One that is only starting would be ended by it. */
static void do_signal(struct request *r)
{
	for vec_each(s, &r->d->sessions)
		if (is_asked(r, s) && !s->answers)
			crew_ping(r->d, s->name);
	for vec_each(s, &r->d->sessions) {
		if (!is_asked(r, s))
			continue;
		if (s->answers)
			daemon_session_signal(s, SIGUSR2);
		add_row(r, s->answers ? "signal" : "fail", s, s->answers ? "" :
			"it is not ready: it answers no ping");
	}
	add_missing(r);
}

static void do_ping(struct request *r)
{
	crew_ping(r->d, r->name);
	for vec_each(s, &r->d->sessions)
		if (is_asked(r, s))
			add_row(r, s->awaited ? "fail" : "ok", s, "no answer");
	add_missing(r);
}

static void do_stop(struct request *r)
{
	r->d->stop = true;
}

static const struct { const char *verb; void (*run)(struct request *r); } verbs[] = {
	{ "list", do_list }, { "signal", do_signal }, { "ping", do_ping }, { "stop", do_stop },
};

static void obey(struct request *r, const char *verb)
{
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(verbs[i].verb, verb)) {
			verbs[i].run(r);
			return;
		}
	daemon_add_row(r->answer, &(struct daemon_row){
		.kind = "error", .name = "the daemon does not know this command",
		.text = "it is of another version: stop it by a TERM signal, and start it again" });
}

/* An answer without rows is "done". */
static void answer(int fd, struct str *rows)
{
	if (!rows->len)
		daemon_add_row(rows, &(struct daemon_row){ .kind = "done" });
	local_socket_send(fd, rows->buf, rows->len);
	close(fd);
}

static void serve_one(struct daemon *d, int fd)
{
	struct str bytes = STR_INIT, rows = STR_INIT;
	struct request r = { .d = d, .answer = &rows };
	const char *verb;

	if (daemon_read_request(fd, &bytes, &verb, &r.name)) {
		close(fd);
	} else {
		obey(&r, verb);
		if (d->stop && d->stop_fd < 0 && !strcmp(verb, "stop"))
			d->stop_fd = fd;	/* the answer comes when it has ended */
		else
			answer(fd, &rows);
	}
	str_release(&bytes);
	str_release(&rows);
}

static void reload(struct daemon *d)
{
	struct daemon_plan plan = { 0 };
	struct err err = ERR_INIT;

	if (d->o->load(d->o->ctx, &plan, &err))
		daemon_log("reconfig failed, the sessions stay as they are: %s", err.msg);
	else
		crew_follow(d, &plan);
	daemon_plan_release(&plan);
	err_release(&err);
}

void daemon_serve(struct daemon *d)
{
	while (!d->stop) {
		int fd;

		crew_wait(d, true, 0);
		crew_reap(d);
		if (waiter_ready(&d->waiter, PLACE_WATCH) && file_watch_changed(&d->watch))
			reload(d);
		while (!d->stop && (fd = local_socket_accept(d->listen_fd, CLIENT_S)) != -EAGAIN &&
		       (fd >= 0 || fd == -EPERM))
			if (fd >= 0)
				serve_one(d, fd);
	}
}

static void remove_socket(const struct daemon *d)
{
	char *path = xasprintf("%s/%s", d->base.path, DAEMON_SOCKET);

	unlink(path);
	free(path);
}

void daemon_close(struct daemon *d)
{
	struct str rows = STR_INIT;

	for vec_each(s, &d->sessions)
		s->ending = true;
	if (d->waiter.active) {
		crew_end(d);
		daemon_log("daemon exited");
	}
	if (d->listen_fd >= 0)
		remove_socket(d);
	waiter_release(&d->waiter);
	daemon_leave(d);
	if (d->stop_fd >= 0)
		answer(d->stop_fd, &rows);
	d->stop_fd = -1;
	str_release(&rows);
}

void daemon_leave(struct daemon *d)
{
	for vec_each(s, &d->sessions)
		daemon_session_release(s);
	vec_free(&d->sessions);
	file_watch_release(&d->watch);
	if (d->listen_fd >= 0)
		close(d->listen_fd);
	d->listen_fd = -1;
	daemon_base_release(&d->base);
	os_release(&d->os);
}
