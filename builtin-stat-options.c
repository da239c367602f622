// SPDX-License-Identifier: GPL-2.0-or-later
// The options of perf stat: their table, the events they mean, and what they must not be together.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-stat.h"
#include "util/base/words.h"
#include "util/cli/groups.h"
#include "util/os/bpffs.h"

static int add_text(struct stat_cmd *c, const char *text, stat_parse_fn *parse, struct err *err)
{
	vec_push(&c->events.texts, ((struct stat_text){ xstrdup(text), parse }));
	return parse(&c->events.list, text, &c->os, c->db, err);
}

static int add_event(const struct opt_use *u, struct err *err)
{
	return add_text(u->base, u->arg, event_parse, err);
}

static int add_vendors(const struct opt_use *u, struct err *err)
{
	return add_text(u->base, u->arg, event_parse_vendors, err);
}

static int add_metrics(const struct opt_use *u, struct err *err UNUSED)
{
	struct stat_cmd *c = u->base;

	stat_metrics_ask(&c->events, u->arg);
	return 0;
}

static int add_metric_dir(const struct opt_use *u, struct err *err UNUSED)
{
	struct stat_cmd *c = u->base;

	vec_push(&c->events.metric_dirs, xstrdup(u->arg));
	return 0;
}

static int compare_form(const struct opt_use *u UNUSED, struct err *err)
{
	return err_set(err, EINVAL, "--compare takes two commands, as words of their own");
}

static int set_fail_if_slower(const struct opt_use *u, struct err *err)
{
	struct stat_cmd *c = u->base;

	c->compare.fails = true;
	if (!parse_double(u->arg, &c->compare.fail_pct) || !(c->compare.fail_pct >= 0))
		return err_set(err, EINVAL, "'%s' is not a percentage", u->arg);
	return 0;
}

int stat_set_per_cache(const struct opt_use *u, struct err *err)
{
	struct stat_cmd *c = u->base;
	const char *level = u->arg ? u->arg : "";

	c->aggr = u->unset ? STAT_GLOBAL : STAT_CACHE;
	c->count.cache_level = 0;
	if (u->unset || !*level)
		return 0;
	level += *level == 'L' || *level == 'l';
	if (level[0] < '1' || level[0] > '4' || level[1])
		return err_set(err, EINVAL, "'%s' is no level of caches (L1 to L4)", u->arg);
	c->count.cache_level = level[0] - '0';
	return 0;
}

static int add_filter(const struct opt_use *u, struct err *err)
{
	struct stat_cmd *c = u->base;

	return event_set_filter(&c->events.list, u->arg, err);
}

static int set_delay(const struct opt_use *u, struct err *err)
{
	struct stat_cmd *c = u->base;

	s64 ms = 0;

	vec_clear(&c->count.windows);
	if (!u->unset && (!parse_s64(u->arg, &ms) || ms < -1))
		return err_set(err, EINVAL, "'%s' is not a delay in milliseconds", u->arg);
	c->count.start_disabled = ms < 0;
	if (ms > 0)
		vec_push(&c->count.windows, ((struct window){ (u64)ms * 1000000, 0 }));
	return 0;
}

static int set_tpebs_mode(const struct opt_use *u, struct err *err)
{
	static const char *const modes[] = { "mean", "min", "max", "last" };

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		if (!strcmp(u->arg, modes[i]))
			return 0;
	return err_set(err, EINVAL, "'%s' is no mode: mean, min, max and last are", u->arg);
}

static int set_programs(const struct opt_use *u, struct err *err)
{
	struct stat_cmd *c = u->base;
	int_vec *ids = &c->count.bpf_programs;

	vec_clear(ids);
	c->events.bpf_programs = u->arg;
	if (parse_int_list(u->arg, ids, NULL) || !ids->n) {
		err_set(err, EINVAL, "'%s' is no list of numbers of BPF programs", u->arg);
		err_hint(err, "'bpftool prog' shows those that there are");
		return -EINVAL;
	}
	c->target.system_wide = true;
	return 0;
}

static int set_format(const struct opt_use *u, struct err *err)
{
	struct stat_cmd *c = u->base;

	c->output.openmetrics = !strcmp(u->arg, "openmetrics");
	return c->output.openmetrics ? 0 : err_set(err, EINVAL, "'%s' is no format: openmetrics is",
						   u->arg);
}

int stat_set_sep(const struct opt_use *u, struct err *err UNUSED)
{
	struct stat_cmd *c = u->base;

	c->output.data.sep = cli_separator(u->arg);
	return 0;
}

