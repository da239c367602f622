// SPDX-License-Identifier: GPL-2.0-or-later
// For how long threads wait for futexes, for whom, and who lets them go on.
//
// Invariants:
// 1. A thread is in at most one call: its wait is found by its number.
// 2. Who waits for a mutex of glibc waits until its word is not 2, and the thread that has it
// stands eight bytes after the word; those of musl, robust and PI ones have it in the word.
// Whether that is a thread of the process at all is checked by who reads the sums.
// 3. Who waits for several futexes at once (futex_waitv) waits for each of them until one ends
// that: which of them did is what the call returns. A wait that none ended is one for the first.
// 4. A stack is known by its frames by frame pointers, which code without them leaves out, and
// by what looks like return addresses near its end. It is copied when it is seen first: who
// reads it unwinds it. Those of programs of 32 bits are known by their frames alone.
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
#define COMPAT_PARM1(regs) ((u32)(regs)->rbx)
#define COMPAT_PARM2(regs) ((u32)(regs)->rcx)
#define COMPAT_PARM3(regs) ((u32)(regs)->rdx)
#elif defined(__TARGET_ARCH_arm64)
struct user_pt_regs { u64 regs[31], sp, pc, pstate; };
struct pt_regs { u64 regs[31], sp, pc, pstate, orig_x0; int syscallno, pad; };
#define CALL_NR(regs) ((regs)->syscallno)
#define SP(regs) ((regs)->sp)
#else
#include <linux/ptrace.h>
#endif
#include <bpf/bpf_tracing.h>
#ifndef COMPAT_PARM1
#define COMPAT_PARM1(regs) ((u32)PT_REGS_PARM1(regs))
#define COMPAT_PARM2(regs) ((u32)PT_REGS_PARM2(regs))
#define COMPAT_PARM3(regs) ((u32)PT_REGS_PARM3(regs))
#endif

#include "util/wire/futexrec.h"

#define CORE __attribute__((preserve_access_index))
/* linux/futex.h */
#define FUTEX_COMMAND 127
enum {
	WAIT = 0, WAKE = 1, REQUEUE = 3, CMP_REQUEUE = 4, WAKE_OP = 5, LOCK_PI = 6, UNLOCK_PI = 7,
	WAIT_BITSET = 9, WAKE_BITSET = 10, LOCK_PI2 = 13,
};
/* system calls that have these numbers everywhere */
enum {
	NR_FUTEX_TIME64 = 422, NR_FUTEX_WAITV = 449, NR_FUTEX_WAKE = 454, NR_FUTEX_WAIT = 455,
	NR_FUTEX_REQUEUE = 456,
};
#define MOST_AT_ONCE 128	/* FUTEX_WAITV_MAX */
struct abi_waitv { u64 value, addr; u32 flags, reserved; };	/* struct futex_waitv */
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
struct thread_info {
#ifdef __TARGET_ARCH_x86
	u32 status;
#else
	unsigned long flags;
#endif
} CORE;
struct task_struct {
	struct thread_info thread_info;
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
	u32 owner;
	u32 n_futexes;		/* of futex_waitv: they are in futex_many; else 0 */
};
struct many { u64 addrs[MOST_AT_ONCE]; };
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
	__uint(max_entries, 1024);
	__type(key, u32);
	__type(value, struct many);
} futex_many SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct many);
} futex_none SEC(".maps");

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

const volatile u32 nr_futex = 202, nr_compat_futex = 240;
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
static __always_inline u64 take_stack(void *ctx, struct pt_regs *regs, bool compat)
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
	if (!compat)
		hash = hash_near(hash, SP(regs));
#endif
	hash = mix(hash, bpf_get_current_pid_tgid() >> 32);
	if (!hash || bpf_map_lookup_elem(&futex_stacks, &hash))
		return hash;
	b->dump_bytes = 0;
	if (!compat)
		dump(b, regs);
	ret = bpf_map_update_elem(&futex_stacks, &hash, b, BPF_NOEXIST);
	if (!ret || ret == -EEXIST)
		return hash;
	__sync_fetch_and_add(&lost.n_stacks, 1);
	return 0;
}

/* ---- the beginning of a call ---- */

/* n: so many at addr (struct abi_waitv); 0: the futex is there. */
struct call { u64 addr; u32 op, expected, n; bool compat; };

static __always_inline u32 read_user_u32(u64 at)
{
	u32 v = 0;

	bpf_probe_read_user(&v, sizeof(v), (void *)at);
	return v;
}

