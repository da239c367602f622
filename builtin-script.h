/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_SCRIPT_H
#define BUILTIN_SCRIPT_H
/*
 * perf script: builtin-script.c has its text, builtin-script-run.c runs users' scripts.
 */
#include "util/session/session.h"

/* -s, -g, -l: what is done with scripts. */
struct script_run {
	const char *script;		/* -s: [LANGUAGE:]FILE */
	const char *generate;		/* -g: LANGUAGE or FILE */
	const char *library;		/* script.libpython */
	bool list;
	const char *const *args;	/* behind the options, ended by NULL */
};

/* -s over the recording, which is open. */
int script_run(const struct script_run *r, const struct stream_opts *stream, struct session *s);
/* -g of the recording, which is open. */
int script_generate(const struct script_run *r, struct session *s);
/* -l: prints them; the exit status. */
int script_show_list(void);
/* "record|report NAME ...", or "NAME ..." alone, of n words: the exit status. */
int script_run_installed(const struct script_run *r, int n, const char *input);

#endif
