// SPDX-License-Identifier: GPL-2.0-or-later
// Counts by cgroup, of counters that count everything on their CPU: at each switch from one task to
// another that is in other cgroups, what was counted since the last look is added to the cgroups
// that the leaving task is in.
//
// Invariants:
// 1. Each CPU has sums and last readings of its own, and the programs of switches and of the reader
// run on it with interrupts off; while the third one runs, which does not, the reader leaves its
// CPU alone.
// 2. Sums only grow; a reader has them in its memory.
#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <stdbool.h>

#include "util/wire/cgcountrec.h"

typedef __u32 u32;
typedef __u64 u64;

/* Tasks of one css_set are in the same cgroups. */
struct css_set;
struct task_struct {
	struct css_set *cgroups;
} __attribute__((preserve_access_index));

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

/* Of the task that runs: its cgroups among those that are watched. */
struct here { u32 n, in[CGCOUNT_LEVELS]; };
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct here);
} cgcount_here SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
} cgcount_busy SEC(".maps");

const volatile u32 n_events = 0, n_cgroups = 0;

struct look { u32 cpu; struct here *here; };

static long take_level(u32 level, struct look *l)
{
	const u64 id = bpf_get_current_ancestor_cgroup_id(level);
	const u32 *no = id ? bpf_map_lookup_elem(&cgcount_ids, &id) : 0;

	if (no && l->here->n < CGCOUNT_LEVELS)
		l->here->in[l->here->n++] = *no;
	return !id;
}

/* What an event has counted since the last look. */
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

static long add_event(u32 e, struct look *l)
{
	const u32 from = l->cpu * n_events + e;
	struct cgcount_value more;

	if (!growth(from, &more))
		return 0;
	for (u32 i = 0; i < CGCOUNT_LEVELS && i < l->here->n; i++) {
		u32 at = from * n_cgroups + l->here->in[i];
		struct cgcount_value *sum = bpf_map_lookup_elem(&cgcount_sums, &at);

		if (!sum)
			continue;
		sum->value += more.value;
		sum->enabled_ns += more.enabled_ns;
		sum->running_ns += more.running_ns;
	}
	return 0;
}

static __always_inline int look(void)
{
	const u32 zero = 0;
	struct look l = { bpf_get_smp_processor_id(), bpf_map_lookup_elem(&cgcount_here, &zero) };

	if (!l.here)
		return 0;
	l.here->n = 0;
	bpf_loop(CGCOUNT_LEVELS, take_level, &l, 0);
	bpf_loop(n_events, add_event, &l, 0);
	return 0;
}

/* Not the event cgroup-switches: some kernels send no event of an idle task any more that was once
 * interrupted at the wrong place, and what others did before it would count for the next one. */
SEC("tp_btf/sched_switch")
int BPF_PROG(cgcount_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	return prev->cgroups == next->cgroups ? 0 : look();
}

/* Run by the reader on each CPU. */
SEC("raw_tp")
int cgcount_read(void *ctx)
{
	const u32 zero = 0;
	u32 *busy = bpf_map_lookup_elem(&cgcount_busy, &zero);

	return busy && *busy ? 0 : look();
}

/* A task that moves itself to another cgroup (cgroup_attach_task) was in the old one until now. */
SEC("kprobe")
int cgcount_move(void *ctx)
{
	const u32 zero = 0;
	u32 *busy = bpf_map_lookup_elem(&cgcount_busy, &zero);

	if (!busy)
		return 0;
	*(volatile u32 *)busy = 1;
	look();
	*(volatile u32 *)busy = 0;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
