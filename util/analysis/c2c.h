/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_C2C_H
#define ANALYSIS_C2C_H
/*
 * Cache lines that CPUs take from each other: samples of accesses to memory (PERF_SAMPLE_DATA_SRC),
 * counted by cache line, and in each by what they have in common. A load that finds the line
 * modified in the cache of another CPU (HITM), of the same node or of another one, is the sign of
 * it. One owner, one thread.
 */
#include "util/analysis/hist/hist.h"
#include "util/base/err.h"
#include "util/base/table.h"
#include "util/stream/sink.h"

enum c2c_count {
	C2C_RECORDS, C2C_LOCKED, C2C_LOADS, C2C_LD_UNCACHED, C2C_LD_IO, C2C_LD_MISS, C2C_LD_NO_ADDR,
	C2C_LD_FB, C2C_LD_L1, C2C_LD_L2, C2C_LD_LLC,	/* LLC: hits without those of HITM */
	C2C_LCL_HITM, C2C_RMT_HITM, C2C_RMT_HIT, C2C_LCL_DRAM, C2C_RMT_DRAM, C2C_LD_EXCL,
	C2C_LD_SHARED, C2C_BLK_DATA, C2C_BLK_ADDR, C2C_LCL_PEER, C2C_RMT_PEER,
	C2C_STORES, C2C_ST_UNCACHED, C2C_ST_NO_ADDR, C2C_ST_L1_HIT, C2C_ST_L1_MISS, C2C_ST_NO_LEVEL,
	C2C_NO_MAP, C2C_NO_PARSE,
	C2C_N_COUNTS
};
struct c2c_counts { u64 n[C2C_N_COUNTS]; };

/* One access; mapped: code and data are known. Pure; any thread. */
void c2c_count(struct c2c_counts *c, u64 data_src, u64 addr, bool mapped);
void c2c_add_counts(struct c2c_counts *to, const struct c2c_counts *from);
/* Loads (L1, L2, memory ... each where it hit), stores, loads of lines that others had modified, or
 * that came from other caches. */
u64 c2c_load_hits(const struct c2c_counts *c);
u64 c2c_store_refs(const struct c2c_counts *c);
u64 c2c_hitm(const struct c2c_counts *c);
u64 c2c_peer(const struct c2c_counts *c);
u64 c2c_llc_misses(const struct c2c_counts *c);

/* What lines are shown for, and ordered by. */
enum c2c_display { C2C_TOTAL, C2C_LOCAL, C2C_REMOTE, C2C_PEERS };
/* Of counts that display is about. */
u64 c2c_shown(const struct c2c_counts *c, enum c2c_display display);

struct c2c_opts {
	enum c2c_display display;
	u32 line_bytes;			/* a power of two */
	bool by_pid, by_tid, by_code, by_dso;	/* what accesses of a row have in common */
	bool all;			/* lines that are not shared, too */
	/* the node of each CPU, -1: unknown; borrowed */
	const int *nodes;
	size_t n_cpus;
	/* the NUMA node of a physical address, -1: unknown; NULL: the recording does not tell */
	int (*memory_node)(const void *ctx, u64 phys);
	const void *ctx;		/* borrowed */
	const struct chain_opts *chain;	/* rows have call trees; borrowed; NULL: none */
};

struct c2c;
struct c2c_line;
/* lines: a row for each that is shown, in order. The model is borrowed. */
struct c2c_tables {
	struct table lines;
	size_t n_nodes;
	struct c2c *model;
	VEC(struct c2c_line *) shown;	/* the same lines, for c2c_rows() */
	struct c2c_counts total;	/* of all samples */
	/* of the lines with any HITM, or that came from other caches, and how many they are */
	struct c2c_counts of_shared;
	size_t n_shared;
};

struct c2c *c2c_new(const struct c2c_opts *opts);	/* copied */
void c2c_free(struct c2c *c);				/* NULL is fine */
struct sink *c2c_sink(struct c2c *c);			/* borrowed */
void c2c_tables(struct c2c *c, struct c2c_tables *out);
/* The places in the i-th line that is shown. There may be many: one line at a time. */
void c2c_rows(const struct c2c_tables *t, size_t i, struct table *out);
/* The periods of all accesses to it: what 100 % is in call trees of its rows. */
u64 c2c_line_period(const struct c2c_tables *t, size_t i);
void c2c_tables_release(struct c2c_tables *t);
/* -ENOENT: no event of the recording has what is needed. */
int c2c_need_events(const struct event_list *events, const char *path, struct err *err);

#endif
