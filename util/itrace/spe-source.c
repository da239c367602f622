// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where data of a sampled access came from. What the events say holds for any CPU; the source
 * packet, where the CPU is one whose numbers are known, says more. Stores have no source.
 */
#include <linux/perf_event.h>

#include "util/itrace/spe.h"

#define LEVEL(lvl, num) \
	(PERF_MEM_S(LVL, lvl) | (u64)PERF_MEM_LVLNUM_##num << PERF_MEM_LVLNUM_SHIFT)
#define HIT(at, num) (PERF_MEM_S(LVL, HIT) | LEVEL(at, num))
#define MISSED(at, num) (PERF_MEM_S(LVL, MISS) | LEVEL(at, num))
#define UNKNOWN LEVEL(NA, NA)
#define REMOTE PERF_MEM_S(REMOTE, REMOTE)
#define PEER ((u64)PERF_MEM_SNOOPX_PEER << PERF_MEM_SNOOPX_SHIFT)
#define SNOOP(how) PERF_MEM_S(SNOOP, how)
#define SNOOPS ((u64)0x1f << PERF_MEM_SNOOP_SHIFT)

/* 0: it says nothing. */
static const u64 arm_sources[] = {
	[0] = HIT(L1, L1) | SNOOP(NONE),
	[8] = HIT(L2, L2) | SNOOP(NONE),
	[9] = HIT(L2, L2) | SNOOP(NA) | PEER,		/* of another core */
	[10] = HIT(L3, L3) | SNOOP(NA) | PEER,		/* of its cluster */
	[11] = HIT(L3, L3) | SNOOP(HIT),		/* the system's cache */
	[12] = HIT(L3, L3) | SNOOP(NA) | PEER,		/* of another cluster */
	[13] = UNKNOWN | SNOOP(NA) | PEER | REMOTE,
	[14] = HIT(LOC_RAM, RAM) | SNOOP(NONE),
}, ampere_sources[] = {
	[0] = HIT(L2, L2) | SNOOP(NA) | PEER,
	[3] = HIT(L3, L3) | SNOOP(HIT),
	[5] = UNKNOWN | SNOOP(NA) | PEER | REMOTE,
	[7] = HIT(LOC_RAM, RAM) | SNOOP(NONE),
	[8] = HIT(L1, L1) | SNOOP(NONE),
	[9] = HIT(L2, L2) | SNOOP(NONE),
}, hisilicon_sources[] = {
	[0] = HIT(L2, L2) | SNOOP(NA) | PEER,
	[1] = HIT(L2, L2) | SNOOP(HITM) | PEER,
	[2] = HIT(L3, L3) | SNOOP(HIT),
	[3] = HIT(L3, L3) | SNOOP(HITM),
	[4] = HIT(REM_CCE1, L3) | SNOOP(NA) | PEER,
	[5] = HIT(REM_CCE1, L3) | SNOOP(HITM) | PEER,
	[6] = LEVEL(REM_CCE2, ANY_CACHE) | SNOOP(NA) | PEER | REMOTE,
	[7] = LEVEL(REM_CCE2, ANY_CACHE) | SNOOP(HITM) | PEER | REMOTE,
	[8] = HIT(LOC_RAM, RAM) | SNOOP(NONE),
	[9] = HIT(REM_RAM1, RAM) | SNOOP(NA) | REMOTE,
	[13] = HIT(IO, IO) | SNOOP(NONE),
	[16] = HIT(L2, L2) | SNOOP(NONE),
	[17] = HIT(L2, L2) | SNOOP(HITM),
	[18] = HIT(L1, L1) | SNOOP(NONE),
};

/* Implementer and part number of MIDR_EL1, whose variant and revision do not matter. */
#define CPU(implementer, part) ((implementer) << 24 | (part) << 4)
#define CPU_MASK CPU(0xffULL, 0xfffULL)

static const u32 arm_cpus[] = {
	CPU(0x41u, 0xd0c), CPU(0x41u, 0xd40), CPU(0x41u, 0xd44), CPU(0x41u, 0xd49),
	CPU(0x41u, 0xd4b), CPU(0x41u, 0xd4c), CPU(0x41u, 0xd4d), CPU(0x41u, 0xd4e),
	CPU(0x41u, 0xd4f), CPU(0x41u, 0xd81), CPU(0x41u, 0xd82), CPU(0x41u, 0xd84),
	CPU(0x41u, 0xd85), CPU(0x41u, 0xd87), CPU(0x41u, 0xd89), CPU(0x4eu, 0x010),
}, ampere_cpus[] = { CPU(0xc0u, 0xac4) }, hisilicon_cpus[] = { CPU(0x48u, 0xd06) };

static const struct vendor {
	const u32 *cpus;
	size_t n_cpus;
	const u64 *sources;
	size_t n_sources;
	bool known_alone;	/* stores: of a source that is not known the events count */
} vendors[] = {
	{ arm_cpus, ARRAY_SIZE(arm_cpus), arm_sources, ARRAY_SIZE(arm_sources), false },
	{ ampere_cpus, ARRAY_SIZE(ampere_cpus), ampere_sources, ARRAY_SIZE(ampere_sources), true },
	{ hisilicon_cpus, ARRAY_SIZE(hisilicon_cpus), hisilicon_sources,
	  ARRAY_SIZE(hisilicon_sources), false },
};

static const struct vendor *vendor_of(u64 midr)
{
	for (size_t v = 0; v < ARRAY_SIZE(vendors); v++)
		for (size_t i = 0; i < vendors[v].n_cpus; i++)
			if ((midr & CPU_MASK) == vendors[v].cpus[i])
				return &vendors[v];
	return NULL;
}

/* The innermost that had it. */
static u64 load_level(u64 e)
{
	if (e & SPE_E_L1D_ACCESS && !(e & SPE_E_L1D_MISS))
		return HIT(L1, L1);
	if (e & SPE_E_RECENT)
		return HIT(LFB, LFB);
	if (e & SPE_E_L2D_ACCESS && !(e & SPE_E_L2D_MISS))
		return HIT(L2, L2);
	if (e & SPE_E_LLC_ACCESS && !(e & SPE_E_LLC_MISS))
		return HIT(L3, L3);
	if (e & SPE_E_LLC_MISS)
		return MISSED(L3, L3);
	if (e & SPE_E_L2D_MISS)
		return MISSED(L2, L2);
	return e & SPE_E_L1D_MISS ? MISSED(L1, L1) : UNKNOWN;
}

/* The outermost that was asked. */
static u64 store_level(u64 e)
{
	if (e & (SPE_E_LLC_ACCESS | SPE_E_LLC_MISS))
		return e & SPE_E_LLC_MISS ? MISSED(L3, L3) : HIT(L3, L3);
	if (e & (SPE_E_L2D_ACCESS | SPE_E_L2D_MISS))
		return e & SPE_E_L2D_MISS ? MISSED(L2, L2) : HIT(L2, L2);
	if (e & (SPE_E_L1D_ACCESS | SPE_E_L1D_MISS))
		return e & SPE_E_L1D_MISS ? MISSED(L1, L1) : HIT(L1, L1);
	return UNKNOWN;
}

static u64 snoop_of(u64 e)
{
	if (!(e & SPE_E_SNOOPED))
		return SNOOP(NA);
	return e & SPE_E_MODIFIED ? SNOOP(HITM) : SNOOP(HIT);
}

enum access { NO_ACCESS, LOAD, STORE, OTHER_ACCESS };

/* Vector operations, and branches that say whether they link, count as accesses of no kind. */
static enum access access_of(const struct spe_record *r)
{
	const unsigned kind = r->op >> 3 & 3;

	if (!r->has_op)
		return NO_ACCESS;
	switch (r->op_class) {
	case SPE_LDST:
		return r->op & 1 ? STORE : LOAD;
	case SPE_BRANCH:
		return kind == 1 || kind == 2 ? OTHER_ACCESS : NO_ACCESS;
	case SPE_OTHER:
		return (r->op & 0xfc) == 4 || (r->op & 9) == 8 ? OTHER_ACCESS : NO_ACCESS;
	default:
		return NO_ACCESS;
	}
}

/* Level and snooping. */
static u64 where_from(const struct spe_record *r, enum access a, const struct vendor *v)
{
	const u64 known = v && r->source < v->n_sources ? v->sources[r->source] : 0;

	if (v && a == STORE && (known || !v->known_alone))
		return UNKNOWN | SNOOP(NA);
	if ((known & SNOOPS) == SNOOP(NA))
		return (known & ~SNOOPS) | snoop_of(r->events);
	if (known)
		return known;
	if (a == STORE)
		return store_level(r->events) | snoop_of(r->events);
	return (a == LOAD ? load_level(r->events) : UNKNOWN) | snoop_of(r->events);
}

u64 spe_data_src(const struct spe_record *r, u64 midr)
{
	static const u64 ops[] = { [LOAD] = PERF_MEM_S(OP, LOAD), [STORE] = PERF_MEM_S(OP, STORE),
				   [OTHER_ACCESS] = PERF_MEM_S(OP, NA) };
	const enum access a = access_of(r);
	u64 v;

	if (a == NO_ACCESS)
		return 0;
	v = ops[a] | where_from(r, a, vendor_of(midr));
	if (r->events & (SPE_E_TLB_ACCESS | SPE_E_TLB_MISS))
		v |= PERF_MEM_S(TLB, WK) | (r->events & SPE_E_TLB_MISS ? PERF_MEM_S(TLB, MISS) :
					    PERF_MEM_S(TLB, HIT));
	if (r->events & SPE_E_REMOTE)
		v |= REMOTE;
	return v;
}
