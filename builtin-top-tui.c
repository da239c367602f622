// SPDX-License-Identifier: GPL-2.0-or-later
// perf top on a terminal: the browser of perf report, over what happens now.
#include <stdlib.h>

#include "builtin-top.h"
#include "util/view/tui/flame.h"
#include "util/view/tui/report.h"

#define MOST_ADDRESSES (1u << 17)	/* that are counted for the code */

struct top_tui {
	struct top_cmd_run *run;
	struct browser browser;
	struct annotate *counts;
	struct browser_code code;
	struct report_tui_opts o;
	struct top_title title;		/* as of the last refresh */
	struct str notice;		/* what the line at the bottom has */
	bool due;			/* a refresh is */
	bool off, frozen;		/* events are disabled; what came before that is shown */
	u64 began_ns;			/* the refresh that is being drawn; 0: none is */
	int ret;
	struct err *err;
};

static const char help[] =
	"z             Toggle zeroing of samples\n"
	"f             Enable/Disable events\n"
	"l             Show the call stacks as an icicle (flame graph)\n"
	"K             Toggle samples of the kernel\n"
	"U             Toggle samples of programs\n";

/* ---- what the browser asks for ---- */

/* What is counted by address fades as the rows do. It is put in order when somebody looks at it;
 * what begins anew each time is kept as it is now. */
static void fade_code(struct top_tui *t)
{
	if (t->run->top.o.zero) {
		annotate_finish(t->counts);
		annotate_decay(t->counts, 0, 1, 0);
		return;
	}
	annotate_decay(t->counts, TOP_KEEP, TOP_KEEP_OF, MOST_ADDRESSES);
}

static void order_code(struct top_tui *t)
{
	if (!t->run->top.o.zero)
		annotate_finish(t->counts);
}

static void refresh(void *ctx)
{
	struct top_tui *t = ctx;

	if (t->frozen)
		return;
	t->frozen = t->off || t->run->live.ended;
	fade_code(t);
	if (!t->run->live.ended || t->run->top.now.n)	/* else the last rows stay */
		top_turn(&t->run->top);
	t->title = top_next_title(t->run);
}

/* While code is shown the rows wait. */
static void refresh_code(void *ctx)
{
	struct top_tui *t = ctx;

	if (t->frozen)
		return;
	t->frozen = t->off || t->run->live.ended;
	order_code(t);
	fade_code(t);
}

static void add_title(void *ctx, struct str *out)
{
	const struct top_tui *t = ctx;
	const struct top_title *s = &t->title;

	str_addf(out, " lost: %llu/%llu drop: 0/0", (unsigned long long)s->lost_now,
		 (unsigned long long)s->lost);
	if (t->run->top.o.zero)
		str_add(out, " [z]");
	if (s->throttled)
		str_addf(out, " throttled: %llu", (unsigned long long)s->throttled);
	str_addf(out, " own CPU: %.1f%%", s->own_pct);
}

static void toggle(bool *what, struct str *said, const char *on, const char *off)
{
	*what = !*what;
	str_add(said, *what ? on : off);
}

void top_tui_say(struct top_tui *t, const char *text)
{
	str_reset(&t->notice);
	str_add_safe(&t->notice, text);
	t->o.part = str_cstr(&t->notice);
}

static void toggle_events(struct top_tui *t)
{
	struct event_list *l = &t->run->c->list;

	t->off = !t->off;
	t->frozen = false;
	if (t->off)
		event_list_disable(l);
	else
		event_list_enable(l);
	top_tui_say(t, t->off ? "Press 'f' again to re-enable the events" :
		     "Press 'f' to disable the events or 'h' to see other hotkeys");
}

static bool key(void *ctx, u32 code, struct str *said)
{
	struct top_tui *t = ctx;
	struct top_opts *o = &t->run->top.o;

	switch (code) {
	case 'z': toggle(&o->zero, said, "each refresh begins anew", "samples fade"); break;
	case 'K': toggle(&o->hide_kernel, said, "samples of the kernel are left out from now on",
			 "samples of the kernel count"); break;
	case 'U': toggle(&o->hide_user, said, "samples of programs are left out from now on",
			 "samples of programs count"); break;
	case 'f':
		if (t->run->live.ended)
			return false;
		toggle_events(t);
		break;
	default: return false;
	}
	return true;
}

static bool annotate(void *ctx, struct screen *s, const struct hist_sym *sym,
		     const struct event *e, struct str *said)
{
	struct top_tui *t = ctx;

	order_code(t);
	return browser_annotate(&t->code, s, sym, e, said);
}

