// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Archives come from elsewhere. What tar makes of one lies in a fresh directory first, where
 * nothing is that it could follow, and moves from there into the build-id cache:
 * 1. Only directories, regular files and links that stay inside of the cache move; the rest is left
 * out and counted.
 * 2. Each step into the cache opens one directory without following a link: a link that an earlier
 * archive left leads nowhere.
 * 3. What is in the cache already stays as it is.
 * 4. All or nothing where tar fails: no half of an archive is left.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/inject/archive.h"
#include "util/inject/inject-priv.h"

#define MAX_DEPTH 64		/* directories in directories: each is open meanwhile */

struct merge {
	struct archive_result *res;
	struct str path;	/* within the archive, for messages */
};

static int open_dir(int at, const char *name)
{
	return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* --- removing */

static void remove_tree(int at, const char *name, int depth)
{
	int fd = open_dir(at, name);
	DIR *dir = fd < 0 || depth > MAX_DEPTH ? NULL : fdopendir(fd);
	struct dirent *d;

	if (!dir && fd >= 0)
		close(fd);
	while (dir && (d = readdir(dir)))
		if (strcmp(d->d_name, ".") && strcmp(d->d_name, ".."))
			remove_tree(dirfd(dir), d->d_name, depth + 1);
	if (dir)
		closedir(dir);
	if (unlinkat(at, name, 0) && (errno == EISDIR || errno == EPERM))
		unlinkat(at, name, AT_REMOVEDIR);
}

/* --- moving */

static void leave_out(struct merge *m, const char *name)
{
	if (!m->res->n_left_out++)
		m->res->left_out = xasprintf("%s%s", str_cstr(&m->path), name);
}

/* Relative, all its ".." are in front, and not more than there are directories above it in the
 * cache. */
static bool stays_inside(int at, const char *name, int depth)
{
	char target[4096];
	const ssize_t n = readlinkat(at, name, target, sizeof(target) - 1);
	bool down = false;

	if (n <= 0 || n == sizeof(target) - 1 || target[0] == '/')
		return false;
	target[n] = 0;
	for (const char *p = target; *p; p += *p == '/') {
		const size_t len = strcspn(p, "/");
		const bool up = len == 2 && p[0] == '.' && p[1] == '.';

		if (up && (down || depth-- == 0))
			return false;
		down = down || (!up && len);
		p += len;
	}
	return true;
}

static int merge_dir(struct merge *m, int from, int to, int depth, struct err *err);

static int merge_subdir(struct merge *m, int from, int to, const char *name, int depth,
			struct err *err)
{
	const size_t len = m->path.len;
	int sub_from = -1, sub_to = -1, ret = 0;

	if (depth >= MAX_DEPTH) {
		leave_out(m, name);
		return 0;
	}
	if (mkdirat(to, name, 0755) && errno != EEXIST)
		return err_sys(err, errno, "cannot make the directory '%s%s' in the build-id cache",
			       str_cstr(&m->path), name);
	sub_from = open_dir(from, name);
	sub_to = open_dir(to, name);
	if (sub_from < 0 || sub_to < 0) {
		leave_out(m, name);	/* the cache has a link or a file there */
	} else {
		str_addf(&m->path, "%s/", name);
		ret = merge_dir(m, sub_from, sub_to, depth + 1, err);
		m->path.len = len;
		m->path.buf[len] = 0;
	}
	if (sub_from >= 0)
		close(sub_from);
	if (sub_to >= 0)
		close(sub_to);
	return ret;
}

static int merge_entry(struct merge *m, int from, int to, const char *name, int depth,
		       struct err *err)
{
	struct stat st, there;

	if (fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW))
		return err_sys(err, errno, "cannot read '%s%s' of the archive", str_cstr(&m->path),
			       name);
	if (S_ISDIR(st.st_mode))
		return merge_subdir(m, from, to, name, depth, err);
	if (S_ISLNK(st.st_mode) ? !stays_inside(from, name, depth) : !S_ISREG(st.st_mode)) {
		leave_out(m, name);
		return 0;
	}
	if (!fstatat(to, name, &there, AT_SYMLINK_NOFOLLOW))
		return 0;
	if (S_ISREG(st.st_mode) && (st.st_mode & 07022) &&
	    fchmodat(from, name, st.st_mode & 0755, 0))
		return err_sys(err, errno, "cannot change '%s%s' of the archive",
			       str_cstr(&m->path), name);
	if (renameat(from, name, to, name))
		return err_sys(err, errno, "cannot move '%s%s' into the build-id cache",
			       str_cstr(&m->path), name);
	return 0;
}

