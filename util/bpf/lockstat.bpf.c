// SPDX-License-Identifier: GPL-2.0-or-later
// For how long tasks wait for the kernel's locks.
//
// Invariants:
// 1. What is done at the end of a wait is done while the lock is held, so all that can be is
// done at its beginning, which others do not wait for.
// 2. Nothing is allocated: a lock of the allocator may be the one that is waited for. Maps have
// their memory before, and what finds no room there is counted.
// 3. Who spins stays on its CPU: these waits are in a stack of the CPU, since an interrupt may
// wait in between. A place is taken before it is written, so that an interrupt takes the next one.
// 4. Who sleeps has one wait for each lock. A mutex that gives up spinning begins again: that is
// the same wait.
// 5. A program that interrupts itself is not run: the kernel counts that (lockstat.c).
#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>
#include <stdbool.h>

#include "util/wire/latencyrec.h"
#include "util/wire/lockrec.h"

typedef __u8 u8;
typedef __u32 u32;
typedef __u64 u64;
typedef __s64 s64;

#define CORE __attribute__((preserve_access_index))
#define FLAG_BITS 63

#define MAX_SPINS 4		/* task, soft interrupt, interrupt, NMI */

struct task_struct;
/* Their places alone are asked for; clang 19 crashes at structs without any member. */
struct mm_struct {
	struct { char any; } mmap_lock;
} CORE;
struct sighand_struct {
	struct { char any; } siglock;
} CORE;
struct pid;
struct task_struct {
	int pid, tgid;
	struct pid *thread_pid;
	struct task_struct *group_leader;
	char comm[16];
	struct mm_struct *mm;
	struct sighand_struct *sighand;
} CORE;

#include "util/bpf/locks.inc"
#include "util/bpf/scope.inc"
#include "util/bpf/sums.inc"
#include "util/bpf/watch.inc"

struct wait {
	u64 lock, start_ns;
	struct lockrec_key key;
	char comm[16];
	u32 known, pad;
};
struct spins { u32 n; struct wait w[MAX_SPINS]; };
struct wait_key { u64 lock; u32 pid, pad; };

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct spins);
} lock_spins SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct wait_key);
	__type(value, struct wait);
} lock_waits SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct lockrec_key);
	__type(value, struct lockrec_sum);
} lock_sums SEC(".maps");

/* How many waits of a sum took how long. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 65536);
	__type(key, struct lockrec_step);
	__type(value, u64);
} lock_steps SEC(".maps");

const volatile u32 parts = 0;		/* enum lockrec_part */
const volatile u64 types = ~0ULL;	/* a bit for each value of flags that counts */

bool on = false;
struct lockrec_lost lost = {};
u32 n_ids = 0;

static __always_inline u64 take_stack(void *ctx)
{
	struct frames *f = frames_buffer();
	u32 n = n_frames;

	return f && n <= LOCKREC_MAX_FRAMES ?
		keep_stack(f, bpf_get_stack(ctx, f->v, n * sizeof(u64), 0), &lost) : 0;
}

static __always_inline void note_owner(struct wait *w, void *lock, u32 flags)
{
	struct task_struct *owner = owner_of(lock, flags);

	if (!owner)
		return;
	w->key.tid = pid_ns ? inner_number(BPF_CORE_READ(owner, thread_pid)) :
		BPF_CORE_READ(owner, pid);
	bpf_probe_read_kernel(w->comm, sizeof(w->comm),
			      __builtin_preserve_access_index(&owner->comm));
}

/* The program that takes it (lockowner.bpf.c) ran just before. */
static __always_inline u64 owner_stack(u64 lock)
{
	const u32 zero = 0;
	struct owner_stack *o = bpf_map_lookup_elem(&lock_owner_stacks, &zero);

	return o && o->lock == lock ? o->stack : 0;
}

static __always_inline u32 what_is(struct task_struct *task, u64 lock)
{
	const u64 mm = (u64)task->mm, sighand = (u64)task->sighand;

	if (mm && lock == mm + bpf_core_field_offset(struct mm_struct, mmap_lock))
		return LOCKREC_MMAP_LOCK;
	if (sighand && lock == sighand + bpf_core_field_offset(struct sighand_struct, siglock))
		return LOCKREC_SIGLOCK;
	return LOCKREC_UNKNOWN;
}

static __always_inline void describe(void *ctx, struct wait *w, struct task_struct *task,
				     void *lock, u32 flags)
{
	w->key = (struct lockrec_key){ .flags = flags };
	w->known = LOCKREC_UNKNOWN;
	w->lock = (u64)lock;
	__builtin_memset(w->comm, 0, sizeof(w->comm));
	if (parts & LOCKREC_STACK)
		w->key.stack = parts & LOCKREC_OWNER ? owner_stack((u64)lock) : take_stack(ctx);
	if (parts & LOCKREC_ADDR) {
		w->key.addr = (u64)lock;
		w->known = what_is(task, (u64)lock);
	}
	if (parts & LOCKREC_CGROUP)
		w->key.cgroup = bpf_get_current_cgroup_id();
	if (parts & LOCKREC_OWNER) {
		note_owner(w, lock, flags);
	} else if (parts & LOCKREC_TASK) {
		w->key.tid = tid_of(task);
		bpf_get_current_comm(w->comm, sizeof(w->comm));
	}
}

