// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bpf/sharecount.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf/share.skel.h"
#include "util/base/xalloc.h"
#include "util/bpf/progload.h"
#include "util/os/kernel.h"
#include "util/os/rights.h"

/* different events that are counted at the same time, and that were before */
#define TABLE_ENTRIES 4096

struct sharecount {
	struct share_bpf *skel;
	int_vec cpus;
	const struct cgcount_value *values;
	size_t values_bytes;
};

static int fail(int code, const char *what, const struct os *os, struct err *err)
{
	err_sys(err, code, "cannot share counters: %s", what);
	if (code == ENOENT)
		err_hint(err, "the BPF file system may not be there: mount -t bpf bpf /sys/fs/bpf");
	else if (!os_kernel_at_least(os, 5, 10))
		err_hint(err, "it needs Linux 5.10");
	else if (!os_bpf_hint(os, code, err))
		err_hint(err, "-v bpf=2 shows what the kernel says to it");
	return -code;
}

/* --- the table */

static int check_table(int fd, const char *path, struct err *err)
{
	struct bpf_map_info info = { 0 };
	u32 bytes = sizeof(info);

	if (!bpf_obj_get_info_by_fd(fd, &info, &bytes) && info.type == BPF_MAP_TYPE_HASH &&
	    info.key_size == sizeof(struct perf_event_attr) && info.value_size == sizeof(u32))
		return 0;
	err_set(err, EEXIST, "cannot share counters: '%s' is not of this version of perf", path);
	err_hint(err, "--bpf-attr-map names another file there");
	return -EEXIST;
}

int sharecount_table(const char *path, const struct os *os, struct err *err)
{
	int fd, ret;

	progload_log();
	os_want_locked_memory();
	fd = bpf_obj_get(path);
	if (fd < 0 && errno == ENOENT) {
		fd = bpf_map_create(BPF_MAP_TYPE_HASH, "perf_shared",
				    sizeof(struct perf_event_attr), sizeof(u32), TABLE_ENTRIES,
				    NULL);
		/* somebody else may have been faster */
		if (fd >= 0 && bpf_obj_pin(fd, path)) {
			ret = errno;
			close(fd);
			fd = ret == EEXIST ? bpf_obj_get(path) : -1;
			errno = fd < 0 && ret != EEXIST ? ret : errno;
		}
	}
	if (fd < 0)
		return fail(errno, path, os, err);
	ret = check_table(fd, path, err);
	if (!ret && flock(fd, LOCK_EX))
		ret = fail(errno, path, os, err);
	if (ret)
		close(fd);
	return ret ? ret : fd;
}

/* --- one event */

/* events: the map that others have; -1: a new one. */
static int load(struct sharecount *s, int events)
{
	const int n = libbpf_num_possible_cpus();
	const u32 n_cpus = n > 0 ? (u32)n : 1;
	void *p;
	int ret;

	s->skel = share_bpf__open();
	if (!s->skel)
		return -errno;
	bpf_map__set_max_entries(s->skel->maps.share_values, n_cpus);
	if (events >= 0)
		ret = bpf_map__reuse_fd(s->skel->maps.share_events, events);
	else
		ret = bpf_map__set_max_entries(s->skel->maps.share_events, n_cpus);
	if (!ret)
		ret = share_bpf__load(s->skel);
	if (ret)
		return ret;
	s->values_bytes = n_cpus * sizeof(*s->values);
	p = mmap(NULL, s->values_bytes, PROT_READ, MAP_SHARED,
		 bpf_map__fd(s->skel->maps.share_values), 0);
	if (p == MAP_FAILED)
		return -errno;
	s->values = p;
	return 0;
}

static struct sharecount *new_share(const int_vec *cpus)
{
	struct sharecount *s = xnew(struct sharecount);

	for vec_each(cpu, cpus)
		vec_push(&s->cpus, *cpu);
	return s;
}

int sharecount_find(struct sharecount **out, int table, const struct sharecount_of *of)
{
	struct sharecount *s;
	u32 id;
	int events, ret;

	*out = NULL;
	if (bpf_map_lookup_elem(table, of->attr, &id))
		return -ENOENT;
	events = bpf_map_get_fd_by_id(id);
	if (events < 0)
		return -ENOENT;		/* who counted it is gone */
	s = new_share(of->cpus);
	ret = load(s, events);
	close(events);
	/* the number may be that of another map by now, or others count on other CPUs */
	if (ret || sharecount_read(s)) {
		sharecount_close(s);
		return -ENOENT;
	}
	*out = s;
	return 0;
}

static int fill(struct sharecount *s, int table, const struct perf_event_attr *attr, const int *fds)
{
	const int map = bpf_map__fd(s->skel->maps.share_events);
	struct bpf_map_info info = { 0 };
	u32 bytes = sizeof(info);

	for (size_t i = 0; i < s->cpus.n; i++) {
		const u32 cpu = (u32)s->cpus.v[i];

		if (fds[i] >= 0 && bpf_map_update_elem(map, &cpu, &fds[i], BPF_ANY))
			return -errno;
	}
	if (bpf_obj_get_info_by_fd(map, &info, &bytes) ||
	    bpf_map_update_elem(table, attr, &info.id, BPF_ANY))
		return -errno;
	return 0;
}

int sharecount_add(struct sharecount **out, int table, const struct sharecount_of *of,
		   const int *fds, const struct os *os, struct err *err)
{
	struct sharecount *s = new_share(of->cpus);
	int ret = load(s, -1);

	*out = NULL;
	if (!ret)
		ret = fill(s, table, of->attr, fds);
	if (!ret)
		ret = sharecount_read(s);
	if (ret) {
		sharecount_close(s);
		return fail(-ret, "the BPF program that reads them does not work", os, err);
	}
	*out = s;
	return 0;
}

int sharecount_read(struct sharecount *s)
{
	const int program = bpf_program__fd(s->skel->progs.share_read);
	int ret = 0;

	for vec_each(cpu, &s->cpus) {
		LIBBPF_OPTS(bpf_test_run_opts, opts, .flags = BPF_F_TEST_RUN_ON_CPU,
			    .cpu = (u32)*cpu);

		if (bpf_prog_test_run_opts(program, &opts))
			ret = -errno;
		else if (opts.retval)
			ret = -ENOENT;
	}
	return ret;
}

struct cgcount_value sharecount_value(const struct sharecount *s, size_t cpu)
{
	return s->values[s->cpus.v[cpu]];
}

void sharecount_close(struct sharecount *s)
{
	if (!s)
		return;
	if (s->values)
		munmap((void *)(uintptr_t)s->values, s->values_bytes);
	if (s->skel)
		share_bpf__destroy(s->skel);
	vec_free(&s->cpus);
	free(s);
}
