// SPDX-License-Identifier: GPL-2.0-or-later
// Without libbpf, clang and bpftool at build time.
#include "util/bpf/latency.h"

#include <errno.h>

int latency_open(struct latency **out, const struct latency_opts *o, const struct os *os,
		 struct err *err)
{
	(void)o;
	(void)os;
	*out = NULL;
	err_set(err, ENOTSUP, "this perf was built without BPF, which measures latencies");
	err_hint(err, "install libbpf-dev, clang and bpftool, and build again");
	return -ENOTSUP;
}

int latency_read(const struct latency *l, struct latency_sums *out, struct err *err)
{ (void)l; (void)out; (void)err; return 0; }
u64 latency_n_lost(const struct latency *l) { (void)l; return 0; }
void latency_close(struct latency *l) { (void)l; }
