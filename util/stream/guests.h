/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STREAM_GUESTS_H
#define STREAM_GUESTS_H
/*
 * Kernels of virtual machines: of one for all hypervisor processes, and of those that a directory
 * has by the number of their process (DIR/PID/proc/kallsyms, as a mounted guest has it). Each is a
 * machine of its own, with its own store of files. Where the recording does not tell where a
 * guest's kernel lies it is all of the upper half of the address space. Programs of guests are not
 * looked up. One owner; frozen after guests_freeze(): any thread may ask.
 */
#include "util/machine/machine.h"

/* Files, borrowed; all NULL: guests are not looked up. */
struct stream_guests {
	const char *kallsyms, *vmlinux;
	const char *modules;		/* as in /proc/modules */
	const char *mount;		/* the directory */
};

struct guests { VEC(struct guest *) v; };

/* os and base (what else holds for symbols) are borrowed. Errors: a file cannot be read. */
int guests_init(struct guests *g, const struct stream_guests *o, const struct os *os,
		const struct symbols_opts *base, struct err *err);
void guests_release(struct guests *g);
/* A record of mappings in a guest's kernel; others are left alone. */
void guests_apply(struct guests *g, const struct perf_event_header *rec, u64 time_ns);
void guests_freeze(struct guests *g);
/* The kernel of that process' guest, else of all; NULL: none is known. */
const struct space *guests_kernel(const struct guests *g, u32 pid);

#endif
