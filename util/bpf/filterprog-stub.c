// SPDX-License-Identifier: GPL-2.0-or-later
// Without libbpf, clang and bpftool at build time.
#include "util/bpf/filterprog.h"

#include <errno.h>

static int fail(struct err *err)
{
	err_set(err, ENOTSUP, "this perf was built without BPF, which filters samples");
	err_hint(err, "install libbpf-dev, clang and bpftool, and build again");
	return -ENOTSUP;
}

int filterprog_open(struct filterprog **out, const struct os *os, struct err *err)
{
	(void)os;
	*out = NULL;
	return fail(err);
}

void filterprog_close(struct filterprog *p) { (void)p; }
int filterprog_set(struct filterprog *p, u32 n, const struct filterrec *f)
{ (void)p; (void)n; (void)f; return -ENOTSUP; }
int filterprog_attach(struct filterprog *p, u32 n, u64 id, int fd)
{ (void)p; (void)n; (void)id; (void)fd; return -ENOTSUP; }
u64 filterprog_dropped(const struct filterprog *p, u32 n) { (void)p; (void)n; return 0; }
int filterprog_pin(const struct os *os, struct err *err) { (void)os; return fail(err); }
int filterprog_unpin(struct err *err) { return fail(err); }
