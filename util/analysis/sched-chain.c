// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/sched-chain.h"

#include <linux/perf_event.h>
#include <string.h>

#include "util/stream/sink.h"
#include "util/stream/frame.h"

bool sched_have_chains(const struct event_list *l)
{
	for (size_t i = 0; i < l->events.n; i++) {
		const struct event *e = l->events.v[i];

		if (e->tp_name && !strcmp(e->tp_name, "sched_switch"))
			return e->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
	}
	return false;
}

/* Functions that every chain has. */
static bool is_scheduler(const char *name)
{
	static const char *const names[] = { "__schedule", "schedule", "preempt_schedule" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}

u32 sched_chain_first(const struct resolved *r)
{
	u32 i = 0;

	while (i < r->n_frames && (str_has_prefix(frame_label(&r->frames[i]), "__traceiter_") ||
				   is_scheduler(frame_label(&r->frames[i]))))
		i++;
	return i;
}

/* As elsewhere two frames more than asked for are looked at, because the scheduler's own are
 * mostly two; those of the tracepoint itself, which newer kernels have in front, are none. */
void sched_add_chain(struct str *out, const struct sink_item *item, int max)
{
	const struct resolved *r = item ? item->res : NULL;
	u32 i = 0, end;
	int n = 0;

	while (r && i < r->n_frames && str_has_prefix(frame_label(&r->frames[i]), "__traceiter_"))
		i++;
	end = r ? MIN((u64)r->n_frames, i + (u64)MAX(max, 0) + 2) : 0;
	for (; i < end; i++) {
		const char *name = frame_label(&r->frames[i]);

		if (is_scheduler(name))
			continue;
		if (n++)
			str_add(out, " <- ");
		str_add_safe(out, name);
	}
}
