// SPDX-License-Identifier: GPL-2.0-or-later
// What an access to memory counts as, by the bits of its data source.
#include <linux/perf_event.h>

#include "util/analysis/c2c.h"

#define LEVEL(name) PERF_MEM_S(LVL, name)
#define REMOTE_CACHES (LEVEL(REM_CCE1) | LEVEL(REM_CCE2))

static void add(struct c2c_counts *c, enum c2c_count what)
{
	c->n[what]++;
}

static void count_dram(struct c2c_counts *c, enum c2c_count where, u64 src)
{
	add(c, where);
	add(c, src & PERF_MEM_S(SNOOP, HIT) ? C2C_LD_SHARED : C2C_LD_EXCL);
}

/* Loads that a cache of this node had, or memory. */
static void count_hit(struct c2c_counts *c, u64 src, bool remote)
{
	const bool hitm = src & PERF_MEM_S(SNOOP, HITM), peer = src & PERF_MEM_S(SNOOPX, PEER);

	if (src & LEVEL(UNC))
		add(c, C2C_LD_UNCACHED);
	if (src & LEVEL(IO))
		add(c, C2C_LD_IO);
	if (src & LEVEL(LFB))
		add(c, C2C_LD_FB);
	if (src & LEVEL(L1))
		add(c, C2C_LD_L1);
	if (src & LEVEL(L2))
		add(c, hitm ? C2C_LCL_HITM : C2C_LD_L2);
	if (src & LEVEL(L3))
		add(c, hitm ? C2C_LCL_HITM : C2C_LD_LLC);
	if (peer && src & (LEVEL(L2) | LEVEL(L3)))
		add(c, C2C_LCL_PEER);
	if (src & LEVEL(LOC_RAM))
		count_dram(c, C2C_LCL_DRAM, src);
	if (src & (LEVEL(REM_RAM1) | LEVEL(REM_RAM2)) || remote)
		count_dram(c, C2C_RMT_DRAM, src);
}

static void count_load(struct c2c_counts *c, u64 src, u64 addr)
{
	const union perf_mem_data_src d = { .val = src };
	const bool remote = d.mem_remote && !d.mem_hops;

	add(c, C2C_LOADS);
	if (!addr) {
		add(c, C2C_LD_NO_ADDR);
		return;
	}
	if (src & LEVEL(HIT))
		count_hit(c, src, remote);
	if (src & REMOTE_CACHES || remote) {
		if (src & PERF_MEM_S(SNOOP, HIT)) {
			add(c, C2C_RMT_HIT);
		} else if (src & PERF_MEM_S(SNOOP, HITM)) {
			add(c, C2C_RMT_HITM);
		} else if (src & PERF_MEM_S(SNOOPX, PEER)) {
			add(c, C2C_RMT_HIT);
			add(c, C2C_RMT_PEER);
		}
	}
	if (src & LEVEL(MISS))
		add(c, C2C_LD_MISS);
}

static void count_store(struct c2c_counts *c, u64 src, u64 addr)
{
	add(c, C2C_STORES);
	if (!addr) {
		add(c, C2C_ST_NO_ADDR);
		return;
	}
	if (src & LEVEL(HIT) && src & LEVEL(UNC))
		add(c, C2C_ST_UNCACHED);
	if (src & LEVEL(HIT) && src & LEVEL(L1))
		add(c, C2C_ST_L1_HIT);
	if (src & LEVEL(MISS) && src & LEVEL(L1))
		add(c, C2C_ST_L1_MISS);
	if (src & LEVEL(NA))
		add(c, C2C_ST_NO_LEVEL);
}

void c2c_count(struct c2c_counts *c, u64 src, u64 addr, bool mapped)
{
	add(c, C2C_RECORDS);
	if (src & PERF_MEM_S(LOCK, LOCKED))
		add(c, C2C_LOCKED);
	if (src & PERF_MEM_S(BLK, DATA))
		add(c, C2C_BLK_DATA);
	if (src & PERF_MEM_S(BLK, ADDR))
		add(c, C2C_BLK_ADDR);
	if (src & PERF_MEM_S(OP, LOAD))
		count_load(c, src, addr);
	else if (src & PERF_MEM_S(OP, STORE))
		count_store(c, src, addr);
	else
		add(c, C2C_NO_PARSE);
	if (!mapped && addr && src & (PERF_MEM_S(OP, LOAD) | PERF_MEM_S(OP, STORE)))
		add(c, C2C_NO_MAP);
}

void c2c_add_counts(struct c2c_counts *to, const struct c2c_counts *from)
{
	for (size_t i = 0; i < C2C_N_COUNTS; i++)
		to->n[i] += from->n[i];
}

u64 c2c_load_hits(const struct c2c_counts *c)
{
	return c->n[C2C_LD_FB] + c->n[C2C_LD_L1] + c->n[C2C_LD_L2] + c->n[C2C_LD_LLC] +
		c->n[C2C_LCL_HITM] + c->n[C2C_RMT_HITM] + c->n[C2C_RMT_HIT] + c->n[C2C_LCL_DRAM] +
		c->n[C2C_RMT_DRAM];
}

u64 c2c_store_refs(const struct c2c_counts *c)
{
	return c->n[C2C_ST_L1_HIT] + c->n[C2C_ST_L1_MISS] + c->n[C2C_ST_NO_LEVEL];
}

u64 c2c_hitm(const struct c2c_counts *c)
{
	return c->n[C2C_LCL_HITM] + c->n[C2C_RMT_HITM];
}

u64 c2c_peer(const struct c2c_counts *c)
{
	return c->n[C2C_LCL_PEER] + c->n[C2C_RMT_PEER];
}

u64 c2c_llc_misses(const struct c2c_counts *c)
{
	return c->n[C2C_LCL_DRAM] + c->n[C2C_RMT_DRAM] + c->n[C2C_RMT_HIT] + c->n[C2C_RMT_HITM];
}

u64 c2c_shown(const struct c2c_counts *c, enum c2c_display display)
{
	switch (display) {
	case C2C_TOTAL: return c2c_hitm(c);
	case C2C_LOCAL: return c->n[C2C_LCL_HITM];
	case C2C_REMOTE: return c->n[C2C_RMT_HITM];
	case C2C_PEERS: return c2c_peer(c);
	}
	return 0;
}