static __always_inline void begin_spinning(void *ctx, struct task_struct *task, void *lock,
					   u32 flags, u64 now_ns)
{
	const u32 zero = 0;
	struct spins *s = bpf_map_lookup_elem(&lock_spins, &zero);
	u32 at;

	if (!s)
		return;
	at = s->n;
	if (at >= MAX_SPINS) {		/* their ends were not seen */
		__sync_fetch_and_add(&lost.n_waits, MAX_SPINS);
		at = 0;
	}
	*(volatile u32 *)&s->n = at + 1;
	s->w[at].start_ns = now_ns;
	describe(ctx, &s->w[at], task, lock, flags);
}

static __always_inline void begin_sleeping(void *ctx, struct task_struct *task, void *lock,
					   u32 flags, u64 now_ns)
{
	const struct wait_key key = { .lock = (u64)lock, .pid = task->pid };
	struct wait w = { .start_ns = now_ns };

	if (bpf_map_lookup_elem(&lock_waits, &key))
		return;
	describe(ctx, &w, task, lock, flags);
	if (bpf_map_update_elem(&lock_waits, &key, &w, BPF_NOEXIST))
		__sync_fetch_and_add(&lost.n_waits, 1);
}

SEC("tp_btf/contention_begin")
int BPF_PROG(lock_begin, void *lock, unsigned int flags)
{
	const u64 now_ns = bpf_ktime_get_ns();
	struct task_struct *task = bpf_get_current_task_btf();

	if (!*(volatile bool *)&on || !(types >> (flags & FLAG_BITS) & 1) || !is_wanted(task))
		return 0;
	if (flags & SPINS && !(flags & IS_MUTEX))
		begin_spinning(ctx, task, lock, flags, now_ns);
	else
		begin_sleeping(ctx, task, lock, flags, now_ns);
	return 0;
}

static __always_inline void count_step(u32 id, u64 ns)
{
	const struct lockrec_step key = { .id = id, .step = ns_hist_step(ns) };
	const u64 first = 1;
	u64 *n;

	if (!(parts & LOCKREC_TIMES))
		return;
	n = bpf_map_lookup_elem(&lock_steps, &key);
	if (!n) {
		if (!bpf_map_update_elem(&lock_steps, &key, &first, BPF_NOEXIST))
			return;
		n = bpf_map_lookup_elem(&lock_steps, &key);
	}
	if (n)
		__sync_fetch_and_add(n, 1);
	else
		__sync_fetch_and_add(&lost.n_steps, 1);
}

static __always_inline void add(const struct wait *w, u64 ns)
{
	struct lockrec_sum *s = bpf_map_lookup_elem(&lock_sums, &w->key);

	if (!s) {
		struct lockrec_sum first = { .n = 1, .total_ns = ns, .max_ns = ns, .min_ns = ns,
					     .known = w->known };

		__builtin_memcpy(first.comm, w->comm, sizeof(first.comm));
		if (parts & LOCKREC_TIMES)
			first.id = __sync_fetch_and_add(&n_ids, 1);
		if (!bpf_map_update_elem(&lock_sums, &w->key, &first, BPF_NOEXIST)) {
			count_step(first.id, ns);
			return;
		}
		s = bpf_map_lookup_elem(&lock_sums, &w->key);
	}
	if (!s) {
		__sync_fetch_and_add(&lost.n_sums, 1);
		__sync_fetch_and_add(&lost.sums_ns, ns);
		return;
	}
	__sync_fetch_and_add(&s->n, 1);
	__sync_fetch_and_add(&s->total_ns, ns);
	widen(&s->max_ns, &s->min_ns, ns);
	count_step(s->id, ns);
	if (parts & (LOCKREC_TASK | LOCKREC_OWNER) && w->comm[0])
		__builtin_memcpy(s->comm, w->comm, sizeof(s->comm));
}

static __always_inline u64 since(const struct wait *w, u64 now_ns)
{
	return now_ns > w->start_ns ? now_ns - w->start_ns : 0;
}

/* Those that began after it have ended unseen. */
static __always_inline bool end_spinning(u64 lock, u64 now_ns)
{
	const u32 zero = 0;
	struct spins *s = bpf_map_lookup_elem(&lock_spins, &zero);

	if (!s || !s->n)
		return false;
	for (int at = MAX_SPINS - 1; at >= 0; at--) {
		if (s->n <= at || s->w[at].lock != lock)
			continue;
		add(&s->w[at], since(&s->w[at], now_ns));
		s->w[at].lock = 0;
		*(volatile u32 *)&s->n = at;
		return true;
	}
	return false;
}

SEC("tp_btf/contention_end")
int BPF_PROG(lock_end, void *lock, int ret)
{
	const u64 now_ns = bpf_ktime_get_ns();
	struct wait_key key = { .lock = (u64)lock };
	const struct wait *w;

	if (end_spinning((u64)lock, now_ns))
		return 0;
	key.pid = bpf_get_current_pid_tgid();
	w = bpf_map_lookup_elem(&lock_waits, &key);
	if (!w)
		return 0;
	add(w, since(w, now_ns));
	bpf_map_delete_elem(&lock_waits, &key);
	return 0;
}

char _license[] SEC("license") = "GPL";
