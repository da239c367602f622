// SPDX-License-Identifier: GPL-2.0-or-later
// Shared cache lines, and the accesses to each.
#include <stdio.h>
#include <string.h>

#include "util/base/num.h"
#include "util/view/c2c-priv.h"
#include "util/view/c2c-text.h"
#include "util/view/text.h"

/* --- columns with two lines of titles, the first of which may be of several */

/* n: so many have above in common */
struct title { const char *above, *below; int width, n; };

static void add_titles(struct str *out, const struct title *t, size_t n)
{
	str_add(out, "#\n# ");
	for (size_t i = 0; i < n; i += (size_t)MAX(t[i].n, 1)) {
		int width = t[i].width;

		for (int k = 1; k < t[i].n; k++)
			width += 2 + t[i + (size_t)k].width;
		str_addf(out, i ? "  %*s" : "%*s", width, t[i].above);
	}
	str_add(out, "\n# ");
	for (size_t i = 0; i < n; i++)
		str_addf(out, i ? "  %*s" : "%*s", t[i].width, t[i].below);
	str_add(out, "\n# ");
	for (size_t i = 0; i < n; i++) {
		str_add(out, i ? "  " : "");
		str_addchn(out, '.', (size_t)t[i].width);
	}
	str_add(out, "\n#\n");
}

static u64 value(const struct table *t, const struct table_row *row, const char *key)
{
	return table_cell(t, row, key)->u;
}

static void add_value(struct str *out, int width, u64 n)
{
	str_addf(out, "  %*llu", width, (unsigned long long)n);
}

static void add_cell(struct str *out, const struct table *t, const struct table_row *row,
		     const char *key, int width)
{
	add_value(out, width, value(t, row, key));
}

static void add_address(struct str *out, u64 a)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)a);
	str_addf(out, "  %18s", text);
}

static void add_place(struct str *out, const struct table *t, const struct table_row *row)
{
	const struct cell *node = table_cell(t, row, "node");

	if (node->kind == CELL_NONE)
		str_addf(out, "  %4s", "N/A");
	else
		str_addf(out, "  %4lld", (long long)node->s);
	add_cell(out, t, row, "physical_addresses", 6);
}

static void add_percent(struct str *out, u64 part, u64 all)
{
	str_addf(out, "  %6.2f%%", c2c_percent(part, all));
}

/* --- the lines */

/* The two kinds that a line is shown for, and what is shown of them. */
struct kinds { const char *remote, *local, *above, *below, *titles[3]; const char *group; };
static const struct kinds kinds[] = {
	[C2C_TOTAL] = { "hitm_remote", "hitm_local", "Tot", "Hitm",
			{ "Total", "LclHitm", "RmtHitm" }, "------- Load Hitm -------" },
	[C2C_LOCAL] = { "hitm_remote", "hitm_local", "Lcl", "Hitm",
			{ "Total", "LclHitm", "RmtHitm" }, "------- Load Hitm -------" },
	[C2C_REMOTE] = { "hitm_remote", "hitm_local", "Rmt", "Hitm",
			 { "Total", "LclHitm", "RmtHitm" }, "------- Load Hitm -------" },
	[C2C_PEERS] = { "peer_remote", "peer_local", "Peer", "Snoop",
			{ "Total", "Local", "Remote" }, "------- Load Peer -------" },
};

static void add_line_titles(struct str *out, const struct c2c_view *v)
{
	const struct kinds *k = &kinds[v->display];
	const struct title titles[] = {
		{ "", "Index", 5, 1 },
		{ v->double_line ? "------- Double-Cacheline -------" :
				   "----------- Cacheline ----------", "Address", 18, 3 },
		{ "", "Node", 4, 1 }, { "", "PA cnt", 6, 1 },
		{ k->above, k->below, 7, 1 },
		{ k->group, k->titles[0], 7, 3 }, { "", k->titles[1], 7, 1 },
		{ "", k->titles[2], 7, 1 },
		{ "Total", "records", 7, 1 }, { "Total", "Loads", 7, 1 },
		{ "Total", "Stores", 7, 1 },
		{ "--------- Stores --------", "L1Hit", 7, 3 }, { "", "L1Miss", 7, 1 },
		{ "", "N/A", 7, 1 },
		{ "----- Core Load Hit -----", "FB", 7, 3 }, { "", "L1", 7, 1 }, { "", "L2", 7, 1 },
		{ "- LLC Load Hit --", "LclHit", 8, 2 }, { "", "LclHitm", 7, 1 },
		{ "- RMT Load Hit --", "RmtHit", 8, 2 }, { "", "RmtHitm", 7, 1 },
		{ "--- Load Dram ----", "Lcl", 8, 2 }, { "", "Rmt", 8, 1 },
	};

	add_titles(out, titles, ARRAY_SIZE(titles));
}

