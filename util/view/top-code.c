// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/top-code.h"

#include <stdlib.h>

#include "util/base/vec.h"

struct picked { u32 line; double pct; };
typedef VEC(struct picked) picked_lines;

static double pct_of(const struct annotate_view *v, const struct listing_line *line)
{
	double most = 0;

	for (size_t e = 0; line->kind == LISTING_INSN && e < v->counts.n; e++)
		most = MAX(most, listing_pct(&v->counts, e, line->insn));
	return most;
}

static int most_first(const void *x, const void *y)
{
	const struct picked *a = x, *b = y;

	return a->pct != b->pct ? (a->pct > b->pct ? -1 : 1) : a->line < b->line ? -1 : 1;
}

static int in_order(const void *x, const void *y)
{
	const struct picked *a = x, *b = y;

	return a->line < b->line ? -1 : a->line > b->line;
}

static void pick(const struct annotate_view *v, double min_pct, size_t lines, picked_lines *out)
{
	const size_t n = v->l->lines.n;

	for (size_t i = 0; i < n; i++) {
		const double pct = pct_of(v, &v->l->lines.v[i]);

		if (n <= lines || (pct > 0 && pct >= min_pct))
			vec_push(out, ((struct picked){ (u32)i, pct }));
	}
	if (out->n <= lines)
		return;
	qsort(out->v, out->n, sizeof(*out->v), most_first);
	out->n = lines;
	qsort(out->v, out->n, sizeof(*out->v), in_order);
}

void top_code_text(struct str *out, const struct annotate_view *v, double min_pct, size_t lines)
{
	const struct annotate_widths w = annotate_widths(v);
	const size_t room = lines > 2 ? lines - 2 : 1;
	picked_lines shown = { 0 };

	pick(v, min_pct, room, &shown);
	str_addf(out, "%8s   %s", annotate_title(v), "Code of ");
	str_add_safe(out, v->path);
	str_addf(out, " (percent: %s)\n", annotate_percent_text(v->counts.percent));
	for vec_each(p, &shown) {
		const struct listing_line *line = &v->l->lines.v[p->line];

		annotate_numbers(out, v, line);
		str_add(out, " |");
		annotate_code_line(out, v, &w, line);
		str_add(out, "\n");
	}
	if (shown.n < v->l->lines.n)
		str_addf(out, "%zu of %zu lines are shown\n", shown.n, v->l->lines.n);
	vec_free(&shown);
}
