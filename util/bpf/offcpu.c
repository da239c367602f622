// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bpf/offcpu.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "bpf/offcpu.skel.h"
#include "util/base/xalloc.h"
#include "util/bpf/progload.h"
#include "util/bpf/scope.h"
#include "util/os/kernel.h"
#include "util/os/procfs.h"
#include "util/os/rights.h"

static const char *const names[] = { "offcpu_exit", "offcpu_child", "offcpu_exec",
				     "offcpu_switch" };
enum { N_PROGS = ARRAY_SIZE(names) };

struct offcpu {
	struct offcpu_bpf *skel;
	struct progload *progs;
	int links[N_PROGS];		/* descriptors; 0: none */
	struct ring_buffer *ring, *lessons;
	offcpu_lesson_fn learn;		/* while lessons are read */
	offcpu_fn fn;			/* while the ring is read */
	void *ctx;
};

static int fail(int code, const struct os *os, struct err *err)
{
	err_sys(err, code, "cannot load the BPF programs that measure off-CPU time");
	if (os_bpf_hint(os, code, err))
		return -code;
	if (!os_kernel_at_least(os, 5, 18))
		err_hint(err, "before Linux 5.18 the kernel does not tell why a thread leaves the "
			      "CPU");
	else
		err_hint(err, "-v bpf=2 shows what the kernel says to each of them");
	return -code;
}

static void set_options(struct offcpu_bpf *s, const struct offcpu_opts *o)
{
	s->rodata->everyone = !o->tids;
	s->rodata->by_uid = o->by_uid;
	s->rodata->uid = o->uid;
	s->rodata->thresh_ns = o->thresh_ns;
	s->rodata->ring_half = bpf_map__max_entries(s->maps.offcpu_ring) / 2;
	s->rodata->by_cpu = scope_cpus(s->rodata->cpus, o->cpus);
	s->rodata->pid_ns = (u32)o->pid_ns;
	s->rodata->n_cgroups = scope_size_cgroups(s->maps.scope_cgroups, o->cgroup_fds);
	if (o->n_sums)
		bpf_map__set_max_entries(s->maps.offcpu_sums, o->n_sums);
	bpf_program__set_autoload(s->progs.offcpu_exit, o->pid_ns);
	bpf_program__set_autoload(s->progs.offcpu_child, o->tids && o->inherit);
}

#define LESSONS_BYTES (4u << 20)

/* Its tables are those of the other program. */
static int share_tables(struct offcpu_bpf *s, const struct stackprog *p)
{
	struct bpf_map *const maps[] = { s->maps.unwind_slots, s->maps.unwind_procs,
					 s->maps.unwind_rules };
	const int cpus = libbpf_num_possible_cpus();
	int fds[STACKPROG_TABLES], ret = 0;

	bpf_map__set_max_entries(s->maps.unwind_buffers, cpus > 0 ? (u32)cpus : 1);
	if (!p)
		return 0;
	s->rodata->unwinds = true;
	s->rodata->slot_mask = stackprog_tables(p, fds) - 1;
	bpf_map__set_max_entries(s->maps.offcpu_lessons, LESSONS_BYTES);
	for (size_t i = 0; i < ARRAY_SIZE(maps) && !ret; i++)
		ret = bpf_map__reuse_fd(maps[i], fds[i]);
	return ret;
}

static int put_task(const struct offcpu *c, int tid, u32 flags)
{
	struct offcpu_task t = { .flags = flags };
	const u32 key = (u32)tid;

	return bpf_map_update_elem(bpf_map__fd(c->skel->maps.offcpu_tasks), &key, &t, BPF_ANY) ?
		-errno : 0;
}

static int put_tasks(const struct offcpu *c, const struct offcpu_opts *o)
{
	int ret = o->tids && o->held ? put_task(c, o->held, OFFCPU_FROM_EXEC) : 0;

	for (size_t i = 0; o->tids && i < o->tids->n && !ret; i++)
		if (o->tids->v[i] != o->held)
			ret = put_task(c, o->tids->v[i], 0);
	return ret;
}

static int take(void *ctx, void *data, size_t bytes)
{
	const struct offcpu *c = ctx;
	const struct offcpu_sum *s = data;

	if (bytes < OFFCPU_HEAD_BYTES || s->n_frames > (bytes - OFFCPU_HEAD_BYTES) / sizeof(u64))
		return -EINVAL;
	return c->fn(c->ctx, s);
}

static int take_lesson(void *ctx, void *data, size_t bytes)
{
	const struct offcpu *c = ctx;
	const struct offcpu_lesson *l = data;

	return bytes < sizeof(*l) || l->stack_bytes > sizeof(l->stack) ? -EINVAL :
		c->learn(c->ctx, l);
}

