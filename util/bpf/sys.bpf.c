// SPDX-License-Identifier: GPL-2.0-or-later
// System calls, paired in the kernel: one record per call in a ring that wakes its reader only
// when it fills up.
//
// Invariants:
// 1. A thread is in at most one call; its state lives in its task storage, so pairing needs no
// search and no number of
//     the call at its end (rt_sigreturn and execve change that).
//  2. The first end that a new thread sees belongs to its parent's clone and is not reported.
//  3. A record of a key's name is in the ring before the first record with that key.
//  4. What does not fit into the ring is counted: in "lost", and in the thread's next record.
#include "util/bpf/kernel.inc"
#include "util/wire/sysrec.h"

/* sysraw.bpf.c is the same without type information (NO_BTF): where things lie in the kernel is
 * then known of the registers only, which are part of the kernel's ABI. */
#ifdef NO_BTF
#define ON(tracepoint) SEC("raw_tp/" tracepoint)
#else
#define ON(tracepoint) SEC("tp_btf/" tracepoint)
#endif

#define DATA_MAX 4095		/* a chunk begins at most here */
#define PIECE_MAX 2048
#define NAME_MAX_BYTES 4095
#define MAX_PARTS 64
#define SMALL 16		/* bytes, up to which memory is read by way of the stack */

enum { T_IGNORE = 1, T_NEWBORN = 2, T_HELD = 4 };
enum { OUT_OF_CALL, IN_CALL, IN_UNWANTED, IN_UNWANTED_FDS };
enum { TARGET_TID = 1, TARGET_TGID = 2, TARGET_HELD = 4 };

struct thread {
	u32 flags, where;
	u32 entered;		/* SYSREC_ENTER of the present call is out */
	u32 retry;		/* ops whose memory was not resident when it was looked at last */
	u32 lost;
	u32 compat;
	u64 refused_ip;
	u64 ids;		/* as current_ids() says, or 0: ask; only execve changes it */
	struct {		/* descriptors seen last, so that a loop of reads costs little */
		u64 file, key, gen;
		u32 fd, pad;
	} fds[4];
	u32 part_off;		/* between the rounds of a loop: where the next string goes, */
	u64 part_left;		/* and bytes that iovecs may still have */
	struct sysrec rec;
	u8 data[DATA_MAX + 1 + PIECE_MAX + 32];
};

#ifndef NO_BTF
struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct thread);
} threads SEC(".maps");
#else
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 65536);
	__type(key, u32);
	__type(value, struct thread);
} threads SEC(".maps");
struct {		/* the registers of the call that begins or ends */
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct pt_regs);
} reg_copies SEC(".maps");
struct {		/* what a new one begins as */
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct thread);
} blank SEC(".maps");
#endif

struct segment {
	u8 bytes[SYSRING_STRIDE];
};
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct segment);
} ring SEC(".maps");

struct {		/* wakes the reader: what is in it means nothing */
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} bell SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 65536);
	__type(key, u32);
	__type(value, u8);
} targets SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 4096);
	__type(key, u32);
	__type(value, u8);
} excluded SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 16384);
	__type(key, u64);
	__type(value, u8);
} named SEC(".maps");

struct place {
	struct vfsmount *mnt;
	struct dentry *dentry;
};
struct name_buf {
	struct sysname head;
	char text[NAME_MAX_BYTES + 1 + 256];
	struct place root, at;
};
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct name_buf);
} name_bufs SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1);
	__type(key, struct syssum_key);
	__type(value, struct syssum);
} sums SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1);
	__type(key, struct syssum_errno_key);
	__type(value, u64);
} sum_errnos SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct syssum_task);
} sum_tasks SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 1);
	__uint(key_size, 4);
	__uint(value_size, 127 * 8);
} stacks SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, 4);
	__uint(value_size, 4);
} cgroups SEC(".maps");

const volatile u32 self_tgid = 0;
const volatile bool all_tasks = false;
const volatile bool inherit = true;
/* whoever may change a watched thread's descriptors is watched */
const volatile bool fds_are_ours = false;
const volatile bool any_excluded = false;
const volatile bool by_uid = false;
const volatile u32 uid = 0;
const volatile bool by_cpu = false;
const volatile u64 cpus[16] = {};
const volatile bool by_cgroup = false;
const volatile bool ring_on = true;	/* records */
const volatile bool sum_on = false;	/* sums */
const volatile bool sum_errno_on = false;
const volatile bool sum_cgroup = false;
const volatile bool entered_on = true;	/* SYSREC_ENTER of calls that sleep */
const volatile u64 min_ns = 0;		/* shorter calls are left out */
const volatile bool only_failed = false;
const volatile u64 mark_bytes = 4 << 20;	/* so full a ring wakes its reader */
const volatile u64 ring_bytes = 1 << 20;
/* bytes that all processors may take at once after each has seen that there is room */
const volatile u64 ring_margin = 0;
const volatile u64 ring_secret = 0;
const volatile bool lifecycle_on = false;	/* SYSREC_SIGNAL, SYSREC_EXIT */
const volatile bool kernel_stacks = false, user_stacks = false;
const volatile u64 pidns_dev = 0, pidns_ino = 0;	/* 0: the first pid namespace */
const volatile u32 max_piece = 4096;
/* only the calls in passing[], by number, go further than their first instructions */
const volatile bool few_calls = false;
const volatile u64 passing[SYSPLAN_NRS / 64] = {};

