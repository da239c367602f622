// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/annotate-text.h"

#include <string.h>

#include "util/analysis/hist/hist.h"
#include "util/view/annotate-priv.h"
#include "util/view/event-title.h"

#define COLOR_RED "\033[31m"
#define COLOR_GREEN "\033[32m"
#define COLOR_END "\033[m"
#define TAB 8
#define HOT_LINE_PCT 0.5	/* less is not in the summary of lines */

const char *annotate_title(const struct annotate_view *v)
{
	return v->look.show_period ? "Period" : v->look.show_n ? "Samples" : "Percent";
}

static const char *short_path(const struct annotate_view *v, const char *path)
{
	const char *slash = strrchr(path, '/');

	return v->look.full_paths || !slash || !slash[1] ? path : slash + 1;
}

static void add_cell(struct str *out, const struct annotate_view *v, size_t e, u32 insn,
		     const struct annotate_cells *how)
{
	const struct annotate_sum *sum = &v->counts.sums[e][insn];
	const double pct = listing_pct(&v->counts, e, insn);
	const char *color = !v->look.color ? NULL : pct >= 5 ? COLOR_RED :
		pct >= 0.5 ? COLOR_GREEN : NULL;

	if (how->blank_zero && !sum->n) {
		str_addchn(out, ' ', (size_t)how->width);
		return;
	}
	if (color)
		str_add(out, color);
	if (v->look.show_period || v->look.show_n)
		str_addf(out, "%*llu", how->width,
			 (unsigned long long)(v->look.show_n ? sum->n : sum->period));
	else
		str_addf(out, "%*.2f", how->width, pct);
	if (color)
		str_add(out, COLOR_END);
}

void annotate_add_cells(struct str *out, const struct annotate_view *v, u32 insn,
			const struct annotate_cells *how)
{
	for (size_t e = 0; e < v->counts.n; e++) {
		if (e)
			str_add(out, how->between);
		add_cell(out, v, e, insn, how);
	}
}

bool annotate_counts(const struct annotate_view *v, u32 insn)
{
	for (size_t e = 0; e < v->counts.n; e++)
		if (v->counts.sums[e][insn].n)
			return true;
	return false;
}

void annotate_add_bytes(struct str *out, const struct insn *i)
{
	const size_t from = out->len;

	for (u8 b = 0; b < i->length && b < INSN_MAX_BYTES; b++)
		str_addf(out, "%02x ", i->bytes[b]);
	while (out->len - from < 3 * TAB - 1)
		str_addch(out, ' ');
}

void annotate_add_type(struct str *out, const struct annotate_view *v,
		       const struct listing_insn *it)
{
	if (!v->look.types || !it->data_type)
		return;
	str_add(out, "\t\t# data-type: ");
	str_add_safe(out, it->data_type);
}

static size_t address_digits(const struct annotate_view *v)
{
	size_t n = 1;
	u64 last = v->l->insns.n ? vec_last(&v->l->insns)->i.rva : 0;

	while (last >>= 4)
		n++;
	return n;
}

/* Tabs end at columns of their own: source is indented by them. */
void annotate_indented(struct str *out, const char *text)
{
	size_t column = 0;

	while (*text) {
		const size_t n = strcspn(text, "\t");

		str_add_safen(out, text, n);
		column += n;
		text += n;
		if (*text == '\t') {
			const size_t fill = TAB - column % TAB;

			str_addchn(out, ' ', fill);
			column += fill;
			text++;
		}
	}
}

static int cell_width(const struct annotate_view *v) { return v->look.show_period ? 12 : TAB; }

static void add_title(struct str *out, const struct annotate_view *v)
{
	const size_t from = out->len;
	const int columns = (int)v->counts.n * cell_width(v);

	str_addf(out, " %-*s|\tSource code & Disassembly of ", columns, annotate_title(v));
	str_add_safe(out, short_path(v, v->path));
	str_add(out, " for ");
	event_title(out, v->events, v->event, v->group);
	str_addf(out, " (%llu samples, percent: %s)",
		 (unsigned long long)v->counts.symbol_totals[0].n,
		 annotate_percent_text(v->counts.percent));
	const size_t n = out->len - from;

	str_add(out, "\n");
	str_addchn(out, '-', n + 5);
	str_add(out, "\n");
}

