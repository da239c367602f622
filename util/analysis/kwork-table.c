// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "util/analysis/kwork-priv.h"

static u64 average(const struct kwork_work *w)
{
	return w->n ? w->total_ns / w->n : 0;
}

static u64 value(const struct kwork_work *w, enum kwork_key key)
{
	switch (key) {
	case KWORK_BY_RUNTIME: return w->total_ns;
	case KWORK_BY_AVG: return average(w);
	case KWORK_BY_MAX: return w->max_ns;
	case KWORK_BY_COUNT: return w->n;
	case KWORK_N_KEYS: break;
	}
	return 0;
}

static int compare(const void *a, const void *b, void *opts)
{
	const struct kwork_work *x = *(const struct kwork_work *const *)a,
		*y = *(const struct kwork_work *const *)b;
	const struct kwork_opts *o = opts;

	for (int i = 0; i < o->n_keys; i++) {
		const u64 v = value(x, o->keys[i]), w = value(y, o->keys[i]);

		if (v != w)
			return v > w ? -1 : 1;
	}
	return (x->order > y->order) - (x->order < y->order);
}

void kwork_table(struct kwork *k, struct table *out)
{
	const char *const keys[] = { "class", "name", "label", "id", "cpu",
				     k->opts.latency ? "avg_delay_ns" : "runtime_ns", "count",
				     "max_ns", "max_start_ns", "max_end_ns" };

	out->key = "works";
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		table_add_column(out, keys[i], keys[i]);
	if (k->works.n)
		qsort_r(k->works.v, k->works.n, sizeof(*k->works.v), compare, &k->opts);
	for vec_each(at, &k->works) {
		const struct kwork_work *w = *at;
		struct cell *cell;

		if (k->opts.latency && w->raised_ns)
			k->stats.n_raised++;	/* and never entered */
		if (!w->n)
			continue;
		cell = table_add_row(out)->cells;
		*cell++ = cell_text(kwork_class_names[w->class]);
		*cell++ = cell_text(w->name);
		*cell++ = cell_text(w->label);
		*cell++ = cell_count(w->id);
		*cell++ = cell_int((s32)w->cpu);
		*cell++ = cell_ns(k->opts.latency ? average(w) : w->total_ns);
		*cell++ = cell_count(w->n);
		*cell++ = cell_ns(w->max_ns);
		*cell++ = cell_ns(w->max_start_ns);
		*cell++ = cell_ns(w->max_end_ns);
	}
}
