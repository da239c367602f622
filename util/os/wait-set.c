// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/wait-set.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/os/procfs.h"
#include "util/os/run.h"

#define POLL_NS 100000000ULL	/* how often threads without a pidfd are looked at */

int waiter_init(struct waiter *w, struct err *err)
{
	sigset_t set;

	*w = (struct waiter){ .signal_fd = -1 };
	io_end_signals(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, &w->before);
	w->active = true;
	w->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (w->signal_fd < 0)
		return err_sys(err, errno, "cannot watch for signals");
	return 0;
}

void waiter_init_fds(struct waiter *w)
{
	*w = (struct waiter){ .signal_fd = -1 };
}

void waiter_watch(struct waiter *w, pid_t pid)
{
	const int fd = run_watch(pid);

	if (fd >= 0)
		vec_push(&w->pids, fd);
	else if (fd != -ESRCH)
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
	waiter_unwatch(w);
	vec_free(&w->pids);
	vec_free(&w->polled);
	vec_free(&w->fds);
	vec_free(&w->scratch);
	if (w->active && w->signal_fd >= 0)
		close(w->signal_fd);
	if (w->active)
		sigprocmask(SIG_SETMASK, &w->before, NULL);
	*w = (struct waiter){ .signal_fd = -1 };
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
		if (w->usr2_asks && info.ssi_signo == SIGUSR2) {
			w->asked = true;
			continue;
		}
		w->signal = (int)info.ssi_signo;
		w->sent = info.ssi_code == SI_USER || info.ssi_code == SI_QUEUE;
	}
}

size_t waiter_add(struct waiter *w, int fd)
{
	vec_push(&w->fds, ((struct pollfd){ .fd = fd, .events = POLLIN }));
	return w->fds.n - 1;
}

bool waiter_set(struct waiter *w, size_t place, int fd)
{
	struct pollfd *p = &w->fds.v[place];

	*p = (struct pollfd){ .fd = fd, .events = POLLIN };
	return fd >= 0 && poll(p, 1, 0) > 0 && waiter_hung(w, place);
}

void waiter_cut(struct waiter *w, size_t n_places)
{
	w->fds.n = MIN(w->fds.n, n_places);
}

bool waiter_ready(const struct waiter *w, size_t place)
{
	return w->fds.v[place].revents & POLLIN;
}

bool waiter_hung(const struct waiter *w, size_t place)
{
	return w->fds.v[place].revents & (POLLHUP | POLLERR | POLLNVAL);
}

/* How long a wait may be; NULL: without limit. */
static struct timespec *time_left(const struct waiter *w, u64 until_ns, struct timespec *ts)
{
	u64 now = os_now_ns(), end = until_ns, left;

	if (w->polled.n && (!end || end > now + POLL_NS))
		end = now + POLL_NS;
	if (!end)
		return NULL;
	left = end > now ? end - now : 0;
	*ts = (struct timespec){ (time_t)(left / NSEC_PER_SEC), (long)(left % NSEC_PER_SEC) };
	return ts;
}

/* Polls the signals, the owner's descriptors and the processes, in this order. True: there is
 * something on the owner's. */
static bool poll_all(struct waiter *w, u64 until_ns)
{
	const size_t n_fds = w->fds.n;
	struct timespec ts;
	bool any = false;

	vec_clear(&w->scratch);
	vec_push(&w->scratch, ((struct pollfd){ .fd = w->signal_fd, .events = POLLIN }));
	for (size_t i = 0; i < n_fds; i++) {
		if (waiter_hung(w, i))
			w->fds.v[i].fd = -1;
		vec_push(&w->scratch, w->fds.v[i]);
	}
	for (size_t i = 0; i < w->pids.n; i++)
		vec_push(&w->scratch, ((struct pollfd){ .fd = w->pids.v[i], .events = POLLIN }));
	if (ppoll(w->scratch.v, w->scratch.n, time_left(w, until_ns, &ts), NULL) < 0)
		for vec_each(p, &w->scratch)
			p->revents = 0;
	if (w->scratch.v[0].revents)
		take_signal(w);
	for (size_t i = 0; i < n_fds; i++) {
		w->fds.v[i].revents = w->scratch.v[1 + i].revents;
		any |= w->fds.v[i].revents != 0;
	}
	for (size_t i = w->pids.n; i-- > 0; )
		if (w->scratch.v[1 + n_fds + i].revents) {
			close(w->pids.v[i]);
			w->pids.v[i] = w->pids.v[--w->pids.n];
		}
	return any;
}

u64 wait_earlier(u64 a_ns, u64 b_ns)
{
	return !a_ns ? b_ns : !b_ns ? a_ns : MIN(a_ns, b_ns);
}

enum wait_result waiter_wait(struct waiter *w, const struct os *os, u64 until_ns)
{
	bool watching = w->pids.n + w->polled.n;

	for (;;) {
		bool event = poll_all(w, until_ns);

		look_at_threads(w, os);
		if (w->signal)
			return WAIT_SIGNAL;
		if (watching && !w->pids.n && !w->polled.n)
			return WAIT_ENDED;
		if (event || w->asked)
			return WAIT_EVENT;
		if (until_ns && os_now_ns() >= until_ns)
			return WAIT_TIME;
	}
}

int wake_open(void)
{
	const int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	return fd < 0 ? -errno : fd;
}

void wake_ring(int fd)
{
	const u64 one = 1;

	/* full: it is readable already */
	if (write(fd, &one, sizeof(one)) < 0)
		return;
}

void wake_answer(int fd)
{
	u64 n;

	if (read(fd, &n, sizeof(n)) < 0)
		return;
}
