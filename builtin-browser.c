// SPDX-License-Identifier: GPL-2.0-or-later
// What commands with a browser have in common.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin-browser.h"
#include "util/base/num.h"
#include "util/base/outfile.h"
#include "util/cli/error.h"
#include "util/cli/progress.h"
#include "util/stream/stream.h"
#include "util/view/tui/dialog.h"

#define B struct browser_opts
static const struct option_def color_settings[] = {
	OPT_SETTING_FIELD("colors.top", OPT_KIND_STRING, B, colors[COLOR_TOP], "fg, bg"),
	OPT_SETTING_FIELD("colors.medium", OPT_KIND_STRING, B, colors[COLOR_MEDIUM], "fg, bg"),
	OPT_SETTING_FIELD("colors.normal", OPT_KIND_STRING, B, colors[COLOR_NORMAL], "fg, bg"),
	OPT_SETTING_FIELD("colors.selected", OPT_KIND_STRING, B, colors[COLOR_SELECTED], "fg, bg"),
	OPT_SETTING_FIELD("colors.jump-arrows", OPT_KIND_STRING, B, colors[COLOR_JUMP_ARROWS],
			  "fg, bg"),
	OPT_SETTING_FIELD("colors.addr", OPT_KIND_STRING, B, colors[COLOR_ADDR], "fg, bg"),
	OPT_SETTING_FIELD("colors.root", OPT_KIND_STRING, B, colors[COLOR_ROOT], "fg, bg"),
	OPT_END
};
#undef B

struct option_table browser_settings(struct browser_opts *o)
{
	return (struct option_table){ color_settings, o };
}

bool browser_wanted(const struct browser_opts *o, bool once)
{
	if (!once)
		return o->asked || (o->by_default && isatty(STDIN_FILENO) &&
				    isatty(STDOUT_FILENO));
	if (o->asked)
		cli_warn("the recording comes from standard input, so there are no keys for a "
			 "browser; this is the text");
	return false;
}

bool browser_open(struct browser *b, const struct browser_opts *o, bool quiet)
{
	struct err err = ERR_INIT;
	const char *no_color = getenv("NO_COLOR");
	struct screen_opts so = { .mono = no_color && *no_color };

	memcpy(so.colors, o->colors, sizeof(so.colors));
	b->screen = screen_open(&so, &err);
	if (!b->screen && !quiet)
		cli_warn("no browser: %s; this is the text", err.msg);
	err_release(&err);
	return b->screen;
}

/* ---- while the recording is read ---- */

static void count_samples(struct sink *s, const struct sink_item *items UNUSED, size_t n)
{
	__atomic_fetch_add(&((struct browser *)s->ctx)->n_samples, n, __ATOMIC_RELAXED);
}

static struct sink *counter_clone(struct sink *s)
{
	struct sink *clone = xnew(struct sink);

	*clone = *s;
	return clone;
}

static void counter_merge(struct sink *s UNUSED, struct sink *from) { free(from); }

struct sink *browser_counter(struct browser *b)
{
	b->counter = (struct sink){ .ctx = b, .samples = count_samples, .clone = counter_clone,
				    .merge = counter_merge };
	return &b->counter;
}

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
	struct browser *b = ctx;
	const double share = all ? (double)MIN(done, all) / (double)all : -1;
	const u64 n = __atomic_load_n(&b->n_samples, __ATOMIC_RELAXED);
	struct str text = STR_INIT, title = STR_INIT;

	b->enough = b->enough || pressed_stop(b->screen);
	/* before that there is nothing to look at */
	if (b->enough && done && !strcmp(what, STREAM_PROGRESS)) {
		for (size_t i = 0; i < ARRAY_SIZE(b->sinks) && b->sinks[i]; i++)
			b->sinks[i]->stop = true;
		b->counter.stop = true;
		b->share = share;
	}
	if (all)
		str_addf(&text, "%.0f%%, %.1f of %.1f MB", share * 100, (double)done / 1e6,
			 (double)all / 1e6);
	else
		str_addf(&text, "%.1f MB", (double)done / 1e6);
	str_add(&text, b->enough ? "   to be shown in a moment" :
		"   Ctrl-C: look at what is there");
	str_add(&title, what);
	if (n) {
		str_add(&title, ": ");
		str_add_grouped(&title, n);
		str_add(&title, " samples");
	}
	dialog_bar(b->screen, str_cstr(&title), share, str_cstr(&text));
	str_release(&title);
	str_release(&text);
}

void browser_loading(struct browser *b) { cli_progress_draw(show_progress, b); }
void browser_loaded(struct browser *b UNUSED) { cli_progress_off(); }

