// SPDX-License-Identifier: GPL-2.0-or-later
// The metrics of perf stat: those of -M, or the default ones where no event was named.
#include <stdlib.h>
#include <string.h>

#include "builtin-stat.h"

static bool on_cpus(const struct stat_cmd *c)
{
	return c->target.system_wide || (c->target.cpu_list && !c->target.pid && !c->target.tid);
}

int stat_metrics_append(struct stat_cmd *c, struct stat_formulas *out, struct err *err)
{
	static const char *const defaults[] = { "Default", "Default,Default2",
						"Default,Default2,Default3",
						"Default,Default2,Default3,Default4" };
	const int level = MIN(MAX(c->events.detailed, 0), 3);
	const bool asked = c->events.metrics;
	const struct count_metrics_opts o = {
		.set = &c->events.metric_set, .names = asked ? c->events.metrics : defaults[level],
		.no_group = !asked || c->events.no_metric_group,
		.no_merge = c->events.no_metric_merge, .no_tools = !asked, .optional = !asked,
		.on_cpus = on_cpus(c), .cputype = c->events.cputype,
		.pmu_filter = c->events.pmu_filter,
	};

	return count_add_metrics(&c->events.list, &c->os, c->db, &o, out, err);
}

int stat_prepare_metrics(struct stat_cmd *c, struct err *err)
{
	struct metric_set *set = &c->events.metric_set;
	int ret = 0;

	metric_set_add_builtin(set);
	for (size_t i = 0; i < c->events.metric_dirs.n && !ret; i++)
		ret = metric_set_add_dir(set, c->events.metric_dirs.v[i], err);
	if (!ret)
		ret = stat_presets_prepare(c, err);
	if (!ret)
		ret = metric_set_link(set, err);
	if (!ret)
		ret = stat_metrics_append(c, &c->events.formulas, err);
	if (!ret)
		c->count.stat.formulas = &c->events.formulas;
	return ret;
}

void stat_metrics_release(struct stat_events *e)
{
	count_metrics_release(&e->formulas);
	metric_set_release(&e->metric_set);
	for vec_each(dir, &e->metric_dirs)
		free(*dir);
	vec_free(&e->metric_dirs);
	free(e->metrics);
	e->metrics = NULL;
}
