// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/daemon/base.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/infile.h"
#include "util/base/io.h"
#include "util/base/num.h"
#include "util/base/outfile.h"
#include "util/base/xalloc.h"
#include "util/os/file-watch.h"

/* What is written there must not be led elsewhere by links of others. */
static int check_owner(const char *path, struct err *err)
{
	struct stat st;

	if (stat(path, &st))
		return err_sys(err, errno, "cannot use '%s' as the base of perf daemon", path);
	if (!S_ISDIR(st.st_mode))
		return err_set(err, ENOTDIR, "cannot use '%s' as the base of perf daemon: not a "
					     "directory", path);
	if (!infile_is_trusted(&st)) {
		err_set(err, EPERM, "cannot use '%s' as the base of perf daemon: it belongs to "
				    "another user", path);
		err_hint(err, "use a directory of your own (daemon.base, or --base)");
		return -EPERM;
	}
	if (st.st_mode & S_IWOTH && !(st.st_mode & S_ISVTX)) {
		err_set(err, EPERM, "cannot use '%s' as the base of perf daemon: everybody may "
				    "write into it", path);
		err_hint(err, "chmod o-w '%s', or use another directory (daemon.base, or --base)",
			 path);
		return -EPERM;
	}
	if (access(path, W_OK | X_OK)) {
		err_sys(err, errno, "cannot write into '%s', the base of perf daemon", path);
		err_hint(err, "use a directory of your own (daemon.base, or --base), or run as "
			      "root");
		return -err->code;
	}
	return 0;
}

int daemon_base_open(struct daemon_base *b, const char *path, struct err *err)
{
	char *real = realpath(path, NULL);
	int ret;

	*b = (struct daemon_base){ .lock_fd = -1 };
	if (!real) {
		const int code = errno;

		err_sys(err, code, "cannot use '%s' as the base of perf daemon", path);
		if (code == ENOENT)
			err_hint(err, "make it (mkdir -p '%s'), or name another directory "
				      "(daemon.base, or --base)", path);
		return -code;
	}
	ret = check_owner(real, err);
	if (ret)
		free(real);
	else
		b->path = real;
	return ret;
}

int daemon_base_append(const char *directory, const char *name, struct err *err)
{
	const struct outfile_opts how = { .how = OUTFILE_APPEND, .mode = 0640 };
	char *path = xasprintf("%s/%s", directory, name);
	const int fd = outfile_fd(path, &how, err);

	free(path);
	return fd;
}

static int in_use(const struct daemon_base *b, struct err *err)
{
	char *path = xasprintf("%s/lock", b->path);
	struct str pid = STR_INIT;
	u64 n = 0;

	if (io_read_file(path, 32, &pid, NULL) >= 0) {
		pid.len = strspn(str_cstr(&pid), "0123456789");
		if (pid.buf)
			pid.buf[pid.len] = '\0';
	}
	if (pid.len && parse_u64(pid.buf, &n) && n)
		err_set(err, EBUSY, "another perf daemon (pid %llu) owns %s",
			(unsigned long long)n, b->path);
	else
		err_set(err, EBUSY, "another perf daemon owns %s", b->path);
	err_hint(err, "end it with 'perf daemon stop --base \"%s\"', or give this one a base of "
		      "its own", b->path);
	str_release(&pid);
	free(path);
	return -EBUSY;
}

int daemon_base_lock(struct daemon_base *b, struct err *err)
{
	int ret;

	b->lock_fd = daemon_base_append(b->path, "lock", err);
	if (b->lock_fd < 0)
		return b->lock_fd;
	ret = file_lock(b->lock_fd);
	if (ret == -EAGAIN)
		return in_use(b, err);
	return ret ? err_sys(err, -ret, "cannot lock '%s/lock'", b->path) : 0;
}

void daemon_base_own(struct daemon_base *b)
{
	char pid[24];
	const int n = snprintf(pid, sizeof(pid), "%d", (int)getpid());

	if (!ftruncate(b->lock_fd, 0))
		io_write(b->lock_fd, pid, (size_t)n);
}

void daemon_base_release(struct daemon_base *b)
{
	if (b->lock_fd >= 0)
		close(b->lock_fd);
	free(b->path);
	*b = (struct daemon_base){ .lock_fd = -1 };
}
