// SPDX-License-Identifier: GPL-2.0-or-later
// Which samples of an event are written (perf record --filter).
//
// Invariants:
// 1. The filter of an event is found by its number; that of a child's copy by its parent's.
// 2. An event without a filter keeps its samples: its recorder has not put it there yet, or is
// gone.
// 3. What is read is chosen here, and not by who wrote the filter: anybody may, once this is
// pinned.
#include <linux/bpf.h>
#include <linux/types.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <stdbool.h>

#include "util/wire/filterrec.h"

typedef __u32 u32;
typedef __u64 u64;

#define CORE __attribute__((preserve_access_index))

struct perf_sample_data {
	u64 period;
	struct { u32 pid, tid; } CORE tid_entry;
	u64 time;
	struct { u32 cpu; } CORE cpu_entry;
	u64 ip, cgroup, addr, phys_addr, data_page_size, code_page_size, txn;
	union { u64 full; } CORE weight;
	union { u64 val; } CORE data_src;
} CORE;

struct perf_event {
	u64 id;
	struct perf_event *parent;
} CORE;

struct bpf_perf_event_data_kern {
	struct perf_sample_data *data;
	struct perf_event *event;
} CORE;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 262144);
	__type(key, u64);
	__type(value, struct filterrec_key);
} filter_events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 4096);
	__type(key, struct filterrec_key);
	__type(value, struct filterrec);
} filter_rules SEC(".maps");

static __always_inline u64 event_id(u64 event)
{
	const struct perf_event *e = (const void *)event;
	const struct perf_event *parent = BPF_CORE_READ(e, parent);

	return parent ? BPF_CORE_READ(parent, id) : BPF_CORE_READ(e, id);
}

static __always_inline u64 word_of(u64 data, u64 event, u32 word)
{
	const struct perf_sample_data *d = (const void *)data;

	switch (word) {
	case FILTERREC_IP:		return BPF_CORE_READ(d, ip);
	case FILTERREC_ID:		return event_id(event);
	case FILTERREC_PID:		return BPF_CORE_READ(d, tid_entry.pid);
	case FILTERREC_TID:		return BPF_CORE_READ(d, tid_entry.tid);
	case FILTERREC_CPU:		return BPF_CORE_READ(d, cpu_entry.cpu);
	case FILTERREC_TIME:		return BPF_CORE_READ(d, time);
	case FILTERREC_ADDR:		return BPF_CORE_READ(d, addr);
	case FILTERREC_PERIOD:		return BPF_CORE_READ(d, period);
	case FILTERREC_TXN:		return BPF_CORE_READ(d, txn);
	case FILTERREC_WEIGHT:		return BPF_CORE_READ(d, weight.full);
	case FILTERREC_PHYS_ADDR:	return BPF_CORE_READ(d, phys_addr);
	case FILTERREC_CODE_PAGE:	return BPF_CORE_READ(d, code_page_size);
	case FILTERREC_DATA_PAGE:	return BPF_CORE_READ(d, data_page_size);
	case FILTERREC_DATA_SRC:	return BPF_CORE_READ(d, data_src.val);
	case FILTERREC_CGROUP:		return BPF_CORE_READ(d, cgroup);
	case FILTERREC_UID:		return (u32)bpf_get_current_uid_gid();
	case FILTERREC_GID:		return bpf_get_current_uid_gid() >> 32;
	default:			return 0;
	}
}

static __always_inline bool holds(const struct filterrec_term *t, u64 v)
{
	v >>= t->shift & 63;
	if (t->bits < 64)
		v &= (1ULL << (t->bits & 63)) - 1;
	switch (t->op) {
	case FILTERREC_EQ:	return v == t->value;
	case FILTERREC_NE:	return v != t->value;
	case FILTERREC_GT:	return v > t->value;
	case FILTERREC_GE:	return v >= t->value;
	case FILTERREC_LT:	return v < t->value;
	case FILTERREC_LE:	return v <= t->value;
	case FILTERREC_AND:	return v & t->value;
	default:		return false;
	}
}

/* The next one. Verified once, for all comparisons. */
__noinline u32 filter_step(u64 data, u64 event, const struct filterrec_term *t)
{
	if (!t)
		return FILTERREC_NO;
	return holds(t, word_of(data, event, t->word)) ? t->yes : t->no;
}

SEC("perf_event") int sample_filter(struct bpf_perf_event_data *ctx)
{
	const struct bpf_perf_event_data_kern *k = (const void *)ctx;
	const u64 data = (u64)BPF_CORE_READ(k, data), event = (u64)BPF_CORE_READ(k, event);
	const u64 id = event_id(event);
	const struct filterrec_key *key = bpf_map_lookup_elem(&filter_events, &id);
	struct filterrec *f = key ? bpf_map_lookup_elem(&filter_rules, key) : NULL;
	u32 at = 0;

	if (!f)
		return 1;
	for (int i = 0; i < FILTERREC_TERMS; i++) {
		if (at >= FILTERREC_TERMS)
			break;
		asm volatile("" : "+r"(at));	/* the bound must be seen on what is used */
		at = filter_step(data, event, &f->terms[at & (FILTERREC_TERMS - 1)]);
	}
	if (at == FILTERREC_YES)
		return 1;
	__sync_fetch_and_add(&f->n_dropped, 1);
	return 0;
}

char _license[] SEC("license") = "GPL";
