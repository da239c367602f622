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
#include "util/os/event-fd.h"
#include "util/os/kernel.h"

struct cgcount {
	struct cgcount_bpf *skel;
	int_vec cpus, switches;		/* descriptors, by place in cpus */
	size_t n_events, n_cgroups;
	const struct cgcount_value *sums;
	size_t sums_bytes;
};

static int fail(int code, const struct os *os, struct err *err)
{
	err_sys(err, code, "cannot load the BPF program that counts by cgroup");
	if (code == EPERM || code == EACCES)
		err_hint(err, "it needs root, or CAP_BPF and CAP_PERFMON");
	else if (!os_kernel_at_least(os, 5, 13))
		err_hint(err, "before Linux 5.13 there is no event of switches between cgroups");
	else
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
	for (u32 i = 0; i < o->n_cgroups; i++)
		if (bpf_map_update_elem(ids, &o->ids[i], &i, BPF_ANY))
			return -errno;
	return 0;
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

/* One event a CPU, which happens when it switches from one cgroup to another. */
static int attach(struct cgcount *c, const struct os *os)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CGROUP_SWITCHES, .sample_period = 1,
		.sample_type = PERF_SAMPLE_RAW,
	};
	const int program = bpf_program__fd(c->skel->progs.cgcount_switch);

	for vec_each(cpu, &c->cpus) {
		const int fd = os->perf_event_open(&attr, -1, *cpu, -1, PERF_FLAG_FD_CLOEXEC);
		int ret;

		if (fd < 0)
			return fd;
		vec_push(&c->switches, fd);
		ret = event_fd_bpf(fd, program);
		if (ret)
			return ret;
	}
	return 0;
}

static int load(struct cgcount *c, const struct cgcount_opts *o, const struct os *os)
{
	int ret;

	c->n_events = o->n_events;
	c->n_cgroups = o->n_cgroups;
	for vec_each(cpu, o->cpus)
		vec_push(&c->cpus, *cpu);
	c->skel = cgcount_bpf__open();
	if (!c->skel)
		return -errno;
	ret = set_sizes(c, o);
	if (!ret)
		ret = cgcount_bpf__load(c->skel);
	if (!ret)
		ret = fill_maps(c, o);
	if (!ret)
		ret = map_sums(c);
	if (!ret)
		ret = attach(c, os);
	return ret;
}

int cgcount_open(struct cgcount **out, const struct cgcount_opts *o, const struct os *os,
		 struct err *err)
{
	struct cgcount *c = xnew(struct cgcount);
	int ret;

	*out = NULL;
	progload_log();
	os_want_locked_memory();
	ret = load(c, o, os);
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
	for vec_each(fd, &c->switches)
		close(*fd);
	vec_free(&c->switches);
	vec_free(&c->cpus);
	if (c->sums)
		munmap((void *)(uintptr_t)c->sums, c->sums_bytes);
	if (c->skel)
		cgcount_bpf__destroy(c->skel);
	free(c);
}
