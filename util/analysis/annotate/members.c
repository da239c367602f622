// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/annotate/members.h"

#include <stdlib.h>

void annotate_members_find(struct annotate_members *m, const struct annotate *a,
			   const struct event_list *l, const struct event *e, bool group)
{
	m->all_blocks = annotate_blocks(a);
	for (size_t i = 0; i < l->events.n; i++) {
		const struct event *it = l->events.v[i];

		if (it != e && !(group && it->leader == e))
			continue;
		vec_push(&m->events, it);
		vec_push(&m->event_totals, annotate_total(a, it));
	}
}

void annotate_members_count(struct annotate_members *m, const struct listing *l,
			    const struct annotate_symbol *s)
{
	for vec_each(e, &m->events) {
		vec_push(&m->symbol_totals, annotate_symbol_total(s, *e));
		vec_push(&m->sums, listing_count(l, s, *e));
	}
	m->blocks = code_blocks_count(m->all_blocks, l);
	for (size_t i = 0; m->blocks && i < l->insns.n; i++) {
		m->cycles |= m->blocks[i].cycles.n > 0;
		m->most_runs = MAX(m->most_runs, m->blocks[i].n_ran);
	}
}

struct listing_counts annotate_members_counts(const struct annotate_members *m,
					      enum annotate_percent percent)
{
	return (struct listing_counts){
		.n = m->events.n, .sums = (const struct annotate_sum *const *)m->sums.v,
		.symbol_totals = m->symbol_totals.v, .event_totals = m->event_totals.v,
		.percent = percent, .blocks = m->blocks, .cycles = m->cycles,
		.most_runs = m->most_runs,
		.counters = m->all_blocks->counters.n ? &m->all_blocks->counters : NULL,
	};
}

void annotate_members_release(struct annotate_members *m)
{
	for vec_each(s, &m->sums)
		free(*s);
	free(m->blocks);
	vec_free(&m->sums);
	vec_free(&m->events);
	vec_free(&m->symbol_totals);
	vec_free(&m->event_totals);
}
