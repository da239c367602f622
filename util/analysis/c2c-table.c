// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/analysis/c2c-priv.h"
#include "util/analysis/hist/keys.h"
#include "util/base/num.h"
#include "util/stream/frame.h"

#define LEAST_PCT 0.0005	/* lines below it count as not shared */

/* --- orders */

#define CMP(a, b) do { if ((a) != (b)) return (a) < (b) ? -1 : 1; } while (0)

static int cmp_lines(const void *a, const void *b, void *opts)
{
	const struct c2c_line *x = *(const struct c2c_line *const *)a,
		*y = *(const struct c2c_line *const *)b;
	const enum c2c_display d = ((const struct c2c_opts *)opts)->display;

	CMP(c2c_shown(&y->counts, d), c2c_shown(&x->counts, d));
	CMP(x->cpumode, y->cpumode);
	CMP(y->mapped, x->mapped);
	CMP(x->maj, y->maj);
	CMP(x->min, y->min);
	CMP(x->ino, y->ino);
	CMP(x->ino_gen, y->ino_gen);
	CMP(x->pid, y->pid);
	CMP(x->at_addr, y->at_addr);
	return 0;
}

static int cmp_rows(const void *a, const void *b, void *opts)
{
	const struct c2c_row *x = *(const struct c2c_row *const *)a,
		*y = *(const struct c2c_row *const *)b;
	const struct c2c_opts *o = opts;

	CMP(x->off, y->off);
	CMP(c2c_shown(&y->counts, o->display), c2c_shown(&x->counts, o->display));
	if (o->by_pid)
		CMP(y->pid, x->pid);
	if (o->by_tid)
		CMP(x->tid, y->tid);
	if (o->by_code)
		CMP(x->code.va, y->code.va);
	if (o->by_dso)
		return strcmp(x->code.dso ? x->code.dso->short_name : "",
			      y->code.dso ? y->code.dso->short_name : "");
	return 0;
}

/* --- columns */

struct count_column { const char *key; enum c2c_count what; };
static const struct count_column line_counts[] = {
	{ "samples", C2C_RECORDS }, { "loads", C2C_LOADS }, { "stores", C2C_STORES },
	{ "hitm_local", C2C_LCL_HITM }, { "hitm_remote", C2C_RMT_HITM },
	{ "peer_local", C2C_LCL_PEER }, { "peer_remote", C2C_RMT_PEER },
	{ "stores_l1_hit", C2C_ST_L1_HIT }, { "stores_l1_miss", C2C_ST_L1_MISS },
	{ "stores_no_level", C2C_ST_NO_LEVEL }, { "loads_fill_buffer", C2C_LD_FB },
	{ "loads_l1", C2C_LD_L1 }, { "loads_l2", C2C_LD_L2 }, { "loads_llc", C2C_LD_LLC },
	{ "loads_remote_cache", C2C_RMT_HIT }, { "loads_local_dram", C2C_LCL_DRAM },
	{ "loads_remote_dram", C2C_RMT_DRAM },
};
static const char *const wait_keys[C2C_N_WAITS] = {
	"cycles_hitm_remote", "cycles_hitm_local", "cycles_peer_remote", "cycles_peer_local",
	"cycles_load",
};

static void add_places(struct table *t)
{
	table_add_column(t, "node", "Node");
	table_add_column(t, "physical_addresses", "PA cnt");
	table_add_column(t, "cpus", "cpu cnt");
}

static void add_columns(struct table *t)
{
	/* what upstream counts as loads and stores: where each hit, an access may be several */
	table_add_column(t, "load_hits", "Loads");
	table_add_column(t, "store_refs", "Stores");
	for (size_t i = 0; i < ARRAY_SIZE(line_counts); i++)
		table_add_column(t, line_counts[i].key, line_counts[i].key);
}

static void line_columns(struct table *t)
{
	t->key = "cache_lines";
	table_add_column(t, "address", "Cacheline");
	add_places(t);
	add_columns(t);
}

