/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_LOCK_H
#define BUILTIN_LOCK_H
/*
 * The parts of perf lock: builtin-lock-contention.c has the sub-commands that sum up a recording,
 * builtin-lock-reading.c what they share, builtin-lock.c the rest. Sub-commands are as
 * cli_run_sub() starts them; in: struct lock_input.
 */
#include "util/analysis/lock.h"
#include "util/cli/common.h"
#include "util/session/session.h"

struct lock_input {
	const char *path, *output;
	bool force, dump;
	struct symbols_opts symbols;
	struct cli_common common;
};

extern const struct option_def lock_input_options[];	/* of a struct lock_input */

/* The life of a command that reads a recording: lock_reading_run() fills a model for each of n
 * opts, at most LOCK_MODELS, in one pass; lock_reading_close() is due in any case and gives the
 * exit status. */
enum { LOCK_MODELS = 2 };
struct lock_reading {
	struct session s;
	struct lock_model *models[LOCK_MODELS];
	struct sink *sinks[LOCK_MODELS];
};
int lock_reading_run(struct lock_reading *r, const struct lock_input *in,
		     const struct lock_opts *opts, size_t n);
int lock_reading_close(struct lock_reading *r, int ret);
/* To --output, or standard error as upstream perf does; data to standard output. < 0: s.err. */
int lock_write(struct lock_reading *r, const struct lock_input *in, const struct str *text,
	       bool data);

int lock_contention(int argc, const char **argv, void *in);
int lock_report(int argc, const char **argv, void *in);
int lock_info(int argc, const char **argv, void *in);

#endif
