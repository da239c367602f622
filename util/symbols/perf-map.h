/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_PERF_MAP_H
#define SYMBOLS_PERF_MAP_H
/*
 * The text of /tmp/perf-PID.map: "START SIZE NAME", hex. Any thread.
 */
#include "util/base/types.h"

struct perf_map_entry { u64 start_va, bytes; const char *name; };

/* Calls fn for each entry, in order; a non-zero return stops and is returned. Other lines are counted in *n_bad. The text is
 * changed (NULs behind names); text[len] must be readable and 0. */
int perf_map_parse(char *text, size_t len, int (*fn)(void *ctx, const struct perf_map_entry *e), void *ctx, u64 *n_bad);

struct symtab;
/* Fills and finishes a table: of overlapping entries the last one wins. -ENOENT: none. */
int perf_map_load_text(char *text, size_t len, struct symtab *t, u64 *n_bad);

#endif
