// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/event-priv.h"

/* The names of the generic events, by their numbers in linux/perf_event.h; the first name of a
 * number is the one shown. */
const struct event_generic event_hw_names[] = {
	{ "cycles", "CPU_CYCLES", 0 }, { "cpu-cycles", NULL, 0 },
	{ "instructions", "INSTRUCTIONS", 1 },
	{ "cache-references", "CACHE_REFERENCES", 2 },
	{ "cache-misses", "CACHE_MISSES", 3 },
	{ "branches", "BRANCH_INSTRUCTIONS", 4 }, { "branch-instructions", NULL, 4 },
	{ "branch-misses", "BRANCH_MISSES", 5 },
	{ "bus-cycles", "BUS_CYCLES", 6 },
	{ "stalled-cycles-frontend", "STALLED_CYCLES_FRONTEND", 7 },
	{ "idle-cycles-frontend", NULL, 7 },
	{ "stalled-cycles-backend", "STALLED_CYCLES_BACKEND", 8 },
	{ "idle-cycles-backend", NULL, 8 },
	{ "ref-cycles", "REF_CPU_CYCLES", 9 },
	{ 0 }
};

const struct event_generic event_sw_names[] = {
	{ "cpu-clock", "CPU_CLOCK", 0 },
	{ "task-clock", "TASK_CLOCK", 1 },
	{ "page-faults", "PAGE_FAULTS", 2 }, { "faults", NULL, 2 },
	{ "context-switches", "CONTEXT_SWITCHES", 3 }, { "cs", NULL, 3 },
	{ "cpu-migrations", "CPU_MIGRATIONS", 4 }, { "migrations", NULL, 4 },
	{ "minor-faults", "PAGE_FAULTS_MIN", 5 },
	{ "major-faults", "PAGE_FAULTS_MAJ", 6 },
	{ "alignment-faults", "ALIGNMENT_FAULTS", 7 },
	{ "emulation-faults", "EMULATION_FAULTS", 8 },
	{ "dummy", "DUMMY", 9 },
	{ "bpf-output", "BPF_OUTPUT", 10 },
	{ "cgroup-switches", "CGROUP_SWITCHES", 11 },
	{ 0 }
};

static const char *const cache_ids[] = { "L1D", "L1I", "LL", "DTLB", "ITLB", "BPU", "NODE" };
static const char *const cache_ops[] = { "READ", "WRITE", "PREFETCH" };
static const char *const cache_results[] = { "ACCESS", "MISS" };

/* As many spellings as users know; the first one is shown. */
const char *const event_cache_names[7][5] = {
	{ "L1-dcache", "l1-d", "l1d", "L1-data" },
	{ "L1-icache", "l1-i", "l1i", "L1-instruction" },
	{ "LLC", "L2" },
	{ "dTLB", "d-tlb", "Data-TLB" },
	{ "iTLB", "i-tlb", "Instruction-TLB" },
	{ "branch", "branches", "bpu", "btb", "bpc" },
	{ "node" },
};
const char *const event_cache_op_names[3][4] = {
	{ "loads", "load", "read" }, { "stores", "store", "write" },
		{ "prefetches", "prefetch", "speculative-read" },
};
const char *const event_cache_result_names[2][4] = {
	{ "refs", "ref", "reference", "ops" }, { "misses", "miss" },
};
/* Which operations make sense: bit 0 read, 1 write, 2 prefetch. */
const u8 event_cache_valid_ops[7] = { 7, 5, 7, 7, 1, 1, 7 };

const char *event_generic_name(const struct event_generic *t, u64 config)
{
	for (; t->name; t++)
		if (t->config == config)
			return t->name;
	return NULL;
}

/* "L1-dcache-load-misses", "LLC-stores"; false: no such thing. */
bool event_cache_name(u64 config, struct str *out)
{
	u64 id = config & 0xff, op = config >> 8 & 0xff, res = config >> 16 & 0xff;

	if (id >= 7 || op >= 3 || res >= 2)
		return false;
	str_addf(out, "%s-", event_cache_names[id][0]);
	if (res)
		str_addf(out, "%s-%s", event_cache_op_names[op][1],
			 event_cache_result_names[res][0]);
	else
		str_add(out, event_cache_op_names[op][0]);
	return true;
}

/* "PERF_COUNT_HW_CPU_CYCLES"; false: the number has no name. */
bool event_config_name(const struct perf_event_attr *attr, struct str *out)
{
	const struct event_generic *t = attr->type == PERF_TYPE_HARDWARE ? event_hw_names :
		event_sw_names;
	u64 config = attr->config, id = config & 0xff, op = config >> 8 & 0xff,
		res = config >> 16 & 0xff;

	if (attr->type == PERF_TYPE_HW_CACHE) {
		if (id >= 7 || op >= 3 || res >= 2)
			return false;
		str_addf(out, "PERF_COUNT_HW_CACHE_RESULT_%s | PERF_COUNT_HW_CACHE_OP_%s | "
			      "PERF_COUNT_HW_CACHE_%s",
			 cache_results[res], cache_ops[op], cache_ids[id]);
		return true;
	}
	if (attr->type == PERF_TYPE_HARDWARE)
		config &= 0xffffffff;
	for (; t->name; t++)
		if (t->config == config) {
			str_addf(out, "PERF_COUNT_%s_%s", attr->type == PERF_TYPE_HARDWARE ? "HW" :
				 "SW", t->macro);
			return true;
		}
	return false;
}
