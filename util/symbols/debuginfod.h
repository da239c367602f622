/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_DEBUGINFOD_H
#define SYMBOLS_DEBUGINFOD_H
/*
 * Files by their build-id from debuginfod servers.
 */
#include "util/symbols/dso.h"

struct fetcher;		/* one of a store: what was asked for, and what came */

/* opts is borrowed. */
struct fetcher *fetcher_new(const struct symbols_opts *opts);
void fetcher_free(struct fetcher *f);

/* The file of a build-id from the servers of opts.debuginfod_urls (its own cache first); NULL:
 * not asked, none, or too slow: then it is not asked again. The caller frees the path. Any
 * thread. */
char *debuginfod_get(struct fetcher *f, const struct build_id *id, bool debug);
/* Of an entry of the build-id cache dir that has neither DWARF nor a debug file: a server's debug
 * file joins it. true: one came. */
bool debuginfod_keep(struct fetcher *f, const char *dir, const struct build_id *id);

#endif
