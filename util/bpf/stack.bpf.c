// SPDX-License-Identifier: GPL-2.0-or-later
// User stacks unwound at the sample, by rules that the recorder has put into tables
// (wire/stackrec.h).
//
// Invariants:
// 1. A chain is made only of rules that were found for each of its frames; for anything else the
// program returns 1 and the
//     kernel writes the sample as if there were no program.
// 2. What is read of a slot or a process counts only if its seq was even and the same before and
// after.
// 3. The frame pointer is read from where the last frame that saved it has it, when a rule asks
// for it: memory below the
// stack pointer at the sample holds nothing any more (a register that was popped has its value
// already).
#include <linux/bpf.h>
#include <linux/types.h>
#include <linux/bpf_perf_event.h>
#include <linux/perf_event.h>
#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "util/wire/stackrec.h"

typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;

#define CORE __attribute__((preserve_access_index))
#define ENOSPC 28
#define USER_CS 0x33		/* code of 64 bits */
#define WORD 8
#define CONTEXT_KERNEL ((u64)PERF_CONTEXT_KERNEL)
#define CONTEXT_USER ((u64)PERF_CONTEXT_USER)
#define CONTEXT_MAX ((u64)PERF_CONTEXT_MAX)

/* Of a struct sigcontext: where the kernel keeps the interrupted frame's registers. */
#define SIGCONTEXT_BP 80
#define SIGCONTEXT_SP 120
#define SIGCONTEXT_IP 128

struct mm_struct {
	unsigned long exec_vm;
} CORE;
struct task_struct {
	struct mm_struct *mm;
	u32 self_exec_id;
} CORE;

/* A record as it is made. The kernel's part of the chain begins at KERNEL_AT; where it comes
 * without its mark, that and what is before it begin a word earlier. What goes out begins with the
 * upper half of a word, because the kernel puts four bytes before it. */
#define KERNEL_AT 3
#define CHAIN_WORDS (KERNEL_AT + STACK_MAX_KERNEL + 1 + STACK_MAX_FRAMES)
struct frames {
	u64 words[CHAIN_WORDS + 8];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct stack_slot);
} unwind_slots SEC(".maps");

struct {		/* one of each CPU; an array, because that is looked up without a call */
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct frames);
} unwind_buffers SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
} unwind_outputs SEC(".maps");

const volatile u64 secret = 0;
const volatile u32 slot_mask = 0;
const volatile bool kernel_chain = false;
/* the kernel writes each sample, too: both ways can be compared */
const volatile bool keep_sample = false;

struct stack_proc procs[STACK_PROCS] = {};
struct stack_rule rules[STACK_MAX_RULES] = {};

struct walk {
	u64 ip, sp, bp;
	u64 bp_at;		/* where bp lies, 0: it is known */
	u64 sp0;		/* at the sample */
	u64 back;		/* 1: ip is a return address */
	u64 owner_key;		/* high bits of keys */
	u32 n, at, cpu, reason;	/* at: where frames go in the buffer */
};

static __always_inline u32 rule_of(const struct stack_slot *slot, u64 key, u64 call)
{
	const volatile struct stack_slot *s = slot;
	u32 seq = s->seq, rule;
	u64 starts;

	if (s->key != key || seq & 1)
		return 0;
	starts = s->starts & ~0ULL >> (63 - (call & 63));
	starts = starts - (starts >> 1 & 0x5555555555555555ULL);
	starts = (starts & 0x3333333333333333ULL) + (starts >> 2 & 0x3333333333333333ULL);
	starts = (starts + (starts >> 4) & 0x0f0f0f0f0f0f0f0fULL) * 0x0101010101010101ULL >> 56;
	starts--;		/* none: beyond the last one */
	if (starts >= STACK_SLOT_RULES)
		return 0;
	rule = s->rules[starts];
	return s->seq == seq ? rule : 0;
}

