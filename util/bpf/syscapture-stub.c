// SPDX-License-Identifier: GPL-2.0-or-later
// Without libbpf, clang and bpftool at build time.
#include "util/bpf/syscapture.h"

#include <errno.h>

int syscapture_open(struct syscapture **out, const struct syscapture_opts *o, const struct os *os,
		    struct err *err)
{
	(void)o;
	(void)os;
	*out = NULL;
	err_set(err, ENOTSUP, "this perf was built without BPF");
	err_hint(err, "install libbpf-dev, clang and bpftool, and build again");
	return -ENOTSUP;
}

enum syscapture_engine syscapture_engine(const struct syscapture *c) { (void)c;
								       return SYSCAPTURE_ANY; }
void syscapture_close(struct syscapture *c) { (void)c; }
void syscapture_stop(struct syscapture *c) { (void)c; }
void syscapture_pause(struct syscapture *c, bool paused) { (void)c; (void)paused; }
int syscapture_fd(const struct syscapture *c) { (void)c; return -1; }
int syscapture_drain(struct syscapture *c, syscapture_fn fn, void *ctx) { (void)c; (void)fn;
									  (void)ctx; return 0; }
u64 syscapture_lost(const struct syscapture *c) { (void)c; return 0; }
u64 syscapture_sums_lost(const struct syscapture *c) { (void)c; return 0; }

int syscapture_sums(struct syscapture *c, void (*fn)(void *ctx, const struct syssum_key *k,
						     const struct syssum *s), void *ctx)
{
	(void)c;
	(void)fn;
	(void)ctx;
	return 0;
}

int syscapture_errnos(struct syscapture *c,
		      void (*fn)(void *ctx, const struct syssum_errno_key *k, u64 n), void *ctx)
{
	(void)c;
	(void)fn;
	(void)ctx;
	return 0;
}

bool syscapture_task(struct syscapture *c, u32 tid, struct syssum_task *out)
{
	(void)c;
	(void)tid;
	(void)out;
	return false;
}