/* ---- the flame view ---- */

struct stacks_view {
	struct top_tui *t;
	void (*again)(void *again_ctx);
	void *again_ctx;
	struct flame_tree tree;
};

static struct flame_tree *stacks_again(void *ctx)
{
	struct stacks_view *v = ctx;

	v->again(v->again_ctx);
	flame_tree_release(&v->tree);
	flame_of_hist(v->t->run->hist, &v->tree);
	return &v->tree;
}

static bool flame(void *ctx, struct screen *s, const struct event *e,
		  void (*again)(void *again_ctx), void *again_ctx, struct str *said)
{
	struct stacks_view v = { .t = ctx, .again = again, .again_ctx = again_ctx };
	const struct top_cmd *c = v.t->run->c;
	struct flame_tui_opts o = { .tree = &v.tree, .events = &c->list, .event = e,
				    .again = stacks_again, .again_ctx = &v };
	bool quit = false;

	if (c->sampling.record.stacks.callgraph == RECORD_CHAIN_NONE ||
	    c->look.chain.mode == CHAIN_NONE) {
		str_add(said, "no call chains are sampled: start perf top with -g");
		return false;
	}
	flame_of_hist(v.t->run->hist, &v.tree);
	if (v.tree.n_samples)
		quit = flame_tui(s, &o);
	else
		str_add(said, "there are no call chains yet");
	flame_tree_release(&v.tree);
	return quit;
}

/* ---- life ---- */

static void set_opts(struct top_tui *t)
{
	struct top_cmd_run *r = t->run;
	struct top_cmd *c = r->c;

	t->code.opts = &c->code;
	t->code.arch = machine_arch(stream_machine(r->live.stream));
	t->code.o = (struct annotate_tui_opts){
		.counts = t->counts, .events = &c->list, .group = true,
		.listing.inlines = !c->stream.no_inline,
		.refresh = refresh_code, .refresh_ctx = t,
	};
	t->o = (struct report_tui_opts){
		.hist = r->hist, .keys = &r->keys, .events = &c->list, .view = top_view(&c->look),
		.widths = c->look.widths.v, .n_widths = c->look.widths.n,
		.group = true, .relative = c->rows.relative,
		.tip = "For a higher level overview, try: perf top --sort comm,dso",
		.calls = { .ctx = t, .print = browser_print, .annotate = annotate,
			   .flame = flame },
		.live = { t, refresh, add_title, key, help },
	};
}

struct top_tui *top_tui_begin(struct top_cmd_run *r)
{
	struct top_tui *t;

	if (r->c->stdio || r->c->look.code_of || !browser_wanted(&r->c->browser, false))
		return NULL;
	t = xnew(struct top_tui);
	if (!browser_open(&t->browser, &r->c->browser, r->c->common.quiet)) {
		free(t);
		return NULL;
	}
	t->run = r;
	t->counts = annotate_new(NULL);
	set_opts(t);
	return t;
}

struct sink *top_tui_sink(struct top_tui *t) { return annotate_sink(t->counts); }

void top_tui_tick(struct top_tui *t) { t->due = true; }

/* A refresh that took long makes the next one come later, so that nothing is lost. */
static u32 meanwhile(void *ctx)
{
	struct top_tui *t = ctx;
	struct live_session *s = &t->run->live;
	const bool ended = s->ended;

	if (t->began_ns)
		s->o.tick_ns = top_refresh_ns(t->run, os_now_ns() - t->began_ns);
	t->began_ns = 0;
	if (!live_session_pass(s, &t->ret, t->err) && (!s->ended || s->waiter.signal || t->ret))
		return KEY_CLOSED;
	if (s->ended && !ended) {
		top_tui_say(t, "all who were watched have ended: this is the last of them");
		t->due = true;
	}
	if (!t->due)
		return 0;
	t->due = false;
	t->began_ns = os_now_ns();
	return KEY_TIMEOUT;
}

int top_tui_drive(void *ctx, struct err *err)
{
	struct top_tui *t = ((struct top_cmd_run *)ctx)->tui;

	t->err = err;
	t->browser.screen->meanwhile = meanwhile;
	t->browser.screen->meanwhile_ctx = t;
	refresh(t);
	report_tui(t->browser.screen, &t->o);
	return t->ret;
}

void top_tui_end(struct top_tui *t)
{
	if (!t)
		return;
	browser_close(&t->browser);
	annotate_free(t->counts);
	browser_code_release(&t->code);
	str_release(&t->notice);
	free(t);
}
