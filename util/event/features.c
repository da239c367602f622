// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/open-priv.h"

#include <errno.h>
#include <stdlib.h>

#include "include/abi/perf_event.h"

/* What older kernels refuse, newest first. A feature is dropped when the attr uses it and
 * opening works without it. */
enum feature {
	F_DEFER, F_AUX_ACTION, F_INHERIT_READ, F_BRANCH_COUNTERS, F_READ_LOST, F_INHERIT_THREAD,
		F_WEIGHT_STRUCT, F_BUILD_ID,
	F_CODE_PAGE_SIZE, F_TEXT_POKE, F_BRANCH_INDEX, F_CGROUP, F_AUX_OUTPUT, F_BPF_EVENT,
	F_KSYMBOL, F_NAMESPACES, F_WRITE_BACKWARD,
	F_CONTEXT_SWITCH, F_CLOCKID, F_COMM_EXEC, F_MMAP2, F_EXCLUDE_CALLCHAIN, F_SAMPLE_IDENTIFIER,
	F_EXCLUDE_GUEST,
	F_SAMPLE_ID_ALL, F_NR
};

static const char *const names[F_NR] = {
	"deferred call chains", "pausing of AUX data", "group reads of inherited events",
		"branch counters", "lost counts",
	"inherit_thread", "weight_struct", "build ids in mmap records", "page sizes", "text_poke",
	"index of branch records",
	"cgroup records",
	"aux_output", "bpf_event records", "ksymbol records", "namespaces records",
	"write_backward", "context switch records",
	"clockid", "comm_exec", "mmap2 records", "exclude_callchain", "sample identifiers",
	"exclude_guest", "sample_id_all",
};

#define FLAG_AT(i) (1ULL << (i))

static bool drop_bits(u64 *v, u64 bits)
{
	bool had = *v & bits;

	*v &= ~bits;
	return had;
}

static bool drop_flags(struct perf_event_attr *a, u64 bits)
{
	u64 w = abi_attr_flags(a);
	const bool had = drop_bits(&w, bits);

	abi_attr_set_flags(a, w);
	return had;
}

static bool drop_sample(struct perf_event_attr *a, u64 bits)
{
	u64 v = a->sample_type;
	bool had = drop_bits(&v, bits);

	a->sample_type = v;
	return had;
}

/* Takes the feature out of the attr; false when it was not in it. */
static bool drop(struct perf_event_attr *a, enum feature f)
{
	u64 v;
	bool had;

	switch (f) {
	case F_DEFER: return drop_flags(a, ABI_ATTR_DEFER_CALLCHAIN | ABI_ATTR_DEFER_OUTPUT);
	case F_AUX_ACTION:
		if (sizeof(*a) < 120)
			return false;
		memcpy(&v, (u8 *)a + 112, 8);
		had = v >> 32;
		v &= 0xffffffff;
		memcpy((u8 *)a + 112, &v, 8);
		return had;
	case F_INHERIT_READ:
		if (!a->inherit || !(a->sample_type & PERF_SAMPLE_READ))
			return false;
		a->inherit = 0;
		return true;
	case F_BRANCH_COUNTERS:
		v = a->branch_sample_type;
		had = drop_bits(&v, ABI_SAMPLE_BRANCH_COUNTERS);
		a->branch_sample_type = v;
		return had;
	case F_BRANCH_INDEX:
		v = a->branch_sample_type;
		had = drop_bits(&v, PERF_SAMPLE_BRANCH_HW_INDEX);
		a->branch_sample_type = v;
		return had;
	case F_READ_LOST:
		v = a->read_format;
		had = drop_bits(&v, 16);
		a->read_format = v;
		return had;
	case F_INHERIT_THREAD: return drop_flags(a, FLAG_AT(35));
	case F_WEIGHT_STRUCT:
		if (!drop_sample(a, 1ULL << 24))
			return false;
		a->sample_type |= PERF_SAMPLE_WEIGHT;
		return true;
	case F_BUILD_ID: return drop_flags(a, FLAG_AT(34));
	case F_CODE_PAGE_SIZE: return drop_sample(a, 3ULL << 22);
	case F_TEXT_POKE: return drop_flags(a, FLAG_AT(33));
	case F_CGROUP:
		had = drop_flags(a, FLAG_AT(32));
		return drop_sample(a, 1ULL << 21) || had;
	case F_AUX_OUTPUT: return drop_flags(a, FLAG_AT(31));
	case F_BPF_EVENT: return drop_flags(a, FLAG_AT(30));
	case F_KSYMBOL: return drop_flags(a, FLAG_AT(29));
	case F_NAMESPACES: return drop_flags(a, FLAG_AT(28));
	case F_WRITE_BACKWARD: return drop_flags(a, FLAG_AT(27));
	case F_CONTEXT_SWITCH: return drop_flags(a, FLAG_AT(26));
	case F_CLOCKID:
		a->clockid = 0;
		return drop_flags(a, FLAG_AT(25));
	case F_COMM_EXEC: return drop_flags(a, FLAG_AT(24));
	case F_MMAP2: return drop_flags(a, FLAG_AT(23));
	case F_EXCLUDE_CALLCHAIN: return drop_flags(a, 3ULL << 21);
	case F_SAMPLE_IDENTIFIER:
		if (!drop_sample(a, PERF_SAMPLE_IDENTIFIER))
			return false;
		a->sample_type |= PERF_SAMPLE_ID;
		return true;
	case F_EXCLUDE_GUEST: return drop_flags(a, 3ULL << 19);
	case F_SAMPLE_ID_ALL: return drop_flags(a, FLAG_AT(18));
	case F_NR: break;
	}
	return false;
}

static u64 *missing(struct os *os)
{
	if (!os->priv)
		os->priv = xzalloc(sizeof(u64));
	return os->priv;
}

static void note(struct str *what, enum feature f)
{
	str_addf(what, "%s%s", what->len ? ", " : "", names[f]);
}

void open_features_apply(struct os *os, struct perf_event_attr *attr, struct str *what)
{
	u64 gone = *missing(os);

	for (int f = 0; gone && f < F_NR; f++)
		if (gone & 1ULL << f && drop(attr, f))
			note(what, f);
}

static bool too_new(int answer)
{
	return answer == -EINVAL || answer == -E2BIG;
}

int open_features_probe(struct os *os, struct perf_event_attr *attr, pid_t pid, int cpu,
			int group_fd, unsigned long flags,
			int error, struct str *what)
{
	struct perf_event_attr all = *attr;
	u64 dropped = 0;

	for (int f = 0; f < F_NR; f++) {
		struct perf_event_attr one = *attr;
		struct perf_event_attr *tried = NULL;
		u64 now = 0;
		int fd = -1;

		if (!drop(&one, f))
			continue;
		drop(&all, f);
		dropped |= 1ULL << f;
		/* alone, then together with the newer ones: an old kernel may miss several */
		fd = os->perf_event_open(&one, pid, cpu, group_fd, flags);
		tried = &one;
		now = 1ULL << f;
		if (too_new(fd)) {
			fd = os->perf_event_open(&all, pid, cpu, group_fd, flags);
			tried = &all;
			now = dropped;
		}
		/* any other answer is that of a kernel that knows what is left: an error is one
		 * of the event, or of rights */
		if (too_new(fd))
			continue;
		*missing(os) |= now;
		for (int k = 0; k < F_NR; k++)
			if (now & 1ULL << k)
				note(what, k);
		*attr = *tried;
		return fd;
	}
	return error;
}
