/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_SCRIPT_H
#define BUILTIN_SCRIPT_H
/*
 * perf script: builtin-script.c has its text, builtin-script-run.c runs users' scripts,
 * builtin-script-dlfilter.c filters in shared objects.
 */
#include "util/session/session.h"
#include "util/stream/event-switch.h"

/* -s, -g, -l: what is done with scripts. */
struct script_run {
	const char *script;		/* -s: [LANGUAGE:]FILE */
	const char *generate;		/* -g: LANGUAGE or FILE */
	const char *library;		/* script.libpython */
	bool list;
	const char *const *args;	/* behind the options, ended by NULL */
};

/* --dlfilter, --dlarg: a filter in a shared object. */
struct script_filter {
	struct event_switch_opts between;
	const char *file;		/* NULL: none */
	opt_list args;
	bool list;
	void (*flush)(void *ctx);	/* writes what was printed so far; or NULL */
	void *ctx;
};

/* session_run(); the first sink has what the filter and the two events keep. */
int script_run_sinks(struct script_filter *sf, struct session *s, struct sink **sinks, size_t n);
/* --list-dlfilters */
int script_show_filters(bool whole);

/* -s over the recording, which is open. */
int script_run(const struct script_run *r, struct script_filter *sf,
	       const struct stream_opts *stream, struct session *s);
/* -g of the recording, which is open. */
int script_generate(const struct script_run *r, struct session *s);
/* -l: prints them; the exit status. */
int script_show_list(void);
/* "record|report NAME ...", or "NAME ..." alone, of n words: the exit status. */
int script_run_installed(const struct script_run *r, int n, const char *input);

#endif
