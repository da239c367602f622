/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_VIEW_REPORT_WORLD_H
#define TESTS_VIEW_REPORT_WORLD_H
/*
 * The browser of perf report over a histogram that is made by hand: what its tests have in common.
 */
#include "tests/unit/unit.h"
#include "util/analysis/top.h"
#include "util/os/os.h"
#include "util/view/tui/report.h"

enum { N_SYMS = 6 };

struct world {
	struct os os;
	struct symbols_opts no_opts;
	struct dso_store *dsos;
	struct dso *prog, *lib;
	struct symbol syms[N_SYMS];
	struct thread thread;
	struct comm comms[2];
	struct event_list events;
	struct hist_keys keys;
	struct hist *h;
	struct report_tui_opts o;
	struct str printed;
	struct sink *sink;	/* that samples are fed to */
	struct top top;		/* of what happens now: the sink before the hist */
	const char *const *turns;	/* stacks that come before each refresh */
};

/* main, run and work in the program, copy, sum and one of a hostile name in the library. */
void world_init(struct world *w, bool children, bool chains, unsigned n_events);
void world_release(struct world *w);
/* n samples; stack: numbers of the symbols, outermost first. */
void feed(struct world *w, unsigned event, const char *stack, u64 n, unsigned comm);
void feed_usual(struct world *w);
/* Plays the script; what was shown is kept until the test ends. */
const char *play(struct world *w, int rows, int cols, const char *script);
/* The print of report_tui_calls; ctx: the world. */
void print(void *ctx, const struct str *text, struct str *said);

/* What happens now: each <timeout> is a refresh, before which come the samples of the next turn,
 * "60:012 25:0123"; the last turn is NULL. */
void live_init(struct world *w, bool chains, const char *const *turns);

#endif
