/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_COMPLETE_H
#define CLI_COMPLETE_H
/*
 * What could stand at the end of a command line that is being typed, from the option tables: for
 * the completion of shells, which only show it. A line of the answer is a whole word that could be
 * there, and behind a tab what it is; or a request to the shell:
 *	@file	names of files		@dir	of directories
 *	@command N	a command and its arguments, from the N-th word after "perf" on (from 0)
 */
#include "util/cli/options.h"

struct complete;
/* The values of an option, by complete_list() and complete_word(); false: they
 * are what its argument's name says (words with | between them, a file, a directory). */
typedef bool (*complete_values)(struct complete *c, const struct cli_cmd *cmd,
				const struct option_def *def);
/* What an argument may be; false: (also) a sub-command, or a file. */
typedef bool (*complete_arguments)(struct complete *c, const struct cli_cmd *cmd);

struct complete {
	/* the line after "perf", borrowed; the last of n >= 1 is being typed, and may be "" */
	const char *const *words;
	size_t n;
	size_t at;		/* the first one behind the name of the (sub-)command at hand */
	const char *sub;	/* where the line goes on: a sub-command; NULL: it was answered */
	const char *typed;	/* the part of the last word that is looked for... */
	size_t head;		/* ...behind so many bytes, which stay */
	complete_values values;
	complete_arguments arguments;
	struct str *out;
};

/* Finds the sub-command that the line goes on with (c->sub, c->at), or answers. */
void complete_command(struct complete *c, const struct cli_cmd *cmd);

/* For the callbacks. A word counts if it begins as what was typed. help may be NULL. */
void complete_word(struct complete *c, const char *word, const char *help);
/* Before the words: several can be given, with one of these characters between them. */
void complete_list(struct complete *c, const char *separators);

#endif
