// SPDX-License-Identifier: GPL-2.0-or-later
// Which memory user programs allocate and free: programs at the entry and the return of malloc and
// its like.
//
// Invariants:
// 1. A piece of s bytes is sampled with the probability p = min(1, s / period), each by itself, and
// stands for s / p bytes: so sums of these have the right mean, whatever the sizes are.
// 2. What is sampled is decided at the entry. Where the kernel can (session probes), a call that is
// not has no return probe at all.
// 3. A sampled piece is in heap_pieces from the return of its allocation to the entry of its free;
// heap_marks counts, by a hash, those that are there, so that nearly all other frees end at
// a look at that.
// 4. These programs can be preempted by others of them on the same CPU: what is of a CPU is locked,
// and who finds it locked does without.
// 5. Allocations leave the last quarter of the ring to frees: a lost allocation is only missing, a
// lost free would look like a leak.
// 6. Functions that call others of them (HEAP_NESTS) have an entry in heap_calls from entry to
// return: what the same thread calls deeper on its stack, or jumps to (realloc(NULL, n) to malloc),
// is theirs.
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <stdbool.h>

#include "util/wire/heaprec.h"
#include "util/wire/stackrec.h"

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;

#define CORE __attribute__((preserve_access_index))
#define HEAD_WORDS (sizeof(struct heap_rec) / sizeof(u64))
#define CHAIN_WORDS (HEAD_WORDS + HEAP_MAX_FRAMES)
#define MOST_CPUS 1024
#define MOST_BYTES (1ULL << 47)		/* more cannot be had */

#include "util/bpf/walk.inc"

struct mm_struct {
	unsigned long exec_vm;
} CORE;
struct task_struct {
	int tgid;
	u32 self_exec_id;
	struct mm_struct *mm;
} CORE;

/* A call whose return is waited for. */
struct call {
	u64 sp;			/* at its entry */
	u64 ret;		/* where it returns to */
	u64 bytes, weight;	/* weight 0: it is not sampled */
	u64 out;		/* where the address goes, 0: it is returned */
	struct heap_key old;	/* ptr not 0: what was sampled, and is taken away */
	struct heap_live piece;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1 << 20);
	__type(key, struct heap_key);
	__type(value, struct heap_live);
} heap_pieces SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8192);
	__type(key, u64);
	__type(value, struct call);
} heap_calls SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 32 << 20);
} heap_ring SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct heap_totals);
} heap_sums SEC(".maps");

const volatile u64 period = 1;
const volatile bool unwinds = false, copies = false;
const volatile u64 ring_half = 0, ring_most = 0;	/* most: of allocations */
/* of the recorder's pid namespace; 0: it is the first one */
const volatile u64 pid_ns_dev = 0, pid_ns = 0;

bool on = false;
struct heap_lost lost = {};
u32 heap_marks[HEAP_MARKS] = {};
u32 heap_busy[MOST_CPUS] = {};
u32 n_calls = 0;		/* in heap_calls, about */

/* ---- who ---- */

static __always_inline void set_task(struct heap_rec *r)
{
	const u64 id = bpf_get_current_pid_tgid();
	struct bpf_pidns_info ns = {};

	if (pid_ns && !bpf_get_ns_current_pid_tgid(pid_ns_dev, pid_ns, &ns, sizeof(ns))) {
		r->pid = ns.tgid;
		r->tid = ns.pid;
		return;
	}
	r->pid = id >> 32;
	r->tid = (u32)id;
}

/* ---- live pieces ---- */

static __always_inline u32 *mark_of(const struct heap_key *key)
{
	return &heap_marks[HEAP_MARK(key->ptr, key->tgid)];
}

static __always_inline bool put_piece(const struct heap_key *key, const struct heap_live *l)
{
	if (!bpf_map_update_elem(&heap_pieces, key, l, BPF_NOEXIST)) {
		__sync_fetch_and_add(mark_of(key), 1);
		return true;
	}
	/* its free was not seen */
	return !bpf_map_update_elem(&heap_pieces, key, l, BPF_EXIST);
}

