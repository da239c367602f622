/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_ANNOTATE_H
#define BUILTIN_ANNOTATE_H
/*
 * perf annotate: builtin-annotate-options.c has its options, builtin-annotate-missing.c says what
 * cannot be shown, and why, builtin-annotate-types.c shows types of data, builtin-annotate-tui.c
 * has the browser, builtin-annotate.c the rest.
 */
#include "builtin-browser.h"
#include "util/analysis/annotate/listing.h"
#include "util/cli/code.h"
#include "util/cli/common.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/session/session.h"
#include "util/stream/stream.h"

/* How it looks. */
struct annotate_look_opts {
	bool stdio, stdio2;
	bool full_paths, show_n, show_period, print_line, group, group_all, types;
	enum cli_color color;
	struct table_output as_data;
};

/* Types of data in the place of code. */
struct annotate_type_opts {
	bool on, stat, insn_stat;
	const char *name;		/* NULL: all */
};

struct annotate_opts {
	const char *input, *symbol;
	bool force, dump, skip_missing, ignored;
	double min_pct;
	struct code_opts code;
	struct annotate_look_opts look;
	struct annotate_type_opts types;
	struct browser_opts browser;
	struct stream_opts stream;
	struct itrace_opts itrace;
	struct cli_common common;
};

struct option_table annotate_option_table(struct annotate_opts *o);

/* builtin-annotate-tui.c: whether a browser is to be shown. once: the recording comes from standard
 * input. */
bool annotate_wants_browser(const struct annotate_opts *o, bool once);
struct annotate_tui_in {
	const struct annotate_opts *o;
	struct session *session;
	struct annotate *counts;	/* finished */
	struct listing_opts listing;
	struct access_finder *types;	/* NULL: of this build */
};
void annotate_browse(struct browser *b, const struct annotate_tui_in *in);

/* Code that could not be shown: said once for each file and reason, at the end. */
struct missing_code { struct dso *dso; const struct symbol *first; char *reason; u64 n_symbols,
		      n_samples; };
typedef VEC(struct missing_code) missing_codes;
void missing_add(missing_codes *m, const struct annotate_symbol *s, const char *reason);
/* As warnings. */
void missing_warn(const missing_codes *m, const struct session *s);
void missing_release(missing_codes *m);
/* Of a symbol that was asked for, and has no samples: the error for it. */
int missing_symbol(const struct session *s, const char *name);

/* --data-type: 0 or an exit status. */
int annotate_types(struct session *s, const struct annotate *counts, const struct annotate_opts *o);

#endif
