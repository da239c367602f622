// SPDX-License-Identifier: GPL-2.0-or-later
// The options of perf stat: their table, the events they mean, and what they must not be together.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-stat.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/os/cgroup.h"

static int add_event(const struct opt_use *u, struct err *err)
{
	struct stat_cmd *c = u->base;

	vec_push(&c->texts, xstrdup(u->arg));
	return event_parse(&c->events, u->arg, &c->os, c->db, err);
}

static int add_filter(const struct opt_use *u, struct err *err)
{
	struct stat_cmd *c = u->base;

	return event_set_filter(&c->events, u->arg, err);
}

static int set_delay(const struct opt_use *u, struct err *err)
{
	struct stat_cmd *c = u->base;

	c->delay_ms = 0;
	if (u->unset)
		return 0;
	if (!parse_s64(u->arg, &c->delay_ms) || c->delay_ms < -1)
		return err_set(err, EINVAL, "'%s' is not a delay in milliseconds", u->arg);
	return 0;
}

int stat_set_sep(const struct opt_use *u, struct err *err UNUSED)
{
	struct stat_cmd *c = u->base;

	c->data.sep = cli_separator(u->arg);
	return 0;
}

#define AGGR(l, v, h) OPT_SET(0, l, struct stat_cmd, aggr, v, h)
const struct option_def stat_options[] = {
	OPT_CALL('e', "event", "event", add_event,
		 "event selector. use 'perf list' to list available events"),
	OPT_CALL(0, "filter", "filter", add_filter, "event filter"),
	OPT_FLAG('i', "no-inherit", struct stat_cmd, no_inherit,
		 "child tasks do not inherit counters"),
	OPT_FLAG(0, "scale", struct stat_cmd, scale,
		 "Use --no-scale to disable counter scaling for multiplexing"),
	OPT_COUNT('d', "detailed", struct stat_cmd, detailed,
		  "detailed run - start a lot of events"),
	OPT_INT('r', "repeat", struct stat_cmd, runs, "n",
		"repeat command and print average + stddev (max: 100, forever: 0)"),
	OPT_FLAG(0, "table", struct stat_cmd, table,
		 "display details about each run (only with -r option)"),
	OPT_FLAG('n', "null", struct stat_cmd, null_run, "null run - dont start any counters"),
	OPT_FLAG('S', "sync", struct stat_cmd, sync_first, "call sync() before starting a run"),
	OPT_FLAG('B', "big-num", struct stat_cmd, big_num,
		 "print large numbers with thousands' separators"),
	OPT_FLAG('A', "no-aggr", struct stat_cmd, no_aggr, "disable aggregation across CPUs"),
	OPT_FLAG(0, "no-merge", struct stat_cmd, no_merge,
		 "one row for each PMU of several equal ones"),
	OPT_CALL_NO('x', "field-separator", "separator", stat_set_sep,
		    "print counts with custom separator"),
	OPT_FLAG('j', "json-output", struct stat_cmd, data.json, "print counts in JSON format"),
	OPT_STRING('G', "cgroup", struct stat_cmd, cgroups, "name",
		   "monitor event in cgroup name only"),
	OPT_STRING(0, "for-each-cgroup", struct stat_cmd, each_cgroup, "name",
		   "expand events for each cgroup"),
	OPT_STRING('o', "output", struct stat_cmd, output, "file", "output file name"),
	OPT_FLAG(0, "append", struct stat_cmd, append, "append to the output file"),
	OPT_INT(0, "log-fd", struct stat_cmd, log_fd, "n", "log output to fd, instead of stderr"),
	OPT_STRING(0, "pre", struct stat_cmd, pre, "command",
		   "command to run prior to the measured command"),
	OPT_STRING(0, "post", struct stat_cmd, post, "command",
		   "command to run after to the measured command"),
	OPT_DURATION('I', "interval-print", struct stat_cmd, interval_ns, 1000000, "n",
		     "print counts at regular interval in ms"),
	OPT_INT(0, "interval-count", struct stat_cmd, interval_count, "n",
		"print counts for fixed number of times"),
	OPT_FLAG(0, "interval-clear", struct stat_cmd, interval_clear,
		 "clear screen in between new interval"),
	OPT_FLAG(0, "summary", struct stat_cmd, summary, "print summary for interval mode"),
	OPT_DURATION(0, "timeout", struct stat_cmd, timeout_ns, 1000000, "n",
		     "stop workload and print counts after a timeout period in ms"),
	AGGR("per-core", STAT_CORE, "aggregate counts per physical processor core"),
	AGGR("per-cluster", STAT_CLUSTER, "aggregate counts per processor cluster"),
	AGGR("per-die", STAT_DIE, "aggregate counts per processor die"),
	AGGR("per-socket", STAT_SOCKET, "aggregate counts per processor socket"),
	AGGR("per-node", STAT_NODE, "aggregate counts per numa node"),
	AGGR("per-thread", STAT_THREAD, "aggregate counts per thread"),
	OPT_CALL_NO('D', "delay", "n", set_delay,
		    "ms to wait before starting measurement after program start"),
	OPT_FLAG(0, "all-user", struct stat_cmd, all_user,
		 "Configure all used events to run in user space."),
	OPT_FLAG(0, "all-kernel", struct stat_cmd, all_kernel,
		 "Configure all used events to run in kernel space."),
	OPT_END
};

/* --- events --- */

