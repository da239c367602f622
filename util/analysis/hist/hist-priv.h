/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_HIST_PRIV_H
#define ANALYSIS_HIST_PRIV_H
/*
 * Inside of the histogram: ids, the calling-context tree, the workers' caches.
 */
#include <pthread.h>
#include <regex.h>

#include "util/analysis/hist/cct.h"
#include "util/analysis/hist/hist.h"
#include "util/base/hash.h"
#include "util/event/per-event.h"

/* A tag of a node of the tree says what the node is: */
#define TAG_ROOT 0x80000000u	/* | id of (group, event) */
/* | frame key: a sample whose row is not that of its innermost frame */
#define TAG_LEAF 0x40000000u
#define TAG_LOC_MASK 0x3fffffffu	/* else: a location id */

#define MAX_KEYS 24

/* A location: what a tree node stands for. words: chain identity (struct hist_sym *), then the
 * frame keys. */
struct shared {
	pthread_mutex_t lock;
	struct idset syms;	/* (dso, sym or name, rva) -> index in sym_ptrs */
	VEC(struct hist_sym *) sym_ptrs;
	struct strmap dsos;	/* path and build-id -> the dso that stands for all of them */
	struct hmap dso_of;	/* dso -> that one */
	/* that one -> the first of its group in the store, which does not depend on threads */
	struct hmap dso_min;
	struct idset locs, fids, gids, roots;
	VEC(u32) loc_fid;
	struct arena arena;
	struct intern *names;
};

struct step { u32 loc, fid; };		/* one frame after expansion by inlined functions */

struct addr_slot {
	const void *dso;
	u64 rva;
	union { struct step one; u32 first; };	/* one: where n is 1 */
	u16 n;
	u8 cpumode;
	bool parent, cut;
};
_Static_assert(sizeof(struct addr_slot) == 32, "two are a cache line");
struct addr_cache {
	struct addr_slot *slots;
	size_t n, mask;
	VEC(struct step) steps;
};

struct path_entry { u64 va; const void *dso; u32 node, fid; };
struct path {
	const struct thread *thread;
	u32 root;
	u32 n, cap;
	struct path_entry *e;
};
#define N_PATHS 256
struct root { u32 gid, event, id; bool known; };
#define N_ROOTS 64
struct chain_tag { u32 tag, hash; };

struct event_totals {
	struct hist_total all, filtered;
	struct hist_total left;		/* of filtered, by the last hist_decay() */
	u64 mean;			/* period of a sample since then, or before */
	u128 latency, latency_filtered;	/* with want_latency */
};

/* sums that few reports ask for, by (group, event) and frame key */
struct extra {
	u64 by_mode[4];
	double weights[3];
	u64 *shares;			/* with EXTRA_SHARES */
};

typedef VEC(u128) latencies;	/* by node; what lies beyond is 0 */

struct flat_sum { u64 period, n; u32 seq; };	/* seq: the last sample that was added */

struct caches { struct addr_cache addrs, leaves; };

struct worker {				/* one per clone */
	struct hist *hist;
	struct sink sink;
	struct cct tree;
	struct caches known;
	struct path paths[N_PATHS];
	VEC(struct chain_tag) tags;	/* of the chain at hand */
	u64 last_words[MAX_KEYS];
	u32 last_gid;
	bool have_last;
	struct root roots[N_ROOTS];	/* asked for before, by group and event */
	struct hmap extras;		/* node -> struct extra * */
	struct arena arena;
	struct per_event totals;	/* struct event_totals */
	/* Children totals without call graphs: no stacks are kept, all nodes are leaves below
	 * their root. */
	VEC(struct flat_sum) sums;		/* by node */
	u32 seq;				/* of the sample */
	u32 last_node;				/* where the last sample was added */
	struct hmap branches;	/* by such a node: struct branch_path */
	latencies lat, lat_sums;		/* with want_latency: of nodes, of sums */
};

#define ROW_OUTER 0x80000000u	/* in node_row: the outermost node of its row on its path */
#define ROW_MASK 0x7fffffffu

struct event_rows {
	VEC(struct hist_row) rows;
	u32 *renumber;
	u32 base;			/* number of rows of earlier events */
};

/* of opts.filter; NULL: off */
struct filters {
	struct name_filter *comms, *dsos, *symbols;
	struct num_filter *pids, *tids, *running;
};

enum extra_kind { EXTRA_NONE, EXTRA_SUMS, EXTRA_SHARES };

/* Where chains have ends of branches, by node: of the node in all stacks; of the stacks that end
 * there or below. */
struct branch_totals { bool want; struct branch_counts *at, *below; };