/* false: it is not sampled. */
static __always_inline bool take_piece(const struct heap_key *key, struct heap_live *out)
{
	u32 *mark = mark_of(key);
	const struct heap_live *l;

	if (!*(volatile u32 *)mark)
		return false;
	l = bpf_map_lookup_elem(&heap_pieces, key);
	if (!l)
		return false;
	*out = *l;
	if (bpf_map_delete_elem(&heap_pieces, key))
		return false;		/* somebody else has taken it */
	__sync_fetch_and_add(mark, (u32)-1);
	return true;
}

/* ---- records ---- */

static __always_inline u64 wakeup(u64 waiting)
{
	return waiting > ring_half ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP;
}

static __always_inline void give_free(const struct heap_key *key, const struct heap_live *l, u64 ip)
{
	struct heap_rec r = { .what = HEAP_RECORD_FREE, .time_ns = bpf_ktime_get_ns(),
			      .ptr = key->ptr, .bytes = l->bytes, .weight = l->weight, .ip = ip };

	set_task(&r);
	if (bpf_ringbuf_output(&heap_ring, &r, sizeof(r),
			       wakeup(bpf_ringbuf_query(&heap_ring, BPF_RB_AVAIL_DATA))))
		__sync_fetch_and_add(&lost.n_frees, 1);
}

struct fp_walk { u64 bp, sp; u32 n, cpu; };	/* n: frames */

/* One caller by frame pointers; 1: that was the last. */
static long step_fp(u32 nr, struct fp_walk *w)
{
	u64 two[2];
	u32 cpu = w->cpu;
	struct frames *f = bpf_map_lookup_elem(&unwind_buffers, &cpu);
	u64 at = HEAD_WORDS + 1 + (u64)nr;	/* not n: the verifier would look at each of it */

	if (!f || w->bp < w->sp || w->bp & 7 ||
	    bpf_probe_read_user(two, sizeof(two), (void *)w->bp) || !two[1])
		return 1;
	asm volatile("" : "+r"(at));	/* the bound must be seen on what is used */
	if (at >= CHAIN_WORDS)
		return 1;
	f->words[at] = two[1] - 1;
	w->n = nr + 2;
	w->sp = w->bp + 16;
	w->bp = two[0];
	return 0;
}

struct stack { u64 ip, sp, bp; u32 reason, owner; u64 va; };

/* Frames go to the CPU's buffer, after a head; how many. 0: *s says why there are none. */
static __noinline u32 make_frames(struct stack *s, u32 cpu)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task_btf();
	struct walk w = {};
	u64 mm_at = 0, exec_pages = 0;
	struct mm_struct *mm;

	if (!s)
		return 0;
	w.cpu = cpu;
	w.at = HEAD_WORDS;
	w.ip = s->ip;
	w.sp = w.sp0 = s->sp;
	w.bp = s->bp;
	w.back = 1;
	if (!unwinds && copies)
		return 0;
	if (!unwinds) {
		struct fp_walk fp = { .bp = s->bp, .sp = s->sp, .n = 1, .cpu = cpu };
		struct frames *f = bpf_map_lookup_elem(&unwind_buffers, &cpu);

		if (!f)
			return 0;
		f->words[HEAD_WORDS] = s->ip - 1;
		bpf_loop(HEAP_MAX_FRAMES - 1, step_fp, &fp, 0);
		return fp.n;
	}
	/* as numbers: see stack.bpf.c */
	if (bpf_probe_read_kernel(&mm_at, sizeof(mm_at),
				  __builtin_preserve_access_index(&task->mm)) || !mm_at)
		return 0;
	mm = (void *)mm_at;
	bpf_probe_read_kernel(&exec_pages, sizeof(exec_pages),
			      __builtin_preserve_access_index(&mm->exec_vm));
	s->owner = find_owner(mm_at, exec_pages, task->tgid, task->self_exec_id);
	w.owner_key = STACK_KEY(s->owner, 0);
	w.reason = STACKREC_NEW_PROCESS;
	if (s->owner) {
		w.reason = STACKREC_MAX_FRAMES;
		bpf_loop(HEAP_MAX_FRAMES, step_any, &w, 0);
	}
	s->reason = w.reason;
	s->va = w.ip - w.back;
	return w.reason <= STACKREC_MAX_FRAMES ? w.n : 0;
}