void browser_part_text(const struct browser *b, struct str *out)
{
	if (!b->sinks[0] || !b->sinks[0]->stop)
		return;
	str_add(out, "Ctrl-C: this is of a part of the recording");
	if (b->share > 0)
		str_addf(out, " (%.0f%%)", b->share * 100);
}

void browser_close(struct browser *b)
{
	if (!b->screen)
		return;
	cli_progress_off();
	screen_free(b->screen);
	b->screen = NULL;
}

/* ---- what is written ---- */

/* Of a symbol, which may be called anything: no other directory, no control characters, and not
 * longer than names of files can be. */
static void add_file_name(struct str *out, const char *symbol)
{
	enum { LONGEST = 200 };

	for (const char *p = symbol; *p && out->len < LONGEST; p++)
		str_addch(out, *p == '/' || (u8)*p < 0x20 || *p == 0x7f ? '_' : *p);
	str_add(out, ".annotation");
}

void browser_print_annotation(const char *symbol, const struct str *text, struct str *said)
{
	const struct outfile_opts how = { .how = OUTFILE_WHOLE, .mode = 0666 };
	struct str name = STR_INIT;
	struct err err = ERR_INIT;

	add_file_name(&name, symbol);
	if (outfile_write(str_cstr(&name), &how, str_cstr(text), text->len, &err)) {
		str_add(said, err.msg);
	} else {
		str_add_safe(said, str_cstr(&name));
		str_add(said, " written!");
	}
	err_release(&err);
	str_release(&name);
}

/* ---- what browsers of rows do ---- */

void browser_print(void *ctx UNUSED, const struct str *text, struct str *said)
{
	const struct outfile_opts how = { .how = OUTFILE_WHOLE, .mode = 0666 };
	struct err err = ERR_INIT;
	char name[32];
	unsigned n = 0;

	do
		snprintf(name, sizeof(name), "perf.hist.%u", n);
	while (!access(name, F_OK) && ++n < 8192);
	if (outfile_write(name, &how, str_cstr(text), text->len, &err))
		str_add(said, err.msg);
	else
		str_addf(said, "%s written!", name);
	err_release(&err);
}

int browser_code_check(const struct cli_cmd *cmd, const struct code_opts *o)
{
	const struct disasm_opts d = { .objdump = o->objdump, .style = o->style };
	struct err err = ERR_INIT;
	struct disasm *x;
	int status = 0;

	if (o->prefix_strip && !o->prefix)
		return cli_usage_error_opt(cmd, "prefix,prefix-strip", "--prefix-strip is about "
								       "--prefix, which is not "
								       "given");
	x = disasm_new(&d, &err);
	if (!x)
		status = cli_error(&err);
	disasm_free(x);
	err_release(&err);
	return status;
}

struct annotate_look browser_code_look(const struct code_opts *o)
{
	return (struct annotate_look){ .source = o->source, .raw = o->raw, .plain = o->plain,
				       .no_arrows = o->no_arrows, .jumps = o->jumps,
				       .line_numbers = o->line_numbers };
}

struct source_files browser_code_files(const struct code_opts *o)
{
	return (struct source_files){ .prefix = o->prefix,
				      .prefix_strip = (unsigned)o->prefix_strip };
}

/* What is made when code is first asked for. */
static bool open_code(struct browser_code *c, struct str *said)
{
	const struct disasm_opts d = { .arch = c->arch, .objdump = c->opts->objdump,
				       .style = c->opts->style };
	struct err err = ERR_INIT;

	if (c->disasm)
		return true;
	c->disasm = disasm_new(&d, &err);
	if (!c->disasm)
		str_add(said, err.msg);
	else
		c->sources = browser_code_files(c->opts);
	c->types = access_finder_new(c->arch, NULL);
	err_release(&err);
	return c->disasm;
}

bool browser_annotate(struct browser_code *c, struct screen *s, const struct hist_sym *sym,
		      const struct event *e, struct str *said)
{
	const struct annotate_symbol *counted = sym->sym ? annotate_find(c->o.counts, sym->sym) :
		NULL;
	struct annotate_tui_opts o = c->o;

	if (!counted) {
		str_addf(said, "no sample was taken in '%s' itself", sym->name);
		return false;
	}
	if (!open_code(c, said))
		return false;
	o.event = e;
	o.group = c->o.group && e->n_members > 1;
	o.look = browser_code_look(c->opts);
	o.percent = c->opts->percent;
	o.types = c->types;
	o.print = browser_print_annotation;
	o.listing.disasm = c->disasm;
	o.listing.source = true;	/* a key shows what the look hides */
	o.listing.files = &c->sources;
	return annotate_tui(s, &o, counted, said) == ANNOTATE_TUI_QUIT;
}

void browser_code_release(struct browser_code *c)
{
	disasm_free(c->disasm);
	access_finder_free(c->types);
	source_files_release(&c->sources);
}
