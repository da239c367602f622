// SPDX-License-Identifier: GPL-2.0-or-later
// Without libbpf, clang and bpftool at build time, and for machines whose stacks the program does
// not know.
#include "util/bpf/stackprog.h"

#include <errno.h>

int stackprog_open(struct stackprog **out, const struct stackprog_opts *o, const struct os *os,
		   struct err *err)
{
	(void)o;
	(void)os;
	*out = NULL;
#ifdef __x86_64__
	err_set(err, ENOTSUP, "this perf was built without BPF");
	err_hint(err, "install libbpf-dev, clang and bpftool, and build again");
#else
	err_set(err, ENOTSUP, "the BPF program that unwinds stacks is of x86-64 alone");
#endif
	return -ENOTSUP;
}

const char *stackprog_others(struct stackprog_seen *seen, const struct stackprog *own,
			     bool at_clock)
{
	(void)seen;
	(void)own;
	(void)at_clock;
	return NULL;
}

void stackprog_detach(struct stackprog *p) { (void)p; }
void stackprog_close(struct stackprog *p) { (void)p; }
int stackprog_output(struct stackprog *p, int cpu, int fd) { (void)p; (void)cpu; (void)fd;
							     return -ENOTSUP; }
int stackprog_attach(struct stackprog *p, int fd) { (void)p; (void)fd; return -ENOTSUP; }
u32 stackprog_tables(const struct stackprog *p, int fds[STACKPROG_TABLES]) { (void)p; (void)fds;
									     return 0; }
u64 stackprog_secret(const struct stackprog *p) { (void)p; return 0; }
struct stack_slot *stackprog_slots(struct stackprog *p) { (void)p; return NULL; }
struct stack_proc *stackprog_procs(struct stackprog *p) { (void)p; return NULL; }
struct stack_rule *stackprog_rules(struct stackprog *p) { (void)p; return NULL; }
