// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "util/base/xalloc.h"

enum { N_FATAL = 9, N_NOTED = 3, LEAVE_MAX = 256 };
static const int fatal_signals[N_FATAL] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGINT,
					     SIGTERM, SIGHUP, SIGQUIT };
static const int noted_signals[N_NOTED] = { SIGWINCH, SIGTSTP, SIGCONT };

struct terminal {
	int fd, watch_fd;	/* watch_fd: as long as it is open, the watcher waits */
	pid_t watcher;
	int wake[2];		/* a byte for each signal that was noted */
	struct termios before;
	char leave[LEAVE_MAX];
	size_t n_leave;
	char *enter;
	struct sigaction old_fatal[N_FATAL], old_noted[N_NOTED];
};

/* For the handlers: there is one terminal. */
static struct terminal *current;

/* Safe in a signal handler. */
static void write_all(int fd, const char *s, size_t n)
{
	while (n) {
		ssize_t w = write(fd, s, n);

		if (w <= 0 && errno != EINTR)
			return;
		if (w > 0)
			s += w, n -= (size_t)w;
	}
}

static void leave_screen(const struct terminal *t)
{
	write_all(t->fd, t->leave, t->n_leave);
	tcsetattr(t->fd, TCSANOW, &t->before);
}

static void enter_screen(const struct terminal *t)
{
	struct termios raw = t->before;

	raw.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INPCK | ISTRIP | IXON | INLCR | IGNCR);
	raw.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN | ISIG);
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 0;
	tcsetattr(t->fd, TCSADRAIN, &raw);
	write_all(t->fd, t->enter, strlen(t->enter));
}

/* The handler was reset on entry: the signal comes again when it returns. */
static void on_fatal(int sig)
{
	struct terminal *t = current;

	current = NULL;
	if (t)
		leave_screen(t);
	raise(sig);
}

static void on_noted(int sig)
{
	int saved = errno;
	char c = (char)sig;

	if (current)
		(void)!write(current->wake[1], &c, 1);
	errno = saved;
}

static void set_handlers(struct terminal *t)
{
	struct sigaction fatal = { .sa_handler = on_fatal, .sa_flags = (int)SA_RESETHAND },
		noted = { .sa_handler = on_noted, .sa_flags = SA_RESTART };

	/* who handles or ignores one already has his reason; the watcher is there for the rest */
	for (int i = 0; i < N_FATAL; i++)
		if (!sigaction(fatal_signals[i], NULL, &t->old_fatal[i]) &&
		    t->old_fatal[i].sa_handler == SIG_DFL)
			sigaction(fatal_signals[i], &fatal, NULL);
	for (int i = 0; i < N_NOTED; i++)
		sigaction(noted_signals[i], &noted, &t->old_noted[i]);
}

static void reset_handlers(const struct terminal *t)
{
	for (int i = 0; i < N_FATAL; i++)
		if (t->old_fatal[i].sa_handler == SIG_DFL)
			sigaction(fatal_signals[i], &t->old_fatal[i], NULL);
	for (int i = 0; i < N_NOTED; i++)
		sigaction(noted_signals[i], &t->old_noted[i], NULL);
}

/* ---- the watcher ---- */

static void watch(const struct terminal *t, int fd, pid_t group) __attribute__((noreturn));
static void watch(const struct terminal *t, int fd, pid_t group)
{
	char done = 0;
	ssize_t n;

	while ((n = read(fd, &done, 1)) < 0 && errno == EINTR)
		;
	if (n == 0) {
		if (tcgetpgrp(t->fd) == group)
			leave_screen(t);
		else
			write_all(t->fd, t->leave, t->n_leave);
	}
	_exit(0);
}

static void close_others(int a, int b)
{
	int lo = MIN(a, b), hi = MAX(a, b);

	if (lo > 0)
		close_range(0, (unsigned)lo - 1, 0);
	if (hi > lo + 1)
		close_range((unsigned)lo + 1, (unsigned)hi - 1, 0);
	close_range((unsigned)hi + 1, ~0u, 0);
}

static int start_watcher(struct terminal *t, struct err *err)
{
	const pid_t group = getpgrp();
	sigset_t all, old;
	int p[2];

	if (pipe2(p, O_CLOEXEC))
		return err_sys(err, errno, "cannot watch over the terminal: pipe");
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old);
	t->watcher = fork();
	if (t->watcher == 0) {
		setpgid(0, 0);	/* what ends or stops the job is not for it */
		close_others(t->fd, p[0]);
		prctl(PR_SET_NAME, "perf-terminal");
		watch(t, p[0], group);
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	close(p[0]);
	t->watch_fd = p[1];
	if (t->watcher < 0) {
		close(p[1]);
		return err_sys(err, errno, "cannot watch over the terminal: fork");
	}
	return 0;
}

