// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/json.h"

static void add_cell(struct json *j, const struct cell *c)
{
	switch ((enum cell_kind)c->kind) {
	case CELL_NONE:
		json_str(j, NULL);
		break;
	case CELL_TEXT:
	case CELL_SYM:
		json_str(j, c->text);
		break;
	case CELL_COUNT:
	case CELL_NS:
	case CELL_BYTES:
	case CELL_ADDR:
		json_u64(j, c->u);
		break;
	case CELL_PCT:
	case CELL_NUM:
		json_fixed(j, c->d, 4);
		break;
	case CELL_TASK:
		json_open(j, '{');
		json_key_u64(j, "id", c->u);
		json_key_str(j, "comm", c->text);
		json_close(j, '}');
		break;
	}
}

/* json.h nests 63 deep at most, so what branches more often than that is left out. Frames without a branch between them
 * share one object. */
#define MAX_DEPTH 25

static void add_frame(struct json *j, const struct call_node *n)
{
	struct str s = STR_INIT;

	if (n->name)
		str_addf(&s, "%s%s", n->name, n->inlined ? " (inlined)" : "");
	else
		str_addf(&s, "%#llx", (unsigned long long)n->va);
	json_strn(j, str_cstr(&s), s.len);
	str_release(&s);
}

static void add_nodes(struct json *j, const struct call_tree *t, u32 first, unsigned depth)
{
	json_open(j, '[');
	for (u32 k = first; k && depth < MAX_DEPTH; k = t->nodes.v[k].next) {
		const struct call_node *n = &t->nodes.v[k];

		json_open(j, '{');
		json_key_u64(j, "period", n->value);
		json_key_u64(j, "samples", n->count);
		json_key(j, "frames");
		json_open(j, '[');
		add_frame(j, n);
		while (n->first_child && t->nodes.v[n->first_child].joined) {
			n = &t->nodes.v[n->first_child];
			add_frame(j, n);
		}
		json_close(j, ']');
		if (n->first_child) {
			json_key(j, "children");
			add_nodes(j, t, n->first_child, depth + 1);
		}
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void add_row(struct json *j, const struct table *t, const struct table_row *row)
{
	json_open(j, '{');
	for (size_t i = 0, span; i < t->cols.n; i += span) {
		const struct column *c = &t->cols.v[i];

		span = c->n_members > 1 ? c->n_members : 1;
		json_key(j, c->key);
		if (span > 1)
			json_open(j, '[');
		for (size_t m = 0; m < span; m++)
			add_cell(j, &row->cells[i + m]);
		if (span > 1)
			json_close(j, ']');
		if (row->cells[i].kind == CELL_SYM && row->cells[i].suffix_inlined) {
			json_key(j, "inlined");
			json_bool(j, true);
		}
	}
	if (row->tree && row->tree->nodes.n && row->tree->nodes.v[0].first_child) {
		json_key(j, "callgraph");
		add_nodes(j, row->tree, row->tree->nodes.v[0].first_child, 0);
	}
	json_close(j, '}');
}

void json_table(struct json *j, const struct table *t)
{
	json_open(j, '[');
	for (size_t r = 0; r < t->rows.n; r++)
		if (!t->rows.v[r].hidden)
			add_row(j, t, &t->rows.v[r]);
	json_close(j, ']');
}
