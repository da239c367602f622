/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_COMMON_H
#define CLI_COMMON_H
/*
 * The options that every command has: -v (counted, also "-v symbols=2" for one domain; sets the log
 * levels), -q.
 */
#include "util/cli/options.h"

struct cli_common {
	int verbose;
	bool quiet;
};

/* c is borrowed and must be zeroed. */
struct option_table cli_common_group(struct cli_common *c);

#endif
