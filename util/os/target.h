/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_TARGET_H
#define OS_TARGET_H
/*
 * What to watch: processes, threads, CPUs, users, a workload; and its expansion to (tid, cpu) pairs
 * for perf_event_open(2).
 */
#include "util/os/os.h"

struct target {
	/* as given on the command line; borrowed */
	const char *pid, *tid;		/* "1,2" */
	const char *cpu_list;		/* "0-3,7" */
	const char *user;		/* name or number */
	bool system_wide;		/* -a */
	bool per_thread;		/* one event per thread, no inheritance to CPUs */
	/* watched threads are opened once on each online CPU: rings with inheritance need it */
	bool per_cpu;
	bool no_inherit;
	/* with user and system_wide: everybody is watched, and this BPF program (uid-program.h)
	 * keeps the samples of others out. 0: none. Owned. */
	int uid_program;
	/* resolved by target_resolve(); owned */
	/* threads to watch; { -1 } for system-wide; a workload's pid is put there by its owner */
	int_vec tids;
	int_vec cpus;			/* CPUs to watch; { -1 } for "any CPU of these threads" */
};

/* Checks that the choices go together and fills tids and cpus. Unknown pid: -ESRCH naming it;
 * unknown user: -EINVAL. */
int target_resolve(struct target *t, const struct os *os, struct err *err);
/* The number of a user that is given by name or number; unknown: -EINVAL. */
int target_find_user(const char *name, uid_t *uid, struct err *err);
/* true when nothing but a workload can be the target. */
bool target_none(const struct target *t);
void target_release(struct target *t);

#endif
