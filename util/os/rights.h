/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_RIGHTS_H
#define OS_RIGHTS_H
/*
 * Who refuses what this process asks of the kernel, and what helps: settings, missing capabilities,
 * user namespaces, seccomp filters, file systems that are not there. Texts are for hints; each says
 * only what would help this caller. Any thread.
 */
#include "util/os/os.h"

#define OS_OUTER_ROOT "root of the machine (not of a container)"

enum os_guarded { OS_PERF_EVENT_OPEN, OS_BPF };

/* A seccomp filter of this process refuses the call before the kernel sees it, as the default
 * profiles of containers do. Asked of the kernel: one system call that does nothing. */
bool os_call_is_filtered(const struct os *os, enum os_guarded call);
/* The hint where it does. */
void os_filter_hint(enum os_guarded call, struct err *err);
/* The user namespace is not that of the machine: capabilities and uid 0 are for its own things. */
bool os_in_user_ns(const struct os *os);
/* "root", for users who can become that of the machine; else which root is meant. */
const char *os_root_who(const struct os *os);
const char *os_root_sudo(const struct os *os);		/* the same with "(sudo)" */
/* How to get a capability (CAP_PERFMON, CAP_SYSLOG) that this process lacks: "run as root, or with
 * CAP_PERFMON". The caller frees. */
char *os_how_to_get(const struct os *os, int capability);
/* Appended to "sudo sysctl ..." at the end of a line: where that has to be typed; "" here. */
const char *os_sysctl_where(const struct os *os);
/* BPF programs that trace are allowed to this process. */
bool os_may_bpf(const struct os *os);
/* Why BPF programs cannot be loaded (code: positive errno), and what helps, as the hint of err.
 * false: of that nothing is known here. */
bool os_bpf_hint(const struct os *os, int code, struct err *err);
/* It is mounted so that nobody can write there, as /sys and /proc/sys are in containers. */
bool os_is_readonly(const struct os *os, const char *path);
/* /sys is empty: nothing can be said about the kernel by what is missing there. */
#define OS_NO_SYSFS_HINT "there is no sysfs here: sudo mount -t sysfs sysfs /sys"
bool os_without_sysfs(const struct os *os);

#endif