#define AGGR(l, v, h) OPT_SET(0, l, struct stat_cmd, aggr, v, h)
const struct option_def stat_options[] = {
	OPT_CALL('e', "event", "event", add_event,
		 "the events to count, as perf list shows them"),
	OPT_CALL(0, "pfm-events", "event", add_vendors,
		 "events by the names of the CPU's vendor, as libpfm4 knows them"),
	OPT_CALL('M', "metrics", "metric/metric group list", add_metrics,
		 "print these metrics, of these groups (as perf list metrics shows them)"),
	OPT_CALL(0, "metric-dir", "directory", add_metric_dir,
		 "more metrics, of the JSON files below it"),
	OPT_FLAG(0, "metric-only", struct stat_cmd, output.metric_only,
		 "print the metrics alone, in columns"),
	OPT_FLAG(0, "metric-no-group", struct stat_cmd, events.no_metric_group,
		 "with -M: do not count the events of a metric as one group"),
	OPT_FLAG(0, "metric-no-merge", struct stat_cmd, events.no_metric_merge,
		 "with -M: do not share events between metrics"),
	OPT_FLAG(0, "metric-no-threshold", struct stat_cmd, events.no_threshold,
		 "with -M: do not say whether a value is good"),
	OPT_STRING(0, "cputype", struct stat_cmd, events.cputype, "pmu",
		   "only events on CPUs of this kind"),
	OPT_STRING(0, "pmu-filter", struct stat_cmd, events.pmu_filter, "pmu",
		   "of events that several PMUs have only those of this one (a glob)"),
	OPT_CALL(0, "filter", "filter", add_filter,
	     "only events of the tracepoint before it whose fields match this"),
	OPT_FLAG('i', "no-inherit", struct stat_cmd, no_inherit,
		 "do not follow children"),
	OPT_FLAG(0, "scale", struct stat_cmd, scale,
		 "scale counts of events that ran for a part of the time (default)"),
	OPT_COUNT('d', "detailed", struct stat_cmd, events.detailed,
		  "add events of caches (-dd, -ddd: more of them)"),
	OPT_INT('r', "repeat", struct stat_cmd, count.runs, "n",
		"run the command n times, print mean and deviation (0: until ^C)"),
	OPT_CALL(0, "compare", "command command", compare_form,
		 "run two commands of the shell by turns, -r times each: which is faster?"),
	OPT_CALL(0, "fail-if-slower", "percent", set_fail_if_slower,
		 "with --compare: fail where the second is slower by more than this"),
	OPT_FLAG(0, "table", struct stat_cmd, output.runs_table,
		 "with -r: print the time of each run"),
	OPT_FLAG('n', "null", struct stat_cmd, count.null_run,
		 "count nothing, measure only the time"),
	OPT_FLAG('S', "sync", struct stat_cmd, count.sync_first,
		 "call sync() before starting a run"),
	OPT_FLAG('B', "big-num", struct stat_cmd, output.big_num,
		 "print numbers with thousands' separators (default)"),
	OPT_FLAG('A', "no-aggr", struct stat_cmd, no_aggr, "print a row for each CPU"),
	OPT_FLAG(0, "no-merge", struct stat_cmd, count.stat.no_merge,
		 "print a row for each PMU of several equal ones"),
	OPT_CALL_NO('x', "field-separator", "separator", stat_set_sep,
		    "print CSV, with this separator (\\t: a tab)"),
	OPT_FLAG('j', "json-output", struct stat_cmd, output.data.json,
		 "print JSON, one object a line"),
	OPT_CALL(0, "format", "openmetrics", set_format,
		 "print what Prometheus reads; with -I and -o the file is replaced each time"),
	OPT_STRING(0, "listen", struct stat_cmd, output.listen, "address:port",
		   "with -I: serve the last interval to Prometheus there, as http://.../metrics"),
	OPT_STRING('G', "cgroup", struct stat_cmd, events.cgroups, "name",
		   "only tasks in these cgroups (one for each event, or one for all)"),
	OPT_STRING(0, "for-each-cgroup", struct stat_cmd, events.each_cgroup, "name",
		   "count all events for each of these cgroups"),
	OPT_FLAG(0, "record-tpebs", struct stat_cmd, tpebs,
		 "no effect: events with :R are 0, as retire latencies are not sampled here"),
	OPT_CALL(0, "tpebs-mode", "mode", set_tpebs_mode,
		 "no effect: how retire latencies would be combined (mean, min, max, last)"),
	OPT_CALL('b', "bpf-prog", "id,...", set_programs,
		 "count only what happens while these BPF programs run"),
	OPT_FLAG(0, "bpf-counters", struct stat_cmd, events.bpf_counters,
		 "count by BPF programs: with -a share counters with other perfs that do so,\n"
		 "with --for-each-cgroup by one program for all cgroups"),
	OPT_STRING(0, "bpf-attr-map", struct stat_cmd, events.share_table, "path",
		   "with --bpf-counters: the table of shared counters, in the BPF file system"),
	OPT_SETTING_FIELD("stat.bpf-counter-events", OPT_KIND_STRING, struct stat_cmd,
			  events.share_names, "events"),
	OPT_STRING('o', "output", struct stat_cmd, output.path, "file",
		   "where to write the counts (default: standard error)"),
	OPT_FLAG(0, "append", struct stat_cmd, output.append, "append to the output file"),
	OPT_INT(0, "log-fd", struct stat_cmd, output.log_fd, "n",
	     "write to this file descriptor, instead of stderr"),
	OPT_STRING(0, "pre", struct stat_cmd, count.pre, "command",
		   "a command to run before each measured one"),
	OPT_STRING(0, "post", struct stat_cmd, count.post, "command",
		   "a command to run after each measured one"),
	OPT_DURATION('I', "interval-print", struct stat_cmd, count.interval_ns, 1000000, "n",
		     "print the counts each n ms"),
	OPT_INT(0, "interval-count", struct stat_cmd, count.interval_count, "n",
		"with -I: end after n times"),
	OPT_FLAG(0, "interval-clear", struct stat_cmd, output.interval_clear,
		 "with -I: clear the screen each time"),
	OPT_FLAG(0, "hybrid-merge", struct stat_cmd, count.stat.hybrid_merge,
		 "print one row for an event that each kind of CPU has"),
	OPT_FLAG(0, "percore-show-thread", struct stat_cmd, count.stat.percore_threads,
		 "with -A and the term percore: print the sum of a core for each of its CPUs"),
	OPT_FLAG(0, "affinity", struct stat_cmd, affinity,
		 "no effect: counters are read from where perf runs"),
	OPT_FLAG(0, "no-csv-summary", struct stat_cmd, output.no_csv_summary,
		 "with -x and --summary: no word \"summary\" in the first column"),
	OPT_FLAG(0, "hide-zero-events", struct stat_cmd, count.stat.no_zeros,
		 "no rows of events that counted nothing"),
	OPT_FLAG(0, "summary", struct stat_cmd, output.summary,
		 "with -I: print the sums at the end"),
	OPT_DURATION(0, "timeout", struct stat_cmd, count.timeout_ns, 1000000, "n",
		     "end after n ms"),
	AGGR("per-core", STAT_CORE, "print a row for each core"),
	AGGR("per-cluster", STAT_CLUSTER, "print a row for each cluster of cores"),
	OPT_CALL_OPTARG_NO(0, "per-cache", "level", "", stat_set_per_cache,
		     "print a row for each cache (of this level, L2; default: the last)"),
	AGGR("per-die", STAT_DIE, "print a row for each die"),
	AGGR("per-socket", STAT_SOCKET, "print a row for each socket"),
	AGGR("per-node", STAT_NODE, "print a row for each NUMA node"),
	AGGR("per-thread", STAT_THREAD, "print a row for each thread"),
	OPT_CALL_NO('D', "delay", "n", set_delay,
		    "begin this many ms after the start (-1: start disabled)"),
	OPT_STRING(0, "control", struct stat_cmd, count.control,
		   "fd:ctl-fd[,ack-fd] or fifo:ctl-fifo[,ack-fifo]",
		   "read commands there: enable, disable, ping, stop"),
	OPT_FLAG(0, "all-user", struct stat_cmd, events.all_user,
		 "count events in user space only"),
	OPT_FLAG(0, "all-kernel", struct stat_cmd, events.all_kernel,
		 "count events in the kernel only"),
	OPT_END
};

