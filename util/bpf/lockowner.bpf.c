// SPDX-License-Identifier: GPL-2.0-or-later
// The stack of who has a lock when another task begins to wait for it: kept for the program
// that counts the wait (lockstat.bpf.c), whose maps these are. It is attached before that one,
// so that it runs first. Only tasks that are off their CPU have a stack that can be looked at.
//
// A program of its own, because libbpf has to read all types of the kernel for the functions
// that it calls (Linux 6.2).
#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>
#include <stdbool.h>

#include "util/wire/lockrec.h"

typedef __u8 u8;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;

#define CORE __attribute__((preserve_access_index))

struct task_struct {
	int pid;
} CORE;

#include "util/bpf/locks.inc"

extern struct task_struct *bpf_task_from_pid(s32 pid) __ksym;
extern void bpf_task_release(struct task_struct *p) __ksym;

struct lockrec_lost owner_lost = {};

SEC("tp_btf/contention_begin")
int BPF_PROG(lock_owner, void *lock, unsigned int flags)
{
	const u32 zero = 0;
	struct owner_stack *o = bpf_map_lookup_elem(&lock_owner_stacks, &zero);
	struct task_struct *owner, *task;
	struct frames *f = frames_buffer();
	u32 n = n_frames;

	if (!o || !f || n > LOCKREC_MAX_FRAMES)
		return 0;
	o->lock = (u64)lock;
	o->stack = 0;
	owner = owner_of(lock, flags);
	task = owner ? bpf_task_from_pid(BPF_CORE_READ(owner, pid)) : 0;
	if (!task)
		return 0;
	o->stack = keep_stack(f, bpf_get_task_stack(task, f->v, n * sizeof(u64), 0), &owner_lost);
	bpf_task_release(task);
	return 0;
}

char _license[] SEC("license") = "GPL";
