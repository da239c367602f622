// SPDX-License-Identifier: GPL-2.0-or-later
// Without libbpf, clang and bpftool at build time.
#include "util/bpf/lockstat.h"

#include <errno.h>

int lockstat_open(struct lockstat **out, const struct lockstat_opts *o, const struct os *os,
		  struct err *err)
{
	(void)o;
	(void)os;
	*out = NULL;
	err_set(err, ENOTSUP, "this perf was built without BPF, which watches the kernel's locks");
	err_hint(err, "install libbpf-dev, clang and bpftool, and build again; without BPF: perf "
		      "lock record, then perf lock contention");
	return -ENOTSUP;
}

void lockstat_close(struct lockstat *c) { (void)c; }
void lockstat_switch(struct lockstat *c, bool on) { (void)c; (void)on; }
void lockstat_stop(struct lockstat *c) { (void)c; }
int lockstat_each(struct lockstat *c, lockstat_fn fn, void *ctx)
{ (void)c; (void)fn; (void)ctx; return 0; }
void lockstat_missing(const struct lockstat *c, struct lockstat_missing *out)
{ (void)c; *out = (struct lockstat_missing){ .n_unended = 0 }; }
