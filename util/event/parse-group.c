// SPDX-License-Identifier: GPL-2.0-or-later
// Which events of {a,b,c} are a group: the kernel schedules events of one PMU together, and
// those of software with any
// that counts tasks.
#include "util/event/parse-priv.h"

#include <stdlib.h>

static bool goes_with_any(const struct event *e)
{
	switch (e->attr.type) {
	case PERF_TYPE_SOFTWARE:
	case PERF_TYPE_TRACEPOINT:
	case PERF_TYPE_BREAKPOINT: return true;
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_HW_CACHE:
	case PERF_TYPE_RAW: return false;
	}
	return !e->own_cpus.n;	/* msr, kprobe: counted by software */
}

static bool one_pmu(const struct event *a, const struct event *b)
{
	/* without CPUs: the PMU of the processor */
	return !a->own_cpus.n || !b->own_cpus.n || !strcmp(a->pmu, b->pmu);
}

/* Of the events from..to: the first of this leader's group that binds it to a PMU, or NULL. */
static const struct event *bound_by(const struct event_list *l, size_t from, size_t to,
				    const struct event *leader)
{
	for (size_t i = from; i < to; i++)
		if (l->events.v[i]->leader == leader && !goes_with_any(l->events.v[i]))
			return l->events.v[i];
	return NULL;
}

void group_events(struct event_list *l, size_t from)
{
	for (size_t i = from; i < l->events.n; i++) {
		struct event *e = l->events.v[i];

		e->leader = e;
		e->n_members = 1;
		for (size_t k = from; k < i && e->leader == e; k++) {
			struct event *leader = l->events.v[k];
			const struct event *bound = bound_by(l, from, i, leader);

			/* what CPUs share is no task's: it is not even opened in the same places */
			if (leader->leader != leader || leader->of_cpus != e->of_cpus ||
			    (bound && !goes_with_any(e) && !one_pmu(bound, e)))
				continue;
			e->leader = leader;
			leader->n_members++;
		}
	}
}

void group_sort(struct event_list *l, size_t from)
{
	VEC(struct event *) sorted = { 0 };

	for (size_t i = from; i < l->events.n; i++)
		for (size_t k = i; l->events.v[i]->leader == l->events.v[i] && k < l->events.n; k++)
			if (l->events.v[k]->leader == l->events.v[i])
				vec_push(&sorted, l->events.v[k]);
	for (size_t i = 0; i < sorted.n; i++) {
		sorted.v[i]->index = (int)(from + i);
		l->events.v[from + i] = sorted.v[i];
	}
	vec_free(&sorted);
}
