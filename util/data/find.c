// SPDX-License-Identifier: GPL-2.0-or-later
// Recordings of a directory.
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/vec.h"
#include "util/data/reader.h"

/* Nothing that could make us wait is opened. */
static bool is_recording(int dir, const char *name)
{
	char magic[8];
	struct stat st;
	bool is;
	int fd;

	if (fstatat(dir, name, &st, 0) || !S_ISREG(st.st_mode))
		return false;
	fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	is = pread(fd, magic, sizeof(magic), 0) == (ssize_t)sizeof(magic) &&
		(!memcmp(magic, "PERFILE2", sizeof(magic)) ||
		 !memcmp(magic, "2ELIFREP", sizeof(magic)));
	close(fd);
	return is;
}

static int cmp_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void data_find_recordings(const char *path, struct data_names *out)
{
	DIR *dir = opendir(path);
	struct dirent *d;

	while (dir && (d = readdir(dir)))
		if (is_recording(dirfd(dir), d->d_name))
			vec_push(out, xstrdup(d->d_name));
	if (dir)
		closedir(dir);
	if (out->n)
		qsort(out->v, out->n, sizeof(*out->v), cmp_names);
}
