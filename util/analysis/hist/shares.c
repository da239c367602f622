// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/hist/shares.h"

#include <linux/perf_event.h>

typedef union perf_mem_data_src data_src;

enum op { OP_LOAD, OP_STORE, OP_BOTH, OP_PREFETCH, OP_EXEC, OP_OTHER, N_OPS };
enum cache { CACHE_L1, CACHE_L2, CACHE_L3, CACHE_L4, CACHE_L1_BUF, CACHE_L2_BUF, CACHE_OTHER,
	     N_CACHES };
enum memory { MEM_RAM, MEM_MSC, MEM_UNCACHED, MEM_CXL, MEM_IO, MEM_PMEM, MEM_OTHER, N_MEMORIES };
enum snoop { SNOOP_HIT, SNOOP_HITM, SNOOP_MISS, SNOOP_OTHER, N_SNOOPS };
enum dtlb { TLB_L1, TLB_L2, TLB_ANY, TLB_MISS, TLB_OTHER, N_TLBS };

enum { FIRST_OP = 0, FIRST_CACHE = FIRST_OP + N_OPS, FIRST_MEMORY = FIRST_CACHE + N_CACHES,
       FIRST_SNOOP = FIRST_MEMORY + N_MEMORIES, FIRST_TLB = FIRST_SNOOP + N_SNOOPS };
_Static_assert(FIRST_TLB + N_TLBS == N_SHARES, "the classes of all parts");

static const struct share_class classes[N_SHARES] = {
	[FIRST_OP] = { "Load", "load" }, { "Store", "store" }, { "Ld+St", "load_store" },
	{ "Pfetch", "prefetch" }, { "Exec", "exec" }, { "Other", "other" },
	[FIRST_CACHE] = { "L1", "l1" }, { "L2", "l2" }, { "L3", "l3" }, { "L4", "l4" },
	{ "L1-buf", "l1_buffer" }, { "L2-buf", "l2_buffer" }, { "Other", "other" },
	[FIRST_MEMORY] = { "RAM", "ram" }, { "MSC", "memory_side_cache" },
	{ "Uncach", "uncached" }, { "CXL", "cxl" }, { "IO", "io" }, { "PMEM", "pmem" },
	{ "Other", "other" },
	[FIRST_SNOOP] = { "Hit", "hit" }, { "HitM", "hit_modified" }, { "Miss", "miss" },
	{ "Other", "other" },
	[FIRST_TLB] = { "L1-Hit", "l1_hit" }, { "L2-Hit", "l2_hit" }, { "L?-Hit", "hit" },
	{ "Miss", "miss" }, { "Other", "other" },
};

const struct share_class *share_classes(enum share_part part, unsigned *n, unsigned *first)
{
	static const u8 firsts[N_SHARE_PARTS + 1] = { FIRST_OP, FIRST_CACHE, FIRST_MEMORY,
						      FIRST_SNOOP, FIRST_TLB, N_SHARES };

	*first = firsts[part];
	*n = firsts[part + 1] - firsts[part];
	return &classes[firsts[part]];
}

static enum op op_of(data_src d)
{
	if (d.mem_op & PERF_MEM_OP_PFETCH)
		return OP_PREFETCH;
	if (d.mem_op & PERF_MEM_OP_EXEC)
		return OP_EXEC;
	switch (d.mem_op) {
	case PERF_MEM_OP_LOAD: return OP_LOAD;
	case PERF_MEM_OP_STORE: return OP_STORE;
	case PERF_MEM_OP_LOAD | PERF_MEM_OP_STORE: return OP_BOTH;
	default: return OP_OTHER;
	}
}

static enum cache cache_of(data_src d)
{
	static const u8 by_number[16] = { [1] = CACHE_L1 + 1, [2] = CACHE_L2 + 1,
					  [3] = CACHE_L3 + 1, [4] = CACHE_L4 + 1,
					  [5] = CACHE_L2_BUF + 1, [12] = CACHE_L1_BUF + 1 };
	const u8 at = by_number[d.mem_lvl_num];

	return at ? (enum cache)(at - 1) : CACHE_OTHER;
}

static enum memory memory_of(data_src d)
{
	static const u8 by_number[16] = { [6] = MEM_MSC + 1, [8] = MEM_UNCACHED + 1,
					  [9] = MEM_CXL + 1, [10] = MEM_IO + 1,
					  [13] = MEM_RAM + 1, [14] = MEM_PMEM + 1 };
	const u8 at = by_number[d.mem_lvl_num];

	return at ? (enum memory)(at - 1) : MEM_OTHER;
}

static enum snoop snoop_of(data_src d)
{
	switch (d.mem_snoop) {
	case PERF_MEM_SNOOP_HIT: return SNOOP_HIT;
	case PERF_MEM_SNOOP_HITM: return SNOOP_HITM;
	case PERF_MEM_SNOOP_MISS: return SNOOP_MISS;
	default: return SNOOP_OTHER;
	}
}

static enum dtlb tlb_of(data_src d)
{
	if (d.mem_dtlb & PERF_MEM_TLB_MISS)
		return TLB_MISS;
	switch (d.mem_dtlb) {
	case PERF_MEM_TLB_HIT | PERF_MEM_TLB_L1: return TLB_L1;
	case PERF_MEM_TLB_HIT | PERF_MEM_TLB_L2: return TLB_L2;
	case PERF_MEM_TLB_HIT | PERF_MEM_TLB_L1 | PERF_MEM_TLB_L2: return TLB_ANY;
	default: return TLB_OTHER;
	}
}

void shares_of(u64 value, unsigned out[N_SHARE_PARTS])
{
	const data_src d = { .val = value };

	out[SHARE_OP] = FIRST_OP + (unsigned)op_of(d);
	out[SHARE_CACHE] = FIRST_CACHE + (unsigned)cache_of(d);
	out[SHARE_MEMORY] = FIRST_MEMORY + (unsigned)memory_of(d);
	out[SHARE_SNOOP] = FIRST_SNOOP + (unsigned)snoop_of(d);
	out[SHARE_DTLB] = FIRST_TLB + (unsigned)tlb_of(d);
}
