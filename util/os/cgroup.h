/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_CGROUP_H
#define OS_CGROUP_H
/*
 * The cgroup hierarchy that perf_event uses: a v1 one of its own where it is mounted, else the
 * unified one.
 */
#include "util/os/os.h"

/* Its mount point; -ENOENT with the mount command as hint. */
int os_cgroup_mount(const struct os *os, struct str *out, struct err *err);
/* A directory's descriptor for perf_event_open(2), PERF_FLAG_PID_CGROUP; name is relative to the
 * mount point, or a path that begins with it. Or -errno. */
int os_cgroup_open(const struct os *os, const char *name, struct err *err);
/* The same in the unified hierarchy, whichever perf_event uses: what BPF programs can ask for. */
int os_cgroup2_open(const struct os *os, const char *name, struct err *err);
/* The number of the cgroup whose directory this is, as samples have it. 0 or -errno. */
int os_cgroup_dir_id(const char *path, u64 *id);
/* The same of one in the hierarchy that perf_event uses; named as in os_cgroup_open(). */
int os_cgroup_id(const struct os *os, const char *name, u64 *id, struct err *err);
/* The path below its mount point of the cgroup with this id (the handle of its directory);
 * NULL: not found. The caller frees. */
char *os_cgroup2_path(const struct os *os, u64 id);

/* The number of an open one, as BPF programs know it; false: it is not of the unified hierarchy, or
 * unknown. depth: how far below the root. */
bool os_cgroup2_id_of(const struct os *os, int fd, u64 *id, unsigned *depth);

#endif
