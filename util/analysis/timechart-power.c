// SPDX-License-Identifier: GPL-2.0-or-later
/* Idle states and frequencies of the CPUs, as the kernel's power tracepoints tell them: of any
 * version. */
#include <stdlib.h>
#include <string.h>

#include "util/analysis/timechart.h"
#include "util/base/xalloc.h"
#include "util/event/per-event.h"
#include "util/event/tracepoint.h"

#define AWAKE 0xffffffffULL	/* cpu_idle's state: idle ends */

enum power_what { POWER_IDLE, POWER_FREQ, POWER_START, POWER_END };

static const struct { const char *name; enum power_what what; } names[] = {
	{ "cpu_idle", POWER_IDLE }, { "cpu_frequency", POWER_FREQ },
	/* until 2.6.38 */
	{ "power_start", POWER_START }, { "power_end", POWER_END },
		{ "power_frequency", POWER_FREQ },
};

size_t timechart_power_events(void)
{
	return ARRAY_SIZE(names);
}

const char *timechart_power_event(size_t i)
{
	return names[i].name;
}

struct power_event { int what; const struct tp_field *state, *cpu; };	/* what -1: another's */

struct power {
	struct sink sink;
	struct timechart *chart;
	struct sched *sched;
	bool swap;
	struct per_event evs;	/* struct power_event */
};

static struct power_event event_of(const struct event *e)
{
	struct power_event ev = { .what = -1 };

	if (!e->tp_system || !e->tp_name || strcmp(e->tp_system, "power") || !e->format)
		return ev;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(names[i].name, e->tp_name))
			ev.what = (int)names[i].what;
	}
	if (ev.what < 0)
		return ev;
	ev.state = tp_field(e->format, "state");
	ev.cpu = tp_field(e->format, "cpu_id");
	if (!ev.state && ev.what != POWER_END)
		ev.what = -1;
	return ev;
}

static void event_init(void *ctx UNUSED, const struct event *e, void *state)
{
	*(struct power_event *)state = event_of(e);
}

static void on_sample(struct power *p, const struct power_event *ev, const struct sample *s)
{
	int cpu = ev->cpu ? (int)tp_read_u64(ev->cpu, s->raw, p->swap) : (int)s->cpu;
	u64 state = ev->state ? tp_read_u64(ev->state, s->raw, p->swap) : 0;

	sched_on_time(p->sched, s->time_ns);
	if (ev->what == POWER_FREQ)
		timechart_freq(p->chart, s->time_ns, cpu, state);
	else
		timechart_idle(p->chart, s->time_ns, cpu, ev->what == POWER_END ||
			       (ev->what == POWER_IDLE && state == AWAKE), state);
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct power *p = sink->ctx;

	for (size_t i = 0; i < n; i++) {
		const struct sample *s = items[i].sample;
		const struct power_event *ev = s->event ? per_event(&p->evs, s->event) : NULL;

		if (ev && ev->what >= 0 && s->raw.len)
			on_sample(p, ev, s);
	}
}

static bool takes(const struct sink *sink, const struct event *ev)
{
	struct power *p = sink->ctx;

	return ((const struct power_event *)per_event(&p->evs, ev))->what >= 0;
}

struct sink *timechart_power_sink_new(struct timechart *t, struct sched *s,
				      const struct event_list *events, bool swap,
				      bool late)
{
	struct power *p = xnew(struct power);
	bool any = late;

	*p = (struct power){ .chart = t, .sched = s, .swap = swap };
	per_event_init(&p->evs, sizeof(struct power_event), event_init, NULL);
	for vec_each(e, &events->events)
		any |= ((const struct power_event *)per_event(&p->evs, *e))->what >= 0;
	p->sink = (struct sink){ .wants = SINK_ORDER, .ctx = p, .samples = on_samples,
				 .takes = takes };
	if (any)
		return &p->sink;
	timechart_power_sink_free(&p->sink);
	return NULL;
}

void timechart_power_sink_free(struct sink *sink)
{
	struct power *p = sink ? sink->ctx : NULL;

	if (!p)
		return;
	per_event_release(&p->evs);
	free(p);
}
