// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/heap-procs.h"

#include <stdlib.h>

#include "util/base/xalloc.h"

#define MOST_ENDED 1024

static void proc_free(struct heap_proc *pr)
{
	if (!pr)
		return;
	vec_free(&pr->files);
	vec_free(&pr->fds);
	free(pr);
}

void heap_procs_release(struct heap_procs *ps)
{
	for hmap_each(i, &ps->by_pid)
		proc_free(ps->by_pid.vals[i]);
	hmap_release(&ps->by_pid);
	vec_free(&ps->ended);
	*ps = (struct heap_procs){ .next_ended = 0 };
}

static void take(struct heap_proc *pr, int_vec *fds)
{
	for vec_each(fd, &pr->fds)
		vec_push(fds, *fd);
	vec_clear(&pr->fds);
}

void heap_procs_take(struct heap_procs *ps, int_vec *fds)
{
	for hmap_each(i, &ps->by_pid)
		take(ps->by_pid.vals[i], fds);
}

struct heap_proc *heap_procs_get(const struct heap_procs *ps, u32 pid)
{
	return hmap_get(&ps->by_pid, pid);
}

static struct heap_proc *put_new(struct heap_procs *ps, u32 pid)
{
	struct heap_proc *pr = xnew(struct heap_proc);

	proc_free(hmap_del(&ps->by_pid, pid));
	hmap_put(&ps->by_pid, pid, pr);
	return pr;
}

struct heap_proc *heap_procs_make(struct heap_procs *ps, u32 pid)
{
	struct heap_proc *pr = heap_procs_get(ps, pid);

	return pr && !pr->ended ? pr : put_new(ps, pid);
}

bool heap_proc_has(const struct heap_proc *pr, u32 file)
{
	for vec_each(f, &pr->files)
		if (*f == file)
			return true;
	return false;
}

void heap_proc_add(struct heap_proc *pr, u32 file)
{
	if (!heap_proc_has(pr, file))
		vec_push(&pr->files, file);
}

/* ---- records ---- */

/* A number that an earlier process had is another one's now; but of one that has ended already,
 * as it seems, this is the beginning. */
static struct heap_proc *begin(struct heap_procs *ps, const struct wire_task *t)
{
	struct heap_proc *pr = heap_procs_get(ps, t->pid);

	if (!pr || (pr->ended && pr->ended_ns < t->time_ns))
		pr = put_new(ps, t->pid);
	pr->ppid = t->ppid;
	pr->began_ns = t->time_ns;
	return pr;
}

void heap_procs_fork(struct heap_procs *ps, const struct wire_task *t, heap_pids *pids)
{
	size_t at = pids->n;

	begin(ps, t);
	vec_push(pids, t->pid);
	for (; at < pids->n; at++) {
		const u32 pid = pids->v[at];
		const u64 began_ns = heap_procs_get(ps, pid)->began_ns;

		for hmap_each(i, &ps->by_pid) {
			const struct heap_proc *pr = ps->by_pid.vals[i];

			/* later than its parent: so each comes once */
			if (pr->ppid == pid && pr->began_ns > began_ns)
				vec_push(pids, (u32)ps->by_pid.keys[i]);
		}
	}
}

static void forget(struct heap_procs *ps, u32 pid)
{
	const struct heap_proc *pr = heap_procs_get(ps, pid);

	if (pr && pr->ended)
		proc_free(hmap_del(&ps->by_pid, pid));
}

void heap_procs_exit(struct heap_procs *ps, const struct wire_task *t, int_vec *fds)
{
	struct heap_proc *pr = heap_procs_make(ps, t->pid);

	take(pr, fds);
	pr->ended = true;
	pr->ended_ns = t->time_ns;
	if (ps->ended.n < MOST_ENDED) {
		vec_push(&ps->ended, t->pid);
		return;
	}
	forget(ps, ps->ended.v[ps->next_ended]);
	ps->ended.v[ps->next_ended] = t->pid;
	ps->next_ended = (ps->next_ended + 1) % MOST_ENDED;
}
