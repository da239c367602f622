// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/bpffs.h"

#include <dirent.h>
#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "util/base/str.h"
#include "util/base/types.h"
#include "util/base/xalloc.h"

/* Empty directories in the one that is made, by whose names it is known what to undo: the file
 * system holds nothing else that is no program or map. */
#define MARK_MOUNTED "mounted"
#define MARK_MODE "mode-"

static int fail(int code, const char *what, const char *path, struct err *err)
{
	err_sys(err, code, "cannot %s %s", what, path);
	if (code == EPERM || code == EACCES)
		err_hint(err, "that needs root");
	else if (code == ENODEV || code == ENOENT)
		err_hint(err, "this kernel has no BPF file system (CONFIG_BPF_SYSCALL)");
	return -code;
}

static bool is_mounted(void)
{
	struct statfs fs;

	return !statfs(OS_BPFFS, &fs) && (u32)fs.f_type == BPF_FS_MAGIC;
}

static int mark(const char *dir, const char *name, struct err *err)
{
	char *path = xasprintf("%s/%s", dir, name);
	const int ret = mkdir(path, 0700) && errno != EEXIST ? fail(errno, "make", path, err) : 0;

	free(path);
	return ret;
}

/* Some systems let only root into it. */
static int let_in(const char *dir, struct err *err)
{
	char name[32];
	struct stat st;
	int ret;

	if (stat(OS_BPFFS, &st))
		return fail(errno, "look at", OS_BPFFS, err);
	if (st.st_mode & S_IXOTH)
		return 0;
	snprintf(name, sizeof(name), MARK_MODE "%04o", (unsigned)st.st_mode & 07777);
	ret = mark(dir, name, err);
	if (!ret && chmod(OS_BPFFS, (st.st_mode & 07777) | S_IXOTH | S_IXGRP))
		ret = fail(errno, "let other users into", OS_BPFFS, err);
	return ret;
}

static int make_dir(const char *dir, struct err *err)
{
	struct stat st;

	if (!mkdir(dir, 0755))
		return chmod(dir, 0755) ? fail(errno, "open to other users", dir, err) : 0;
	if (errno != EEXIST)
		return fail(errno, "make", dir, err);
	if (lstat(dir, &st) || !S_ISDIR(st.st_mode) || st.st_uid != geteuid() ||
	    st.st_mode & (S_IWGRP | S_IWOTH))
		return err_set(err, EPERM, "%s is there already, and is not of this user alone",
			       dir);
	return 0;
}

int os_bpffs_add(const char *name, struct err *err)
{
	char *dir = xasprintf(OS_BPFFS "/%s", name);
	int ret = os_bpffs_remove(name, err);
	const bool mounted = is_mounted();

	if (ret == -ENOENT)
		ret = 0;
	if (!ret && !mounted && mount("bpf", OS_BPFFS, "bpf", MS_NOSUID | MS_NODEV | MS_NOEXEC,
				      "mode=0755"))
		ret = fail(errno, "mount the BPF file system at", OS_BPFFS, err);
	if (!ret)
		ret = make_dir(dir, err);
	if (!ret && !mounted)
		ret = mark(dir, MARK_MOUNTED, err);
	if (!ret)
		ret = let_in(dir, err);
	free(dir);
	return ret;
}

static bool is_empty(const char *dir)
{
	DIR *d = opendir(dir);
	bool yes = d != NULL;

	for (struct dirent *e; yes && (e = readdir(d));)
		yes = e->d_name[0] == '.' && strspn(e->d_name, ".") == strlen(e->d_name);
	if (d)
		closedir(d);
	return yes;
}

struct undo { bool mounted; int mode; };	/* mode -1: as it is */

static int empty(const char *dir, DIR *d, struct undo *u, struct err *err)
{
	int ret = 0;

	for (struct dirent *e; !ret && (e = readdir(d));) {
		char *path = xasprintf("%s/%s", dir, e->d_name);

		if (e->d_name[0] == '.') {
			free(path);
			continue;
		}
		if (!strcmp(e->d_name, MARK_MOUNTED))
			u->mounted = true;
		if (!strncmp(e->d_name, MARK_MODE, strlen(MARK_MODE)))
			u->mode = (int)strtol(e->d_name + strlen(MARK_MODE), NULL, 8) & 07777;
		if (unlink(path) && rmdir(path))
			ret = fail(errno, "remove", path, err);
		free(path);
	}
	return ret;
}

int os_bpffs_remove(const char *name, struct err *err)
{
	char *dir = xasprintf(OS_BPFFS "/%s", name);
	struct undo u = { .mode = -1 };
	DIR *d = opendir(dir);
	int ret;

	if (!d) {
		ret = errno == ENOENT ? -ENOENT : fail(errno, "read", dir, err);
		free(dir);
		return ret;
	}
	ret = empty(dir, d, &u, err);
	closedir(d);
	if (!ret && rmdir(dir))
		ret = fail(errno, "remove", dir, err);
	if (!ret && u.mode >= 0 && chmod(OS_BPFFS, (mode_t)u.mode))
		ret = fail(errno, "set the mode of", OS_BPFFS, err);
	if (!ret && u.mounted && is_empty(OS_BPFFS))	/* nobody else uses it by now */
		umount(OS_BPFFS);
	free(dir);
	return ret;
}