static void stop_watcher(struct terminal *t)
{
	char done = 1;

	(void)!write(t->watch_fd, &done, 1);
	close(t->watch_fd);
	while (waitpid(t->watcher, NULL, 0) < 0 && errno == EINTR)
		;
}

/* ---- life ---- */

struct terminal *terminal_open(int fd, const char *enter, const char *leave, struct err *err)
{
	struct terminal *t = xnew(struct terminal);

	t->fd = fd;
	t->n_leave = MIN(strlen(leave), sizeof(t->leave));
	memcpy(t->leave, leave, t->n_leave);
	t->enter = xstrdup(enter);
	if (tcgetattr(fd, &t->before)) {
		err_sys(err, errno, "cannot use the terminal");
		goto fail;
	}
	if (start_watcher(t, err))
		goto fail;
	if (pipe2(t->wake, O_CLOEXEC | O_NONBLOCK)) {
		err_sys(err, errno, "cannot use the terminal: pipe");
		stop_watcher(t);
		goto fail;
	}
	current = t;
	set_handlers(t);
	enter_screen(t);
	return t;
fail:
	free(t->enter);
	free(t);
	return NULL;
}

void terminal_close(struct terminal *t)
{
	if (!t)
		return;
	leave_screen(t);
	reset_handlers(t);
	current = NULL;
	stop_watcher(t);
	close(t->wake[0]);
	close(t->wake[1]);
	free(t->enter);
	free(t);
}

void terminal_suspend(struct terminal *t)
{
	struct sigaction dfl = { .sa_handler = SIG_DFL }, noted;
	sigset_t stop, old;

	leave_screen(t);
	sigaction(SIGTSTP, &dfl, &noted);
	kill(0, SIGTSTP);	/* all of the job, as the terminal would */
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &stop, &old);
	sigprocmask(SIG_SETMASK, &old, NULL);
	sigaction(SIGTSTP, &noted, NULL);
	enter_screen(t);
}

static void nothing(int sig) { (void)sig; }

/* A handler, not SIG_IGN, which the program would inherit. */
static void hold_signals(bool hold, struct sigaction old[2])
{
	const struct sigaction none = { .sa_handler = nothing, .sa_flags = SA_RESTART };
	static const int signals[2] = { SIGINT, SIGQUIT };

	for (int i = 0; i < 2; i++)
		sigaction(signals[i], hold ? &none : &old[i], hold ? &old[i] : NULL);
}

static void wait_for_enter(const struct terminal *t)
{
	static const char prompt[] = "\n(Enter goes back)";
	char c = 0;
	ssize_t n;

	write_all(t->fd, prompt, sizeof(prompt) - 1);
	do {
		n = read(t->fd, &c, 1);
	} while ((n < 0 && errno == EINTR) || (n == 1 && c != '\n'));
}

int terminal_run(struct terminal *t, const struct run_opts *o, bool wait, struct err *err)
{
	struct sigaction old[2];
	pid_t pid;
	int ret;

	leave_screen(t);
	hold_signals(true, old);
	ret = run_start(o, &pid, err);
	if (!ret)
		ret = run_wait_job(pid);
	if (ret == 128 + SIGPIPE || ret == 128 + SIGINT)	/* somebody had seen enough */
		ret = 0;
	if (ret > 0 || (!ret && wait))
		wait_for_enter(t);
	hold_signals(false, old);
	enter_screen(t);
	return ret;
}

static enum terminal_event noted(struct terminal *t)
{
	char sigs[64];
	ssize_t n = read(t->wake[0], sigs, sizeof(sigs));
	bool resized = false, continued = false;

	for (ssize_t i = 0; i < n; i++) {
		if (sigs[i] == SIGTSTP) {
			terminal_suspend(t);
			continued = true;
		}
		continued |= sigs[i] == SIGCONT;
		resized |= sigs[i] == SIGWINCH;
	}
	if (continued)
		enter_screen(t);	/* after a stop that cannot be caught, too */
	return continued ? TERMINAL_CONTINUED : resized ? TERMINAL_RESIZED : TERMINAL_TIMEOUT;
}

enum terminal_event terminal_wait(struct terminal *t, int timeout_ms)
{
	struct pollfd fds[2] = { { .fd = t->fd, .events = POLLIN },
				 { .fd = t->wake[0], .events = POLLIN } };
	int n;

	do {
		n = poll(fds, 2, timeout_ms);
	} while (n < 0 && errno == EINTR);
	if (n <= 0)
		return TERMINAL_TIMEOUT;
	if (fds[1].revents)
		return noted(t);
	if (fds[0].revents & POLLIN)
		return TERMINAL_BYTES;
	return TERMINAL_CLOSED;
}

size_t terminal_read(struct terminal *t, void *buf, size_t n)
{
	ssize_t got;

	do {
		got = read(t->fd, buf, n);
	} while (got < 0 && errno == EINTR);
	return got > 0 ? (size_t)got : 0;
}