struct hist {
	struct hist_opts opts;
	struct shared sh;
	struct worker *main;
	struct sink *pending;		/* a clone: samples that are not in main yet; or NULL */
	size_t n_events;		/* after hist_finish() */
	regex_t ignore_re;
	bool have_ignore;
	struct filters f;
	/* of merged workers, for the next ones: what they say holds for all */
	VEC(struct caches) spare;
	enum extra_kind want_extra;
	bool want_latency;
	bool want_running;		/* samples ask how many threads run */
	bool want_lines;		/* of inlined frames; else their names are enough */
	bool flat;			/* children, but no call graph: see struct worker */
	/* --symbol-filter hides rows by this key column, not samples; -1: samples */
	int substr_col;
	/* after hist_finish() */
	struct event_rows *by_event;
	u32 *first_child, *next;	/* by node */
	struct hist_total *total;	/* by node: with all below */
	u128 *latency;			/* the same, with want_latency */
	struct branch_totals branches;
	/* by node: row + 1, counted over all events; 0: none; with ROW_OUTER */
	u32 *node_row;
	size_t node_cap;		/* of the arrays by node, which are used again */
	VEC(u32) loc_chain;		/* by location: dense id of its chain identity */
	struct idset chain_ids;
};

/* expand.c */
const struct addr_slot *addr_lookup(struct worker *w, const struct location *l, bool leaf);
static inline const struct step *addr_steps(const struct addr_cache *c, const struct addr_slot *a)
{
	return a->n == 1 ? &a->one : c->steps.v + a->first;
}
/* what a caller's lookup will touch */
void addr_fetch(const struct worker *w, const struct location *l);
const struct hist_sym *hist_sym_get(struct hist *h, const struct location *l,
				    const char *inline_name, bool with_rva);
void hist_settle_dsos(struct hist *h);	/* after the last sample */
/* hist.c */
void hist_release_rows(struct hist *h);	/* what hist_finish() made */
u128 hist_latency_whole(const struct hist *h, const struct event *e);	/* what 100 % is */
/* latency.c */
void latencies_add(latencies *l, u32 node, u128 add);
static inline u128 latencies_at(const latencies *l, u32 node)
{
	return node < l->n ? l->v[node] : 0;
}
void latencies_merge(latencies *to, const latencies *from, const u32 *map);
/* By node, with all below; flat: as it was summed. The caller frees. */
u128 *latencies_total(const struct hist *h);
/* branch-counts.c: the ends of branches in chains, with branches.want */
void branch_counts_add(struct branch_counts *to, const struct branch_counts *add);
void branch_counts_take(struct branch_counts *from, const struct branch_counts *take);
u32 branch_depth(const struct cct_node *nodes, u32 node);	/* below the root: from 1 on */
/* The sample that was added last, of frames first to last - 1 of r. */
void branch_counts_sample(struct worker *w, const struct resolved *r, u32 first, u32 last,
			  const struct path *path);
void branch_counts_merge(struct worker *into, const struct worker *from, const u32 *map);
/* Of the stacks that end in a node, at the node above it that has this depth; or NULL. */
const struct branch_counts *branch_counts_at(const struct hist *h, u32 end, u32 depth);
/* The same of all stacks through node; added to out. */
void branch_counts_below(const struct hist *h, u32 node, u32 depth, struct branch_counts *out);
void branch_totals_make(struct hist *h);	/* h->branches */
void branch_totals_free(struct hist *h);
/* All of the stacks that end in the node, or there and below; added to out. */
void branch_totals_row(const struct hist *h, u32 node, bool below, struct branch_counts *out);
/* extra.c */
struct extra *extra_get(struct worker *w, u32 node);		/* finds or makes */
void extra_add(struct worker *w, u32 node, const struct sample *s, u64 period);
void extra_merge(struct extra *to, const struct extra *from);
void extra_to_row(struct worker *w, struct hist_row *row, u32 node);	/* adds */
/* rows.c */
void hist_make_rows(struct hist *h);
void hist_free_arrays(struct hist *h);	/* those by node */
/* chains.c */
/* the nodes of row r (from 1): list[start[r - 1] .. start[r]) */
struct row_nodes { u32 *start, *list; };
void row_nodes_init(struct row_nodes *rn, const struct hist *h);
void row_nodes_release(struct row_nodes *rn);
struct group;
struct row_scratch *row_scratch_new(const struct hist *h);	/* one a thread */
void row_scratch_free(struct row_scratch *s);	/* NULL is fine */
/* row: number over all events, from 1. total: what 100 % is. Names are borrowed from the hist. */
void hist_row_tree(const struct hist *h, const struct row_nodes *rn, u32 row,
		   const struct chain_opts *opts, u64 total,
		   struct row_scratch *scratch, struct call_tree *out);
/* filter.c */
struct name_filter *name_filter_new(const char *list, struct err *err);
void name_filter_free(struct name_filter *f);
struct num_filter *num_filter_new(const char *list, const char *what, struct err *err);
void num_filter_free(struct num_filter *f);
bool num_filter_match(const struct num_filter *f, u32 v);
bool hist_passes(const struct hist *h, const struct key_ctx *c);

#endif
