// SPDX-License-Identifier: GPL-2.0-or-later
/* More of what a tracer may miss, each part chosen by the first argument: a server with threads,
 * chains of exec, namespaces, long arguments, io_uring, a tracer with its tracee, a daemon, signals
 * in a row. Every part makes the same calls in each thread, however it is scheduled, but for those
 * of wait_asleep(). */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "asleep.h"

#define CLIENTS 3

static char **args;

static void must(int ok)
{
	if (!ok)
		_exit(99);
}

/* ---- server ---- */

static struct sockaddr_in server_at = { .sin_family = AF_INET };

static void *serve(void *arg)
{
	int fd = *(int *)arg;
	char buf[64];

	for (int i = 0; i < 5; i++) {
		must(recv(fd, buf, 8, MSG_WAITALL) == 8);
		must(send(fd, buf, 8, MSG_NOSIGNAL) == 8);
	}
	must(recv(fd, buf, 1, 0) == 0);
	return NULL;
}

static void *ask(void *arg)
{
	int fd = *(int *)arg;
	char buf[64];

	must(!connect(fd, (struct sockaddr *)&server_at, sizeof(server_at)));
	for (int i = 0; i < 5; i++) {
		must(write(fd, "question", 8) == 8);
		must(recv(fd, buf, 8, MSG_WAITALL) == 8);
	}
	shutdown(fd, SHUT_WR);
	return NULL;
}

/* Descriptors are made here and not closed: which number the next one gets would depend on who
 * is first. */
static void server(void)
{
	socklen_t len = sizeof(server_at);
	int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), fds[CLIENTS], asking[CLIENTS];
	pthread_t t[2 * CLIENTS];

	server_at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	must(!bind(s, (struct sockaddr *)&server_at, len) && !listen(s, CLIENTS) &&
	     !getsockname(s, (struct sockaddr *)&server_at, &len));
	for (int i = 0; i < CLIENTS; i++) {
		asking[i] = socket(AF_INET, SOCK_STREAM, 0);
		must(!pthread_create(&t[i], NULL, ask, &asking[i]));
		fds[i] = accept4(s, NULL, NULL, SOCK_CLOEXEC);
		must(fds[i] >= 0 && !pthread_create(&t[CLIENTS + i], NULL, serve, &fds[i]));
	}
	for (int i = 0; i < 2 * CLIENTS; i++)
		pthread_join(t[i], NULL);
}

/* ---- exec ---- */

static void exec_self(const char *part, const char *more)
{
	execl("/proc/self/exe", args[0], part, more, NULL);
	must(0);
}

static void chain(void)
{
	int left = args[2] ? (int)strtol(args[2], NULL, 10) : 3;
	char text[16];

	snprintf(text, sizeof(text), "%d", left - 1);
	execl("/no/such/program", "program", NULL);
	if (left)
		exec_self("chain", text);
	execl("/bin/true", "true", NULL);
}

static void *exec_again(void *arg)
{
	const struct timespec until_it_pauses = { .tv_nsec = 100000000 };

	nanosleep(&until_it_pauses, NULL);
	exec_self("thread-chain", arg);
	return NULL;
}

/* Each exec comes from a thread that is not the first one. */
static void thread_chain(void)
{
	int left = args[2] ? (int)strtol(args[2], NULL, 10) : 3;
	static char text[16];
	pthread_t t;

	if (!left)
		return;
	snprintf(text, sizeof(text), "%d", left - 1);
	must(!pthread_create(&t, NULL, exec_again, text));
	for (;;)
		pause();
}

static void long_args(void)
{
	static char big[3000], *env[300], *argv[300];
	static char names[300][32];

	memset(big, 'x', sizeof(big) - 1);
	for (int i = 0; i < 299; i++) {
		snprintf(names[i], sizeof(names[i]), "VARIABLE_%d=%d", i, i);
		env[i] = names[i];
		argv[i] = i == 1 ? big : names[i];
	}
	execve("/bin/true", argv, env);
	must(0);
}

/* ---- namespaces, io_uring, ptrace, daemon, signals ---- */

