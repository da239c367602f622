// SPDX-License-Identifier: GPL-2.0-or-later
// For how long threads are blocked, and from where in their user code.
//
// Invariants:
// 1. A thread is switched in by one CPU at a time, and nobody else touches its entry and its sums
// meanwhile, but a reader.
// 2. Sums only grow and are never taken away: a reader writes what came since it looked last.
// 3. A block that finds no room in the ring goes to the sums, and the other way round. What finds
// none anywhere is counted.
// 4. The recorder's clock stands still while recording is off, so what a block has of such a time
// does not count. Its members are written in an order in which each state is right (offcpu.c).
// 5. Kernels were seen that do not trace each switch (6.18, rarely). A thread that leaves although
// it has not come back did so unseen: its block ended before what it has run since then.
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <stdbool.h>

#include "util/wire/offcpurec.h"
#include "util/wire/stackrec.h"

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;

#define CORE __attribute__((preserve_access_index))
/* of the kernel's ABI with its tools: sched:sched_switch has had them for years */
#define TASK_BLOCKED 3		/* interruptible, uninterruptible */
#define TASK_DEAD 0x80
#define PF_KTHREAD 0x00200000
#define PF_EXITING 0x00000004

#define USER_CS 0x33		/* code of 64 bits */
#define CHAIN_WORDS OFFCPU_MAX_FRAMES

#include "util/bpf/walk.inc"

struct mm_struct {
	unsigned long exec_vm;
} CORE;
struct pid;
struct sched_entity {
	u64 sum_exec_runtime;
} CORE;
struct task_struct {
	int pid, tgid;
	struct pid *thread_pid;
	struct task_struct *group_leader;
	unsigned int flags;
	u32 self_exec_id;
	struct mm_struct *mm;
	struct sched_entity se;
} CORE;

#include "util/bpf/scope.inc"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 131072);
	__type(key, u32);
	__type(value, struct offcpu_task);
} offcpu_tasks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 65536);
	__type(key, struct offcpu_key);
	__type(value, struct offcpu_sum);
} offcpu_sums SEC(".maps");

struct {		/* of processes: the exec_id of the program that they executed last */
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 65536);
	__type(key, u32);
	__type(value, u32);
} offcpu_execs SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 8 << 20);
} offcpu_ring SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} offcpu_lessons SEC(".maps");

/* stacks are unwound by the tables of walk.inc */
const volatile bool unwinds = false;
const volatile bool everyone = false, by_uid = false;
const volatile u32 uid = 0;
const volatile u64 thresh_ns = 0, ring_half = 0;

bool on = false;
u64 shift_ns = 0, frozen_ns = 0;
u64 n_lost = 0, lost_ns = 0;
struct offcpu_task blank = {};

static __always_inline u64 clock_ns(u64 now_ns)
{
	return *(volatile bool *)&on ? now_ns - *(volatile u64 *)&shift_ns :
		*(volatile u64 *)&frozen_ns;
}

static __always_inline struct offcpu_task *add_task(u32 tid)
{
	bpf_map_update_elem(&offcpu_tasks, &tid, &blank, BPF_NOEXIST);
	return bpf_map_lookup_elem(&offcpu_tasks, &tid);
}

static __always_inline u64 hash_of(const struct offcpu_sum *s, u32 n)
{
	u64 h = n;

	for (u32 i = 0; i < OFFCPU_MAX_FRAMES; i++) {
		if (i >= n)
			break;
		h = (h ^ s->frames[i]) * 0x9e3779b97f4a7c15ULL;
		h ^= h >> 29;
	}
	return h;
}

static __always_inline bool give(struct offcpu_sum *s)
{
	u64 bytes = OFFCPU_HEAD_BYTES + (u64)s->n_frames * sizeof(u64);
	u64 flags = BPF_RB_NO_WAKEUP;

	asm volatile("" : "+r"(bytes));	/* the bound must be seen on what is used */
	if (bytes > sizeof(*s))
		return false;
	if (bpf_ringbuf_query(&offcpu_ring, BPF_RB_AVAIL_DATA) > ring_half)
		flags = BPF_RB_FORCE_WAKEUP;
	return !bpf_ringbuf_output(&offcpu_ring, s, bytes, flags);
}

static __always_inline bool add(const struct offcpu_sum *s)
{
	const struct offcpu_key key = { .hash = s->hash, .tgid = s->tgid, .tid = s->tid,
					.exec_id = s->exec_id };
	struct offcpu_sum *all = bpf_map_lookup_elem(&offcpu_sums, &key);

	if (!all)
		return !bpf_map_update_elem(&offcpu_sums, &key, s, BPF_NOEXIST);
	all->last_ns = s->last_ns;
	all->cpu = s->cpu;
	__sync_fetch_and_add(&all->n, 1);
	__sync_fetch_and_add(&all->ns, s->ns);
	return true;
}

