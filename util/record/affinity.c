// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/affinity.h"

#include <stdlib.h>

#include "util/os/priority.h"

struct affinity {
	enum record_affinity how;
	os_cpu_vec topology;
	int_vec before;		/* where the thread might run */
	int at;			/* the CPU or node that it was moved to; -1: none yet */
};

struct affinity *affinity_new(enum record_affinity how, const struct os *os)
{
	struct affinity *a;

	if (how == RECORD_ANYWHERE)
		return NULL;
	a = xnew(struct affinity);
	a->how = how;
	a->at = -1;
	if (!os_topology(os, &a->topology, NULL) && !os_may_run_on(&a->before))
		return a;
	affinity_free(a);
	return NULL;
}

static int place_of(const struct affinity *a, const struct os_cpu *c)
{
	return a->how == RECORD_NEAR_CPU ? c->cpu : c->node;
}

void affinity_follow(struct affinity *a, int cpu)
{
	int_vec near = { 0 };
	int at = -1;

	for vec_each(c, &a->topology)
		if (c->cpu == cpu)
			at = place_of(a, c);
	if (at < 0 || at == a->at)
		return;
	for vec_each(c, &a->topology)
		if (place_of(a, c) == at)
			vec_push(&near, c->cpu);
	os_run_on(&near);
	a->at = at;
	vec_free(&near);
}

void affinity_free(struct affinity *a)
{
	if (!a)
		return;
	if (a->before.n && a->at >= 0)
		os_run_on(&a->before);
	vec_free(&a->before);
	vec_free(&a->topology);
	free(a);
}
