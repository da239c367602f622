// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/tui/annotate.h"

#include "util/base/err.h"
#include "util/view/tui/dialog.h"
#include "util/view/tui/list.h"

static const char help_text[] =
	"UP/DOWN/PGUP\n"
	"PGDN/SPACE    Navigate\n"
	"q/ESC/CTRL+C  Exit, or go back\n"
	"\n"
	"ENTER         Go to the target of a jump\n"
	"j             Toggle the arrow from a jump to its target\n"
	"H             Go to the hottest instruction\n"
	"TAB/UNTAB     Go to the next hottest instruction, or back\n"
	"/ ?           Find a text, forwards or backwards\n"
	"n/N           Find it again: next, previous\n"
	"s             Toggle source code\n"
	"k             Toggle line numbers of source\n"
	"l             Toggle the full path of the source file\n"
	"o             Toggle the disassembler's output: addresses, operands\n"
	"f             In it: addresses of the file, or where it ran\n"
	"x             Toggle the bytes of instructions\n"
	"d             Names demangled, or as the linker has them\n"
	"O             Offsets of: targets of jumps, calls too, all\n"
	"T             Toggle the types of data of memory accesses\n"
	"J             Toggle how many jumps come to a target\n"
	"c             Toggle the least and the most cycles of branch stacks\n"
	"B             Which letters stand for which counters of branches\n"
	"t             Cycle through percentages, periods, samples\n"
	"p             Toggle percent type: local, global\n"
	"b             Toggle percent base: period, hits\n"
	"r             Show its samples as text (perf script)\n"
	"P             Print to SYMBOL.annotation\n"
	"</>           Go to the function before, or the next one, by what they used\n"
	"[/]           Move the columns\n";

struct code_browser {
	struct screen *screen;
	const struct annotate_tui_opts *o;
	struct listing *l;
	struct annotate_view v;
	struct annotate_members m;
	struct annotate_widths w;
	VEC(u32) shown;			/* lines of the listing */
	VEC(u32) hot;			/* instructions, hottest first */
	size_t at_hot;
	struct list list;
	struct jump { bool known, down; size_t first, last; } jump;	/* at the cursor: rows */
	bool source, place;		/* place: of the source line at the cursor */
	bool typed;			/* types were looked for */
	struct str find, said;
};

static const struct listing_line *line_at(const struct code_browser *b, size_t row)
{
	return &b->v.l->lines.v[b->shown.v[row]];
}

static double pct_of(const struct code_browser *b, u32 insn)
{
	double most = 0;

	for (size_t e = 0; e < b->v.counts.n; e++)
		most = MAX(most, listing_pct(&b->v.counts, e, insn));
	return most;
}

static size_t n_rows(void *ctx) { return ((struct code_browser *)ctx)->shown.n; }

/* Columns of the text before this one have the offset. */
static size_t jump_column(const struct code_browser *b)
{
	return 2 + (b->v.look.jumps ? b->w.jumps : 0) + b->w.address + 1;
}

/* The part of the arrow of a jump that is on the row; NULL: none is. */
static const char *jump_part(const struct code_browser *b, size_t row)
{
	static const char *const utf8[] = { "┌──", "└─→", "┌─→", "└──", "│" };
	static const char *const ascii[] = { "+--", "+->", "+->", "+--", "|" };
	const char *const *part = b->screen->utf8 ? utf8 : ascii;
	const struct jump *j = &b->jump;

	if (!j->known || row < j->first || row > j->last)
		return NULL;
	return part[row == j->first ? (j->down ? 0 : 2) : row == j->last ? (j->down ? 1 : 3) : 4];
}

/* Bytes that the first columns take. */
static size_t bytes_of(const char *s, size_t columns)
{
	size_t n = 0;

	while (s[n] && (columns || ((u8)s[n] & 0xc0) == 0x80))
		columns -= ((u8)s[n++] & 0xc0) != 0x80;
	return n;
}