static void row_columns(const struct c2c_opts *o, struct table *t)
{
	static const char *const lists[] = { "node_cpus", "node_shown", "node_stores" };

	t->key = "accesses";
	table_add_column(t, "offset", "Offset");
	add_places(t);
	if (o->by_pid)
		table_add_column(t, "pid", "Pid");
	if (o->by_tid) {
		table_add_column(t, "tid", "Tid");
		table_add_column(t, "comm", "Command");
	}
	if (o->by_code) {
		table_add_column(t, "code_address", "Code address");
		table_add_column(t, "symbol", "Symbol");
	}
	if (o->by_code || o->by_dso)
		table_add_column(t, "dso", "Shared Object");
	if (o->by_code)
		table_add_column(t, "source_line", "Source:Line");
	for (size_t i = 0; i < C2C_N_WAITS; i++)
		table_add_column(t, wait_keys[i], wait_keys[i])->decimals = 2;
	add_columns(t);
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		table_add_column(t, lists[i], lists[i])->form = COL_NOT_IN_CSV;
}

/* --- cells */

static u64 n_cpus(const struct c2c *c, const struct c2c_place *p)
{
	u64 n = 0;

	for (size_t i = 0; i < c2c_cpu_words(c); i++)
		n += (u64)__builtin_popcountll(p->cpus[i]);
	return n;
}

static struct cell *place_cells(const struct c2c *c, const struct c2c_place *p, struct cell *cell)
{
	*cell++ = p->node >= 0 ? cell_int(p->node) : (struct cell){ .kind = CELL_NONE };
	*cell++ = cell_count(p->n_phys);
	*cell++ = cell_count(n_cpus(c, p));
	return cell;
}

static struct cell *count_cells(const struct c2c_counts *n, struct cell *cell)
{
	*cell++ = cell_count(c2c_load_hits(n));
	*cell++ = cell_count(c2c_store_refs(n));
	for (size_t i = 0; i < ARRAY_SIZE(line_counts); i++)
		*cell++ = cell_count(n->n[line_counts[i].what]);
	return cell;
}

static const char *line_text(struct table *t, const struct location *l)
{
	struct srcline at = { 0 };
	struct str s = STR_INIT;
	const char *text;

	if (!l->dso || !dso_srcline(l->dso, l->rva, &at) || !at.file)
		return NULL;
	srcline_add_short(&s, &at);
	text = table_text(t, str_cstr(&s));
	str_release(&s);
	return text;
}

static struct cell *key_cells(const struct c2c_opts *o, const struct c2c_row *r, struct table *t,
			      struct cell *cell)
{
	if (o->by_pid)
		*cell++ = cell_int((s32)r->pid);
	if (o->by_tid) {
		*cell++ = cell_int((s32)r->tid);
		*cell++ = cell_text(r->comm);
	}
	if (o->by_code) {
		*cell++ = cell_addr(r->code.va);
		*cell++ = (struct cell){ .kind = CELL_SYM, .level = hist_level(r->code.cpumode),
					 .text = r->code.sym ? r->code.sym->name : NULL };
	}
	if (o->by_code || o->by_dso)
		*cell++ = cell_text(r->code.dso ? r->code.dso->short_name : NULL);
	if (o->by_code)
		*cell++ = cell_text(line_text(t, &r->code));
	return cell;
}

/* The CPUs of a node that took part; the caller frees. */
static void cpus_of(const struct c2c *c, const struct c2c_row *r, int node, int_vec *out)
{
	for (size_t i = 0; i < c->opts.n_cpus; i++)
		if (c->opts.nodes[i] == node && r->at.cpus[i / 64] >> (i % 64) & 1)
			vec_push(out, (int)i);
}

static struct table *new_list(struct table *t)
{
	struct table *list = table_new_list(t);

	table_add_column(list, "node", "node");
	table_add_column(list, "value", "value");
	return list;
}

static void node_cells(const struct c2c *c, const struct c2c_row *r, struct table *t,
		       struct cell *cell)
{
	struct table *lists[3];

	for (int i = 0; i < 3; i++) {
		lists[i] = new_list(t);
		cell[i] = cell_list(lists[i]);
	}
	for (size_t node = 0; node < c->n_nodes; node++) {
		const u64 counts[3] = { 0, r->nodes[node].shown, r->nodes[node].stores };
		int_vec cpus = { NULL, 0, 0 };
		struct str text = STR_INIT;

		cpus_of(c, r, (int)node, &cpus);
		str_add_int_list(&text, cpus.v, cpus.n);
		for (int i = 0; i < 3 && cpus.n; i++) {
			struct table_row *row = table_add_row(lists[i]);
			char name[24];

			snprintf(name, sizeof(name), "%zu", node);
			row->cells[0] = cell_text(table_text(lists[i], name));
			row->cells[1] = i ? cell_count(counts[i]) :
				cell_text(table_text(lists[i], str_cstr(&text)));
		}
		str_release(&text);
		vec_free(&cpus);
	}
}

