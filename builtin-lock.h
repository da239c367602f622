/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_LOCK_H
#define BUILTIN_LOCK_H
/*
 * The parts of perf lock: builtin-lock-contention.c has the sub-commands that sum up a recording,
 * builtin-lock-reading.c what they share, builtin-lock-live.c what BPF programs sum up while it
 * happens, builtin-lock-options.c the options of lock contention, builtin-lock-futex.c the locks of
 * programs, builtin-lock.c the rest. Sub-commands are as
 * cli_run_sub() starts them; in: struct lock_input.
 */
#include "util/analysis/lock.h"
#include "util/cli/common.h"
#include "util/os/target.h"
#include "util/session/session.h"
#include "util/view/lock-text.h"

struct lock_input {
	const char *path, *output;
	bool force, dump;
	struct symbols_opts symbols;
	struct cli_common common;
};

extern const struct option_def lock_input_options[];	/* of a struct lock_input */

/* Of what happens now (contention: with -b): whose waits. */
struct lock_live {
	bool use_bpf;
	struct target target;
	const char *cgroups;
	u64 n_entries;
};

/* Columns and order, as typed. */
struct lock_choice { const char *key, *fields; };

struct lock_cmd {
	struct lock_input in;
	struct lock_opts opts;
	struct table_output data;
	struct lock_choice choice;
	const char *sep;
	bool by_task, by_lock, by_owner, by_cgroup;
	struct lock_live live;
	struct lock_view view;
};

#define LOCK_FIELDS "contended, wait_total, wait_max, wait_min, avg_wait"

extern const struct option_def lock_contention_options[];	/* of a struct lock_cmd */
/* of a struct lock_live, of a struct lock_choice: what contention and futex share */
extern const struct option_def lock_live_options[], lock_choice_options[];
/* Columns (a comma list) and what is sorted by, as users name them. */
int lock_set_fields(struct lock_view *v, const char *fields, const char *key, bool contention,
		    enum lock_field *sort, struct err *err);
/* Of the tables of BPF programs: a power of two; 0 for 0. */
enum { LOCK_MAX_ENTRIES = 1 << 24 };
u32 lock_table_size(u64 n_entries);
/* What does not go together; a message was printed if not 0. n: words of a command. */
int lock_check_live(const struct lock_cmd *c, int n);
/* Warnings of what BPF programs summed up, where there is something to be said. */
void lock_tell_lost_sums(u64 n, u64 ns);
void lock_tell_unseen(u64 n_unwatched, u64 n_unended);
/* The exit status. argv: the command; NULL at its end. */
int lock_contention_live(struct lock_cmd *c, const char **argv);
/* Rows as the command was asked for them; to be released. */
void lock_draw(const struct lock_cmd *c, struct lock_model *m, bool contention, struct str *out);

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
/* To --output, or standard error as upstream perf does; data to standard output. */
int lock_write(const struct lock_input *in, const struct str *text, bool data, struct err *err);

int lock_contention(int argc, const char **argv, void *in);
int lock_report(int argc, const char **argv, void *in);
int lock_info(int argc, const char **argv, void *in);
int lock_futex(int argc, const char **argv, void *in);

#endif
