// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

ssize_t io_read(int fd, void *buf, size_t n)
{
	size_t done = 0;

	while (done < n) {
		ssize_t r = read(fd, (char *)buf + done, n - done);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return -errno;
		if (!r)
			break;
		done += (size_t)r;
	}
	return (ssize_t)done;
}

ssize_t io_pread(int fd, void *buf, size_t n, u64 off)
{
	size_t done = 0;

	while (done < n) {
		ssize_t r = pread(fd, (char *)buf + done, n - done, (off_t)(off + done));

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return -errno;
		if (!r)
			break;
		done += (size_t)r;
	}
	return (ssize_t)done;
}

void io_open_standard(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		/* no /dev: nothing can be done right */
		if (open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY) != fd)
			_exit(1);
	}
}

int io_write(int fd, const void *buf, size_t n)
{
	const char *p = buf;

	while (n) {
		ssize_t r = write(fd, p, n);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return -errno;
		p += r;
		n -= (size_t)r;
	}
	return 0;
}

int io_pwrite(int fd, const void *buf, size_t n, u64 off)
{
	const char *p = buf;

	while (n) {
		ssize_t r = pwrite(fd, p, n, (off_t)off);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return -errno;
		p += r;
		off += (u64)r;
		n -= (size_t)r;
	}
	return 0;
}

/* Files of /proc and /sys have no size to ask for: read until the end. */
int io_read_fd(int fd, const char *path, size_t max_bytes, struct str *out, struct err *err)
{
	size_t start = out->len, chunk = 4096;
	int rc = 0;

	for (;;) {
		size_t room = max_bytes - (out->len - start);

		/* one byte above the limit tells a file that fits from one that does not */
		str_reserve(out, MIN(chunk, room) + 1);
		ssize_t n = io_read(fd, out->buf + out->len, MIN(chunk, room) + (chunk >= room));

		if (n < 0) {
			rc = err_sys(err, (int)-n, "cannot read '%s'", path);
			break;
		}
		if ((size_t)n > room) {
			rc = err_set(err, EFBIG, "cannot read '%s': it is larger than %zu bytes",
				     path, max_bytes);
			break;
		}
		out->len += (size_t)n;
		if ((size_t)n < MIN(chunk, room) + (chunk >= room))
			break;
		chunk = MIN(chunk * 2, (size_t)1 << 20);
	}
	if (rc)
		out->len = start;
	if (out->buf)
		out->buf[out->len] = '\0';
	return rc;
}

#define PAUSE_NS 50000000

void io_end_signals(sigset_t *set)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGQUIT, SIGALRM, SIGUSR1 };
	struct sigaction hup;

	sigemptyset(set);
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		sigaddset(set, ends[i]);
	if (!sigaction(SIGHUP, NULL, &hup) && hup.sa_handler != SIG_IGN)
		sigaddset(set, SIGHUP);
}

bool io_end_asked(void)
{
	sigset_t ends, pending;

	io_end_signals(&ends);
	return !sigpending(&pending) && sigandset(&ends, &ends, &pending) == 0 &&
		!sigisemptyset(&ends);
}

int io_pause(void)
{
	const struct timespec ts = { 0, PAUSE_NS };

	nanosleep(&ts, NULL);
	return io_end_asked() ? -EINTR : 0;
}
