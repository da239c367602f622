// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/heap-text.h"

#include "util/base/num.h"
#include "util/view/draw.h"
#include "util/view/text.h"

static u64 fact(const struct table *t, const char *key)
{
	return table_cell(t, t->rows.v, key)->u;
}

static void add_bytes(struct str *out, const struct table *t, const char *what, const char *key,
		      const char *error_key)
{
	const u64 error = fact(t, error_key);

	str_addf(out, "%s %llu bytes", what, (unsigned long long)fact(t, key));
	if (error)
		str_addf(out, " (+- %llu)", (unsigned long long)error);
}

static void add_head(struct str *out, const struct table *t)
{
	const u64 period = fact(t, "period_bytes");

	if (period > 1)
		str_addf(out, "# %llu allocations were sampled, by %llu bytes each: sums are "
			 "estimates, +- is two standard\n# deviations\n",
			 (unsigned long long)fact(t, "samples"), (unsigned long long)period);
	else
		str_addf(out, "# each of %llu allocations was recorded\n",
			 (unsigned long long)fact(t, "samples"));
	add_bytes(out, t, "# allocated:", "alloc_bytes", "alloc_error_bytes");
	str_addf(out, " in %s%llu allocations, freed: %llu bytes\n", period > 1 ? "about " : "",
		 (unsigned long long)fact(t, "allocs"),
		 (unsigned long long)fact(t, "freed_bytes"));
	add_bytes(out, t, "# live at the end:", "live_bytes", "live_error_bytes");
	add_bytes(out, t, ", of that leaked:", "leak_bytes", "leak_error_bytes");
	add_bytes(out, t, "\n# peak:", "peak_bytes", "peak_error_bytes");
	str_add(out, ", ");
	str_add_time(out, fact(t, "peak_ns"), 6);
	str_add(out, " s after the first allocation\n"
		"# lifetimes of what was freed, by bytes: 50% up to ");
	str_add_time(out, fact(t, "life_p50_ns"), 6);
	str_add(out, " s, 95% ");
	str_add_time(out, fact(t, "life_p95_ns"), 6);
	str_add(out, " s, 99% ");
	str_add_time(out, fact(t, "life_p99_ns"), 6);
	str_add(out, " s\n");
	if (fact(t, "lost"))
		str_addf(out, "# lost: %llu samples\n", (unsigned long long)fact(t, "lost"));
	str_add(out, "#\n");
}

void heap_show(struct str *out, const struct heap_tables *t, const struct heap_view *v)
{
	const struct chain_opts chain = { .mode = CHAIN_GRAPH, .caller = !v->inverted,
					  .value = CHAIN_PERCENT, .min_pct = v->min_pct };
	struct draw d;

	if (!table_output_data(&v->output)) {
		add_head(out, &t->facts);
		text_table(out, &t->rows, &(struct text_opts){ .chain = &chain,
							       .total = t->total });
		return;
	}
	draw_begin(&d, &(struct draw_opts){ .output = v->output }, out);
	draw_facts(&d, &t->facts);
	draw_table(&d, &t->rows);
	draw_end(&d);
}
