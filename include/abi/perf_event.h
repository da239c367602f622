/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ABI_PERF_EVENT_H
#define ABI_PERF_EVENT_H
/*
 * Names of the kernel's perf_event ABI that are newer than the uapi headers of the oldest system
 * this builds on (Linux 6.1). Numbers as documented in linux/perf_event.h of Linux 6.19; where the
 * system's header has the name, it must agree.
 */
#include <linux/perf_event.h>
#include <string.h>

#define ABI_RECORD_CALLCHAIN_DEFERRED		22	/* Linux 6.19 */
#define ABI_SAMPLE_BRANCH_COUNTERS		(1ULL << 19)	/* Linux 6.8 */
/* struct perf_branch_entry, of reserved: the branch was not taken. A decoder says so, no kernel. */
#define ABI_BRANCH_NOT_TAKEN			1
/* bits of the attr, in its word of flags */
#define ABI_ATTR_DEFER_CALLCHAIN		(1ULL << 38)	/* Linux 6.19 */
#define ABI_ATTR_DEFER_OUTPUT			(1ULL << 39)	/* Linux 6.19 */
#define ABI_CONTEXT_USER_DEFERRED		((__u64)-640)	/* Linux 6.19 */
/* perf.data: the size byte of a build-id record is valid */
#define ABI_RECORD_MISC_BUILD_ID_SIZE		(1 << 15)

/* The word of flags of an attr, from disabled on. */
#define ABI_ATTR_FLAGS_AT	40

static inline __u64 abi_attr_flags(const struct perf_event_attr *a)
{
	__u64 w;

	memcpy(&w, (const char *)a + ABI_ATTR_FLAGS_AT, sizeof(w));
	return w;
}

static inline void abi_attr_set_flags(struct perf_event_attr *a, __u64 w)
{
	memcpy((char *)a + ABI_ATTR_FLAGS_AT, &w, sizeof(w));
}

#endif
