// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes calls and prints the texts (extended regular expressions, one a line) that the trace of
 * each must match. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define EXPECT(...) do { printf(__VA_ARGS__); putchar('\n'); } while (0)

static void files(const char *dir)
{
	char path[4096], name[4200];
	struct stat st;
	int fd, fd2;

	if (chdir(dir) || !getcwd(path, sizeof(path)))
		exit(1);
	fd = open("My-File-Name", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	EXPECT("openat\\(dfd: CWD, filename: \"My-File-Name\", flags: "
	       "RDWR\\|CREAT\\|TRUNC\\|CLOEXEC, mode: "
			"IRUGO\\|IWUSR\\) += %d<%s/My-File-Name>$",
	       fd, path);
	snprintf(name, sizeof(name), "%d<%s/My-File-Name>", fd, path);
	if (write(fd, "hello \"you\"\n", 12) != 12)
		exit(1);
	EXPECT("write\\(fd: %s, buf: \"hello \\\\\"you\\\\\"\\\\n\", count: 12\\) += 12$", name);
	lseek(fd, 0, SEEK_SET);
	EXPECT("lseek\\(fd: %s, offset: 0, whence: SET\\) += 0$", name);
	if (read(fd, path, 5) != 5)
		exit(1);
	EXPECT("read\\(fd: %s, buf: \"hello\", count: 5\\) += 5$", name);
	fd2 = dup(fd);
	EXPECT("dup\\(fildes: %s\\) += %d<.*/My-File-Name>$", name, fd2);
	fcntl(fd, F_GETFL);
	EXPECT("fcntl\\(fd: %s, cmd: GETFL\\) += RDWR\\|LARGEFILE$", name);
	rename("My-File-Name", "Other");
	EXPECT("rename\\(oldname: \"My-File-Name\", newname: \"Other\"\\) += 0$");
	close(fd2);
	EXPECT("close\\(fd: %d<.*/Other>\\) += 0$", fd2);
	if (!syscall(SYS_newfstatat, AT_FDCWD, "Other", &st, 0))
		EXPECT("newfstatat\\(dfd: CWD, filename: \"Other\", statbuf: \\{ .st_mode: "
		       "0100644, .st_size: 12, ... "
				"\\}, flag: 0\\) += 0$");
	unlink("Other");
	EXPECT("unlink\\(pathname: \"Other\"\\) += 0$");
	fsync(fd);
	EXPECT("fsync\\(fd: %d<.*/Other \\(deleted\\)>\\) += 0$", fd);
	close(fd);
	access("/no/such/file", R_OK | W_OK);
	EXPECT("access\\(filename: \"/no/such/file\", mode: RW\\) += -1 ENOENT \\(No such file or "
	       "directory\\)$");
}

static void sockets(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/no/such/socket" };
	socklen_t len = sizeof(in);
	int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), c, u, port;

	EXPECT("socket\\(family: INET, type: STREAM\\|CLOEXEC, protocol: IP\\) += "
	       "%d<socket:\\[[0-9]+\\]>$", s);
	if (bind(s, (struct sockaddr *)&in, sizeof(in)) || listen(s, 5) ||
	    getsockname(s, (struct sockaddr *)&in, &len))
		return;
	port = ntohs(in.sin_port);
	EXPECT("bind\\(fd: %d<socket:\\[[0-9]+\\]>, umyaddr: \\{ .family: INET, port: 0, addr: "
	       "127.0.0.1 \\}, addrlen: 16\\) += 0$", s);
	EXPECT("getsockname\\(fd: %d<TCP:\\[127.0.0.1:%d\\]>, usockaddr: \\{ .family: INET, port: "
	       "%d, addr: 127.0.0.1 \\}, "
	       "usockaddr_len: \\[16\\]\\) += 0$", s, port, port);
	c = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(c, (struct sockaddr *)&in, sizeof(in)))
		return;
	EXPECT("connect\\(fd: %d<socket:\\[[0-9]+\\]>, uservaddr: \\{ .family: INET, port: %d, "
	       "addr: 127.0.0.1 \\}, "
			"addrlen: 16\\) += 0$", c, port);
	if (send(c, "ping", 4, MSG_NOSIGNAL) == 4)
		EXPECT("sendto\\(fd: %d<TCP:\\[127.0.0.1:[0-9]+->127.0.0.1:%d\\]>, buff: \"ping\", "
		       "len: 4, flags: "
				"NOSIGNAL, addr: NULL, addr_len: 0\\) += 4$",
		       c, port);
	u = socket(AF_UNIX, SOCK_DGRAM, 0);
	connect(u, (struct sockaddr *)&un, sizeof(un));
	EXPECT("connect\\(fd: %d<socket:\\[[0-9]+\\]>, uservaddr: \\{ .family: LOCAL, path: "
	       "/no/such/socket \\}, "
			"addrlen: 110\\) += -1 ENOENT", u);
}

