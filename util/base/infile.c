// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/infile.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "util/base/io.h"

bool infile_is_trusted(const struct stat *st)
{
	return !st->st_uid || st->st_uid == geteuid();
}

/* A FIFO that nobody writes to is at its end. Once somebody has opened it, poll() says nothing
 * until there are bytes, or POLLHUP after the writer went. */
static int wait_for_writer(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	while (poll(&p, 1, 0) == 0 || !(p.revents & (POLLIN | POLLHUP))) {
		const int ret = io_pause();

		if (ret)
			return ret;
	}
	return 0;
}

static int check(const char *path, int fd, unsigned flags, struct err *err)
{
	struct stat st;

	if (fstat(fd, &st))
		return err_sys(err, errno, "cannot open '%s'", path);
	if (flags & INFILE_TRUSTED && !infile_is_trusted(&st)) {
		err_set(err, EPERM, "'%s' belongs to user %u, neither to you nor to root", path,
			(unsigned)st.st_uid);
		return -EPERM;
	}
	if (S_ISDIR(st.st_mode))
		return err_sys(err, EISDIR, "cannot open '%s'", path);
	if (!S_ISREG(st.st_mode) && !(flags & INFILE_NAMED))
		return err_set(err, EINVAL, "'%s' is not a regular file", path);
	if (S_ISFIFO(st.st_mode)) {
		const int ret = wait_for_writer(fd);

		if (ret)
			return err_set(err, EINTR, "a signal came while '%s', a FIFO, had no "
						   "writer", path);
	}
	return 0;
}

int infile_open(const char *path, unsigned flags, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), ret;

	if (fd < 0)
		return err_sys(err, errno, "cannot open '%s'", path);
	ret = check(path, fd, flags, err);
	if (!ret && fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK) < 0)
		ret = err_sys(err, errno, "cannot open '%s'", path);
	if (ret)
		close(fd);
	return ret ? ret : fd;
}

int infile_read(const char *path, unsigned flags, size_t max_bytes, struct str *out,
		struct err *err)
{
	int fd = infile_open(path, flags, err), ret;

	if (fd < 0)
		return fd;
	ret = io_read_fd(fd, path, max_bytes, out, err);
	close(fd);
	return ret;
}
