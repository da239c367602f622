/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SESSION_WARNINGS_H
#define SESSION_WARNINGS_H
/*
 * What else a command may say of a recording, each a warning on stderr after its output.
 */
#include "util/analysis/sched-select.h"
#include "util/session/session.h"

/* Why code has no names, for binaries whose symbols were asked for: what can be helped (kernel
 * addresses that are hidden, another file than the recorded one, perf maps), at most three lines;
 * with all, each binary without symbols. */
void session_symbol_warnings(const struct session *s, bool all);
/* What a command that analyses events says at its end: session_warn(), symbols, and how many events
 * lacked the needed fields (n_bad). ret: as for session_close(), which is due. */
void session_warn_analysis(struct session *s, u64 n_bad, int ret);
/* When many of the recorded chains break: the code in which most do, and what helps. */
void session_broken_chains(const struct session *s);
/* After sched_close(): each part of the selection that is not in the recording. An empty table
 * alone does not tell a quiet task from a wrong number. */
void session_sched_unseen(const struct sched *model, const struct sched_selection *sel);
/* The filter leaves nothing: says so, and which tasks there are. */
void session_nothing_left(const struct session *s, const struct stream_filter *f);

#endif
