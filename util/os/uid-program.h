/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_UID_PROGRAM_H
#define OS_UID_PROGRAM_H
/*
 * The BPF program that keeps the samples of one user's tasks, and drops those of others in the
 * kernel. It is attached to events by event_fd_bpf(). It goes by the real user id at the moment of
 * the sample, so it knows whoever becomes that user later. The idle task is nobody's.
 */
#include <sys/types.h>

#include "util/base/err.h"

/* Its descriptor, which the caller closes; or -errno and why it cannot be. Any thread. */
int os_uid_program(uid_t uid, struct err *err);

#endif
