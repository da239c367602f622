/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_ATFILE_H
#define CLI_ATFILE_H
/*
 * Lists in which "@FILE" stands for the names in a file.
 */
#include "util/os/os.h"

struct cli_atfile {
	const char *option;		/* "-e": for messages */
	const char *names;		/* what the file has: "calls" */
	/* "@word" has a meaning of its own; NULL: it has none */
	bool (*is_name)(const char *word);
	const char *name_kind;		/* "a class of calls" */
};
/* The comma list with its words "@FILE" and "!@FILE" replaced: each name in the file, one or
 * several a line (# begins a comment), gets the ! in front. A ! before the whole list stays the
 * list's. Appends to out. */
int cli_atfile_expand(const struct cli_atfile *a, const char *list, const struct os *os,
		      struct str *out, struct err *err);

#endif