static u64 shown(const struct table *t, const struct table_row *row, enum c2c_display d)
{
	return (d == C2C_LOCAL ? 0 : value(t, row, kinds[d].remote)) +
		(d == C2C_REMOTE ? 0 : value(t, row, kinds[d].local));
}

static void add_line(struct str *out, const struct c2c_tables *tables, size_t i,
		     const struct c2c_view *v)
{
	static const struct { const char *key; int width; } rest[] = {
		{ "load_hits", 7 }, { "stores", 7 }, { "stores_l1_hit", 7 },
		{ "stores_l1_miss", 7 }, { "stores_no_level", 7 }, { "loads_fill_buffer", 7 },
		{ "loads_l1", 7 }, { "loads_l2", 7 }, { "loads_llc", 8 }, { "hitm_local", 7 },
		{ "loads_remote_cache", 8 }, { "hitm_remote", 7 }, { "loads_local_dram", 8 },
		{ "loads_remote_dram", 8 },
	};
	const struct table *t = &tables->lines;
	const struct table_row *row = &t->rows.v[i];
	const struct kinds *k = &kinds[v->display];

	str_addf(out, "  %5zu", i);
	add_address(out, value(t, row, "address"));
	add_place(out, t, row);
	add_percent(out, shown(t, row, v->display), c2c_shown(&tables->total, v->display));
	add_value(out, 7, value(t, row, k->remote) + value(t, row, k->local));
	add_cell(out, t, row, k->local, 7);
	add_cell(out, t, row, k->remote, 7);
	add_value(out, 7, value(t, row, "load_hits") + value(t, row, "store_refs"));
	for (size_t c = 0; c < ARRAY_SIZE(rest); c++)
		add_cell(out, t, row, rest[c].key, rest[c].width);
	str_addch(out, '\n');
}

/* --- what is in them */

/* As wide as the contents are: of one line. */
struct widths { int tid, symbol, dso, source; };

#define UNRESOLVED 16		/* digits of an address */
#define MOST_SYMBOL 30		/* unless they are wanted in full */

static void take_text(int *width, const char *text, int before)
{
	*width = MAX(*width, (int)strlen(text) + before);
}

static struct widths widths_of(const struct table *t, const struct c2c_view *v)
{
	struct widths w = { .source = 11 };

	for vec_each(row, &t->rows) {
		const struct cell *sym = table_cell(t, row, "symbol"),
			*dso = table_cell(t, row, "dso"), *comm = table_cell(t, row, "comm"),
			*line = table_cell(t, row, "source_line");

		if (sym && sym->text)
			take_text(&w.symbol, sym->text, 4);
		else if (sym)
			w.symbol = MAX(w.symbol, UNRESOLVED + 6);
		if (dso && dso->text)
			take_text(&w.dso, dso->text, 0);
		else if (dso)
			w.dso = MAX(w.dso, UNRESOLVED);
		if (comm)
			take_text(&w.tid, comm->text ? comm->text : "", 8);
		if (line && line->text)
			take_text(&w.source, line->text, 0);
	}
	if (!v->full_symbols)
		w.symbol = MIN(w.symbol, MOST_SYMBOL);
	return w;
}

#define PUSH(...) (titles[(*n)++] = (struct title){ __VA_ARGS__ })

static void key_titles(const struct table *t, const struct widths *w, struct title *titles,
		       size_t *n)
{
	if (!t->rows.n)
		return;
	if (table_cell(t, t->rows.v, "pid"))
		PUSH("", "Pid", 7, 1);
	if (table_cell(t, t->rows.v, "tid"))
		PUSH("", "Tid", w->tid, 1);
	if (table_cell(t, t->rows.v, "code_address"))
		PUSH("", "Code address", 18, 1);
}

