// SPDX-License-Identifier: GPL-2.0-or-later
// Sums that few reports ask for, of nodes of the tree.
#include "util/analysis/hist/hist-priv.h"
#include "util/analysis/hist/shares.h"

struct extra *extra_get(struct worker *w, u32 node)
{
	struct extra *x = hmap_get(&w->extras, node);

	if (x)
		return x;
	x = arena_alloc(&w->arena, sizeof(*x));
	if (w->hist->want_extra == EXTRA_SHARES)
		x->shares = arena_alloc(&w->arena, N_SHARES * sizeof(*x->shares));
	hmap_put(&w->extras, node, x);
	return x;
}

void extra_add(struct worker *w, u32 node, const struct sample *s, u64 period)
{
	struct extra *x = extra_get(w, node);
	static const s8 mode_index[8] = { -1, 0, 1, -1, 2, 3, -1, -1 };
	const int m = mode_index[s->cpumode & 7];
	unsigned classes[N_SHARE_PARTS];

	if (m >= 0)
		x->by_mode[m] += period;
	if (s->present & PERF_SAMPLE_WEIGHT_TYPE) {
		x->weights[0] += (double)s->weight;
		x->weights[1] += s->ins_lat;
		x->weights[2] += s->p_stage_cyc;
	}
	if (!x->shares)
		return;
	shares_of(s->present & PERF_SAMPLE_DATA_SRC ? s->data_src : 0, classes);
	for (unsigned i = 0; i < N_SHARE_PARTS; i++)
		x->shares[classes[i]] += period;
}

void extra_merge(struct extra *to, const struct extra *from)
{
	for (int i = 0; i < 4; i++)
		to->by_mode[i] += from->by_mode[i];
	for (int i = 0; i < 3; i++)
		to->weights[i] += from->weights[i];
	for (int i = 0; to->shares && from->shares && i < N_SHARES; i++)
		to->shares[i] += from->shares[i];
}

void extra_to_row(struct worker *w, struct hist_row *row, u32 node)
{
	const struct extra *x = hmap_get(&w->extras, node);

	for (int i = 0; x && i < 4; i++)
		row->by_mode[i] += x->by_mode[i];
	for (int i = 0; x && i < 3; i++)
		row->weights[i] += x->weights[i];
	if (!x || !x->shares)
		return;
	if (!row->shares)
		row->shares = arena_alloc(&w->arena, N_SHARES * sizeof(u64));
	for (int i = 0; i < N_SHARES; i++)
		row->shares[i] += x->shares[i];
}
