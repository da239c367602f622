// SPDX-License-Identifier: GPL-2.0-or-later
// sched seccomp-notify: system calls of one process that another one answers.
#include "util/bench/bench-priv.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS	/* Linux 6.6 */
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#endif
#ifndef SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP 1UL
#endif
#define ANSWER 0x7fffffff

/* Of the caller and its children, until they end: each gettid(2) is asked about. */
static int listen_to_gettid(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_gettid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = ARRAY_SIZE(code), .filter = code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			    SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

static void call_forever(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (syscall(SYS_gettid) == ANSWER)
		;
	bench_child_end(1);
}

static int answer(int fd, u64 n)
{
	for (u64 i = 0; i < n; i++) {
		struct seccomp_notif asked = { 0 };
		struct seccomp_notif_resp resp = { .val = ANSWER };

		if (ioctl(fd, SECCOMP_IOCTL_NOTIF_RECV, &asked))
			return -1;
		resp.id = asked.id;
		if (ioctl(fd, SECCOMP_IOCTL_NOTIF_SEND, &resp))
			return -1;
	}
	return 0;
}

/* What the pipe gets from the process that answers. */
struct result { u64 us; int code; };

static struct result run_answering(const struct bench_seccomp_opts *o)
{
	struct result r = { 0 };
	int fd = listen_to_gettid();
	pid_t pid;

	if (fd < 0 || (o->sync && ioctl(fd, SECCOMP_IOCTL_NOTIF_SET_FLAGS,
					SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP))) {
		r.code = errno;
		return r;
	}
	r.us = bench_now_us();
	pid = fork();
	if (!pid)
		call_forever();
	r.code = pid < 0 || answer(fd, o->loops) ? errno : 0;
	r.us = bench_now_us() - r.us;
	if (pid > 0) {
		kill(pid, SIGKILL);
		bench_child_wait(pid);
	}
	return r;
}

int bench_seccomp(struct bench *b, const void *opts, struct err *err)
{
	const struct bench_seccomp_opts *o = opts;
	struct result r = { .code = EIO };
	int fds[2];
	pid_t pid;

	if (pipe(fds))
		return err_sys(err, errno, "cannot make a pipe");
	fflush(b->out);
	pid = fork();		/* there is no way out of a filter */
	if (!pid) {
		r = run_answering(o);
		bench_child_end(write(fds[1], &r, sizeof(r)) != sizeof(r));
	}
	close(fds[1]);
	if (pid > 0 && read(fds[0], &r, sizeof(r)) != sizeof(r))
		r.code = EIO;
	close(fds[0]);
	if (pid < 0)
		return err_sys(err, errno, "cannot start a process");
	bench_child_wait(pid);
	if (r.code)
		return err_sys(err, r.code, "cannot answer system calls of a process (seccomp "
					    "notification%s)", o->sync ? ", -s: Linux 6.6" : "");
	if (!b->simple)
		fprintf(b->out, "# Executed %llu system calls\n\n", (unsigned long long)o->loops);
	bench_print_ops(b, r.us, o->loops);
	return 0;
}
