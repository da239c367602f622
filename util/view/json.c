// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/json.h"
#include "util/base/num.h"
#include "util/view/draw-priv.h"

/* json.h nests 63 deep at most, so what branches more often than that is left out. Frames
 * without a branch between them share one object. */
#define MAX_DEPTH 25

struct json_state {
	struct json j;
	/* keys of arrays that are open, by depth; NULL: none at that depth now */
	VEC(const char *) groups;
	/* of rows without an object around them: facts of the groups that they are in */
	VEC(const struct table *) lead;
	bool begun;
};

/* Upstream's spellings; a NULL is the plain one. */
static const struct style { const char *between, *colon, *open, *row_open, *row_close, *close;
			    } styles[] = {
	[DRAW_JSON_OBJECT] = { .open = "" },
	[DRAW_JSON_ROWS] = { NULL, NULL, "", "", "\n", "" },
	[DRAW_JSON_LINES] = { ", ", " : ", "", "", "\n", "" },
	[DRAW_JSON_ARRAY] = { ",\n\t", ": ", "[", "\n\t", "\n", "\n]\n" },
};

static const struct style *style_of(const struct draw *d) { return &styles[d->opts.json]; }

static void *json_begin(struct draw *d)
{
	struct json_state *s = xcalloc(1, sizeof(*s));

	json_init(&s->j, d->out);
	s->j.between = style_of(d)->between;
	s->j.colon = style_of(d)->colon;
	vec_push(&s->groups, NULL);
	if (d->opts.json == DRAW_JSON_OBJECT)
		json_open(&s->j, '{');
	else
		str_add(d->out, style_of(d)->open);
	return s;
}

static void add_number_text(struct json *j, const struct column *c, const struct cell *cell)
{
	struct str s = STR_INIT;

	if (cell->kind == CELL_NUM)
		str_addf(&s, "%.*f", c->json_decimals ? c->json_decimals : data_decimals(c, cell),
			 cell->d);
	else if (cell->kind == CELL_INT)
		str_addf(&s, "%lld", (long long)cell->s);
	else
		str_add_u64(&s, cell->u);
	json_strn(j, s.buf, s.len);
	str_release(&s);
}

static void add_seconds(struct json *j, u64 ns, int decimals)
{
	struct str s = STR_INIT;

	str_add_time(&s, ns, decimals);
	json_raw(j, str_cstr(&s));
	str_release(&s);
}

static void add_cell(struct json *j, const struct column *c, const struct cell *cell);

/* One column: its values. Two: an object, names and values. */
static void add_list(struct json *j, const struct table *list)
{
	const bool map = list->cols.n > 1;

	json_open(j, map ? '{' : '[');
	for vec_each(row, &list->rows) {
		if (map)
			json_key(j, row->cells[0].text ? row->cells[0].text : "");
		add_cell(j, &list->cols.v[map], &row->cells[map]);
	}
	json_close(j, map ? '}' : ']');
}

static void add_address_text(struct json *j, u64 va)
{
	char text[24] = "0x";
	struct str s = STR_INIT;

	str_add(&s, text);
	str_add_hex(&s, va, 1);
	json_strn(j, s.buf, s.len);
	str_release(&s);
}

static void add_cell(struct json *j, const struct column *c, const struct cell *cell)
{
	if (c->form & COL_JSON_TEXT && cell->kind != CELL_TEXT) {
		add_number_text(j, c, cell);
		return;
	}
	switch ((enum cell_kind)cell->kind) {
	case CELL_NONE:
	case CELL_ABSENT:
		json_str(j, NULL);
		break;
	case CELL_TEXT:
	case CELL_SYM:
		json_str(j, cell->text);
		break;
	case CELL_NS:
		if (c->form & COL_SECONDS) {
			add_seconds(j, cell->u, c->decimals);
			break;
		}
		/* fallthrough */
	case CELL_COUNT:
	case CELL_BYTES:
	case CELL_ADDR:
		json_u64(j, cell->u);
		break;
	case CELL_INT:
		json_s64(j, cell->s);
		break;
	case CELL_BOOL:
		json_bool(j, cell->u);
		break;
	case CELL_PCT:
		json_fixed(j, cell->d, c->json_decimals ? c->json_decimals : 4);
		break;
	case CELL_NUM:
		json_fixed(j, cell->d, c->json_decimals ? c->json_decimals :
			   data_decimals(c, cell));
		break;
	case CELL_TASK:
		json_open(j, '{');
		json_key_u64(j, "id", cell->u);
		json_key_str(j, "comm", cell->text);
		json_close(j, '}');
		break;
	case CELL_LIST:
		add_list(j, cell->list);
		break;
	}
}

