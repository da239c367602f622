// SPDX-License-Identifier: GPL-2.0-or-later
// perf report on a terminal: the browser, or why it is the text.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin-report.h"
#include "util/base/outfile.h"
#include "util/cli/error.h"
#include "util/cli/progress.h"
#include "util/view/report-text.h"
#include "util/view/tui/annotate.h"
#include "util/view/tui/dialog.h"
#include "util/view/tui/report.h"

/* What is asked for is a text, whoever reads it. */
static bool is_text(const struct report_opts *o)
{
	const struct report_file_opts *f = &o->file;

	return o->stdio || o->gtk || o->look.json || o->look.sep || f->header || f->header_only ||
		f->stats || f->tasks || f->dump || o->look.color != CLI_COLOR_AUTO;
}

bool report_wants_browser(const struct report_opts *o, bool once)
{
	if (is_text(o))
		return false;
	if (once) {		/* keys and recording would come from the same place */
		if (o->tui)
			cli_warn("the recording comes from standard input, so there are no keys "
				 "for a browser; this is the text");
		return false;
	}
	return o->tui || (o->browser && isatty(STDIN_FILENO) &&
			  isatty(STDOUT_FILENO));
}

struct report_tui {
	struct screen *screen;
	struct sink *sink;		/* of the hist */
	struct annotate *counts;
	struct disasm *disasm;		/* when code is asked for */
	struct source_files sources;
	bool enough;			/* the user has waited long enough */
	double share;			/* that was read then */
};

struct browsing { struct report_tui *tui; const struct report_tui_in *in; };

/* ---- what the browser asks for ---- */

static void add_header(void *ctx, struct str *out)
{
	const struct report_tui_in *in = ((struct browsing *)ctx)->in;

	data_print_header(in->session->source->reader, in->o->file.show_info, out);
}

/* The first of perf.hist.0, perf.hist.1 ... that is not there yet. */
static void print(void *ctx, const struct str *text, struct str *said)
{
	const struct outfile_opts how = { .how = OUTFILE_WHOLE, .mode = 0666 };
	struct err err = ERR_INIT;
	char name[32];
	unsigned n = 0;

	(void)ctx;
	do
		snprintf(name, sizeof(name), "perf.hist.%u", n);
	while (!access(name, F_OK) && ++n < 8192);
	if (outfile_write(name, &how, str_cstr(text), text->len, &err))
		str_add(said, err.msg);
	else
		str_addf(said, "%s written!", name);
	err_release(&err);
}

static bool annotate(void *ctx, struct screen *s, const struct hist_sym *sym,
		     const struct event *e, struct str *said)
{
	const struct browsing *b = ctx;
	struct report_tui *t = b->tui;
	const struct annotate_symbol *counted = sym->sym ? annotate_find(t->counts, sym->sym) :
		NULL;
	struct machine *machine = stream_machine(b->in->session->stream);
	const struct disasm_opts d = { .arch = machine_arch(machine) };
	struct annotate_tui_opts o = {
		.counts = t->counts, .events = b->in->session->source->events, .event = e,
		.group = b->in->o->look.group && e->n_members > 1, .look.source = true,
		.listing = { .source = true, .inlines = !b->in->o->stream.no_inline,
			     .files = &t->sources },
	};
	struct err err = ERR_INIT;

	if (!counted) {
		str_addf(said, "no sample was taken in '%s' itself", sym->name);
		return false;
	}
	if (!t->disasm)
		t->disasm = disasm_new(&d, &err);
	if (!t->disasm) {
		str_add(said, err.msg);
		err_release(&err);
		return false;
	}
	o.listing.disasm = t->disasm;
	return annotate_tui(s, &o, counted, said) == ANNOTATE_TUI_QUIT;
}

/* ---- while the recording is read ---- */

static bool pressed_stop(struct screen *s)
{
	for (;;) {
		switch (screen_key(s, 0).code) {
		case KEY_CTRL('c'): case KEY_CLOSED: case 'q': return true;
		case KEY_TIMEOUT: return false;
		default: break;
		}
	}
}

static void show_progress(void *ctx, const char *what, u64 done, u64 all)
{
	struct report_tui *t = ctx;
	const double share = all ? (double)MIN(done, all) / (double)all : -1;
	struct str text = STR_INIT;

	t->enough = t->enough || pressed_stop(t->screen);
	/* before that there is nothing to look at */
	if (t->enough && done && !strcmp(what, STREAM_PROGRESS)) {
		t->sink->stop = annotate_sink(t->counts)->stop = true;
		t->share = share;
	}
	if (all)
		str_addf(&text, "%.0f%%, %.1f of %.1f MB", share * 100, (double)done / 1e6,
			 (double)all / 1e6);
	else
		str_addf(&text, "%.1f MB", (double)done / 1e6);
	str_add(&text, t->enough ? "   to be shown in a moment" :
		"   Ctrl-C: look at what is there");
	dialog_bar(t->screen, what, share, str_cstr(&text));
	str_release(&text);
}

struct report_tui *report_tui_begin(const struct report_opts *o, struct sink *sink)
{
	struct err err = ERR_INIT;
	const char *no_color = getenv("NO_COLOR");
	struct screen_opts so = { .mono = no_color && *no_color };
	struct screen *s;
	struct report_tui *t;

	memcpy(so.colors, o->colors, sizeof(so.colors));
	s = screen_open(&so, &err);
	if (!s) {
		if (!o->common.quiet)
			cli_warn("no browser: %s; this is the text", err.msg);
		err_release(&err);
		return NULL;
	}
	t = xnew(struct report_tui);
	t->screen = s;
	t->sink = sink;
	t->counts = annotate_new(NULL);
	cli_progress_draw(show_progress, t);
	return t;
}

struct sink *report_tui_sink(struct report_tui *t) { return annotate_sink(t->counts); }

void report_tui_end(struct report_tui *t)
{
	if (!t)
		return;
	cli_progress_off();
	screen_free(t->screen);
	annotate_free(t->counts);
	disasm_free(t->disasm);
	source_files_release(&t->sources);
	free(t);
}

void report_tui_show(struct report_tui *tui, const struct report_tui_in *in)
{
	const struct report_opts *o = in->o;
	const struct event_list *events = in->session->source->events;
	struct browsing b = { tui, in };
	struct str part = STR_INIT;
	struct report_tui_opts t = {
		.hist = in->hist, .keys = in->keys, .events = events,
		.view = { .chain = o->look.chain, .min_pct = o->look.min_pct },
		.widths = o->look.widths.v, .n_widths = o->look.widths.n,
		.group = o->look.group, .relative = o->rows.relative,
		.tip = report_tip(in->hist, events),
		.calls = { .ctx = &b, .header = add_header, .print = print, .annotate = annotate },
	};

	cli_progress_off();
	annotate_finish(tui->counts);
	if (tui->sink->stop) {
		str_add(&part, "Ctrl-C: this is of a part of the recording");
		if (tui->share > 0)
			str_addf(&part, " (%.0f%%)", tui->share * 100);
		t.part = str_cstr(&part);
	}
	report_tui(tui->screen, &t);
	str_release(&part);
}