/* The block is over, and was not counted yet. */
static __always_inline void is_over(struct offcpu_task *t, u64 end_ns, u64 now_ns)
{
	struct offcpu_sum *s = &t->sum;

	t->flags &= ~OFFCPU_AWAY;
	if (end_ns <= t->left_ns)
		return;
	s->ns = end_ns - t->left_ns;
	s->n = 1;
	s->last_ns = now_ns;
	s->cpu = bpf_get_smp_processor_id();
	if (s->ns >= thresh_ns ? give(s) || add(s) : add(s) || give(s))
		return;
	__sync_fetch_and_add(&n_lost, 1);
	__sync_fetch_and_add(&lost_ns, s->ns);
}

/* See invariant 5. */
static __always_inline void was_back(struct offcpu_task *t, const struct task_struct *task,
				     u64 now_ns)
{
	const u64 ran_ns = task->se.sum_exec_runtime - t->ran_ns, clock = clock_ns(now_ns);

	is_over(t, clock > ran_ns ? clock - ran_ns : 0, now_ns - ran_ns);
}

#ifdef __TARGET_ARCH_x86
/* Not more than so many of a thread: what cannot be learned would be taught for ever. */
static __noinline bool give_lesson(struct offcpu_task *t, const struct walk *w,
				   struct offcpu_lesson *about)
{
	struct offcpu_lesson *l;

	if (t->n_lessons >= OFFCPU_MOST_LESSONS)
		return false;
	l = bpf_ringbuf_reserve(&offcpu_lessons, sizeof(*l), 0);
	if (!l)
		return false;
	t->n_lessons++;
	__builtin_memcpy(l, about, __builtin_offsetof(struct offcpu_lesson, stack));
	l->va = w->ip - w->back;
	l->reason = w->reason;
	l->stack_bytes = 0;
	for (u32 i = 0; i < OFFCPU_LESSON_BYTES; i += OFFCPU_LESSON_CHUNK) {
		if (bpf_probe_read_user(l->stack + i, OFFCPU_LESSON_CHUNK, (void *)(l->sp + i)))
			break;
		l->stack_bytes = i + OFFCPU_LESSON_CHUNK;
	}
	bpf_ringbuf_submit(l, BPF_RB_NO_WAKEUP);
	return true;
}

/* false: there is no stack by rules, but *id may tell of a lesson. */
static __always_inline bool unwind(struct offcpu_task *t, struct task_struct *task, u64 *id)
{
	struct offcpu_lesson *about;
	struct mm_struct *mm;
	u64 mm_at, exec_pages, bytes;
	struct walk w = {};
	struct frames *f;
	struct pt_regs regs;
	u32 owner;

	w.cpu = bpf_get_smp_processor_id();
	f = bpf_map_lookup_elem(&unwind_buffers, &w.cpu);
	/* as numbers: see stack.bpf.c */
	if (!f || bpf_probe_read_kernel(&mm_at, sizeof(mm_at),
					__builtin_preserve_access_index(&task->mm)) || !mm_at)
		return false;
	mm = (void *)mm_at;
	if (bpf_probe_read_kernel(&exec_pages, sizeof(exec_pages),
				  __builtin_preserve_access_index(&mm->exec_vm)) ||
	    bpf_probe_read_kernel(&regs, sizeof(regs), (void *)bpf_task_pt_regs(task)) ||
	    regs.cs != USER_CS)
		return false;
	owner = find_owner(mm_at, exec_pages, task->tgid, task->self_exec_id);
	w.ip = regs.rip;
	w.sp = w.sp0 = regs.rsp;
	w.bp = regs.rbp;
	w.owner_key = STACK_KEY(owner, 0);
	w.reason = STACKREC_NEW_PROCESS;
	if (owner) {
		w.reason = STACKREC_MAX_FRAMES;
		bpf_loop(OFFCPU_MAX_FRAMES, step_any, &w, 0);
	}
	if (w.reason <= STACKREC_MAX_FRAMES) {
		bytes = (u64)w.n * sizeof(u64);
		asm volatile("" : "+r"(bytes));	/* the bound must be seen on what is used */
		if (bytes > sizeof(t->sum.frames))
			return false;
		t->sum.n_frames = w.n;
		return !bpf_probe_read_kernel(t->sum.frames, bytes, f->words);
	}
	if (w.reason != STACKREC_NEW_PROCESS && w.reason != STACKREC_NEW_CODE)
		return false;
	about = (void *)f->words;
	about->id = bpf_ktime_get_ns() | 1ULL << 63;
	about->mm = mm_at;
	about->exec_pages = exec_pages;
	about->global_tgid = task->tgid;
	about->exec_id = task->self_exec_id;
	about->tgid = tgid_of(task);
	about->tid = tid_of(task);
	about->bp = regs.rbp;
	about->sp = regs.rsp;
	about->ip = regs.rip;
	if (give_lesson(t, &w, about))
		*id = about->id;
	return false;
}
#else
static __always_inline bool unwind(struct offcpu_task *t, struct task_struct *task, u64 *id)
{
	return false;
}
#endif