static void add_margin(struct str *out, const struct annotate_view *v)
{
	str_addchn(out, ' ', v->counts.n * (size_t)cell_width(v));
	str_add(out, " :");
}

/* A line without counts; line 0: it has no number. */
static void add_text(struct str *out, const struct annotate_view *v, u32 line, const char *text)
{
	const int digits = (int)address_digits(v);

	add_margin(out, v);
	if (line)
		str_addf(out, " %-*u", digits, line);
	if (line && *text)
		str_addch(out, ' ');
	else if (*text)
		str_addchn(out, ' ', (size_t)digits + 2);
	annotate_indented(out, text);
	str_add(out, "\n");
}

static void add_head(struct str *out, const struct annotate_view *v)
{
	struct str text = STR_INIT;

	for (int i = 0; i < 3; i++)
		add_text(out, v, 0, "");
	if (v->l->section) {
		str_addf(&text, "Disassembly of section %s:", v->l->section);
		add_text(out, v, 0, str_cstr(&text));
		add_text(out, v, 0, "");
	}
	str_reset(&text);
	str_addf(&text, "%016llx <%s>:", (unsigned long long)v->l->sym->start_rva, v->l->sym->name);
	add_text(out, v, 0, str_cstr(&text));
	str_release(&text);
}

static void add_position(struct str *out, const struct annotate_view *v, const struct srcline *at)
{
	str_add_safe(out, short_path(v, at->file));
	str_addf(out, ":%u", at->line);
}

static void add_insn(struct str *out, const struct annotate_view *v, u32 nr,
		     struct srcline *shown)
{
	const struct listing_insn *it = &v->l->insns.v[nr];
	const size_t digits = address_digits(v) + 1;
	const struct annotate_cells how = { .width = cell_width(v), .between = "" };
	struct str text = STR_INIT;

	annotate_add_cells(out, v, nr, &how);
	str_addf(out, " :   %llx:", (unsigned long long)it->i.rva);
	str_addchn(out, ' ', TAB - digits % TAB);
	if (v->look.raw)
		annotate_add_bytes(out, &it->i);
	insn_add_text(&text, &it->i);
	str_add_safe(out, str_cstr(&text));
	str_release(&text);
	if (v->look.positions && it->src.file && annotate_counts(v, nr) &&
	    (shown->file != it->src.file || shown->line != it->src.line)) {
		str_add(out, " // ");
		add_position(out, v, &it->src);
		*shown = it->src;
	}
	annotate_add_branches(out, v, nr);
	annotate_add_type(out, v, it);
	str_add(out, "\n");
}

/* -l: where most of it is. */
static void add_summary(struct str *out, const struct annotate_view *v)
{
	listing_hots hot = { 0 };

	listing_hot_lines(v->l, &v->counts, HOT_LINE_PCT, &hot);
	str_add(out, "\nSorted summary for file ");
	str_add_safe(out, short_path(v, v->path));
	str_add(out, "\n----------------------------------------------\n\n");
	if (!hot.n)
		str_add(out, " Nothing higher than 0.5%\n");
	for vec_each(h, &hot) {
		const struct srcline at = { .file = h->file, .line = h->line };

		str_addf(out, "%8.2f ", h->pct);
		add_position(out, v, &at);
		str_add(out, "\n");
	}
	vec_free(&hot);
}

static void add_function(struct str *out, const struct annotate_view *v,
			 const struct listing_line *line)
{
	struct str text = STR_INIT;

	str_addf(&text, "%s%s:%s", line->text, strchr(line->text, '(') ? "" : "()",
		 line->inlined ? " (inlined)" : "");
	add_text(out, v, 0, str_cstr(&text));
	str_release(&text);
}

void annotate_stdio(struct str *out, const struct annotate_view *v)
{
	struct srcline shown = { 0 };

	if (v->look.positions)
		add_summary(out, v);
	add_title(out, v);
	add_head(out, v);
	for vec_each(line, &v->l->lines) {
		if (line->kind == LISTING_INSN)
			add_insn(out, v, line->insn, &shown);
		else if (line->kind == LISTING_FUNCTION)
			add_function(out, v, line);
		else
			add_text(out, v, line->line, line->text);
	}
}
