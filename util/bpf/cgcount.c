// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bpf/cgcount.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf/cgcount.skel.h"
#include "util/base/xalloc.h"
#include "util/bpf/progload.h"
#include "util/os/facts.h"
#include "util/os/kernel.h"
#include "util/os/rights.h"

struct cgcount {
	struct cgcount_bpf *skel;
	struct progload *progs;
	int switches;			/* a descriptor; 0: none */
	struct bpf_link *moves;		/* NULL: they are seen at the next switch only */
	int_vec cpus;
	size_t n_events, n_cgroups;
	const struct cgcount_value *sums;
	size_t sums_bytes;
};

static int fail(int code, const struct os *os, struct err *err)
{
	err_sys(err, code, "cannot load the BPF program that counts by cgroup");
	if (!os_kernel_at_least(os, 5, 17))
		err_hint(err, "it needs Linux 5.17");
	else if (!os_bpf_hint(os, code, err))
		err_hint(err, "-v bpf=2 shows what the kernel says to it");
	return -code;
}

static int set_sizes(struct cgcount *c, const struct cgcount_opts *o)
{
	struct cgcount_bpf *s = c->skel;
	const int n_cpus = libbpf_num_possible_cpus();
	const u64 counters = (u64)(n_cpus > 0 ? n_cpus : 1) * o->n_events,
		sums = counters * o->n_cgroups;

	if (o->n_events > CGCOUNT_EVENTS || sums > UINT32_MAX / sizeof(*c->sums))
		return -E2BIG;
	s->rodata->n_events = (u32)o->n_events;
	s->rodata->n_cgroups = (u32)o->n_cgroups;
	bpf_map__set_max_entries(s->maps.cgcount_events, (u32)counters);
	bpf_map__set_max_entries(s->maps.cgcount_last, (u32)counters);
	bpf_map__set_max_entries(s->maps.cgcount_sums, (u32)sums);
	bpf_map__set_max_entries(s->maps.cgcount_ids, (u32)o->n_cgroups);
	c->sums_bytes = (size_t)sums * sizeof(*c->sums);
	return 0;
}

/* All at once; a name that is given twice: the last one counts. */
static int put_ids(int map, const struct cgcount_opts *o)
{
	u32 *numbers = xcalloc(o->n_cgroups, sizeof(*numbers)), n = (u32)o->n_cgroups;
	int ret;

	for (u32 i = 0; i < n; i++)
		numbers[i] = i;
	ret = bpf_map_update_batch(map, o->ids, numbers, &n, NULL) ? -errno : 0;
	free(numbers);
	return ret;
}

static int fill_maps(struct cgcount *c, const struct cgcount_opts *o)
{
	const int events = bpf_map__fd(c->skel->maps.cgcount_events),
		ids = bpf_map__fd(c->skel->maps.cgcount_ids);

	for (size_t e = 0; e < o->n_events; e++)
		for (size_t k = 0; k < o->cpus->n; k++) {
			const u32 key = (u32)o->cpus->v[k] * (u32)o->n_events + (u32)e;
			const int fd = o->fds[e * o->cpus->n + k];

			if (fd >= 0 && bpf_map_update_elem(events, &key, &fd, BPF_ANY))
				return -errno;
		}
	return put_ids(ids, o);
}

static int map_sums(struct cgcount *c)
{
	void *p = mmap(NULL, c->sums_bytes, PROT_READ, MAP_SHARED,
		       bpf_map__fd(c->skel->maps.cgcount_sums), 0);

	if (p == MAP_FAILED)
		return -errno;
	c->sums = p;
	return 0;
}

static int attach(struct cgcount *c)
{
	c->switches = progload_attach(c->progs, "cgcount_switch");
	if (c->switches < 0)
		return c->switches;
	/* without kprobes what a task did before it moved itself counts where it is now */
	if (bpf_program__autoload(c->skel->progs.cgcount_move))
		c->moves = bpf_program__attach_kprobe(c->skel->progs.cgcount_move, false,
						      "cgroup_attach_task");
	return 0;
}

static int load(struct cgcount *c, const struct cgcount_opts *o, const struct os *os,
		struct err *err)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts);
	int ret;

	c->n_events = o->n_events;
	c->n_cgroups = o->n_cgroups;
	for vec_each(cpu, o->cpus)
		vec_push(&c->cpus, *cpu);
	c->progs = progload_new();
	if (!c->progs)
		return -errno;
	opts.btf_custom_path = progload_btf_path(c->progs);
	c->skel = cgcount_bpf__open_opts(&opts);
	if (!c->skel)
		return -errno;
	ret = set_sizes(c, o);
	bpf_program__set_autoload(c->skel->progs.cgcount_move, os_has_kprobes(os));
	if (!ret)
		ret = progload_types(c->progs, c->skel->obj, NULL, 0, os, err);
	if (!ret)
		ret = cgcount_bpf__load(c->skel);
	if (!ret)
		ret = progload_run(c->progs);
	if (!ret)
		ret = fill_maps(c, o);
	if (!ret)
		ret = map_sums(c);
	if (!ret)
		ret = attach(c);
	return ret;
}

int cgcount_open(struct cgcount **out, const struct cgcount_opts *o, const struct os *os,
		 struct err *err)
{
	struct cgcount *c = xnew(struct cgcount);
	struct err reason = ERR_INIT;
	int ret;

	*out = NULL;
	progload_log();
	os_want_locked_memory();
	ret = load(c, o, os, &reason);
	err_release(&reason);
	if (!ret) {
		*out = c;
		return 0;
	}
	cgcount_close(c);
	return fail(-ret, os, err);
}

int cgcount_read(struct cgcount *c)
{
	const int program = bpf_program__fd(c->skel->progs.cgcount_read);
	int ret = 0;

	for vec_each(cpu, &c->cpus) {
		LIBBPF_OPTS(bpf_test_run_opts, opts, .flags = BPF_F_TEST_RUN_ON_CPU,
			    .cpu = (u32)*cpu);

		/* of a CPU that is offline now, all is counted already */
		if (bpf_prog_test_run_opts(program, &opts) && errno != ENXIO && errno != EINVAL)
			ret = -errno;
	}
	return ret;
}

struct cgcount_value cgcount_value(const struct cgcount *c, size_t event, size_t cpu,
				   size_t cgroup)
{
	const size_t at = ((size_t)c->cpus.v[cpu] * c->n_events + event) * c->n_cgroups + cgroup;

	return c->sums[at];
}

void cgcount_close(struct cgcount *c)
{
	if (!c)
		return;
	bpf_link__destroy(c->moves);
	if (c->switches > 0)
		close(c->switches);
	vec_free(&c->cpus);
	if (c->sums)
		munmap((void *)(uintptr_t)c->sums, c->sums_bytes);
	if (c->skel)
		cgcount_bpf__destroy(c->skel);
	progload_free(c->progs);
	free(c);
}
