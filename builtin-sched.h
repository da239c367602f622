/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_SCHED_H
#define BUILTIN_SCHED_H
/*
 * The parts of perf sched: a sub-command a file, and builtin-sched-reading.c with what those have
 * in common that read recordings. Sub-commands are as cli_run_sub() starts them; in: struct
 * sched_input.
 */
#include <stddef.h>

#include "util/analysis/sched.h"
#include "util/cli/common.h"
#include "util/session/session.h"

struct sched_input {
	const char *path;
	bool force, dump;
	struct cli_common common;
};

/* What all sub-commands that read a recording share. */
struct sched_reading {
	struct session s;
	struct sched *model;
	struct sink *sink;
};

extern const struct option_def sched_input_options[];	/* of a struct sched_input */
/* Model and sink are there: observers may be added. symbols may be NULL. sched_reading_close() is
 * due in any case. */
int sched_reading_open(struct sched_reading *r, const struct sched_input *in,
		       const struct symbols_opts *symbols);
int sched_reading_run(struct sched_reading *r);			/* all events, to their end */
int sched_reading_close(struct sched_reading *r, int ret);	/* the exit status */
/* What tasks waited for, of the session's recording, whose model is fed by sink: that one asks for
 * call chains and names where there are any (*chains). The caller frees. */
struct why;
struct why *sched_why_new(struct sched *model, struct sink *sink, const struct session *s,
			  bool *chains);

int sched_latency(int argc, const char **argv, void *in);
int sched_map(int argc, const char **argv, void *in);
int sched_timehist(int argc, const char **argv, void *in);
int sched_replay(int argc, const char **argv, void *in);
int sched_script(int argc, const char **argv, void *in);
int sched_record(int argc, const char **argv, void *in);
int sched_offcpu(int argc, const char **argv, void *in);
int sched_why(int argc, const char **argv, void *in);
int sched_stats(int argc, const char **argv, void *in);
/* The scheduler's events that exist, and what is preset; argv as for record_with(). */
struct record_preset;
int sched_record_with(const struct record_preset *more, int argc, const char **argv);

#endif