/* The address of one of several. */
static __always_inline u64 addr_of(u64 at, u32 nr)
{
	struct abi_waitv v = {};

	bpf_probe_read_user(&v, sizeof(v), (void *)(at + nr * sizeof(v)));
	return v.addr;
}

static __always_inline void note_owner(struct wait *w, const struct call *c)
{
	if (c->op == LOCK_PI || c->op == LOCK_PI2) {
		w->key.kind = FUTEXREC_PI;
		w->owner = read_user_u32(w->key.addr) & TID_MASK;
	} else if (c->op == WAIT && c->expected == GLIBC_LOCKED) {
		w->key.kind = FUTEXREC_MUTEX;
		w->owner = read_user_u32(w->key.addr + GLIBC_OWNER);
	} else if (c->expected & HAS_TID) {
		w->key.kind = FUTEXREC_MUTEX;
		w->owner = c->expected & TID_MASK;
	}
}

/* Not static: so the verifier looks at it once, not in each turn of a loop. */
int add_waiting(u64 addr, u32 tgid);
__noinline int add_waiting(u64 addr, u32 tgid)
{
	struct lock_key at = { .addr = addr, .tgid = tgid };
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
	return 0;
}

/* Also those of the call: the memory where it has them may change. */
static __noinline u32 wait_for_many(u64 at, u32 n, u32 tgid)
{
	const u32 pid = bpf_get_current_pid_tgid(), zero = 0;
	const struct many *none = bpf_map_lookup_elem(&futex_none, &zero);
	struct many *m;

	if (none)
		bpf_map_update_elem(&futex_many, &pid, none, BPF_ANY);
	m = bpf_map_lookup_elem(&futex_many, &pid);
	if (!m) {
		__sync_fetch_and_add(&lost.n_wakers, 1);
		return 0;
	}
	for (u32 i = 0; i < MOST_AT_ONCE; i++) {
		if (i >= n)
			break;
		m->addrs[i] = addr_of(at, i);
		add_waiting(m->addrs[i], tgid);
	}
	return n;
}

static __always_inline void waits(void *ctx, struct pt_regs *regs, struct task_struct *task,
				  const struct call *c, u64 now_ns)
{
	const u32 pid = task->pid, tgid = tgid_of(task);
	struct wait w = {
		.start_ns = now_ns,
		.key = { .addr = c->n ? addr_of(c->addr, 0) : c->addr, .tgid = tgid,
			 .tid = tid_of(task) },
	};

	if (c->n && c->n <= MOST_AT_ONCE)
		w.n_futexes = wait_for_many(c->addr, c->n, tgid);
	if (!w.n_futexes)
		add_waiting(w.key.addr, tgid);
	if (!c->n)
		note_owner(&w, c);
	w.key.stack = take_stack(ctx, regs, c->compat);
	if (bpf_map_update_elem(&futex_waits, &pid, &w, BPF_ANY))
		__sync_fetch_and_add(&lost.n_waits, 1);
}

/* Only where somebody waits: nobody else has to know. */
static __always_inline void wakes(void *ctx, struct pt_regs *regs, struct task_struct *task,
				  const struct call *c)
{
	struct lock_key at = { .addr = c->n ? addr_of(c->addr, 0) : c->addr,
			       .tgid = tgid_of(task) };
	struct lock *l = bpf_map_lookup_elem(&futex_locks, &at);

	if (!l || !l->n_waiting)
		return;
	l->waker = tid_of(task);
	l->waker_stack = take_stack(ctx, regs, c->compat);
}

static __always_inline bool is_compat(struct task_struct *task)
{
#if defined(__TARGET_ARCH_x86)
	return task->thread_info.status & 2;	/* TS_COMPAT */
#elif defined(__TARGET_ARCH_arm64)
	return task->thread_info.flags >> 22 & 1;	/* TIF_32BIT */
#else
	return false;
#endif
}

/* A quick look: the first two are other calls in programs of the other kind. */
static __always_inline bool may_be_futex(u32 nr)
{
	return nr == nr_futex || nr == nr_compat_futex || nr == NR_FUTEX_TIME64 ||
		nr == NR_FUTEX_WAITV || (nr >= NR_FUTEX_WAKE && nr <= NR_FUTEX_REQUEUE);
}

/* The newer calls are operations of the old one, but that several futexes are a list. false: it is
 * none of them. */