/* --- tables */

static void add_tree(const struct c2c *c, const struct c2c_line *l, const struct c2c_row *r,
		     struct call_tree *out)
{
	const struct chain_opts *o = c->opts.chain;
	const bool of_parent = o->mode == CHAIN_FRACTAL;
	struct stack_tree t;

	stack_tree_init(&t, &c->stacks);
	if (of_parent)
		t.min_pct = o->min_pct;
	for vec_each(at, &r->stacks) {
		const struct cct_node *n = &c->by_stack.nodes.v[*at];

		stack_tree_count(&t, stack_tree_add(&t, 0, n->tag, !o->caller), n->self,
				 n->self_n);
	}
	stack_tree_finish(&t, of_parent ? 0 : u64_of((double)l->period * o->min_pct / 100), out);
}

static void add_row(const struct c2c *c, const struct c2c_line *l, const struct c2c_row *r,
		    struct table *t)
{
	struct table_row *row = table_add_row(t);
	struct cell *cell = row->cells;

	*cell++ = cell_addr(r->off);
	cell = place_cells(c, &r->at, cell);
	cell = key_cells(&c->opts, r, t, cell);
	for (size_t i = 0; i < C2C_N_WAITS; i++)
		*cell++ = cell_num(r->waits[i].n ? (double)r->waits[i].sum / (double)r->waits[i].n :
				   0, -1);
	cell = count_cells(&r->counts, cell);
	row->hidden = !c2c_shown(&r->counts, c->opts.display) && !r->counts.n[C2C_STORES];
	if (row->hidden)
		return;
	node_cells(c, r, t, cell);
	if (r->stacks.n) {
		row->tree = table_new_tree(t);
		add_tree(c, l, r, row->tree);
	}
}

static bool is_shown(const struct c2c *c, const struct c2c_line *l)
{
	const u64 all = c2c_shown(&c->total, c->opts.display);

	return c->opts.all || (all && 100.0 * (double)c2c_shown(&l->counts, c->opts.display) /
			       (double)all > LEAST_PCT);
}

static void add_line(const struct c2c *c, struct c2c_line *l, struct c2c_tables *out)
{
	struct cell *cell = table_add_row(&out->lines)->cells;

	*cell++ = cell_addr(l->addr);
	cell = place_cells(c, &l->at, cell);
	count_cells(&l->counts, cell);
	vec_push(&out->shown, l);
}

void c2c_rows(const struct c2c_tables *t, size_t i, struct table *out)
{
	struct c2c *c = t->model;
	struct c2c_line *l = t->shown.v[i];

	row_columns(&c->opts, out);
	if (l->order.n)
		qsort_r(l->order.v, l->order.n, sizeof(*l->order.v), cmp_rows, &c->opts);
	for vec_each(r, &l->order)
		add_row(c, l, *r, out);
}

static void sum_shared(const struct c2c_line *l, struct c2c_tables *out)
{
	if (!c2c_hitm(&l->counts) && !c2c_peer(&l->counts))
		return;
	out->n_shared++;
	c2c_add_counts(&out->of_shared, &l->counts);
}

void c2c_tables(struct c2c *c, struct c2c_tables *out)
{
	out->model = c;
	out->total = c->total;
	out->n_nodes = c->n_nodes;
	line_columns(&out->lines);
	if (c->lines.n)
		qsort_r(c->lines.v, c->lines.n, sizeof(*c->lines.v), cmp_lines, &c->opts);
	for vec_each(l, &c->lines) {
		sum_shared(*l, out);
		if (is_shown(c, *l))
			add_line(c, *l, out);
	}
}

u64 c2c_line_period(const struct c2c_tables *t, size_t i)
{
	return t->shown.v[i]->period;
}

void c2c_tables_release(struct c2c_tables *t)
{
	table_release(&t->lines);
	vec_free(&t->shown);
}
