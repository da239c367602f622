// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/base/infile.h"
#include "util/base/io.h"
#include "util/base/num.h"
#include "util/base/xalloc.h"

#define MAX_LINKS 40	/* as the kernel */

static int cannot(int code, const char *path, struct err *err)
{
	err_sys(err, code, "cannot write '%s'", path);
	if (code == EACCES || code == EROFS || code == EPERM)
		err_hint(err, "name a file that can be written");
	return -code;
}

bool outfile_is_same(const char *path, int fd)
{
	struct stat a, b;

	return !stat(path, &a) && !fstat(fd, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static int foreign_link(const char *path, const struct stat *st, struct err *err)
{
	err_set(err, EPERM, "cannot write '%s': it is a link of user %u, and leads where that user "
			    "wants it", path, (unsigned)st->st_uid);
	err_hint(err, "remove it, or name another file");
	return -EPERM;
}

int outfile_check_link(const char *path, struct err *err)
{
	struct stat st;

	return !lstat(path, &st) && S_ISLNK(st.st_mode) && !infile_is_trusted(&st) ?
		foreign_link(path, &st, err) : 0;
}

/* The directory of a path, as the kernel sees it; NULL when there is none. The caller frees. */
static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *dir = slash ? xstrndup(path, slash == path ? 1 : (size_t)(slash - path)) :
		xstrdup("."), *real = realpath(dir, NULL);

	free(dir);
	return real;
}

bool outfile_is_descriptor(const char *path)
{
	char *dir = directory_of(path);
	const bool is = dir && str_has_prefix(dir, "/proc/");

	free(dir);
	return is;
}

/* What the last part of the path leads to; *path is replaced. */
static int follow_links(char **path, const char *shown, struct err *err)
{
	struct stat st;

	for (int i = 0; !lstat(*path, &st) && S_ISLNK(st.st_mode) && !outfile_is_descriptor(*path);
	     i++) {
		char to[PATH_MAX], *dir = directory_of(*path), *next;
		ssize_t n = readlink(*path, to, sizeof(to) - 1);

		if (!infile_is_trusted(&st) || n < 0 || i == MAX_LINKS) {
			free(dir);
			return !infile_is_trusted(&st) ? foreign_link(shown, &st, err) :
				cannot(n < 0 ? errno : ELOOP, shown, err);
		}
		to[n] = 0;
		next = to[0] == '/' ? xstrdup(to) : xasprintf("%s/%s", dir ? dir : ".", to);
		free(dir);
		free(*path);
		*path = next;
	}
	return 0;
}

/* --- in place */

static int clear_nonblock(int fd)
{
	return fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK) < 0 ? -errno : 0;
}

/* A FIFO without a reader cannot be opened yet. */
static int open_special(const char *path)
{
	for (;;) {
		int fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), ret = fd < 0 ?
			-errno : clear_nonblock(fd);
		struct stat st;

		if (!ret)
			return fd;
		if (ret != -ENXIO || stat(path, &st) || !S_ISFIFO(st.st_mode))
			return ret;
		ret = io_pause();
		if (ret)
			return ret;
	}
}

/* A descriptor of our own is duplicated: its position is shared with whoever else writes there,
 * as a shell's ">file" wants it. */
static int open_descriptor(const char *path)
{
	char *dir = directory_of(path), own[64];
	u64 n;
	int fd;

	snprintf(own, sizeof(own), "/proc/%d/fd", (int)getpid());
	if (dir && !strcmp(dir, own) && parse_u64(strrchr(path, '/') + 1, &n) && n < INT_MAX)
		fd = fcntl((int)n, F_DUPFD_CLOEXEC, 3);
	else
		fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	free(dir);
	return fd < 0 ? -errno : fd;
}

static const char *kind_of(mode_t mode)
{
	return S_ISFIFO(mode) ? "a FIFO" : S_ISSOCK(mode) ? "a socket" : S_ISBLK(mode) ? "a disk" :
		"a device";
}

