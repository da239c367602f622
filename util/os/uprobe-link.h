/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_UPROBE_LINK_H
#define OS_UPROBE_LINK_H
/*
 * BPF programs on functions of user code: many functions of a file by one link (Linux 6.6), which
 * libbpf is not asked for, because that of the oldest system this builds on does not know it.
 */
#include "util/os/os.h"

enum os_uprobes {
	OS_UPROBES_ENTRY, OS_UPROBES_RETURN,
	OS_UPROBES_BOTH,	/* Linux 6.14: the program at the entry says whether the return */
};

struct os_uprobe_link {
	int program;			/* its descriptor */
	enum os_uprobes kind;
	const char *path;
	pid_t pid;			/* of the only process; 0: all */
	const u64 *offs, *cookies;	/* in the file */
	size_t n;
};

/* A descriptor, whose closing takes the probes away; or -errno. */
int os_link_uprobes(const struct os_uprobe_link *l);
/* A descriptor of an event on one function, for a program to be linked to; or -errno. -ENOENT: the
 * kernel has no such events. */
int os_open_uprobe(const struct os *os, const char *path, u64 off, bool ret, pid_t pid);
/* The type that the program has to be loaded for. */
u32 os_uprobes_attach_type(enum os_uprobes kind);

#endif
