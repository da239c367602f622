// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/file-text.h"

#include <stdio.h>

#include "util/wire/wire.h"

static void add_count(struct str *out, const char *name, u64 n, u64 total)
{
	str_addf(out, "%20s events: %10llu", name, (unsigned long long)n);
	if (total)
		str_addf(out, "  (%4.1f%%)", (double)n * 100 / (double)total);
	str_addch(out, '\n');
}

void text_stats(struct str *out, const struct stream_stats *st, const struct event_list *events,
		const struct sample_counts *samples)
{
	static const char prefix[] = "PERF_RECORD_";
	u64 total = 0;

	for (size_t t = 0; t < ARRAY_SIZE(st->by_type); t++)
		total += st->by_type[t];
	str_add(out, "\nAggregated stats:\n");
	add_count(out, "TOTAL", total, 0);
	for (size_t t = 0; t < ARRAY_SIZE(st->by_type); t++) {
		const char *name = wire_type_name((u32)t);
		char unknown[24];

		if (!st->by_type[t])
			continue;
		snprintf(unknown, sizeof(unknown), "type %zu", t);
		if (name && str_has_prefix(name, prefix))
			name += sizeof(prefix) - 1;
		add_count(out, name ? name : unknown, st->by_type[t], total);
	}
	for (size_t i = 0; i < events->events.n; i++) {
		const struct event *e = events->events.v[i];

		if (!sample_counts_of(samples, e))
			continue;
		str_add_safe(out, e->name);
		str_add(out, " stats:\n");
		add_count(out, "SAMPLE", sample_counts_of(samples, e), 0);
	}
}

void text_tasks(struct str *out, const struct machine *m)
{
	task_vec v = { 0 };

	tasks_collect(m, &v);
	str_add(out, "#      pid      tid     ppid  comm\n");
	for vec_each(t, &v) {
		str_addf(out, "%10u %8u %8lld |", t->thread->pid, t->thread->tid,
			 (long long)t->ppid);
		str_addchn(out, ' ', MIN(t->depth, 200u));
		str_add_safe(out, t->comm);
		str_addch(out, '\n');
	}
	vec_free(&v);
}
