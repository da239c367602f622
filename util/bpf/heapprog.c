// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bpf/heapprog.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <unistd.h>

#include "bpf/heap.skel.h"
#include "util/base/xalloc.h"
#include "util/bpf/progload.h"
#include "util/os/kernel.h"
#include "util/os/rights.h"
#include "util/os/uprobe-link.h"

/* Where nearly everything is sampled, more is on its way at a time. */
#define FINE_PERIOD 4096
#define FINE_RING_BYTES (128u << 20)
#define FINE_PIECES (4u << 20)

struct heapprog {
	struct heap_bpf *skel;
	struct progload *types;
	enum heapprog_way way;
	struct ring_buffer *ring;
	heapprog_fn fn;			/* while the ring is read */
	void *ctx;
};

static int fail(int code, const struct os *os, struct err *err)
{
	char *btf = os_path(os, OS_BTF);

	err_sys(err, code, "cannot load the BPF programs that see what programs allocate");
	if ((code == EPERM || code == EACCES) &&
	    (os_may(os, CAP_SYS_ADMIN) || os_call_is_filtered(os, OS_BPF)))
		os_bpf_hint(os, code, err);
	else if (code == EPERM || code == EACCES)
		err_hint(err, "they need root, or CAP_BPF, CAP_PERFMON and CAP_SYS_ADMIN");
	else if (access(btf, R_OK))
		err_hint(err, "they need the kernel's type information, which is not there: "
			      OS_BTF " (CONFIG_DEBUG_INFO_BTF)");
	else if (!os_kernel_at_least(os, 5, 17))
		err_hint(err, "before Linux 5.17 the kernel lacks what they need (bpf_loop, "
			      "cookies of probes)");
	else
		err_hint(err, "-v bpf=2 shows what the kernel says to each of them");
	free(btf);
	return -code;
}

static enum heapprog_way best_way(const struct os *os)
{
	return os_kernel_at_least(os, 6, 14) ? HEAPPROG_SESSION :
		os_kernel_at_least(os, 6, 6) ? HEAPPROG_MULTI : HEAPPROG_SINGLE;
}

static void set_ways(const struct heapprog *c)
{
	struct heap_bpf *s = c->skel;
	struct bpf_program *const progs[] = { s->progs.heap_session, s->progs.heap_enter,
					      s->progs.heap_leave };
	const bool session = c->way == HEAPPROG_SESSION;

	for (size_t i = 0; i < ARRAY_SIZE(progs); i++) {
		bpf_program__set_autoload(progs[i], session == !i);
		if (c->way != HEAPPROG_SINGLE)
			bpf_program__set_expected_attach_type(progs[i], (enum bpf_attach_type)
				os_uprobes_attach_type(i ? OS_UPROBES_ENTRY : OS_UPROBES_BOTH));
	}
}

static int set_options(const struct heapprog *c, const struct heapprog_opts *o)
{
	struct heap_bpf *s = c->skel;
	const int cpus = libbpf_num_possible_cpus();
	struct bpf_map *const maps[] = { s->maps.unwind_slots, s->maps.unwind_procs,
					 s->maps.unwind_rules };
	int fds[STACKPROG_TABLES], ret = 0;
	u32 ring_bytes;

	if (o->period < FINE_PERIOD) {
		bpf_map__set_max_entries(s->maps.heap_ring, FINE_RING_BYTES);
		bpf_map__set_max_entries(s->maps.heap_pieces, FINE_PIECES);
	}
	ring_bytes = bpf_map__max_entries(s->maps.heap_ring);
	s->rodata->period = o->period;
	s->rodata->ring_half = ring_bytes / 4;
	s->rodata->ring_most = ring_bytes - ring_bytes / 4;
	s->rodata->pid_ns_dev = o->pid_ns_dev;
	s->rodata->pid_ns = o->pid_ns;
	bpf_map__set_max_entries(s->maps.unwind_buffers, cpus > 0 ? (u32)cpus : 1);
	s->rodata->copies = o->copies_stacks;
	if (!o->stacks)
		return 0;
	s->rodata->unwinds = true;
	s->rodata->slot_mask = stackprog_tables(o->stacks, fds) - 1;
	for (size_t i = 0; i < ARRAY_SIZE(maps) && !ret; i++)
		ret = bpf_map__reuse_fd(maps[i], fds[i]);
	return ret;
}

