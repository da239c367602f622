// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bpf/progcount.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf/progcount.skel.h"
#include "util/base/xalloc.h"
#include "util/bpf/progload.h"
#include "util/os/rights.h"

/* Two programs for each that is watched; they share the maps of the first pair. */
struct progcount {
	VEC(struct progcount_bpf *) skels;
	int_vec cpus;
	size_t n_events;
	const struct cgcount_value *sums;
	size_t sums_bytes;
};

/* The name of the function that a program is, by its own type information; the caller frees. */
static char *function_of(int fd, int id, struct err *err)
{
	struct bpf_prog_info info = { 0 };
	struct bpf_func_info first = { 0 };
	u32 bytes = sizeof(info);
	struct btf *btf = NULL;
	const struct btf_type *t;
	char *name = NULL;

	if (!bpf_obj_get_info_by_fd(fd, &info, &bytes) && info.btf_id && info.nr_func_info) {
		btf = btf__load_from_kernel_by_id(info.btf_id);
		info = (struct bpf_prog_info){ .nr_func_info = 1,
					       .func_info_rec_size = sizeof(first),
					       .func_info = (u64)(uintptr_t)&first };
		bytes = sizeof(info);
		if (bpf_obj_get_info_by_fd(fd, &info, &bytes))
			first.type_id = 0;
	}
	t = btf && first.type_id ? btf__type_by_id(btf, first.type_id) : NULL;
	if (t)
		name = xstrdup(btf__name_by_offset(btf, t->name_off));
	else
		err_set(err, ENOENT, "the BPF program %d has no type information (BTF): "
			"nothing can be attached to it", id);
	btf__free(btf);
	return name;
}

static int fail(int id, int code, struct err *err)
{
	if (err->code)
		return -err->code;
	err_sys(err, code, "cannot count in the BPF program %d", id);
	if (code == EPERM || code == EACCES)
		err_hint(err, "that needs root, and a kernel that lets BPF programs be attached to "
			 "functions (fentry)");
	else if (code == ENOENT)
		err_hint(err, "'bpftool prog' shows those that there are, with their ids");
	else
		err_hint(err, "-v bpf=2 shows what the kernel says");
	return -code;
}

static int set_sizes(const struct progcount *c, struct progcount_bpf *s, u32 counters)
{
	struct progcount_bpf *first = c->skels.v[0];

	s->rodata->n_events = (u32)c->n_events;
	bpf_map__set_max_entries(s->maps.progcount_events, counters);
	bpf_map__set_max_entries(s->maps.progcount_begun, counters);
	bpf_map__set_max_entries(s->maps.progcount_sums, counters);
	return s == first ? 0 : bpf_map__reuse_fd(s->maps.progcount_events,
						  bpf_map__fd(first->maps.progcount_events)) ?:
		bpf_map__reuse_fd(s->maps.progcount_sums, bpf_map__fd(first->maps.progcount_sums));
}

static int attach_to(struct progcount *c, struct progcount_bpf *s, int fd, const char *function,
		     u32 counters)
{
	int ret = set_sizes(c, s, counters);

	if (!ret)
		ret = bpf_program__set_attach_target(s->progs.progcount_enter, fd, function);
	if (!ret)
		ret = bpf_program__set_attach_target(s->progs.progcount_leave, fd, function);
	if (!ret)
		ret = progcount_bpf__load(s);
	return ret ? ret : progcount_bpf__attach(s);
}

static int add_program(struct progcount *c, int id, u32 counters, struct err *err)
{
	const int fd = bpf_prog_get_fd_by_id((u32)id);
	char *function = fd < 0 ? NULL : function_of(fd, id, err);
	struct progcount_bpf *s = function ? progcount_bpf__open() : NULL;
	int ret = fd < 0 || (function && !s) ? -errno : -ENOENT;

	if (s) {
		vec_push(&c->skels, s);
		ret = attach_to(c, s, fd, function, counters);
	}
	free(function);
	if (fd >= 0)
		close(fd);
	return ret ? fail(id, -ret, err) : 0;
}

static int fill(struct progcount *c, const struct progcount_opts *o)
{
	struct progcount_bpf *s = c->skels.v[0];
	const int events = bpf_map__fd(s->maps.progcount_events);
	void *p = mmap(NULL, c->sums_bytes, PROT_READ, MAP_SHARED,
		       bpf_map__fd(s->maps.progcount_sums), 0);

	if (p == MAP_FAILED)
		return -errno;
	c->sums = p;
	for (size_t e = 0; e < o->n_events; e++)
		for (size_t k = 0; k < o->cpus->n; k++) {
			const u32 key = (u32)o->cpus->v[k] * (u32)o->n_events + (u32)e;
			const int fd = o->fds[e * o->cpus->n + k];

			if (fd >= 0 && bpf_map_update_elem(events, &key, &fd, BPF_ANY))
				return -errno;
		}
	return 0;
}

int progcount_open(struct progcount **out, const struct progcount_opts *o, const struct os *os,
		   struct err *err)
{
	struct progcount *c = xnew(struct progcount);
	const int n_cpus = libbpf_num_possible_cpus();
	const u32 counters = (u32)(n_cpus > 0 ? n_cpus : 1) * (u32)o->n_events;
	int ret = 0;

	*out = NULL;
	*c = (struct progcount){ .n_events = o->n_events };
	c->sums_bytes = (size_t)counters * sizeof(*c->sums);
	progload_log();
	os_want_locked_memory();
	for vec_each(cpu, o->cpus)
		vec_push(&c->cpus, *cpu);
	if (o->n_events > CGCOUNT_EVENTS)
		ret = err_set(err, E2BIG, "more than %d events cannot be counted in BPF programs",
			      CGCOUNT_EVENTS);
	for (size_t i = 0; i < o->programs->n && !ret; i++)
		ret = add_program(c, o->programs->v[i], counters, err);
	if (!ret) {
		ret = fill(c, o);
		if (ret)
			fail(o->programs->v[0], -ret, err);
	}
	if (ret == -EPERM && os_call_is_filtered(os, OS_BPF))
		os_filter_hint(OS_BPF, err);
	if (ret)
		progcount_close(c);
	else
		*out = c;
	return ret;
}

struct cgcount_value progcount_value(const struct progcount *c, size_t event, size_t cpu)
{
	return c->sums[(size_t)c->cpus.v[cpu] * c->n_events + event];
}

void progcount_close(struct progcount *c)
{
	if (!c)
		return;
	if (c->sums)
		munmap((void *)(uintptr_t)c->sums, c->sums_bytes);
	for (size_t i = c->skels.n; i-- > 0;)
		progcount_bpf__destroy(c->skels.v[i]);
	vec_free(&c->skels);
	vec_free(&c->cpus);
	free(c);
}