static int load(struct offcpu *c, const struct offcpu_opts *o, const struct os *os, struct err *err)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts);
	int ret;

	c->progs = progload_new();
	if (!c->progs)
		return -errno;
	opts.btf_custom_path = progload_btf_path(c->progs);
	c->skel = offcpu_bpf__open_opts(&opts);
	if (!c->skel)
		return -errno;
	set_options(c->skel, o);
	ret = share_tables(c->skel, o->stacks);
	if (!ret)
		ret = progload_types(c->progs, c->skel->obj, NULL, 0, os, err);
	if (!ret)
		ret = offcpu_bpf__load(c->skel);
	if (!ret)
		ret = progload_run(c->progs);
	if (!ret)
		ret = put_tasks(c, o);
	if (!ret)
		ret = scope_put_cgroups(c->skel->maps.scope_cgroups, o->cgroup_fds,
					"off-CPU time is measured", err);
	if (ret)
		return ret;
	c->ring = ring_buffer__new(bpf_map__fd(c->skel->maps.offcpu_ring), take, c, NULL);
	c->lessons = o->stacks ? ring_buffer__new(bpf_map__fd(c->skel->maps.offcpu_lessons),
						  take_lesson, c, NULL) : NULL;
	return c->ring && (c->lessons || !o->stacks) ?
		progload_attach_all(c->progs, names, N_PROGS, c->links) : -errno;
}

int offcpu_open(struct offcpu **out, const struct offcpu_opts *o, const struct os *os,
		struct err *err)
{
	struct offcpu *c = xnew(struct offcpu);
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
	offcpu_close(c);
	if (!progload_reason(ret, &reason, err))
		ret = fail(-ret, os, err);
	return ret;
}

void offcpu_close(struct offcpu *c)
{
	if (!c)
		return;
	progload_detach_all(c->links, N_PROGS);
	ring_buffer__free(c->ring);
	ring_buffer__free(c->lessons);
	progload_free(c->progs);
	if (c->skel)
		offcpu_bpf__destroy(c->skel);
	free(c);
}

/* The programs look at "on" first, then at one of the others: that is written before. */
void offcpu_switch(struct offcpu *c, bool on)
{
	struct offcpu_bpf__bss *b = c->skel->bss;
	const u64 now = os_now_ns();

	if (b->on == on)
		return;
	if (on)
		__atomic_store_n(&b->shift_ns, now - b->frozen_ns, __ATOMIC_SEQ_CST);
	else
		__atomic_store_n(&b->frozen_ns, now - b->shift_ns, __ATOMIC_SEQ_CST);
	__atomic_store_n((u8 *)&b->on, on, __ATOMIC_SEQ_CST);
}

int offcpu_fd(const struct offcpu *c)
{
	return bpf_map__fd(c->skel->maps.offcpu_ring);
}

int offcpu_drain(struct offcpu *c, offcpu_fn fn, void *ctx)
{
	int ret;

	c->fn = fn;
	c->ctx = ctx;
	ret = ring_buffer__consume(c->ring);
	return MIN(ret, 0);
}

int offcpu_learn(struct offcpu *c, offcpu_lesson_fn fn, void *ctx)
{
	int ret;

	c->learn = fn;
	c->ctx = ctx;
	ret = c->lessons ? ring_buffer__consume(c->lessons) : 0;
	return MIN(ret, 0);
}

int offcpu_sums(struct offcpu *c, offcpu_fn fn, void *ctx)
{
	const int fd = bpf_map__fd(c->skel->maps.offcpu_sums);
	struct offcpu_key key, next;
	void *prev = NULL;
	struct offcpu_sum s;
	int ret = 0;

	while (!ret && !bpf_map_get_next_key(fd, prev, &next)) {
		if (!bpf_map_lookup_elem(fd, &next, &s))
			ret = fn(ctx, &s);
		key = next;
		prev = &key;
	}
	return MIN(ret, 0);
}

bool offcpu_is_replaced(const struct offcpu *c, const struct offcpu_sum *s)
{
	u32 exec_id;

	return !bpf_map_lookup_elem(bpf_map__fd(c->skel->maps.offcpu_execs), &s->tgid, &exec_id) &&
	       exec_id != s->exec_id;
}

/* Of a thread that is away, as far as the programs know: invariant 5 there. */
static bool open_block(struct offcpu_task *t, const struct os *os, u64 end_ns)
{
	const u64 ran_ns = procfs_task_ran_ns(os, (pid_t)t->sum.tid);
	const u64 since_ns = ran_ns > t->ran_ns ? ran_ns - t->ran_ns : 0;

	if (end_ns <= t->left_ns + since_ns)
		return false;
	t->sum.ns = end_ns - t->left_ns - since_ns;
	t->sum.n = 1;
	t->sum.last_ns = os_now_ns() - since_ns;
	return true;
}

int offcpu_stop(struct offcpu *c, const struct os *os, offcpu_fn fn, void *ctx)
{
	const int fd = bpf_map__fd(c->skel->maps.offcpu_tasks);
	struct offcpu_task t;
	u32 key, next;
	void *prev = NULL;
	int ret = 0;

	offcpu_switch(c, false);
	progload_detach_all(c->links, N_PROGS);
	os_wait_cpus();
	while (!ret && !bpf_map_get_next_key(fd, prev, &next)) {
		if (!bpf_map_lookup_elem(fd, &next, &t) && t.flags & OFFCPU_AWAY &&
		    open_block(&t, os, c->skel->bss->frozen_ns))
			ret = fn(ctx, &t.sum);
		key = next;
		prev = &key;
	}
	return MIN(ret, 0);
}

struct offcpu_lost offcpu_lost(const struct offcpu *c)
{
	const struct offcpu_bpf__bss *b = c->skel->bss;

	return (struct offcpu_lost){ __atomic_load_n(&b->n_lost, __ATOMIC_RELAXED),
				     __atomic_load_n(&b->lost_ns, __ATOMIC_RELAXED) };
}
