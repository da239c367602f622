// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/uprobe-link.h"

#include <errno.h>
#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "include/abi/bpf.h"

u32 os_uprobes_attach_type(enum os_uprobes kind)
{
	return kind == OS_UPROBES_BOTH ? ABI_BPF_TRACE_UPROBE_SESSION : ABI_BPF_TRACE_UPROBE_MULTI;
}

int os_link_uprobes(const struct os_uprobe_link *l)
{
	struct abi_bpf_link_uprobe_multi a = {
		.prog_fd = (u32)l->program, .attach_type = os_uprobes_attach_type(l->kind),
		.probe = { .path = (u64)(uintptr_t)l->path, .offsets = (u64)(uintptr_t)l->offs,
			   .cookies = (u64)(uintptr_t)l->cookies, .cnt = (u32)l->n,
			   .flags = l->kind == OS_UPROBES_RETURN ? ABI_BPF_UPROBE_MULTI_RETURN : 0,
			   .pid = (u32)l->pid },
	};
	const int fd = (int)syscall(SYS_bpf, BPF_LINK_CREATE, &a, sizeof(a));

	return fd < 0 ? -errno : fd;
}

int os_open_uprobe(const struct os *os, const char *path, u64 off, bool ret, pid_t pid)
{
	struct perf_event_attr a = { .size = sizeof(a), .config = ret,
				     .uprobe_path = (u64)(uintptr_t)path, .probe_offset = off };
	u64 type;

	if (os_read_u64(os, "/sys/bus/event_source/devices/uprobe/type", &type, NULL))
		return -ENOENT;
	a.type = (u32)type;
	return os->perf_event_open(&a, pid ? pid : -1, pid ? -1 : 0, -1, PERF_FLAG_FD_CLOEXEC);
}
