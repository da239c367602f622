// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/types-text.h"

#define RULE "============================================================================\n"
#define DASHES "-----------------------------------------------------------\n"
#define INDENT 4
#define OFFSETS_WIDTH 24	/* the columns offset and size, and what is behind them */

static size_t number_width(const struct types_look *k)
{
	return k->numbers == TYPES_PERIOD ? 12 : 8;
}

static void add_number(struct str *out, const struct types_look *k, struct annotate_sum part,
		       struct annotate_sum all)
{
	const u64 of = k->by_hits ? all.n : all.period, is = k->by_hits ? part.n : part.period;

	if (k->numbers == TYPES_PERCENT)
		str_addf(out, "%8.2f", of ? 100.0 * (double)is / (double)of : 0.0);
	else
		str_addf(out, "%*llu", (int)number_width(k), (unsigned long long)
			 (k->numbers == TYPES_SAMPLES ? part.n : part.period));
}

static void add_title(struct str *out, const struct types_usage *u, const struct type_usage *t,
		      const struct types_look *k)
{
	static const char *const titles[] = { "Percent", "Samples", "Period" };

	str_addf(out, "Annotate type: '%s' in ", t->type->name);
	str_add_safe(out, t->dso->path);
	str_addf(out, " (%llu samples):\n", (unsigned long long)type_usage_total(t, 0).n);
	for (size_t e = 0; e < u->n_events && u->n_events > 1; e++) {
		str_addf(out, " event[%zu] = ", e);
		str_add_safe(out, k->events[e]->name);
		str_addch(out, '\n');
	}
	str_add(out, RULE);
	str_addf(out, "%*s %10s %10s  %s\n", (int)(number_width(k) * u->n_events),
		 titles[k->numbers], "offset", "size", "field");
}

static void add_line(struct str *out, const struct types_usage *u, const struct type_usage *t,
		     const struct types_look *k, const struct type_line *l)
{
	if (l->closes) {
		str_addchn(out, ' ', number_width(k) * u->n_events + OFFSETS_WIDTH +
			   INDENT * (size_t)l->depth);
		str_add(out, "};\n");
		return;
	}
	for (u32 e = 0; e < u->n_events; e++) {
		const struct annotate_sum all = type_usage_total(t, e);

		add_number(out, k, l->depth ? type_usage_sum(t, e, l->off, l->bytes) : all, all);
	}
	str_addf(out, " %#10llx %#10llx  ", (unsigned long long)l->off,
		 (unsigned long long)l->bytes);
	str_addchn(out, ' ', INDENT * (size_t)l->depth);
	str_addf(out, "%s\t%s%s\n", l->type, l->name, l->opens ? " {" : ";");
}

void types_text(struct str *out, const struct types_usage *u, const struct type_usage *t,
		const struct types_look *look)
{
	type_lines lines = { 0 };

	add_title(out, u, t, look);
	type_usage_lines(u, t, &lines);
	for vec_each(l, &lines)
		add_line(out, u, t, look, l);
	str_addch(out, '\n');
	vec_free(&lines);
}

static void add_totals(struct str *out, const struct types_usage *u)
{
	const u64 good = u->n_why[ACCESS_KNOWN] + u->n_why[ACCESS_STACK];
	u64 all = 0;

	for (int w = 0; w < N_ACCESS_WHYS; w++)
		all += u->n_why[w];
	str_addf(out, "total %llu, ok %llu (%.1f%%), bad %llu (%.1f%%)\n",
		 (unsigned long long)all, (unsigned long long)good,
		 all ? 100.0 * (double)good / (double)all : 0.0, (unsigned long long)(all - good),
		 all ? 100.0 * (double)(all - good) / (double)all : 0.0);
}

void types_why_text(struct str *out, const struct types_usage *u)
{
	str_add(out, "Annotate data type stats:\n");
	add_totals(out, u);
	str_add(out, DASHES);
	for (int w = 0; w < N_ACCESS_WHYS; w++)
		if (w != ACCESS_KNOWN && w != ACCESS_STACK && u->n_why[w])
			str_addf(out, "%10llu : %s\n", (unsigned long long)u->n_why[w],
				 access_why_word((enum access_why)w));
	str_addch(out, '\n');
}

void types_insn_text(struct str *out, const struct types_usage *u)
{
	str_add(out, "Annotate Instruction stats\n");
	add_totals(out, u);
	str_addf(out, "\n  %-20s: %5s %5s\n", "Name/opcode", "Good", "Bad");
	str_add(out, DASHES);
	for vec_each(s, &u->insns) {
		str_add(out, "  ");
		str_addf(out, "%-20s: %5llu %5llu\n", s->mnemonic, (unsigned long long)s->n_good,
			 (unsigned long long)s->n_bad);
	}
	str_addch(out, '\n');
}
