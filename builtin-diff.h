/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_DIFF_H
#define BUILTIN_DIFF_H
/*
 * perf diff: builtin-diff-options.c has its options, builtin-diff.c is what is done with them.
 */
#include "util/analysis/diff/diff.h"
#include "util/cli/common.h"
#include "util/cli/options.h"
#include "util/stream/stream.h"

struct diff_cmd {
	struct diff_opts diff;
	struct keys_spec keys;
	struct stream_opts stream;
	const char *sep;
	bool force, dump, json, stream_diff;
	struct cli_common common;
};

struct option_table diff_option_table(struct diff_cmd *c);

#endif
