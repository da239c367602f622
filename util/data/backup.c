// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/data/backup.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/xalloc.h"

static bool is_dir(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISDIR(st.st_mode);
}

bool data_is_dir_recording(const char *path)
{
	char *data = xasprintf("%s/data", path);
	struct stat st;
	bool ok = is_dir(path) && !stat(data, &st) && S_ISREG(st.st_mode);

	free(data);
	return ok;
}

static bool is_ours(const char *name)
{
	const char *nr = name + 5;

	if (strncmp(name, "data", 4))
		return false;
	return !name[4] || (name[4] == '.' && *nr && !nr[strspn(nr, "0123456789")]);
}

int data_remove_dir_recording(const char *path, struct err *err)
{
	static const char *const kcore_names[] = { "kcore", "kallsyms", "modules", NULL };
	DIR *d = opendir(path);
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (!strncmp(e->d_name, "kcore_dir", 9)) {
			char *sub = xasprintf("%s/%s", path, e->d_name);

			io_remove_dir_of(sub, kcore_names);
			free(sub);
		} else if (is_ours(e->d_name)) {
			unlinkat(dirfd(d), e->d_name, 0);
		}
	if (d)
		closedir(d);
	return rmdir(path) ? err_sys(err, errno, "cannot remove the recording '%s'", path) : 0;
}

int data_move_to_backup(const char *path, struct err *err)
{
	char *old = xasprintf("%s.old", path);
	int ret = 0;

	if (data_is_dir_recording(old))
		ret = data_remove_dir_recording(old, err);
	else if (is_dir(path) && !is_dir(old))
		unlink(old);		/* a directory does not replace a file */
	if (!ret && rename(path, old))
		ret = err_sys(err, errno, "cannot rename %s to %s", path, old);
	free(old);
	return ret;
}
