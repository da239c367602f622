/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_RECORDING_H
#define CLI_RECORDING_H
/*
 * What a command that reads a recording says about it.
 */
#include "util/analysis/sched-select.h"
#include "util/cli/options.h"
#include "util/data/reader.h"
#include "util/stream/stream.h"
#include "util/symbols/dso.h"

/* --tolerant: a damaged recording is no failure. For all commands that read recordings. */
struct option_table cli_recording_group(void);
/* At the end of the output: what was left out of the recording, on stderr, from the reader (a cut file, unreadable sections) and the
 * stream (records that cannot be decoded, lost events; s NULL: there was none). Not when quiet; noted for the exit status in any case. */
void cli_recording_end(const struct data_reader *r, const struct stream *s, bool quiet);
/* The same for what else was left out, and told. */
void cli_recording_damaged(void);
/* For main(), the one place that decides: status, or 1 and a message where all went well with a recording that is damaged. */
int cli_recording_status(int status);

/* Why code has no names, on stderr, for dsos whose symbols were asked for: what can be helped (kernel addresses that are
 * hidden, another file than the recorded one, perf maps), at most three lines; with all, each dso without symbols. */
void cli_symbol_warnings(struct dso_store *s, bool all);

/* -v: how the stacks ended that were unwound from dumps, a line for each reason. */
void cli_unwind_stats(const struct stream_stats *st);
/* The same of a recorder: counts by enum unwind_end. */
void cli_unwind_ends(const u64 *ended);
/* A table of them, for statistics; nothing when no stack was looked at. */
void cli_stack_stats(const struct stream_stats *st, struct str *out);
/* A warning when many of the recorded chains break, with the code in which most do and what helps. */
void cli_broken_chains(const struct stream_stats *st);
/* After sched_close(): a warning for each part of the selection that is not in the recording. An empty table alone does not tell
 * a quiet task from a wrong number. */
void cli_sched_unseen(const struct sched *model, const struct sched_selection *sel);

#endif
