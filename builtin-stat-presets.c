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

static void select_group(struct stat_cmd *c, const char *group)
{
	char *both = c->events.metrics ? xasprintf("%s,%s", c->events.metrics, group) :
		xstrdup(group);

	free(c->events.metrics);
	c->events.metrics = both;
}

static int topdown(struct stat_cmd *c, struct err *err)
{
	int level = c->events.presets.level, most = 0;
	char group[] = "TopdownL1";

	metric_set_add_special(&c->events.metric_set, group);
	for (int i = 1; i <= MOST_LEVELS; i++) {
		group[sizeof(group) - 2] = (char)('0' + i);
		most = metric_set_count(&c->events.metric_set, group) ? i : most;
	}
	if (level < 0 || level > most)
		return err_set(err, EINVAL, "there is no level %d of the topdown metrics: the "
			       "highest is %d", level, most);
	group[sizeof(group) - 2] = (char)('0' + (level ? level : most));
	select_group(c, group);
	return 0;
}

static bool has_event(struct stat_cmd *c, const char *name)
{
	struct event_list l;
	bool has;

	event_list_init(&l);
	l.only_counts = true;
	has = !event_parse(&l, name, &c->os, c->db, NULL);
	event_list_release(&l);
	return has;
}

/* The program's own metrics of a group need an event; those of files need what they name. */
static int check(struct stat_cmd *c, const char *group, const char *event, const char *what,
		 struct err *err)
{
	if (metric_set_count(&c->events.metric_set, group) || has_event(c, event))
		return 0;
	err_set(err, ENOENT, "this processor has no events for %s", what);
	err_hint(err, "they are '%s' and others in /sys/bus/event_source/devices/cpu/events; "
		 "--metric-dir reads metrics of the group '%s' from files", event, group);
	return -ENOENT;
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
		ret = check(c, "TopdownL1", "topdown-retiring", "the topdown method", err);
	if (!ret && p->topdown)
		ret = topdown(c, err);
	if (!ret && p->transaction)
		ret = check(c, "transaction", "cycles-t", "transactions", err);
	if (!ret && p->transaction) {
		metric_set_add_special(&c->events.metric_set, "transaction");
		select_group(c, "transaction");
	}
	if (!ret && p->smi)
		ret = os_freeze_on_smi(&c->os, true, &c->events.presets.froze, err);
	if (!ret && p->smi) {
		metric_set_add_special(&c->events.metric_set, "smi");
		select_group(c, "smi");
	}
	return ret;
}

void stat_presets_end(struct stat_cmd *c)
{
	if (c->events.presets.froze)
		os_freeze_on_smi(&c->os, false, &c->events.presets.froze, NULL);
}
