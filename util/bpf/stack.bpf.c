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
#define CONTEXT_KERNEL ((u64)PERF_CONTEXT_KERNEL)
#define CONTEXT_USER ((u64)PERF_CONTEXT_USER)
#define CONTEXT_MAX ((u64)PERF_CONTEXT_MAX)

/* A record as it is made. The kernel's part of the chain begins at KERNEL_AT; where it comes
 * without its mark, that and what is before it begin a word earlier. What goes out begins with the
 * upper half of a word, because the kernel puts four bytes before it. */
#define KERNEL_AT 3
#define CHAIN_WORDS (KERNEL_AT + STACK_MAX_KERNEL + 1 + STACK_MAX_FRAMES)

#include "util/bpf/walk.inc"

struct mm_struct {
	unsigned long exec_vm;
} CORE;
struct task_struct {
	struct mm_struct *mm;
	u32 self_exec_id;
} CORE;

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
} unwind_outputs SEC(".maps");

const volatile u64 secret = 0;
const volatile bool kernel_chain = false;
/* the kernel writes each sample, too: both ways can be compared */
const volatile bool keep_sample = false;

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