/* The text from that column on (2 are blank), with the part of an arrow in it. */
static void add_code(const struct code_browser *b, size_t row, const char *text, struct line *out)
{
	const int from = b->v.counts.cycles ? 0 : 2;
	const char *part = jump_part(b, row);
	const size_t at = bytes_of(text, jump_column(b));

	if (!part || (text[at] && text[at] != ' ')) {
		line_add(out, COLOR_NORMAL, text + from);
		return;
	}
	line_addf(out, COLOR_NORMAL, "%.*s", (int)at - from, text + from);
	line_add(out, COLOR_JUMP_ARROWS, part);
	line_add(out, COLOR_NORMAL, text + at +
		 bytes_of(text + at, screen_text_width(part, strlen(part))));
}

static void draw_line(void *ctx, struct list_pos at, struct line *out)
{
	struct code_browser *b = ctx;
	const struct listing_line *line = line_at(b, at.row);
	const bool insn = line->kind == LISTING_INSN;
	struct str text = STR_INIT;

	annotate_numbers(&text, &b->v, line);
	line_add(out, insn ? screen_pct_color(pct_of(b, line->insn)) : COLOR_NORMAL,
		 str_cstr(&text) + 1);
	line_add(out, COLOR_JUMP_ARROWS, b->screen->utf8 ? " │" : " |");
	str_reset(&text);
	annotate_add_cycles(&text, &b->v, line, at.row == b->list.top.row);
	if (text.len)
		line_add(out, COLOR_NORMAL, str_cstr(&text) + 2);
	str_reset(&text);
	annotate_code_line(&text, &b->v, &b->w, line);
	for (size_t i = 0; i < text.len; i++)	/* before a type */
		if (text.buf[i] == '\t')
			text.buf[i] = ' ';
	add_code(b, at.row, str_cstr(&text), out);
	str_release(&text);
}

static const struct list_lines code_lines = { n_rows, NULL, draw_line };

/* ---- which lines ---- */

static void choose_lines(struct code_browser *b)
{
	vec_clear(&b->shown);
	for (size_t i = 0; i < b->v.l->lines.n; i++)
		if (b->source || b->v.l->lines.v[i].kind == LISTING_INSN)
			vec_push(&b->shown, (u32)i);
}

/* Of an instruction; SIZE_MAX: it is not shown. */
static size_t row_of(const struct code_browser *b, u32 insn)
{
	const u32 line = b->v.l->insns.v[insn].at_line;
	size_t low = 0, high = b->shown.n;

	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (b->shown.v[middle] < line)
			low = middle + 1;
		else
			high = middle;
	}
	return low < b->shown.n && b->shown.v[low] == line ? low : SIZE_MAX;
}

static void find_jump(struct code_browser *b)
{
	const size_t row = b->list.cursor.row;
	const struct listing_line *line = row < b->shown.n ? line_at(b, row) : NULL;
	const u32 target = line && line->kind == LISTING_INSN ?
		b->v.l->insns.v[line->insn].target : LISTING_NONE;
	const size_t to = target == LISTING_NONE ? SIZE_MAX : row_of(b, target);

	b->jump = (struct jump){ .known = to != SIZE_MAX && to != row && !b->v.look.no_arrows,
				 .down = to > row, .first = MIN(row, to), .last = MAX(row, to) };
}

static void go_to_insn(struct code_browser *b, u32 insn)
{
	const size_t row = insn < b->v.l->insns.n ? row_of(b, insn) : SIZE_MAX;

	if (row != SIZE_MAX)
		list_go(&b->list, (struct list_pos){ row, 0 });
}

static int cmp_hot(const void *pa, const void *pb, void *ctx)
{
	const u32 a = *(const u32 *)pa, c = *(const u32 *)pb;
	const double x = pct_of(ctx, a), y = pct_of(ctx, c);

	return x != y ? (x > y ? -1 : 1) : a < c ? -1 : a > c;
}

