// SPDX-License-Identifier: GPL-2.0-or-later
// For how long threads wait for futexes, for whom, and who lets them go on.
//
// Invariants:
// 1. A thread is in at most one call: its wait is found by its number.
// 2. Who waits for a mutex of glibc waits until its word is not 2, and the thread that has it
// stands eight bytes after the word; those of musl, robust and PI ones have it in the word.
// Whether that is a thread of the process at all is checked by who reads the sums.
// 3. A stack is known by its frames by frame pointers, which code without them leaves out, and
// by what looks like return addresses near its end. It is copied when it is seen first: who
// reads it unwinds it.
#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <stdbool.h>

typedef __u8 u8;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;

#ifdef __TARGET_ARCH_x86
#include <linux/ptrace.h>
#define CALL_NR(regs) ((regs)->orig_rax)
#define SP(regs) ((regs)->rsp)
#elif defined(__TARGET_ARCH_arm64)
struct user_pt_regs { u64 regs[31], sp, pc, pstate; };
struct pt_regs { u64 regs[31], sp, pc, pstate, orig_x0; int syscallno, pad; };
#define CALL_NR(regs) ((regs)->syscallno)
#define SP(regs) ((regs)->sp)
#else
#include <linux/ptrace.h>
#endif
#include <bpf/bpf_tracing.h>

#include "util/wire/futexrec.h"

#define CORE __attribute__((preserve_access_index))
/* linux/futex.h */
#define FUTEX_COMMAND 127
enum {
	WAIT = 0, WAKE = 1, REQUEUE = 3, CMP_REQUEUE = 4, WAKE_OP = 5, LOCK_PI = 6, UNLOCK_PI = 7,
	WAIT_BITSET = 9, WAKE_BITSET = 10, LOCK_PI2 = 13,
};
#define TID_MASK 0x3fffffffu
#define HAS_TID 0x80000000u	/* waiters: the word has a thread's number */
#define GLIBC_LOCKED 2		/* and somebody waits */
#define GLIBC_OWNER 8		/* where it stands after the word */
#define EEXIST 17
#define EAGAIN 11
#define LAST_ERRNO 4095
#define NEAR_WORDS 32
#define WAKERS_TABLE 16384

struct pid;
struct task_struct {
	int pid, tgid;
	struct pid *thread_pid;
	struct task_struct *group_leader;
} CORE;

#include "util/bpf/scope.inc"
#include "util/bpf/sums.inc"
#include "util/bpf/watch.inc"

struct wait {
	u64 start_ns;
	struct futexrec_key key;
	u32 owner, pad;
};
struct lock_key { u64 addr; u32 tgid, pad; };
/* Of a futex that somebody waits for, or did. */
struct lock {
	u64 waker_stack;
	u32 n_waiting, waker;
};
struct times_key { u64 addr; u32 tgid, tid; };
struct times { u32 n[FUTEXREC_STEPS]; };

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, u32);
	__type(value, struct wait);
} futex_waits SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, WAKERS_TABLE);
	__type(key, struct lock_key);
	__type(value, struct lock);
} futex_locks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct futexrec_key);
	__type(value, struct futexrec_sum);
} futex_sums SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, struct times_key);
	__type(value, struct times);
} futex_times SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 2048);
	__type(key, u64);
	__type(value, struct futexrec_stack);
} futex_stacks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct futexrec_stack);
} futex_buffers SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct times);
} futex_no_times SEC(".maps");

const volatile u32 nr_futex = 202;
const volatile bool with_times = false;
const volatile u32 rows = FUTEXREC_BY_LOCK;

bool on = false;
struct futexrec_lost lost = {};

/* ---- stacks ---- */

static __always_inline u64 mix(u64 hash, u64 v)
{
	hash = (hash ^ v) * 0x9e3779b97f4a7c15ULL;
	return hash ^ hash >> 29;
}

