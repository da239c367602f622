/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_SYS_TYPES_H
#define ANALYSIS_SYS_TYPES_H
/*
 * What texts of calls ask for: names of files behind descriptors and of processes, as lines have
 * gave them, and the kernel's types. One owner.
 */
#include "util/analysis/sys.h"
#include "util/syscalls/btf.h"

struct sys_types {
	const struct sys_lines *lines;	/* borrowed */
	struct syscall_style *style;	/* borrowed: of the texts */
	/* The kernel's type information, asked for when the first struct needs it; false: there
	 * is none that fits. */
	bool (*load)(void *ctx, struct str *out);
	void *ctx;
	struct sys_btf *btf;
	bool tried;
};
/* style asks t from here on; names of files too if file_names. */
void sys_types_init(struct sys_types *t, const struct sys_lines *lines, struct syscall_style *style,
		    bool file_names);
void sys_types_release(struct sys_types *t);

#endif
