// SPDX-License-Identifier: GPL-2.0-or-later
// The browser of perf report: its keys.
#include "util/view/tui/report.h"

#include "util/base/num.h"
#include "util/view/event-title.h"
#include "util/view/report-text.h"
#include "util/view/tui/dialog.h"
#include "util/view/tui/report-priv.h"

static const char help_text[] =
	"h/?/F1        Show this window\n"
	"UP/DOWN/PGUP\n"
	"PGDN/SPACE    Navigate\n"
	"q/ESC/CTRL+C  Exit browser or go back to previous screen\n"
	"\n"
	"For multiple event sessions:\n"
	"\n"
	"TAB/UNTAB     Switch events\n"
	"\n"
	"For symbolic views (--sort has sym):\n"
	"\n"
	"ENTER         Zoom into DSO/Threads & Annotate current symbol\n"
	"ESC           Zoom out\n"
	"+             Expand/Collapse one callchain level\n"
	"a             Annotate current symbol\n"
	"C             Collapse all callchains\n"
	"c             Collapse the entry's callchains\n"
	"d             Zoom into current DSO\n"
	"e             Expand/Collapse main entry callchains\n"
	"E             Expand all callchains\n"
	"F             Toggle percentage of filtered entries\n"
	"H             Display column headers\n"
	"k             Zoom into the kernel map\n"
	"L             Change percent limit\n"
	"m             Display context menu\n"
	"n/N           Find a text, in callchains too: next, previous\n"
	"S             Zoom into current Processor Socket\n"
	"i             Show header information\n"
	"P             Print histograms to perf.hist.N\n"
	"t             Zoom into current Thread\n"
	"V             Verbose (DSO names in callchains, etc)\n"
	"/             Filter symbol by name\n"
	"0-9           Sort by event n in group\n"
	"</>           Move the columns\n";

/* ---- drawing ---- */

static void add_title(const struct report_browser *b, struct str *out)
{
	const struct report_tui_opts *o = b->o;

	event_title_samples(out, &(struct event_samples){ o->events, b->event,
			    .group = b->view.group, .rate = o->live.refresh != NULL,
			    .n = b->total.n, .period = b->total.period });
	for vec_each(z, &b->zooms) {
		str_add(out, ", ");
		str_add_safe(out, z->label);
	}
	if (o->live.title)
		o->live.title(o->live.ctx, out);
}

static void draw(struct report_browser *b)
{
	struct str title = STR_INIT, help = STR_INIT;
	struct line heads = { 0 };
	struct list_frame f = { 0 };

	add_title(b, &title);
	report_heads(b, &heads);
	if (b->said.len)
		str_add_safe(&help, str_cstr(&b->said));
	else if (b->o->part)
		str_add(&help, b->o->part);
	else if (b->o->tip)
		str_addf(&help, "Tip: %s", b->o->tip);
	else
		str_add(&help, "Press '?' for help on key bindings");
	f.title = str_cstr(&title);
	f.heads = b->heads ? &heads : NULL;
	f.help = str_cstr(&help);
	list_draw(&b->list, &f);
	line_release(&heads);
	str_release(&title);
	str_release(&help);
}

static void backdrop(void *ctx) { draw(ctx); }

/* ---- opening and closing ---- */

static struct row_state *here(struct report_browser *b)
{
	struct row_state *s;

	if (!b->signs || !b->shown.n)
		return NULL;
	s = report_row_state(b, b->list.cursor.row);
	return s->lines.v.n ? s : NULL;
}

static void toggle_level(struct report_browser *b)
{
	struct row_state *s = here(b);
	const u32 sub = b->list.cursor.sub;

	if (!s)
		return;
	if (!sub)
		s->open = !s->open;
	else if (s->lines.v.v[sub - 1].sign != ' ')
		tree_lines_set(&s->lines, sub - 1, s->lines.v.v[sub - 1].sign == '+');
	list_row_changed(&b->list);
}