/* Whether a call ends right before this address. */
static __always_inline bool is_after_call(u64 va)
{
#ifdef __TARGET_ARCH_x86
	u8 code[6];

	if (bpf_probe_read_user(code, sizeof(code), (void *)(va - sizeof(code))))
		return false;
	return code[1] == 0xe8 || (code[0] == 0xff && (code[1] & 0x38) == 0x10) ||
		(code[4] == 0xff && (code[5] & 0x38) == 0x10) ||
		(code[3] == 0xff && (code[4] & 0x38) == 0x10);
#elif defined(__TARGET_ARCH_arm64)
	u32 code;

	if (bpf_probe_read_user(&code, sizeof(code), (void *)(va - sizeof(code))))
		return false;
	return (code & 0xfc000000) == 0x94000000 || (code & 0xfffffc1f) == 0xd63f0000;
#else
	return false;
#endif
}

static __always_inline u64 hash_near(u64 hash, u64 sp)
{
	u64 words[NEAR_WORDS];

	if (bpf_probe_read_user(words, sizeof(words), (void *)sp))
		return hash;
	for (u32 i = 0; i < NEAR_WORDS; i++) {
		const u64 v = words[i];

		if (v < 65536 || v >> 47 || v - sp + (8 << 20) < (16 << 20))
			continue;
		if (is_after_call(v))
			hash = mix(hash, v);
	}
	return hash;
}

static __noinline u64 hash_frames(struct futexrec_stack *b)
{
	u64 hash = 1;

	if (!b)
		return 0;
	for (u32 i = 0; i < FUTEXREC_MAX_FRAMES; i++) {
		if (i >= b->n_frames)
			break;
		hash = mix(hash, b->frames[i]);
	}
	return hash;
}

static __always_inline void dump(struct futexrec_stack *b, struct pt_regs *regs)
{
	b->dump_bytes = 0;
#ifdef SP
	const u64 sp = SP(regs);

	bpf_probe_read_kernel(b->regs, sizeof(*regs), regs);
	for (u32 at = 0; at < FUTEXREC_DUMP_BYTES; at += FUTEXREC_DUMP_CHUNK) {
		if (bpf_probe_read_user(b->dump + at, FUTEXREC_DUMP_CHUNK, (void *)(sp + at)))
			break;
		b->dump_bytes = at + FUTEXREC_DUMP_CHUNK;
	}
#endif
}

/* 0: no stack. */
static __always_inline u64 take_stack(void *ctx, struct pt_regs *regs)
{
	const u32 zero = 0;
	struct futexrec_stack *b = bpf_map_lookup_elem(&futex_buffers, &zero);
	u64 hash;
	long bytes, ret;

	if (!b)
		return 0;
	bytes = bpf_get_stack(ctx, b->frames, sizeof(b->frames), BPF_F_USER_STACK);
	b->n_frames = bytes > 0 ? (u32)bytes / sizeof(u64) : 0;
	hash = hash_frames(b);
#ifdef SP
	hash = hash_near(hash, SP(regs));
#endif
	hash = mix(hash, bpf_get_current_pid_tgid() >> 32);
	if (!hash || bpf_map_lookup_elem(&futex_stacks, &hash))
		return hash;
	dump(b, regs);
	ret = bpf_map_update_elem(&futex_stacks, &hash, b, BPF_NOEXIST);
	if (!ret || ret == -EEXIST)
		return hash;
	__sync_fetch_and_add(&lost.n_stacks, 1);
	return 0;
}

/* ---- the beginning of a call ---- */

static __always_inline u32 read_user_u32(u64 at)
{
	u32 v = 0;

	bpf_probe_read_user(&v, sizeof(v), (void *)at);
	return v;
}