/* With a copy of the stack, from which the recorder makes the frames. */
static __noinline bool give_stack(const struct heap_rec *head, const struct stack *s)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task_btf();
	struct heap_stack_rec *r;
	u64 mm_at = 0;
	struct mm_struct *mm;

	if (!head || !s)
		return false;
	r = bpf_ringbuf_reserve(&heap_ring, sizeof(*r), 0);
	if (!r)
		return false;
	r->head = *head;
	r->head.what = HEAP_RECORD_STACK;
	r->stack.id = 0;
	bpf_probe_read_kernel(&mm_at, sizeof(mm_at), __builtin_preserve_access_index(&task->mm));
	mm = (void *)mm_at;
	r->stack.mm = mm_at;
	r->stack.exec_pages = 0;
	bpf_probe_read_kernel(&r->stack.exec_pages, sizeof(r->stack.exec_pages),
			      __builtin_preserve_access_index(&mm->exec_vm));
	r->stack.va = s->va;
	r->stack.global_tgid = task->tgid;
	r->stack.exec_id = task->self_exec_id;
	r->stack.tgid = head->pid;
	r->stack.tid = head->tid;
	r->stack.reason = s->reason;
	r->stack.bp = s->bp;
	r->stack.sp = s->sp;
	r->stack.ip = s->ip - 1;	/* of the call */
	r->stack.stack_bytes = 0;
	for (u32 i = 0; i < OFFCPU_LESSON_BYTES; i += OFFCPU_LESSON_CHUNK) {
		if (bpf_probe_read_user(r->stack.stack + i, OFFCPU_LESSON_CHUNK,
					(void *)(s->sp + i)))
			break;
		r->stack.stack_bytes = i + OFFCPU_LESSON_CHUNK;
	}
	bpf_ringbuf_submit(r, wakeup(bpf_ringbuf_query(&heap_ring, BPF_RB_AVAIL_DATA)));
	return true;
}

static __noinline bool give_frames(struct heap_rec *head, u32 cpu, u32 n)
{
	struct frames *f = bpf_map_lookup_elem(&unwind_buffers, &cpu);
	u64 bytes = sizeof(*head) + (u64)n * sizeof(u64);

	if (!f || !head)
		return false;
	head->what = HEAP_RECORD_ALLOC;
	head->n_frames = n;
	__builtin_memcpy(f->words, head, sizeof(*head));
	asm volatile("" : "+r"(bytes));	/* the bound must be seen on what is used */
	if (bytes > sizeof(f->words))
		return false;
	return !bpf_ringbuf_output(&heap_ring, f->words, bytes,
				   wakeup(bpf_ringbuf_query(&heap_ring, BPF_RB_AVAIL_DATA)));
}

static __always_inline bool give_alloc(struct heap_rec *head, struct stack *s)
{
	const u32 cpu = bpf_get_smp_processor_id();
	u32 *busy = &heap_busy[cpu & (MOST_CPUS - 1)];
	bool given = false;
	u32 n;

	if (bpf_ringbuf_query(&heap_ring, BPF_RB_AVAIL_DATA) > ring_most)
		return false;
	s->reason = STACKREC_REFUSED;
	__sync_fetch_and_add(busy, 1);
	n = *(volatile u32 *)busy == 1 ? make_frames(s, cpu) : 0;
	if (n)
		given = give_frames(head, cpu, n);
	__sync_fetch_and_add(busy, (u32)-1);
	return n ? given : give_stack(head, s);
}