static void find_hot(struct code_browser *b)
{
	vec_clear(&b->hot);
	for (u32 i = 0; i < b->v.l->insns.n; i++)
		if (pct_of(b, i) > 0)
			vec_push(&b->hot, i);
	if (b->hot.n)
		qsort_r(b->hot.v, b->hot.n, sizeof(u32), cmp_hot, b);
}

/* step: to the next hottest one, or the one before it; 0: the hottest */
static void go_to_hot(struct code_browser *b, int step)
{
	const size_t n = b->hot.n;

	if (!n)
		return;
	b->at_hot = step ? (b->at_hot + (step > 0 ? 1 : n - 1)) % n : 0;
	go_to_insn(b, b->hot.v[b->at_hot]);
}

static void follow(struct code_browser *b)
{
	const struct listing_line *line = b->shown.n ? line_at(b, b->list.cursor.row) : NULL;
	const u32 target = line && line->kind == LISTING_INSN ?
		b->v.l->insns.v[line->insn].target : LISTING_NONE;

	if (target == LISTING_NONE)
		str_add(&b->said, "not a jump within this function");
	else
		go_to_insn(b, target);
}

static void find(struct code_browser *b, bool up, bool ask)
{
	const size_t n = b->shown.n;
	size_t row = b->list.cursor.row;

	if ((ask || !b->find.len) &&
	    (!dialog_input(b->screen, "Search", "String:", &b->find) || !b->find.len))
		return;
	for (size_t i = 0; i < n; i++) {
		struct str text = STR_INIT;
		bool has;

		row = up ? (row ? row : n) - 1 : row + 1 < n ? row + 1 : 0;
		annotate_code_line(&text, &b->v, &b->w, line_at(b, row));
		has = strstr(str_cstr(&text), str_cstr(&b->find));
		str_release(&text);
		if (has) {
			list_go(&b->list, (struct list_pos){ row, 0 });
			return;
		}
	}
	str_addf(&b->said, "not found: '%s'", str_cstr(&b->find));
}

static void toggle_source(struct code_browser *b)
{
	const u32 insn = b->shown.n ? line_at(b, b->list.cursor.row)->insn : 0;

	b->source = !b->source;
	choose_lines(b);
	go_to_insn(b, insn);
}

static void print(struct code_browser *b)
{
	struct annotate_view v = b->v;
	struct str text = STR_INIT;

	if (!b->o->print)
		return;
	v.look.source = b->source;
	annotate_stdio2(&text, &v);
	b->o->print(b->v.l->sym->name, &text, &b->said);
	str_release(&text);
}

/* Where the source of the line at the cursor is: that of a line of it, or of what comes before. */
static void say_place(struct code_browser *b, struct str *out)
{
	for (size_t i = b->shown.n ? b->shown.v[b->list.cursor.row] + 1 : 0; i-- > 0;) {
		const struct listing_line *line = &b->v.l->lines.v[i];

		if (line->kind != LISTING_SOURCE || !line->file)
			continue;
		str_add_safe(out, line->file);
		str_addf(out, ":%u", line->line);
		return;
	}
	str_add(out, "no source is known here");
}

static void next_numbers(struct annotate_look *l)
{
	const bool period = l->show_period, n = l->show_n;

	l->show_period = !period && !n;
	l->show_n = period;
}

static void find_types(struct code_browser *b)
{
	if (b->o->types && !b->typed)
		access_mark_types(b->o->types, b->l);
	b->typed = true;
}

static void toggle_types(struct code_browser *b)
{
	find_types(b);
	b->v.look.types = !b->v.look.types;
	if (!b->o->types)
		str_add(&b->said, "types of data need libcapstone, without which this perf was "
				  "built");
}

static void next_offsets(struct annotate_look *l)
{
	l->offsets = (l->offsets + 1) % N_ANNOTATE_OFFSETS;
}

/* ---- drawing, keys ---- */