/* The row with all its branches. */
static void set_row(struct report_browser *b, bool open)
{
	struct row_state *s = here(b);

	if (!s)
		return;
	s->open = open;
	tree_lines_set_all(&s->lines, open);
	if (!open)
		b->list.cursor.sub = 0;
	list_row_changed(&b->list);
}

static void toggle_row(struct report_browser *b)
{
	const struct row_state *s = here(b);

	if (s)
		set_row(b, !s->open);
}

static void set_all(struct report_browser *b, bool open)
{
	report_forget_states(b);
	b->all_open = open;
	b->list.cursor.sub = 0;
	list_row_changed(&b->list);
}

/* ---- other keys ---- */

static void set_view(struct report_browser *b)
{
	report_rows_end(b);
	report_rows_begin(b);
	list_go(&b->list, (struct list_pos){ 0 });
}

static void sort_by(struct report_browser *b, unsigned member)
{
	if (!b->view.group) {
		str_add(&b->said, "rows are sorted by an event of a group, and this is none");
	} else if (member >= (unsigned)b->event->n_members) {
		str_addf(&b->said, "the group has %u events: 0 to %u", b->event->n_members,
			 b->event->n_members - 1);
	} else {
		b->sort_by = member;
		report_choose_rows(b);
		list_go(&b->list, (struct list_pos){ 0 });
	}
}

static void ask_limit(struct report_browser *b)
{
	struct str value = STR_INIT;
	double pct;
	char *end;

	if (dialog_input(b->screen, "Percent Limit",
			 "Please enter the value you want to hide entries under that percent.",
			 &value)) {
		pct = strtod(str_cstr(&value), &end);
		if (end == str_cstr(&value) || *end || !(pct >= 0 && pct <= 100)) {
			str_addf(&b->said, "not a percentage: '%s'", str_cstr(&value));
		} else {
			b->view.min_pct = b->view.chain.min_pct = pct;
			set_view(b);
		}
	}
	str_release(&value);
}

static void ask_filter(struct report_browser *b)
{
	struct str value = STR_INIT;

	if (dialog_input(b->screen, "Symbol to show",
			 "Please enter the name of symbol you want to see.\n"
			 "To remove the filter later, press / + ENTER.", &value))
		report_zoom_text(b, str_cstr(&value));
	str_release(&value);
}

static void toggle_percent(struct report_browser *b)
{
	b->relative = !b->relative;
	report_forget_states(b);
	report_choose_rows(b);
	str_add(&b->said, b->relative ? "percentages are of what is shown" :
		"percentages are of all samples");
}

static void show_header(struct report_browser *b)
{
	struct str text = STR_INIT;

	if (b->o->calls.header)
		b->o->calls.header(b->o->calls.ctx, &text);
	dialog_text(b->screen, "Header information", str_cstr(&text));
	str_release(&text);
}

static void print(struct report_browser *b)
{
	struct str text = STR_INIT;

	if (!b->o->calls.print)
		return;
	report_print(b, &text);
	b->o->calls.print(b->o->calls.ctx, &text, &b->said);
	str_release(&text);
}

static enum report_next leave(struct report_browser *b, bool ask)
{
	if (report_zoom_out(b))
		return REPORT_STAY;
	if (b->many)
		return REPORT_TO_EVENTS;
	return ask && dialog_confirm(b->screen, "Do you really want to exit?") ? REPORT_QUIT :
		REPORT_STAY;
}

static enum report_next annotate(struct report_browser *b)
{
	const struct hist_sym *sym = report_symbol_here(b);

	if (!b->o->calls.annotate)
		return REPORT_STAY;
	if (sym && sym->name)
		return b->o->calls.annotate(b->o->calls.ctx, b->screen, sym, b->event, &b->said) ?
			REPORT_QUIT : REPORT_STAY;
	str_add(&b->said, "no function is named here");
	return REPORT_STAY;
}

