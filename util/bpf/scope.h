/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BPF_SCOPE_H
#define BPF_SCOPE_H
/*
 * Whom the programs watch that include scope.inc and watch.inc. Others only fill in a struct
 * scope_opts; the functions are for the loaders in this room, between opening and loading
 * (SCOPE_SET, cpus, size_cgroups) and after loading (the others). One owner.
 */
#include <unistd.h>

#include "util/base/err.h"
#include "util/base/num.h"
#include "util/wire/scoperec.h"

struct bpf_map;

struct scope_opts {
	const int_vec *tids;	/* threads, and what they start; NULL: all of the system but us */
	pid_t held;		/* with tids: one more, from its next execve on; 0: none */
	const int_vec *cpus;	/* NULL: any */
	/* only tasks in one of these, at most SCOPE_MAX_CGROUPS of version 2; NULL: any */
	const int_vec *cgroup_fds;
};

/* words[SCOPE_CPU_WORDS]; list NULL: any CPU counts, which false says. */
bool scope_cpus(u64 *words, const int_vec *list);
/* fds: of directories of cgroup version 2, at most SCOPE_MAX_CGROUPS; NULL: none. Their number. */
u32 scope_size_cgroups(struct bpf_map *map, const int_vec *fds);
/* what: "waits are counted", for the message. */
int scope_put_cgroups(const struct bpf_map *map, const int_vec *fds, const char *what,
		      struct err *err);

/* Tells the skeleton s, of programs that include watch.inc. */
#define SCOPE_SET(s, o) \
	do { \
		(s)->rodata->everyone = !(o)->tids; \
		(s)->rodata->own_tgid = (u32)getpid(); \
		(s)->rodata->pid_ns = scope_pid_ns(); \
		(s)->rodata->by_cpu = scope_cpus((s)->rodata->cpus, (o)->cpus); \
		(s)->rodata->n_cgroups = scope_size_cgroups((s)->maps.scope_cgroups, \
							    (o)->cgroup_fds); \
		bpf_program__set_autoload((s)->progs.watch_child, (o)->tids); \
		bpf_program__set_autoload((s)->progs.watch_exec, (o)->tids); \
		bpf_program__set_autoload((s)->progs.watch_exit, (o)->tids); \
	} while (0)
u32 scope_pid_ns(void);			/* of this process; 0: the first one */
/* The threads that are there now, and the cgroups. */
int scope_put(const struct bpf_map *watched, const struct bpf_map *cgroups,
	      const struct scope_opts *o, const char *what, struct err *err);
u64 scope_count_keys(const struct bpf_map *map);

#endif