__noinline u32 find_rule(u64 owner_key, u64 call)
{
	const u64 key = owner_key | call >> 6;
	u32 i = STACK_HASH(key) & slot_mask & ~1u, rule = 0;
	struct stack_slot *s = bpf_map_lookup_elem(&unwind_slots, &i);

	if (s)
		rule = rule_of(s, key, call);
	if (rule)
		return rule;
	i |= 1;
	s = bpf_map_lookup_elem(&unwind_slots, &i);
	return s ? rule_of(s, key, call) : 0;
}

static __always_inline long read_word(u64 *out, u64 at)
{
	return bpf_probe_read_user(out, WORD, (void *)at);
}

static __always_inline long load_bp(struct walk *w)
{
	if (!w->bp_at)
		return 0;
	if (read_word(&w->bp, w->bp_at))
		return -1;
	w->bp_at = 0;
	return 0;
}

static __always_inline int stop(struct walk *w, u32 reason)
{
	w->reason = reason;
	return 1;
}

static __always_inline int step_signal(struct walk *w, const struct stack_rule *r)
{
	const u64 at = w->sp + (s64)r->cfa_off;
	u64 sp, ip;

	if (read_word(&sp, at + SIGCONTEXT_SP) || read_word(&ip, at + SIGCONTEXT_IP) ||
	    read_word(&w->bp, at + SIGCONTEXT_BP))
		return stop(w, STACKREC_MEMORY);
	if (!ip)
		return stop(w, STACKREC_COMPLETE);
	w->bp_at = 0;
	w->sp = sp;
	w->sp0 = 0;
	w->ip = ip;
	w->back = 0;
	return 0;
}

static __always_inline int step_frame(struct walk *w, const struct stack_rule *r, u32 kind)
{
	s64 fp_off = r->fp_off;
	u64 cfa, two[2], at;

	if (kind == STACK_RULE_SP) {
		cfa = w->sp + (s64)r->cfa_off;
	} else {
		if (load_bp(w))
			return stop(w, STACKREC_MEMORY);
		cfa = w->bp + (s64)r->cfa_off;
		if (kind == STACK_RULE_FP_MEM) {
			at = w->bp + fp_off;
			fp_off = 0;
			if (read_word(&cfa, cfa) || read_word(&w->bp, at))
				return stop(w, STACKREC_MEMORY);
		}
	}
	if (cfa <= w->sp)
		return stop(w, STACKREC_FRAME);
	at = cfa + fp_off;
	if (fp_off && at < w->sp0)
		fp_off = 0;
	if (fp_off == -2 * WORD) {
		if (bpf_probe_read_user(two, sizeof(two), (void *)at))
			return stop(w, STACKREC_MEMORY);
		w->bp = two[0];
		w->bp_at = 0;
	} else {
		if (read_word(&two[1], cfa - WORD))
			return stop(w, STACKREC_MEMORY);
		if (fp_off)
			w->bp_at = at;
	}
	w->sp = cfa;
	w->ip = two[1];
	w->back = 1;
	return two[1] ? 0 : stop(w, STACKREC_COMPLETE);
}

/* One frame; 1: that was the last, or it cannot be done here. Global, as what it calls: the
 * verifier walks such a function once, whatever is in w. */
__noinline int step(u32 nr, struct walk *w)
{
	const struct stack_rule *r;
	struct frames *f;
	u32 rule, kind, cpu;
	u64 at, call;

	if (!w)
		return 1;
	call = w->ip - w->back;
	if (call >> STACK_VA_BITS)
		return stop(w, STACKREC_FRAME);
	rule = find_rule(w->owner_key, call);
	if (!rule)
		return stop(w, STACKREC_NEW_CODE);
	r = &rules[rule & (STACK_MAX_RULES - 1)];
	kind = r->kind;
	if (kind <= STACK_RULE_REFUSED ||
	    ((kind == STACK_RULE_START || kind == STACK_RULE_FP_CALLER) && !w->back))
		return stop(w, STACKREC_REFUSED);
	cpu = w->cpu;		/* older verifiers want keys on the stack */
	f = bpf_map_lookup_elem(&unwind_buffers, &cpu);
	at = (u64)w->at + nr;		/* not n: the verifier would look at each number of it */
	asm volatile("" : "+r"(at));	/* the bound must be seen on what is used */
	if (!f || at >= CHAIN_WORDS)
		return stop(w, STACKREC_FRAME);
	f->words[at] = kind == STACK_RULE_SIGNAL ? w->ip : call;
	w->n = nr + 1;
	if (kind == STACK_RULE_END || kind == STACK_RULE_START)
		return stop(w, STACKREC_COMPLETE);
	return kind == STACK_RULE_SIGNAL ? step_signal(w, r) : step_frame(w, r, kind);
}

