/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_WINDOWS_H
#define ANALYSIS_WINDOWS_H
/*
 * The parts of a recording between samples of two events: from one that switches on to the next one
 * that switches off (--switch-on, --switch-off).
 *
 *	struct switch_windows *w = switch_windows_new(on, off, show);
 *	rc = session_run(s, (struct sink *[]){ switch_windows_sink(w) }, 1);	// rc == 0
 *	switch_windows_finish(w);
 *	... switch_windows_has(w, sample, off) ...
 *	switch_windows_free(w);
 *
 * Samples are in the order of time, those of one time as they stand in the recording. One owner;
 * after switch_windows_finish() any thread may ask.
 */
#include "util/stream/sink.h"

struct switch_windows;
/* on, off: numbers of events; -1: none, so that it is on from the beginning, or to the end. show:
 * the samples that switch are part of it. */
struct switch_windows *switch_windows_new(int on, int off, bool show);
void switch_windows_free(struct switch_windows *w);	/* NULL is fine */
struct sink *switch_windows_sink(struct switch_windows *w);
void switch_windows_finish(struct switch_windows *w);
bool switch_windows_has(const struct switch_windows *w, const struct sample *s, u64 file_off);

#endif
