// SPDX-License-Identifier: GPL-2.0-or-later
// Reads the counters of one event, which several perfs hold in a map: run by each reader on each
// CPU, as only there they can be read.
#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>

#include "util/wire/cgcountrec.h"

typedef __u32 u32;

/* By CPU. What was put into it stays when who put it there is gone. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(map_flags, BPF_F_PRESERVE_ELEMS);
	__type(key, u32);
	__type(value, int);
} share_events SEC(".maps");

/* By CPU; of this reader alone. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct cgcount_value);
} share_values SEC(".maps");

/* 1: there is no counter on this CPU. */
SEC("raw_tp")
int share_read(void *ctx)
{
	const u32 cpu = bpf_get_smp_processor_id();
	struct cgcount_value *v = bpf_map_lookup_elem(&share_values, &cpu);
	struct bpf_perf_event_value now;

	if (!v || bpf_perf_event_read_value(&share_events, BPF_F_CURRENT_CPU, &now, sizeof(now)))
		return 1;
	v->value = now.counter;
	v->enabled_ns = now.enabled;
	v->running_ns = now.running;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
