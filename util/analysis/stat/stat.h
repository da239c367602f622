/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_STAT_STAT_H
#define ANALYSIS_STAT_STAT_H
/*
 * Counters: totals per (event, thread, CPU) go in; rows come out, added up by CPU, core, die,
 * cluster, socket, node or thread, scaled for multiplexing, averaged over runs, with the metrics
 * that belong to them. One owner.
 */
#include "util/base/table.h"
#include "util/analysis/stat/formula.h"
#include "util/event/event.h"

enum stat_aggr { STAT_GLOBAL, STAT_CPU, STAT_CORE, STAT_CLUSTER, STAT_CACHE, STAT_DIE, STAT_SOCKET,
		 STAT_NODE, STAT_THREAD };

struct stat_opts {
	enum stat_aggr aggr;
	bool no_scale;
	/* one row for each of several equal PMUs (uncore_imc_0, _1) */
	bool no_merge;
	bool active_threads_only;	/* STAT_THREAD: no rows of threads that counted nothing */
	bool hybrid_merge;		/* one row of an event that each kind of CPU has */
	bool percore_threads;		/* STAT_CPU: sums of cores in the rows of their CPUs */
	bool no_threshold;		/* metrics are not judged */
	bool no_zeros;			/* no rows of events that counted nothing */
	const struct stat_formulas *formulas;	/* metrics to be shown, or NULL; borrowed */
};

enum stat_state {
	STAT_COUNTED, STAT_NOT_COUNTED, STAT_NOT_SUPPORTED,
	/* one more metric of the row before: nothing else of this row is shown */
	STAT_ONLY_METRIC,
};

struct stat_metric {
	/* "CPUs utilized", "insn per cycle", "M/sec"; NULL: no metric */
	const char *unit;
	double value;			/* NaN: is not known */
	int decimals;			/* 3; percentages and IPC 2 */
	const char *verdict;		/* "good", "bad" by its threshold; NULL: it has none */
};

struct stat_row {
	const struct event *event;
	const char *name;		/* what to show; borrowed from the model */
	const char *cgroup;		/* or NULL */
	enum stat_state state;
	/* which part of the machine; what the aggregation does not know is -1 */
	/* STAT_CPU with cpu -1: a core, for the term percore */
	int cpu, core, cluster, cache, cache_level, die, socket, node, tid;
	const char *comm;		/* of the thread, borrowed */
	int n_counters;			/* CPUs (or threads) that were added up */
	double value;			/* in its unit: ms for clocks, event->scale applied */
	const char *unit;		/* "msec", "Joules" ...; "" without */
	bool fraction;			/* show two decimals */
	u64 running_ns;
	/* of the time that it was enabled; 100 when never multiplexed */
	double running_pct;
	double noise_pct;		/* standard error of the mean over runs; < 0: one run */
	struct stat_metric metric;	/* that was asked for */
	u8 lack;			/* enum stat_lack of an event that is not supported */
	/* What else it says, in text only. extra: in a line of its own (stalled cycles per insn) */
	struct stat_metric also, extra;
};
typedef VEC(struct stat_row) stat_rows;

struct stat_spread { u64 n; double mean, m2; };		/* Welford */
void stat_spread_add(struct stat_spread *s, double v);
double stat_spread_error(const struct stat_spread *s);	/* of the mean */

struct stat;
/* Events with the term percore are added up by core where the others have a row for each CPU:
 * stat_new() needs topo then, too. */
bool stat_wants_cores(const struct event_list *l, enum stat_aggr aggr);
/* The list must be open (or have its tids and cpus). topo: needed for core, die, cluster,
 * socket, node. */
struct stat *stat_new(const struct event_list *l, const struct os_cpu *topo, size_t n_topo,
		      const struct stat_opts *opts);
void stat_free(struct stat *s);
/* Names for STAT_THREAD rows: of thread number t. */
void stat_set_comm(struct stat *s, int thread, const char *comm);
/* The counter's total until now. */
void stat_put(struct stat *s, int event, int thread, int cpu, const struct event_count *total);
/* What was counted since the last stat_next() (or ever), in wall_ns. Rows are sorted for
 * showing. */
void stat_get_rows(struct stat *s, u64 wall_ns, stat_rows *out);
void stat_next(struct stat *s);
/* Forgets the intervals: what follows is about everything since the start of the run. */
void stat_rewind(struct stat *s);
/* Ends a run of several: its values enter the averages, and totals start from zero again. */
void stat_end_run(struct stat *s);
/* "S0-D0-C1", "CPU0", "comm-tid"; "?" where the machine does not tell. */
void stat_row_id(enum stat_aggr aggr, const struct stat_row *r, struct str *out);
struct stat_table_opts {
	enum stat_aggr aggr;
	s64 time_ns;		/* the interval's stamp; < 0: none */
	const char *lead;	/* "summary" in its place (CSV), or NULL */
};
/* "socket": what rows are of; "" for STAT_GLOBAL. */
const char *stat_aggr_name(enum stat_aggr aggr);
/* The rows are of CPUs that were added up. */
bool stat_counts_cpus(enum stat_aggr aggr);
/* Two rows are of the same part of the machine (or the same thread, or cgroup). */
bool stat_same_place(const struct stat_row *a, const struct stat_row *b);
/* The first columns, which say what a row is of, and a row with cells of these. */
void stat_id_columns(const struct stat_table_opts *o, struct table *out);
void stat_id_cells(const struct stat_table_opts *o, struct table *t, const struct stat_row *r);
/* As upstream perf writes them: its keys, and numbers between quotes in JSON where it has them
 * so. Texts of rows are borrowed. */
void stat_table(const struct stat_row *rows, size_t n, const struct stat_table_opts *o,
		struct table *out);

/* Averages over all runs. */
void stat_get_average(struct stat *s, u64 mean_wall_ns, stat_rows *out);

#endif
