/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_ROWS_H
#define CLI_ROWS_H
/*
 * Values of the options that say which rows of a histogram there are and how they look, for the
 * commands that show one; and the settings of its call graphs.
 */
#include "util/analysis/hist/hist.h"
#include "util/cli/options.h"

#define CLI_CHAIN_MIN_PCT 0.5	/* of its parent, that a branch of a call graph has at least */

typedef VEC(u16) cli_widths;

/* "0.5", of 100. */
int cli_parse_pct(const char *text, double *pct, struct err *err);
/* --percent-limit of branches of call graphs; --no-: CLI_CHAIN_MIN_PCT. */
int cli_set_chain_min_pct(const struct opt_use *u, double *pct, struct err *err);
/* -d of what is shown again and again: 0.01 s to a day; negated: dflt_s. */
int cli_set_delay(const struct opt_use *u, double dflt_s, u64 *ns, struct err *err);
/* "relative" or "absolute", of --percentage. */
int cli_parse_relative(const char *text, bool *relative, struct err *err);
/* "10,0,20" of -w; NULL: none. */
int cli_parse_widths(const char *text, cli_widths *to, struct err *err);

/* [call-graph]: how chains are shown, where there are any. */
struct option_table cli_chain_settings(struct chain_opts *o);

#endif