static int take(void *ctx, void *data, size_t bytes)
{
	const struct heapprog *c = ctx;
	const struct heap_rec *r = data;

	if (bytes < sizeof(*r) ||
	    (r->what == HEAP_RECORD_ALLOC &&
	     r->n_frames > (bytes - sizeof(*r)) / sizeof(u64)) ||
	    (r->what == HEAP_RECORD_STACK && bytes < sizeof(struct heap_stack_rec)))
		return -EINVAL;
	return c->fn(c->ctx, r);
}

static int load(struct heapprog *c, const struct heapprog_opts *o, const struct os *os,
		struct err *err)
{
	static const char *const of_kernel[] = { "task_struct", "mm_struct" };
	LIBBPF_OPTS(bpf_object_open_opts, opts);
	int ret;

	c->types = progload_new_types();
	if (!c->types)
		return -errno;
	opts.btf_custom_path = progload_btf_path(c->types);
	c->skel = heap_bpf__open_opts(&opts);
	if (!c->skel)
		return -errno;
	set_ways(c);
	ret = set_options(c, o);
	if (!ret)
		ret = progload_types(c->types, c->skel->obj, of_kernel, ARRAY_SIZE(of_kernel), os,
				     err);
	if (!ret)
		ret = heap_bpf__load(c->skel);
	if (ret)
		return ret;
	c->ring = ring_buffer__new(bpf_map__fd(c->skel->maps.heap_ring), take, c, NULL);
	return c->ring ? 0 : -errno;
}

int heapprog_open(struct heapprog **out, const struct heapprog_opts *o, const struct os *os,
		  struct err *err)
{
	struct heapprog *c = xnew(struct heapprog);
	struct err reason = ERR_INIT;
	int ret;

	*out = NULL;
	c->way = o->way == HEAPPROG_AUTO ? best_way(os) : o->way;
	progload_log();
	os_want_locked_memory();
	ret = load(c, o, os, &reason);
	if (!ret) {
		*out = c;
		return 0;
	}
	heapprog_close(c);
	if (reason.msg)
		err_set(err, reason.code, "%s", reason.msg);
	else
		ret = fail(-ret, os, err);
	err_release(&reason);
	return ret;
}

void heapprog_close(struct heapprog *c)
{
	if (!c)
		return;
	ring_buffer__free(c->ring);
	if (c->skel)
		heap_bpf__destroy(c->skel);
	progload_free(c->types);
	free(c);
}

void heapprog_switch(struct heapprog *c, bool on)
{
	__atomic_store_n((u8 *)&c->skel->bss->on, on, __ATOMIC_SEQ_CST);
}

int heapprog_fd(const struct heapprog *c)
{
	return bpf_map__fd(c->skel->maps.heap_ring);
}

enum heapprog_way heapprog_way(const struct heapprog *c)
{
	return c->way;
}

/* ---- probes ---- */

static int link_many(const struct bpf_program *prog, enum os_uprobes kind,
		     const struct heapprog_place *p, int_vec *fds)
{
	const int fd = os_link_uprobes(&(struct os_uprobe_link){
		.program = bpf_program__fd(prog), .kind = kind, .path = p->path, .pid = p->pid,
		.offs = p->offs, .cookies = p->cookies, .n = p->n });

	if (fd < 0)
		return fd;
	vec_push(fds, fd);
	return 0;
}

static int link_one(const struct heapprog *c, const struct heapprog_place *p, size_t i, bool ret,
		    const struct os *os, int_vec *fds)
{
	const struct bpf_program *prog = ret ? c->skel->progs.heap_leave :
		c->skel->progs.heap_enter;
	LIBBPF_OPTS(bpf_link_create_opts, opts, .perf_event.bpf_cookie = p->cookies[i]);
	const int event = os_open_uprobe(os, p->path, p->offs[i], ret, p->pid);
	int fd;

	if (event < 0)
		return event;
	vec_push(fds, event);
	fd = bpf_link_create(bpf_program__fd(prog), event, BPF_PERF_EVENT, &opts);
	if (fd < 0)
		return fd;
	vec_push(fds, fd);
	return 0;
}

