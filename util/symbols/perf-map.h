/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_PERF_MAP_H
#define SYMBOLS_PERF_MAP_H
/*
 * The text of /tmp/perf-PID.map: "START SIZE NAME", hex. Any thread.
 */
#include "util/base/types.h"
#include "util/symbols/dso.h"

struct perf_map_entry { u64 start_va, bytes; const char *name; };	/* bytes: at least 1 */

/* Calls fn for each entry, in order; a non-zero return stops and is returned. Other lines are
 * counted in *n_bad. The text is changed (NULs after names); text[len] must be readable and 0. */
int perf_map_parse(char *text, size_t len, int (*fn)(void *ctx, const struct perf_map_entry *e),
		   void *ctx, u64 *n_bad);

/* The map of a running process, in its own /tmp, under its own pid there; the caller closes.
 * -ENOENT: it has none (yet); -EEXIST: it sees the same /tmp as we, where readers of a recording
 * will find it; -ESRCH: the process is gone; -EPERM: the map is neither that user's nor root's. */
int perf_map_open_foreign(const struct os *os, pid_t pid);

#endif
