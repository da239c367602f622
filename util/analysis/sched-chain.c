// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/sched-chain.h"

#include <linux/perf_event.h>
#include <string.h>

#include "util/stream/sink.h"

bool sched_have_chains(const struct event_list *l)
{
	for (size_t i = 0; i < l->events.n; i++) {
		const struct event *e = l->events.v[i];

		if (e->tp_name && !strcmp(e->tp_name, "sched_switch"))
			return e->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
	}
	return false;
}

/* Functions of the scheduler that every chain begins with. */
static bool is_scheduler(const char *name)
{
	static const char *const names[] = {
		"__schedule", "schedule", "preempt_schedule", "preempt_schedule_common", "preempt_schedule_irq",
		"preempt_schedule_notrace", "schedule_idle", "__cond_resched", "_cond_resched", "schedule_preempt_disabled",
		"__traceiter_sched_switch", "__sched_text_start", "schedule_user",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}

void sched_add_chain(struct str *out, const struct sink_item *item, int max)
{
	const struct resolved *r = item ? item->res : NULL;
	bool inside = false;
	int n = 0;

	for (u32 i = 0; r && i < r->n_frames && n < max; i++) {
		const struct location *f = &r->frames[i];
		const char *name = f->inl ? f->inl->name : f->sym ? f->sym->name : NULL;

		if (!inside && name && is_scheduler(name))
			continue;
		inside = true;
		if (n++)
			str_add(out, " <- ");
		if (name)
			str_add_safe(out, name);
		else
			str_addf(out, "0x%llx", (unsigned long long)f->va);
	}
}
