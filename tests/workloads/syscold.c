// SPDX-License-Identifier: GPL-2.0-or-later
// Calls whose arguments lie in pages that are not in memory when the call begins: each piece on
// a page of its own of a mapped
// file that was evicted. "syscold calls" makes one call of each kind; "threads" the same while
// another thread makes calls all the
// time; "exec PROGRAM", "exec-at DIRECTORY PROGRAM" and "exec-fails" run a program with cold
// names and arguments; "wait" sleeps in a
// call with a cold structure until it is killed. Exit status 77: the file's pages cannot be
// evicted here.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define STEP 65536	/* further apart than one page fault brings */
#define PIECES 64

static char *base;
static int file, used;

static void *cold(const void *p, size_t bytes)
{
	size_t at = (size_t)STEP * used++;

	if (pwrite(file, p, bytes, at) < 0)
		_exit(76);
	return base + at;
}

static void *cold_text(const char *s)
{
	return cold(s, strlen(s) + 1);
}

static void make_file(void)
{
	file = open("cold-memory", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (file < 0 || ftruncate(file, STEP * PIECES))
		_exit(76);
	base = mmap(NULL, STEP * PIECES, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
	madvise(base, STEP * PIECES, MADV_RANDOM);
}

static void evict(void)
{
	unsigned char in[STEP / 4096];

	fdatasync(file);
	posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
	for (int i = 0; i < used; i++)
		if (mincore(base + (size_t)STEP * i, 4096, in) || in[0] & 1)
			_exit(77);
}

static volatile int stop;

/* arg: not without a pause */
static void *busy(void *arg)
{
	while (!stop) {
		syscall(SYS_getppid);
		if (arg)
			usleep(10000);
	}
	return NULL;
}

/* An array that lies cold, of pointers to cold strings. */
static char **cold_argv(const char *a, const char *b)
{
	char *argv[3] = { cold_text(a), cold_text(b), NULL };

	return cold(argv, sizeof(argv));
}

static void calls(void)
{
	struct timespec ts = { 0, 1000 };
	struct timeval tv = { 0, 2000 };
	struct sockaddr_un sa = { .sun_family = AF_UNIX, .sun_path = "/cold/socket" };
	struct iovec iov[2] = { { cold_text("one "), 4 }, { cold_text("two\n"), 4 } };
	struct msghdr msg = { .msg_iov = cold(iov, sizeof(iov)), .msg_iovlen = 2 };
	const char *name = cold_text("/cold/name"), *from = cold_text("/cold/from"),
		*to = cold_text("/cold/to");
	struct timespec *t = cold(&ts, sizeof(ts));
	struct timeval *left = cold(&tv, sizeof(tv));
	struct sockaddr_un *addr = cold(&sa, sizeof(sa));
	struct iovec *vec = cold(iov, sizeof(iov));
	struct msghdr *m = cold(&msg, sizeof(msg));
	char *buf = cold_text("buffer\n");
	int p[2], s[2], k = socket(AF_UNIX, SOCK_STREAM, 0);

	if (pipe(p) || socketpair(AF_UNIX, SOCK_STREAM, 0, s))
		_exit(76);
	evict();
	syscall(SYS_openat, AT_FDCWD, name, O_RDONLY);
#ifdef SYS_rename
	syscall(SYS_rename, from, to);
#else
	syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
#endif
	syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, t, NULL);
	connect(k, (struct sockaddr *)addr, sizeof(sa));
	syscall(SYS_write, p[1], buf, 7);
	writev(p[1], vec, 2);
	sendmsg(s[0], m, 0);
	/* the kernel writes there what is left: 0 */
#ifdef SYS_select
	syscall(SYS_select, 0, NULL, NULL, NULL, left);
#else
	syscall(SYS_pselect6, 0, NULL, NULL, NULL, left, NULL);
#endif
	syscall(SYS_openat, AT_FDCWD, 8, O_RDONLY);		/* can never be read */
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	const char *program = argc > 2 ? argv[argc - 1] : "/cold/program";
	pthread_t other;

	make_file();
	if (!strcmp(what, "calls")) {
		calls();
	} else if (!strcmp(what, "threads")) {
		pthread_create(&other, NULL, busy, NULL);
		calls();
		stop = 1;
		pthread_join(other, NULL);
	} else if (!strncmp(what, "exec", 4)) {
		char *name = cold_text(program), **args = cold_argv("cold", "argument");
		int dir = argc > 3 ? open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC) : AT_FDCWD;

		evict();
		syscall(argc > 3 ? SYS_execveat : SYS_execve, argc > 3 ? (long)dir : (long)name,
			argc > 3 ? (long)name : (long)args,
			argc > 3 ? args : NULL, NULL, 0);
	} else if (!strcmp(what, "wait")) {
		struct timespec ts = { 1000, 0 }, *t = cold(&ts, sizeof(ts));

		pthread_create(&other, NULL, busy, base);
		evict();
		syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, t, NULL);
	}
	return 0;
}
