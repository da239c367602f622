// SPDX-License-Identifier: GPL-2.0-or-later
// Without libbpf, clang and bpftool at build time.
#include "util/bpf/cgcount.h"

#include <errno.h>

int cgcount_open(struct cgcount **out, const struct cgcount_opts *o, const struct os *os,
		 struct err *err)
{
	(void)o;
	(void)os;
	*out = NULL;
	err_set(err, ENOTSUP, "this perf was built without BPF, which counts by cgroup");
	err_hint(err, "install libbpf-dev, clang and bpftool, and build again");
	return -ENOTSUP;
}

int cgcount_read(struct cgcount *c) { (void)c; return 0; }
struct cgcount_value cgcount_value(const struct cgcount *c, size_t event, size_t cpu, size_t cgroup)
{
	(void)c;
	(void)event;
	(void)cpu;
	(void)cgroup;
	return (struct cgcount_value){ 0, 0, 0 };
}
void cgcount_close(struct cgcount *c) { (void)c; }
