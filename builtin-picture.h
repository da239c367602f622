/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_PICTURE_H
#define BUILTIN_PICTURE_H
/*
 * What the commands that draw a recording (flame, heatmap) share: they make it first, where there
 * is something to record, and take perf record's options for that as they are.
 */
#include "util/analysis/flame/flame.h"
#include "util/cli/options.h"
#include "util/session/session.h"

/* Options of perf record that choose samples where a recording is read. Borrowed from argv. */
struct picture_chosen { const char *pids, *tids, *cpus, *engine, *event; };

struct picture_record {
	opt_list words;			/* options for perf record; owned texts */
	struct option_def *table;
	struct picture_chosen chosen;
	const struct option_def *other;	/* the first that is only for recording, or NULL */
	bool target;			/* -a or -u: there is something to record */
	bool stacks;			/* -g or --call-graph says how stacks are recorded */
	bool events;			/* -e says what is recorded */
	bool shows_event;		/* by the command: -e says also what is drawn */
};

/* The table of perf record's options, but those with names of own (up to OPT_END). Its base is r,
 * which is zeroed, or has what the command sets. */
struct option_table picture_options(struct picture_record *r, const struct option_def *own);
void picture_release(struct picture_record *r);

/* There is something to record: a command of n words, tasks or CPUs. */
bool picture_is_recorded(const struct picture_record *r, int n);
/* Reported, and not 0: an option of perf record that means nothing where a recording is read. */
int picture_check(const struct cli_cmd *cmd, const struct picture_record *r, const char *input,
		  int n);
/* An output that exists is replaced only if force says so. */
int picture_check_output(const char *path, bool force, struct err *err);
/* perf record with the options that were given and more (up to NULL): what is not given, but
 * needed. words: the command, for the recording. The exit status; *made: there is a new recording
 * at path. */
struct picture_how {
	const char *const *words, *path;
	const char *const *more;
	bool quiet, stacks;
};
int picture_make(const struct picture_record *r, const struct picture_how *how, int argc,
		 const char **argv, bool *made);

/* The command that was recorded: without perf's own options, where it is said which those are. */
/* f NULL: nothing */
void picture_add_command(struct str *out, const struct data_features *f);
/* " · NAME": the machine, its kernel, and how long it took, each if it is known. */
void picture_add_machine(struct str *out, const struct session *s);
void picture_add_seconds(struct str *out, u64 first_ns, u64 last_ns);
/* The event of that name that has samples; name NULL: the first. NULL: reported to err. */
const struct event *picture_event(const struct flame_tree *t, const char *name,
				  const char *recording, struct err *err);
int picture_no_samples(const struct session *s);	/* reported; an exit status */
int picture_write(const char *path, bool named, const struct str *text, struct session *s);
int picture_open(const char *path);			/* in the browser; an exit status */

#endif