static void add_row_titles(struct str *out, const struct table *t, const struct c2c_view *v)
{
	const bool peers = v->display == C2C_PEERS;
	const char *const infos[] = { "Node", peers ? "Node{cpus %peers %stores}" :
						      "Node{cpus %hitms %stores}",
				      "Node{cpu list}" };
	const struct widths w = widths_of(t, v);
	struct title titles[24];
	size_t count = 0, *n = &count;

	PUSH("", "Num", 5, 1);
	PUSH(peers ? "-- Peer Snoop --" : "----- HITM -----", peers ? "Rmt" : "RmtHitm", 7, 2);
	PUSH("", peers ? "Lcl" : "LclHitm", 7, 1);
	PUSH("------- Store Refs ------", "L1 Hit", 7, 3);
	PUSH("", "L1 Miss", 7, 1);
	PUSH("", "N/A", 7, 1);
	PUSH("--------- Data address ---------", "Offset", 18, 3);
	PUSH("", "Node", 4, 1);
	PUSH("", "PA cnt", 6, 1);
	key_titles(t, &w, titles, n);
	PUSH("---------- cycles ----------", peers ? "rmt peer" : "rmt hitm", 8, 3);
	PUSH("", peers ? "lcl peer" : "lcl hitm", 8, 1);
	PUSH("", "load", 8, 1);
	PUSH("Total", "records", 7, 1);
	PUSH("cpu", "cnt", 8, 1);
	if (t->rows.n && table_cell(t, t->rows.v, "symbol"))
		PUSH("", "Symbol", w.symbol, 1);
	if (t->rows.n && table_cell(t, t->rows.v, "dso"))
		PUSH("Shared", "Object", w.dso, 1);
	if (t->rows.n && table_cell(t, t->rows.v, "source_line") && !v->no_source)
		PUSH("", "Source:Line", w.source, 1);
	PUSH("", infos[v->node_info], 4, 1);
	add_titles(out, titles, count);
}

static void add_code(struct str *out, const struct table *t, const struct table_row *row,
		     const struct widths *w, const struct c2c_view *v)
{
	const struct cell *sym = table_cell(t, row, "symbol"), *dso = table_cell(t, row, "dso"),
		*line = table_cell(t, row, "source_line");
	struct str text = STR_INIT;

	if (sym) {
		str_addf(&text, "[%c] ", sym->level);
		if (sym->text)
			str_add_safe(&text, sym->text);
		else
			str_addf(&text, "0x%016llx",
				 (unsigned long long)value(t, row, "code_address"));
		str_addf(out, "  %-*.*s", w->symbol, w->symbol, str_cstr(&text));
		str_reset(&text);
	}
	if (dso) {
		str_add_safe(&text, dso->text ? dso->text : "[unknown]");
		str_addf(out, "  %-*s", w->dso, str_cstr(&text));
		str_reset(&text);
	}
	if (line && !v->no_source) {
		str_add_safe(&text, line->text ? line->text : "??:0");
		str_addf(out, "  %-*s", w->source, str_cstr(&text));
	}
	str_release(&text);
}

#define SHARES_WIDTH 20

static const struct cell *on_node(const struct table *list, size_t node)
{
	for vec_each(row, &list->rows)
		if (strtoul(row->cells[0].text, NULL, 10) == node)
			return &row->cells[1];
	return NULL;
}

static void add_share(struct str *out, u64 part, u64 all)
{
	if (all)
		str_addf(out, " %5.1f%%", c2c_percent(part, all));
	else
		str_addf(out, " %6s", "n/a");
}

static u64 sum_list(const struct table *list)
{
	u64 sum = 0;

	for vec_each(row, &list->rows)
		sum += row->cells[1].u;
	return sum;
}

static int count_cpus(const char *list)
{
	int_vec cpus = { NULL, 0, 0 };
	int n;

	parse_int_list(list, &cpus, NULL);
	n = (int)cpus.n;
	vec_free(&cpus);
	return n;
}

static void add_nodes(struct str *out, const struct table *t, const struct table_row *row,
		      const struct c2c_view *v)
{
	const struct table *cpus = table_cell(t, row, "node_cpus")->list;

	for vec_each(node, &cpus->rows) {
		str_addf(out, "%s%2s", node == cpus->rows.v ? "" : " ", node->cells[0].text);
		if (v->node_info)
			str_addf(out, "{%s}", node->cells[1].text);
	}
}

/* Each has its place: nodes stand below each other. */
static void add_node_shares(struct str *out, const struct table *t, const struct table_row *row,
			    size_t n_nodes)
{
	const struct table *cpus = table_cell(t, row, "node_cpus")->list,
		*hits = table_cell(t, row, "node_shown")->list,
		*stores = table_cell(t, row, "node_stores")->list;

	for (size_t node = 0; node < n_nodes; node++) {
		const struct cell *cell = on_node(cpus, node);

		str_add(out, node ? " " : "");
		if (!cell) {
			str_addchn(out, ' ', SHARES_WIDTH);
			continue;
		}
		str_addf(out, "%2zu{%2d", node, count_cpus(cell->text));
		add_share(out, on_node(hits, node)->u, sum_list(hits));
		add_share(out, on_node(stores, node)->u, sum_list(stores));
		str_addch(out, '}');
	}
}

