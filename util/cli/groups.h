/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_GROUPS_H
#define CLI_GROUPS_H
/*
 * Options that many commands share, with one spelling and one text each. A command appends the
 * groups that it needs to its tables; where it wants a letter for something else, or another text,
 * its own table comes first: the first one wins, for parsing and in the help. The structs are
 * borrowed until the texts in them are used (they point into argv).
 */
#include "util/base/table.h"
#include "util/cli/options.h"
#include "util/itrace/opts.h"
#include "util/os/target.h"
#include "util/stream/stream.h"

/* -a -C -p -t -u --per-thread */
struct option_table cli_target_group(struct target *t);
/* -k --kallsyms --symfs --ignore-vmlinux --demangle --debuginfod -m (accepted) */
struct option_table cli_symbols_group(struct symbols_opts *o);
/* --guestkallsyms --guestmodules --guestmount --guestvmlinux */
struct option_table cli_guests_group(struct stream_guests *o);
/* What --debuginfod asks for, for commands that have it alone: servers, or NULL. "system", as none,
 * are those of DEBUGINFOD_URLS. */
const char *cli_debuginfod_urls(const struct opt_use *u);
void cli_show_fetching(const struct fetch_state *st);	/* for symbols_opts.fetching */
/* -c -C -S --dsos --pid --tid --time --symbol-filter --where */
struct option_table cli_filter_group(struct stream_filter *f);
/* --where alone, for tables that have only some of these */
#define OPT_WHERE(st, f) \
	OPT_STRING(0, "where", st, f, "expression", \
		   "only samples for which this holds, as 'cpu in 0-3 and comm ~ \"ngi*\"': see " \
		   "perf-where(5)")
/* --itrace --no-itrace: a histogram's defaults, or those of text */
struct option_table cli_itrace_group(struct itrace_opts *o, bool report);
/* --max-stack --inline --unwind --jobs; not filter and symbols: append these too */
struct option_table cli_stream_group(struct stream_opts *o);
/* -x/--field-separator --json: results as data. Where -x is taken (probe, report), its long name
 * remains. Both is an error. */
struct option_table cli_output_group(struct table_output *o);
/* The argument of -x, for tables that have an option of their own for it: "\t" is a tab. */
const char *cli_separator(const char *text);

#endif
