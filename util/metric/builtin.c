// SPDX-License-Identifier: GPL-2.0-or-later
// The metrics of every machine. Names, groups and units are those that users and scripts know from
// upstream perf; groups Default2 to Default4 are those of -d, -dd and -ddd.
#include "util/metric/metric.h"

#include <string.h>

#define CLOCK "(cpu\\-clock if #target_cpu else task\\-clock)"
#define PER_SECOND(event) event " * 1e9 / " CLOCK

static const struct metric_text metrics[] = {
	{ "CPUs_utilized", "Default", CLOCK " / (duration_time * 1e9)", "1CPUs", NULL,
	  "CPUs that were kept busy, on average", 0 },
	{ "cs_per_second", "Default", PER_SECOND("context\\-switches"), "1cs/sec", NULL,
	  "Context switches per second of CPU time", 0 },
	{ "migrations_per_second", "Default", PER_SECOND("cpu\\-migrations"), "1migrations/sec",
	  NULL, "Moves to another CPU per second of CPU time", 0 },
	{ "page_faults_per_second", "Default", PER_SECOND("page\\-faults"), "1faults/sec", NULL,
	  "Page faults per second of CPU time", 0 },
	{ "cycles_frequency", "Default", "cpu\\-cycles / " CLOCK, "1GHz", NULL,
	  "Cycles per second of CPU time", 0 },
	{ "insn_per_cycle", "Default", "instructions / cpu\\-cycles", "1instructions",
	  "insn_per_cycle < 1", "Instructions per cycle", 1 },
	{ "branch_frequency", "Default", "branches / " CLOCK, "1000M/sec", NULL,
	  "Branches per second of CPU time", 1 },
	{ "branch_miss_rate", "Default", "branch\\-misses / branches", "100%",
	  "branch_miss_rate > 0.05", "Branches that were predicted wrongly", 1 },
	{ "frontend_cycles_idle", "Default",
	  "(stalled\\-cycles\\-frontend / cpu\\-cycles if has_event(stalled\\-cycles\\-frontend) "
	  "else 0)", NULL, "frontend_cycles_idle > 0.1",
	  "Cycles in which the front end had nothing to hand on", 2 },
	{ "backend_cycles_idle", "Default",
	  "(stalled\\-cycles\\-backend / cpu\\-cycles if has_event(stalled\\-cycles\\-backend) "
	  "else 0)", NULL, "backend_cycles_idle > 0.2",
	  "Cycles in which the back end took nothing", 2 },
	{ "stalled_cycles_per_instruction", "Default",
	  "(max(stalled\\-cycles\\-frontend, stalled\\-cycles\\-backend) / instructions if "
	  "has_event(stalled\\-cycles\\-frontend) & has_event(stalled\\-cycles\\-backend) else "
	  "(stalled\\-cycles\\-frontend / instructions if has_event(stalled\\-cycles\\-frontend) "
	  "else (stalled\\-cycles\\-backend / instructions if "
	  "has_event(stalled\\-cycles\\-backend) else 0)))", NULL, NULL,
	  "Idle cycles for each instruction", 2 },
	{ "l1d_miss_rate", "Default2",
	  "L1\\-dcache\\-load\\-misses / L1\\-dcache\\-loads", "100%", "l1d_miss_rate > 0.05",
	  "Loads that missed the first data cache", 1 },
	{ "llc_miss_rate", "Default2", "LLC\\-load\\-misses / LLC\\-loads", "100%",
	  "llc_miss_rate > 0.05", "Loads that missed the last cache", 1 },
	{ "l1i_miss_rate", "Default3",
	  "L1\\-icache\\-load\\-misses / L1\\-icache\\-loads", "100%", "l1i_miss_rate > 0.05",
	  "Fetches that missed the first instruction cache", 1 },
	{ "dtlb_miss_rate", "Default3", "dTLB\\-load\\-misses / dTLB\\-loads", "100%",
	  "dtlb_miss_rate > 0.05", "Loads that missed the TLB", 1 },
	{ "itlb_miss_rate", "Default3", "iTLB\\-load\\-misses / iTLB\\-loads", "100%",
	  "itlb_miss_rate > 0.05", "Fetches that missed the TLB", 1 },
	{ "l1_prefetch_miss_rate", "Default4",
	  "L1\\-dcache\\-prefetch\\-misses / L1\\-dcache\\-prefetches", "100%",
	  "l1_prefetch_miss_rate > 0.05", "Prefetches that missed the first data cache", 1 },
};

#define SLOTS "(topdown\\-fe\\-bound + topdown\\-bad\\-spec + topdown\\-retiring + " \
	"topdown\\-be\\-bound)"
/* The kernel takes the topdown events of Intel in a group that slots leads. */
#define OF_SLOTS(event) "0 * slots + " event " / " SLOTS

/* Of some processors only: by name. */
static const struct metric_text special[] = {
	{ "tma_frontend_bound", "TopdownL1", OF_SLOTS("topdown\\-fe\\-bound"), "100%",
	  "tma_frontend_bound > 0.15", "Slots for which the front end had no instruction", 0 },
	{ "tma_bad_speculation", "TopdownL1", OF_SLOTS("topdown\\-bad\\-spec"), "100%",
	  "tma_bad_speculation > 0.15", "Slots that were used in vain, after a wrong prediction",
	  0 },
	{ "tma_retiring", "TopdownL1", OF_SLOTS("topdown\\-retiring"), "100%",
	  NULL, "Slots whose instruction was completed", 0 },
	{ "tma_backend_bound", "TopdownL1", OF_SLOTS("topdown\\-be\\-bound"), "100%",
	  "tma_backend_bound > 0.2", "Slots for which the back end had no room", 0 },
	{ "tsx_transactional_cycles", "transaction", "cycles\\-t / cycles", "100%", NULL,
	  "Cycles in transactions", 0 },
	{ "tsx_aborted_cycles", "transaction", "max(cycles\\-t - cycles\\-ct, 0) / cycles", "100%",
	  NULL, "Cycles in transactions that were aborted", 0 },
	{ "tsx_cycles_per_transaction", "transaction", "cycles\\-t / tx\\-start",
	  "1cycles / transaction", NULL, "Cycles of a transaction", 0 },
	{ "tsx_cycles_per_elision", "transaction", "cycles\\-t / el\\-start",
	  "1cycles / elision", NULL, "Cycles of an elided lock", 0 },
	{ "smi_cycles", "smi", "(msr@aperf@ - cycles) / msr@aperf@", "100%", "smi_cycles > 0.1",
	  "Cycles in system management interrupts", 0 },
	{ "smi_num", "smi", "msr@smi@", "1SMI#", NULL, "System management interrupts", 0 },
};

void metric_set_add_special(struct metric_set *s, const char *group)
{
	if (metric_set_count(s, group))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(special); i++)
		if (!strcmp(special[i].groups, group))
			metric_set_put(s, &special[i], NULL);
}

void metric_set_add_builtin(struct metric_set *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(metrics); i++)
		metric_set_put(s, &metrics[i], NULL);
}
