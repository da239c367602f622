// SPDX-License-Identifier: GPL-2.0-or-later
// Without libbpf, clang and bpftool at build time.
#include "util/bpf/heapprog.h"

#include <errno.h>

static int fail(struct err *err)
{
	err_set(err, ENOTSUP, "this perf was built without BPF, which sees what programs allocate");
	err_hint(err, "install libbpf-dev, clang and bpftool, and build again");
	return -ENOTSUP;
}

int heapprog_open(struct heapprog **out, const struct heapprog_opts *o, const struct os *os,
		  struct err *err)
{
	(void)o;
	(void)os;
	*out = NULL;
	return fail(err);
}
void heapprog_close(struct heapprog *c) { (void)c; }
void heapprog_switch(struct heapprog *c, bool on) { (void)c; (void)on; }
int heapprog_fd(const struct heapprog *c) { (void)c; return -1; }
enum heapprog_way heapprog_way(const struct heapprog *c) { (void)c; return HEAPPROG_SINGLE; }
int heapprog_attach(struct heapprog *c, const struct heapprog_place *p, const struct os *os,
		    int_vec *fds, struct err *err)
{
	(void)c;
	(void)p;
	(void)os;
	(void)fds;
	return fail(err);
}
int heapprog_drain(struct heapprog *c, heapprog_fn fn, void *ctx)
{
	(void)c;
	(void)fn;
	(void)ctx;
	return 0;
}
void heapprog_forget(struct heapprog *c, const struct hmap *tgids) { (void)c; (void)tgids; }
struct heap_lost heapprog_lost(const struct heapprog *c)
{
	(void)c;
	return (struct heap_lost){ 0, 0, 0, 0, 0, 0 };
}
struct heap_totals heapprog_totals(const struct heapprog *c)
{
	(void)c;
	return (struct heap_totals){ 0, 0, 0 };
}
