// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/file-watch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "util/base/xalloc.h"

int file_watch_init(struct file_watch *w, struct err *err)
{
	*w = (struct file_watch){ .fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC) };
	return w->fd < 0 ? err_sys(err, errno, "cannot watch files (inotify)") : 0;
}

static int add_one(struct file_watch *w, const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	char *dir = !slash ? xstrdup(".") : slash == path ? xstrdup("/") :
		xstrndup(path, (size_t)(slash - path));
	const int wd = inotify_add_watch(w->fd, dir, IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE);
	int ret = 0;

	if (wd < 0)
		ret = err_sys(err, errno, "cannot watch the directory '%s'", dir);
	else
		vec_push(&w->names, ((struct file_watch_name){ wd, xstrdup(slash ? slash + 1 :
									   path) }));
	free(dir);
	return ret;
}

int file_watch_add(struct file_watch *w, const char *path, struct err *err)
{
	char *real = realpath(path, NULL);
	int ret = add_one(w, path, err);

	if (!ret && real && strcmp(real, path))
		ret = add_one(w, real, err);
	free(real);
	return ret;
}

static bool is_watched(const struct file_watch *w, const struct inotify_event *e)
{
	for vec_each(n, &w->names)
		if (e->mask & IN_Q_OVERFLOW || (n->wd == e->wd && e->len &&
						!strcmp(n->name, e->name)))
			return true;
	return false;
}

bool file_watch_changed(struct file_watch *w)
{
	char buf[4 * (sizeof(struct inotify_event) + NAME_MAX + 1)]
		__attribute__((aligned(__alignof__(struct inotify_event))));
	bool changed = false;
	ssize_t n;

	while ((n = read(w->fd, buf, sizeof(buf))) > 0)
		for (ssize_t at = 0; at < n; ) {
			const struct inotify_event *e = (const void *)(buf + at);

			changed |= is_watched(w, e);
			at += (ssize_t)(sizeof(*e) + e->len);
		}
	return changed;
}

void file_watch_release(struct file_watch *w)
{
	if (w->fd >= 0)
		close(w->fd);
	for vec_each(n, &w->names)
		free(n->name);
	vec_free(&w->names);
	w->fd = -1;
}

/* Of the open file, not of the process; it excludes those of fcntl(F_SETLK), too. */
int file_lock(int fd)
{
	struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	if (!fcntl(fd, F_OFD_SETLK, &all))
		return 0;
	return errno == EACCES ? -EAGAIN : -errno;
}
