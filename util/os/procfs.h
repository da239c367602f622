/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_PROCFS_H
#define OS_PROCFS_H
/*
 * /proc as plain structs. Formats: proc(5). A process that vanishes while it is read is -ESRCH,
 * never a partial lie.
 */
#include <sys/types.h>

#include "util/os/os.h"

struct procfs_map {	/* one line of /proc/PID/maps */
	u64 start_va, end_va, off;	/* off: file offset in bytes */
	u32 prot, flags;		/* PROT_*, MAP_SHARED or MAP_PRIVATE */
	u32 maj, min;
	u64 ino;
	/* borrowed until the callback returns; "//anon" for unnamed, "[vdso]", "/x (deleted)" */
	const char *path;
};

/* Calls fn for each mapping in address order; fn's non-zero return stops and is returned.
 * timeout_ms 0: none; -ETIMEDOUT. */
int procfs_maps(const struct os *os, pid_t pid, unsigned timeout_ms,
		int (*fn)(void *ctx, const struct procfs_map *m),
		void *ctx, struct err *err);

struct procfs_status {
	char comm[64];			/* as in status, without escapes */
	pid_t tgid, ppid, session;
	dev_t tty;			/* that its session has; 0: none */
	uid_t uid;
	char state;			/* R S D ... */
	u64 start_ticks;		/* field 22 of stat */
	/* innermost NSpid of the thread, tid itself without a pid namespace */
	pid_t ns_pid;
};
int procfs_status(const struct os *os, pid_t tid, struct procfs_status *out, struct err *err);
/* CPU time since the start: of CPUs (NULL: all; sorted), or of a task with its children that were
 * waited for. In steps of a tick, 10 ms as a rule. */
int procfs_cpu_times(const struct os *os, const int_vec *cpus, u64 *user_ns, u64 *system_ns);
int procfs_task_times(const struct os *os, pid_t tid, u64 *user_ns, u64 *system_ns);
/* The time that a thread has run so far; 0: nobody knows, or it is gone. */
u64 procfs_task_ran_ns(const struct os *os, pid_t tid);
/* The name of a thread, without the end of its line. */
int procfs_comm(const struct os *os, pid_t pid, pid_t tid, struct str *out);
/* The identity of a namespace ("net") that a thread is in; false: not known. */
bool procfs_namespace(const struct os *os, pid_t tid, const char *name, u64 *dev, u64 *ino);
/* Unix times: when the machine was booted, and when a process began; 0: unknown. */
u64 procfs_booted_s(const struct os *os);
u64 procfs_started_s(const struct os *os, const struct procfs_status *st);
/* Threads of a process / all processes, ascending. */
int procfs_tasks(const struct os *os, pid_t pid, int_vec *tids, struct err *err);
int procfs_pids(const struct os *os, int_vec *pids, struct err *err);
/* The error of a process or thread ("thread") that is not there: -ESRCH, or -ENOENT where no
 * /proc is mounted. */
int procfs_missing(const struct os *os, const char *what, pid_t pid, struct err *err);
/* true while the process exists (zombies too). */
bool procfs_alive(const struct os *os, pid_t pid);
/* Whether it holds perf events open, as far as the caller may see that. */
bool procfs_has_events(const struct os *os, pid_t pid);
/* Names, for os_path() and for messages; the caller frees: of a path below a process's root
 * directory, and of the file behind a mapping, whatever became of its name. */
char *procfs_root_name(pid_t pid, const char *path);
char *procfs_mapping_name(pid_t pid, u64 start_va, u64 end_va);
char *procfs_fd_name(int fd);			/* of an open file of this process */
bool procfs_is_path(const char *path);		/* below /proc */
/* Opens path below the root directory of a process, following its links inside that root only.
 * The caller closes; -errno. */
int procfs_open_in_root(const struct os *os, pid_t pid, const char *path);

/* Whether there is such a process: also where /proc shows only those of this user. */
bool procfs_has(pid_t pid);

#endif