/* by enum sysop: the verifier need not look at the others */
const volatile u32 ops_used = 0;

/* Of what tracepoints have; only without type information: child_pid of sched_process_fork,
 * filename and old_pid of _exec. */
const volatile u32 child_off = 0, exec_name_off = 0, exec_old_off = 0;

struct sysplan plans[2 * SYSPLAN_NRS] = {};
u64 lost = 0, sum_lost = 0;
/* changes with every call after which a descriptor may stand for something else */
u64 fd_gen = 1;
u32 woken = 0, paused = 0;
struct sysring_pos ring_head = {}, ring_tail = {};	/* moved by the programs, by the reader */

/* tgid and tid as the tool's pid namespace has them, or 0. */
__noinline u64 current_ids(void)
{
	struct bpf_pidns_info ns = {};

	if (!pidns_ino)
		return bpf_get_current_pid_tgid();
	if (bpf_get_ns_current_pid_tgid(pidns_dev, pidns_ino, &ns, sizeof(ns)))
		return 0;
	return (u64)ns.tgid << 32 | ns.pid;
}

/* A ring of our own: the kernel's takes a lock and five function calls for each record, which
 * costs as much as the rest of what is done at the end of a call. clang for older kernels has no
 * instruction that adds and tells what was there before. */
static __always_inline u64 fetch_add(u64 *to, u64 n)
{
	register u64 value asm("r3") = n;
	register u64 *at asm("r4") = to;

	asm volatile(".byte 0xdb, 0x34, 0, 0, 0x01, 0, 0, 0" : "+r"(value) : "r"(at) : "memory");
	return value;
}

/* After all that was written before. */
static __always_inline void publish(u64 *to, u64 word)
{
#if defined(__TARGET_ARCH_x86)
	asm volatile("" ::: "memory");
	*(volatile u64 *)to = word;
#else
	register u64 value asm("r3") = word;
	register u64 *at asm("r4") = to;

	/* exchange */
	asm volatile(".byte 0xdb, 0x34, 0, 0, 0xe1, 0, 0, 0" : "+r"(value) : "r"(at) : "memory");
#endif
}

static __always_inline void ring_bell(void)
{
	woken = 1;
	bpf_ringbuf_output(&bell, (void *)&ring_tail, 8, BPF_RB_FORCE_WAKEUP);
}

/* Room for a record of so many bytes, a multiple of 8, with its word: it must be published.
 * NULL: there is none. */
static __always_inline u64 *ring_take(u64 bytes, u64 *word)
{
	u64 tail = *(volatile u64 *)&ring_tail.pos, used = *(volatile u64 *)&ring_head.pos - tail,
		pos;
	struct segment *s;
	u32 i;

	if ((s64)used < 0)	/* on some processors the second one may be the older one */
		used = 0;
	if (used + bytes + ring_margin > ring_bytes) {
		__sync_fetch_and_add(&lost, 1);
		return 0;
	}
	pos = fetch_add(&ring_head.pos, bytes);
	*word = SYSRING_WORD(pos, ring_secret) | bytes >> 3;
	i = pos / SYSRING_SEG_BYTES & (ring_bytes / SYSRING_SEG_BYTES - 1);
	s = bpf_map_lookup_elem(&ring, &i);
	if (!s)
		return 0;	/* never */
	if (used >= mark_bytes && !woken)
		ring_bell();
	pos &= SYSRING_SEG_BYTES - 8;
	asm volatile("" : "+r"(pos));	/* the bound must be seen on what is added */
	return (u64 *)&s->bytes[pos & (SYSRING_SEG_BYTES - 8)];
}

static __always_inline long ring_put(void *p, u64 bytes)
{
	u64 word, *to = ring_take((bytes + 15) & ~7ULL, &word);

	if (!to)
		return -1;
	bpf_probe_read_kernel(to + 1, bytes, p);
	publish(to, word);
	return 0;
}

/* A record with up to so many bytes of chunks: written where it stays. */
static __always_inline long put_short(struct thread *t, const u32 data_bytes)
{
	const u64 *rec = (const u64 *)&t->rec, *data = (const u64 *)t->data;
	u64 word, *to = ring_take(8 + sizeof(t->rec) + data_bytes, &word);

	if (!to)
		return -1;
	to++;
	asm volatile("" ::: "memory");	/* it was written as what it is, and is read as words */
	for (u32 i = 0; i < sizeof(t->rec) / 8; i++)
		to[i] = rec[i];
	to += sizeof(t->rec) / 8;
	for (u32 i = 0; i < data_bytes / 8; i++)
		to[i] = data[i];
	publish(to - sizeof(t->rec) / 8 - 1, word);
	return 0;
}

