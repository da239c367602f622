// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/why-text.h"

#include <stdlib.h>

#include "util/base/num.h"
#include "util/base/xalloc.h"
#include "util/view/draw.h"

static const struct cell *get(const struct table *t, const struct table_row *row, const char *key)
{
	return table_cell(t, row, key);
}

static double ms(u64 ns) { return (double)ns / 1e6; }

static void add_task(struct str *out, const struct table *t, const struct table_row *row)
{
	str_add_safe(out, get(t, row, "comm")->text);
	str_addf(out, " %lld", (long long)get(t, row, "tid")->s);
}

static void add_head(struct str *out, const struct table *facts)
{
	const struct table_row *f = facts->rows.v;
	const u64 lost = get(facts, f, "lost")->u;

	add_task(out, facts, f);
	str_add(out, " from ");
	str_add_time(out, get(facts, f, "from_ns")->u, 6);
	str_add(out, " s to ");
	str_add_time(out, get(facts, f, "to_ns")->u, 6);
	str_addf(out, " s: %.3f ms\n", ms(get(facts, f, "delay_ns")->u));
	if (lost)
		str_addf(out, "Events were lost meanwhile (%llu times): parts may be wrong\n",
			 (unsigned long long)lost);
}

static void add_causes(struct str *out, const struct table *t)
{
	str_add(out, "\n    Share   Time (ms)  Parts  Cause\n");
	for vec_each(row, &t->rows) {
		str_addf(out, "  %6.2f%%  %10.3f  %5llu  ", get(t, row, "share")->d,
			 ms(get(t, row, "time_ns")->u),
			 (unsigned long long)get(t, row, "count")->u);
		str_add_safe(out, get(t, row, "cause")->text);
		str_addch(out, '\n');
	}
}

/* --- the chain: its longest parts, and the waits that hold them */

static int cmp_longer(const void *a, const void *b, void *ctx)
{
	const struct table *t = ctx;
	const size_t x = *(const size_t *)a, y = *(const size_t *)b;
	const u64 v = get(t, &t->rows.v[x], "time_ns")->u, w = get(t, &t->rows.v[y], "time_ns")->u;

	return v != w ? (v > w ? -1 : 1) : (x > y) - (x < y);
}

/* A part's waits are before it, each of less depth. */
static void keep_with_waits(const struct table *t, size_t i, bool *kept)
{
	s64 depth = get(t, &t->rows.v[i], "depth")->s;

	kept[i] = true;
	while (i-- > 0 && depth > 0) {
		const struct table_row *row = &t->rows.v[i];

		if (get(t, row, "part")->u || get(t, row, "depth")->s >= depth)
			continue;
		depth = get(t, row, "depth")->s;
		if (kept[i])
			return;
		kept[i] = true;
	}
}

bool *why_choose_parts(const struct table *t, int max)
{
	bool *kept = xcalloc(t->rows.n + 1, sizeof(*kept));
	size_t *order = xcalloc(t->rows.n + 1, sizeof(*order)), n = 0;

	for (size_t i = 0; i < t->rows.n; i++)
		if (get(t, &t->rows.v[i], "part")->u)
			order[n++] = i;
	qsort_r(order, n, sizeof(*order), cmp_longer, (void *)t);
	for (size_t i = 0; i < n && (!max || i < (size_t)max); i++)
		keep_with_waits(t, order[i], kept);
	free(order);
	return kept;
}

static void add_part(struct str *out, const struct table *t, const struct table_row *row,
		     u64 from_ns)
{
	const bool part = get(t, row, "part")->u;
	struct str time = STR_INIT;

	str_addf(&time, part ? "%.3f" : "(%.3f)", ms(get(t, row, "time_ns")->u));
	str_addf(out, "%11.3f  %11s  ", ms(get(t, row, "from_ns")->u - from_ns), str_cstr(&time));
	str_addchn(out, ' ', 2 * (size_t)get(t, row, "depth")->s);
	add_task(out, t, row);
	str_addch(out, ' ');
	str_add_safe(out, get(t, row, "what")->text);
	str_addch(out, '\n');
	str_release(&time);
}

void why_add_left_out(struct str *out, u64 n)
{
	str_addf(out, "%llu shorter %s", (unsigned long long)n, n == 1 ? "part" : "parts");
}

struct left_out { u64 n, ns, from_ns; };

static void add_left_out(struct str *out, struct left_out *l, u64 from_ns)
{
	if (l->n) {
		str_addf(out, "%11.3f  %11.3f  ... ", ms(l->from_ns - from_ns), ms(l->ns));
		why_add_left_out(out, l->n);
		str_addch(out, '\n');
	}
	*l = (struct left_out){ 0 };
}

static void add_chain(struct str *out, const struct table *t, u64 from_ns, int max)
{
	bool *kept = why_choose_parts(t, max);
	struct left_out l = { 0 };

	str_add(out, "\n    At (ms)     For (ms)\n");
	for (size_t i = 0; i < t->rows.n; i++) {
		const struct table_row *row = &t->rows.v[i];

		if (kept[i]) {
			add_left_out(out, &l, from_ns);
			add_part(out, t, row, from_ns);
		} else if (get(t, row, "part")->u) {
			l.from_ns = l.n ? l.from_ns : get(t, row, "from_ns")->u;
			l.ns += get(t, row, "time_ns")->u;
			l.n++;
		}
	}
	add_left_out(out, &l, from_ns);
	free(kept);
}

static void add_ranking(struct str *out, const struct why_tables *t, size_t n)
{
	struct str task = STR_INIT;

	str_add(out, "   #         From (s)     For (ms)  Task                   First cause\n");
	for (size_t i = 0; i < n; i++) {
		const struct table *f = &t[i].facts;
		const struct table_row *row = f->rows.v;
		const char *cause = get(f, row, "first_cause")->text;
		struct str from = STR_INIT;

		str_reset(&task);
		add_task(&task, f, row);
		str_add_time(&from, get(f, row, "from_ns")->u, 6);
		str_addf(out, "%4zu  %15s  %11.3f  %-21s  ", i + 1, str_cstr(&from),
			 ms(get(f, row, "delay_ns")->u), str_cstr(&task));
		str_add_safe(out, cause ? cause : "");
		str_addch(out, '\n');
		str_release(&from);
	}
	str_release(&task);
}

static void show_data(struct str *out, const struct why_tables *t, size_t n,
		      const struct why_view *v)
{
	struct draw d;

	draw_begin(&d, &(struct draw_opts){ .output = v->output }, out);
	for (size_t i = 0; i < n; i++) {
		draw_group_begin(&d, "waits", &t[i].facts);
		draw_table(&d, &t[i].causes);
		draw_table(&d, &t[i].chain);
		draw_group_end(&d);
	}
	draw_end(&d);
}

void why_show(struct str *out, const struct why_tables *t, size_t n, const struct why_view *v)
{
	if (table_output_data(&v->output)) {
		show_data(out, t, n, v);
		return;
	}
	if (v->ranking)
		add_ranking(out, t, n);
	for (size_t i = 0; i < n; i++) {
		if (i || v->ranking)
			str_addch(out, '\n');
		add_head(out, &t[i].facts);
		add_causes(out, &t[i].causes);
		add_chain(out, &t[i].chain, get(&t[i].facts, t[i].facts.rows.v, "from_ns")->u,
			  v->max_parts);
	}
}
