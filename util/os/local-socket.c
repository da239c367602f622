// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/local-socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

/* By the directory's descriptor: a path of its own may be longer than an address can hold. */
static int set_address(struct sockaddr_un *to, int dir_fd, const char *name)
{
	const int n = snprintf(to->sun_path, sizeof(to->sun_path), "/proc/self/fd/%d/%s", dir_fd,
			       name);

	to->sun_family = AF_UNIX;
	return n > 0 && (size_t)n < sizeof(to->sun_path) ? 0 : -ENAMETOOLONG;
}

static void set_timeout(int fd, unsigned timeout_s)
{
	const struct timeval t = { .tv_sec = timeout_s };

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &t, sizeof(t));
}

static int begin(int fd, int dir_fd, const char *name, bool listens)
{
	struct sockaddr_un at = { 0 };
	const struct sockaddr *addr = (const struct sockaddr *)&at;
	int ret = set_address(&at, dir_fd, name);

	if (ret)
		return ret;
	if (!listens)
		return connect(fd, addr, sizeof(at)) ? -errno : 0;
	unlinkat(dir_fd, name, 0);
	if (bind(fd, addr, sizeof(at)) || fchmodat(dir_fd, name, 0600, 0) || listen(fd, 16))
		ret = -errno;
	return ret;
}

static int open_at(const char *directory, const char *name, bool listens, unsigned timeout_s)
{
	const int dir_fd = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd = -1, ret;

	if (dir_fd < 0)
		return -errno;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (listens ? SOCK_NONBLOCK : 0), 0);
	ret = fd < 0 ? -errno : 0;
	if (!ret && !listens)
		set_timeout(fd, timeout_s);
	if (!ret)
		ret = begin(fd, dir_fd, name, listens);
	if (ret && fd >= 0)
		close(fd);
	close(dir_fd);
	return ret ? ret : fd;
}

int local_socket_listen(const char *directory, const char *name, struct err *err)
{
	const int fd = open_at(directory, name, true, 0);

	return fd < 0 ? err_sys(err, -fd, "cannot make the socket '%s/%s'", directory, name) : fd;
}

int local_socket_accept(int fd, unsigned timeout_s)
{
	struct ucred who = { .uid = (uid_t)-1 };
	socklen_t len = sizeof(who);
	const int client = accept4(fd, NULL, NULL, SOCK_CLOEXEC);

	if (client < 0)
		return errno == EINTR || errno == ECONNABORTED ? -EAGAIN : -errno;
	if (getsockopt(client, SOL_SOCKET, SO_PEERCRED, &who, &len) ||
	    (who.uid && who.uid != geteuid())) {
		close(client);
		return -EPERM;
	}
	set_timeout(client, timeout_s);
	return client;
}

int local_socket_connect(const char *directory, const char *name, unsigned timeout_s,
			 struct err *err)
{
	const int fd = open_at(directory, name, false, timeout_s);

	return fd < 0 ? err_sys(err, -fd, "cannot connect to '%s/%s'", directory, name) : fd;
}

int local_socket_send(int fd, const void *bytes, size_t n)
{
	for (size_t at = 0; at < n; ) {
		const ssize_t sent = send(fd, (const char *)bytes + at, n - at, MSG_NOSIGNAL);

		if (sent < 0 && errno != EINTR)
			return -errno;
		at += sent > 0 ? (size_t)sent : 0;
	}
	return 0;
}

void local_socket_end(int fd)
{
	shutdown(fd, SHUT_WR);
}
