// SPDX-License-Identifier: GPL-2.0-or-later
// What branch stacks tell, beside the code: cycles of blocks, and where branches come from and go.
#include "util/view/annotate-priv.h"

enum { IPC_WIDTH = 6, CYCLES_WIDTH = 6, MIN_MAX_WIDTH = 19, MOST_IPC = 9999, COUNTS_WIDTH = 31,
       LETTER_BITS = 3 };	/* counters of more bits are numbers */

static int cycles_width(const struct annotate_view *v)
{
	return v->look.min_max ? MIN_MAX_WIDTH : CYCLES_WIDTH;
}

size_t annotate_cycles_width(const struct annotate_view *v)
{
	return !v->counts.cycles ? 0 : IPC_WIDTH + (size_t)cycles_width(v) +
		(v->counts.counters ? COUNTS_WIDTH : 0);
}

/* "AA", "B+", "-"; as wide as any of them can be. */
static void add_count(struct str *out, unsigned bits, char letter, u64 n, bool full)
{
	const size_t from = out->len, width = bits > LETTER_BITS ? 7 : 1U << bits;

	if (!n)
		str_addch(out, '-');
	else if (bits > LETTER_BITS)
		str_addf(out, "%c%llu", letter, (unsigned long long)n);
	else
		str_addchn(out, letter, n);
	if (full)
		str_addch(out, '+');
	if (out->len - from < width)
		str_addchn(out, ' ', width - (out->len - from));
}

/* Of the blocks that end there, rounded up. */
static void add_counts(struct str *out, const struct branch_counters *c,
		       const struct block_counts *b)
{
	struct str text = STR_INIT;

	for (unsigned i = 0; b->n && i < c->n; i++) {
		str_addch(&text, '|');
		add_count(&text, c->bits, (char)('A' + i), (b->sum[i] + b->n - 1) / b->n,
			  b->full[i]);
	}
	if (text.len)
		str_addch(&text, '|');
	str_addf(out, "%*s", COUNTS_WIDTH, str_cstr(&text));
	str_release(&text);
}

void annotate_counters_text(struct str *out, const struct branch_counters *c)
{
	for (unsigned i = 0; i < c->n; i++) {
		str_add_safe(out, c->of[i]->name);
		str_addf(out, " = %c\n", 'A' + i);
	}
	str_add(out, "'-' No event occurs\n"
		     "'+' Event occurrences may be lost due to branch counter saturated\n");
}

static void add_cycles(struct str *out, const struct annotate_view *v, const struct block_cycles *c)
{
	struct str text = STR_INIT;

	str_addf(&text, "%llu", (unsigned long long)(c->sum / c->n));
	if (v->look.min_max)
		str_addf(&text, "(%llu/%llu)", (unsigned long long)c->min,
			 (unsigned long long)c->max);
	str_addf(out, "%*s", cycles_width(v), str_cstr(&text));
	str_release(&text);
}

void annotate_add_cycles(struct str *out, const struct annotate_view *v,
			 const struct listing_line *line, bool title)
{
	const struct insn_blocks *b = v->counts.cycles && line->kind == LISTING_INSN ?
		&v->counts.blocks[line->insn] : NULL;
	const double ipc = b ? insn_blocks_ipc(b) : 0;

	if (b && b->cycles.n) {
		/* two columns stay free */
		str_addf(out, "%*.*f", IPC_WIDTH, ipc < 9.995 ? 2 : ipc < 99.95 ? 1 : 0,
			 MIN(ipc, (double)MOST_IPC));
		add_cycles(out, v, &b->cycles);
		if (v->counts.counters)
			add_counts(out, v->counts.counters, &b->counts);
	} else if (v->counts.cycles && title) {
		str_addf(out, "%*s%*s", IPC_WIDTH, "IPC", cycles_width(v),
			 v->look.min_max ? "Cycle(min/max)" : "Cycle");
		if (v->counts.counters)
			str_addf(out, "%*s", COUNTS_WIDTH, "Branch Counter");
	} else {
		str_addchn(out, ' ', annotate_cycles_width(v));
	}
}

static double pct(u64 part, u64 whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

void annotate_add_branches(struct str *out, const struct annotate_view *v, u32 insn)
{
	const struct insn_blocks *b = v->counts.blocks ? &v->counts.blocks[insn] : NULL;

	if (!b || (!b->n_to && !b->n_from))
		return;
	str_add(out, "\t#");
	if (b->n_to)
		str_addf(out, " +%.2f%%", pct(b->n_to, v->counts.most_runs));
	if (b->n_from)
		str_addf(out, " -%.2f%% (p:%.2f%%)", pct(b->n_from, b->n_ran),
			 pct(b->n_predicted, b->n_from));
}
