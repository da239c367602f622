/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef OS_BPF_PROGS_H
#define OS_BPF_PROGS_H
/*
 * The BPF programs that are loaded: where their machine code is, by the names that the kernel gives
 * them.
 */
#include "util/os/os.h"

struct os_bpf_function {
	u64 va;
	u32 bytes;
	/* "bpf_prog_8a606f89e9e9311d_name"; borrowed until the callback returns */
	const char *name;
};

/* Calls fn for each function of each program; its non-zero return stops and is returned. Without
 * the right to ask, there are none. Any thread. */
int os_bpf_functions(const struct os *os, int (*fn)(void *ctx, const struct os_bpf_function *f),
		     void *ctx);

/* The name of the type with that number in the type information of a program; NULL: none. swap:
 * of the other byte order. */
const char *os_btf_name(struct span btf, u32 type, bool swap);

#endif
