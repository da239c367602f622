// SPDX-License-Identifier: GPL-2.0-or-later
// Where no library is loaded (make static), or NO_DEBUGINFOD=1: no server is asked.
#include "util/symbols/debuginfod.h"

#include <stddef.h>

struct fetcher *fetcher_new(const struct symbols_opts *opts UNUSED) { return NULL; }
void fetcher_free(struct fetcher *f UNUSED) { }
char *debuginfod_get(struct fetcher *f UNUSED, const struct build_id *id UNUSED,
		     bool debug UNUSED) { return NULL; }
bool debuginfod_keep(struct fetcher *f UNUSED, const char *dir UNUSED,
		     const struct build_id *id UNUSED) { return false; }
