// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/sys-stacks.h"

#include <stdlib.h>

#include "util/base/hash.h"
#include "util/base/vec.h"

/*
 * Invariants:
 *  1. A call's end has at most one sample, made in the same tracepoint as its record: after the
 *     call began, and before the
 *     thread's next one does. So the first sample that is not older than the call is its own; if
 *     that was lost, it is one of a
 *     later call, which mostly has another number or result, or is far behind.
 *  2. Of calls that have no line (too short, not wanted) stacks come, too, and nobody takes them:
 *     a thread keeps a few only.
 */
#define KEPT 64

struct one_stack {
	u64 time_ns;
	u32 nr;
	s64 ret;
	unsigned n_frames;
	struct str text;
};
struct thread_stacks {
	struct one_stack ring[KEPT];
	unsigned first, n;
};
struct sys_stacks {
	struct hmap by_tid;
};

struct sys_stacks *sys_stacks_new(void)
{
	return xnew(struct sys_stacks);
}

static void drop_first(struct thread_stacks *t)
{
	str_release(&t->ring[t->first].text);
	t->first = (t->first + 1) % KEPT;
	t->n--;
}

void sys_stacks_free(struct sys_stacks *s)
{
	if (!s)
		return;
	for hmap_each(i, &s->by_tid) {
		struct thread_stacks *t = s->by_tid.vals[i];

		while (t->n)
			drop_first(t);
		free(t);
	}
	hmap_release(&s->by_tid);
	free(s);
}

void sys_stacks_put(struct sys_stacks *s, const struct sample *end, u32 nr, s64 ret,
		    unsigned n_frames, struct str *text)
{
	struct thread_stacks *t = hmap_get(&s->by_tid, end->tid);

	if (!t) {
		t = xnew(struct thread_stacks);
		hmap_put(&s->by_tid, end->tid, t);
	}
	if (t->n == KEPT)
		drop_first(t);
	t->ring[(t->first + t->n++) % KEPT] = (struct one_stack){ end->time_ns, nr, ret, n_frames,
								  *text };
	*text = (struct str)STR_INIT;
}

bool sys_stacks_take(struct sys_stacks *s, const struct sysrec *r, unsigned *n_frames,
		     struct str *out)
{
	struct thread_stacks *t = hmap_get(&s->by_tid, r->exit_tid ? r->exit_tid : r->tid);
	struct one_stack *one;

	while (t && t->n && t->ring[t->first].time_ns < r->enter_ns)
		drop_first(t);
	if (!t || !t->n)
		return false;
	one = &t->ring[t->first];
	if (one->nr != r->nr || one->ret != r->ret || one->time_ns > r->exit_ns + SYS_STACK_LATE_NS)
		return false;
	*n_frames = one->n_frames;
	*out = one->text;
	one->text = (struct str)STR_INIT;
	drop_first(t);
	if (!t->n)
		free(hmap_del(&s->by_tid, r->exit_tid ? r->exit_tid : r->tid));
	return true;
}
