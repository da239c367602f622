// SPDX-License-Identifier: GPL-2.0-or-later
// perf stat --topdown, --transaction and --smi-cost: groups of metrics that some processors have.
#include <errno.h>
#include <stdlib.h>

#include "builtin-stat.h"

#define MOST_LEVELS 9

static int set_topdown(const struct opt_use *u, struct err *err UNUSED)
{
	struct stat_cmd *c = u->base;

	c->events.presets.topdown = c->output.metric_only = !u->unset;
	return 0;
}

static int set_smi(const struct opt_use *u, struct err *err UNUSED)
{
	struct stat_cmd *c = u->base;

	c->events.presets.smi = c->output.metric_only = !u->unset;
	return 0;
}

const struct option_def stat_preset_options[] = {
	OPT_CALL_NO(0, "topdown", NULL, set_topdown,
		    "print where the slots of the processor's pipeline went (metrics TopdownL1)"),
	OPT_INT(0, "td-level", struct stat_cmd, events.presets.level, "n",
		"the level of --topdown's metrics (0: the highest)"),
	OPT_FLAG('T', "transaction", struct stat_cmd, events.presets.transaction,
		 "print the metrics of transactions in memory"),
	OPT_CALL_NO(0, "smi-cost", NULL, set_smi,
		    "print the cycles that system management interrupts took"),
	OPT_END
};

void stat_metrics_ask(struct stat_events *e, const char *names)
{
	char *all = e->metrics ? xasprintf("%s,%s", e->metrics, names) : xstrdup(names);

	free(e->metrics);
	e->metrics = all;
}

/* Metrics of the group, those of files or the program's own: these need an event. */
static int add_group(struct stat_cmd *c, const char *group, const char *event, const char *what,
		     struct err *err)
{
	struct metric_set *set = &c->events.metric_set;

	if (!metric_set_count(set, group) && !event_is_there(event, &c->os, c->db)) {
		err_set(err, ENOENT, "this processor has no events for %s", what);
		err_hint(err, "they are '%s' and others in /sys/bus/event_source/devices/cpu/events"
			 "; --metric-dir reads metrics of the group '%s' from files", event, group);
		return -ENOENT;
	}
	metric_set_add_special(set, group);
	return 0;
}

static int topdown(struct stat_cmd *c, struct err *err)
{
	int level = c->events.presets.level, most = 0;
	char group[] = "TopdownL1";
	int ret = add_group(c, group, "topdown-retiring", "the topdown method", err);

	if (ret)
		return ret;
	for (int i = 1; i <= MOST_LEVELS; i++) {
		group[sizeof(group) - 2] = (char)('0' + i);
		most = metric_set_count(&c->events.metric_set, group) ? i : most;
	}
	if (level < 0 || level > most)
		return err_set(err, EINVAL, "there is no level %d of the topdown metrics: the "
			       "highest is %d", level, most);
	group[sizeof(group) - 2] = (char)('0' + (level ? level : most));
	stat_metrics_ask(&c->events, group);
	return 0;
}

static int transaction(struct stat_cmd *c, struct err *err)
{
	const int ret = add_group(c, "transaction", "cycles-t", "transactions", err);

	if (!ret)
		stat_metrics_ask(&c->events, "transaction");
	return ret;
}

static int smi_cost(struct stat_cmd *c, struct err *err)
{
	const int ret = os_freeze_on_smi(&c->os, true, &c->events.presets.froze, err);

	if (ret)
		return ret;
	metric_set_add_special(&c->events.metric_set, "smi");
	stat_metrics_ask(&c->events, "smi");
	return 0;
}

bool stat_presets_asked(const struct stat_cmd *c)
{
	const struct stat_presets *p = &c->events.presets;

	return p->topdown || p->transaction || p->smi;
}

int stat_presets_prepare(struct stat_cmd *c, struct err *err)
{
	const struct stat_presets *p = &c->events.presets;
	int ret = 0;

	if (p->topdown)
		ret = topdown(c, err);
	if (!ret && p->transaction)
		ret = transaction(c, err);
	if (!ret && p->smi)
		ret = smi_cost(c, err);
	return ret;
}

void stat_presets_end(struct stat_cmd *c)
{
	if (c->events.presets.froze)
		os_freeze_on_smi(&c->os, false, &c->events.presets.froze, NULL);
}
