// SPDX-License-Identifier: GPL-2.0-or-later
// From where tasks left the CPU, and for how long: the samples of the picture are their absences.
#include <stdlib.h>

#include "util/analysis/flame/flame-priv.h"
#include "util/analysis/hist/keys.h"
#include "util/base/xalloc.h"

#define WAITS "[waits for a CPU]"	/* it wants to run */

struct off_cpu {
	struct collector *c;
	struct absences *absences;
};

enum { TRACK, NODE, READY };		/* of an absence; READY: the node of its time when ready */

/* The same stack, and what it waits for: its innermost frame. */
static u32 waiting_node(struct off_cpu *o, const struct sink_item *it, u32 node)
{
	return o->c->flame->o.reverse ?
		flame_reversed(o->c, it, flame_marked(o->c, 0, WAITS)) :
		flame_marked(o->c, node, WAITS);
}

static void left(void *ctx, const struct sink_item *it, struct absence *a)
{
	struct off_cpu *o = ctx;

	a->mine[TRACK] = flame_track(o->c, it->sample->event, it->res);
	a->mine[NODE] = flame_node(o->c, it);
	a->mine[READY] = waiting_node(o, it, a->mine[NODE]);
}

static void count(struct off_cpu *o, const struct absence *a, u32 node, u64 ns)
{
	if (ns)
		flame_count(o->c, (struct sum_slot){ .track = a->mine[TRACK], .node = node,
						     .period = ns, .n = 1 }, a->left_ns);
}

static void over(void *ctx, const struct absence *a)
{
	const u64 ready = a->ready_ns ? a->ready_ns : a->back_ns;

	count(ctx, a, a->mine[NODE], ready - a->left_ns);
	count(ctx, a, a->mine[READY], a->back_ns - ready);
}

static void said(void *ctx, const struct sink_item *it)
{
	struct off_cpu *o = ctx;
	const struct sample *s = it->sample;

	flame_count(o->c, (struct sum_slot){ .track = flame_track(o->c, s->event, it->res),
					     .node = flame_node(o->c, it), .n = 1,
					     .period = hist_period(s) }, s->time_ns);
}

struct off_cpu *off_cpu_new(struct flame *f, const struct absences_opts *opts)
{
	struct off_cpu *o = xnew(struct off_cpu);

	o->c = f->main;
	o->absences = absences_new(opts, &(struct absences_observer){ .ctx = o, .left = left,
				   .over = over, .said = said }, f->main->sink.wants);
	return o;
}

void off_cpu_free(struct off_cpu *o)
{
	if (!o)
		return;
	absences_free(o->absences);
	free(o);
}

struct sink *off_cpu_sink(struct off_cpu *o) { return absences_sink(o->absences); }

void off_cpu_end(struct off_cpu *o) { absences_end(o->absences); }

void flame_off_cpu_seen(const struct flame *f, u64 *n_left, u64 *n_back)
{
	*n_left = *n_back = 0;
	if (f->off)
		absences_seen(f->off->absences, n_left, n_back);
}
