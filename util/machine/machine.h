/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H
/*
 * Who ran where: processes, threads, comms and address spaces, each with the time it was valid.
 * Objects are never freed before the machine is: pointers to threads, comms, mappings are stable.
 * After machine_freeze() everything is read-only and any thread may ask; before, one owner applies
 * records in time order per task, and between two of them any thread may ask for spaces and
 * mappings, and one at a time for threads. Times are those of the recording, ns; without times (0
 * everywhere) the order of application counts.
 */
#include "util/base/hash.h"
#include "util/symbols/dso.h"
#include "util/wire/wire.h"

struct machine;
struct process;
struct space;

/* name interned in the machine: equal names, equal pointers */
struct comm { const char *name; u64 from_ns; bool exec; };

struct thread {
	u32 pid, tid;
	u32 ppid;
	struct process *process;
	u64 start_ns, end_ns;		/* end U64_MAX while alive */
	/* creation order, stable and the same for any number of worker threads */
	int index;
};

struct mapping {
	u64 start_va, end_va;
	/* file offset of start_va; for the kernel, perf maps and anonymous memory: start_va itself;
	 * for modules: where they were loaded first; for BPF programs: offset in them */
	u64 off;
	u64 from_ns, to_ns;		/* valid in [from, to) */
	struct dso *dso;
	u32 prot, flags;
	u64 ino;
	bool kernel;
	int index;			/* unique in its machine */
};

struct machine_opts {
	const struct arch_info *arch;	/* NULL: host */
	bool swap;		/* it has the other byte order than this one */
	/* a task's last comm is valid for ever (default in all commands) */
	bool keep_comm_after_exit;
};

/* store is borrowed and must outlive the machine. */
struct machine *machine_new(struct dso_store *store, const struct machine_opts *opts);
void machine_free(struct machine *m);

/* Applies one side-band record (MMAP, MMAP2, COMM, FORK, EXIT, NAMESPACES, CGROUP, KSYMBOL, ...;
 * others are ignored). time_ns: of the record's trailing id. -EINVAL with *why for an undecodable
 * one. */
int machine_apply(struct machine *m, const struct perf_event_header *rec, u64 time_ns,
		  const char **reason);
/* Ends the changes: sorts versions, makes lookups lock-free. */
void machine_freeze(struct machine *m);
/* For long live runs: forgets tasks and mappings that ended before. Only without freeze;
 * pointers to those become invalid. kept: threads that stay all the same (keys are pointers to
 * them); NULL: none. */
void machine_trim(struct machine *m, u64 before_ns, const struct hmap *kept);

/* used: of n files, by index: those that something maps, now or at a time that is not forgotten. */
void machine_mark_dsos(const struct machine *m, bool *used, size_t n);

/* The thread at time t (pids are reused); makes an unnamed one when unknown (also when frozen:
 * then its index depends on its tid only, and machine_threads() does not list it). Never NULL. */
struct thread *machine_thread_at(struct machine *m, u32 pid, u32 tid, u64 t_ns);
/* The process of the thread that had this tid then, or first; (u32)-1: no such thread is known. */
u32 machine_pid_at(const struct machine *m, u32 tid, u64 t_ns);
/* Its first name holds before it was known, too. Threads that were never named get ":TID", tid 0
 * is "swapper". */
const struct comm *thread_comm_at(const struct thread *th, u64 t_ns);
/* The cgroup namespace, by device and inode, as --namespaces records it; false: unknown. */
bool thread_cgroup_ns_at(const struct thread *th, u64 t_ns, u64 *dev, u64 *ino);
size_t machine_threads(const struct machine *m, struct thread *const **out);	/* by index */

/* user address space of its process (exec makes a new one) */
struct space *thread_space_at(struct thread *th, u64 t_ns);
struct space *machine_kernel_space(struct machine *m);
/* NULL when nothing is mapped there at t. */
const struct mapping *space_find(const struct space *s, u64 va, u64 t_ns);
/* The kernel's own mapping: its image reaches beyond what is recorded (init sections). NULL:
 * none was recorded. */
const struct mapping *machine_kernel_map(const struct machine *m);
/* The page that x86-64 kernels show all programs at a fixed address; NULL elsewhere. Any thread. */
const struct mapping *machine_vsyscall(struct machine *m, u64 va);
/* changes whenever a lookup might change: key for caches */
u32 space_version(const struct space *s, u64 t_ns);
u64 space_id(const struct space *s);			/* unique in the machine */
u64 mapping_rva(const struct mapping *map, u64 va);
/* Whether the path of a mapping's record says that no file is after it: code there was made at
 * run time. */
bool machine_is_anon(const char *path);
/* "[NAME.init.text]" in the kernel: code that the module NAME ran while it was loaded. */
bool machine_is_module_init(const char *path);
/* By PERF_SAMPLE_CGROUP id; NULL: unknown. */
const char *machine_cgroup(const struct machine *m, u64 id);
const struct arch_info *machine_arch(const struct machine *m);	/* of the recorded machine */
/* Before its samples are looked at. */
void machine_set_arch(struct machine *m, const struct arch_info *arch);
bool machine_swapped(const struct machine *m);	/* its memory has the other byte order */
/* Where the kernel begins on this machine (addresses from it on are kernel's). */
bool machine_is_kernel_va(const struct machine *m, u64 va);

/* threads, processes: that are known now, and were not trimmed. */
struct machine_stats { u64 threads, processes, forks, exits, mmaps, comms, unknown_threads,
		       bad_records, guest_records; };
void machine_get_stats(const struct machine *m, struct machine_stats *out);

#endif
