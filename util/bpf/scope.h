/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BPF_SCOPE_H
#define BPF_SCOPE_H
/*
 * Whom the programs watch that include scope.inc and watch.inc: their variables and maps are filled
 * in here, between opening and loading (cpus, size_cgroups) and after loading (the others). Only for
 * this room; with libbpf. One owner.
 */
#include "util/base/err.h"
#include "util/base/num.h"
#include "util/wire/scoperec.h"

struct bpf_map;

/* words[SCOPE_CPU_WORDS]; list NULL: any CPU counts, which false says. */
bool scope_cpus(u64 *words, const int_vec *list);
/* fds: of directories of cgroup version 2, at most SCOPE_MAX_CGROUPS; NULL: none. Their number. */
u32 scope_size_cgroups(struct bpf_map *map, const int_vec *fds);
/* what: "waits are counted", for the message. */
int scope_put_cgroups(const struct bpf_map *map, const int_vec *fds, const char *what,
		      struct err *err);

/* Of the map "watched": these threads (NULL: none), and held from its next execve on (0: none). 0
 * or -errno. */
int scope_put_tasks(const struct bpf_map *map, const int_vec *tids, pid_t held);

#endif
