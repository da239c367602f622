// SPDX-License-Identifier: GPL-2.0-or-later
// The sums of calls that the kernel has kept.
#include <string.h>

#include "util/analysis/sys.h"
#include "util/os/cgroup.h"
#include "util/session/live-priv.h"

struct taking {
	enum sys_sums_by by;
	struct sys_summary *sum;
};

static u64 group_of(const struct taking *t, u32 tid, u64 cgroup)
{
	return t->by == SYS_SUMS_THREAD ? tid : t->by == SYS_SUMS_CGROUP ? cgroup : 0;
}

static void take_sum(void *ctx, const struct syssum_key *k, const struct syssum *s)
{
	const struct taking *t = ctx;

	if (s->count)
		sys_summary_add_sum(t->sum, group_of(t, k->tid, k->cgroup), k->nr, k->compat, s);
}

static void take_errno(void *ctx, const struct syssum_errno_key *k, u64 n)
{
	const struct taking *t = ctx;

	sys_summary_add_errno(t->sum, group_of(t, k->tid, k->cgroup), k->nr, k->compat, k->code, n);
}

static char *cgroup_label(const struct os *os, u64 id)
{
	char *path = os_cgroup2_path(os, id);

	return path ? path : xasprintf("cgroup %llu", (unsigned long long)id);
}

void live_session_sums(const struct live_session *s, enum sys_sums_by by, struct sys_summary *out)
{
	struct taking t = { by, out };
	struct syssum_task task;

	syscapture_sums(s->capture, take_sum, &t);
	syscapture_errnos(s->capture, take_errno, &t);
	for vec_each(g, &out->groups) {
		if (by == SYS_SUMS_CGROUP)
			g->label = cgroup_label(&s->os, g->id);
		else if (syscapture_task(s->capture, (u32)g->id, &task))
			g->label = xstrndup(task.comm, strnlen(task.comm, sizeof(task.comm)));
	}
}
