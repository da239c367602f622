// SPDX-License-Identifier: GPL-2.0-or-later
// What takes the name of a file or a directory: io.c has descriptors only, and opening files is
// infile's, which reads with them.
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/infile.h"
#include "util/base/io.h"
#include "util/base/xalloc.h"

int io_read_file(const char *path, size_t max_bytes, struct str *out, struct err *err)
{
	return infile_read(path, 0, max_bytes, out, err);
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
