/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BPF_STACKPROG_H
#define BPF_STACKPROG_H
/*
 * The BPF program that unwinds user stacks at the sample (stack.bpf.c): loading it, its tables
 * (wire/stackrec.h) as memory of this process, and the events that it is attached to. One owner.
 * Where it cannot work, opening fails with the reason.
 */
#include "util/os/os.h"
#include "util/wire/stackrec.h"

struct stackprog_opts {
	u32 n_slots;		/* a power of two */
	bool kernel_chain;	/* samples in the kernel are wanted, with the kernel's chain */
	bool keep_sample;	/* the kernel writes each sample, too */
	bool at_clock;		/* the event is a clock */
	bool detachable;	/* costs a descriptor for each event */
};

struct stackprog;

/* Up to which numbers programs and maps were looked at. Zeroed: none. */
struct stackprog_seen { u32 prog, map; };

/* The kernel drops, and counts nowhere, a sample that it takes on a CPU where a BPF program on a
 * function, tracepoint or event is running, or a bpf(2) call is using a map. What there is of
 * others (own: whose programs and maps are not; NULL: nobody's) that may do so and was not looked
 * at before; NULL: nothing. Programs like this one on clocks do not count where at_clock. */
const char *stackprog_others(struct stackprog_seen *seen, const struct stackprog *own,
			     bool at_clock);

int stackprog_open(struct stackprog **out, const struct stackprog_opts *o, const struct os *os,
		   struct err *err);
/* NULL is fine; to events that have the program it is as if they had not */
void stackprog_close(struct stackprog *p);
/* fd: of an event of type PERF_COUNT_SW_BPF_OUTPUT on that CPU: 0 or -errno. */
int stackprog_output(struct stackprog *p, int cpu, int fd);
int stackprog_attach(struct stackprog *p, int fd);	/* a sampling event: 0 or -errno */
/* From all events that were attached to, if that was asked for. Copies that tasks have inherited
 * of them keep the program. */
void stackprog_detach(struct stackprog *p);
/* Descriptors of the tables, in the order of enum; for another program that unwinds. */
enum { STACKPROG_SLOTS, STACKPROG_PROCS, STACKPROG_RULES, STACKPROG_TABLES };
u32 stackprog_tables(const struct stackprog *p, int fds[STACKPROG_TABLES]);	/* n_slots */
u64 stackprog_secret(const struct stackprog *p);
/* n_slots, STACK_PROCS, STACK_MAX_RULES; shared with the program */
struct stack_slot *stackprog_slots(struct stackprog *p);
struct stack_proc *stackprog_procs(struct stackprog *p);
struct stack_rule *stackprog_rules(struct stackprog *p);

#endif