static void others(void)
{
	struct timespec ts = { 0, 1000 };
	struct epoll_event ev = { .events = EPOLLIN, .data.u64 = 7 };
	struct iovec iov[2] = { { (char *)"one", 3 }, { (char *)"two", 3 } };
	struct rlimit rl;
	int p[2], e;

	if (pipe2(p, O_CLOEXEC))
		return;
	EXPECT("pipe2\\(fildes: \\[%d<pipe:\\[[0-9]+\\]>, %d<pipe:\\[[0-9]+\\]>\\], flags: "
	       "(RDONLY\\|)?CLOEXEC\\) += 0$", p[0], p[1]);
	if (writev(p[1], iov, 2) == 6)
		EXPECT("writev\\(fd: %d<pipe:\\[[0-9]+\\]>, vec: \\[\\{ .base: \"one\", .len: 3 "
		       "\\}, \\{ .base: "
				"\"two\", .len: 3 \\}\\], vlen: 2\\) += 6$", p[1]);
	e = epoll_create1(EPOLL_CLOEXEC);
	EXPECT("epoll_create1\\(flags: CLOEXEC\\) += %d<anon_inode:\\[eventpoll\\]>$", e);
	epoll_ctl(e, EPOLL_CTL_ADD, p[0], &ev);
	EXPECT("epoll_ctl\\(epfd: %d<anon_inode:\\[eventpoll\\]>, op: ADD, fd: "
	       "%d<pipe:\\[[0-9]+\\]>, event: \\{ "
			".events: IN, .data: 0x7 \\}\\) += 0$", e, p[0]);
	clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
	EXPECT("clock_nanosleep\\(which_clock: MONOTONIC, flags: 0, rqtp: \\{ .tv_sec: 0, "
	       ".tv_nsec: 1000 \\}, rmtp: NULL\\) += 0$");
	poll(NULL, 0, 1);
	EXPECT("poll\\(ufds: NULL, nfds: 0, timeout_msecs: 1\\) += 0 \\(Timeout\\)$");
	signal(SIGUSR1, SIG_IGN);
	EXPECT("rt_sigaction\\(sig: USR1, act: \\{ .sa_handler: SIG_IGN, .sa_mask: \\[USR1\\], "
	       ".sa_flags: RESTORER\\|RESTART \\}, ");
	kill(getpid(), SIGUSR1);
	EXPECT("kill\\(pid: %d \\(syslines\\), sig: USR1\\) += 0$", getpid());
	getrlimit(RLIMIT_NOFILE, &rl);
	EXPECT("prlimit64\\(pid: 0, resource: NOFILE, new_rlim: NULL, old_rlim: \\{ .rlim_cur: "
	       "%llu, .rlim_max: %llu \\}\\) += 0$",
	       (unsigned long long)rl.rlim_cur, (unsigned long long)rl.rlim_max);
	mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	EXPECT("mmap\\(addr: NULL, len: 8192, prot: READ\\|WRITE, flags: PRIVATE\\|ANONYMOUS, fd: "
	       "-1, off: 0\\) += 0x[0-9a-f]+$");
	syscall(SYS_exit_group, 0xffff & fflush(stdout));
}

int main(int argc, char **argv)
{
	setvbuf(stdout, malloc(65536), _IOFBF, 65536);
	files(argc > 1 ? argv[1] : ".");
	sockets();
	EXPECT("exit_group\\(error_code: 0\\) += \\?$");
	others();
	return 0;
}
