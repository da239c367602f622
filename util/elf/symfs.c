// SPDX-License-Identifier: GPL-2.0-or-later
// --symfs DIRECTORY[,LAYOUT]: a directory that stands for the recorded machine's root
// ("hierarchy"), or holds all its files side by
// side ("flat").
#include "util/elf/symfs.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "util/base/xalloc.h"

struct symfs { const char *dir; int n; bool flat; };

/* A comma may also be part of the directory's name: then the whole is there. */
static int split(const char *text, struct symfs *fs)
{
	const char *comma = strrchr(text, ',');

	*fs = (struct symfs){ text, comma ? comma - text : (int)strlen(text), false };
	if (!comma || !strcmp(comma + 1, "hierarchy"))
		return 0;
	fs->flat = !strcmp(comma + 1, "flat");
	if (fs->flat)
		return 0;
	fs->n = strlen(text);
	return access(text, F_OK) ? -EINVAL : 0;
}

int symfs_check(const char *text, struct err *err)
{
	struct symfs fs;

	if (!split(text, &fs))
		return 0;
	err_set(err, EINVAL, "invalid layout '%s' of --symfs", strrchr(text, ',') + 1);
	err_hint(err, "use 'hierarchy' (files by their full paths) or 'flat' (by their names "
		      "alone)");
	return -EINVAL;
}

bool symfs_given(const char *text)
{
	return text && text[0];
}

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *symfs_path(const char *text, const char *path)
{
	struct symfs fs;

	split(text, &fs);
	if (fs.flat)
		return xasprintf("%.*s/%s", fs.n, fs.dir, name_of(path));
	return xasprintf("%.*s%s%s", fs.n, fs.dir, path[0] == '/' ? "" : "/", path);
}

char *symfs_directory(const char *text, const char *path)
{
	struct symfs fs;

	split(text, &fs);
	return xasprintf("%.*s%s", fs.n, fs.dir, fs.flat ? "" : path);
}

const char *symfs_strip(const char *text, const char *path)
{
	struct symfs fs;

	split(text, &fs);
	return strncmp(path, fs.dir, fs.n) ? path : path + fs.n;
}
