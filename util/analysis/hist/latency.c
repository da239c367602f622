// SPDX-License-Identifier: GPL-2.0-or-later
// Shares of wall-clock time: of nodes of the tree, and of what is below them.
#include "util/analysis/hist/hist-priv.h"

u128 hist_latency(u64 period, u32 n)
{
	return ((u128)period << LATENCY_BITS) / (n ? n : 1);
}

void latencies_add(latencies *l, u32 node, u128 add)
{
	while (l->n <= node)
		vec_push(l, 0);
	l->v[node] += add;
}

void latencies_merge(latencies *to, const latencies *from, const u32 *map)
{
	for (u32 i = 0; i < from->n; i++)
		if (from->v[i])
			latencies_add(to, map[i], from->v[i]);
}

u128 *latencies_total(const struct hist *h)
{
	const struct worker *w = h->main;
	const u32 n = (u32)w->tree.nodes.n;
	u128 *total = xcalloc(n, sizeof(*total));

	if (h->flat) {
		for (u32 i = 0; i < n; i++)
			total[i] = latencies_at(&w->lat_sums, i);
		return total;
	}
	for (u32 i = n; i-- > 1;) {	/* parents come before their children */
		total[i] += latencies_at(&w->lat, i);
		total[w->tree.nodes.v[i].parent] += total[i];
	}
	return total;
}
