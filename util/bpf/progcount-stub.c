// SPDX-License-Identifier: GPL-2.0-or-later
// Without libbpf, clang and bpftool at build time.
#include "util/bpf/progcount.h"

#include <errno.h>

int progcount_open(struct progcount **out, const struct progcount_opts *o, const struct os *os,
		   struct err *err)
{
	(void)o;
	(void)os;
	*out = NULL;
	err_set(err, ENOTSUP, "this perf was built without BPF, which counts in BPF programs");
	err_hint(err, "install libbpf-dev, clang and bpftool, and build again");
	return -ENOTSUP;
}

struct cgcount_value progcount_value(const struct progcount *c, size_t event, size_t cpu)
{
	(void)c;
	(void)event;
	(void)cpu;
	return (struct cgcount_value){ 0, 0, 0 };
}
void progcount_close(struct progcount *c) { (void)c; }