/* --- events --- */

static void set_modes(struct stat_cmd *c)
{
	for (size_t i = 0; i < c->events.list.events.n; i++) {
		struct perf_event_attr *a = &c->events.list.events.v[i]->attr;

		if (c->events.all_user)
			a->exclude_kernel = a->exclude_hv = 1;
		if (c->events.all_kernel)
			a->exclude_user = 1;
	}
}

#define SHARE_TABLE OS_BPFFS "/perf_shared_counters"

static bool is_listed(const char *list, const char *name)
{
	word_list words = { NULL, 0, 0 };
	bool found = false;

	words_split(list, &words);
	for vec_each(w, &words)
		found |= !strcmp(*w, name);
	words_release(&words);
	return found;
}

/* Counters of whole CPUs are the same for all who count them; those of tasks are not. */
static void share_counters(struct stat_cmd *c)
{
	const struct target *t = &c->target;
	bool any = false;

	if ((!t->system_wide && !t->cpu_list) || t->pid || t->tid || t->user ||
	    c->aggr == STAT_THREAD || c->record || c->events.cgroups ||
	    c->events.each_cgroup || c->events.bpf_programs)
		return;
	for vec_each(p, &c->events.list.events) {
		struct event *e = *p;

		e->bpf |= c->events.bpf_counters || is_listed(c->events.share_names, e->name);
		any |= e->bpf;
	}
	if (any)
		c->count.share_table = c->events.share_table ? c->events.share_table : SHARE_TABLE;
}

int stat_prepare_events(struct stat_cmd *c, struct err *err)
{
	int ret = 0;

	if (c->count.null_run)
		return 0;
	if (c->iostat.on)
		return stat_iostat_prepare(c, err);
	ret = event_list_keep_pmus(&c->events.list, 0, c->db, c->events.cputype,
				   c->events.pmu_filter, err);
	if (ret)
		return ret;
	if (c->events.metrics || stat_presets_asked(c) || !c->events.list.events.n)
		ret = stat_prepare_metrics(c, err);
	if (!ret)
		ret = stat_prepare_cgroups(c, err);
	set_modes(c);
	share_counters(c);
	return ret;
}