static void add_frame(struct json *j, const struct call_node *n)
{
	struct str s = STR_INIT;

	if (!n->name) {
		add_address_text(j, n->va);
		return;
	}
	str_addf(&s, "%s%s", n->name, n->inlined ? " (inlined)" : "");
	json_strn(j, str_cstr(&s), s.len);
	str_release(&s);
}

/* The next frame of the same object; NULL: there is none. */
static const struct call_node *next_joined(const struct call_tree *t, const struct call_node *n)
{
	const struct call_node *child = n->first_child ? &t->nodes.v[n->first_child] : NULL;

	return child && child->joined ? child : NULL;
}

static void add_branch(struct json *j, const struct branch_counts *c)
{
	const struct { const char *key; u64 n; } counts[] = {
		{ "targets", c->targets }, { "predicted", c->predicted }, { "aborts", c->aborts },
		{ "sources", c->sources }, { "cycles", c->cycles }, { "iterations", c->rounds },
		{ "iteration_cycles", c->round_cycles }, { "calls", c->calls },
	};

	json_open(j, '{');
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		if (counts[i].n)
			json_key_u64(j, counts[i].key, counts[i].n);
	json_close(j, '}');
}

/* What branches did whose ends frames are: as many as frames. */
static void add_branches(struct json *j, const struct call_tree *t, const struct call_node *n)
{
	bool any = false;

	for (const struct call_node *k = n; k && !any; k = next_joined(t, k))
		any = k->ends;
	if (!any)
		return;
	json_key(j, "branches");
	json_open(j, '[');
	for (; n; n = next_joined(t, n))
		if (n->ends)
			add_branch(j, &t->ends.v[n->ends - 1]);
		else
			json_raw(j, "null");
	json_close(j, ']');
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
		for (const struct call_node *f = n; f; f = next_joined(t, f))
			add_frame(j, f);
		json_close(j, ']');
		add_branches(j, t, n);
		while (next_joined(t, n))
			n = next_joined(t, n);
		if (n->first_child) {
			json_key(j, "children");
			add_nodes(j, t, n->first_child, depth + 1);
		}
		json_close(j, '}');
	}
	json_close(j, ']');
}

/* "task.comm": members of one object are side by side. open: the prefix of the object that is
 * open, n_open bytes. */
static const char *enter(struct json *j, const char *key, const char **open, size_t *n_open)
{
	const char *dot = strchr(key, '.');
	const size_t n = dot ? (size_t)(dot - key) : 0;

	if (n == *n_open && (!n || !memcmp(key, *open, n)))
		return dot ? dot + 1 : key;
	if (*n_open)
		json_close(j, '}');
	*open = key;
	*n_open = n;
	if (n) {
		char *prefix = xstrndup(key, n);

		json_key(j, prefix);
		json_open(j, '{');
		free(prefix);
	}
	return dot ? dot + 1 : key;
}

static void add_symbol_members(struct json *j, const struct cell *symbol)
{
	if (symbol->suffix_inlined) {
		json_key(j, "inlined");
		json_bool(j, true);
	}
	if (symbol->reason)
		json_key_str(j, "unknown", symbol->reason);
}

static void add_members(struct json *j, const struct table *t, const struct table_row *row)
{
	const char *open = "";
	size_t n_open = 0;

	for (size_t i = 0, span; i < t->cols.n; i += span) {
		const struct column *c = &t->cols.v[i];

		span = column_span(c);
		if (c->form & COL_NOT_IN_JSON || row->cells[i].kind == CELL_ABSENT)
			continue;
		json_key(j, enter(j, c->key, &open, &n_open));
		if (span > 1)
			json_open(j, '[');
		for (size_t m = 0; m < span; m++)
			add_cell(j, c, &row->cells[i + m]);
		if (span > 1)
			json_close(j, ']');
		if (row->cells[i].kind == CELL_SYM)
			add_symbol_members(j, &row->cells[i]);
	}
	if (n_open)
		json_close(j, '}');
	if (row->tree && row->tree->nodes.n && row->tree->nodes.v[0].first_child) {
		json_key(j, "callgraph");
		add_nodes(j, row->tree, row->tree->nodes.v[0].first_child, 0);
	}
}

