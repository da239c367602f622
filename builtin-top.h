/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_TOP_H
#define BUILTIN_TOP_H
/*
 * perf top: builtin-top-options.c has what the command line and the configuration say,
 * builtin-top-keys.c the keys of its text view, builtin-top-code.c the code that it shows,
 * builtin-top-tui.c the browser, builtin-top-look.c what both of them show, builtin-top.c what is
 * done with all that.
 */
#include "builtin-browser.h"
#include "util/analysis/top.h"
#include "util/cli/code.h"
#include "util/cli/common.h"
#include "util/cli/options.h"
#include "util/cli/rows.h"
#include "util/record/record.h"
#include "util/session/live.h"
#include "util/os/terminal-keys.h"
#include "util/view/top-text.h"

#define TOP_LINES 25		/* where nobody says how many there are */
#define TOP_TEXT_MIN_N 5	/* upstream perf's, for text only */

struct top_sampling {			/* what is sampled, of whom */
	struct record_opts record;
	struct target target;
	const char *cgroup;
	const char *chain_mode;		/* how -g records; NULL: fp */
	u32 dump_bytes;			/* of a stack, unless an option says how many */
};

struct top_rows {			/* which rows there are */
	struct keys_spec keys;
	const char *comms, *dsos, *symbols, *ignore_callees;
	bool children, relative;
	const char *on, *off;		/* --switch-on, --switch-off */
};

struct top_look {			/* how they look; keys change it */
	u64 delay_ns;
	int entries;			/* 0: as many as there is room for */
	int min_n;			/* samples that a row has at least; -1: by the view */
	double min_pct;
	bool show_n, show_period;
	bool nested;			/* --hierarchy */
	cli_widths widths;
	struct chain_opts chain;
	const struct event *shown;	/* NULL: the first one */
	char *code_of;			/* a function; NULL: rows. Owned */
};

struct top_cmd {
	struct os os;
	struct pmu_db *db;
	struct event_list list;
	struct top_sampling sampling;
	struct top_rows rows;
	struct top_look look;
	struct top_opts filter;
	struct stream_opts stream;
	struct cli_common common;
	struct browser_opts browser;
	struct code_opts code;
	bool stdio, ignored, overwrite;
};

void top_cmd_init(struct top_cmd *c);
/* 0: to be run; else *status is the command's. */
int top_parse(struct top_cmd *c, int argc, const char **argv, int *status);
void top_cmd_release(struct top_cmd *c);
/* "all, 2 CPUs": whom the title names. */
void top_target_text(const struct top_sampling *s, size_t n_cpus, struct str *out);

/* ---- keys of the text view */

struct top_prompt {
	char key;			/* that asks, 0: none */
	bool menu;			/* the list of keys is shown: the next one is waited for */
	struct str line;
};

enum top_did { TOP_NOTHING, TOP_CHANGED, TOP_ASKS, TOP_QUIT };
/* A key that was typed; what is to be shown of it is appended to out. TOP_CHANGED: the rows are
 * to be shown anew; TOP_ASKS: nothing is shown until it was answered. */
enum top_did top_key(struct top_prompt *p, char key, struct top_look *look,
		     struct top_opts *filter, const struct event_list *l, struct str *out);

/* ---- what is shown, as text or in the browser */

struct top_cmd_run {
	struct top_cmd *c;
	struct live_session live;
	struct hist_keys keys;
	struct hist *hist;
	struct top top;
	struct top_tui *tui;		/* NULL: text */
	struct top_code *code;		/* of the text view, or NULL */
	struct terminal_keys terminal;	/* of the text view, as the next three */
	struct top_prompt prompt;
	struct str out;
	bool screen;			/* standard output is one that can be cleared */
	struct str target;
	u64 shown_ns, own_ns, lost, throttled;	/* as of the last refresh */
};
const struct event *top_shown_event(const struct top_cmd *c);
/* What the title says of the interval before this refresh. */
struct top_title top_next_title(struct top_cmd_run *r);
struct hist_view_opts top_view(const struct top_look *k);
/* A refresh takes at most one part in 20 of the time. */
u64 top_refresh_ns(const struct top_cmd_run *r, u64 took_ns);

/* ---- the code of one function, in the place of rows */

/* Makes r->code what c.look asks for, and lets it have the samples: before they are shown. */
void top_code_follow(struct top_cmd_run *r);
/* What there is of it, in so many lines. */
void top_code_show(struct top_cmd_run *r, size_t lines, struct str *out);
void top_code_step(struct top_code *code, bool zero);	/* as top_step(); NULL is fine */
void top_code_free(struct top_code *code);		/* NULL is fine */

/* ---- the browser */

/* Takes the terminal, if a browser is to be shown; NULL: it is not. */
struct top_tui *top_tui_begin(struct top_cmd_run *r);
struct sink *top_tui_sink(struct top_tui *t);	/* what counts goes there, too */
int top_tui_drive(void *ctx, struct err *err);	/* of a live_session; ctx: the run */
void top_tui_say(struct top_tui *t, const char *text);	/* at the bottom */
void top_tui_tick(struct top_tui *t);		/* a refresh is due */
void top_tui_end(struct top_tui *t);		/* NULL is fine */

#endif
