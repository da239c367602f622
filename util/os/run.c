// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/xalloc.h"

static bool redirect(int from, int to)
{
	return from <= 0 || dup2(from, to) >= 0;
}

static int open_nothing(void)
{
	return open("/dev/null", O_RDWR | O_CLOEXEC);
}

/* In the child. What perf ignores for itself, it does not ignore for others. */
static void become(const struct run_opts *o, pid_t parent, int reason_fd)
{
	char *const *argv = (char *const *)(uintptr_t)o->argv;
	int code, in_fd = o->no_input ? open_nothing() : o->in_fd;

	if (o->dies_with_us)
		prctl(PR_SET_PDEATHSIG, o->death_signal ? o->death_signal : SIGKILL);
	if (o->dies_with_us && getppid() != parent)
		_exit(127);
	signal(SIGXFSZ, SIG_DFL);
	if (o->ignores_int)
		signal(SIGINT, SIG_IGN);
	if (o->env)
		putenv((char *)(uintptr_t)o->env);
	if (o->own_group)
		setpgid(0, 0);
	if (o->mask)
		sigprocmask(SIG_SETMASK, o->mask, NULL);
	if ((!o->directory || !chdir(o->directory)) && redirect(in_fd, STDIN_FILENO) &&
	    redirect(o->out_fd, STDOUT_FILENO) && redirect(o->err_fd, STDERR_FILENO)) {
		if (o->file)
			execv(o->file, argv);
		else
			execvp(argv[0], argv);
	}
	code = errno;
	if (write(reason_fd, &code, sizeof(code)) < 0)
		_exit(126);
	_exit(127);
}

int run_start(const struct run_opts *o, pid_t *pid, struct err *err)
{
	const pid_t self = getpid();
	int reason[2], code = 0;

	if (pipe2(reason, O_CLOEXEC))
		return err_sys(err, errno, "cannot run '%s'", o->argv[0]);
	*pid = fork();
	if (!*pid)
		become(o, self, reason[1]);
	close(reason[1]);
	if (*pid < 0)
		code = errno;
	else if (io_read(reason[0], &code, sizeof(code)) != sizeof(code))
		code = 0;
	close(reason[0]);
	if (!code)
		return 0;
	if (*pid > 0)
		run_wait(*pid);
	return err_sys(err, code, "cannot run '%s'", o->argv[0]);
}

static int exit_code(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int run_wait(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 127;
	return exit_code(status);
}

int run_watch(pid_t pid)
{
	const int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	return fd < 0 ? -errno : fd;
}

bool run_ended(pid_t pid, int *status)
{
	int raw = 0;
	const pid_t ended = waitpid(pid, &raw, WNOHANG);

	if (!ended || (ended < 0 && errno == EINTR))
		return false;
	*status = ended < 0 ? 127 << 8 : raw;
	return true;
}

void run_signal(pid_t pid, int signal)
{
	kill(pid, signal);
}

bool run_signal_group(pid_t pid, int signal)
{
	return !kill(-pid, signal);
}

int run_wait_job(pid_t pid)
{
	int status = 0;

	for (;;) {
		if (waitpid(pid, &status, WUNTRACED) < 0) {
			if (errno != EINTR)
				return 127;
		} else if (WIFSTOPPED(status)) {
			kill(0, SIGSTOP);	/* all go on when the shell lets the job go on */
		} else {
			return exit_code(status);
		}
	}
}

int run_program(const struct run_opts *o, struct err *err)
{
	pid_t pid;
	int ret = run_start(o, &pid, err);

	return ret ? ret : run_wait(pid);
}

int run_output(const struct run_opts *o, struct str *out, struct err *err)
{
	struct run_opts piped = *o;
	char buf[4096];
	int fds[2], ret;
	ssize_t n;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return err_sys(err, errno, "cannot run '%s'", o->argv[0]);
	piped.out_fd = fds[1];
	ret = run_start(&piped, &pid, err);
	close(fds[1]);
	while (!ret && (n = io_read(fds[0], buf, sizeof(buf))) > 0)
		str_addn(out, buf, (size_t)n);
	close(fds[0]);
	return ret ? ret : run_wait(pid);
}

bool run_is_there(const char *name, size_t n)
{
	const char *path = getenv("PATH");
	bool found = false;

	while (path && *path && !found) {
		const size_t len = strcspn(path, ":");
		char *file = xasprintf("%.*s/%.*s", (int)len, path, (int)n, name);

		found = len && access(file, X_OK) == 0;
		free(file);
		path += len + (path[len] == ':');
	}
	return found;
}

void run_self_path(struct str *out)
{
	char path[PATH_MAX];
	const ssize_t n = readlink(RUN_SELF, path, sizeof(path));

	str_addn(out, path, n > 0 ? (size_t)n : 0);
}

pid_t run_in_background(int *report_fd, struct err *err)
{
	int fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return err_sys(err, errno, "cannot go to the background");
	pid = fork();
	if (pid < 0)
		err_sys(err, errno, "cannot go to the background");
	if (!pid)
		setsid();
	*report_fd = fds[pid == 0];
	close(fds[pid != 0]);
	return pid < 0 ? -err->code : pid;
}

void run_close_inherited(void)
{
#ifdef SYS_close_range
	syscall(SYS_close_range, 3, ~0U, 0);
#endif
}

void run_detach(int output_fd)
{
	const int null_fd = open_nothing();

	redirect(null_fd, STDIN_FILENO);
	redirect(output_fd, STDOUT_FILENO);
	redirect(output_fd, STDERR_FILENO);
	if (null_fd >= 0)
		close(null_fd);
}
