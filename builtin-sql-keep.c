// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The database beside a recording says in its table meta what it was made from: the file by its
 * size, time and number, and the options. Where that is the same it is asked as it is, else made
 * again. A file there of somebody else, who could have written anything into it, is not looked at.
 */
#include "builtin-sql.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/infile.h"
#include "util/base/outfile.h"
#include "util/export/sqlite-query.h"

#define ASK "SELECT value FROM meta WHERE key = 'made_from'"

/* A recording that is a directory is written last where its first file ends. */
static int describe(struct kept_database *k, const char *recording, const char *options,
		    struct err *err)
{
	struct str inside = STR_INIT;
	struct stat st;
	int ret = stat(recording, &st);

	if (!ret && S_ISDIR(st.st_mode)) {
		str_addf(&inside, "%s/data", recording);
		ret = stat(str_cstr(&inside), &st);
	}
	if (ret)
		ret = err_sys(err, errno, "cannot open '%s'", recording);
	else
		str_addf(&k->made_from, "%llu bytes, inode %llu, %lld.%09ld%s",
			 (unsigned long long)st.st_size, (unsigned long long)st.st_ino,
			 (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, options);
	str_release(&inside);
	return ret;
}

static int refuse(int code, const struct kept_database *k, struct err *err)
{
	if (code == -EPERM)
		err_set(err, EPERM, "'%s' is not yours: what is in it may be anything",
			str_cstr(&k->path));
	else
		err_set(err, EEXIST, "'%s' is there, and is no database that perf sql keeps",
			str_cstr(&k->path));
	err_hint(err, "move it away, or ask without --keep");
	return code == -EPERM ? -EPERM : -EEXIST;
}

/* Whether it is of this recording; < 0: it is none of perf sql's. */
static int is_fresh(const struct kept_database *k, struct err *err)
{
	struct table t = { 0 };
	struct err why = ERR_INIT;
	int ret = sqlite_query(str_cstr(&k->path), k->fd, ASK, &t, &why);

	if (ret == -ENOSYS)
		*err = why;
	else if (ret || t.rows.n != 1 || t.rows.v[0].cells[0].kind != CELL_TEXT)
		ret = refuse(-EEXIST, k, err);
	else
		ret = !strcmp(t.rows.v[0].cells[0].text, str_cstr(&k->made_from));
	table_release(&t);
	return ret;
}

int kept_reopen(struct kept_database *k, struct err *err)
{
	struct err why = ERR_INIT;

	if (outfile_check_link(str_cstr(&k->path), &why))
		return refuse(-EPERM, k, err);
	k->fd = infile_open(str_cstr(&k->path), INFILE_TRUSTED, &why);
	if (k->fd >= 0 || k->fd == -ENOENT)
		return k->fd < 0 ? -ENOENT : 0;
	return refuse(k->fd, k, err);
}

int kept_open(struct kept_database *k, const char *recording, const char *options,
	      struct err *err)
{
	int ret = describe(k, recording, options, err);

	k->fd = -1;
	str_addf(&k->path, "%s.sqlite", recording);
	if (!ret)
		ret = kept_reopen(k, err);
	if (ret)
		return ret == -ENOENT && !err->code ? 0 : ret;
	ret = is_fresh(k, err);
	if (ret == 1)
		return 0;
	close(k->fd);
	k->fd = -1;
	return ret;
}

void kept_release(struct kept_database *k)
{
	if (k->fd >= 0)
		close(k->fd);
	str_release(&k->path);
	str_release(&k->made_from);
}