static __always_inline void note_owner(struct wait *w, u32 op, u32 expected)
{
	if (op == LOCK_PI || op == LOCK_PI2) {
		w->key.kind = FUTEXREC_PI;
		w->owner = read_user_u32(w->key.addr) & TID_MASK;
	} else if (op == WAIT && expected == GLIBC_LOCKED) {
		w->key.kind = FUTEXREC_MUTEX;
		w->owner = read_user_u32(w->key.addr + GLIBC_OWNER);
	} else if (expected & HAS_TID) {
		w->key.kind = FUTEXREC_MUTEX;
		w->owner = expected & TID_MASK;
	}
}

static __always_inline void waits(void *ctx, struct pt_regs *regs, struct task_struct *task,
				  u32 op, u64 now_ns)
{
	const u32 pid = task->pid;
	struct lock_key at = { .addr = PT_REGS_PARM1(regs), .tgid = tgid_of(task) };
	struct wait w = {
		.start_ns = now_ns,
		.key = { .addr = at.addr, .tgid = at.tgid, .tid = tid_of(task) },
	};
	struct lock *l = bpf_map_lookup_elem(&futex_locks, &at);

	if (!l) {
		const struct lock first = {};

		bpf_map_update_elem(&futex_locks, &at, &first, BPF_NOEXIST);
		l = bpf_map_lookup_elem(&futex_locks, &at);
	}
	if (l)
		__sync_fetch_and_add(&l->n_waiting, 1);
	else
		__sync_fetch_and_add(&lost.n_wakers, 1);
	note_owner(&w, op, PT_REGS_PARM3(regs));
	w.key.stack = take_stack(ctx, regs);
	if (bpf_map_update_elem(&futex_waits, &pid, &w, BPF_ANY))
		__sync_fetch_and_add(&lost.n_waits, 1);
}

/* Only where somebody waits: nobody else has to know. */
static __always_inline void wakes(void *ctx, struct pt_regs *regs, struct task_struct *task)
{
	struct lock_key at = { .addr = PT_REGS_PARM1(regs), .tgid = tgid_of(task) };
	struct lock *l = bpf_map_lookup_elem(&futex_locks, &at);

	if (!l || !l->n_waiting)
		return;
	l->waker = tid_of(task);
	l->waker_stack = take_stack(ctx, regs);
}

SEC("tp_btf/sys_enter")
int BPF_PROG(futex_enter, struct pt_regs *regs, long id)
{
	struct task_struct *task;
	u64 now_ns;
	u32 op;

	if ((u32)id != nr_futex || !*(volatile bool *)&on)
		return 0;
	now_ns = bpf_ktime_get_ns();
	task = bpf_get_current_task_btf();
	if (!is_wanted(task))
		return 0;
	op = PT_REGS_PARM2(regs) & FUTEX_COMMAND;
	if (op == WAIT || op == WAIT_BITSET || op == LOCK_PI || op == LOCK_PI2)
		waits(ctx, regs, task, op, now_ns);
	else if (op == WAKE || op == WAKE_BITSET || op == WAKE_OP || op == UNLOCK_PI ||
		 op == REQUEUE || op == CMP_REQUEUE)
		wakes(ctx, regs, task);
	return 0;
}

/* ---- its end ---- */

static __noinline int add(struct futexrec_key *key, u64 ns, u64 start_ns, bool timeout)
{
	struct futexrec_sum *s;

	if (!key)
		return 0;
	s = bpf_map_lookup_elem(&futex_sums, key);
	if (!s) {
		const struct futexrec_sum first = { .n = 1, .total_ns = ns, .max_ns = ns,
						    .min_ns = ns, .last_ns = start_ns,
						    .n_timeouts = timeout };

		if (!bpf_map_update_elem(&futex_sums, key, &first, BPF_NOEXIST))
			return 0;
		s = bpf_map_lookup_elem(&futex_sums, key);
	}
	if (!s) {
		if (key->side == FUTEXREC_WAITER) {
			__sync_fetch_and_add(&lost.n_sums, 1);
			__sync_fetch_and_add(&lost.sums_ns, ns);
		} else {
			__sync_fetch_and_add(&lost.n_wakers, 1);
		}
		return 0;
	}
	__sync_fetch_and_add(&s->n, 1);
	__sync_fetch_and_add(&s->total_ns, ns);
	__sync_fetch_and_add(&s->n_timeouts, timeout);
	s->last_ns = start_ns;
	widen(&s->max_ns, &s->min_ns, ns);
	return 0;
}

