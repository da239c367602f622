/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCRIPT_PYTHON_H
#define SCRIPT_PYTHON_H
/*
 * Users' scripts in Python over a recording: "perf script -s FILE". What a script defines is called
 * as perf-script-python(1) has it: trace_begin, trace_end, process_event, SUBSYSTEM__EVENT,
 * trace_unhandled, stat__EVENT, stat__interval, throttle, unthrottle, context_switch,
 * auxtrace_error. There is one interpreter in a process. One owner, one thread.
 */
#include "util/event/event.h"
#include "util/machine/machine.h"
#include "util/stream/sink.h"

struct python_opts {
	const char *path;		/* of the script */
	const char *const *args;	/* its own, ended by NULL */
	const char *library;		/* libpython as a file or a soname; NULL: the system's */
	bool no_inline;			/* frames are functions of the symbol table, without lines */
	bool swap;			/* raw data has the other byte order */
	/* a setting of the configuration, or NULL */
	const char *(*config)(const char *name);
};

struct python;
/* Runs what the script says outside of its functions. opts is borrowed. NULL: it failed (the
 * traceback was printed), it ended (err->code is ECANCELED then, err->status the exit status), or
 * Python is not there. */
struct python *python_new(const struct python_opts *opts, struct err *err);
/* trace_begin(). events and m are borrowed. */
int python_begin(struct python *p, const struct event_list *events, struct machine *m,
		 struct err *err);
/* The samples and records, in order. It stops at the first error of the script, and where Ctrl-C
 * is pressed; a second one interrupts the script itself. */
struct sink *python_sink(struct python *p);
/* trace_end(), unless the script failed: its error is returned then. */
int python_end(struct python *p, struct err *err);
/* NULL is fine. What the script printed is written. */
void python_free(struct python *p);

#endif
