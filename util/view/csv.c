// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "util/base/csv.h"
#include "util/base/num.h"
#include "util/view/draw-priv.h"

struct csv {
	/* values of the groups around, each with a separator after */
	struct str lead;
	struct str lead_keys;
	struct str keys;		/* the line of keys that is above the rows */
	struct str facts;		/* for the end: tables of one row */
	struct str line;		/* scratch */
	VEC(size_t) lead_at, lead_keys_at;	/* where each group's begin */
	size_t n_tables;
};

static void *csv_begin(struct draw *d UNUSED) { return xcalloc(1, sizeof(struct csv)); }

static void add_value(struct str *out, const char *sep, const struct column *c,
		      const struct cell *cell);

/* "a b", "ENOENT=3 EAGAIN=1": one field, quoted as a whole. */
static void add_list(struct str *out, const char *sep, const struct table *list)
{
	struct str s = STR_INIT;

	for vec_each(row, &list->rows) {
		if (row != list->rows.v)
			str_addch(&s, ' ');
		for (size_t i = 0; i < list->cols.n; i++) {
			if (i)
				str_addch(&s, '=');
			if (row->cells[i].kind == CELL_TEXT)
				str_add(&s, row->cells[i].text ? row->cells[i].text : "");
			else
				add_value(&s, "", &list->cols.v[i], &row->cells[i]);
		}
	}
	csv_add_text(out, sep, str_cstr(&s));
	str_release(&s);
}

/* What text makes of a thing with two parts: "123:name", "name (inlined)". */
static void add_composed(struct str *out, const char *sep, const struct cell *cell)
{
	struct str s = STR_INIT;

	if (cell->kind == CELL_TASK)
		str_addf(&s, "%llu:%s", (unsigned long long)cell->u, cell->text ? cell->text : "");
	else if (cell->text)
		str_addf(&s, "%s%s", cell->text, cell->suffix_inlined ? " (inlined)" : "");
	csv_add_text(out, sep, str_cstr(&s));
	str_release(&s);
}

static void add_double(struct str *out, double v, int decimals)
{
	if (isfinite(v))
		str_addf(out, "%.*f", decimals, v);
}

static void add_value(struct str *out, const char *sep, const struct column *c,
		      const struct cell *cell)
{
	switch ((enum cell_kind)cell->kind) {
	case CELL_NONE:
	case CELL_ABSENT:
		break;
	case CELL_TEXT:
		if (cell->text)
			csv_add_text(out, sep, cell->text);
		break;
	case CELL_SYM:
	case CELL_TASK:
		add_composed(out, sep, cell);
		break;
	case CELL_NS:
		if (c->form & COL_SECONDS)
			str_add_time(out, cell->u, c->decimals);
		else
			str_add_u64(out, cell->u);
		break;
	case CELL_COUNT:
	case CELL_BYTES:
	case CELL_ADDR:
		str_add_u64(out, cell->u);
		break;
	case CELL_BOOL:
		str_add(out, cell->u ? "true" : "false");
		break;
	case CELL_INT:
		str_addf(out, "%lld", (long long)cell->s);
		break;
	case CELL_PCT:
		add_double(out, cell->d, c->form & COL_PERCENT_SIGN ? c->decimals : 4);
		if (c->form & COL_PERCENT_SIGN)
			str_addch(out, '%');
		break;
	case CELL_NUM:
		add_double(out, cell->d, data_decimals(c, cell));
		break;
	case CELL_LIST:
		add_list(out, sep, cell->list);
		break;
	}
}

static void add_field(struct str *out, const char *sep, const struct column *c,
		      const struct cell *cell)
{
	const size_t from = out->len;

	add_value(out, sep, c, cell);
	if (c->form & COL_CSV_ALIGNED && out->len - from < c->width) {
		const size_t n = out->len - from, fill = c->width - n;

		str_addchn(out, ' ', fill);
		memmove(out->buf + from + fill, out->buf + from, n);
		memset(out->buf + from, ' ', fill);
	}
}

/* Keys of an event group: one for each member. */
static void add_keys(struct str *out, const char *sep, const struct table *t)
{
	for (size_t i = 0; i < t->cols.n; i++) {
		const struct column *c = &t->cols.v[i];

		if (c->form & COL_NOT_IN_CSV)
			continue;
		if (out->len)
			str_add(out, sep);
		csv_add_text(out, sep, c->key);
		if (c->n_members > 1 && !c->band)
			str_addf(out, ".%u", c->member);
	}
}

