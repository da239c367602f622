// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/off-cpu-text.h"

#include "util/base/num.h"
#include "util/view/draw.h"
#include "util/view/text.h"

static void add_text(struct str *out, const struct off_stacks_tables *t,
		     const struct off_cpu_view *v)
{
	const struct chain_opts chain = { .mode = CHAIN_GRAPH, .caller = !v->inverted,
					  .value = CHAIN_PERCENT, .min_pct = v->min_pct };
	const struct cell *facts = t->facts.rows.v->cells;

	str_add(out, "# Off-CPU time: ");
	str_add_time(out, facts[0].u, 6);
	str_addf(out, " s in %llu waits of %llu tasks\n#\n", (unsigned long long)facts[1].u,
		 (unsigned long long)facts[2].u);
	text_table(out, &t->rows, &(struct text_opts){ .chain = &chain, .total = t->total_ns });
}

void off_cpu_show(struct str *out, const struct off_stacks_tables *t,
		  const struct off_cpu_view *v)
{
	struct draw d;

	if (!table_output_data(&v->output)) {
		add_text(out, t, v);
		return;
	}
	draw_begin(&d, &(struct draw_opts){ .output = v->output }, out);
	draw_facts(&d, &t->facts);
	draw_table(&d, &t->rows);
	draw_end(&d);
}