static long step_any(u32 nr, struct walk *w)
{
	long ret = step(nr, w);

	/* the compiler knows that it is 0 or 1, the verifier does not */
	asm volatile("" : "+r"(ret));
	return ret & 1;
}

__noinline u32 find_owner(u64 mm, u64 exec_pages, u32 tgid, u32 exec_id)
{
	const u32 at = STACK_HASH((u64)tgid) & (STACK_PROCS - STACK_PROC_WAYS);

	for (u32 i = 0; i < STACK_PROC_WAYS; i++) {
		volatile struct stack_proc *p = &procs[at + i];
		u32 seq = p->seq, owner;

		if (p->tgid != tgid || seq & 1)
			continue;
		owner = p->owner;
		if (p->mm == mm && p->exec_id == exec_id && p->exec_pages == exec_pages &&
		    p->seq == seq)
			return owner;
	}
	return 0;
}

/* The registers that the task has in user mode; 1: there are none, or they are of 32 bits. */
static __always_inline long start(struct walk *w, struct bpf_perf_event_data *ctx,
				  struct task_struct *task)
{
	struct pt_regs regs;

	if ((ctx->regs.cs & 3) == 3) {
		w->ip = ctx->regs.rip;
		w->sp = ctx->regs.rsp;
		w->bp = ctx->regs.rbp;
		return ctx->regs.cs != USER_CS;
	}
	const u64 at = bpf_task_pt_regs(task);

	/* an interrupt while these are being stored */
	if (!kernel_chain || (ctx->regs.rsp >= at && ctx->regs.rsp <= at + sizeof(regs)))
		return 1;
	if (bpf_probe_read_kernel(&regs, sizeof(regs), (void *)at))
		return 1;
	w->ip = regs.rip;
	w->sp = regs.rsp;
	w->bp = regs.rbp;
	return regs.cs != USER_CS;
}

/* The kernel's part of the chain, then the mark of the user's: how far that goes; 0: it cannot
 * be. *first: where the chain begins. */
static __always_inline u64 begin_chain(struct bpf_perf_event_data *ctx, struct frames *f,
				       u64 *first)
{
	u64 n = 0;

	*first = KERNEL_AT;
	if (kernel_chain && (ctx->regs.cs & 3) != 3) {
		const long got = bpf_get_stack(ctx, &f->words[KERNEL_AT], STACK_MAX_KERNEL * WORD,
					       0);

		if (got > 0)
			n = (u64)got / WORD;
		asm volatile("" : "+r"(n));	/* the bound must be seen on what is used */
		if (n > STACK_MAX_KERNEL)
			return 0;
		if (n && f->words[KERNEL_AT] < CONTEXT_MAX) {
			*first = KERNEL_AT - 1;
			f->words[KERNEL_AT - 1] = CONTEXT_KERNEL;
		}
	}
	f->words[KERNEL_AT + n] = CONTEXT_USER;
	return KERNEL_AT + n + 1;
}

static __always_inline long give(struct bpf_perf_event_data *ctx, struct frames *f, const u32 from,
				 u64 end)
{
	u64 bytes = (end - from) * WORD + 2 * WORD - 4;

	asm volatile("" : "+r"(bytes));
	if (bytes > (CHAIN_WORDS + 2) * WORD)
		return -1;
	return bpf_perf_event_output(ctx, &unwind_outputs, BPF_F_CURRENT_CPU,
				     (char *)&f->words[from] + 4, bytes);
}

