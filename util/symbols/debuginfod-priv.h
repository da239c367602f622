/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_DEBUGINFOD_PRIV_H
#define SYMBOLS_DEBUGINFOD_PRIV_H
#include "util/symbols/dso.h"

/* The file of a build-id from the servers of opts.debuginfod_urls (its own cache first); NULL: not asked, none, or too slow:
 * then it is not asked again. The caller frees the path. Any thread. */
char *debuginfod_get(struct dso_store *s, const struct build_id *id, bool debug);

#endif
