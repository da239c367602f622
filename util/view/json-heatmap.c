// SPDX-License-Identifier: GPL-2.0-or-later
// The JSON renderer of heat maps: their cells, as programs and the page take them.
#include "util/view/heatmap-draw.h"

#include "util/base/json.h"

static void add_summary(struct json *j, const struct heat_summary *s)
{
	static const char *const keys[HEAT_N_PCT] = { "p50_ns", "p90_ns", "p99_ns", "p999_ns" };

	json_key_u64(j, "n", s->n);
	for (size_t i = 0; i < HEAT_N_PCT; i++)
		json_key_u64(j, keys[i], s->pct[i]);
	json_key_u64(j, "max_ns", s->max_ns);
}

static void add_columns(struct json *j, const struct heatmap *h)
{
	json_key(j, "columns");
	json_open(j, '[');
	for vec_each(s, &h->cols) {
		json_open(j, '{');
		json_key_u64(j, "from_ns", h->from_ns + (u64)(s - h->cols.v) * h->col_ns);
		add_summary(j, s);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void add_pairs(struct json *j, const struct heatmap *h, const struct pairs_stats *p)
{
	json_key(j, "latency");
	json_open(j, '{');
	add_summary(j, &h->all);
	json_close(j, '}');
	json_key_u64(j, "starts", p->n_starts);
	json_key_u64(j, "ends", p->n_ends);
	json_key_u64(j, "unpaired_starts", p->n_open);
	json_key_u64(j, "unpaired_ends", p->n_lone);
	json_key_u64(j, "without_fields", p->n_bad);
	add_columns(j, h);
}

void heatmap_json(const struct heatmap *h, const struct pairs_stats *pairs,
		  const struct heatmap_look *l, struct str *out)
{
	static const char *const scales[] = { [HEAT_OFFSET] = "offset", [HEAT_LINEAR] = "linear",
					      [HEAT_LOG2] = "log2" };
	struct json j;

	json_init(&j, out);
	json_open(&j, '{');
	json_key_str(&j, "title", l->title);
	json_key_str(&j, "subtitle", l->subtitle);
	json_key_str(&j, "what", l->what);
	json_key_str(&j, "scale", scales[h->scale]);
	json_key_u64(&j, "from_ns", h->from_ns);
	json_key_u64(&j, "column_ns", h->col_ns);
	if (h->scale != HEAT_LOG2)
		json_key_u64(&j, "row_ns", h->row_ns);
	json_key_u64(&j, "n_columns", h->n_cols);
	json_key_u64(&j, "n_rows", h->n_rows);
	json_key_u64(&j, "n", h->all.n);
	if (pairs)
		add_pairs(&j, h, pairs);
	/* column, row, how many; empty ones are left out */
	json_key(&j, "cells");
	json_open(&j, '[');
	for vec_each(c, &h->cells) {
		json_open(&j, '[');
		json_u64(&j, c->col);
		json_u64(&j, c->row);
		json_u64(&j, c->n);
		json_close(&j, ']');
	}
	json_close(&j, ']');
	json_close(&j, '}');
	str_addch(out, '\n');
}
