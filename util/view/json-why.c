// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The JSON renderer of waits, for the page of perf flame: a list of
 *	{ "comm", "tid", "from" (ns), "delay" (ns), "lost", "first" (its first cause),
 *	  "causes": [[share, ns, parts, text], ...],
 *	  "chain": [[ns from the beginning, ns, depth, what, kind, task, text], ...] }
 * what: 1: a part of those that add up to delay; 0: a wait that holds the following ones of greater
 * depth; 2: parts that are left out, together, which have no kind and no task.
 */
#include <stdlib.h>

#include "util/base/json.h"
#include "util/view/why-text.h"

enum { WAIT_ROW, PART_ROW, LEFT_OUT_ROW };

struct chain_row {
	u64 at_ns, ns;
	s64 depth;
	u64 what;
	const char *kind, *task, *text;
};

static void add_row(struct json *j, const struct chain_row *r)
{
	json_open(j, '[');
	json_u64(j, r->at_ns);
	json_u64(j, r->ns);
	json_s64(j, r->depth);
	json_u64(j, r->what);
	json_str(j, r->kind);
	json_str(j, r->task);
	json_str(j, r->text);
	json_close(j, ']');
}

static void add_kept(struct json *j, const struct table *t, const struct table_row *row,
		     u64 from_ns)
{
	const struct cell *kind = table_cell(t, row, "kind");
	struct str task = STR_INIT;

	str_addf(&task, "%s %lld", table_cell(t, row, "comm")->text,
		 (long long)table_cell(t, row, "tid")->s);
	add_row(j, &(struct chain_row){ .at_ns = table_cell(t, row, "from_ns")->u - from_ns,
					.ns = table_cell(t, row, "time_ns")->u,
					.depth = table_cell(t, row, "depth")->s,
					.what = table_cell(t, row, "part")->u ? PART_ROW : WAIT_ROW,
					.kind = kind->text ? kind->text : "",
					.task = str_cstr(&task),
					.text = table_cell(t, row, "what")->text });
	str_release(&task);
}

struct gap { u64 n, ns, at_ns; };

static void add_gap(struct json *j, struct gap *g, s64 depth)
{
	struct str text = STR_INIT;

	if (g->n) {
		why_add_left_out(&text, g->n);
		add_row(j, &(struct chain_row){ g->at_ns, g->ns, depth, LEFT_OUT_ROW, "", "",
						str_cstr(&text) });
	}
	*g = (struct gap){ 0 };
	str_release(&text);
}

static void add_chain(struct json *j, const struct table *t, u64 from_ns, int max)
{
	bool *kept = why_choose_parts(t, max);
	struct gap g = { 0 };
	s64 depth = 0;

	json_key(j, "chain");
	json_open(j, '[');
	for (size_t i = 0; i < t->rows.n; i++) {
		const struct table_row *row = &t->rows.v[i];
		const u64 at_ns = table_cell(t, row, "from_ns")->u - from_ns;

		if (kept[i]) {
			add_gap(j, &g, depth);
			add_kept(j, t, row, from_ns);
		} else if (table_cell(t, row, "part")->u) {
			depth = table_cell(t, row, "depth")->s;
			g.at_ns = g.n ? g.at_ns : at_ns;
			g.ns += table_cell(t, row, "time_ns")->u;
			g.n++;
		}
	}
	add_gap(j, &g, depth);
	json_close(j, ']');
	free(kept);
}

static void add_causes(struct json *j, const struct table *t)
{
	json_key(j, "causes");
	json_open(j, '[');
	for vec_each(row, &t->rows) {
		json_open(j, '[');
		json_fixed(j, table_cell(t, row, "share")->d, 2);
		json_u64(j, table_cell(t, row, "time_ns")->u);
		json_u64(j, table_cell(t, row, "count")->u);
		json_str(j, table_cell(t, row, "cause")->text);
		json_close(j, ']');
	}
	json_close(j, ']');
}

static void add_wait(struct json *j, const struct why_tables *t, int max_parts)
{
	const struct table *f = &t->facts;
	const struct table_row *row = f->rows.v;
	const char *first = table_cell(f, row, "first_cause")->text;

	json_open(j, '{');
	json_key_str(j, "comm", table_cell(f, row, "comm")->text);
	json_key(j, "tid");
	json_s64(j, table_cell(f, row, "tid")->s);
	json_key_u64(j, "from", table_cell(f, row, "from_ns")->u);
	json_key_u64(j, "delay", table_cell(f, row, "delay_ns")->u);
	json_key_u64(j, "lost", table_cell(f, row, "lost")->u);
	json_key_str(j, "first", first ? first : "");
	add_causes(j, &t->causes);
	add_chain(j, &t->chain, table_cell(f, row, "from_ns")->u, max_parts);
	json_close(j, '}');
}

void why_json(struct str *out, const struct why_tables *t, size_t n, int max_parts)
{
	struct json j;

	json_init(&j, out);
	json_open(&j, '[');
	for (size_t i = 0; i < n; i++)
		add_wait(&j, &t[i], max_parts);
	json_close(&j, ']');
}