__noinline int put_long(struct thread *t)
{
	u64 bytes;

	if (!t)
		return 0;
	bytes = t->rec.len;
	if (bytes > DATA_MAX + PIECE_MAX)
		bytes = 0;
	return ring_put(&t->rec, sizeof(t->rec) + bytes);
}

static __always_inline void put_thread(struct thread *t, u32 type, u32 flags)
{
	long ret;

	t->rec.type = type;
	t->rec.flags = flags | (t->compat ? SYSREC_F_COMPAT : 0);
	t->rec.lost_before = t->lost;
	if (t->rec.len <= 24)
		ret = put_short(t, 24);
	else
		ret = put_long(t);
	if (ret)
		t->lost++;
	else
		t->lost = 0;
}

/* A record that is not the end of a call. */
__noinline int put_apart(struct thread *t, u32 flags)
{
	if (t)
		put_thread(t, SYSREC_ENTER, flags);
	return 0;
}

/* Chunks stand at any address. Where clang sees that the pointer is one into an array of bytes,
 * it stores each byte for itself: it is shown a pointer that may be anything. */
#define PUT(type, at, value) ({ void *at_ = (at); *(type *)at_ = (value); })

#ifndef NO_BTF
#include "util/bpf/names.inc"
#else
/* Where files lie in the kernel is not known. */
static __always_inline int add_fd(struct thread *t, u32 fd, u32 arg)
{
	return 0;
}

static __always_inline bool known_fd(struct thread *t, u32 fd, u32 arg)
{
	return true;
}
#endif

#include "util/bpf/args.inc"

static __always_inline u64 plan_word(struct sysplan *p, u32 i)
{
	u64 w;

	__builtin_memcpy(&w, &p->ops[i & (SYSPLAN_OPS - 1)], sizeof(w));
	return w;
}

static __always_inline struct sysplan *plan_of(u32 nr, u32 compat)
{
	u64 i;

	if (nr >= SYSPLAN_NRS)
		nr = SYSPLAN_NRS - 1;
	i = (compat ? SYSPLAN_NRS : 0) + nr;
	asm volatile("" : "+r"(i));	/* the bound must be seen on what is added */
	return &plans[i & (2 * SYSPLAN_NRS - 1)];
}

/* ---- threads ---- */

/* A number that is in no list of calls: with a short list this is what almost every call comes
 * to, so nothing but the number is looked at. (Both ABIs share the bits: what one of them wants
 * passes for the other, too.) */
static __always_inline bool passed_by(u32 nr)
{
	u64 word = nr >> 6;

	if (!few_calls || nr >= SYSPLAN_NRS)
		return false;
	asm volatile("" : "+r"(word));	/* the bound must be seen on what is added */
	return !(passing[word & (SYSPLAN_NRS / 64 - 1)] >> (nr & 63) & 1);
}

/* Who runs, and the state of a thread. Without type information tasks are known by their number. */
#ifndef NO_BTF
typedef struct task_struct *task_key;

static __always_inline task_key me(void)
{
	return bpf_get_current_task_btf();
}

static __always_inline struct thread *find_thread(task_key w)
{
	return bpf_task_storage_get(&threads, w, 0, 0);
}

