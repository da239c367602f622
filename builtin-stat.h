/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_STAT_H
#define BUILTIN_STAT_H
/*
 * perf stat: builtin-stat-options.c has the options, builtin-stat.c what is done with them,
 * builtin-stat-output.c where it goes, builtin-stat-report.c stat report.
 */
#include <stdio.h>

#include "util/cli/common.h"
#include "util/cli/options.h"
#include "util/count/count.h"
#include "util/count/metrics.h"
#include "util/event/iio.h"
#include "util/view/stat.h"

/* groups of metrics with an option of their own */
struct stat_presets {
	bool topdown, transaction, smi;
	int level;			/* --td-level */
	bool froze;			/* freeze_on_smi was 0 */
};

/* event_parse(), or a grammar like it */
typedef int stat_parse_fn(struct event_list *l, const char *text, struct os *os, struct pmu_db *db,
			  struct err *err);
struct stat_text { char *text; stat_parse_fn *parse; };

/* what is counted */
struct stat_events {
	struct event_list list;
	VEC(struct stat_text) texts;	/* of -e and --pfm-events, for --for-each-cgroup */
	const char *cgroups, *each_cgroup;
	bool bpf_counters;
	const char *share_names, *share_table;	/* stat.bpf-counter-events, --bpf-attr-map */
	const char *bpf_programs;	/* -b, as given */
	struct count_cgroups by_bpf;
	int detailed;
	/* metrics: names of -M, directories with metric files, the set, and those that are shown */
	char *metrics;
	struct stat_presets presets;
	VEC(char *) metric_dirs;
	struct metric_set metric_set;
	struct stat_formulas formulas;
	const char *cputype, *pmu_filter;
	bool no_metric_group, no_metric_merge, no_threshold;
	bool all_user, all_kernel;
};

struct text_server;

/* where it goes, and how */
struct stat_output {
	FILE *f;
	const char *path;		/* -o; NULL: stderr */
	int log_fd;
	bool append, summary, big_num, runs_table, interval_clear, metric_only, no_csv_summary;
	bool openmetrics;		/* --format */
	const char *listen;		/* where to serve the same */
	struct text_server *server;
	VEC(double) sums;		/* of its rows */
	bool metric_head_due;		/* the line of names above values alone */
	/* the first interval has the head of the table */
	bool head_due, iostat_head_due;
	struct table_output data;
	struct stat_view view;
	struct str title;		/* of a recorded session */
};

/* --compare: two commands by turns */
struct stat_compare_opts {
	const char *commands[2];	/* of /bin/sh -c; NULL: nothing is compared */
	bool fails;			/* --fail-if-slower was given, and from how much on */
	double fail_pct;
};

/* --iostat: the events are those of PCIe root ports */
struct stat_iostat {
	bool on, list;
	const char *wanted;		/* "0000:17,0:3a"; NULL: all */
	iio_port_vec ports;
};

struct stat_cmd {
	struct os os;
	struct pmu_db *db;
	struct stat_events events;
	struct target target;
	struct count_opts count;	/* options of a run are set in it */
	struct stat_output output;
	struct stat_compare_opts compare;
	struct stat_iostat iostat;
	struct cli_common common;
	bool no_inherit, no_aggr, scale, affinity, tpebs;
	bool record;			/* stat record: counters are written, too */
	int aggr;
};

extern const struct option_def stat_options[];
/* of a table whose base is, or begins with, struct stat_cmd */
int stat_set_sep(const struct opt_use *u, struct err *err);
int stat_set_per_cache(const struct opt_use *u, struct err *err);
/* --- builtin-stat-output.c */
int stat_output_open(struct stat_output *o, bool quiet, struct err *err);
/* 0, or the exit status: a full disk is an error, not a shorter table. */
int stat_output_close(struct stat_output *o);
/* Of count_opts; ctx: the struct stat_cmd. */
void stat_on_interval(void *ctx, const struct stat_row *rows, size_t n, u64 time_ns);
/* The total, at the end. */
void stat_print_result(struct stat_cmd *c, const struct count_result *r);

int cmd_stat_report(int argc, const char **argv);

/* --- builtin-stat-compare.c: takes --compare and its two commands out of the words, as they may
 * stand before other options. 0, or the exit status. */
int stat_compare_take(const struct cli_cmd *cmd, struct stat_cmd *c, int *argc, const char **argv);
int stat_compare_run(struct stat_cmd *c);
/* --- builtin-stat-metrics.c: the events of metrics, of -M or the default ones. */
int stat_prepare_metrics(struct stat_cmd *c, struct err *err);
/* The same events and metrics once more. */
int stat_metrics_append(struct stat_cmd *c, struct stat_formulas *out, struct err *err);
void stat_metrics_release(struct stat_events *e);
/* --- builtin-stat-presets.c: --topdown and the like, as names of metrics. */
extern const struct option_def stat_preset_options[];
/* Names of metrics and groups, as of -M, beside those that were asked for before. */
void stat_metrics_ask(struct stat_events *e, const char *names);
bool stat_presets_asked(const struct stat_cmd *c);
/* Between the files of metrics and what is made of them. */
int stat_presets_prepare(struct stat_cmd *c, struct err *err);
void stat_presets_end(struct stat_cmd *c);	/* undoes what was written to sysfs */
/* --- builtin-stat-iostat.c: --iostat. */
extern const struct option_def stat_iostat_options[];
int stat_iostat_list(struct stat_cmd *c);	/* to stdout; the exit status */
int stat_iostat_prepare(struct stat_cmd *c, struct err *err);
/* In place of the head and the rows of counters; time_ns < 0: the total. */
void stat_iostat_add(struct stat_cmd *c, const struct stat_row *rows, size_t n, s64 time_ns,
		     struct str *out);
/* --- builtin-stat-options.c: the default events, modes and cgroups. */
int stat_prepare_events(struct stat_cmd *c, struct err *err);
/* --- builtin-stat-cgroups.c: -G and --for-each-cgroup. */
int stat_prepare_cgroups(struct stat_cmd *c, struct err *err);
/* --- builtin-stat-check.c: options that exclude or need each other; n_args: words of the command.
 * 0, or the exit status. */
int stat_check(const struct cli_cmd *cmd, struct stat_cmd *c, int n_args);

#endif
