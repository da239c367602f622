// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symbols/mapped.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "util/base/xalloc.h"
#include "util/os/procfs.h"
#include "util/symbols/dso-priv.h"
#include "util/symbols/vdso.h"

/* The file at path is the one that was mapped: a replaced one, or another root's file of this
 * name, has another number. */
static bool is_same_file(const struct mapped *m, const char *path)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	return !m->ino || st.st_ino == m->ino;
}

static bool is_no_file(const char *path)
{
	static const char *const no_files[] =
		{ "//anon", "/dev/", "/memfd:", "/SYSV", "/anon_hugepage", "/i915", "/drm" };

	if (path[0] != '/')
		return true;
	if (str_has_prefix(path, "/dev/shm/"))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(no_files); i++)
		if (str_has_prefix(path, no_files[i]))
			return true;
	return false;
}

static bool has_id(const char *path, const struct build_id *id)
{
	struct build_id its;

	return !id || (!build_id_of_file(path, &its, NULL) && build_id_equal(&its, id));
}

char *mapped_file_with_id(const struct os *os, const struct mapped *m, const struct build_id *id)
{
	char *name, *path;

	if (is_no_file(m->path))
		return NULL;
	if (is_same_file(m, m->path) && has_id(m->path, id))
		return xstrdup(m->path);
	name = procfs_root_name((pid_t)m->pid, m->path);
	path = os_path(os, name);
	free(name);
	if (is_same_file(m, path) && has_id(path, id))
		return path;
	free(path);
	return NULL;
}

/* Overlays show other inodes in mappings than in stat(2). */
static bool fd_agrees(const struct mapped *m, int fd, const struct build_id *id)
{
	struct build_id its;
	struct statfs fs;
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return false;
	if (id)
		return build_id_of_fd(fd, &its) && build_id_equal(&its, id);
	return !m->ino || st.st_ino == m->ino ||
		(!fstatfs(fd, &fs) && fs.f_type == OVERLAYFS_SUPER_MAGIC);
}

/* Takes fd. */
static int checked(const struct mapped *m, int fd, const struct build_id *id)
{
	if (fd >= 0 && fd_agrees(m, fd, id))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* The link of a mapping leads to its file, whatever became of the name; only privileged users
 * may follow it. */
static int open_by_mapping(const struct os *os, const struct mapped *m, const struct build_id *id)
{
	char *name, *path;
	int fd;

	if (m->start_va >= m->end_va || str_has_prefix(m->path, "//anon") || m->path[0] != '/' ||
	    (str_has_prefix(m->path, "/dev/") && !str_has_prefix(m->path, "/dev/shm/")))
		return -1;
	name = procfs_mapping_name((pid_t)m->pid, m->start_va, m->end_va);
	path = os_path(os, name);
	fd = checked(m, open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), id);
	free(path);
	free(name);
	return fd;
}

int mapped_open(const struct os *os, const struct mapped *m, const struct build_id *id,
		bool *by_name)
{
	const bool named = !is_no_file(m->path) && !str_has_suffix(m->path, " (deleted)");
	int fd = -1;

	if (named)
		fd = checked(m, open(m->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), id);
	if (by_name)
		*by_name = fd >= 0;
	if (fd < 0)
		fd = open_by_mapping(os, m, id);
	if (fd < 0 && named)
		fd = checked(m, procfs_open_in_root(os, m->pid, m->path), id);
	return fd;
}

char *mapped_file(const struct os *os, const struct mapped *m)
{
	return mapped_file_with_id(os, m, NULL);
}

bool mapped_build_id(const struct os *os, const struct mapped *m, struct build_id *out)
{
	int fd;

	out->n = 0;
	if (str_has_prefix(m->path, "[vdso"))
		return vdso_build_id(os, m->path, out);
	if (m->kernel && str_has_prefix(m->path, "[kernel.kallsyms]"))
		return !build_id_of_kernel(os, out, NULL) && out->n;
	fd = mapped_open(os, m, NULL, NULL);
	if (fd < 0)
		return false;
	build_id_of_fd(fd, out);
	close(fd);
	return out->n;
}
