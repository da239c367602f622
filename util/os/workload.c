// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/os/run.h"

static void child(const char *const *argv, int go_fd, int err_fd, bool stdout_to_stderr)
{
	char c;
	int code;
	ssize_t n;

	sigset_t set;

	/* handlers fall back by themselves on exec, ignored and blocked signals do not */
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	io_end_signals(&set);
	sigaddset(&set, SIGUSR2);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	if (stdout_to_stderr)
		dup2(2, 1);
	do
		n = read(go_fd, &c, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(0);	/* the parent gave up */
	execvp(argv[0], (char *const *)argv);
	code = errno;
	n = write(err_fd, &code, sizeof(code));
	_exit(127);
}

int workload_prepare(struct workload *w, const char *const *argv, bool stdout_to_stderr,
		     struct err *err)
{
	int go[2] = { -1, -1 }, bad[2] = { -1, -1 };
	int ret = 0;

	*w = (struct workload){ .go_fd = -1, .err_fd = -1 };
	w->name = xstrdup(argv[0]);
	if (pipe2(go, O_CLOEXEC) || pipe2(bad, O_CLOEXEC)) {
		ret = err_sys(err, errno, "cannot start '%s'", argv[0]);
		goto out;
	}
	w->pid = fork();
	if (w->pid < 0) {
		ret = err_sys(err, errno, "cannot start '%s'", argv[0]);
		w->pid = 0;
		goto out;
	}
	if (!w->pid) {
		close(go[1]);
		close(bad[0]);
		child(argv, go[0], bad[1], stdout_to_stderr);
	}
	w->go_fd = go[1];
	w->err_fd = bad[0];
	go[1] = bad[0] = -1;
out:
	for (int i = 0; i < 2; i++) {
		if (go[i] >= 0)
			close(go[i]);
		if (bad[i] >= 0)
			close(bad[i]);
	}
	return ret;
}

static void close_pipes(struct workload *w)
{
	if (w->go_fd >= 0)
		close(w->go_fd);
	if (w->err_fd >= 0)
		close(w->err_fd);
	w->go_fd = w->err_fd = -1;
}

static int reap(struct workload *w, int flags)
{
	struct rusage ru;
	pid_t pid;

	if (w->reaped)
		return 1;
	pid = wait4(w->pid, &w->status, flags, &ru);
	if (pid < 0)
		return -errno;
	if (pid == 0)
		return 0;
	w->reaped = true;
	w->user_ns = ru.ru_utime.tv_sec * NSEC_PER_SEC + ru.ru_utime.tv_usec * 1000ULL;
	w->sys_ns = ru.ru_stime.tv_sec * NSEC_PER_SEC + ru.ru_stime.tv_usec * 1000ULL;
	return 1;
}

int workload_start(struct workload *w, struct err *err)
{
	int code = 0, ret = 0;
	ssize_t n;

	if (write(w->go_fd, "g", 1) != 1) {
		ret = err_sys(err, errno, "cannot start '%s'", w->name);
		goto out;
	}
	do
		n = read(w->err_fd, &code, sizeof(code));
	while (n < 0 && errno == EINTR);
	if (n == sizeof(code)) {
		ret = err_sys(err, code, "cannot run '%s'", w->name);
		if (err)
			err->status = WORKLOAD_NOT_RUN;
		while (reap(w, 0) == -EINTR)
			;
	}
out:
	close_pipes(w);
	return ret;
}

int workload_wait(struct workload *w, const volatile bool *stop)
{
	struct pollfd p = { .fd = -1, .events = POLLIN };
	int ret;

	if (w->reaped || !w->pid)
		return 0;
	/* A signal between the look at *stop and the wait would be missed: a pidfd lets us look
	 * again now and then. */
	if (stop)
		p.fd = run_watch(w->pid);
	while (p.fd >= 0) {
		if (*stop) {
			close(p.fd);
			return -EINTR;
		}
		if (poll(&p, 1, 250) > 0)
			break;
	}
	if (p.fd >= 0)
		close(p.fd);
	for (;;) {
		ret = reap(w, 0);
		if (ret == 1)
			return 0;
		if (ret != -EINTR)
			return ret;
		if (stop && *stop)
			return -EINTR;
	}
}

int workload_poll(struct workload *w)
{
	return !w->pid ? 1 : reap(w, WNOHANG);
}

void workload_signal(struct workload *w, int signal)
{
	if (w->pid && !w->reaped)
		kill(w->pid, signal);
}

int workload_exit_code(const struct workload *w)
{
	if (!w->reaped)
		return 0;
	return WIFSIGNALED(w->status) ? 128 + WTERMSIG(w->status) : WEXITSTATUS(w->status);
}

void workload_release(struct workload *w, bool kill_it)
{
	bool held = w->pid && w->go_fd >= 0;

	if (w->pid)
		close_pipes(w);		/* a held child exits by itself now */
	if (w->pid && !w->reaped && (held || kill_it)) {
		if (kill_it)
			kill(w->pid, SIGTERM);
		while (reap(w, 0) == -EINTR)
			;
	}
	free(w->name);
	*w = (struct workload){ .go_fd = -1, .err_fd = -1 };
}