/* ---- calls ---- */

static __always_inline u64 return_of(struct pt_regs *ctx)
{
	u64 ret = 0;

#ifdef __TARGET_ARCH_x86
	bpf_probe_read_user(&ret, sizeof(ret), (void *)PT_REGS_SP(ctx));
#elif defined(__TARGET_ARCH_arm64)
	ret = PT_REGS_RET(ctx);
#endif
	return ret;
}

/* What the stack pointer was at the entry, at the return. */
static __always_inline u64 entry_sp(struct pt_regs *ctx)
{
#ifdef __TARGET_ARCH_x86
	return PT_REGS_SP(ctx) - 8;
#else
	return PT_REGS_SP(ctx);
#endif
}

static __always_inline bool is_sampled(u64 bytes)
{
	return bytes >= period || (u64)bpf_get_prandom_u32() * period < bytes << 32;
}

/* false: there is no room. */
static __always_inline bool put_call(u64 id, const struct call *c)
{
	if (!bpf_map_update_elem(&heap_calls, &id, c, BPF_NOEXIST)) {
		__sync_fetch_and_add(&n_calls, 1);
		return true;
	}
	/* one that has never returned: an exception has left it */
	if (!bpf_map_update_elem(&heap_calls, &id, c, BPF_EXIST))
		return true;
	__sync_fetch_and_add(&lost.n_pending, 1);
	return false;
}

/* It is part of another one of these functions. */
static __always_inline bool is_inner(u64 id, u64 sp)
{
	const struct call *c;

	if (!*(volatile u32 *)&n_calls)
		return false;
	c = bpf_map_lookup_elem(&heap_calls, &id);
	return c && sp <= c->sp;
}

static __always_inline bool size_of(struct pt_regs *ctx, u32 fn, u64 *bytes)
{
	u64 n;

	switch (fn) {
	case HEAP_ALLOC:
		*bytes = PT_REGS_PARM1(ctx);
		break;
	case HEAP_CALLOC:
		n = PT_REGS_PARM1(ctx);
		*bytes = PT_REGS_PARM2(ctx);
		if (n && *bytes > MOST_BYTES / n)
			return false;
		*bytes *= n;
		break;
	case HEAP_REALLOC:
	case HEAP_MEMALIGN:
		*bytes = PT_REGS_PARM2(ctx);
		break;
	case HEAP_POSIX_MEMALIGN:
		*bytes = PT_REGS_PARM3(ctx);
		break;
	default:
		return false;
	}
	return *bytes <= MOST_BYTES;
}

static __always_inline void add_totals(u64 bytes, bool alloc)
{
	const u32 zero = 0;
	struct heap_totals *t = bpf_map_lookup_elem(&heap_sums, &zero);

	if (!t)
		return;
	if (!alloc) {
		__sync_fetch_and_add(&t->n_frees, 1);
		return;
	}
	__sync_fetch_and_add(&t->n_allocs, 1);
	__sync_fetch_and_add(&t->bytes, bytes);
}

/* false: it is nothing, or part of another one. */
static __always_inline bool freed(struct pt_regs *ctx, u64 id)
{
	const struct heap_key key = { .ptr = PT_REGS_PARM1(ctx), .tgid = id >> 32 };
	struct heap_live l;

	if (!key.ptr || is_inner(id, PT_REGS_SP(ctx)))
		return false;
	add_totals(0, false);
	if (take_piece(&key, &l))
		give_free(&key, &l, return_of(ctx) - 1);
	return true;
}

