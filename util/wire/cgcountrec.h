/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WIRE_CGCOUNTREC_H
#define WIRE_CGCOUNTREC_H
/*
 * What BPF programs that read counters (bpf/cgcount.bpf.c, bpf/progcount.bpf.c) share with their
 * readers, so only kernel types.
 */
#include <linux/types.h>

#define CGCOUNT_LEVELS 16	/* of cgroups below each other that are looked for; a power of 2 */
#define CGCOUNT_EVENTS 64

struct cgcount_value {
	__u64 value, enabled_ns, running_ns;
};

#endif
