/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_EXPORT_H
#define BUILTIN_EXPORT_H
/*
 * One recording through one exporter into one file: for perf export and perf data convert. One
 * owner.
 *
 *	struct export_run r = { 0 };
 *	int ret = export_run(&r, &opts);
 *
 *	... r.n, r.s.source->name ...
 *	return export_close(&r, ret);
 */
#include <stdio.h>

#include "util/base/outfile.h"
#include "util/export/exporter.h"
#include "util/session/session.h"

struct export_opts {
	const char *input;		/* NULL: perf.data; "-": standard input */
	const char *output;		/* "-": standard output */
	const struct exporter *exporter;
	bool force;			/* another user's recording, an existing output */
	bool quiet, lines;
	bool recorded_clock;		/* times as recorded, not of the day where that is known */
	bool need_tod;			/* a recording that does not know it is an error */
	bool partition;			/* output is a directory */
	bool scratch;			/* the output never gets its name: r->out has it until
					 * export_close() */
	bool overwrite;			/* an existing output, but no more than that */
	const char *made_from;		/* see struct export_facts; or NULL */
	bool records;			/* what are no samples, too */
	bool empty;			/* without a sample there is an output all the same */
	enum export_by by;
	enum export_weight weight;
	opt_list events;		/* only these, by name or pattern; none: all */
	struct stream_opts stream;
	const struct itrace_opts *itrace;	/* as in struct session_opts */
};

struct export_run {
	struct session s;
	struct outfile out;
	FILE *fp;
	u64 n;				/* what the exporter counts */
	u64 n_records;			/* of what are no samples */
};

/* < 0: r->s.err says why; then no output is left. export_close() is due in any case. */
int export_run(struct export_run *r, const struct export_opts *o);
/* Releases all; ret and result as of session_close(). */
int export_close(struct export_run *r, int ret);

#endif