/* Takes neither of the two. */
static int merge_dir(struct merge *m, int from, int to, int depth, struct err *err)
{
	const int fd = openat(from, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *d;
	int ret = 0;

	if (!dir) {
		ret = err_sys(err, errno, "cannot read '%s' of the archive", str_cstr(&m->path));
		if (fd >= 0)
			close(fd);
		return ret;
	}
	while (!ret && (d = readdir(dir)))
		if (strcmp(d->d_name, ".") && strcmp(d->d_name, ".."))
			ret = merge_entry(m, from, to, d->d_name, depth, err);
	closedir(dir);
	return ret;
}

/* --- unpacking */

static int find_archive(char **path, struct err *err)
{
	static const char *const patterns[] = { "perf.all-*.tar.*", "perf.data.tar.*" };
	glob_t g;

	for (size_t i = 0; i < ARRAY_SIZE(patterns) && !*path; i++) {
		if (glob(patterns[i], 0, NULL, &g))
			continue;
		if (g.gl_pathc > 1) {
			err_set(err, EINVAL, "there are %zu archives here", g.gl_pathc);
			err_hint(err, "name one: perf archive --unpack %s", g.gl_pathv[0]);
			globfree(&g);
			return -EINVAL;
		}
		*path = xstrdup(g.gl_pathv[0]);
		globfree(&g);
	}
	if (*path)
		return 0;
	err_set(err, ENOENT, "there is no perf.data.tar.* and no perf.all-*.tar.* here");
	err_hint(err, "name the archive: perf archive --unpack FILE");
	return -ENOENT;
}

/* Into a fresh directory. */
static int extract(const char *path, const char *dir, struct err *err)
{
	const char *const argv[] = { "tar", "--extract", "--file", path, "--force-local",
				     "--directory", dir, "--no-same-owner",
				     "--no-same-permissions", NULL };

	if (access(path, R_OK))
		return err_sys(err, errno, "cannot open '%s'", path);
	return archive_run_tar(argv, -1, -1, err);
}

static int extract_cache(const char *path, const char *cache_dir, struct archive_result *res,
			 struct err *err)
{
	struct merge m = { .res = res };
	char *tmp = xasprintf("%s/.unpack.XXXXXX", cache_dir);
	int from = -1, to = -1, ret = io_mkdirs(cache_dir, err);
	bool made = false;

	if (!ret && !(made = mkdtemp(tmp)))
		ret = err_sys(err, errno, "cannot write to '%s'", cache_dir);
	if (!ret)
		ret = extract(path, tmp, err);
	if (!ret) {
		from = open_dir(AT_FDCWD, tmp);
		/* the user's own choice, a link, too */
		to = open(cache_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		ret = from < 0 || to < 0 ? err_sys(err, errno, "cannot read '%s'", cache_dir) :
			merge_dir(&m, from, to, 0, err);
	}
	if (from >= 0)
		close(from);
	if (to >= 0)
		close(to);
	if (made)
		remove_tree(AT_FDCWD, tmp, 0);
	free(tmp);
	str_release(&m.path);
	return ret;
}

static bool is_regular(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISREG(st.st_mode);
}

/* Regular files in directories. */
static bool is_plain(const char *path, int depth)
{
	DIR *dir = depth > MAX_DEPTH || is_regular(path) ? NULL : opendir(path);
	struct dirent *d;
	struct stat st;
	bool plain = true;

	if (!dir)
		return is_regular(path);
	if (lstat(path, &st) || !S_ISDIR(st.st_mode))
		plain = false;
	while (plain && (d = readdir(dir))) {
		if (!strcmp(d->d_name, ".") || !strcmp(d->d_name, ".."))
			continue;
		char *sub = xasprintf("%s/%s", path, d->d_name);

		plain = is_plain(sub, depth + 1);
		free(sub);
	}
	closedir(dir);
	return plain;
}

/* The recording comes to this directory, under its name. */
static int take_recording(const char *path, const char *name, struct err *err)
{
	struct stat st;

	if (!is_plain(path, 0))
		return err_set(err, EINVAL, "the archive's '%s' is not a recording", name);
	if (!lstat(name, &st))
		return err_set(err, EEXIST, "'%s' exists", name);
	return rename(path, name) ? err_sys(err, errno, "cannot write '%s'", name) : 0;
}

static void count_rest(struct merge *m, const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *d;

	while (dir && (d = readdir(dir)))
		if (strcmp(d->d_name, ".") && strcmp(d->d_name, ".."))
			leave_out(m, d->d_name);
	if (dir)
		closedir(dir);
}

/* What --all packs: NAME, and its binaries as NAME.tar.bz2. */
static int take_all(const char *path, const char *tmp, const char *cache_dir,
		    struct archive_result *res, struct err *err)
{
	struct merge m = { .res = res };
	char *pattern = xasprintf("%s/*.tar.*", tmp), *recording = NULL;
	const char *inner, *name;
	glob_t g = { 0 };
	int ret;

	if (glob(pattern, 0, NULL, &g) || g.gl_pathc != 1 || !is_regular(g.gl_pathv[0])) {
		ret = err_set(err, EINVAL, "'%s' holds no binaries", path);
		goto out;
	}
	inner = g.gl_pathv[0];
	name = strrchr(inner, '/') + 1;
	recording = xasprintf("%s/%.*s", tmp, (int)(strstr(name, ".tar.") - name), name);
	name = strrchr(recording, '/') + 1;
	ret = take_recording(recording, name, err);
	if (!ret)
		ret = extract_cache(inner, cache_dir, res, err);
	unlink(inner);
	if (!ret)
		count_rest(&m, tmp);
out:
	globfree(&g);
	free(recording);
	free(pattern);
	return ret;
}

static int extract_all(const char *path, const char *cache_dir, struct archive_result *res,
		       struct err *err)
{
	char tmp[] = "./.perf-unpack.XXXXXX";
	int ret;

	if (!mkdtemp(tmp))
		return err_sys(err, errno, "cannot make a directory here");
	ret = extract(path, tmp, err);
	if (!ret)
		ret = take_all(path, tmp, cache_dir, res, err);
	remove_tree(AT_FDCWD, tmp, 0);
	return ret;
}

int archive_unpack(const char *path, const char *cache_dir, struct archive_result *res,
		   struct err *err)
{
	const char *base;
	int ret = 0;

	*res = (struct archive_result){ .path = path ? xstrdup(path) : NULL };
	if (!path)
		ret = find_archive(&res->path, err);
	if (ret)
		return ret;
	base = strrchr(res->path, '/');
	base = base ? base + 1 : res->path;
	return str_has_prefix(base, "perf.all-") ? extract_all(res->path, cache_dir, res, err) :
	       extract_cache(res->path, cache_dir, res, err);
}
