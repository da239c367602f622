// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/waiting.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/os/procfs.h"

#define POLL_NS 100000000ULL	/* how often threads without a pidfd are looked at */

int waiter_init(struct waiter *w, struct err *err)
{
	sigset_t set;

	*w = (struct waiter){ .signal_fd = -1, .event_fd = -1 };
	io_end_signals(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, &w->before);
	w->active = true;
	w->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (w->signal_fd < 0)
		return err_sys(err, errno, "cannot watch for signals");
	return 0;
}

void waiter_watch(struct waiter *w, pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	if (fd >= 0)
		vec_push(&w->pids, fd);
	else if (errno != ESRCH)
		vec_push(&w->polled, pid);
}

void waiter_unwatch(struct waiter *w)
{
	for (size_t i = 0; i < w->pids.n; i++)
		close(w->pids.v[i]);
	vec_clear(&w->pids);
	vec_clear(&w->polled);
}

void waiter_release(struct waiter *w)
{
	if (!w->active)
		return;
	waiter_unwatch(w);
	vec_free(&w->pids);
	vec_free(&w->polled);
	if (w->signal_fd >= 0)
		close(w->signal_fd);
	sigprocmask(SIG_SETMASK, &w->before, NULL);
	*w = (struct waiter){ .signal_fd = -1, .event_fd = -1 };
}

/* As a pidfd tells it: a process that waits for its parent to look has ended, unless only its first
 * thread has. */
static bool has_ended(const struct os *os, pid_t pid)
{
	struct procfs_status st;
	int_vec tids = { 0 };
	bool ended;

	if (!procfs_alive(os, pid))
		return true;
	if (procfs_status(os, pid, &st, NULL) || (st.state != 'Z' && st.state != 'X'))
		return false;
	ended = procfs_tasks(os, pid, &tids, NULL) || tids.n < 2;
	vec_free(&tids);
	return ended;
}

static void look_at_threads(struct waiter *w, const struct os *os)
{
	for (size_t i = 0; i < w->polled.n; )
		if (has_ended(os, w->polled.v[i]))
			w->polled.v[i] = vec_pop(&w->polled);
		else
			i++;
}

static void take_signal(struct waiter *w)
{
	struct signalfd_siginfo info;

	while (read(w->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		w->signal = (int)info.ssi_signo;
		w->sent = info.ssi_code == SI_USER || info.ssi_code == SI_QUEUE;
	}
}

enum wait_result waiter_wait(struct waiter *w, const struct os *os, u64 until_ns)
{
	bool watching = w->pids.n + w->polled.n;

	for (;;) {
		struct pollfd *p = xcalloc(w->pids.n + 2, sizeof(*p));
		u64 now = os_now_ns(), end = until_ns;
		struct timespec ts, *limit = NULL;
		size_t n = w->pids.n;
		bool event;

		if (w->polled.n && (!end || end > now + POLL_NS))
			end = now + POLL_NS;
		if (end) {
			u64 left = end > now ? end - now : 0;

			ts = (struct timespec){ (time_t)(left / NSEC_PER_SEC), (long)(left % NSEC_PER_SEC) };
			limit = &ts;
		}
		for (size_t i = 0; i < n; i++)
			p[i] = (struct pollfd){ .fd = w->pids.v[i], .events = POLLIN };
		p[n] = (struct pollfd){ .fd = w->signal_fd, .events = POLLIN };
		p[n + 1] = (struct pollfd){ .fd = w->event_fd, .events = POLLIN };
		ppoll(p, n + 2, limit, NULL);
		for (size_t i = n; i-- > 0; )
			if (p[i].revents) {
				close(w->pids.v[i]);
				w->pids.v[i] = w->pids.v[--w->pids.n];
			}
		if (p[n].revents)
			take_signal(w);
		event = p[n + 1].revents;
		free(p);
		look_at_threads(w, os);
		if (w->signal)
			return WAIT_SIGNAL;
		if (watching && !w->pids.n && !w->polled.n)
			return WAIT_ENDED;
		if (event)
			return WAIT_EVENT;
		if (until_ns && os_now_ns() >= until_ns)
			return WAIT_TIME;
	}
}
