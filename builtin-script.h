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
	bool list;
	const char *const *args;	/* behind the options, ended by NULL */
};

/* -s over the recording, which is open. */
int script_run(const struct script_run *r, const struct stream_opts *stream, struct session *s);
/* "perf script record|report NAME ...": the exit status of the script. */
int script_run_installed(const struct script_run *r, struct err *err);

#endif
