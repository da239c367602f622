// SPDX-License-Identifier: GPL-2.0-or-later
// A child that does a part of the work, and writes what comes of it into a pipe.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "util/os/run.h"

static volatile sig_atomic_t beside, interrupted;	/* for the handler, and by it */

/* The terminal's goes to the child as well. */
static void on_interrupt(int sig, siginfo_t *info, void *context UNUSED)
{
	interrupted = 1;
	if (info->si_code == SI_USER)
		kill(beside, sig);
}

int run_beside(int (*fn)(void *ctx, int write_fd), void *ctx, int *read_fd, struct err *err)
{
	const struct sigaction sa = { .sa_sigaction = on_interrupt,
				      .sa_flags = SA_SIGINFO | SA_RESTART };
	pid_t pid;
	int fds[2];

	if (pipe2(fds, O_CLOEXEC))
		return err_sys(err, errno, "cannot make a pipe");
	fflush(NULL);
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		close(fds[0]);
		_exit(fn(ctx, fds[1]));
	}
	close(fds[1]);
	if (pid < 0) {
		close(fds[0]);
		return err_sys(err, errno, "cannot start a process");
	}
	*read_fd = fds[0];
	beside = pid;
	interrupted = 0;
	sigaction(SIGINT, &sa, NULL);
	return 0;
}

int run_beside_wait(bool *was_interrupted)
{
	const int status = run_wait(beside);

	*was_interrupted = interrupted;
	return status;
}