static int use_special(struct outfile *f, const char *shown, const struct stat *st,
		       const struct outfile_opts *o, struct err *err)
{
	if (S_ISDIR(st->st_mode)) {
		err_set(err, EISDIR, "cannot write '%s': it is a directory", shown);
		err_hint(err, "name a file in it");
		return -EISDIR;
	}
	if (S_ISBLK(st->st_mode) || S_ISSOCK(st->st_mode) || !o->named) {
		err_set(err, EINVAL, "cannot write '%s': it is %s", shown, kind_of(st->st_mode));
		err_hint(err, "remove it, or name another file");
		return -EINVAL;
	}
	f->fd = open_special(f->path);
	if (f->fd == -EINTR)
		return err_set(err, EINTR, "a signal came while '%s', a FIFO, had no reader",
			       shown);
	return f->fd < 0 ? cannot(-f->fd, shown, err) : 0;
}

/* The file that lstat() described, and no other one that came since. */
static int open_same(struct outfile *f, const struct stat *st, bool append)
{
	struct stat now;
	int fd = open(f->path, (append ? O_WRONLY | O_APPEND : O_RDWR) | O_CLOEXEC | O_NOFOLLOW |
		      O_NONBLOCK | O_NOCTTY), ret = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &now) || now.st_dev != st->st_dev || now.st_ino != st->st_ino)
		ret = -EAGAIN;
	else if (!append && ftruncate(fd, 0))
		ret = -errno;
	if (ret)
		close(fd);
	else
		f->fd = fd;
	return ret;
}

/* --- a new file */

/* Without a name where the file system can do that: nothing stays behind when we are killed. */
static int open_unnamed(struct outfile *f, const char *dir, mode_t mode)
{
	if (access("/proc/self/fd", X_OK))
		return -ENOSYS;
	f->fd = open(dir, O_RDWR | O_TMPFILE | O_CLOEXEC, mode);
	if (f->fd < 0)
		return -errno;
	f->tmp = xstrdup("");
	return 0;
}

static char *temp_name(const char *dir, int i)
{
	return xasprintf("%s/.perf-%d-%d.tmp", dir, (int)getpid(), i);
}

static int open_temp(struct outfile *f, const char *dir, mode_t mode)
{
	for (int i = 0;; i++) {
		char *name = temp_name(dir, i);

		f->fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
		if (f->fd >= 0) {
			f->tmp = name;
			return 0;
		}
		free(name);
		if (errno != EEXIST || i > 1000)
			return -errno;
	}
}

static int name_it(struct outfile *f)
{
	char *dir = directory_of(f->path), own[64];
	int ret = -ENOENT;

	snprintf(own, sizeof(own), "/proc/self/fd/%d", f->fd);
	for (int i = 0; dir && ret == (i ? -EEXIST : -ENOENT) && i < 1000; i++) {
		char *name = temp_name(dir, i);

		ret = linkat(AT_FDCWD, own, AT_FDCWD, name, AT_SYMLINK_FOLLOW) ? -errno : 0;
		if (!ret) {
			free(f->tmp);
			f->tmp = name;
		} else {
			free(name);
		}
	}
	free(dir);
	return ret;
}

static int put_in_place(struct outfile *f)
{
	int ret = f->tmp && !*f->tmp ? name_it(f) : 0;

	if (!ret && f->tmp && rename(f->tmp, f->path)) {
		ret = -errno;
		unlink(f->tmp);
	}
	free(f->tmp);
	f->tmp = NULL;
	return ret;
}

static int open_new(struct outfile *f, const struct stat *old, const struct outfile_opts *o)
{
	char *dir = directory_of(f->path);
	const bool live = o->how != OUTFILE_WHOLE, ours = old && old->st_uid == geteuid();
	int ret = dir ? -ENOSYS : -ENOENT;

	if (dir && !live)
		ret = open_unnamed(f, dir, o->mode);
	if (dir && ret)
		ret = open_temp(f, dir, o->mode);
	if (!ret && ours && fchmod(f->fd, old->st_mode & 0777))
		ret = -errno;
	if (!ret && live)
		ret = put_in_place(f);
	free(dir);
	return ret;
}