static __always_inline struct thread *make_thread(task_key w)
{
	return bpf_task_storage_get(&threads, w, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
}

#define REGS(regs) (regs)
#else
typedef u32 task_key;

static __always_inline task_key me(void)
{
	return bpf_get_current_pid_tgid();
}

static __always_inline struct thread *find_thread(task_key w)
{
	return bpf_map_lookup_elem(&threads, &w);
}

static __always_inline struct thread *make_thread(task_key w)
{
	u32 zero = 0;
	void *empty = bpf_map_lookup_elem(&blank, &zero);

	if (!empty || bpf_map_update_elem(&threads, &w, empty, BPF_ANY))
		return 0;
	return bpf_map_lookup_elem(&threads, &w);
}

/* Not on the stack: before Linux 6.13 all functions that call each other share 512 bytes. */
static __always_inline struct pt_regs *copy_regs(struct pt_regs *regs)
{
	u32 zero = 0;
	struct pt_regs *copy = bpf_map_lookup_elem(&reg_copies, &zero);

	if (copy)
		bpf_probe_read_kernel(copy, sizeof(*copy), regs);
	return copy;
}

#define REGS(regs) copy_regs(regs)
#endif

static __always_inline u64 thread_ids(struct thread *t)
{
	if (!t->ids)
		t->ids = current_ids();
	return t->ids;
}

static __always_inline void set_comm(struct thread *t)
{
	bpf_get_current_comm(t->rec.comm, sizeof(t->rec.comm));
}

/* A thread that has no state yet: is it one of ours? */
static struct thread *first_sight(task_key task, u64 ids)
{
	u32 tid = ids, tgid = ids >> 32, flags = 0;
	struct thread *t;
	u8 *how;

	if (!ids)
		return 0;
	if ((all_tasks && tgid == self_tgid) ||
	    (any_excluded && (bpf_map_lookup_elem(&excluded, &tgid) ||
			      bpf_map_lookup_elem(&excluded, &tid)))) {
		flags = T_IGNORE;
	} else if (!all_tasks) {
		how = bpf_map_lookup_elem(&targets, &tgid);
		if (!how || !(*how & TARGET_TGID)) {
			how = bpf_map_lookup_elem(&targets, &tid);
			if (!how || !(*how & TARGET_TID))
				return 0;
		}
		if (*how & TARGET_HELD)
			flags = T_HELD;
	}
	t = make_thread(task);
	if (!t) {
		__sync_fetch_and_add(&lost, 1);
		return 0;
	}
	t->flags = flags;
	set_comm(t);
	return t;
}

static __always_inline u32 is_compat(task_key task, struct pt_regs *regs)
{
#if defined(NO_BTF) && defined(__TARGET_ARCH_x86)
	return regs->cs == 0x23;	/* a program of 32 bits */
#elif defined(NO_BTF)
	return regs->pstate >> 4 & 1;
#elif defined(__TARGET_ARCH_x86)
	return task->thread_info.status & 2;	/* TS_COMPAT */
#else
	return task->thread_info.flags >> 22 & 1;	/* TIF_32BIT */
#endif
}

static __always_inline void take_args(struct thread *t, struct pt_regs *regs)
{
#if defined(__TARGET_ARCH_x86)
	if (t->compat) {
		t->rec.args[0] = (u32)regs->bx;
		t->rec.args[1] = (u32)regs->cx;
		t->rec.args[2] = (u32)regs->dx;
		t->rec.args[3] = (u32)regs->si;
		t->rec.args[4] = (u32)regs->di;
		t->rec.args[5] = (u32)regs->bp;
		return;
	}
	t->rec.args[0] = regs->di;
	t->rec.args[1] = regs->si;
	t->rec.args[2] = regs->dx;
	t->rec.args[3] = regs->r10;
	t->rec.args[4] = regs->r8;
	t->rec.args[5] = regs->r9;
#else
	t->rec.args[0] = regs->orig_x0;
	t->rec.args[1] = regs->regs[1];
	t->rec.args[2] = regs->regs[2];
	t->rec.args[3] = regs->regs[3];
	t->rec.args[4] = regs->regs[4];
	t->rec.args[5] = regs->regs[5];
#endif
}

static __always_inline u32 regs_nr(struct pt_regs *regs)
{
#if defined(__TARGET_ARCH_x86)
	return regs->orig_ax;
#else
	return regs->syscallno;
#endif
}

static __always_inline u64 regs_ip(struct pt_regs *regs)
{
#if defined(__TARGET_ARCH_x86)
	return regs->ip;
#else
	return regs->pc;
#endif
}

/* Filters that may change from call to call. */
static __always_inline bool wanted_now(void)
{
	u32 cpu = bpf_get_smp_processor_id();

	if (paused)
		return false;
	if (by_cpu && !(cpus[cpu >> 6 & 15] >> (cpu & 63) & 1))
		return false;
	if (by_uid && (u32)bpf_get_current_uid_gid() != uid)
		return false;
	if (by_cgroup && bpf_current_task_under_cgroup(&cgroups, 0) != 1)
		return false;
	return true;
}

static __always_inline void begin(struct thread *t, u64 ids, u32 nr, u64 now)
{
	t->rec.nr = nr;
	t->rec.tid = ids;
	t->rec.tgid = ids >> 32;
	t->rec.enter_ns = now;
	t->rec.exit_ns = 0;
	t->rec.ret = 0;
	t->rec.len = 0;
	t->rec.cpu = bpf_get_smp_processor_id();
	t->rec.ustack = t->rec.kstack = -1;
	t->entered = 0;
	t->retry = 0;
}

/* A function of its own, so that the verifier goes through the loop once. Memory that a page
 * fault has yet to bring is looked at again at the end of the call, */
__noinline int copy_some(struct thread *t, struct sysplan *plan, u32 todo)
{
	if (!t || !plan)
		return 0;
	t->retry = 0;
	for (u32 i = 0; i < SYSPLAN_OPS && todo >> i; i++) {
		u64 word = plan_word(plan, i);

		if (todo >> i & 1 && run_op(t, word) && !(word >> 24 & SYSOP_F_CHANGED))
			t->retry |= 1 << i;
	}
	return 0;
}

/* and strings and bytes when the thread sleeps, perhaps for something else. (The rest would take
 * the verifier 40 ms once more.) */
__noinline int late_one(struct thread *t, u64 word)
{
	struct sysplan_op op;

	if (!t)
		return 0;
	__builtin_memcpy(&op, &word, sizeof(op));
	return 1 << (op.op & 31) & PLAIN_OPS ? run_plain(t, &op) : -1;
}

__noinline int copy_late(struct thread *t, struct sysplan *plan)
{
	if (!t || !plan)
		return 0;
	for (u32 i = 0; i < SYSPLAN_OPS && t->retry >> i; i++)
		if (t->retry >> i & 1 && !late_one(t, plan_word(plan, i)))
			t->retry &= ~(1 << i);
	return 0;
}

static __always_inline u32 ops_in(const struct sysplan *plan)
{
	return (1 << (plan->n_in & 15)) - 1;
}

static __always_inline u32 ops_out(const struct sysplan *plan)
{
	return ((1 << (plan->n_out & 15)) - 1) << (plan->n_in & 15);
}

/* Each function returns by a thunk on some processors, which costs as much as what is done here:
 * the plans of read and write (a descriptor that is known, a buffer) come to their end without
 * further calls. */
static __always_inline void begin_copy(struct thread *t, struct sysplan *plan)
{
	const struct sysplan_op *op = plan->ops;

	if (op->op == SYSOP_FD && (plan->n_in == 1 || (plan->n_in == 2 && is_buf(op + 1))) &&
	    known_fd(t, arg_of(t, op->arg), op->arg)) {
		if (plan->n_in == 2 && add_buf(t, op + 1))
			t->retry = 2;
		return;
	}
	copy_some(t, plan, ops_in(plan));
}

static __always_inline void end_copy(struct thread *t, struct sysplan *plan)
{
	const struct sysplan_op *op = &plan->ops[plan->n_in & (SYSPLAN_OPS - 1)];

	if (!t->retry && (!plan->n_out || t->rec.ret < 0))
		return;
	if (!t->retry && plan->n_out == 1 && is_buf(op))
		add_buf(t, op);
	else
		copy_some(t, plan, t->retry | (t->rec.ret >= 0 ? ops_out(plan) : 0));
}

/* What a thread's state is reported at its next call: it may be the first one, or that of a new
 * thread. NULL: not one of ours. */
static __noinline struct thread *odd_begin(task_key task, struct thread *t)
{
	if (!t)
		t = first_sight(task, current_ids());
	if (!t || t->flags & T_IGNORE)
		return 0;
	t->flags &= ~T_NEWBORN;
	return t;
}

/* What follows is in the way of every call. It is short of words on the stack, too: with 64
 * bytes of it the kernel would give it another one, and check each copy from user memory to there
 * for much longer than it takes. */
ON("sys_enter")
int BPF_PROG(sys_enter, struct pt_regs *regs_at, long id)
{
	struct pt_regs *regs = 0;
	task_key task;
	struct sysplan *plan;
	struct thread *t;

	if (passed_by(id))
		return 0;
	task = me();
	t = find_thread(task);
	if (!t || t->flags) {
		t = odd_begin(task, t);
		if (!t)
			return 0;
	}
	regs = REGS(regs_at);
	if (!regs)
		return 0;
	t->compat = is_compat(task, regs);
	plan = plan_of(id, t->compat);
	if (plan->flags & SYSPLAN_FDS)
		__sync_fetch_and_add(&fd_gen, 1);
	if (t->flags & T_HELD ? !(plan->flags & SYSPLAN_EXEC) : !(plan->flags & SYSPLAN_WANTED) ||
	    !wanted_now()) {
		t->where = plan->flags & SYSPLAN_FDS ? IN_UNWANTED_FDS : IN_UNWANTED;
		return 0;
	}
	begin(t, thread_ids(t), id, bpf_ktime_get_ns());
	if (ring_on)
		take_args(t, regs);
	if (ring_on && plan->n_in)
		begin_copy(t, plan);
	if (user_stacks)
		t->rec.ustack = bpf_get_stackid(ctx, &stacks, BPF_F_USER_STACK);
	t->where = IN_CALL;
	if (plan->flags & SYSPLAN_NO_RETURN && !(t->flags & T_HELD)) {
		t->where = IN_UNWANTED;
		if (ring_on && !only_failed && !min_ns)
			put_apart(t, SYSREC_F_NO_RETURN);
	}
	return 0;
}

static __always_inline void add_square(struct syssum *s, u64 ns)
{
	u64 hi = ns >> 32, lo = ns & 0xffffffff, mid = hi * lo * 2, add;

	s->sq_hi += hi * hi + (mid >> 32);
	add = lo * lo;
	s->sq_lo += add;
	if (s->sq_lo < add)
		s->sq_hi++;
	add = mid << 32;
	s->sq_lo += add;
	if (s->sq_lo < add)
		s->sq_hi++;
}

static __always_inline void note_task(struct thread *t)
{
	struct syssum_task v = {};
	u32 tid = t->rec.exit_tid;

	__builtin_memcpy(v.comm, t->rec.comm, sizeof(v.comm));
	v.tgid = t->rec.tgid;
	bpf_map_update_elem(&sum_tasks, &tid, &v, BPF_ANY);
}

/* Only the thread itself writes its sums. */
static __noinline void add_sum(struct thread *t)
{
	struct syssum_key k = { .tid = t->rec.exit_tid, .nr = t->rec.nr, .compat = t->compat ? 1 :
				0 };
	u64 ns = t->rec.enter_ns ? t->rec.exit_ns - t->rec.enter_ns : 0;
	struct syssum *s, zero = {};

	if (sum_cgroup)
		k.cgroup = bpf_get_current_cgroup_id();
	s = bpf_map_lookup_elem(&sums, &k);
	if (!s) {
		note_task(t);
		zero.min_ns = ~0ULL;
		bpf_map_update_elem(&sums, &k, &zero, BPF_NOEXIST);
		s = bpf_map_lookup_elem(&sums, &k);
		if (!s) {
			__sync_fetch_and_add(&sum_lost, 1);
			return;
		}
	}
	s->count++;
	s->total_ns += ns;
	if (ns < s->min_ns)
		s->min_ns = ns;
	if (ns > s->max_ns)
		s->max_ns = ns;
	add_square(s, ns);
	if (t->rec.ret >= 0 || t->rec.ret < -4095)
		return;
	s->errors++;
	if (sum_errno_on) {
		struct syssum_errno_key ek = { .tid = k.tid, .nr = k.nr, .compat = k.compat,
					       .code = -t->rec.ret, .cgroup = k.cgroup };
		u64 one = 1, *n = bpf_map_lookup_elem(&sum_errnos, &ek);

		if (n)
			++*n;
		else
			bpf_map_update_elem(&sum_errnos, &ek, &one, BPF_ANY);
	}
}

static __always_inline bool report(struct thread *t)
{
	if (only_failed && (t->rec.ret >= 0 || t->rec.ret < -4095))
		return false;
	if (min_ns && (!t->rec.enter_ns || t->rec.exit_ns - t->rec.enter_ns < min_ns))
		return false;
	return true;
}

/* An end without a beginning: tracing began inside the call, or seccomp refused it. */
static __always_inline struct thread *unseen(struct thread *t, struct pt_regs *regs, task_key task,
					     bool fresh)
{
	u32 nr = regs_nr(regs);
	struct sysplan *plan;

	t->compat = is_compat(task, regs);
	plan = plan_of(nr, t->compat);
	if (t->flags & T_HELD || (int)nr < 0 || !(plan->flags & SYSPLAN_WANTED) || !wanted_now())
		return 0;
	if (plan->flags & SYSPLAN_EXEC)
		t->ids = 0;
	begin(t, thread_ids(t), nr, 0);
	take_args(t, regs);
	t->refused_ip = regs_ip(regs);
	t->rec.flags = SYSREC_F_NO_ENTER;
	if (!fresh) {
		t->rec.flags = SYSREC_F_NO_ENTER | SYSREC_F_REFUSED;
		t->retry = ops_in(plan);	/* its memory was not looked at yet */
	}
	return t;
}

/* An end that does not follow a beginning which was seen and wanted: the thread if it is to be
 * reported nevertheless. */
static __noinline struct thread *odd_end(u64 *ctx, task_key task, struct thread *t)
{
	struct pt_regs *regs = REGS((struct pt_regs *)ctx[0]);
	struct sysplan *plan;
	bool fresh = !t;

	if (!regs)
		return 0;
	if (!t)
		t = first_sight(task, current_ids());
	if (!t || t->flags & T_IGNORE)
		return 0;
	if (!fresh && (t->where >= IN_UNWANTED || t->flags & T_NEWBORN)) {
		if (t->where == IN_UNWANTED_FDS) {
			__sync_fetch_and_add(&fd_gen, 1);
			t->ids = 0;	/* may have been execve */
		}
		t->where = OUT_OF_CALL;
		t->flags &= ~T_NEWBORN;
		return 0;
	}
	if (t->where == OUT_OF_CALL)
		return unseen(t, regs, task, fresh);
	/* in the call that ends its being held, if that goes well */
	plan = plan_of(t->rec.nr, t->compat);
	t->where = OUT_OF_CALL;
	t->rec.flags = 0;
	if (!ctx[1])
		t->flags &= ~T_HELD;
	if (!ctx[1] && plan->flags & SYSPLAN_WANTED && wanted_now())
		return t;
	if (plan->flags & SYSPLAN_FDS)
		__sync_fetch_and_add(&fd_gen, 1);
	t->ids = 0;
	return 0;
}

ON("sys_exit")
int BPF_PROG(sys_exit, struct pt_regs *regs_at, long ret)
{
	struct pt_regs *regs = 0;
	struct sysplan *plan;
	struct thread *t;
	u64 now;
	task_key task;

	if (few_calls) {
		regs = REGS(regs_at);
		if (!regs || passed_by(regs_nr(regs)))
			return 0;
	}
	task = me();
	t = find_thread(task);
	now = bpf_ktime_get_ns();
	if (t && t->where == IN_CALL && !t->flags) {
		t->rec.flags = 0;
	} else {
		t = odd_end(ctx, task, t);
		if (!t)
			return 0;
	}
	t->where = OUT_OF_CALL;
	t->rec.exit_ns = now;
	t->rec.ret = ret;
	plan = plan_of(t->rec.nr, t->compat);
	if (plan->flags & SYSPLAN_FDS) {
		__sync_fetch_and_add(&fd_gen, 1);
		if (plan->flags & SYSPLAN_EXEC) {
			t->ids = 0;
			if (!ret)
				/* that memory is another program's now: see sched_exec */
				t->retry = 0;
		}
	}
	t->rec.exit_tid = thread_ids(t);
	if (!report(t))
		return 0;
	if (sum_on)
		add_sum(t);
	if (!ring_on)
		return 0;
	end_copy(t, plan);
	if (kernel_stacks)
		t->rec.kstack = bpf_get_stackid(ctx, &stacks, 0);
	put_thread(t, SYSREC_CALL, t->rec.flags | (t->entered ? SYSREC_F_ENTERED : 0));
	return 0;
}

#ifndef NO_BTF
SEC("tp_btf/sched_process_fork")
int BPF_PROG(sched_fork, struct task_struct *parent, struct task_struct *child)
{
	struct thread *p = find_thread(parent), *t;

	if (!p || !inherit || p->flags & T_HELD || (!all_tasks && p->flags & T_IGNORE))
		return 0;
	t = make_thread(child);
	if (!t) {	/* no memory now: it is found at its first call */
		u32 tid = child->pid;
		u8 how = child->pid == child->tgid ? TARGET_TGID : TARGET_TID;

		if (!all_tasks)
			bpf_map_update_elem(&targets, &tid, &how, BPF_ANY);
		return 0;
	}
	t->flags = T_NEWBORN | (parent->tgid == child->tgid ? p->flags & T_IGNORE : 0);
	__builtin_memcpy(t->rec.comm, p->rec.comm, sizeof(t->rec.comm));
	return 0;
}

/* Bytes of "/dev/fd/3/", which the kernel has in front: what is behind may be "". */
__noinline int fd_prefix(u64 name)
{
	char text[SMALL];
	long n = bpf_probe_read_kernel_str(text, sizeof(text), (void *)name);

	for (u32 i = sizeof("/dev/fd/") - 1; i < SMALL && i < n; i++)
		if (text[i] == '/' || !text[i])
			return i + (text[i] == '/');
	return 0;
}

__noinline int add_exec_name(struct thread *t, u64 name, u32 arg)
{
	u32 off;
	long n;

	if (!t)
		return 0;
	off = t->rec.len;
	if (off > DATA_MAX)
		return 0;
	n = bpf_probe_read_kernel_str(&t->data[off + 4], PIECE_MAX, (void *)name);
	if (n > 0)
		chunk_head(t, off, arg, SYSCHUNK_STR, (n - 1) & 4095);
	return 0;
}

#define EXEC_OPS 3	/* directory, name, arguments */
/* What could not be read when execve began is looked for where the kernel has it now: that
 * memory is gone. The arguments lie one after the other where the new program's stack begins; those
 * of a script are not what its caller gave. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(sched_exec, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	struct thread *t = find_thread(task);
	u64 name, from, bytes;
	struct sysplan *plan;
	bool script;

	if (!t || t->where != IN_CALL || !t->retry)
		return 0;
	plan = plan_of(t->rec.nr, t->compat);
	name = (u64)BPF_CORE_READ(bprm, filename);
	script = name != (u64)BPF_CORE_READ(bprm, interp);
	from = BPF_CORE_READ(task, mm, arg_start);
	bytes = BPF_CORE_READ(task, mm, arg_end) - from;
	if (bpf_core_field_exists(bprm->fdpath) && (u64)BPF_CORE_READ(bprm, fdpath) == name)
		name += fd_prefix(name);
	for (u32 i = 0; i < EXEC_OPS; i++) {
		u32 op = plan->ops[i].op, arg = plan->ops[i].arg;

		if (t->retry >> i & 1 && op == SYSOP_STR)
			add_exec_name(t, name, arg);
		else if (t->retry >> i & 1 && op == SYSOP_ARGV && !script)
			add_mem(t, from, bytes, (u64)arg << 8 |
				(bytes > PIECE_MAX ? SYSCHUNK_ARGV_CUT : SYSCHUNK_ARGV));
	}
	t->retry = 0;
	return 0;
}
#else
/* What the tracepoint prints of the child is all there is. */
SEC("tracepoint/sched/sched_process_fork")
int sched_fork(char *ctx)
{
	struct thread *p = find_thread(me()), *t;
	u32 child = 0;

	if (!p || !inherit || p->flags & (T_HELD | T_IGNORE))
		return 0;
	bpf_probe_read_kernel(&child, sizeof(child), ctx + child_off);
	t = make_thread(child);
	if (!t) {
		__sync_fetch_and_add(&lost, 1);
		return 0;
	}
	t->flags = T_NEWBORN;
	__builtin_memcpy(t->rec.comm, p->rec.comm, sizeof(t->rec.comm));
	return 0;
}

/* A name of a file that was not resident when execve began; where the kernel has the arguments
 * is not known. */
static __always_inline void add_exec_name(struct thread *t, char *ctx)
{
	struct sysplan *plan = plan_of(t->rec.nr, t->compat);
	u32 where = 0, off = t->rec.len;
	long n;

	if (off > DATA_MAX || !(t->retry & 1) || plan->ops[0].op != SYSOP_STR)
		return;
	bpf_probe_read_kernel(&where, sizeof(where), ctx + exec_name_off);
	n = bpf_probe_read_kernel_str(&t->data[off + 4], PIECE_MAX, ctx + (where & 0xffff));
	if (n > 0)
		chunk_head(t, off, plan->ops[0].arg, SYSCHUNK_STR, (n - 1) & 4095);
}

/* A thread other than the first one goes on with the number of the process. */
SEC("tracepoint/sched/sched_process_exec")
int sched_exec(char *ctx)
{
	u32 old = 0, now = me();
	struct thread *t;

	bpf_probe_read_kernel(&old, sizeof(old), ctx + exec_old_off);
	t = find_thread(old);
	if (!t)
		return 0;
	if (t->where == IN_CALL && t->retry)
		add_exec_name(t, ctx);
	t->retry = 0;
	if (old == now)
		return 0;
	bpf_map_update_elem(&threads, &now, t, BPF_ANY);
	bpf_map_delete_elem(&threads, &old);
	return 0;
}
#endif

ON("sched_switch")
int BPF_PROG(sched_switch, bool preempt)
{
	struct thread *t;

	if (preempt)
		return 0;
	t = find_thread(me());	/* it still runs */
	if (!t || t->where != IN_CALL || (t->entered && !t->retry) || t->flags & T_HELD)
		return 0;
	if (t->retry) {
		copy_late(t, plan_of(t->rec.nr, t->compat));
		if (t->entered && !t->rec.len)
			return 0;
	}
	t->entered = 1;
	put_apart(t, t->retry ? SYSREC_F_MISSING : 0);
	t->rec.len = 0;		/* of what follows: this has been reported */
	return 0;
}

#ifndef NO_BTF
SEC("tp_btf/task_rename")
int BPF_PROG(renamed, struct task_struct *task, const char *comm)
{
	struct thread *t = find_thread(task);

	if (!t)
		return 0;
	bpf_probe_read_kernel_str(t->rec.comm, sizeof(t->rec.comm), comm);
	if (sum_on) {
		t->rec.exit_tid = task == me() ? (u32)current_ids() : task->pid;
		note_task(t);
	}
	return 0;
}
#else
/* Its argument with the new name is the second one of all kernels; a task that renames another
 * one is not seen. */
SEC("raw_tp/task_rename")
int BPF_PROG(renamed, void *task, const char *comm)
{
	struct thread *t = find_thread(me());

	if (!t)
		return 0;
	bpf_probe_read_kernel_str(t->rec.comm, sizeof(t->rec.comm), comm);
	if (sum_on) {
		t->rec.exit_tid = current_ids();
		note_task(t);
	}
	return 0;
}
#endif

static __always_inline void died(struct thread *t)
{
	u32 flags;

	if (!t || t->flags & (T_IGNORE | T_HELD) || !ring_on || only_failed || min_ns)
		return;
	if (t->where != IN_CALL)
		return;
	t->where = OUT_OF_CALL;
	flags = SYSREC_F_CUT | (t->entered ? SYSREC_F_ENTERED : 0);
	t->rec.exit_ns = bpf_ktime_get_ns();
	put_apart(t, flags);
}

static __always_inline void put_lifecycle(struct thread *t, u32 type, int code, const void *info)
{
	struct sysends f = { .type = type, .code = code, .time_ns = bpf_ktime_get_ns() };
	u64 ids;

	if (!t || t->flags & (T_IGNORE | T_HELD) || !wanted_now())
		return;
	ids = thread_ids(t);
	f.tid = ids;
	f.tgid = ids >> 32;
	if (info)
		bpf_probe_read_kernel(f.info, sizeof(f.info), info);
	ring_put(&f, sizeof(f));
}

/* comes without information, and to those whose process ends for another reason, too */
#define SIGKILL 9

ON("signal_deliver")
int BPF_PROG(signalled, int sig, const void *info)
{
	if (sig != SIGKILL)
		put_lifecycle(find_thread(me()), SYSREC_SIGNAL, sig, info);
	return 0;
}

ON("sched_process_exit")
int BPF_PROG(sched_exit)
{
	task_key task = me();

	died(find_thread(task));
#ifndef NO_BTF
	if (lifecycle_on) {
		struct task_struct *t = (struct task_struct *)bpf_get_current_task();

		put_lifecycle(find_thread(task), SYSREC_EXIT, BPF_CORE_READ(t, exit_code), 0);
	}
#endif
#ifdef NO_BTF
	bpf_map_delete_elem(&threads, &task);
#endif
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
