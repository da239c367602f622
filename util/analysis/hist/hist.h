/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_HIST_H
#define ANALYSIS_HIST_H
/*
 * The histogram of samples: rows by key columns, with self and children totals and call trees. A
 * sink: the stream feeds it (in parallel through clones that share one table of ids), hist_finish()
 * makes rows, hist_table() a table of cells.
 *
 *  1. A stack is stored once, in a root-first calling-context tree; its nodes hold what ended
 *     there. Nothing else grows with the number of samples.
 *  2. Ids of frames, keys and groups are shared by all clones, so merging only maps nodes. Ids
 *     depend on the threads' race; so nothing that is shown may depend on the order of ids.
 *  3. An entry's children total counts each stack once, also with recursion: only outermost
 *     occurrences on a path count.
 *  4. Chains of a row are derived from the tree when the row is shown, and only along branches
 *     above the limit.
 */
#include "util/analysis/hist/keys.h"
#include "util/base/hash.h"
#include "util/base/table.h"
#include "util/stream/sink.h"

enum chain_mode { CHAIN_NONE, CHAIN_GRAPH, CHAIN_FRACTAL, CHAIN_FLAT, CHAIN_FOLDED };
enum chain_key { CHAIN_KEY_FUNCTION, CHAIN_KEY_ADDRESS, CHAIN_KEY_SRCLINE };
enum chain_value { CHAIN_PERCENT, CHAIN_PERIOD, CHAIN_COUNT };

struct chain_opts {
	enum chain_mode mode;
	enum chain_key key;
	enum chain_value value;
	bool caller;			/* outermost first */
	double min_pct;
	unsigned print_limit;		/* 0: all */
	bool order_set;			/* caller was asked for, or not, by name */
};

/* "graph,0.5,10,caller,function,percent" in any order over what is in o already (the print limit
 * follows the threshold); upstream perf's -g. -EINVAL names the word that is none of them. */
int chain_opts_parse(struct chain_opts *o, const char *text, struct err *err);
/* The words that it takes, from i = 0 on; NULL: there are no more. */
const char *chain_opts_word(size_t i);

/* hides samples, which still count in absolute percentages; NULL: off */
struct hist_filter {
	const char *comms, *dsos, *symbols, *symbol_substr, *pids, *tids;
	const char *parallelism;	/* list of numbers of threads that ran at the time */
	const int *socket;		/* one of those of struct hist_keys */
	bool hide_unresolved, only_parents;
};

struct hist_opts {
	const struct event_list *events;
	struct machine *machine;	/* for cgroup names; may be NULL */
	struct hist_keys *keys;		/* borrowed; must outlive the hist */
	struct hist_filter filter;
	/* regular expression of functions whose callees are cut off; or NULL */
	const char *ignore_callees;
	bool children;			/* rows for callers, with totals of what they called */
	bool chains;			/* keep call chains (children needs them too) */
	bool callgraph;			/* trees will be asked for: keep what chain_key needs */
	/* chains have ends of branches (stream_opts.branches): rows and trees tell of them */
	bool branches;
	bool nested;			/* so may hist_view_opts.nested: keep stacks of children */
	enum chain_key chain_key;
	/* the order in which chains will be shown: decides ties, and what max_frames keeps */
	bool caller;
	unsigned max_frames;		/* longer chains are cut at the end of that order; 0: not */
	bool no_inline;
	bool relative;			/* percentages of what the filters left */
	unsigned threads;		/* for making call trees; 0: one per CPU */
	bool swap;			/* the recording has the other byte order (raw data) */
};

struct hist_total { u64 period, n; };

struct hist_row {
	u32 gid, fid;
	u64 self, self_n;		/* period, samples */
	u64 sum, sum_n;			/* with callees; without children: equal to self */
	/* self period by cpumode: kernel, user, guest kernel, guest user */
	u64 by_mode[4];
	double weights[3];		/* sums */
	/* periods by how many threads ran at the time, of self and sum: see hist_latency() */
	u128 latency, latency_sum;
	/* in the stacks of sum; NULL: without hist_opts.branches. As long as the rows */
	struct branch_counts *branches;
	u64 *shares;			/* of self, by class (shares.h); NULL: not asked for */
	u32 max_depth;			/* frames of its longest chain */
	u32 tmp;
};

struct hist;
/* opts is copied; what it points to is borrowed. */
struct hist *hist_new(const struct hist_opts *opts, struct err *err);
void hist_free(struct hist *h);
struct sink *hist_sink(struct hist *h);		/* valid as long as h */
/* After the stream ran, or between two of its batches: makes the rows of all events. */
void hist_finish(struct hist *h);
/* Live: rows and samples are forgotten, and what comes from now on is counted. What was borrowed
 * of the rows is gone. */
void hist_clear(struct hist *h);
/* Live: of all that was counted keep/of is left (7/8 a refresh); what has less than half of a
 * sample left is forgotten. What was borrowed of the rows is gone. */
