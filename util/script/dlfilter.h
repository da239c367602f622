/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCRIPT_DLFILTER_H
#define SCRIPT_DLFILTER_H
/*
 * Filters of samples in shared objects (perf script --dlfilter): include/perf/perf_dlfilter.h is
 * what they are compiled with. One owner, one thread: such a filter sees one sample after the
 * other.
 */
#include "util/machine/machine.h"
#include "util/stream/sink.h"

struct dlfilter_opts {
	const char *file;
	const char *const *args;	/* --dlarg */
	size_t n_args;
	/* after each of its functions, which may have printed something; or NULL */
	void (*printed)(void *ctx);
	void *ctx;
};

struct dlfilter;
/* Loads it: as a path, from the current directory, from dlfilters/ of the scripts' directory, or as
 * the linker finds libraries. o is borrowed. NULL: it cannot be loaded. */
struct dlfilter *dlfilter_new(const struct dlfilter_opts *o, struct err *err);
/* Its start(). m is borrowed, and so is to, a sink that is given what the filter keeps. */
int dlfilter_start(struct dlfilter *f, struct machine *m, struct sink *to, struct err *err);
struct sink *dlfilter_sink(struct dlfilter *f);
/* Its stop(); also what a filter function failed with before. */
int dlfilter_stop(struct dlfilter *f, struct err *err);
void dlfilter_free(struct dlfilter *f);		/* NULL is fine */

/* What "perf script --list-dlfilters" prints: whole: with the long descriptions, too. */
void dlfilter_list(bool whole, struct str *out);

#endif
