// SPDX-License-Identifier: GPL-2.0-or-later
// Without libbpf, clang and bpftool at build time.
#include "util/bpf/futexstat.h"

#include <errno.h>

int futexstat_open(struct futexstat **out, const struct futexstat_opts *o, const struct os *os,
		   struct err *err)
{
	(void)o;
	(void)os;
	*out = NULL;
	err_set(err, ENOTSUP, "this perf was built without BPF, which watches futexes");
	err_hint(err, "install libbpf-dev, clang and bpftool, and build again");
	return -ENOTSUP;
}

void futexstat_close(struct futexstat *c) { (void)c; }
void futexstat_switch(struct futexstat *c, bool on) { (void)c; (void)on; }
void futexstat_stop(struct futexstat *c) { (void)c; }
int futexstat_each(struct futexstat *c, futexstat_fn fn, void *ctx)
{ (void)c; (void)fn; (void)ctx; return 0; }
void futexstat_missing(const struct futexstat *c, struct futexstat_missing *out)
{ (void)c; *out = (struct futexstat_missing){ .n_unended = 0 }; }
