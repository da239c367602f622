// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/io-text.h"

#include "util/base/num.h"
#include "util/view/draw.h"
#include "util/view/ns-hist-text.h"
#include "util/view/text.h"

static void add_text(struct str *out, const struct io_tables *t, const struct io_view *v)
{
	const struct chain_opts chain = { .mode = CHAIN_GRAPH, .caller = !v->inverted,
					  .value = CHAIN_PERCENT, .min_pct = v->min_pct };
	const struct cell *facts = t->facts.rows.v->cells;

	str_addf(out, "# %llu requests, %llu bytes, ", (unsigned long long)facts[0].u,
		 (unsigned long long)facts[1].u);
	str_add_time(out, facts[2].u, 6);
	str_add(out, " s\n#\n");
	text_table(out, &t->rows, &(struct text_opts){ .chain = &chain, .total = facts[2].u });
	if (v->histogram)
		ns_hist_add_text(out, "Times of all requests", &t->histogram);
}

void io_show(struct str *out, const struct io_tables *t, const struct io_view *v)
{
	struct draw d;

	if (!table_output_data(&v->output)) {
		add_text(out, t, v);
		return;
	}
	draw_begin(&d, &(struct draw_opts){ .output = v->output }, out);
	draw_facts(&d, &t->facts);
	draw_table(&d, &t->rows);
	draw_table(&d, &t->histogram);
	draw_end(&d);
}

static void add_cache_text(struct str *out, const struct page_cache_tables *t)
{
	static const struct { const char *key, *text; } sums[] = {
		{ "added", " bytes added, " }, { "removed", " removed, " },
		{ "written", " written back\n#\n" },
	};
	const struct table_row *row = t->facts.rows.v;

	str_add(out, "# ");
	for (size_t i = 0; i < ARRAY_SIZE(sums); i++)
		str_addf(out, "%llu%s",
			 (unsigned long long)table_cell(&t->facts, row, sums[i].key)->u,
			 sums[i].text);
	text_table(out, &t->rows, &(struct text_opts){ .total = 0 });
}

void page_cache_show(struct str *out, const struct page_cache_tables *t,
		     const struct table_output *output)
{
	struct draw d;

	if (!table_output_data(output)) {
		add_cache_text(out, t);
		return;
	}
	draw_begin(&d, &(struct draw_opts){ .output = *output }, out);
	draw_facts(&d, &t->facts);
	draw_table(&d, &t->rows);
	draw_end(&d);
}