static __always_inline u32 log2_of(u64 v)
{
	u32 n = 0;

	for (u32 bits = 32; bits; bits /= 2)
		if (v >> bits) {
			v >>= bits;
			n += bits;
		}
	return n;
}

/* The steps of analysis/ns-hist.c. */
static __noinline int add_time(struct futexrec_key *key, u32 holder, u64 ns)
{
	struct times_key k = {};
	struct times *t;
	const u32 zero = 0;
	u64 step = ns;

	if (!key)
		return 0;
	if (rows == FUTEXREC_BY_LOCK)
		k.addr = key->addr;
	else
		k.tid = rows == FUTEXREC_BY_WAITER ? key->tid : holder;
	k.tgid = key->tgid;
	if (ns >= 8) {
		const u32 log = log2_of(ns);

		step = (log - 2) * 8 + (ns >> (log - 3 & 63) & 7);
	}
	t = bpf_map_lookup_elem(&futex_times, &k);
	if (!t) {
		const struct times *none = bpf_map_lookup_elem(&futex_no_times, &zero);

		if (none)
			bpf_map_update_elem(&futex_times, &k, none, BPF_NOEXIST);
		t = bpf_map_lookup_elem(&futex_times, &k);
	}
	asm volatile("" : "+r"(step));	/* the bound must be seen on what is used */
	if (t && step < FUTEXREC_STEPS)
		__sync_fetch_and_add(&t->n[step], 1);
	return 0;
}

/* Who had the lock when the wait began; else who ended the wait. */
static __always_inline u32 holder_of(const struct wait *w, const struct lock *l, long ret,
				     u64 *stack)
{
	const u32 waker = l && !ret ? l->waker : 0, owner = w->owner ? w->owner : waker;

	*stack = owner && owner == waker ? l->waker_stack : 0;
	return owner;
}

static __always_inline void has_waited(const struct wait *w, const struct lock *l, long ret,
				       u64 now_ns)
{
	const u64 ns = now_ns > w->start_ns ? now_ns - w->start_ns : 0;
	const bool timeout = ret < 0;
	struct futexrec_key key = w->key, of = w->key;

	of.tid = holder_of(w, l, ret, &of.stack);
	of.side = FUTEXREC_HOLDER;
	key.side = FUTEXREC_WAITER;
	add(&key, ns, w->start_ns, timeout);
	add(&of, ns, w->start_ns, timeout);
	if (with_times)
		add_time(&key, of.tid, ns);
}

SEC("tp_btf/sys_exit")
int BPF_PROG(futex_exit, struct pt_regs *regs, long ret)
{
	const u64 now_ns = bpf_ktime_get_ns();
	const u32 pid = bpf_get_current_pid_tgid();
	struct lock_key at = {};
	struct wait *w;
	struct lock *l;

#ifdef CALL_NR
	if ((u32)CALL_NR(regs) != nr_futex)
		return 0;
#endif
	w = bpf_map_lookup_elem(&futex_waits, &pid);
	if (!w)
		return 0;
	at.addr = w->key.addr;
	at.tgid = w->key.tgid;
	l = bpf_map_lookup_elem(&futex_locks, &at);
	if (l)
		__sync_fetch_and_add(&l->n_waiting, -1);
	if (ret != -EAGAIN)
		has_waited(w, l, ret, now_ns);
	bpf_map_delete_elem(&futex_waits, &pid);
	return 0;
}

char _license[] SEC("license") = "GPL";