void hist_decay(struct hist *h, u64 keep, u64 of);
/* Live: ids that nothing is counted for any more are given up, when they are many. */
void hist_tidy(struct hist *h);
/* Live, for who looks at rows while samples come: a sink for these, which are no part of the hist
 * before hist_add_pending(). Valid until then. */
struct sink *hist_pending(struct hist *h);
void hist_add_pending(struct hist *h);
/* Live: the threads that rows are of (by key columns such as pid), as keys of out: they have to be
 * kept. */
void hist_threads(const struct hist *h, struct hmap *out);
/* all samples */
struct hist_total hist_total(const struct hist *h, const struct event *e);
/* those that the filters left */
struct hist_total hist_filtered_total(const struct hist *h, const struct event *e);
/* Whether of any sample latencies and periods differ (with a column of latencies). */
bool hist_ran_parallel(const struct hist *h);
size_t hist_n_rows(const struct hist *h, const struct event *e);
const struct hist_row *hist_row(const struct hist *h, const struct event *e, size_t i);	/* sorted */
/* value of the key-th key column */
u64 hist_row_word(const struct hist *h, const struct hist_row *r, size_t key);
size_t hist_n_nodes(const struct hist *h);	/* of the tree */
/* The call chains that were counted, with callgraph: a parent before its children, node 0 above
 * all. What ended in a node is its own; sym lives as long as the hist. The caller frees. */
struct hist_node { u32 parent; const struct event *event; const struct hist_sym *sym;
		   struct hist_total self; };
typedef VEC(struct hist_node) hist_nodes;
void hist_stacks(const struct hist *h, hist_nodes *out);
/* With branches: each distinct chain of an event, innermost frame first, and what is known of the
 * branches there. Borrowed from the hist. */
struct hist_branch_step { const struct hist_sym *sym; const struct branch_counts *counts; };
struct hist_branch_path { struct hist_total self; VEC(struct hist_branch_step) steps; };
typedef VEC(struct hist_branch_path) hist_branch_paths;
void hist_branch_paths_get(const struct hist *h, const struct event *e, hist_branch_paths *out);
void hist_branch_paths_release(hist_branch_paths *v);
size_t hist_n_groups(const struct hist *h);	/* ids in use, or not given up yet */

/* What a sample counts: its period, or where it does not tell, that of the event, or 1. */
u64 hist_period(const struct sample *s);

/* What a sample counts of wall-clock time: of its period the part of one of n threads that ran. In
 * units of 2^-LATENCY_BITS: sums are exact, in any order. */
#define LATENCY_BITS 40
u128 hist_latency(u64 period, u32 n);

struct hist_view_opts {
	struct chain_opts chain;
	double min_pct;			/* rows below are hidden */
	u64 min_n;			/* so are rows with fewer samples */
	size_t max_rows;		/* and what comes after so many shown rows; 0: all */
	bool group;			/* columns of all members of e's group side by side */
	/* Rows as a tree: those with the same first key are one row, in it those with the same
	 * second one, ...; columns of values, then those of the keys (column.level,
	 * table_row.indent). An inner row counts each sample once, also among callers. */
	bool nested;
	/* the member of the group that decides the order (rows one by one: only of nested ones) */
	unsigned by_member;
};
/* Rows of an event (with group: of its whole group) as a table; trees for the rows that are
 * shown. */
void hist_table(struct hist *h, const struct event *e, const struct hist_view_opts *opts,
		struct table *out);

/* The same for who looks at rows one by one: trees are made when they are asked for. opts is
 * copied; the hist outlives it. One owner. */
struct hist_rows;
struct hist_rows *hist_rows_new(struct hist *h, const struct event *e,
				const struct hist_view_opts *opts);
void hist_rows_free(struct hist_rows *v);
const struct table *hist_rows_table(const struct hist_rows *v);	/* without trees */
/* Of the event (of rows that only other members of the group have: zeros, with the keys). */
const struct hist_row *hist_rows_at(const struct hist_rows *v, size_t i);
/* Nested: whether it has a value of that key column (or holds rows with several); and whether it
 * holds rows at all. hist_rows_at() is then of one of these. */
bool hist_rows_has(const struct hist_rows *v, size_t i, size_t key);
bool hist_rows_inner(const struct hist_rows *v, size_t i);
const struct call_tree *hist_rows_tree(struct hist_rows *v, size_t i);	/* NULL: it has none */
/* passes: rows that are shown, as many as the table has (nested: inner ones are of those that are
 * shown, and their own are not read), or NULL: all. 100 % is from now on the samples of these, with
 * relative, or as at the beginning. Yields what it is, with a group that of all its members. */
struct hist_total hist_rows_whole(struct hist_rows *v, const bool *passes, bool relative);
u64 hist_rows_total(const struct hist_rows *v);		/* of the event: what 100 % is */

#endif
