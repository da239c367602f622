/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ABI_BPF_H
#define ABI_BPF_H
/*
 * What the kernel's bpf(2) has that is newer than the uapi headers of the oldest system this builds
 * on (Linux 6.1): probes of many user functions by one link. Numbers and layout as documented in
 * linux/bpf.h of Linux 6.19.
 */
#include <linux/types.h>
#include <stddef.h>

#define ABI_BPF_TRACE_UPROBE_MULTI	48	/* Linux 6.6 */
#define ABI_BPF_TRACE_UPROBE_SESSION	57	/* Linux 6.14 */
#define ABI_BPF_UPROBE_MULTI_RETURN	(1U << 0)	/* probe.flags */

/* What BPF_LINK_CREATE reads for them. */
struct abi_bpf_link_uprobe_multi {
	__u32 prog_fd, target_fd, attach_type, flags;
	struct {
		__aligned_u64 path, offsets, ref_ctr_offsets, cookies;
		__u32 cnt, flags, pid;
	} probe;
};
_Static_assert(offsetof(struct abi_bpf_link_uprobe_multi, probe.pid) == 56, "as the kernel has it");

#endif
