/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_STACKS_H
#define CLI_STACKS_H
/*
 * How the stacks of a recording ended.
 */
#include "util/stream/stream.h"

/* -v: of those that were unwound from dumps, a line for each reason; on stderr. */
void cli_unwind_stats(const struct stream_stats *st);
/* The same of a recorder: counts by enum unwind_end. */
void cli_unwind_ends(const u64 *ended);

#endif
