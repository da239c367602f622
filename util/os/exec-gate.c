// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/exec-gate.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/fanotify.h>
#include <unistd.h>

#include "util/base/types.h"
#include "util/base/xalloc.h"
#include "util/os/wait-set.h"

#define N_AT_ONCE 16

struct exec_gate {
	int fd, stop_fd;
	void (*fn)(void *ctx, pid_t pid);
	void *ctx;
	pthread_t thread;
	bool started;
};

static void answer(const struct exec_gate *g, const struct fanotify_event_metadata *m)
{
	const struct fanotify_response r = { .fd = m->fd, .response = FAN_ALLOW };

	if (m->fd < 0)
		return;
	if (m->mask & FAN_OPEN_EXEC_PERM) {
		if (m->pid != getpid())
			g->fn(g->ctx, m->pid);
		if (write(g->fd, &r, sizeof(r)) < 0)
			(void)0;	/* it has been killed meanwhile */
	}
	close(m->fd);
}

static void *run(void *ctx)
{
	const struct exec_gate *g = ctx;
	struct fanotify_event_metadata all[N_AT_ONCE];
	struct pollfd p[] = { { .fd = g->stop_fd, .events = POLLIN },
			      { .fd = g->fd, .events = POLLIN } };

	for (;;) {
		const struct fanotify_event_metadata *m = all;
		ssize_t n;

		if ((poll(p, 2, -1) < 0 && errno != EINTR) || p[0].revents)
			return NULL;
		n = p[1].revents ? read(g->fd, all, sizeof(all)) : 0;
		for (; n > 0 && FAN_EVENT_OK(m, n); m = FAN_EVENT_NEXT(m, n))
			answer(g, m);
	}
}

/* Signals are for the other threads. */
static int start_thread(struct exec_gate *g)
{
	sigset_t all, before;
	int code;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	code = pthread_create(&g->thread, NULL, run, g);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	g->started = !code;
	return -code;
}

int exec_gate_new(struct exec_gate **out, void (*fn)(void *ctx, pid_t pid), void *ctx,
		  struct err *err)
{
	struct exec_gate *g = xnew(struct exec_gate);
	int ret;

	*g = (struct exec_gate){ .fn = fn, .ctx = ctx, .stop_fd = wake_open() };
	g->fd = fanotify_init(FAN_CLASS_CONTENT | FAN_CLOEXEC | FAN_NONBLOCK,
			      O_RDONLY | O_CLOEXEC);
	ret = g->fd < 0 ? -errno : g->stop_fd < 0 ? g->stop_fd : start_thread(g);
	if (!ret) {
		*out = g;
		return 0;
	}
	exec_gate_free(g);
	*out = NULL;
	err_sys(err, -ret, "programs that are executed cannot be waited for");
	err_hint(err, "that needs fanotify (CONFIG_FANOTIFY_ACCESS_PERMISSIONS) and "
		 "CAP_SYS_ADMIN");
	return ret;
}

void exec_gate_free(struct exec_gate *g)
{
	if (!g)
		return;
	if (g->started) {
		wake_ring(g->stop_fd);
		pthread_join(g->thread, NULL);
	}
	/* who still waits goes on */
	if (g->fd >= 0)
		close(g->fd);
	if (g->stop_fd >= 0)
		close(g->stop_fd);
	free(g);
}

int exec_gate_add(struct exec_gate *g, const char *path)
{
	return fanotify_mark(g->fd, FAN_MARK_ADD, FAN_OPEN_EXEC_PERM, AT_FDCWD, path) ? -errno : 0;
}
