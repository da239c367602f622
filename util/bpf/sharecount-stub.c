// SPDX-License-Identifier: GPL-2.0-or-later
// Without libbpf, clang and bpftool at build time.
#include "util/bpf/sharecount.h"

#include <errno.h>

int sharecount_table(const char *path, const struct os *os, struct err *err)
{
	(void)path;
	(void)os;
	err_set(err, ENOTSUP, "this perf was built without BPF, which shares counters");
	err_hint(err, "install libbpf-dev, clang and bpftool, and build again");
	return -ENOTSUP;
}

int sharecount_find(struct sharecount **out, int table, const struct sharecount_of *of)
{
	(void)table;
	(void)of;
	*out = NULL;
	return -ENOENT;
}

int sharecount_add(struct sharecount **out, int table, const struct sharecount_of *of,
		   const int *fds, const struct os *os, struct err *err)
{
	(void)table;
	(void)of;
	(void)fds;
	(void)os;
	*out = NULL;
	return err_set(err, ENOTSUP, "this perf was built without BPF");
}

int sharecount_read(struct sharecount *s) { (void)s; return -ENOTSUP; }
struct cgcount_value sharecount_value(const struct sharecount *s, size_t cpu)
{
	(void)s;
	(void)cpu;
	return (struct cgcount_value){ 0, 0, 0 };
}
void sharecount_close(struct sharecount *s) { (void)s; }
