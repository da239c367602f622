/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_UEVENT_H
#define OS_UEVENT_H
/*
 * The kernel's own word that a module came or went (its uevents for /sys/module), without rights and without cost while
 * nothing happens. It comes when a module's init function has returned. In a network namespace of another user namespace it
 * never comes.
 */
#include "util/os/os.h"

/* A descriptor that becomes readable, or -errno; close(2) it. Not for a test's tree: -ENOENT. */
int os_uevent_modules(const struct os *os);
/* Takes all messages that have come; false: there was none. */
bool os_uevent_drain(int fd);

#endif
