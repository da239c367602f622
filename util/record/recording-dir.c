// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/recording-dir.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/xalloc.h"
#include "util/data/backup.h"
#include "util/symbols/kcore-copy.h"

static int make_place(const char *path, struct err *err)
{
	struct stat st;

	if (!lstat(path, &st)) {
		if (S_ISDIR(st.st_mode) && !data_is_dir_recording(path)) {
			err_set(err, EISDIR, "cannot write %s: it is a directory", path);
			err_hint(err, "remove it, or name another one with -o NAME");
			return -EISDIR;
		}
		int ret = data_move_to_backup(path, err);

		if (ret)
			return ret;
	}
	return mkdir(path, 0700) ? err_sys(err, errno, "cannot make the directory '%s'", path) : 0;
}

int recording_dir_begin(const char *path, const char *kcore, char **data, struct err *err)
{
	char *to;
	int ret;

	*data = NULL;
	if (kcore && access(kcore, R_OK)) {	/* before anything is moved */
		ret = err_sys(err, errno, "cannot read '%s'", kcore);
		err_hint(err, ret == -ENOENT ? "this kernel was built without CONFIG_PROC_KCORE: "
					       "record without --kcore" :
			 "only root may read it");
		return ret;
	}
	ret = make_place(path, err);
	if (ret)
		return ret;
	to = xasprintf("%s/kcore_dir", path);
	ret = kcore ? kcore_copy(kcore, to, err) : 0;
	free(to);
	if (ret)
		recording_dir_undo(path);
	else
		*data = xasprintf("%s/data", path);
	return ret;
}

void recording_dir_undo(const char *path)
{
	data_remove_dir_recording(path, NULL);
}
