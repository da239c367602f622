// SPDX-License-Identifier: GPL-2.0-or-later
// perf report on a terminal: the browser, or why it is the text.
#include <stdlib.h>

#include "builtin-report.h"
#include "util/view/report-text.h"
#include "util/view/tui/dialog.h"
#include "util/view/tui/report.h"

struct report_tui {
	struct browser browser;
	struct annotate *counts;
	struct browser_code code;
	struct report_flame *flame;		/* when it is asked for */
	char *next;			/* the recording that is to be shown instead, or NULL */
};

struct browsing {
	struct report_tui *tui;
	const struct report_tui_in *in;
	struct browser_script script;
};

/* ---- what the browser asks for ---- */

static void add_header(void *ctx, struct str *out)
{
	const struct report_tui_in *in = ((struct browsing *)ctx)->in;

	data_print_header(in->session->source->reader, in->o->file.show_info, out);
}

static bool annotate(void *ctx, struct screen *s, const struct hist_sym *sym,
		     const struct event *e, struct str *said)
{
	return browser_annotate(&((struct browsing *)ctx)->tui->code, s, sym, e, said);
}

static bool flame(void *ctx, struct screen *s, const struct event *e,
		  void (*again)(void *again_ctx) UNUSED, void *again_ctx UNUSED, struct str *said)
{
	const struct browsing *b = ctx;

	if (!b->tui->flame)
		b->tui->flame = report_flame_new(b->in->o, b->in->session);
	return report_flame_show(b->tui->flame, s, e, said);
}

static void script(void *ctx, struct screen *s, const char *const *options, struct str *said)
{
	browser_script(&((struct browsing *)ctx)->script, s, options, said);
}

static bool other(void *ctx, struct screen *s, struct str *said)
{
	struct report_tui *t = ((struct browsing *)ctx)->tui;
	struct data_names names = { 0 };
	int i = -1;

	data_find_recordings(".", &names);
	if (names.n)
		i = dialog_menu(s, "Recordings", (const char *const *)names.v, names.n);
	else
		str_add(said, "there is no recording in this directory");
	if (i >= 0)
		t->next = xstrdup(names.v[i]);
	for vec_each(name, &names)
		free(*name);
	vec_free(&names);
	return i >= 0;
}

char *report_tui_next(struct report_tui *t)
{
	char *next = t ? t->next : NULL;

	if (t)
		t->next = NULL;
	return next;
}

struct report_tui *report_tui_begin(const struct report_opts *o, struct sink *sink,
				    const struct session *s)
{
	struct report_tui *t = xnew(struct report_tui);
	const struct branch_counters counters = session_branch_counters(s);

	if (!browser_open(&t->browser, &o->browser, o->common.quiet)) {
		free(t);
		return NULL;
	}
	t->counts = annotate_new(NULL);
	if (event_list_has_branches(s->source->events))
		annotate_want_branches(t->counts, &counters);
	t->browser.sinks[0] = sink;
	t->browser.sinks[1] = annotate_sink(t->counts);
	browser_loading(&t->browser);
	return t;
}

size_t report_tui_sinks(struct report_tui *t, struct sink **out)
{
	if (!t)
		return 0;
	out[0] = annotate_sink(t->counts);
	out[1] = browser_counter(&t->browser);
	return 2;
}

void report_tui_end(struct report_tui *t)
{
	if (!t)
		return;
	browser_close(&t->browser);
	annotate_free(t->counts);
	browser_code_release(&t->code);
	report_flame_free(t->flame);
	free(t);
}

void report_tui_show(struct report_tui *tui, const struct report_tui_in *in)
{
	const struct report_opts *o = in->o;
	const struct event_list *events = in->session->source->events;
	struct browsing b = { tui, in, { o->input, o->force, &o->rows.filter, &o->stream.filter,
					 &o->stream.symbols } };
	struct str part = STR_INIT;
	struct report_tui_opts t = {
		.hist = in->hist, .keys = in->keys, .events = events,
		.view = { .chain = o->look.chain, .min_pct = o->look.min_pct,
			  .nested = o->look.nested },
		.widths = o->look.widths.v, .n_widths = o->look.widths.n,
		.group = o->look.group, .relative = o->rows.relative,
		.tip = report_tip(in->hist, events),
		.calls = { .ctx = &b, .header = add_header, .print = browser_print,
			   .annotate = annotate, .flame = flame, .script = script,
			   .other = other },
	};

	browser_loaded(&tui->browser);
	annotate_finish(tui->counts);
	tui->code.o = (struct annotate_tui_opts){
		.counts = tui->counts, .events = events, .group = o->look.group,
		.script = browser_script, .script_ctx = &b.script,
		.listing.inlines = !o->stream.no_inline,
	};
	tui->code.opts = &o->code;
	tui->code.arch = machine_arch(stream_machine(in->session->stream));
	browser_part_text(&tui->browser, &part);
	if (part.len)
		t.part = str_cstr(&part);
	report_tui(tui->browser.screen, &t);
	str_release(&part);
}
