// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "util/base/infile.h"
#include "util/base/xalloc.h"

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

int io_read_file(const char *path, size_t max_bytes, struct str *out, struct err *err)
{
	return infile_read(path, 0, max_bytes, out, err);
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

int io_mkdirs(const char *path, struct err *err)
{
	char *dir = xstrdup(path);
	int rc = 0;

	for (char *p = dir; !rc && *p;) {
		while (*p == '/')
			p++;
		while (*p && *p != '/')
			p++;
		char c = *p;

		*p = '\0';
		if (*dir && mkdir(dir, 0755) && errno != EEXIST) {
			int e = errno;
			struct stat st;

			/* a read-only or foreign parent that is there is fine */
			if (stat(dir, &st) || !S_ISDIR(st.st_mode))
				rc = err_sys(err, e, "cannot create directory '%s'", dir);
		}
		*p = c;
	}
	struct stat st;

	if (!rc && (stat(path, &st) || !S_ISDIR(st.st_mode)))
		rc = err_sys(err, ENOTDIR, "cannot create directory '%s'", path);
	free(dir);
	return rc;
}

int io_mkdirs_below(const char *dir, const char *rel, struct err *err)
{
	struct str path = STR_INIT;
	int ret = io_mkdirs(dir, err);

	str_add(&path, dir);
	while (!ret && *(rel += strspn(rel, "/"))) {
		const size_t n = strcspn(rel, "/");
		struct stat st;

		str_addch(&path, '/');
		str_addn(&path, rel, n);
		rel += n;
		if (mkdir(path.buf, 0755) && errno != EEXIST) {
			ret = err_sys(err, errno, "cannot create directory '%s'", path.buf);
		} else if (lstat(path.buf, &st) || !S_ISDIR(st.st_mode)) {
			ret = err_set(err, ELOOP, "nothing is written below '%s': it is no "
						  "directory, or a link", path.buf);
			err_hint(err, "remove it; '%s' itself may be a link", dir);
		}
	}
	str_release(&path);
	return ret;
}

void io_remove_dir_of(const char *path, const char *const *names)
{
	for (; *names; names++) {
		char *file = xasprintf("%s/%s", path, *names);

		unlink(file);
		free(file);
	}
	rmdir(path);
}