/* Ends the array of groups at this depth. */
static void close_groups(struct json_state *s)
{
	if (!*vec_last(&s->groups))
		return;
	str_add(s->j.out, "\n");
	json_close(&s->j, ']');
	*vec_last(&s->groups) = NULL;
}

static void json_facts(struct draw *d, const struct table *t)
{
	struct json_state *s = d->state;

	close_groups(s);
	if (t->rows.n)
		add_members(&s->j, t, &t->rows.v[0]);
}

/* A row or group: on a line of its own. */
static void open_element(struct json *j)
{
	json_open(j, '{');
	/* the line's end goes before the brace, after the comma */
	j->out->buf[j->out->len - 1] = '\n';
	str_addch(j->out, '{');
}

static void json_group_begin(struct draw *d, const char *key, const struct table *facts)
{
	struct json_state *s = d->state;
	const char *open = *vec_last(&s->groups);

	if (d->opts.json != DRAW_JSON_OBJECT) {
		vec_push(&s->lead, facts);
		return;
	}
	if (!open || strcmp(open, key)) {
		close_groups(s);
		json_key(&s->j, key);
		json_open(&s->j, '[');
		*vec_last(&s->groups) = key;
	}
	open_element(&s->j);
	vec_push(&s->groups, NULL);
	if (facts && facts->rows.n)
		add_members(&s->j, facts, &facts->rows.v[0]);
}

static void json_group_end(struct draw *d)
{
	struct json_state *s = d->state;

	if (d->opts.json != DRAW_JSON_OBJECT) {
		(void)vec_pop(&s->lead);
		return;
	}
	close_groups(s);
	(void)vec_pop(&s->groups);
	json_close(&s->j, '}');
}

static void json_table_begin(struct draw *d, const struct table *t)
{
	struct json_state *s = d->state;

	if (d->opts.json != DRAW_JSON_OBJECT)
		return;
	close_groups(s);
	json_key(&s->j, t->key ? t->key : "rows");
	json_open(&s->j, '[');
}

static void json_row(struct draw *d, const struct table *t, const struct table_row *row)
{
	struct json_state *s = d->state;
	const struct style *style = style_of(d);

	if (d->opts.json == DRAW_JSON_OBJECT) {
		open_element(&s->j);
		add_members(&s->j, t, row);
		json_close(&s->j, '}');
		s->begun = true;
		return;
	}
	/* each row begins anew: what is between them is the style's */
	if (d->opts.json == DRAW_JSON_ARRAY)
		str_add(d->out, s->begun ? ",\n" : "\n");
	s->j.comma = 0;
	s->j.depth = 0;
	s->begun = true;
	json_open(&s->j, '{');
	str_add(d->out, style->row_open);
	for vec_each(facts, &s->lead)
		if (*facts && (*facts)->rows.n)
			add_members(&s->j, *facts, &(*facts)->rows.v[0]);
	add_members(&s->j, t, row);
	if (d->opts.json == DRAW_JSON_ARRAY)
		str_add(d->out, style->row_close);
	json_close(&s->j, '}');
	if (d->opts.json != DRAW_JSON_ARRAY)
		str_add(d->out, style->row_close);
}

static void json_table_end(struct draw *d, const struct table *t UNUSED)
{
	struct json_state *s = d->state;

	if (d->opts.json != DRAW_JSON_OBJECT)
		return;
	str_addch(d->out, '\n');
	json_close(&s->j, ']');
}

static void json_end(struct draw *d)
{
	struct json_state *s = d->state;

	if (d->opts.json == DRAW_JSON_OBJECT) {
		close_groups(s);
		json_close(&s->j, '}');
		str_addch(d->out, '\n');
	} else {
		str_add(d->out, style_of(d)->close);
	}
	vec_free(&s->groups);
	vec_free(&s->lead);
	free(s);
}

const struct draw_ops draw_json = {
	json_begin, json_facts, json_group_begin, json_group_end, json_table_begin, json_row,
		json_table_end, json_end,
};
