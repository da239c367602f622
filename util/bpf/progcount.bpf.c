// SPDX-License-Identifier: GPL-2.0-or-later
// What counters count while another BPF program runs: they are read when it begins and when it ends.
// A program that is interrupted by itself on the same CPU is counted from its innermost beginning on.
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
} progcount_events SEC(".maps");

struct begun {
	struct bpf_perf_event_value at;
	u64 is;
};
struct {		/* by CPU and event: what there was at the beginning */
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct begun);
} progcount_begun SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct cgcount_value);
} progcount_sums SEC(".maps");

const volatile u32 n_events = 0;

SEC("fentry")
int progcount_enter(void *ctx)
{
	const u32 cpu = bpf_get_smp_processor_id();

	for (u32 e = 0; e < CGCOUNT_EVENTS && e < n_events; e++) {
		u32 at = cpu * n_events + e;
		struct begun *b = bpf_map_lookup_elem(&progcount_begun, &at);

		if (b)
			b->is = !bpf_perf_event_read_value(&progcount_events, at, &b->at, sizeof(b->at));
	}
	return 0;
}

SEC("fexit")
int progcount_leave(void *ctx)
{
	const u32 cpu = bpf_get_smp_processor_id();

	for (u32 e = 0; e < CGCOUNT_EVENTS && e < n_events; e++) {
		u32 at = cpu * n_events + e;
		struct begun *b = bpf_map_lookup_elem(&progcount_begun, &at);
		struct cgcount_value *sum = bpf_map_lookup_elem(&progcount_sums, &at);
		struct bpf_perf_event_value now;

		if (!b || !sum || !b->is ||
		    bpf_perf_event_read_value(&progcount_events, at, &now, sizeof(now)))
			continue;
		b->is = 0;
		sum->value += now.counter - b->at.counter;
		sum->enabled_ns += now.enabled - b->at.enabled;
		sum->running_ns += now.running - b->at.running;
	}
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