static void show_help(struct report_browser *b)
{
	struct str text = STR_INIT;

	str_add(&text, help_text);
	str_add(&text, b->o->live.help ? b->o->live.help :
		"f             Find another text\n"
		"l             Show the call stacks as an icicle (flame graph)\n"
		"s             Switch to another data file in PWD\n");
	dialog_text(b->screen, "Help", str_cstr(&text));
	str_release(&text);
}

static void rows_again(void *ctx) { report_rows_again(ctx); }

static enum report_next flame(struct report_browser *b)
{
	const struct report_tui_calls *c = &b->o->calls;

	return c->flame && c->flame(c->ctx, b->screen, b->event, rows_again, b, &b->said) ?
		REPORT_QUIT : REPORT_STAY;
}

static enum report_next other(struct report_browser *b)
{
	const struct report_tui_calls *c = &b->o->calls;

	return c->other && c->other(c->ctx, b->screen, &b->said) ? REPORT_QUIT : REPORT_STAY;
}

static enum report_next key(struct report_browser *b, u32 code)
{
	if (b->o->live.key && b->o->live.key(b->o->live.ctx, code, &b->said))
		return REPORT_STAY;
	switch (code) {
	case 'q': case KEY_CTRL('c'): case KEY_CLOSED: return REPORT_QUIT;
	case KEY_ESC: return leave(b, true);
	case KEY_LEFT: return leave(b, false);
	case KEY_TAB: return REPORT_NEXT_EVENT;
	case KEY_BACK_TAB: return REPORT_PREVIOUS_EVENT;
	case KEY_CTRL('z'): screen_suspend(b->screen); break;
	case '+': toggle_level(b); break;
	case 'e': toggle_row(b); break;
	case 'c': set_row(b, false); break;
	case 'E': set_all(b, true); break;
	case 'C': set_all(b, false); break;
	case 'd': case 't': case 'k': case 'S': report_zoom(b, (char)code); break;
	case 'F': toggle_percent(b); break;
	case 'H': b->heads = !b->heads; break;
	case 'L': ask_limit(b); break;
	case '0' ... '9': sort_by(b, code - '0'); break;
	case 'V': b->verbose = !b->verbose; break;
	case 'P': print(b); break;
	case 'i': show_header(b); break;
	case '/': ask_filter(b); break;
	case 'h': case '?': case KEY_F1: show_help(b); break;
	case 'n': report_find(b, false, false); break;
	case 'N': report_find(b, true, false); break;
	case 'f': report_find(b, false, true); break;
	case 'a': return annotate(b);
	case 'l': return flame(b);
	case 's': return other(b);
	case KEY_CLICK: toggle_level(b); break;
	default: break;
	}
	return REPORT_STAY;
}

static bool opens_menu(u32 code) { return code == KEY_ENTER || code == KEY_RIGHT || code == 'm'; }

enum report_next report_browse_event(struct screen *s, const struct report_tui_opts *o,
				     const struct event *e, bool many)
{
	struct report_browser b = { .screen = s, .o = o, .event = e, .view = o->view,
				    .relative = o->relative, .heads = true, .many = many };
	enum report_next next = REPORT_STAY;

	b.view.group = o->group && e->n_members > 1;
	report_rows_begin(&b);
	list_init(&b.list, s, &report_lines, &b);
	while (next == REPORT_STAY) {
		struct screen_key k;

		s->backdrop = backdrop;
		s->backdrop_ctx = &b;
		draw(&b);
		k = screen_key(s, -1);
		if (k.code == KEY_TIMEOUT) {
			if (o->live.refresh)
				report_rows_again(&b);
			continue;
		}
		str_reset(&b.said);
		if (!list_key(&b.list, &k))
			next = key(&b, opens_menu(k.code) ? (u32)report_menu(&b) : k.code);
	}
	s->backdrop = NULL;
	report_rows_end(&b);
	report_zooms_release(&b);
	str_release(&b.find);
	str_release(&b.said);
	return next;
}

