/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_RECORD_H
#define BUILTIN_RECORD_H
/*
 * perf record as the other recording commands (trace, sched, timechart) call it; and its parts:
 * builtin-record-options.c has the options, builtin-record.c what is done and reported.
 */
#include "util/base/words.h"
#include "util/cli/common.h"
#include "util/cli/options.h"
#include "util/event/event.h"
#include "util/record/record.h"

struct record_preset {
	/* of the command, for the recording: "sched", "record"; NULL ends them */
	const char *const *words;
	const char *const *events;	/* NULL ends them; NULL: none */
	bool system_wide, raw, exclude_perf, callchain;
	u64 period;
	int rt_prio;
	struct record_heap heap;	/* period 0: not */
	const char *output, *pages;	/* -o, -m; NULL: as always */
};
/* argv: options and command as perf record takes them; they come after what is preset. The exit
 * status. */
int record_with(const struct record_preset *preset, int argc, const char **argv);

/* argv for record_with(), NULL at its end: these options (NULL: none), then a command of n words,
 * which has its own. All are borrowed; the caller frees the list. */
void record_line(opt_list *line, const opt_list *options, int n, const char **command);

/* Flags of a command of its own, cmd->tables[0], that stand before perf record's options. How many
 * words they were; < 0: as cli_parse(), or 0 with *help: perf record's own help is to follow. */
struct cli_cmd;
int record_own_flags(const struct cli_cmd *cmd, int argc, const char **argv, bool *help);

/* Those of the names, "system:name" up to NULL, that this kernel has: as events without call
 * chains, added to out, whose words are the caller's. < 0: tracepoints cannot be looked at. */
int record_find_events(struct os *os, const char *const *names, word_list *out,
		       struct err *err);

/* For commands that hand them on: names, arguments and help; up to OPT_END. */
const struct option_def *record_option_defs(void);

struct record_cmd {
	struct record_opts rec;
	struct cli_common common;
	struct event_list list, switch_list;
	struct os os;
	struct pmu_db *db;
	enum { SETUP_NOTHING, SETUP_PIN, SETUP_UNPIN } setup_filter;	/* and nothing else */
	const char *cgroups, *output, *chain_mode;	/* chain_mode: of -g; NULL: auto, or fp */
	int n_synth_threads;
	u32 dump_bytes;			/* of a stack, unless an option says how many */
	bool dry_run, buildid_all, timestamp_boundary, kcore, embed, threads, aux, latency;
};

/* The number of words in argv that are the command, or -1: perf ends with *status. */
int record_cmd_parse(struct record_cmd *c, const struct record_preset *p, int argc,
		     const char **argv, int *status);
/* What needs all options, and the events that were not given. */
int record_cmd_check(struct record_cmd *c, bool has_command, struct err *err);
bool record_cmd_dated(const struct record_output *o);	/* names of files have times in them */

#endif
