/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MACHINE_MACHINE_PRIV_H
#define MACHINE_MACHINE_PRIV_H
/*
 * Inside of the machine room: tasks in task.c, address spaces in space.c, records in machine.c, how many
 * threads run at a time in running.c.
 */
#include <pthread.h>

#include "util/base/arena.h"
#include "util/base/hash.h"
#include "util/base/vec.h"
#include "util/machine/machine.h"

/* A mapping and the versions of its space in which it is valid: [from_v, to_v). */
struct map_ver {
	struct mapping m;	/* first: callers hold &m */
	u32 from_v, to_v;
};

struct live_map { u64 start_va, end_va; struct map_ver *mv; };

/*
 * An address space. Each change makes a new version; ver_ns[k] is the time of the change to version
 * k + 1. Lookups take a version, so that changes at the same time (and recordings without times)
 * keep their order. A fork shares its parent's mappings: what has no mapping of its own here is
 * looked up in base as of base_v. There are no unmap records, so an own mapping always wins.
 */
struct space {
	struct machine *m;
	u64 id;
	VEC(u64) ver_ns;		/* ascending */
	VEC(struct map_ver *) all;	/* owned, in order of creation */
	VEC(struct live_map) live;	/* of the newest version, sorted, without overlaps */
	const struct space *base;	/* parent's space, or NULL */
	u32 base_v;
	/* of the program before exec, valid below version prev_end_v; see space_exec() */
	const struct space *prev;
	u32 prev_v, prev_end_v;
	bool saw_vdso;
	/* some mapping ended: live alone cannot answer for old versions */
	bool cut;
	/* length of the chain of bases; spaces that have this one as base or prev */
	unsigned depth, n_refs;
	/* index of all versions, when cut: sorted by start */
	struct live_map *idx;
	u64 *idx_max;			/* per block of entries: largest end */
	size_t n_idx;
};

struct ns_at { u64 from_ns, dev, ino; };

struct thread_full {
	struct thread t;		/* first: callers hold &t */
	VEC(struct comm *) comms;	/* ascending from_ns; never empty */
	bool unnamed;			/* the first of them is ":TID": no record gave a name yet */
	VEC(struct ns_at) cgroup_ns;	/* ascending from_ns */
};

struct space_at { u64 from_ns; struct space *space; };

struct process {
	u32 pid;
	u64 start_ns;
	unsigned n_threads;
	bool had_threads;		/* without any, its FORK was lost: it may run still */
	/* trimmed: kept only because forks still share its spaces */
	bool gone;
	VEC(struct space_at) spaces;	/* never empty */
};

typedef VEC(u32) u32_vec;
typedef VEC(struct thread_full *) thread_slot;	/* all tasks that had one tid, by start */
typedef VEC(struct process *) process_slot;

struct machine {
	struct dso_store *dsos;
	struct machine_opts opts;
	const struct arch_info *arch;
	struct intern *names;
	struct hmap tids, pids;		/* thread_slot *, process_slot * */
	VEC(struct thread *) threads;	/* by index; trimmed ones are removed */
	int next_thread;
	struct hmap cgroups;		/* id -> interned path */
	struct space *kernel;
	/* as recorded, reaching to KERNEL_IMAGE_BYTES; dso NULL: none */
	struct mapping kernel_map;
	/* a module's init code: reported last, at from_ns; dso NULL: none was */
	struct mapping init_map;
	struct mapping *vsyscall;
	u64 next_space;
	int next_mapping;
	bool frozen;
	pthread_mutex_t late_lock;
	/* (pid, tid) -> thread_full: tasks that only samples know, after freeze */
	struct hmap late;
	struct machine_stats stats;
	struct running *running;	/* NULL: not asked for */
};

/* space.c */
struct space *space_new(struct machine *m);
void space_free(struct space *s);
/* tmpl: start, end, off, dso, prot, flags, ino, kernel. Cuts what it overlaps at t. */
void space_add(struct space *s, const struct mapping *tmpl, u64 t_ns);
void space_cut(struct space *s, u64 start_va, u64 end_va, u64 t_ns);
struct space *space_fork(struct space *parent);
struct space *space_exec(struct space *old);
void space_freeze(struct space *s);
void space_trim(struct space *s, u64 before_ns);

/* running.c */
void running_free(struct running *r);

/* task.c */
/* the newest of that pid; made when there is none */
struct process *process_now(struct machine *m, u32 pid);
struct space *process_space_now(struct process *p);
/* made when there is none or it has ended */
struct thread_full *thread_now(struct machine *m, u32 pid, u32 tid, u64 t_ns);
void thread_set_comm(struct machine *m, struct thread_full *th, const char *name, u64 t_ns,
		     bool exec);
void thread_set_cgroup_ns(struct thread_full *th, u64 dev, u64 ino, u64 t_ns);
void task_fork(struct machine *m, const struct wire_task *t, u64 t_ns, bool fresh_space);
void task_exit(struct machine *m, const struct wire_task *t, u64 t_ns);
void task_exec(struct machine *m, u32 pid, u64 t_ns);
void tasks_free(struct machine *m);
void tasks_freeze(struct machine *m);

#endif
