/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_OS_H
#define OS_OS_H
/*
 * The system calls: every one of them and every path under /proc, /sys and tracefs goes through a
 * struct os that is passed in, so that tests run over a fake tree
 * (tests/roots/NAME/{proc,sys,tracing}). The room reads and opens; it never decides what to open or
 * what to fall back to. Errors carry the path and the remedy.
 */
#include <linux/perf_event.h>

#include "util/base/err.h"
#include "util/base/num.h"
#include "util/base/str.h"
#include "util/base/words.h"

#define OS_TRACEFS "/sys/kernel/tracing"	/* where tracefs is as a rule, for messages */

struct os {
	char *proc;		/* "/proc" or the fake one, without a slash at the end */
	char *sys;		/* "/sys" */
	char *tracefs;		/* "/sys/kernel/tracing"; NULL until os_tracefs() found it */
	/* before /boot, /lib/modules and /var/lib/dpkg: "" or the fake one */
	char *root;
	bool fake;		/* a test's tree: nothing may be opened on the real kernel */
	size_t page_bytes;
	/* a file descriptor or -errno */
	int (*perf_event_open)(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
			       unsigned long flags);
	void *priv;		/* caches of probed kernel features, owned by os */
};

/* The running system. */
void os_init(struct os *os);
/* A tree in a directory: proc/, sys/, tracing/ below root. perf_event_open fails with ENOSYS
 * until the test replaces it. */
void os_init_root(struct os *os, const char *root);
void os_release(struct os *os);

/* Reads a small file whole. path is "/proc/...", "/sys/...", "tracing:...", or below one of the
 * directories of struct os, and is mapped into the roots. */
int os_read_file(const struct os *os, const char *path, struct str *out, struct err *err);
int os_read_u64(const struct os *os, const char *path, u64 *out, struct err *err);
int os_write_file(const struct os *os, const char *path, const char *text, bool append,
		  struct err *err);
/* The real path after such a name; the caller frees. */
char *os_path(const struct os *os, const char *path);
/* Names in a directory, sorted, without . and ..; freed by os_names_release(). */
typedef VEC(char *) os_names;
int os_list_dir(const struct os *os, const char *path, os_names *out, struct err *err);
void os_names_release(os_names *n);

/* Finds the tracefs mount (/sys/kernel/tracing or /sys/kernel/debug/tracing); mounts it when
 * root and not mounted.
 * -ENOENT with the mount command as hint; -EACCES naming the file that cannot be read and the
 * command that helps. */
int os_tracefs(struct os *os, struct err *err);
/* After it. */
bool os_has_tracepoint(const struct os *os, const char *system, const char *name);
/* Appends "SYSTEM:NAME" if there is one; true: there is. */
bool os_add_tracepoint(const struct os *os, const char *system, const char *name, word_list *out);

/* Settings; each with the value the kernel documents as default where it cannot be read. */
int os_paranoid(const struct os *os);			/* perf_event_paranoid: -1..4 */
u64 os_mlock_kb(const struct os *os);			/* perf_event_mlock_kb */
u64 os_max_sample_rate(const struct os *os);		/* Hz */
int os_kptr_restrict(const struct os *os);
/* Whether the counters of Intel's cores stand still in system management interrupts. changed: it
 * was the other way before. -ENOTSUP: this machine has no such setting. */
int os_freeze_on_smi(const struct os *os, bool on, bool *changed, struct err *err);
/* Whether the caller has a capability (CAP_SYSLOG...) and it counts: not that of a user
 * namespace's root. */
bool os_may(const struct os *os, int capability);
/* The step that lets the caller see the kernel's addresses, which it does not now. The caller
 * frees. */
char *os_addresses_hint(const struct os *os);
/* The running kernel and machine are of these names; NULL: unknown, and so they are not. */
bool os_is_running(const struct os *os, const char *hostname, const char *release);
/* The type information of the running kernel (BTF). */
int os_kernel_btf(const struct os *os, struct str *out, struct err *err);

/* CPUs. */
int os_online_cpus(const struct os *os, int_vec *out, struct err *err);
int os_nr_present_cpus(const struct os *os);		/* configured CPUs (nrcpus avail) */

/* CPU topology; -1 where the tree does not say. */
struct os_cpu { int cpu, core, die, cluster, socket, node, cache, cache_level; };
typedef VEC(struct os_cpu) os_cpu_vec;
/* online CPUs, by cpu number */
int os_topology(const struct os *os, os_cpu_vec *out, struct err *err);
/* The caches of one CPU that are not for instructions alone: ids[level], by its id or its first
 * CPU, -1 where there is none of a level. Returns the last level, 0: none. */
#define OS_CACHE_LEVELS 9
int os_cpu_caches(const struct os *os, int cpu, int ids[OS_CACHE_LEVELS + 1]);
/* Fills in the cache (by its id, or its first CPU) of a level, 0: of the last one; both -1 where
 * there is none, as on virtual machines whose kernel shows no caches. */
void os_topology_caches(const struct os *os, int level, os_cpu_vec *topo);

/* CLOCK_MONOTONIC, for progress and time-outs. */
u64 os_now_ns(void);
/* CPU time of this process, all threads. */
u64 os_own_cpu_ns(void);

/* Closes descriptors whose last close(2) is slow, in a process of their own that outlives us:
 * the kernel waits ~35 ms for each tracepoint's last user. Sorts fds. With few descriptors a plain
 * close() is better. */
void os_close_slow(int *fds, size_t n);

/* Lifts RLIMIT_MEMLOCK, which kernels before 5.11 count BPF maps against. */
void os_want_locked_memory(void);
/* Raises RLIMIT_NOFILE to its hard limit (root: beyond, as far as needed for n). */
void os_want_fds(size_t n);
/* How many may be open; 0: unknown. */
size_t os_max_fds(void);
/* The same of the tree that os looks at: the limit, and how far it can be raised. */
bool os_fd_limits(const struct os *os, u64 *soft, u64 *hard);

#endif
