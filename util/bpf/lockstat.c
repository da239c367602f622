// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bpf/lockstat.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/lockowner.skel.h"
#include "bpf/lockstat.skel.h"
#include "util/base/hash.h"
#include "util/base/xalloc.h"
#include "util/bpf/progload.h"
#include "util/bpf/scope.h"
#include "util/os/kernel.h"
#include "util/os/rights.h"

/* What begins waits is attached last, and goes first. */
static const char *const names[] = { "watch_exit", "watch_child", "watch_exec", "lock_end",
				     "lock_begin" };
enum { N_PROGS = ARRAY_SIZE(names) };
enum { STEPS = 4 };		/* of times that the waits of one sum have: room for so many */

struct lockstat {
	struct lockstat_bpf *skel;
	struct lockowner_bpf *owner;	/* NULL: no stacks of owners */
	struct progload *progs;
	int links[N_PROGS];		/* descriptors; 0: none */
};

static int fail(int code, const struct os *os, struct err *err)
{
	err_sys(err, code, "cannot load the BPF programs that watch the kernel's locks");
	if (os_bpf_hint(os, code, err))
		return -code;
	if (!os_kernel_at_least(os, 5, 19))
		err_hint(err, "they need Linux 5.19, which tells when tasks wait for locks");
	else
		err_hint(err, "-v bpf=2 shows what the kernel says to each of them; without BPF: "
			      "perf lock record, then perf lock contention");
	return -code;
}

static void set_options(struct lockstat_bpf *s, const struct lockstat_opts *o)
{
	s->rodata->parts = o->parts;
	s->rodata->types = o->types;
	s->rodata->n_frames = MIN(o->n_frames, (u32)LOCKREC_MAX_FRAMES);
	SCOPE_SET(s, &o->scope);
	if (o->n_entries) {
		bpf_map__set_max_entries(s->maps.lock_waits, o->n_entries);
		bpf_map__set_max_entries(s->maps.lock_sums, o->n_entries);
		bpf_map__set_max_entries(s->maps.lock_stacks, o->n_entries);
		bpf_map__set_max_entries(s->maps.lock_steps, STEPS * o->n_entries);
	}
	if (!(o->parts & LOCKREC_TIMES))
		bpf_map__set_max_entries(s->maps.lock_steps, 1);
	bpf_map__set_value_size(s->maps.lock_stacks, s->rodata->n_frames * sizeof(u64));
	if (!(o->parts & LOCKREC_STACK))
		bpf_map__set_max_entries(s->maps.lock_stacks, 1);
}

/* Before the others: what is attached first runs first. */
static int attach_owner(struct lockstat *c, struct err *err)
{
	int ret = -ENOMEM;

	c->owner = lockowner_bpf__open();
	if (c->owner) {
		c->owner->rodata->n_frames = c->skel->rodata->n_frames;
		ret = bpf_map__reuse_fd(c->owner->maps.lock_stacks,
					bpf_map__fd(c->skel->maps.lock_stacks));
	}
	if (!ret)
		ret = bpf_map__reuse_fd(c->owner->maps.lock_owner_stacks,
					bpf_map__fd(c->skel->maps.lock_owner_stacks));
	if (!ret)
		ret = lockowner_bpf__load(c->owner);
	if (!ret)
		ret = lockowner_bpf__attach(c->owner);
	if (!ret)
		return 0;
	err_sys(err, -ret, "cannot look at the stacks of those who have locks");
	err_hint(err, "that needs Linux 6.2; -o without -v shows who they are");
	return ret;
}

static int load(struct lockstat *c, const struct lockstat_opts *o, const struct os *os,
		struct err *err)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts);
	int ret;

	c->progs = progload_new();
	if (!c->progs)
		return -errno;
	opts.btf_custom_path = progload_btf_path(c->progs);
	c->skel = lockstat_bpf__open_opts(&opts);
	if (!c->skel)
		return -errno;
	set_options(c->skel, o);
	ret = progload_types(c->progs, c->skel->obj, NULL, 0, os, err);
	if (!ret)
		ret = lockstat_bpf__load(c->skel);
	if (!ret)
		ret = progload_run(c->progs);
	if (!ret)
		ret = scope_put(c->skel->maps.watched, c->skel->maps.scope_cgroups, &o->scope,
				"waits are counted", err);
	if (!ret && o->parts & LOCKREC_OWNER && o->parts & LOCKREC_STACK)
		ret = attach_owner(c, err);
	return ret ? ret : progload_attach_all(c->progs, names, N_PROGS, c->links);
}

