/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_UEVENT_H
#define OS_UEVENT_H
/*
 * The kernel's own word that a module or a CPU came or went (its uevents), without rights and
 * without cost while nothing happens. That of a module comes when its init function has returned,
 * that of a CPU when it runs, or does not any more. In a network namespace of another user
 * namespace they never come.
 */
#include "util/os/os.h"

/* A descriptor that becomes readable, or -errno; close(2) it. Not for a test's tree: -ENOENT. */
int os_uevent_modules(const struct os *os);
/* The same for CPUs that go offline or come online; each is taken by itself. */
int os_uevent_cpus(const struct os *os);
struct os_cpu_event { int cpu; bool online; };
bool os_uevent_next_cpu(int fd, struct os_cpu_event *e);	/* false: there is none */
/* Takes all messages that have come; false: there was none. */
bool os_uevent_drain(int fd);

#endif
