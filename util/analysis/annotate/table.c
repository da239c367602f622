// SPDX-License-Identifier: GPL-2.0-or-later
// A listing as a table of cells.
#include "util/analysis/annotate/listing.h"

static void add_numbers(struct table *out, const char *const (*columns)[2], size_t n)
{
	for (size_t i = 0; i < n; i++)
		table_add_column(out, columns[i][0], columns[i][1])->right = true;
}

/* How often the event occurred in a block that ends there, on average. */
static void add_counter_column(struct table *out, unsigned i, const struct event *e)
{
	struct str key = STR_INIT;
	struct column *col;

	str_addf(&key, "branch_counter_%u", i + 1);
	col = table_add_column(out, arena_strdup(&out->arena, str_cstr(&key)),
			       table_text(out, e->name));
	col->right = true;
	col->decimals = 2;
	str_release(&key);
}

/* Of branch stacks. */
static void add_block_columns(const struct listing_counts *c, struct table *out)
{
	static const char *const branches[][2] = {
		{ "ran", "Ran" }, { "branches_to", "Branches to" },
		{ "branches_from", "Branches from" }, { "predicted", "Predicted" },
	};
	static const char *const cycles[][2] = {
		{ "cycles", "Cycles" }, { "cycles_min", "Least cycles" },
		{ "cycles_max", "Most cycles" },
	};

	if (c->blocks)
		add_numbers(out, branches, ARRAY_SIZE(branches));
	if (c->cycles) {
		table_add_column(out, "ipc", "IPC")->decimals = 2;
		add_numbers(out, cycles, ARRAY_SIZE(cycles));
	}
	for (unsigned i = 0; c->counters && i < c->counters->n; i++)
		add_counter_column(out, i, c->counters->of[i]);
}

static size_t add_blocks(const struct listing_counts *c, const struct listing_line *line,
			 struct cell *cells)
{
	const struct insn_blocks *b = line->kind == LISTING_INSN && c->blocks ?
		&c->blocks[line->insn] : NULL;
	const struct block_cycles *cy = b && b->cycles.n ? &b->cycles : NULL;
	const struct cell branches[] = { cell_count(b ? b->n_ran : 0), cell_count(b ? b->n_to : 0),
					 cell_count(b ? b->n_from : 0),
					 cell_count(b ? b->n_predicted : 0) };
	size_t n = 0;

	for (size_t i = 0; c->blocks && i < ARRAY_SIZE(branches); i++)
		cells[n++] = b ? branches[i] : cell_absent();
	if (c->cycles) {
		cells[n++] = cy && b->longest_cycles ? cell_num(insn_blocks_ipc(b), 2) :
			cell_absent();
		cells[n++] = cy ? cell_count(cy->sum / cy->n) : cell_absent();
		cells[n++] = cy ? cell_count(cy->min) : cell_absent();
		cells[n++] = cy ? cell_count(cy->max) : cell_absent();
	}
	for (unsigned i = 0; c->counters && i < c->counters->n; i++)
		cells[n++] = b && b->counts.n ?
			cell_num((double)b->counts.sum[i] / (double)b->counts.n, 2) : cell_absent();
	return n;
}

static void add_columns(const struct listing_counts *c, struct table *out)
{
	static const struct { const char *key, *title; } each[] = {
		{ "percent", "Percent" }, { "samples", "Samples" }, { "period", "Period" },
	};

	out->key = "lines";
	table_add_column(out, "kind", "Kind");
	table_add_column(out, "address", "Address")->form = COL_HEX;
	for (size_t e = 0; e < c->n; e++) {
		for (size_t i = 0; i < ARRAY_SIZE(each); i++) {
			struct str key = STR_INIT;
			struct column *col;

			str_add(&key, each[i].key);
			if (e)
				str_addf(&key, "_%zu", e + 1);
			col = table_add_column(out, arena_strdup(&out->arena, str_cstr(&key)),
					       each[i].title);
			col->right = true;
			col->decimals = i ? 0 : 2;
			str_release(&key);
		}
	}
	add_block_columns(c, out);
	table_add_column(out, "text", "Text");
	table_add_column(out, "target", "Target")->form = COL_HEX;
	table_add_column(out, "file", "File");
	table_add_column(out, "line", "Line");
}

static void add_row(const struct listing *l, const struct listing_counts *c,
		    const struct listing_line *line, struct table *out)
{
	static const char *const kinds[] = { "insn", "source", "function" };
	const struct listing_insn *it = line->kind == LISTING_INSN ? &l->insns.v[line->insn] : NULL;
	struct cell *cell = table_add_row(out)->cells;
	struct str text = STR_INIT;

	*cell++ = cell_text(kinds[line->kind]);
	*cell++ = it ? cell_addr(it->i.rva) : cell_absent();
	for (size_t e = 0; e < c->n; e++) {
		*cell++ = it ? cell_pct(listing_pct(c, e, line->insn)) : cell_absent();
		*cell++ = it ? cell_count(c->sums[e][line->insn].n) : cell_absent();
		*cell++ = it ? cell_count(c->sums[e][line->insn].period) : cell_absent();
	}
	cell += add_blocks(c, line, cell);
	if (it)
		insn_add_text(&text, &it->i);
	*cell++ = cell_text(it ? table_text(out, str_cstr(&text)) : line->text);
	*cell++ = it && it->i.has_target ? cell_addr(it->i.target_rva) : cell_absent();
	const char *file = it ? it->src.file : line->file;

	*cell++ = file ? cell_text(file) : cell_absent();
	*cell++ = file ? cell_count(it ? it->src.line : line->line) : cell_absent();
	str_release(&text);
}

void listing_table(const struct listing *l, const struct listing_counts *c, struct table *out)
{
	add_columns(c, out);
	for vec_each(line, &l->lines)
		add_row(l, c, line, out);
}

void listing_facts(const struct listing *l, const struct event *e, const struct listing_counts *c,
		   struct table *out)
{
	struct cell *cell;

	out->key = "function";
	table_add_column(out, "symbol", "Symbol");
	table_add_column(out, "dso", "Shared Object");
	table_add_column(out, "event", "Event");
	table_add_column(out, "samples", "Samples");
	table_add_column(out, "period", "Period");
	cell = table_add_row(out)->cells;
	*cell++ = cell_text(l->sym->name);
	*cell++ = cell_text(l->dso->path);
	*cell++ = cell_text(e->name);
	*cell++ = cell_count(c->symbol_totals[0].n);
	*cell++ = cell_count(c->symbol_totals[0].period);
}
