/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ABI_PERF_EVENT_H
#define ABI_PERF_EVENT_H
/*
 * Names of the kernel's perf_event ABI that are newer than the uapi headers of the oldest system
 * this builds on (Linux 6.1). Numbers as documented in linux/perf_event.h of Linux 6.19; where the
 * system's header has the name, it must agree.
 */
#include <linux/perf_event.h>

#define ABI_RECORD_CALLCHAIN_DEFERRED		22	/* Linux 6.19 */
#define ABI_SAMPLE_BRANCH_COUNTERS		(1ULL << 19)	/* Linux 6.8 */
/* struct perf_branch_entry, of reserved: the branch was not taken. A decoder says so, no kernel. */
#define ABI_BRANCH_NOT_TAKEN			1
/* bits of the attr, in its word of flags at byte 40 */
#define ABI_ATTR_FLAGS_AT			40
#define ABI_ATTR_DEFER_CALLCHAIN		(1ULL << 38)	/* Linux 6.19 */
#define ABI_ATTR_DEFER_OUTPUT			(1ULL << 39)	/* Linux 6.19 */
#define ABI_CONTEXT_USER_DEFERRED		((__u64)-640)	/* Linux 6.19 */
/* perf.data: the size byte of a build-id record is valid */
#define ABI_RECORD_MISC_BUILD_ID_SIZE		(1 << 15)

#endif