static void draw(void *ctx)
{
	struct code_browser *b = ctx;
	struct str title = STR_INIT, help = STR_INIT;
	struct line place = { 0 };
	struct list_frame f = { .heads = &place };

	find_jump(b);
	annotate_samples_title(&title, &b->v);
	line_add_name(&place, COLOR_ROOT, annotate_name(&b->v, b->v.l->sym));
	line_add(&place, COLOR_ROOT, "  ");
	line_add_name(&place, COLOR_ROOT, b->v.path);
	line_addf(&place, COLOR_ROOT, " [%s: %s]", annotate_title(&b->v),
		  annotate_percent_text(b->v.counts.percent));
	f.title = str_cstr(&title);
	if (b->place && !b->said.len)
		say_place(b, &help);
	f.help = b->said.len ? str_cstr(&b->said) : help.len ? str_cstr(&help) :
		"Press 'h' for help on key bindings";
	list_draw(&b->list, &f);
	str_release(&help);
	line_release(&place);
	str_release(&title);
}

/* The disassembler's output, and its addresses. */
static void toggle_plain(struct code_browser *b, u32 code)
{
	struct annotate_look *l = &b->v.look;

	l->plain ^= code == 'o';
	l->full ^= code == 'f';
	b->w = annotate_widths(&b->v);
	if (code == 'f' && !l->plain)
		str_add(&b->said, "addresses are shown with o");
	else if (code == 'f' && !b->v.shift)
		str_add(&b->said, "it ran where its file says, or did not run");
}

static void toggle_names(struct code_browser *b)
{
	b->v.look.mangled = !b->v.look.mangled;
	str_add(&b->said, b->v.look.mangled ? "names are as the linker has them" :
		"names are demangled");
}

static void toggle_min_max(struct code_browser *b)
{
	b->v.look.min_max ^= b->v.counts.cycles;
	if (!b->v.counts.cycles)
		str_add(&b->said, "no cycles of branches were recorded here (perf record -b, on a "
				  "CPU that tells them)");
}

static void show_samples(struct code_browser *b)
{
	const char *const options[] = { "--symbols", b->v.l->sym->name, NULL };

	if (strchr(b->v.l->sym->name, ','))
		str_add(&b->said, "a name with a comma cannot be given to perf script --symbols");
	else if (b->o->script)
		b->o->script(b->o->script_ctx, b->screen, options, &b->said);
}

static void show_counters(struct code_browser *b)
{
	struct str text = STR_INIT;

	if (b->v.counts.counters) {
		annotate_counters_text(&text, b->v.counts.counters);
		dialog_text(b->screen, "Branch counters", str_cstr(&text));
	} else {
		str_add(&b->said, "no counters of branches were recorded here (perf record -j "
				  "any,counter, on a CPU that has them)");
	}
	str_release(&text);
}

static void move_columns(struct code_browser *b, bool right)
{
	list_key(&b->list, &(struct screen_key){ .code = right ? '>' : '<' });
}

static bool key(struct code_browser *b, u32 code)
{
	enum annotate_percent *p = &b->v.counts.percent;

	switch (code) {
	case KEY_ENTER: case KEY_RIGHT: follow(b); break;
	case 'H': go_to_hot(b, 0); break;
	case KEY_TAB: go_to_hot(b, 1); break;
	case KEY_BACK_TAB: go_to_hot(b, -1); break;
	case '/': find(b, false, true); break;
	case 'n': find(b, false, false); break;
	case 'N': find(b, true, false); break;
	case '?': find(b, true, true); break;
	case 's': toggle_source(b); break;
	case 'k': b->v.look.line_numbers = !b->v.look.line_numbers; break;
	case 'l': b->place = !b->place; break;
	case 'O': next_offsets(&b->v.look); break;
	case 'T': toggle_types(b); break;
	case 'J': b->v.look.jumps = !b->v.look.jumps; break;
	case 'P': print(b); break;
	case 'j': b->v.look.no_arrows = !b->v.look.no_arrows; break;
	case 'o': case 'f': toggle_plain(b, code); break;
	case 'x': b->v.look.raw = !b->v.look.raw; break;
	case 'd': toggle_names(b); break;
	case 'r': show_samples(b); break;
	case 'c': toggle_min_max(b); break;
	case 'B': show_counters(b); break;
	case '[': case ']': move_columns(b, code == ']'); break;
	case 't': next_numbers(&b->v.look); break;
	/* local and global, period and hits: two times two */
	case 'p': *p ^= ANNOTATE_LOCAL_PERIOD ^ ANNOTATE_GLOBAL_PERIOD; break;
	case 'b': *p ^= ANNOTATE_LOCAL_PERIOD ^ ANNOTATE_LOCAL_HITS; break;
	case 'h': case KEY_F1: dialog_text(b->screen, "Help", help_text); break;
	case KEY_CTRL('z'): screen_suspend(b->screen); break;
	default: return false;
	}
	return true;
}

