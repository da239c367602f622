// SPDX-License-Identifier: GPL-2.0-or-later
/* A process with everything that a tracer may miss: threads, vfork, clone3, exec from a thread,
 * signals that interrupt and restart, death in a call, seccomp. Each part is a process of its own,
 * chosen by the first argument. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "asleep.h"

static void *reader(void *arg)
{
	char c;

	for (int i = 0; i < 50; i++)
		if (read(*(int *)arg, &c, 1) != 1)
			break;
	return NULL;
}

/* A thread takes what the first one writes. */
static void threads(void)
{
	int fds[2];
	pthread_t t;

	if (pipe(fds))
		return;
	pthread_create(&t, NULL, reader, fds);
	for (int i = 0; i < 50; i++)
		if (write(fds[1], "x", 1) != 1)
			break;
	pthread_join(t, NULL);
}

static void vforked(void)
{
	pid_t pid = vfork();

	if (!pid) {
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
}

static void clone3_child(void)
{
	struct clone_args a = { .exit_signal = SIGCHLD };
	pid_t pid = syscall(SYS_clone3, &a, sizeof(a));

	if (!pid) {
		syscall(SYS_getppid);
		_exit(7);
	}
	waitpid(pid, NULL, 0);
}

static void on_alarm(int sig)
{
	(void)sig;
}

/* A read that a signal interrupts (EINTR), and one that goes on (SA_RESTART, until the child
 * writes). */
static void signals(void)
{
	struct sigaction sa = { .sa_handler = on_alarm };
	pid_t pid, parent = getpid();
	int fds[2];
	char c;

	if (pipe(fds))
		return;
	sigaction(SIGUSR1, &sa, NULL);
	sa.sa_flags = SA_RESTART;
	sigaction(SIGUSR2, &sa, NULL);
	pid = fork();
	if (!pid) {
		wait_asleep(parent);
		kill(parent, SIGUSR1);
		wait_asleep(parent);
		kill(parent, SIGUSR2);
		wait_asleep(parent);
		_exit(write(fds[1], "x", 1) != 1);
	}
	if (read(fds[0], &c, 1) < 0 && errno == EINTR)
		syscall(SYS_getpgid, 0);
	if (read(fds[0], &c, 1) == 1)
		syscall(SYS_getpgid, 0);
	waitpid(pid, NULL, 0);
}

/* Stopped and continued in the middle of a nanosleep (restart_syscall), then killed in it. SIGCHLD
 * is blocked: it would end a sleep of this process, too, but only under ptrace(2). */
static void stopped(void)
{
	sigset_t child;
	pid_t pid;
	int st;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	pid = fork();

	if (!pid) {
		struct timespec ts = { 1000, 0 };

		syscall(SYS_nanosleep, &ts, NULL);
		_exit(3);
	}
	wait_asleep(pid);
	kill(pid, SIGSTOP);
	waitpid(pid, &st, WUNTRACED);
	kill(pid, SIGCONT);
	wait_asleep(pid);
	kill(pid, SIGKILL);
	waitpid(pid, &st, 0);
}

static void refused(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mkdirat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EXDEV),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(code) / sizeof(code[0]), code };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
	syscall(SYS_mkdirat, AT_FDCWD, "/nosuch/dir", 0755);
	syscall(SYS_getppid);
}

/* The exec must come when the other thread sleeps in its call: its last call is the same in each
 * run then. */
static void *exec_thread(void *arg)
{
	(void)arg;
	usleep(200000);
	execl("/bin/true", "true", NULL);
	return NULL;
}

static void thread_exec(void)
{
	pthread_t t;

	pthread_create(&t, NULL, exec_thread, NULL);
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	static const struct { const char *name; void (*fn)(void); } parts[] = {
		{ "threads", threads }, { "vfork", vforked }, { "clone3", clone3_child },
			{ "signals", signals }, { "stopped", stopped },
		{ "seccomp", refused }, { "thread-exec", thread_exec },
	};

	for (size_t i = 0; argc > 1 && i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strcmp(argv[1], parts[i].name)) {
			parts[i].fn();
			return 0;
		}
	return 2;
}
