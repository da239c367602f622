// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/event-fd.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>

int event_fd_enable(int fd, bool on)
{
	return ioctl(fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0) ? -errno : 0;
}

int event_fd_filter(int fd, const char *filter)
{
	return ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter) ? -errno : 0;
}

int event_fd_bpf(int fd, int program_fd)
{
	return ioctl(fd, PERF_EVENT_IOC_SET_BPF, program_fd) ? -errno : 0;
}