/* What is counted of the symbol; NULL: nothing. */
static void count(struct code_browser *b, const struct annotate_symbol *sym)
{
	const struct annotate_symbol none = { .dso = b->v.l->dso, .sym = b->v.l->sym };

	annotate_members_release(&b->m);
	b->m = (struct annotate_members){ 0 };
	annotate_members_find(&b->m, b->o->counts, b->o->events, b->o->event, b->o->group);
	annotate_members_count(&b->m, b->v.l, sym ? sym : &none);
	b->v.counts = annotate_members_counts(&b->m, b->v.counts.percent);
	b->v.shift = sym ? sym->shift : b->v.shift;
	b->w = annotate_widths(&b->v);
	find_hot(b);
}

static void count_again(struct code_browser *b)
{
	if (!b->o->refresh)
		return;
	b->o->refresh(b->o->refresh_ctx);
	count(b, annotate_find(b->o->counts, b->v.l->sym));
}

static enum annotate_tui_end browse(struct code_browser *b)
{
	struct screen *s = b->screen;

	for (;;) {
		struct screen_key k;

		s->backdrop = draw;
		s->backdrop_ctx = b;
		draw(b);
		k = screen_key(s, -1);
		if (k.code == KEY_TIMEOUT) {
			count_again(b);
			continue;
		}
		str_reset(&b->said);
		if (k.code == '>' || k.code == '<')
			return k.code == '>' ? ANNOTATE_TUI_NEXT : ANNOTATE_TUI_PREVIOUS;
		if (list_key(&b->list, &k) || key(b, k.code))
			continue;
		if (k.code == KEY_CTRL('c') || k.code == KEY_CLOSED)
			return ANNOTATE_TUI_QUIT;
		if (k.code == 'q' || k.code == KEY_ESC || k.code == KEY_LEFT)
			return ANNOTATE_TUI_BACK;
	}
}

enum annotate_tui_end annotate_tui_listing(struct screen *s, const struct annotate_tui_opts *o,
					   const struct annotate_symbol *sym, struct listing *l)
{
	struct code_browser b = { .screen = s, .o = o, .l = l, .source = o->look.source };
	enum annotate_tui_end end;

	b.v = (struct annotate_view){ .l = l, .events = o->events, .event = o->event,
				      .group = o->group, .path = sym->dso->path, .look = o->look,
				      .counts.percent = o->percent };
	count(&b, sym);
	if (o->look.types)
		find_types(&b);
	choose_lines(&b);
	list_init(&b.list, s, &code_lines, &b);
	draw(&b);		/* how many lines there are is known from then on */
	go_to_hot(&b, 0);
	end = browse(&b);
	s->backdrop = NULL;
	if (o->next) {
		o->next->look = b.v.look;
		o->next->look.source = b.source;
		o->next->percent = b.v.counts.percent;
	}
	vec_free(&b.shown);
	vec_free(&b.hot);
	str_release(&b.find);
	str_release(&b.said);
	annotate_members_release(&b.m);
	return end;
}
