/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_SQL_H
#define BUILTIN_SQL_H
/*
 * perf sql --keep: the database beside its recording. One owner.
 */
#include "util/base/err.h"
#include "util/base/str.h"

struct kept_database {
	struct str path;
	/* what is the same as long as the database is that of the recording */
	struct str made_from;
	int fd;			/* of the database, where it is; else -1 */
};

/* recording: its name. options: the other arguments of the command, which the database may depend
 * on. -EPERM for a file, or a link to one, of somebody else; -EEXIST for what is no such
 * database. kept_release() is due in any case. */
int kept_open(struct kept_database *k, const char *recording, const char *options,
	      struct err *err);
/* Once it was made again. */
int kept_reopen(struct kept_database *k, struct err *err);
void kept_release(struct kept_database *k);

#endif