static int link_singles(struct heapprog *c, const struct heapprog_place *p, const struct os *os,
			int_vec *fds)
{
	int ret = 0;

	for (size_t i = 0; i < p->n && !ret; i++) {
		ret = link_one(c, p, i, false, os, fds);
		if (!ret && p->cookies[i] != HEAP_FREE)
			ret = link_one(c, p, i, true, os, fds);
	}
	return ret;
}

int heapprog_attach(struct heapprog *c, const struct heapprog_place *p, const struct os *os,
		    int_vec *fds, struct err *err)
{
	int ret;

	if (c->way == HEAPPROG_SESSION) {
		ret = link_many(c->skel->progs.heap_session, OS_UPROBES_BOTH, p, fds);
	} else if (c->way == HEAPPROG_MULTI) {
		ret = link_many(c->skel->progs.heap_leave, OS_UPROBES_RETURN, p, fds);
		if (!ret)
			ret = link_many(c->skel->progs.heap_enter, OS_UPROBES_ENTRY, p, fds);
	} else {
		ret = link_singles(c, p, os, fds);
	}
	if (!ret)
		return 0;
	err_sys(err, -ret, "cannot probe the functions of '%s' that allocate memory", p->name);
	if (ret == -ENOENT || ret == -EOPNOTSUPP || ret == -EINVAL)
		err_hint(err, "that needs uprobes (CONFIG_UPROBES, CONFIG_UPROBE_EVENTS and "
			 "CONFIG_BPF_EVENTS)");
	return ret;
}

/* ---- reading ---- */

int heapprog_drain(struct heapprog *c, heapprog_fn fn, void *ctx)
{
	int ret;

	c->fn = fn;
	c->ctx = ctx;
	ret = ring_buffer__consume(c->ring);
	return MIN(ret, 0);
}

#define KEYS_AT_ONCE 4096

/* As the programs do it. */
static void forget_piece(struct heapprog *c, int map, const struct heap_key *key)
{
	if (!bpf_map_delete_elem(map, key))
		__atomic_fetch_sub(&c->skel->bss->heap_marks[HEAP_MARK(key->ptr, key->tgid)], 1,
				   __ATOMIC_RELAXED);
}

void heapprog_forget(struct heapprog *c, const struct hmap *tgids)
{
	const int map = bpf_map__fd(c->skel->maps.heap_pieces);
	struct heap_key *keys = xcalloc(KEYS_AT_ONCE, sizeof(*keys));
	struct heap_live *values = xcalloc(KEYS_AT_ONCE, sizeof(*values));
	u32 at = 0, n;
	void *from = NULL;
	int ret = 0;

	while (!ret) {
		n = KEYS_AT_ONCE;
		ret = bpf_map_lookup_batch(map, from, &at, keys, values, &n, NULL);
		from = &at;
		for (u32 i = 0; (!ret || ret == -ENOENT) && i < n; i++)
			if (hmap_get(tgids, keys[i].tgid))
				forget_piece(c, map, &keys[i]);
	}
	free(keys);
	free(values);
}

struct heap_lost heapprog_lost(const struct heapprog *c)
{
	const volatile struct heap_lost *l = (const volatile struct heap_lost *)
		&c->skel->bss->lost;

	return (struct heap_lost){ l->n_allocs, l->weight, l->n_full, l->full_weight, l->n_frees,
				   l->n_pending };
}

struct heap_totals heapprog_totals(const struct heapprog *c)
{
	const int n_cpus = libbpf_num_possible_cpus();
	struct heap_totals *all = xcalloc((size_t)MAX(n_cpus, 1), sizeof(*all)), sum = { 0, 0, 0 };
	const u32 zero = 0;

	if (!bpf_map_lookup_elem(bpf_map__fd(c->skel->maps.heap_sums), &zero, all))
		for (int i = 0; i < n_cpus; i++) {
			sum.n_allocs += all[i].n_allocs;
			sum.bytes += all[i].bytes;
			sum.n_frees += all[i].n_frees;
		}
	free(all);
	return sum;
}