static int add_default_events(struct stat_cmd *c, struct err *err)
{
	static const char *const more[] = {
		"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
		"L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,iTLB-load-misses",
		"L1-dcache-prefetches,L1-dcache-prefetch-misses",
	};
	bool tasks = !c->target.system_wide && !c->target.cpu_list;
	int ret = event_parse(&c->events, tasks ? "task-clock" : "cpu-clock", &c->os, c->db, err);

	if (!ret)
		ret = event_parse(&c->events, "context-switches,cpu-migrations,page-faults,cycles,instructions,branches,branch-misses",
				  &c->os, c->db, err);
	for (int i = 0; !ret && i < c->detailed && i < (int)ARRAY_SIZE(more); i++)
		ret = event_parse(&c->events, more[i], &c->os, c->db, err);
	return ret;
}

static void set_modes(struct stat_cmd *c)
{
	for (size_t i = 0; i < c->events.events.n; i++) {
		struct perf_event_attr *a = &c->events.events.v[i]->attr;

		if (c->all_user)
			a->exclude_kernel = a->exclude_hv = 1;
		if (c->all_kernel)
			a->exclude_user = 1;
	}
}

static int set_cgroup(struct stat_cmd *c, struct event *e, const char *name, struct err *err)
{
	int fd = os_cgroup_open(&c->os, name, err);

	if (fd < 0)
		return fd;
	e->cgroup = xstrdup(name);
	e->cgroup_fd = fd;
	return 0;
}

/* -G a,b: one for each event in turn; a single one is for all. */
static int assign_cgroups(struct stat_cmd *c, struct err *err)
{
	char *copy = xstrdup(c->cgroups), *p = copy;
	size_t n = c->events.events.n;
	bool single = !strchr(copy, ',');
	int ret = 0;

	for (size_t i = 0; i < n && !ret && p; i++) {
		char *comma = single ? NULL : strchr(p, ',');

		if (comma)
			*comma = 0;
		if (*p)
			ret = set_cgroup(c, c->events.events.v[i], p, err);
		if (!single)
			p = comma ? comma + 1 : NULL;
	}
	free(copy);
	return ret;
}

static int expand_cgroups(struct stat_cmd *c, struct err *err)
{
	char *copy = xstrdup(c->each_cgroup), *save = NULL;
	int ret = 0;
	bool first = true;

	for (char *p = strtok_r(copy, ",", &save); p && !ret; p = strtok_r(NULL, ",", &save)) {
		size_t from = first ? 0 : c->events.events.n;

		if (!first && !c->texts.n)
			ret = add_default_events(c, err);
		for (size_t i = 0; !first && i < c->texts.n && !ret; i++)
			ret = event_parse(&c->events, c->texts.v[i], &c->os, c->db, err);
		for (size_t i = from; i < c->events.events.n && !ret; i++)
			ret = set_cgroup(c, c->events.events.v[i], p, err);
		first = false;
	}
	free(copy);
	return ret;
}

int stat_prepare_events(struct stat_cmd *c, struct err *err)
{
	int ret = 0;

	if (c->null_run)
		return 0;
	if (!c->events.events.n)
		ret = add_default_events(c, err);
	if (!ret && c->each_cgroup)
		ret = expand_cgroups(c, err);
	if (!ret && c->cgroups)
		ret = assign_cgroups(c, err);
	set_modes(c);
	return ret;
}

int stat_check(const struct cli_cmd *cmd, struct stat_cmd *c, int n_args)
{
	bool wide = c->target.system_wide || c->target.cpu_list;
	bool threads = c->target.pid || c->target.tid || c->target.user;
	static const char *const needs_a[] = { [STAT_CPU] = "-A", [STAT_CORE] = "--per-core",
					       [STAT_CLUSTER] = "--per-cluster",
		[STAT_DIE] = "--per-die", [STAT_SOCKET] = "--per-socket",
		[STAT_NODE] = "--per-node" };

	if (c->aggr != STAT_GLOBAL && c->aggr != STAT_THREAD && !wide)
		return cli_usage_error_opt(cmd, "all-cpus,cpu",
					   "%s needs -a (or -C): counts per CPU are of the whole "
					   "system",
					   needs_a[c->aggr]);
	if (c->aggr == STAT_THREAD && n_args && !threads && !c->target.system_wide)
		return cli_usage_error_opt(cmd, "pid,tid,all-cpus",
					   "--per-thread needs -p, -t or -a");
	if ((c->cgroups || c->each_cgroup) && !wide)
		return cli_usage_error_opt(cmd, "cgroup,all-cpus",
					   "%s needs -a (or -C): cgroups are counted on CPUs",
					   c->cgroups ? "-G" : "--for-each-cgroup");
	if (c->cgroups && c->each_cgroup)
		return cli_usage_error_opt(cmd, "cgroup,for-each-cgroup",
					   "-G and --for-each-cgroup exclude each other");
	if (c->cgroups && !c->events.events.n)
		return cli_usage_error_opt(cmd, "event,cgroup", "-G needs events (-e) before it");
	if (c->interval_ns && c->interval_ns < 1000000)
		return cli_usage_error_opt(cmd, "interval-print", "an interval is at least 1 ms");
	if (c->interval_count && !c->interval_ns)
		return cli_usage_error_opt(cmd, "interval-print,interval-count",
					   "--interval-count needs -I");
	if (c->runs < 0 || c->runs > 100000)
		return cli_usage_error_opt(cmd, "repeat",
					   "-r takes 0 (until Ctrl-C) to 100000 runs");
	if (c->runs != 1 && (!n_args || c->interval_ns))
		return cli_usage_error_opt(cmd, "repeat", "-r needs a command%s", c->interval_ns ?
					   " and excludes -I" : "");
	if (c->data.sep && c->data.json)
		return cli_usage_error_opt(cmd, "field-separator,json-output",
					   "-x and -j exclude each other");
	return 0;
}
