// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/daemon/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/daemon/base.h"
#include "util/daemon/plan.h"
#include "util/os/os.h"
#include "util/os/run.h"

void daemon_session_init(struct daemon_session *s, const char *name, const char *run)
{
	*s = (struct daemon_session){ .name = xstrdup(name), .run = xstrdup(run), .end_fd = -1,
				      .control_fd = -1, .ack_fd = -1 };
}

/* A new one each time: what nobody has read of the last session is not for this one. Both ends are
 * open, so that neither side waits for the other. */
static int make_fifo(const char *dir, const char *name, int *fd, struct err *err)
{
	char *path = xasprintf("%s/%s", dir, name);
	int ret = 0;

	unlink(path);
	if (mkfifo(path, 0600))
		ret = err_sys(err, errno, "cannot make the FIFO '%s'", path);
	else if ((*fd = open(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)) < 0)
		ret = err_sys(err, errno, "cannot open the FIFO '%s'", path);
	free(path);
	return ret;
}

static int make_directory(const char *dir, struct err *err)
{
	struct stat st;

	if (mkdir(dir, 0755) && errno != EEXIST)
		return err_sys(err, errno, "cannot make the directory '%s'", dir);
	if (lstat(dir, &st))
		return err_sys(err, errno, "cannot look at '%s'", dir);
	if (!S_ISDIR(st.st_mode) || (st.st_uid && st.st_uid != geteuid()))
		return err_set(err, EPERM, "cannot use '%s': it is no directory, or that of "
					   "another user", dir);
	return 0;
}

static int start_perf(struct daemon_session *s, int output_fd, const sigset_t *mask,
		      struct err *err)
{
	struct str self = STR_INIT;
	daemon_words words = { 0 };
	VEC(const char *) argv = { 0 };
	int ret = daemon_words_split(&words, s->run, err);

	run_self_path(&self);
	if (!self.len || str_has_suffix(self.buf, " (deleted)")) {
		str_reset(&self);
		str_add(&self, "perf");
	}
	vec_push(&argv, str_cstr(&self));
	vec_push(&argv, "record");
	vec_push(&argv, "--control=fifo:control,ack");
	for (size_t i = 0; i <= words.n; i++)	/* with the NULL */
		vec_push(&argv, words.v[i]);
	if (!ret)
		ret = run_start(&(struct run_opts){
			.argv = argv.v, .file = RUN_SELF, .no_input = true, .out_fd = output_fd,
			.err_fd = output_fd, .dies_with_us = true, .death_signal = SIGTERM,
			.directory = s->dir, .own_group = true, .mask = mask }, &s->pid, err);
	if (ret)
		s->pid = 0;
	vec_free(&argv);
	daemon_words_release(&words);
	str_release(&self);
	return ret;
}

static void close_all(struct daemon_session *s)
{
	int *fds[] = { &s->end_fd, &s->control_fd, &s->ack_fd };

	for (size_t i = 0; i < ARRAY_SIZE(fds); i++) {
		if (*fds[i] > 0)
			close(*fds[i]);
		*fds[i] = -1;
	}
}

int daemon_session_start(struct daemon_session *s, const char *base, const sigset_t *mask,
			 struct err *err)
{
	int output_fd = -1, ret;
	struct stat st;

	s->end_fd = s->control_fd = s->ack_fd = -1;
	s->status = 0;
	s->answers = s->awaited = s->ending = false;
	if (!s->dir)
		s->dir = xasprintf("%s/session-%s", base, s->name);
	ret = make_directory(s->dir, err);
	if (!ret)
		ret = make_fifo(s->dir, "control", &s->control_fd, err);
	if (!ret)
		ret = make_fifo(s->dir, "ack", &s->ack_fd, err);
	if (!ret) {
		output_fd = daemon_base_append(s->dir, "output", err);
		ret = MIN(output_fd, 0);
	}
	if (!ret && !fstat(output_fd, &st))
		s->output_off = (u64)st.st_size;
	if (!ret)
		ret = start_perf(s, output_fd, mask, err);
	if (output_fd >= 0)
		close(output_fd);
	if (ret) {
		s->status = 127 << 8;
		close_all(s);
		return ret;
	}
	s->group = s->pid;
	s->started_ns = os_now_ns();
	s->end_fd = run_watch(s->pid);
	return 0;
}

bool daemon_session_ended(struct daemon_session *s)
{
	if (!s->pid || !run_ended(s->pid, &s->status))
		return false;
	if (WIFSIGNALED(s->status) || s->ending)
		run_signal_group(s->group, SIGTERM);
	s->pid = 0;
	close_all(s);
	return true;
}

void daemon_session_ping(struct daemon_session *s)
{
	daemon_session_answered(s);	/* what came late is no answer to this one */
	if (s->control_fd >= 0)
		io_write(s->control_fd, "ping\n", 5);
}

bool daemon_session_answered(struct daemon_session *s)
{
	char buf[64];
	bool any = false;

	while (s->ack_fd >= 0 && read(s->ack_fd, buf, sizeof(buf)) > 0)
		any = true;
	s->answers |= any;
	return any;
}

void daemon_session_signal(const struct daemon_session *s, int signal)
{
	if (s->pid)
		run_signal(s->pid, signal);
}

bool daemon_session_lingers(struct daemon_session *s)
{
	if (s->group && !s->pid && !run_signal_group(s->group, 0))
		s->group = 0;
	return s->group;
}

void daemon_session_kill(struct daemon_session *s)
{
	if (s->group)
		run_signal_group(s->group, SIGKILL);
	s->group = 0;
	if (!s->pid)
		return;
	run_signal(s->pid, SIGKILL);
	run_wait(s->pid);
	s->status = SIGKILL;
	s->pid = 0;
	close_all(s);
}

void daemon_session_end_text(const struct daemon_session *s, struct str *out)
{
	/* perf record ends with this status when it has got TERM */
	const bool by_term = WIFEXITED(s->status) && WEXITSTATUS(s->status) == 128 + SIGTERM;

	if (WIFEXITED(s->status) && !by_term)
		str_addf(out, "exited, status=%d", WEXITSTATUS(s->status));
	else
		str_addf(out, "killed (signal %d)", by_term ? SIGTERM : WTERMSIG(s->status));
}

static void add_first_lines(const char *text, struct str *out)
{
	const char *error = strstr(text, "Error:");
	const char *at = error ? error : text;

	for (int i = 0; i < 3 && *at && *at != '\n'; i++) {
		const size_t n = strcspn(at, "\n");

		if (out->len)
			str_addch(out, '\n');
		str_addn(out, at, n);
		at += n + (at[n] == '\n');
	}
}

void daemon_session_words(const struct daemon_session *s, struct str *out)
{
	char *path = xasprintf("%s/output", s->dir), buf[2048];
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	const ssize_t n = fd < 0 ? -1 : io_pread(fd, buf, sizeof(buf) - 1, s->output_off);

	buf[n > 0 ? n : 0] = '\0';
	add_first_lines(buf, out);
	if (fd >= 0)
		close(fd);
	free(path);
}

void daemon_session_release(struct daemon_session *s)
{
	daemon_session_kill(s);
	close_all(s);
	free(s->name);
	free(s->run);
	free(s->dir);
	*s = (struct daemon_session){ .end_fd = -1, .control_fd = -1, .ack_fd = -1 };
}