static __always_inline bool take_call(struct pt_regs *regs, struct task_struct *task, u32 nr,
				      struct call *c)
{
	u32 second, third;

	c->compat = is_compat(task);
	c->addr = c->compat ? COMPAT_PARM1(regs) : PT_REGS_PARM1(regs);
	second = c->compat ? COMPAT_PARM2(regs) : PT_REGS_PARM2(regs);
	third = c->compat ? COMPAT_PARM3(regs) : PT_REGS_PARM3(regs);
	c->n = 0;
	c->expected = nr == NR_FUTEX_WAIT ? second : third;
	switch (nr) {
	case NR_FUTEX_WAITV:
		c->n = second;
		c->op = WAIT;
		return c->n > 0;
	case NR_FUTEX_WAKE:
		c->op = WAKE;
		return true;
	case NR_FUTEX_WAIT:
		c->op = WAIT;
		return true;
	case NR_FUTEX_REQUEUE:
		c->n = 2;
		c->op = REQUEUE;
		return true;
	default:
		c->op = second & FUTEX_COMMAND;
		return c->compat ? nr == nr_compat_futex || nr == NR_FUTEX_TIME64 :
			nr == nr_futex;
	}
}

SEC("tp_btf/sys_enter")
int BPF_PROG(futex_enter, struct pt_regs *regs, long id)
{
	struct task_struct *task;
	struct call c;
	u64 now_ns;

	if (!may_be_futex((u32)id) || !*(volatile bool *)&on)
		return 0;
	now_ns = bpf_ktime_get_ns();
	task = bpf_get_current_task_btf();
	if (!is_wanted(task) || !take_call(regs, task, (u32)id, &c))
		return 0;
	if (c.op == WAIT || c.op == WAIT_BITSET || c.op == LOCK_PI || c.op == LOCK_PI2)
		waits(ctx, regs, task, &c, now_ns);
	else if (c.op == WAKE || c.op == WAKE_BITSET || c.op == WAKE_OP || c.op == UNLOCK_PI ||
		 c.op == REQUEUE || c.op == CMP_REQUEUE)
		wakes(ctx, regs, task, &c);
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
	u32 owner = w->owner;

	*stack = 0;
	/* Apart, so that the verifier of Linux 6.1 sees that l is there where it is read. */
	if (!l || ret < 0)
		return owner;
	owner = owner ? owner : l->waker;
	if (owner && owner == l->waker)
		*stack = l->waker_stack;
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

int end_waiting(u64 addr, u32 tgid);
__noinline int end_waiting(u64 addr, u32 tgid)
{
	struct lock_key at = { .addr = addr, .tgid = tgid };
	struct lock *l = bpf_map_lookup_elem(&futex_locks, &at);

	if (l)
		__sync_fetch_and_add(&l->n_waiting, -1);
	return 0;
}

/* The call returns the number of the one that ended it. */
static __always_inline void end_many(struct wait *w, u32 pid, long ret)
{
	struct many *m = bpf_map_lookup_elem(&futex_many, &pid);

	if (!m)
		return;
	for (u32 i = 0; i < MOST_AT_ONCE; i++) {
		if (i >= w->n_futexes)
			break;
		end_waiting(m->addrs[i], w->key.tgid);
	}
	if (ret >= 0 && ret < MOST_AT_ONCE)
		w->key.addr = m->addrs[ret & (MOST_AT_ONCE - 1)];
	bpf_map_delete_elem(&futex_many, &pid);
}

SEC("tp_btf/sys_exit")
int BPF_PROG(futex_exit, struct pt_regs *regs, long ret)
{
	const u64 now_ns = bpf_ktime_get_ns();
	const u32 pid = bpf_get_current_pid_tgid();
	struct lock_key at = {};
	struct wait *w;

#ifdef CALL_NR
	if (!may_be_futex((u32)CALL_NR(regs)))
		return 0;
#endif
	w = bpf_map_lookup_elem(&futex_waits, &pid);
	if (!w)
		return 0;
	if (w->n_futexes)
		end_many(w, pid, ret);
	else
		end_waiting(w->key.addr, w->key.tgid);
	at.addr = w->key.addr;
	at.tgid = w->key.tgid;
	if (ret != -EAGAIN)
		has_waited(w, bpf_map_lookup_elem(&futex_locks, &at), ret, now_ns);
	bpf_map_delete_elem(&futex_waits, &pid);
	return 0;
}

char _license[] SEC("license") = "GPL";
