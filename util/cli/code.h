/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_CODE_H
#define CLI_CODE_H
/*
 * Options about the listings of functions' code, for the commands that show them: perf annotate,
 * and perf report and perf top when code is asked for. What they say is used by the command; the
 * texts point into argv.
 */
#include "util/analysis/annotate/annotate.h"
#include "util/cli/options.h"

struct code_opts {
	const char *objdump, *style;	/* NULL: in process; the usual one */
	const char *prefix;		/* of source files; NULL: none */
	int prefix_strip;		/* directories; 0 or more */
	bool source, raw;		/* lines of source, bytes of instructions */
	bool no_arrows, plain, line_numbers, jumps;	/* in the browser */
	enum annotate_percent percent;
};
#define CODE_OPTS_INIT { .source = true }

/* --source --prefix --prefix-strip --asm-raw -M --objdump --percent-type, and [annotate]. */
struct option_table cli_code_group(struct code_opts *o);

#endif
