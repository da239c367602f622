// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bpf/futexstat.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/futexstat.skel.h"
#include "util/base/xalloc.h"
#include "util/bpf/progload.h"
#include "util/bpf/scope.h"
#include "util/os/kernel.h"
#include "util/os/rights.h"

#define NR_COMPAT_FUTEX 240		/* of i386, and of arm */

/* What begins waits is attached last, and goes first. */
static const char *const names[] = { "watch_exit", "watch_child", "watch_exec", "futex_exit",
				     "futex_enter" };
enum { N_PROGS = ARRAY_SIZE(names) };

struct futexstat {
	struct futexstat_bpf *skel;
	struct progload *progs;
	int links[N_PROGS];		/* descriptors; 0: none */
};

static int fail(int code, const struct os *os, struct err *err)
{
	err_sys(err, code, "cannot load the BPF programs that watch futexes");
	if (os_bpf_hint(os, code, err))
		return -code;
	if (!os_kernel_at_least(os, 5, 11))
		err_hint(err, "they need Linux 5.11, which shows them their task; without "
			      "BPF: perf lock futex record, then perf lock futex -i perf.data");
	else
		err_hint(err, "-v bpf=2 shows what the kernel says to each of them; without BPF: "
			      "perf lock futex record, then perf lock futex -i perf.data");
	return -code;
}

static void set_options(struct futexstat_bpf *s, const struct futexstat_opts *o)
{
	s->rodata->nr_futex = __NR_futex;
	s->rodata->nr_compat_futex = NR_COMPAT_FUTEX;
	s->rodata->with_times = o->times;
	s->rodata->rows = o->rows;
	SCOPE_SET(s, &o->scope);
	if (o->n_entries) {
		bpf_map__set_max_entries(s->maps.futex_waits, o->n_entries);
		bpf_map__set_max_entries(s->maps.futex_locks, o->n_entries);
		bpf_map__set_max_entries(s->maps.futex_sums, o->n_entries);
	}
	if (!o->times)
		bpf_map__set_max_entries(s->maps.futex_times, 1);
}

static int load(struct futexstat *c, const struct futexstat_opts *o, const struct os *os,
		struct err *err)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts);
	int ret;

	c->progs = progload_new();
	if (!c->progs)
		return -errno;
	opts.btf_custom_path = progload_btf_path(c->progs);
	c->skel = futexstat_bpf__open_opts(&opts);
	if (!c->skel)
		return -errno;
	set_options(c->skel, o);
	ret = progload_types(c->progs, c->skel->obj, NULL, 0, os, err);
	if (!ret)
		ret = futexstat_bpf__load(c->skel);
	if (!ret)
		ret = progload_run(c->progs);
	if (!ret)
		ret = scope_put(c->skel->maps.watched, c->skel->maps.scope_cgroups, &o->scope,
				"waits are counted", err);
	return ret ? ret : progload_attach_all(c->progs, names, N_PROGS, c->links);
}

int futexstat_open(struct futexstat **out, const struct futexstat_opts *o, const struct os *os,
		   struct err *err)
{
	struct futexstat *c = xnew(struct futexstat);
	struct err reason = ERR_INIT;
	int ret;

	*out = NULL;
	progload_log();
	os_want_locked_memory();
	ret = load(c, o, os, &reason);
	if (!ret) {
		*out = c;
		return 0;
	}
	futexstat_close(c);
	if (!progload_reason(ret, &reason, err))
		ret = fail(-ret, os, err);
	return ret;
}

void futexstat_close(struct futexstat *c)
{
	if (!c)
		return;
	progload_detach_all(c->links, N_PROGS);
	progload_free(c->progs);
	if (c->skel)
		futexstat_bpf__destroy(c->skel);
	free(c);
}

void futexstat_switch(struct futexstat *c, bool on)
{
	__atomic_store_n((u8 *)&c->skel->bss->on, on, __ATOMIC_SEQ_CST);
}

void futexstat_stop(struct futexstat *c)
{
	futexstat_switch(c, false);
	progload_detach_all(c->links, N_PROGS);
	os_wait_cpus();
}

/* ---- what they have ---- */

/* The same as in the programs. */
struct times_key { u64 addr; u32 tgid, tid; };

static int each_times(const struct futexstat *c, futexstat_fn fn, void *ctx)
{
	const int fd = bpf_map__fd(c->skel->maps.futex_times);
	u32 steps[FUTEXREC_STEPS];
	struct times_key key, next;
	void *prev = NULL;
	int ret = 0;

	while (!ret && !bpf_map_get_next_key(fd, prev, &next)) {
		const struct futexrec r = { .key = { .addr = next.addr, .tgid = next.tgid,
						     .tid = next.tid, .side = FUTEXREC_TIMES } };

		key = next;
		prev = &key;
		if (!bpf_map_lookup_elem(fd, &next, steps))
			ret = fn(ctx, &r, NULL, steps);
	}
	return ret;
}

int futexstat_each(struct futexstat *c, futexstat_fn fn, void *ctx)
{
	const int fd = bpf_map__fd(c->skel->maps.futex_sums),
		stacks = bpf_map__fd(c->skel->maps.futex_stacks);
	struct futexrec_stack *stack = xnew(struct futexrec_stack);
	struct futexrec_key key, next;
	struct futexrec r;
	void *prev = NULL;
	int ret = 0;

	while (!ret && !bpf_map_get_next_key(fd, prev, &next)) {
		const bool has = next.stack && !bpf_map_lookup_elem(stacks, &next.stack, stack);

		key = r.key = next;
		prev = &key;
		if (!bpf_map_lookup_elem(fd, &next, &r.sum))
			ret = fn(ctx, &r, has ? stack : NULL, NULL);
	}
	free(stack);
	if (!ret)
		ret = each_times(c, fn, ctx);
	return MIN(ret, 0);
}

void futexstat_missing(const struct futexstat *c, struct futexstat_missing *out)
{
	out->lost = c->skel->bss->lost;
	out->n_unended = scope_count_keys(c->skel->maps.futex_waits);
	out->n_missed = progload_missed(c->progs);
	out->n_unwatched = c->skel->bss->n_unwatched;
}