int lockstat_open(struct lockstat **out, const struct lockstat_opts *o, const struct os *os,
		  struct err *err)
{
	struct lockstat *c = xnew(struct lockstat);
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
	lockstat_close(c);
	if (!progload_reason(ret, &reason, err))
		ret = fail(-ret, os, err);
	return ret;
}

void lockstat_close(struct lockstat *c)
{
	if (!c)
		return;
	progload_detach_all(c->links, N_PROGS);
	if (c->owner)
		lockowner_bpf__destroy(c->owner);
	progload_free(c->progs);
	if (c->skel)
		lockstat_bpf__destroy(c->skel);
	free(c);
}

void lockstat_switch(struct lockstat *c, bool on)
{
	__atomic_store_n((u8 *)&c->skel->bss->on, on, __ATOMIC_SEQ_CST);
}

void lockstat_stop(struct lockstat *c)
{
	lockstat_switch(c, false);
	progload_detach_all(c->links, N_PROGS);
	if (c->owner)
		lockowner_bpf__detach(c->owner);
	os_wait_cpus();
}

static u32 find_stack(const struct lockstat *c, u64 hash, u64 *frames)
{
	const u32 max = c->skel->rodata->n_frames;
	u32 n = 0;

	if (!hash || bpf_map_lookup_elem(bpf_map__fd(c->skel->maps.lock_stacks), &hash, frames))
		return 0;
	while (n < max && frames[n])
		n++;
	return n;
}

/* By id + 1. */
static void read_hists(const struct lockstat *c, struct hmap *hists)
{
	const int fd = bpf_map__fd(c->skel->maps.lock_steps);
	struct lockrec_step key, next;
	void *prev = NULL;
	u64 n;

	while (c->skel->rodata->parts & LOCKREC_TIMES && !bpf_map_get_next_key(fd, prev, &next)) {
		struct ns_hist *h = hmap_get(hists, next.id + 1ULL);

		key = next;
		prev = &key;
		if (bpf_map_lookup_elem(fd, &next, &n) || next.step >= NS_HIST_STEPS)
			continue;
		if (!h)
			hmap_put(hists, next.id + 1ULL, h = xnew(struct ns_hist));
		h->n[next.step] += n;
	}
}

static void free_hists(struct hmap *hists, u64 n)
{
	for (u64 id = 0; id < n; id++)
		free(hmap_get(hists, id + 1));
	hmap_release(hists);
}

int lockstat_each(struct lockstat *c, lockstat_fn fn, void *ctx)
{
	const int fd = bpf_map__fd(c->skel->maps.lock_sums);
	u64 frames[LOCKREC_MAX_FRAMES];
	struct lockrec_key key, next;
	struct lockstat_sum s = { .frames = frames };
	struct hmap hists = { 0 };
	void *prev = NULL;
	int ret = 0;

	read_hists(c, &hists);
	while (!ret && !bpf_map_get_next_key(fd, prev, &next)) {
		key = s.rec.key = next;
		prev = &key;
		if (bpf_map_lookup_elem(fd, &next, &s.rec.sum))
			continue;
		s.n_frames = find_stack(c, next.stack, frames);
		s.hist = hmap_get(&hists, s.rec.sum.id + 1ULL);
		ret = fn(ctx, &s);
	}
	free_hists(&hists, c->skel->bss->n_ids);
	return MIN(ret, 0);
}

void lockstat_missing(const struct lockstat *c, struct lockstat_missing *out)
{
	out->lost = c->skel->bss->lost;
	out->lost.n_stacks += c->owner ? c->owner->bss->owner_lost.n_stacks : 0;
	out->n_unended = scope_count_keys(c->skel->maps.lock_waits);
	out->n_missed = progload_missed(c->progs);
	out->n_unwatched = c->skel->bss->n_unwatched;
}
