/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_EVENT_FD_H
#define OS_EVENT_FD_H
/*
 * What is asked of an opened event. All: 0, or -errno. (ring.h: its buffer and its number.)
 */
#include "util/base/types.h"

int event_fd_enable(int fd, bool on);
/* For tracepoints: "prev_pid == 0". */
int event_fd_filter(int fd, const char *filter);
int event_fd_bpf(int fd, int program_fd);

#endif
