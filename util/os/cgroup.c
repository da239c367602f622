// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* perf_event may belong to a hierarchy of version 1 that nobody has mounted: then the unified
 * one knows nothing of it. */
static bool bound_to_v1(const struct os *os)
{
	struct str text = STR_INIT;
	bool bound = false;

	if (!os_read_file(os, "/proc/self/cgroup", &text, NULL))
		for (const char *p = str_cstr(&text); (p = strstr(p, "perf_event")); p++)
			bound |= p > text.buf && (p[-1] == ':' || p[-1] == ',') &&
			(p[10] == ':' || p[10] == ',');
	str_release(&text);
	return bound;
}

/* The first unified hierarchy, or, where want_v1, the one that perf_event has for itself. */
static int find_mount(const struct os *os, bool want_v1, bool want_v2, struct str *out,
		      struct err *err)
{
	struct str text = STR_INIT;
	bool v1 = false;
	int ret = os_read_file(os, "/proc/mounts", &text, err);

	str_reset(out);
	for (char *p = text.buf, *nl; !ret && p && *p && !v1; p = nl + 1) {
		char dir[4096], type[64], opts[1024];

		nl = strchr(p, '\n');
		if (!nl)
			break;
		*nl = '\0';
		if (sscanf(p, "%*s %4095s %63s %1023s", dir, type, opts) != 3)
			continue;
		v1 = want_v1 && !strcmp(type, "cgroup") && strstr(opts, "perf_event");
		if (v1 || (want_v2 && !strcmp(type, "cgroup2") && !out->len)) {
			str_reset(out);
			str_add(out, dir);
		}
	}
	str_release(&text);
	if (!ret && want_v1 && !v1 && bound_to_v1(os)) {
		ret = err_set(err, ENOENT, "the cgroup hierarchy of perf_event is not mounted");
		err_hint(err, "mount it: sudo mkdir -p /sys/fs/cgroup/perf_event && sudo mount -t "
			      "cgroup -o perf_event none "
			 "/sys/fs/cgroup/perf_event");
	} else if (!ret && !out->len) {
		ret = err_set(err, ENOENT, "no cgroup hierarchy is mounted");
		err_hint(err, "mount one: sudo mount -t cgroup2 none /sys/fs/cgroup");
	}
	return ret;
}

int os_cgroup_mount(const struct os *os, struct str *out, struct err *err)
{
	return find_mount(os, true, true, out, err);
}

/* name below the mount, or the whole path of it. */
static int open_below(const char *mount, const char *name, struct err *err)
{
	struct str path = STR_INIT;
	size_t n = strlen(mount);
	int fd;

	if (!strncmp(name, mount, n) && (name[n] == '/' || !name[n]))
		name += n;
	str_addf(&path, "%s%s%s", mount, name[0] == '/' ? "" : "/", name);
	fd = open(str_cstr(&path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		fd = err_sys(err, errno, "no access to cgroup '%s'", name);
		err_hint(err, "looked for %s; cgroups are named by their path below %s",
			 str_cstr(&path), mount);
	}
	str_release(&path);
	return fd;
}

static int find_and_open(const struct os *os, bool v1, bool v2, const char *name, struct err *err)
{
	struct str mount = STR_INIT;
	int ret = find_mount(os, v1, v2, &mount, err);

	if (!ret)
		ret = open_below(str_cstr(&mount), name, err);
	str_release(&mount);
	return ret;
}

int os_cgroup_open(const struct os *os, const char *name, struct err *err)
{
	return find_and_open(os, true, true, name, err);
}

int os_cgroup2_open(const struct os *os, const char *name, struct err *err)
{
	return find_and_open(os, false, true, name, err);
}

int os_cgroup_dir_id(const char *path, u64 *id)
{
	union { struct file_handle h; u8 room[sizeof(struct file_handle) + MAX_HANDLE_SZ]; } fh;
	struct stat st;
	int mount_id;

	fh.h.handle_bytes = sizeof(*id);
	if (name_to_handle_at(AT_FDCWD, path, &fh.h, &mount_id, 0) == 0)
		memcpy(id, fh.h.f_handle, sizeof(*id));
	else if (stat(path, &st) == 0)
		*id = st.st_ino;
	else
		return -errno;
	return 0;
}

static int id_of_open(int fd, u64 *id)
{
	char link[64];

	snprintf(link, sizeof(link), "/proc/self/fd/%d/.", fd);
	return os_cgroup_dir_id(link, id);
}

int os_cgroup_id(const struct os *os, const char *name, u64 *id, struct err *err)
{
	const int fd = os_cgroup_open(os, name, err);
	int ret;

	if (fd < 0)
		return fd;
	ret = id_of_open(fd, id);
	close(fd);
	return ret ? err_sys(err, -ret, "cannot look at cgroup '%s'", name) : 0;
}

/* What a descriptor stands for; "" unknown. */
static void path_of(int fd, char *out, size_t size)
{
	char link[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, out, size - 1);
	out[n > 0 ? n : 0] = '\0';
}

static int open_by_id(int mount, u64 id)
{
	union {
		struct file_handle h;
		char room[sizeof(struct file_handle) + sizeof(id)];
	} u = { .h = { .handle_bytes = sizeof(id), .handle_type = 0xfe /* of kernfs */ } };

	memcpy(u.h.f_handle, &id, sizeof(id));
	return open_by_handle_at(mount, &u.h, O_RDONLY | O_CLOEXEC);
}

char *os_cgroup2_path(const struct os *os, u64 id)
{
	int mount = os_cgroup2_open(os, "/", NULL), fd = mount >= 0 ? open_by_id(mount, id) : -1;
	char top[4096] = "", path[4096] = "";
	size_t skip;

	if (mount >= 0)
		path_of(mount, top, sizeof(top));
	skip = strlen(top);
	if (fd >= 0) {
		path_of(fd, path, sizeof(path));
		close(fd);
	}
	if (mount >= 0)
		close(mount);
	if (!*path)
		return NULL;
	if (!strcmp(path, top))
		return xstrdup("/");
	return xstrdup(!strncmp(path, top, skip) && path[skip] == '/' ? path + skip + 1 : path);
}

/* /proc/self/fd names it by its path. */
static bool below_unified(const struct os *os, int fd, unsigned *depth)
{
	const int top = os_cgroup2_open(os, "/", NULL);
	char mount[4096] = "", path[4096] = "";
	size_t n;

	if (top < 0)
		return false;
	path_of(top, mount, sizeof(mount));
	path_of(fd, path, sizeof(path));
	close(top);
	n = strlen(mount);
	if (!n || strncmp(path, mount, n) || (path[n] && path[n] != '/'))
		return false;
	*depth = 0;
	for (const char *p = path + n; *p; p++)
		*depth += *p == '/' && p[1];
	return true;
}

bool os_cgroup2_id_of(const struct os *os, int fd, u64 *id, unsigned *depth)
{
	return below_unified(os, fd, depth) && !id_of_open(fd, id);
}