static __always_inline void leaves(void *ctx, struct offcpu_task *t, struct task_struct *task,
				   u64 now_ns)
{
	const u32 tid = tid_of(task);
	u64 lesson = 0;
	long bytes;
	u32 n;

	if (task->flags & PF_KTHREAD || !tid || !is_cpu_wanted() || !is_cgroup_wanted())
		return;
	if (pid_ns && task->flags & PF_EXITING)	/* it has no number at its end */
		return;
	if (by_uid && (u32)bpf_get_current_uid_gid() != uid)
		return;
	if (!t) {
		if (!everyone)
			return;
		t = add_task(tid);
		if (!t) {
			__sync_fetch_and_add(&n_lost, 1);
			return;
		}
	}
	if (t->flags & OFFCPU_FROM_EXEC)
		return;
	if (!unwinds || !unwind(t, task, &lesson)) {
		bytes = bpf_get_stack(ctx, t->sum.frames, sizeof(t->sum.frames), BPF_F_USER_STACK);
		n = bytes > 0 ? (u32)bytes / sizeof(u64) : 0;
		t->sum.n_frames = n > OFFCPU_MAX_FRAMES ? OFFCPU_MAX_FRAMES : n;
	}
	t->sum.hash = lesson ? lesson : hash_of(&t->sum, t->sum.n_frames);
	t->sum.tgid = tgid_of(task);
	t->sum.tid = tid;
	t->sum.exec_id = task->self_exec_id;
	t->left_ns = clock_ns(now_ns);
	t->ran_ns = task->se.sum_exec_runtime;
	t->flags |= OFFCPU_AWAY;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(offcpu_switch, bool preempt, struct task_struct *prev, struct task_struct *next,
	     unsigned int prev_state)
{
	const u64 now_ns = bpf_ktime_get_ns();
	u32 tid = tid_of(prev);
	struct offcpu_task *t = bpf_map_lookup_elem(&offcpu_tasks, &tid);

	if (t && t->flags & OFFCPU_AWAY)
		was_back(t, prev, now_ns);
	if (prev_state & TASK_DEAD)
		bpf_map_delete_elem(&offcpu_tasks, &tid);
	else if (!preempt && prev_state & TASK_BLOCKED)
		leaves(ctx, t, prev, now_ns);
	tid = tid_of(next);
	t = bpf_map_lookup_elem(&offcpu_tasks, &tid);
	if (t && t->flags & OFFCPU_AWAY)
		is_over(t, clock_ns(now_ns), now_ns);
	return 0;
}

SEC("tp_btf/task_newtask")
int BPF_PROG(offcpu_child, struct task_struct *task, u64 clone_flags)
{
	const u32 parent = tid_of((struct task_struct *)bpf_get_current_task_btf()),
		tid = tid_of(task);
	const struct offcpu_task *t = bpf_map_lookup_elem(&offcpu_tasks, &parent);

	if (t && !(t->flags & OFFCPU_FROM_EXEC) && !add_task(tid))
		__sync_fetch_and_add(&n_lost, 1);
	return 0;
}

/* A thread that was not the first one of its process gets that one's number. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(offcpu_exec, struct task_struct *task, int old_pid)
{
	const u32 tid = tid_of(task), old = pid_ns ? tid : (u32)old_pid,
		exec_id = task->self_exec_id;
	struct offcpu_task *t = bpf_map_lookup_elem(&offcpu_tasks, &old);

	if (!t)
		return 0;
	bpf_map_update_elem(&offcpu_execs, &tid, &exec_id, BPF_ANY);
	t->flags &= ~OFFCPU_FROM_EXEC;
	if (old == tid)
		return 0;
	if (!add_task(tid))
		__sync_fetch_and_add(&n_lost, 1);
	bpf_map_delete_elem(&offcpu_tasks, &old);
	return 0;
}

/* Where pid_ns is set: when it leaves the CPU for the last time it may have no number any more. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(offcpu_exit, struct task_struct *task)
{
	const u32 tid = tid_of(task);

	bpf_map_delete_elem(&offcpu_tasks, &tid);
	return 0;
}

char _license[] SEC("license") = "GPL";
