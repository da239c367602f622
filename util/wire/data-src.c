// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/wire/data-src.h"

#include <linux/perf_event.h>

typedef union perf_mem_data_src data_src;

/* Yields whether there was any. */
static bool add_bits(struct str *out, u64 bits, const char *const *names, size_t n, bool any)
{
	for (size_t i = 0; i < n; i++) {
		if (!(bits >> i & 1) || !names[i])
			continue;
		str_addf(out, "%s%s", any ? " or " : "", names[i]);
		any = true;
	}
	return any;
}

void data_src_add_op(struct str *out, u64 v)
{
	static const char *const ops[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };
	const data_src d = { .val = v };
	bool any = false;

	for (size_t i = 0; i < ARRAY_SIZE(ops); i++) {
		if (!(d.mem_op >> i & 1))
			continue;
		str_addf(out, "%s%s", any ? "|" : "", ops[i]);
		any = true;
	}
	if (!any)
		str_add(out, "No");
}

/* By its number, where there is one: "Remote socket, same board L3" (with a space behind it, where
 * neither hit nor miss is said). */
static bool add_numbered_level(struct str *out, data_src d)
{
	static const char *const hops[8] = { [1] = "core, same node", [2] = "node, same socket",
					     [3] = "socket, same board", [4] = "board" };
	static const char *const numbers[16] = { [1] = "L1", [2] = "L2", [3] = "L3", [4] = "L4",
						 [5] = "L2 MHB", [6] = "Memory-side Cache",
						 [8] = "Uncached", [9] = "CXL", [10] = "I/O",
						 [11] = "Any cache", [12] = "LFB/MAB",
						 [13] = "RAM", [14] = "PMEM" };

	if (!d.mem_lvl_num || d.mem_lvl_num == PERF_MEM_LVLNUM_NA)
		return false;
	if (d.mem_remote)
		str_add(out, "Remote ");
	if (hops[d.mem_hops])
		str_addf(out, "%s ", hops[d.mem_hops]);
	if (numbers[d.mem_lvl_num])
		str_add(out, numbers[d.mem_lvl_num]);
	else
		str_addf(out, "Unknown level %u", (unsigned)d.mem_lvl_num);
	if (!(d.mem_lvl & (PERF_MEM_LVL_HIT | PERF_MEM_LVL_MISS)))
		str_addch(out, ' ');
	return true;
}

void data_src_add_level(struct str *out, u64 v)
{
	static const char *const levels[] = { NULL, NULL, NULL, "L1", "LFB/MAB", "L2", "L3",
					      "Local RAM", "Remote RAM (1 hop)",
					      "Remote RAM (2 hops)", "Remote Cache (1 hop)",
					      "Remote Cache (2 hops)", "I/O",
					      "Uncached" };
	const data_src d = { .val = v };

	if (!add_numbered_level(out, d) &&
	    !add_bits(out, d.mem_lvl, levels, ARRAY_SIZE(levels), false)) {
		str_add(out, "N/A");
		return;
	}
	if (d.mem_lvl & PERF_MEM_LVL_HIT)
		str_add(out, " hit");
	else if (d.mem_lvl & PERF_MEM_LVL_MISS)
		str_add(out, " miss");
}

void data_src_add_snoop(struct str *out, u64 v)
{
	static const char *const names[] = { "N/A", "None", "Hit", "Miss", "HitM" };
	static const char *const more[] = { "Fwd", "Peer" };
	const data_src d = { .val = v };

	if (!add_bits(out, d.mem_snoopx, more, ARRAY_SIZE(more),
		      add_bits(out, d.mem_snoop, names, ARRAY_SIZE(names), false)))
		str_add(out, "N/A");
}

void data_src_add_tlb(struct str *out, u64 v)
{
	static const char *const names[] = { "N/A", NULL, NULL, "L1", "L2", "Walker", "Fault" };
	const data_src d = { .val = v };

	if (!add_bits(out, d.mem_dtlb, names, ARRAY_SIZE(names), false))
		str_add(out, "N/A");
	if (d.mem_dtlb & PERF_MEM_TLB_HIT)
		str_add(out, " hit");
	if (d.mem_dtlb & PERF_MEM_TLB_MISS)
		str_add(out, " miss");
}

void data_src_add_lock(struct str *out, u64 v)
{
	const data_src d = { .val = v };

	str_add(out, d.mem_lock & PERF_MEM_LOCK_NA ? "N/A" :
		d.mem_lock & PERF_MEM_LOCK_LOCKED ? "Yes" : "No");
}

void data_src_add_blocked(struct str *out, u64 v)
{
	const data_src d = { .val = v };

	if (!d.mem_blk || d.mem_blk & PERF_MEM_BLK_NA) {
		str_add(out, " N/A");
		return;
	}
	if (d.mem_blk & PERF_MEM_BLK_DATA)
		str_add(out, " Data");
	if (d.mem_blk & PERF_MEM_BLK_ADDR)
		str_add(out, " Addr");
}

u64 data_src_level_bits(u64 v)
{
	const data_src d = { .val = v };
	const data_src bits = { .mem_lvl = d.mem_lvl, .mem_lvl_num = d.mem_lvl_num,
				.mem_remote = d.mem_remote, .mem_hops = d.mem_hops };

	return bits.val;
}

u64 data_src_snoop_bits(u64 v)
{
	const data_src d = { .val = v };
	const data_src bits = { .mem_snoop = d.mem_snoop, .mem_snoopx = d.mem_snoopx };

	return bits.val;
}

u64 data_src_tlb_bits(u64 v)
{
	const data_src d = { .val = v };
	const data_src bits = { .mem_dtlb = d.mem_dtlb };

	return bits.val;
}

u64 data_src_lock_bits(u64 v)
{
	const data_src d = { .val = v };
	const data_src bits = { .mem_lock = d.mem_lock };

	return bits.val;
}

u64 data_src_blocked_bits(u64 v)
{
	const data_src d = { .val = v };
	const data_src bits = { .mem_blk = d.mem_blk };

	return bits.val;
}
