// SPDX-License-Identifier: GPL-2.0-or-later
/* A program of the 32-bit ABI without any library: cc -m32 -nostdlib -static. Numbers of calls
 * are those of i386. Prints nothing. */
typedef unsigned int u32;

static int call(u32 nr, u32 a, u32 b, u32 c, u32 d, u32 e)
{
	int ret;

	asm volatile("int $0x80" : "=a"(ret) : "a"(nr), "b"(a), "c"(b), "d"(c), "S"(d),
		     "D"(e) : "memory");
	return ret;
}
#define P(x) ((u32)(unsigned long)(x))

enum { EXIT = 1, FORK = 2, READ = 3, OPEN = 5, CLOSE = 6, WAITPID = 7, UNLINK = 10, LSEEK = 19,
       GETPID = 20, ACCESS = 33, RENAME = 38,
       SIGACTION = 67, SOCKETCALL = 102, UNAME = 122, WRITEV = 146, NANOSLEEP = 162, POLL = 168,
       RT_SIGPROCMASK = 175, GETRLIMIT = 191,
       MMAP2 = 192, STAT64 = 195, FSTAT64 = 197, GETUID32 = 199, FCNTL64 = 221, CLOCK_GETTIME = 265,
       STATFS64 = 268, OPENAT = 295,
       UTIMENSAT = 320, PIPE2 = 331, SOCKET = 359, CONNECT = 362, SENDMSG = 370,
       CLOCK_NANOSLEEP_TIME64 = 407 };

void _start(void)
{
	struct { int sec, nsec; } ts = { 0, 1000 };
	struct { long long sec, nsec; } ts64 = { 0, 2000 };
	static char one[] = "one", two[] = "three";
	struct { u32 base, len; } iov[2] = { { P(one), 3 }, { P(two), 5 } };
	struct { unsigned short family, port; u32 addr; char zero[8]; } in =
		{ 2, 0x5000, 0x0100007f, { 0 } };
	struct { u32 name, namelen, iov, iovlen, control, controllen, flags; } msg =
		{ P(&in), 16, P(iov), 2, 0, 0, 0 };
	struct { u32 cur, max; } limit;
	struct { int fd; short events, revents; } pfd;
	u32 set[2] = { 1 << 9, 0 };
	char buf[512];
	int fds[2], fd, status, pid;

	call(GETPID, 0, 0, 0, 0, 0);
	call(ACCESS, P("/no/such/file"), 4, 0, 0, 0);
	fd = call(OPENAT, -100, P("/dev/zero"), 0, 0, 0);
	call(READ, fd, P(buf), 16, 0, 0);
	call(LSEEK, fd, 0, 0, 0, 0);
	call(FSTAT64, fd, P(buf), 0, 0, 0);
	call(CLOSE, fd, 0, 0, 0, 0);
	call(CLOSE, fd, 0, 0, 0, 0);
	call(STAT64, P("/"), P(buf), 0, 0, 0);
	call(NANOSLEEP, P(&ts), 0, 0, 0, 0);
	call(CLOCK_NANOSLEEP_TIME64, 1, 0, P(&ts64), 0, 0);
	call(PIPE2, P(fds), 0, 0, 0, 0);
	call(WRITEV, fds[1], P(iov), 2, 0, 0);
	pfd.fd = fds[0];
	pfd.events = 1;
	call(POLL, P(&pfd), 1, 0, 0, 0);
	call(GETRLIMIT, 7, P(&limit), 0, 0, 0);
	call(RT_SIGPROCMASK, 0, P(set), 0, 8, 0);
	call(FCNTL64, fds[0], 3, 0, 0, 0);
	call(GETUID32, 0, 0, 0, 0, 0);
	call(CLOCK_GETTIME, 1, P(&ts), 0, 0, 0);
	fd = call(SOCKET, 2, 2, 0, 0, 0);
	call(SENDMSG, fd, P(&msg), 0x4000, 0, 0);
	call(CONNECT, fd, P(&in), 16, 0, 0);
	call(MMAP2, 0, 8192, 3, 0x22, -1);
	pid = call(FORK, 0, 0, 0, 0, 0);
	if (!pid)
		call(EXIT, 3, 0, 0, 0, 0);
	call(WAITPID, pid, P(&status), 0, 0, 0);
	call(EXIT, 0, 0, 0, 0, 0);
}
