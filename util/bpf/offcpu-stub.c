// SPDX-License-Identifier: GPL-2.0-or-later
// Without libbpf, clang and bpftool at build time.
#include "util/bpf/offcpu.h"

#include <errno.h>

int offcpu_open(struct offcpu **out, const struct offcpu_opts *o, const struct os *os,
		struct err *err)
{
	(void)o;
	(void)os;
	*out = NULL;
	err_set(err, ENOTSUP, "this perf was built without BPF, which measures off-CPU time");
	err_hint(err, "install libbpf-dev, clang and bpftool, and build again");
	return -ENOTSUP;
}

void offcpu_close(struct offcpu *c) { (void)c; }
void offcpu_switch(struct offcpu *c, bool on) { (void)c; (void)on; }
int offcpu_fd(const struct offcpu *c) { (void)c; return -1; }
int offcpu_drain(struct offcpu *c, offcpu_fn fn, void *ctx)
{ (void)c; (void)fn; (void)ctx; return 0; }
int offcpu_sums(struct offcpu *c, offcpu_fn fn, void *ctx)
{ (void)c; (void)fn; (void)ctx; return 0; }
int offcpu_stop(struct offcpu *c, const struct os *os, offcpu_fn fn, void *ctx)
{ (void)c; (void)os; (void)fn; (void)ctx; return 0; }
bool offcpu_is_replaced(const struct offcpu *c, const struct offcpu_sum *s)
{ (void)c; (void)s; return false; }
struct offcpu_lost offcpu_lost(const struct offcpu *c)
{ (void)c; return (struct offcpu_lost){ 0, 0 }; }