static void add_row(struct str *out, const char *sep, const struct table *t,
		    const struct table_row *row)
{
	bool first = true;

	for (size_t i = 0; i < t->cols.n; i++) {
		if (t->cols.v[i].form & COL_NOT_IN_CSV)
			continue;
		if (!first)
			str_add(out, sep);
		first = false;
		add_field(out, sep, &t->cols.v[i], &row->cells[i]);
	}
}

static void csv_facts(struct draw *d, const struct table *t)
{
	struct csv *c = d->state;
	const char *sep = d->opts.output.sep;

	if (!t->rows.n)
		return;
	str_addf(&c->facts, "\n# %s\n", t->key ? t->key : "facts");
	str_reset(&c->line);
	add_keys(&c->line, sep, t);
	str_addf(&c->facts, "%s\n", str_cstr(&c->line));
	add_row(&c->facts, sep, t, &t->rows.v[0]);
	str_addch(&c->facts, '\n');
}

static void csv_group_begin(struct draw *d, const char *key UNUSED, const struct table *facts)
{
	struct csv *c = d->state;
	const char *sep = d->opts.output.sep;

	vec_push(&c->lead_at, c->lead.len);
	vec_push(&c->lead_keys_at, c->lead_keys.len);
	if (!facts || !facts->rows.n)
		return;
	add_row(&c->lead, sep, facts, &facts->rows.v[0]);
	str_add(&c->lead, sep);
	str_reset(&c->line);
	add_keys(&c->line, sep, facts);
	str_addf(&c->lead_keys, "%s%s", str_cstr(&c->line), sep);
}

static void cut(struct str *s, size_t len)
{
	s->len = len;
	if (s->buf)
		s->buf[len] = '\0';
}

static void csv_group_end(struct draw *d)
{
	struct csv *c = d->state;

	cut(&c->lead, vec_pop(&c->lead_at));
	cut(&c->lead_keys, vec_pop(&c->lead_keys_at));
}

static void csv_table_begin(struct draw *d, const struct table *t)
{
	struct csv *c = d->state;
	struct str *line = &c->line;

	if (d->opts.no_keys)
		return;
	str_reset(line);
	add_keys(line, d->opts.output.sep, t);
	if (c->n_tables && c->keys.len == c->lead_keys.len + line->len &&
	    !memcmp(c->keys.buf, str_cstr(&c->lead_keys), c->lead_keys.len) &&
	    !memcmp(c->keys.buf + c->lead_keys.len, str_cstr(line), line->len))
		return;
	if (c->n_tables++)
		str_addf(d->out, "\n# %s\n", t->key ? t->key : "rows");
	str_reset(&c->keys);
	str_addn(&c->keys, str_cstr(&c->lead_keys), c->lead_keys.len);
	str_addn(&c->keys, str_cstr(line), line->len);
	str_addn(d->out, c->keys.buf, c->keys.len);
	str_addch(d->out, '\n');
}

static void csv_row(struct draw *d, const struct table *t, const struct table_row *row)
{
	struct csv *c = d->state;

	str_addn(d->out, str_cstr(&c->lead), c->lead.len);
	add_row(d->out, d->opts.output.sep, t, row);
	str_addch(d->out, '\n');
}

static void csv_table_end(struct draw *d UNUSED, const struct table *t UNUSED) {}

static void csv_end(struct draw *d)
{
	struct csv *c = d->state;

	/* without any table the facts are the first one */
	if (c->facts.len)
		str_add(d->out, c->n_tables ? c->facts.buf : strchr(c->facts.buf + 1, '\n') + 1);
	str_release(&c->lead);
	str_release(&c->lead_keys);
	str_release(&c->keys);
	str_release(&c->facts);
	str_release(&c->line);
	vec_free(&c->lead_at);
	vec_free(&c->lead_keys_at);
	free(c);
}

const struct draw_ops draw_csv = {
	csv_begin, csv_facts, csv_group_begin, csv_group_end, csv_table_begin, csv_row,
		csv_table_end, csv_end,
};