static void namespaces(void)
{
	int fd = open("/proc/self/ns/uts", O_RDONLY | O_CLOEXEC);
	pid_t pid;

	must(fd >= 0);
	if (unshare(CLONE_NEWUTS) || sethostname("inside", 6) || setns(fd, CLONE_NEWUTS))
		_exit(77);
	must(!unshare(CLONE_FILES | CLONE_FS));
	if (unshare(CLONE_NEWPID))
		_exit(77);
	pid = fork();
	if (!pid) {
		must(getpid() == 1);
		pid = fork();
		if (!pid)
			_exit(syscall(SYS_getppid) != 1);
		must(waitpid(pid, NULL, 0) == pid);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	must(setns(fd, CLONE_NEWNET) < 0);
}

static void uring(void)
{
	struct io_uring_params p = { 0 };
	int fd = syscall(SYS_io_uring_setup, 4, &p), in = open("/dev/zero", O_RDONLY);
	struct io_uring_sqe *sqe;
	unsigned char *ring;
	char buf[32];
	unsigned tail;

	if (fd < 0)
		_exit(77);
	ring = mmap(NULL, p.sq_off.array + p.sq_entries * 4, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		    IORING_OFF_SQ_RING);
	sqe = mmap(NULL, p.sq_entries * sizeof(*sqe), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		   IORING_OFF_SQES);
	must(ring != MAP_FAILED && (void *)sqe != MAP_FAILED);
	*sqe = (struct io_uring_sqe){ .opcode = IORING_OP_READ, .fd = in,
				      .addr = (unsigned long)buf, .len = sizeof(buf) };
	((unsigned *)(ring + p.sq_off.array))[0] = 0;
	tail = *(unsigned *)(ring + p.sq_off.tail) + 1;
	__atomic_store_n((unsigned *)(ring + p.sq_off.tail), tail, __ATOMIC_RELEASE);
	must(syscall(SYS_io_uring_enter, fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) == 1);
	close(in);
	close(fd);
}

static void tracer(void)
{
	pid_t pid = fork();
	int st;

	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		syscall(SYS_getppid);
		_exit(5);
	}
	must(waitpid(pid, &st, 0) == pid && WIFSTOPPED(st));
	for (int i = 0; i < 2; i++) {	/* the call's beginning and end */
		must(!ptrace(PTRACE_SYSCALL, pid, 0, 0));
		must(waitpid(pid, &st, 0) == pid);
	}
	must(!ptrace(PTRACE_CONT, pid, 0, 0));
	must(waitpid(pid, &st, 0) == pid);
}

/* The child ends before its own. All end before the parent does: it ends the trace. */
static void daemonize(void)
{
	struct pollfd p = { .events = POLLIN };
	pid_t child, pid;
	sigset_t set;
	int fds[2];

	/* ignored or not, it would interrupt calls of a process with a tracer */
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	must(!pipe(fds));
	child = fork();
	if (child) {
		must(read(fds[0], &pid, sizeof(pid)) == sizeof(pid));
		p.fd = syscall(SYS_pidfd_open, pid, 0);	/* it may be gone: nothing to wait for */
		must(waitpid(child, NULL, 0) == child && poll(&p, p.fd >= 0, -1) >= 0);
		_exit(0);
	}
	setsid();
	umask(0);
	must(!chdir("/"));
	if (fork())
		_exit(0);
	pid = syscall(SYS_getpid);
	for (int i = 0; i < 3; i++)
		close(i);
	open("/dev/null", O_RDWR);
	must(dup2(0, 1) == 1 && dup2(0, 2) == 2);
	must(write(fds[1], &pid, sizeof(pid)) == sizeof(pid));
	_exit(0);
}

static void on_signal(int sig)
{
	syscall(sig == SIGUSR1 ? SYS_getuid : SYS_getgid);
}

/* Calls in handlers, interrupted, restarted, and with signals that come in pairs. */
static void interrupted(void)
{
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	struct timespec ts = { 1000, 0 };
	pid_t parent = getpid(), pid;
	sigset_t set, old;
	siginfo_t info;

	sigaction(SIGUSR2, &sa, NULL);
	sa.sa_flags = 0;
	sigaction(SIGUSR1, &sa, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, &old);
	raise(SIGUSR1);
	raise(SIGUSR2);
	sigprocmask(SIG_SETMASK, &old, NULL);
	pid = fork();
	if (!pid) {
		for (int i = 0; i < 4; i++) {
			wait_asleep(parent);
			kill(parent, i == 2 ? SIGUSR2 : SIGUSR1);
		}
		wait_asleep(parent);
		kill(parent, SIGTERM);
		_exit(0);
	}
	must(nanosleep(&ts, NULL) < 0 && errno == EINTR);
	must(pause() < 0);
	must(syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0) < 0 && errno == EINTR);
	must(syscall(SYS_rt_sigsuspend, &old, 8) < 0);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	must(sigwaitinfo(&set, &info) == SIGTERM);
	must(waitpid(pid, NULL, 0) == pid);
}

int main(int argc, char **argv)
{
	static const struct { const char *name; void (*fn)(void); } parts[] = {
		{ "server", server }, { "chain", chain }, { "thread-chain", thread_chain },
			{ "long-args", long_args },
		{ "namespaces", namespaces }, { "uring", uring }, { "tracer", tracer },
		{ "daemon", daemonize },
		{ "interrupted", interrupted },
	};

	args = argv;
	for (size_t i = 0; argc > 1 && i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strcmp(argv[1], parts[i].name)) {
			parts[i].fn();
			return 0;
		}
	return 2;
}
