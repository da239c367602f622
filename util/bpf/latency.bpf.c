// SPDX-License-Identifier: GPL-2.0-or-later
// How long a function of the kernel takes, or the time between two tracepoints in the same thread.
//
// Invariants:
// 1. Sums are of one CPU, and only grow.
// 2. A thread has one beginning: the last one counts (of calls within each other, the innermost).
// 3. A beginning that finds no room is counted.
#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "util/wire/latencyrec.h"
#include "util/wire/scoperec.h"

typedef __u8 u8;
typedef __u32 u32;
typedef __u64 u64;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 65536);
	__type(key, u64);
	__type(value, u64);
} latency_begun SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct latency_sums);
} latency_here SEC(".maps");

struct {		/* threads or processes that are watched */
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u8);
} latency_ids SEC(".maps");

const volatile bool by_thread = false, by_process = false, by_cpu = false;
const volatile u64 cpus[SCOPE_CPU_WORDS] = {};
/* of the pid namespace whose numbers the ids are; 0: the first one */
const volatile u64 ns_dev = 0, ns_ino = 0;
const volatile struct latency_buckets buckets = { .unit_ns = 1 };

u64 n_lost = 0;

static __always_inline bool is_watched(u64 id)
{
	const u32 cpu = bpf_get_smp_processor_id();
	struct bpf_pidns_info inner = { .pid = 0 };
	u32 key;

	if (by_cpu && !(cpus[cpu / 64 % SCOPE_CPU_WORDS] >> cpu % 64 & 1))
		return false;
	if (!by_thread && !by_process)
		return true;
	if (!ns_ino) {
		inner.pid = (u32)id;
		inner.tgid = id >> 32;
	} else if (bpf_get_ns_current_pid_tgid(ns_dev, ns_ino, &inner, sizeof(inner))) {
		return false;
	}
	key = by_thread ? inner.pid : inner.tgid;
	return bpf_map_lookup_elem(&latency_ids, &key);
}

/* Idle tasks, one for each CPU, have the same number. */
static __always_inline u64 thread_of(u64 id)
{
	return (u32)id ? (u32)id : 1ULL << 32 | bpf_get_smp_processor_id();
}

static __always_inline int begin(void)
{
	const u64 id = bpf_get_current_pid_tgid(), now = bpf_ktime_get_ns();
	const u64 thread = thread_of(id);

	if (is_watched(id) && bpf_map_update_elem(&latency_begun, &thread, &now, BPF_ANY))
		__sync_fetch_and_add(&n_lost, 1);
	return 0;
}

static __always_inline int end(void)
{
	const u64 now = bpf_ktime_get_ns(), thread = thread_of(bpf_get_current_pid_tgid());
	const u64 *since = bpf_map_lookup_elem(&latency_begun, &thread);
	const struct latency_buckets b = { buckets.unit_ns, buckets.range, buckets.min,
					   buckets.max };
	const u32 zero = 0;
	struct latency_sums *s;
	u64 ns;

	if (!since)
		return 0;
	ns = now > *since ? now - *since : 0;
	bpf_map_delete_elem(&latency_begun, &thread);
	s = bpf_map_lookup_elem(&latency_here, &zero);
	if (s)
		latency_add(s, &b, ns);
	return 0;
}

SEC("tp")
int latency_first(void *ctx) { return begin(); }

SEC("tp")
int latency_second(void *ctx) { return end(); }

SEC("kprobe")
int latency_call(void *ctx) { return begin(); }

SEC("kretprobe")
int latency_return(void *ctx) { return end(); }

char LICENSE[] SEC("license") = "GPL";