static const char *const store_keys[] = { "stores_l1_hit", "stores_l1_miss", "stores_no_level" };

static void add_keys(struct str *out, const struct table *t, const struct table_row *row,
		     const struct widths *w)
{
	const struct cell *pid = table_cell(t, row, "pid"), *tid = table_cell(t, row, "tid"),
		*code = table_cell(t, row, "code_address");
	struct str comm = STR_INIT;

	if (pid)
		str_addf(out, "  %7lld", (long long)pid->s);
	if (tid) {
		const char *text = table_cell(t, row, "comm")->text;

		str_add_safe(&comm, text ? text : "");
		str_addf(out, "  %7lld:%-*s", (long long)tid->s, w->tid - 8, str_cstr(&comm));
		str_release(&comm);
	}
	if (code)
		add_address(out, code->u);
}

struct place {
	const struct c2c_tables *tables;
	const struct c2c_view *view;
	const struct table *rows;
	struct widths w;
	size_t i;		/* of the line */
};

static void add_access(struct str *out, const struct place *p, const struct table_row *row)
{
	const struct table *lines = &p->tables->lines, *t = p->rows;
	const struct table_row *line = &lines->rows.v[p->i];
	const struct kinds *k = &kinds[p->view->display];
	const bool peers = p->view->display == C2C_PEERS;
	const char *const waits[] = { peers ? "cycles_peer_remote" : "cycles_hitm_remote",
				      peers ? "cycles_peer_local" : "cycles_hitm_local",
				      "cycles_load" };

	str_addf(out, "  %5s", "");
	add_percent(out, value(t, row, k->remote), value(lines, line, k->remote));
	add_percent(out, value(t, row, k->local), value(lines, line, k->local));
	for (size_t i = 0; i < ARRAY_SIZE(store_keys); i++)
		add_percent(out, value(t, row, store_keys[i]), value(lines, line, store_keys[i]));
	add_address(out, value(t, row, "offset"));
	add_place(out, t, row);
	add_keys(out, t, row, &p->w);
	for (size_t i = 0; i < ARRAY_SIZE(waits); i++)
		str_addf(out, "  %8.0f", table_cell(t, row, waits[i])->d);
	add_value(out, 7, value(t, row, "load_hits") + value(t, row, "store_refs"));
	add_cell(out, t, row, "cpus", 8);
	add_code(out, t, row, &p->w, p->view);
	str_add(out, "  ");
	if (p->view->node_info == 1)
		add_node_shares(out, t, row, p->tables->n_nodes);
	else
		add_nodes(out, t, row, p->view);
	str_addch(out, '\n');
	if (row->tree)
		text_call_tree(out, row->tree, &(struct text_opts){
			.chain = p->view->chain, .total = c2c_line_period(p->tables, p->i) });
}

static void add_line_accesses(struct str *out, struct place *p)
{
	static const char rule[] =
		"  ----------------------------------------------------------------------\n";
	const struct table *lines = &p->tables->lines, *t = p->rows;
	const struct table_row *line = &lines->rows.v[p->i];
	const struct kinds *k = &kinds[p->view->display];

	p->w = widths_of(t, p->view);
	str_add(out, p->i ? "\n" : "");
	str_addf(out, "%s  %5zu", rule, p->i);
	add_cell(out, lines, line, k->remote, 7);
	add_cell(out, lines, line, k->local, 7);
	for (size_t i = 0; i < ARRAY_SIZE(store_keys); i++)
		add_cell(out, lines, line, store_keys[i], 7);
	add_address(out, value(lines, line, "address"));
	str_addf(out, "\n%s", rule);
	for vec_each(row, &t->rows)
		if (!row->hidden)
			add_access(out, p, row);
}

void c2c_add_lines(struct str *out, const struct c2c_tables *t, const struct c2c_view *v)
{
	struct place p = { .tables = t, .view = v };

	str_addch(out, '\n');
	c2c_add_title(out, "           Shared Data Cache Line Table");
	add_line_titles(out, v);
	for (size_t i = 0; i < t->lines.rows.n; i++)
		add_line(out, t, i, v);
	str_addch(out, '\n');
	c2c_add_title(out, "      Shared Cache Line Distribution Pareto");
	for (p.i = 0; p.i < t->lines.rows.n; p.i++) {
		struct table rows = { 0 };

		c2c_rows(t, p.i, &rows);
		p.rows = &rows;
		if (!p.i)
			add_row_titles(out, &rows, v);
		add_line_accesses(out, &p);
		table_release(&rows);
	}
}