static int use_regular(struct outfile *f, const struct stat *old, const struct outfile_opts *o)
{
	const bool append = o->how == OUTFILE_APPEND, own = old && old->st_uid == geteuid() &&
		old->st_nlink == 1;
	int ret;

	f->regular = true;
	if (old && (append || (own && o->how == OUTFILE_LIVE)))
		return open_same(f, old, append);
	ret = open_new(f, old, o);
	/* the directory is not ours to make files in, the file may be */
	if (ret == -EACCES && old && f->fd < 0)
		ret = open_same(f, old, append);
	return ret;
}

int outfile_open(struct outfile *f, const char *path, const struct outfile_opts *o, struct err *err)
{
	struct stat st;
	bool there;
	int ret = 0;

	*f = (struct outfile){ .fd = -1, .path = xstrdup(path) };
	if (!strcmp(path, "-")) {
		f->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
		ret = f->fd < 0 ? err_sys(err, errno, "cannot write to standard output") : 0;
		goto out;
	}
	ret = follow_links(&f->path, path, err);
	if (ret)
		goto out;
	there = !stat(f->path, &st);
	if (there && o->input_fd > 0 && outfile_is_same(f->path, o->input_fd)) {
		ret = err_set(err, EINVAL, "cannot write '%s': it is the input", path);
		err_hint(err, "name another file");
	} else if (there && outfile_is_descriptor(f->path)) {
		f->fd = open_descriptor(f->path);
		ret = f->fd < 0 ? cannot(-f->fd, path, err) : 0;
	} else if (there && !S_ISREG(st.st_mode)) {
		ret = use_special(f, path, &st, o, err);
	} else {
		ret = use_regular(f, there ? &st : NULL, o);
		ret = ret ? cannot(-ret, path, err) : 0;
	}
out:
	f->open = !ret;
	if (ret) {
		if (f->fd >= 0)
			close(f->fd);
		f->fd = -1;
		outfile_release(f);
	}
	return ret;
}

char *outfile_scratch_path(const char *name)
{
	const char *dir = getenv("TMPDIR");

	return xasprintf("%s/%s", dir && *dir ? dir : "/tmp", name);
}

int outfile_open_scratch(struct outfile *f, const char *name, struct err *err)
{
	const struct outfile_opts o = { .how = OUTFILE_WHOLE, .mode = 0600 };
	char *own = xasprintf("%s-%d", name, (int)getpid()), *path = outfile_scratch_path(own);
	const int ret = outfile_open(f, path, &o, err);

	free(path);
	free(own);
	return ret;
}

int outfile_commit(struct outfile *f, struct err *err)
{
	int ret = put_in_place(f);

	if (close(f->fd) && !ret)
		ret = -errno;
	f->open = false;
	if (ret)
		cannot(-ret, f->path, err);
	outfile_release(f);
	return ret;
}

void outfile_release(struct outfile *f)
{
	if (f->open)
		close(f->fd);
	if (f->tmp && *f->tmp)
		unlink(f->tmp);
	free(f->tmp);
	free(f->path);
	*f = (struct outfile){ .fd = -1 };
}

int outfile_fd(const char *path, const struct outfile_opts *o, struct err *err)
{
	struct outfile f;
	int ret = outfile_open(&f, path, o, err);

	if (ret)
		return ret;
	ret = f.fd;
	f.open = false;
	outfile_release(&f);
	return ret;
}

FILE *outfile_stream(const char *path, const struct outfile_opts *o, struct err *err)
{
	int fd = outfile_fd(path, o, err);
	FILE *f = fd < 0 ? NULL : fdopen(fd, o->how == OUTFILE_APPEND ? "a" : "w");

	if (fd >= 0 && !f) {
		cannot(errno, path, err);
		close(fd);
	}
	return f;
}

int outfile_write(const char *path, const struct outfile_opts *o, const void *bytes, size_t n,
		  struct err *err)
{
	struct outfile f;
	int ret = outfile_open(&f, path, o, err);

	if (ret)
		return ret;
	ret = io_write(f.fd, bytes, n);
	if (ret)
		cannot(-ret, path, err);
	else
		ret = outfile_commit(&f, err);
	outfile_release(&f);
	return ret;
}
