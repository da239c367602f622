// SPDX-License-Identifier: GPL-2.0-or-later
// Options of perf stat that exclude or need each other.
#include "builtin-stat.h"
#include "util/analysis/stat/compare.h"
#include "util/cli/error.h"

static int check_compare(const struct cli_cmd *cmd, const struct stat_cmd *c, int n_args)
{
	if (n_args)
		return cli_usage_error_opt(cmd, "compare",
					   "--compare has its two commands and takes no third");
	if (c->target.pid || c->target.tid || c->target.user || c->count.interval_ns)
		return cli_usage_error_opt(cmd, "compare",
					   "--compare runs two commands: no -p, -t, -u or -I");
	if (c->count.runs > 1 && c->count.runs < STAT_MIN_PAIRS)
		return cli_usage_error_opt(cmd, "compare,repeat",
					   "fewer than %d pairs show no difference for sure",
					   STAT_MIN_PAIRS);
	return 0;
}

/* Counters of root ports know neither tasks nor CPUs, and its lines are of one kind. */
static int check_iostat(const struct cli_cmd *cmd, struct stat_cmd *c)
{
	const struct stat_output *o = &c->output;
	const struct target *t = &c->target;

	if (t->pid || t->tid || t->user || t->cpu_list || c->events.cgroups ||
	    c->events.each_cgroup || c->events.bpf_programs)
		return cli_usage_error_opt(cmd, "iostat", "--iostat counts what goes through root "
					   "ports, whoever causes it: it excludes -p, -t, -u, -C, "
					   "-G, --for-each-cgroup and -b");
	if (c->events.metrics || stat_presets_asked(c) || o->metric_only || o->openmetrics ||
	    o->listen || c->compare.commands[0] || c->count.null_run)
		return cli_usage_error_opt(cmd, "iostat", "--iostat has lines of its own: it "
					   "excludes -M, --topdown and the like, --metric-only, "
					   "--format, --listen, --compare and -n");
	c->target.system_wide = true;
	c->aggr = STAT_GLOBAL;
	c->output.iostat_head_due = true;
	return 0;
}

int stat_check(const struct cli_cmd *cmd, struct stat_cmd *c, int n_args)
{
	bool wide = c->target.system_wide || c->target.cpu_list;
	bool threads = c->target.pid || c->target.tid || c->target.user;
	static const char *const needs_a[] = { [STAT_CPU] = "-A", [STAT_CORE] = "--per-core",
					       [STAT_CLUSTER] = "--per-cluster",
		[STAT_CACHE] = "--per-cache", [STAT_DIE] = "--per-die",
		[STAT_SOCKET] = "--per-socket",
		[STAT_NODE] = "--per-node" };

	if (c->iostat.on && check_iostat(cmd, c))
		return CLI_USAGE;
	if (c->aggr != STAT_GLOBAL && c->aggr != STAT_THREAD && !wide)
		return cli_usage_error_opt(cmd, "all-cpus,cpu",
					   "%s needs -a (or -C): counts per CPU are of the whole "
					   "system",
					   needs_a[c->aggr]);
	if (c->aggr == STAT_THREAD && n_args && !threads && !c->target.system_wide)
		return cli_usage_error_opt(cmd, "pid,tid,all-cpus",
					   "--per-thread needs -p, -t or -a");
	if ((c->events.cgroups || c->events.each_cgroup) && !wide)
		return cli_usage_error_opt(cmd, "cgroup,all-cpus",
					   "%s needs -a (or -C): cgroups are counted on CPUs",
					   c->events.cgroups ? "-G" : "--for-each-cgroup");
	if (c->events.cgroups && c->events.each_cgroup)
		return cli_usage_error_opt(cmd, "cgroup,for-each-cgroup",
					   "-G and --for-each-cgroup exclude each other");
	if (c->events.cgroups && !c->events.list.events.n)
		return cli_usage_error_opt(cmd, "event,cgroup", "-G needs events (-e) before it");
	if (c->count.interval_ns && c->count.interval_ns < 1000000)
		return cli_usage_error_opt(cmd, "interval-print", "an interval is at least 1 ms");
	if (c->count.interval_count && !c->count.interval_ns)
		return cli_usage_error_opt(cmd, "interval-print,interval-count",
					   "--interval-count needs -I");
	if (c->count.runs < 0 || c->count.runs > 100000)
		return cli_usage_error_opt(cmd, "repeat",
					   "-r takes 0 (until Ctrl-C) to 100000 runs");
	if (c->compare.commands[0])
		return check_compare(cmd, c, n_args);
	if (c->compare.fails)
		return cli_usage_error_opt(cmd, "compare,fail-if-slower",
					   "--fail-if-slower needs --compare");
	if (c->count.runs != 1 && (!n_args || c->count.interval_ns))
		return cli_usage_error_opt(cmd, "repeat", "-r needs a command%s",
					   c->count.interval_ns ?
					   " and excludes -I" : "");
	if (c->events.bpf_programs && (threads || c->events.cgroups || c->events.each_cgroup ||
				       c->record || c->aggr == STAT_THREAD))
		return cli_usage_error_opt(cmd, "bpf-prog", "-b excludes -p, -t, -u, -G, "
					   "--for-each-cgroup, --per-thread and stat record");
	if (c->output.listen && !c->count.interval_ns)
		return cli_usage_error_opt(cmd, "listen,interval-print",
					   "--listen needs -I: it serves the last interval");
	c->output.openmetrics |= c->output.listen != NULL;
	if (c->output.openmetrics && (c->output.data.sep || c->output.data.json ||
				      c->output.append || c->output.metric_only ||
				      c->aggr == STAT_THREAD || c->count.stat.no_zeros))
		return cli_usage_error_opt(cmd, "format", "--format openmetrics (and --listen) "
					   "excludes -x, -j, "
					   "--append, --metric-only, --per-thread and "
					   "--hide-zero-events");
	if (c->output.data.sep && c->output.data.json)
		return cli_usage_error_opt(cmd, "field-separator,json-output",
					   "-x and -j exclude each other");
	return 0;
}
