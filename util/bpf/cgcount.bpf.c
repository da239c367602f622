// SPDX-License-Identifier: GPL-2.0-or-later
// Counts by cgroup, of counters that count everything on their CPU: at each switch from a task of one
// cgroup to that of another, what was counted since the last look is added to the cgroups that the
// leaving task is in.
//
// Invariants:
// 1. Each CPU has sums and last readings of its own, and both programs run on it with interrupts off:
// nothing is added by two at once.
// 2. Sums only grow; a reader has them in its memory.
#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>

#include "util/wire/cgcountrec.h"

typedef __u32 u32;
typedef __u64 u64;

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__type(key, u32);
	__type(value, int);
} cgcount_events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u64);
	__type(value, u32);
} cgcount_ids SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct cgcount_value);
} cgcount_last SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct cgcount_value);
} cgcount_sums SEC(".maps");

const volatile u32 n_events = 0, n_cgroups = 0;

static __always_inline void add(u32 at, const struct cgcount_value *more)
{
	struct cgcount_value *sum = bpf_map_lookup_elem(&cgcount_sums, &at);

	if (!sum)
		return;
	sum->value += more->value;
	sum->enabled_ns += more->enabled_ns;
	sum->running_ns += more->running_ns;
}

/* What event e has counted since the last look. */
static __always_inline int growth(u32 at, struct cgcount_value *out)
{
	struct cgcount_value *last = bpf_map_lookup_elem(&cgcount_last, &at);
	struct bpf_perf_event_value now;

	if (!last || bpf_perf_event_read_value(&cgcount_events, at, &now, sizeof(now)))
		return 0;
	out->value = now.counter - last->value;
	out->enabled_ns = now.enabled - last->enabled_ns;
	out->running_ns = now.running - last->running_ns;
	last->value = now.counter;
	last->enabled_ns = now.enabled;
	last->running_ns = now.running;
	return out->enabled_ns || out->value;
}

static __always_inline int look(void)
{
	const u32 cpu = bpf_get_smp_processor_id();
	u32 in[CGCOUNT_LEVELS], n = 0;

	for (u32 level = 0; level < CGCOUNT_LEVELS; level++) {
		u64 id = bpf_get_current_ancestor_cgroup_id(level);
		u32 *no = id ? bpf_map_lookup_elem(&cgcount_ids, &id) : 0;

		if (!id)
			break;
		if (no)
			in[n++ & (CGCOUNT_LEVELS - 1)] = *no;
	}
	for (u32 e = 0; e < CGCOUNT_EVENTS && e < n_events; e++) {
		struct cgcount_value more;

		if (!growth(cpu * n_events + e, &more))
			continue;
		for (u32 i = 0; i < CGCOUNT_LEVELS && i < n; i++)
			add((cpu * n_events + e) * n_cgroups + in[i], &more);
	}
	return 0;
}

SEC("perf_event")
int cgcount_switch(void *ctx)
{
	return look();
}

/* Run by the reader on each CPU. */
SEC("raw_tp")
int cgcount_read(void *ctx)
{
	return look();
}

char LICENSE[] SEC("license") = "GPL";
