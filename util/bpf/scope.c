// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bpf/scope.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/base/xalloc.h"
#include "util/os/kernel.h"

bool scope_cpus(u64 *words, const int_vec *list)
{
	for (size_t i = 0; list && i < list->n; i++) {
		const int cpu = list->v[i];

		if (cpu >= 0 && cpu < SCOPE_CPU_WORDS * 64)
			words[cpu / 64] |= 1ULL << cpu % 64;
	}
	return list && list->n;
}

u32 scope_size_cgroups(struct bpf_map *map, const int_vec *fds)
{
	const u32 n = fds ? (u32)fds->n : 0;

	if (n)
		bpf_map__set_max_entries(map, n);
	return n;
}

int scope_put_cgroups(const struct bpf_map *map, const int_vec *fds, const char *what,
		      struct err *err)
{
	for (u32 i = 0; fds && i < fds->n; i++)
		if (bpf_map_update_elem(bpf_map__fd(map), &i, &fds->v[i], BPF_ANY))
			return err_set(err, ENOTSUP, "%s by cgroup only in a hierarchy of version "
				       "2", what);
	return 0;
}

static int put_task(const struct bpf_map *map, pid_t tid, u32 flags)
{
	const u32 key = (u32)tid;

	return bpf_map_update_elem(bpf_map__fd(map), &key, &flags, BPF_ANY) ? -errno : 0;
}

static int put_tasks(const struct bpf_map *map, const int_vec *tids, pid_t held)
{
	int ret = held ? put_task(map, held, SCOPE_FROM_EXEC) : 0;

	for (size_t i = 0; tids && i < tids->n && !ret; i++)
		if (tids->v[i] != held)
			ret = put_task(map, tids->v[i], 0);
	return ret;
}

int scope_put(const struct bpf_map *watched, const struct bpf_map *cgroups,
	      const struct scope_opts *o, const char *what, struct err *err)
{
	const int ret = o->tids ? put_tasks(watched, o->tids, o->held) : 0;

	return ret ? ret : scope_put_cgroups(cgroups, o->cgroup_fds, what, err);
}

u32 scope_pid_ns(void)
{
	u64 dev, ns;

	return os_inner_pids(&dev, &ns) ? (u32)ns : 0;
}

u64 scope_count_keys(const struct bpf_map *map)
{
	const int fd = bpf_map__fd(map);
	char *keys = xmalloc(2 * bpf_map__key_size(map)), *next = keys;
	void *prev = NULL;
	u64 n = 0;

	for (; !bpf_map_get_next_key(fd, prev, next); n++) {
		prev = next;
		next = next == keys ? keys + bpf_map__key_size(map) : keys;
	}
	free(keys);
	return n;
}
