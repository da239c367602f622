/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BPF_STACKPROG_H
#define BPF_STACKPROG_H
/*
 * The BPF program that unwinds user stacks at the sample (stack.bpf.c): loading it, its tables (wire/stackrec.h) as memory of this
 * process, and the events that it is attached to. One owner. Where it cannot work, opening fails with the reason.
 */
#include "util/os/os.h"
#include "util/wire/stackrec.h"

struct stackprog_opts {
	u32 n_slots;		/* a power of two */
	bool kernel_chain;	/* samples in the kernel are wanted, with the kernel's chain */
	bool keep_sample;	/* the kernel writes each sample, too */
};

/* Whether there are BPF programs on functions or tracepoints of the kernel. Those who may not know see none. */
bool stackprog_others(void);

struct stackprog;
int stackprog_open(struct stackprog **out, const struct stackprog_opts *o, const struct os *os, struct err *err);
void stackprog_close(struct stackprog *p);		/* NULL is fine; to events that have the program it is as if they had not */
/* fd: of an event of type PERF_COUNT_SW_BPF_OUTPUT on that CPU: 0 or -errno. */
int stackprog_output(struct stackprog *p, int cpu, int fd);
int stackprog_attach(struct stackprog *p, int fd);	/* a sampling event: 0 or -errno */
u64 stackprog_secret(const struct stackprog *p);
struct stack_slot *stackprog_slots(struct stackprog *p);	/* n_slots, STACK_PROCS, STACK_MAX_RULES; shared with the program */
struct stack_proc *stackprog_procs(struct stackprog *p);
struct stack_rule *stackprog_rules(struct stackprog *p);

#endif