/* true: the return is to be waited for. */
static __noinline bool enter(struct pt_regs *ctx)
{
	const u64 cookie = bpf_get_attach_cookie(ctx), id = bpf_get_current_pid_tgid();
	const u32 fn = cookie & HEAP_FUNCTION_MASK;
	struct call c = { .sp = PT_REGS_SP(ctx) };
	bool sampled;

	if (!*(volatile bool *)&on)
		return false;
	if (fn == HEAP_FREE)
		return freed(ctx, id) && cookie & HEAP_NESTS && put_call(id, &c);
	if (!size_of(ctx, fn, &c.bytes) || is_inner(id, c.sp))
		return false;
	if (fn == HEAP_REALLOC) {
		c.old.ptr = PT_REGS_PARM1(ctx);
		c.old.tgid = id >> 32;
		if (c.old.ptr) {
			add_totals(0, false);
			if (!take_piece(&c.old, &c.piece))
				c.old.ptr = 0;
		}
	}
	if (c.bytes || fn != HEAP_REALLOC)
		add_totals(c.bytes, true);
	/* one byte, so that it can be sampled, too */
	sampled = is_sampled(c.bytes ? c.bytes : 1);
	if (sampled)
		c.weight = c.bytes > period ? c.bytes : period;
	else if (!c.old.ptr && !(cookie & HEAP_NESTS))
		return false;
	if (fn == HEAP_POSIX_MEMALIGN)
		c.out = PT_REGS_PARM1(ctx);
	c.ret = return_of(ctx);
	return put_call(id, &c);
}

static __always_inline void allocated(struct pt_regs *ctx, const struct call *c, u64 id, u64 ptr)
{
	const struct heap_key key = { .ptr = ptr, .tgid = id >> 32 };
	const struct heap_live l = { .bytes = c->bytes, .weight = c->weight };
	struct heap_rec head = { .time_ns = bpf_ktime_get_ns(), .ptr = ptr, .bytes = c->bytes,
				 .weight = c->weight, .ip = c->ret - 1 };
	struct stack s = { .ip = c->ret, .sp = c->sp, .bp = PT_REGS_FP(ctx) };
	struct heap_live back;

#ifdef __TARGET_ARCH_x86
	s.sp += 8;
#endif
	if (!put_piece(&key, &l)) {
		__sync_fetch_and_add(&lost.n_full, 1);
		__sync_fetch_and_add(&lost.full_weight, l.weight);
		return;
	}
	set_task(&head);
	if (give_alloc(&head, &s))
		return;
	take_piece(&key, &back);
	__sync_fetch_and_add(&lost.n_allocs, 1);
	__sync_fetch_and_add(&lost.weight, l.weight);
}

static __noinline int leave(struct pt_regs *ctx)
{
	const u64 id = bpf_get_current_pid_tgid();
	const struct call *at = bpf_map_lookup_elem(&heap_calls, &id);
	struct call c;
	u64 ptr;

	if (!at || at->sp != entry_sp(ctx))
		return 0;
	c = *at;
	if (!bpf_map_delete_elem(&heap_calls, &id))
		__sync_fetch_and_add(&n_calls, (u32)-1);
	ptr = PT_REGS_RC(ctx);
	if (c.out && (ptr || bpf_probe_read_user(&ptr, sizeof(ptr), (void *)c.out)))
		ptr = 0;
	if (c.old.ptr && (ptr || !c.bytes))
		give_free(&c.old, &c.piece, c.ret - 1);
	else if (c.old.ptr)
		put_piece(&c.old, &c.piece);	/* nothing has happened */
	if (c.weight && ptr)
		allocated(ctx, &c, id, ptr);
	return 0;
}

/* Both in one: the return value of the entry says whether the return is of interest. */
SEC("uprobe")
int heap_session(struct pt_regs *ctx)
{
	if (bpf_get_func_ip(ctx) == PT_REGS_IP(ctx))
		return !enter(ctx);
	leave(ctx);
	return 0;
}

SEC("uprobe")
int heap_enter(struct pt_regs *ctx)
{
	enter(ctx);
	return 0;
}

SEC("uprobe")
int heap_leave(struct pt_regs *ctx)
{
	leave(ctx);
	return 0;
}

char _license[] SEC("license") = "GPL";
