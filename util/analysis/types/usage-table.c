// SPDX-License-Identifier: GPL-2.0-or-later
// Usage of types as tables, for CSV and JSON.
#include "util/analysis/types/usage.h"

#include "util/base/str.h"

static struct column *add_right(struct table *t, const char *key, const char *title)
{
	struct column *c = table_add_column(t, key, title);

	c->right = true;
	return c;
}

static void add_event_columns(struct table *out, u32 event)
{
	static const struct { const char *key, *title; } each[] = {
		{ "percent", "Percent" }, { "samples", "Samples" }, { "period", "Period" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(each); i++) {
		struct str key = STR_INIT;

		str_add(&key, each[i].key);
		if (event)
			str_addf(&key, "_%u", event + 1);
		add_right(out, table_text(out, str_cstr(&key)), each[i].title)->decimals =
			i ? 0 : 2;
		str_release(&key);
	}
}

void type_usage_facts(const struct type_usage *t, const struct event *e, struct table *out)
{
	const struct annotate_sum all = type_usage_total(t, 0);
	struct cell *c;

	out->key = "type";
	table_add_column(out, "type", "Type");
	table_add_column(out, "dso", "File");
	table_add_column(out, "event", "Event");
	add_right(out, "samples", "Samples");
	add_right(out, "period", "Period");
	c = table_add_row(out)->cells;
	c[0] = cell_text(t->type->name);
	c[1] = cell_text(t->dso->path);
	c[2] = cell_text(e->name);
	c[3] = cell_count(all.n);
	c[4] = cell_count(all.period);
}

static double share(struct annotate_sum part, struct annotate_sum all)
{
	return all.period ? 100.0 * (double)part.period / (double)all.period : 0;
}

void type_usage_table(const struct types_usage *u, const struct type_usage *t, struct table *out)
{
	type_lines lines = { 0 };

	out->key = "members";
	add_right(out, "offset", "Offset");
	add_right(out, "size", "Size");
	add_right(out, "depth", "Depth");
	table_add_column(out, "type", "Type");
	table_add_column(out, "name", "Name");
	for (u32 e = 0; e < u->n_events; e++)
		add_event_columns(out, e);
	type_usage_lines(u, t, &lines);
	for vec_each(l, &lines) {
		struct cell *c;

		if (l->closes)
			continue;
		c = table_add_row(out)->cells;
		*c++ = cell_count(l->off);
		*c++ = cell_count(l->bytes);
		*c++ = cell_count((u64)l->depth);
		*c++ = cell_text(l->type);
		*c++ = cell_text(l->name);
		for (u32 e = 0; e < u->n_events; e++) {
			const struct annotate_sum all = type_usage_total(t, e);
			const struct annotate_sum sum = l->depth ?
				type_usage_sum(t, e, l->off, l->bytes) : all;

			*c++ = cell_pct(share(sum, all));
			*c++ = cell_count(sum.n);
			*c++ = cell_count(sum.period);
		}
	}
	vec_free(&lines);
}

void types_usage_why_table(const struct types_usage *u, struct table *out)
{
	out->key = "type_stat";
	table_add_column(out, "result", "Result");
	add_right(out, "addresses", "Addresses");
	add_right(out, "samples", "Samples");
	add_right(out, "period", "Period");
	for (int w = 0; w < N_ACCESS_WHYS; w++) {
		struct cell *c = table_add_row(out)->cells;

		c[0] = cell_text(access_why_word((enum access_why)w));
		c[1] = cell_count(u->n_why[w]);
		c[2] = cell_count(u->why[w].n);
		c[3] = cell_count(u->why[w].period);
	}
}

void types_usage_insn_table(const struct types_usage *u, struct table *out)
{
	out->key = "insn_stat";
	table_add_column(out, "name", "Name");
	add_right(out, "good", "Good");
	add_right(out, "bad", "Bad");
	for vec_each(s, &u->insns) {
		struct cell *c = table_add_row(out)->cells;

		c[0] = cell_text(s->mnemonic);
		c[1] = cell_count(s->n_good);
		c[2] = cell_count(s->n_bad);
	}
}