/* Words [first - 2, end) with about and the secret after them. */
static __always_inline long put_out(struct bpf_perf_event_data *ctx, struct frames *f, u64 first,
				    u64 end, u64 about, u64 period)
{
	asm volatile("" : "+r"(end));
	if (end > CHAIN_WORDS)
		return -1;
	f->words[end] = about;
	f->words[end + 1] = secret;
	if (first == KERNEL_AT) {
		f->words[KERNEL_AT - 2] = period << 32;
		return give(ctx, f, KERNEL_AT - 2, end);
	}
	f->words[KERNEL_AT - 3] = period << 32;
	return give(ctx, f, KERNEL_AT - 3, end);
}

static __always_inline int on_sample(struct bpf_perf_event_data *ctx)
{
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	struct stackrec_notice notice = {};
	const u64 period = ctx->sample_period;
	u64 first = KERNEL_AT, end;
	struct walk w = {};
	struct frames *f;
	u32 owner;
	long ret;

	/* read as numbers: the verifier lets no pointer into a function's arguments, and looks
	 * long at those that it follows itself */
	if (bpf_probe_read_kernel(&notice.mm, sizeof(notice.mm),
				  __builtin_preserve_access_index(&task->mm)) || !notice.mm)
		return 1;
	if (start(&w, ctx, task))
		return 1;
	struct mm_struct *mm = (void *)notice.mm;

	if (bpf_probe_read_kernel(&notice.exec_pages, WORD,
				  __builtin_preserve_access_index(&mm->exec_vm)))
		return 1;
	notice.tgid = bpf_get_current_pid_tgid() >> 32;
	notice.exec_id = task->self_exec_id;
	w.cpu = bpf_get_smp_processor_id();
	f = bpf_map_lookup_elem(&unwind_buffers, &w.cpu);
	if (!f)
		return 1;
	owner = find_owner(notice.mm, notice.exec_pages, notice.tgid, notice.exec_id);
	w.sp0 = w.sp;
	w.owner_key = STACK_KEY(owner, 0);
	w.reason = STACKREC_NEW_PROCESS;
	if (owner) {
		w.at = begin_chain(ctx, f, &first);
		if (!w.at)
			return 1;
		w.reason = STACKREC_MAX_FRAMES;
		bpf_loop(STACK_MAX_FRAMES, step_any, &w, 0);
	}
	if (w.reason <= STACKREC_MAX_FRAMES) {
		end = (u64)w.at + w.n;
		if (first == KERNEL_AT)
			f->words[KERNEL_AT - 1] = end - KERNEL_AT;
		else
			f->words[KERNEL_AT - 2] = end - (KERNEL_AT - 1);
		ret = put_out(ctx, f, first, end, STACKREC_ABOUT(STACKREC_CHAIN, w.reason, owner,
								 period), period);
		/* without room the kernel has counted the loss; the sample would not find any
		 * either */
		return keep_sample || (ret && ret != -ENOSPC);
	}
	notice.va = w.ip - w.back;
	*(struct stackrec_notice *)&f->words[KERNEL_AT - 1] = notice;
	put_out(ctx, f, KERNEL_AT, KERNEL_AT - 1 + sizeof(notice) / WORD,
		STACKREC_ABOUT(STACKREC_NOTICE, w.reason, owner, period), period);
	return 1;
}

/* The same twice: others can see by the name that what runs it is a timer's interrupt, in which
 * no other one comes. */
SEC("perf_event") int unwind_at_clock(struct bpf_perf_event_data *ctx)
{
	return on_sample(ctx);
}

SEC("perf_event") int unwind_at_event(struct bpf_perf_event_data *ctx)
{
	return on_sample(ctx);
}

char _license[] SEC("license") = "GPL";
