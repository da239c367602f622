// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Processes and threads by time. A tid's slot holds all tasks that had it, in order of their start;
 * a process is made anew for each fork, a space for each exec.
 */
#include "util/machine/machine-priv.h"

#include <stdio.h>

enum { LATE_INDEX = 0x40000000 };

/* ---- processes ---- */

static struct process *process_add(struct machine *m, u32 pid, u64 start_ns, struct space *space)
{
	process_slot *slot = hmap_get(&m->pids, pid);
	struct process *p = xnew(struct process);

	if (!slot) {
		slot = xzalloc(sizeof(*slot));
		hmap_put(&m->pids, pid, slot);
	}
	p->pid = pid;
	p->start_ns = start_ns;
	vec_push(&p->spaces, ((struct space_at){ start_ns, space ? space : space_new(m) }));
	vec_push(slot, p);
	m->stats.processes++;
	return p;
}

struct process *process_now(struct machine *m, u32 pid)
{
	process_slot *slot = hmap_get(&m->pids, pid);

	if (!slot || !slot->n)
		return process_add(m, pid, 0, NULL);
	if ((*vec_last(slot))->gone)
		return process_add(m, pid, (*vec_last(slot))->start_ns, NULL);
	return *vec_last(slot);
}

struct space *process_space_now(struct process *p)
{
	return vec_last(&p->spaces)->space;
}

void task_exec(struct machine *m, u32 pid, u64 t_ns)
{
	struct process *p = process_now(m, pid);
	struct space *old = process_space_now(p);

	/* a synthesized or first COMM: nothing was mapped before */
	if (!old->all.n && !old->base)
		return;
	if (t_ns < vec_last(&p->spaces)->from_ns)
		t_ns = vec_last(&p->spaces)->from_ns;
	vec_push(&p->spaces, ((struct space_at){ t_ns, space_exec(old) }));
}

struct space *thread_space_at(struct thread *th, u64 t_ns)
{
	struct process *p = th->process;
	size_t i = p->spaces.n;

	while (i > 1 && p->spaces.v[i - 1].from_ns > t_ns)
		i--;
	return p->spaces.v[i - 1].space;
}

/* ---- threads ---- */

static thread_slot *slot_of(struct machine *m, u32 tid)
{
	thread_slot *slot = hmap_get(&m->tids, tid);

	if (!slot) {
		slot = xzalloc(sizeof(*slot));
		hmap_put(&m->tids, tid, slot);
	}
	return slot;
}

static struct comm *comm_add(struct machine *m, struct thread_full *th, const char *name, u64 t_ns,
			     bool exec)
{
	struct comm *c = xnew(struct comm);

	c->name = intern_str(m->names, name);
	c->from_ns = t_ns;
	c->exec = exec;
	vec_push(&th->comms, c);
	return c;
}

static struct thread_full *thread_make(struct machine *m, struct process *p, u32 tid, u64 start_ns,
				       const char *name)
{
	struct thread_full *th = xnew(struct thread_full);
	char unnamed[24];

	th->t.pid = p->pid;
	th->t.tid = tid;
	th->t.process = p;
	th->t.start_ns = start_ns;
	th->t.end_ns = UINT64_MAX;
	if (!name) {
		snprintf(unnamed, sizeof(unnamed), ":%d", (int)tid);
		name = tid ? unnamed : "swapper";
		th->unnamed = tid;
	}
	comm_add(m, th, name, start_ns, false);
	return th;
}

static struct thread_full *thread_add(struct machine *m, struct process *p, u32 tid, u64 start_ns,
				      const char *name)
{
	struct thread_full *th = thread_make(m, p, tid, start_ns, name);

	th->t.index = m->next_thread++;
	p->n_threads++;
	p->had_threads = true;
	vec_push(slot_of(m, tid), th);
	vec_push(&m->threads, &th->t);
	return th;
}

struct thread_full *thread_now(struct machine *m, u32 pid, u32 tid, u64 t_ns)
{
	thread_slot *slot = hmap_get(&m->tids, tid);
	struct thread_full *th = slot && slot->n ? *vec_last(slot) : NULL;
	bool ended = th && t_ns > th->t.end_ns;

	if (th && !ended && th->t.pid == pid)
		return th;
	/* its fork was lost: another program has this pid now */
	if (ended && tid == pid && th->t.pid == pid)
		return thread_add(m, process_add(m, pid, t_ns, NULL), tid, t_ns, NULL);
	return thread_add(m, process_now(m, pid), tid, th ? t_ns : 0, NULL);
}

void thread_set_comm(struct machine *m, struct thread_full *th, const char *name, u64 t_ns,
		     bool exec)
{
	struct comm *last = *vec_last(&th->comms);

	/* what it is called first it is called before, too: better than a number */
	if (th->unnamed) {
		last->name = intern_str(m->names, name);
		th->unnamed = false;
	}
	if (t_ns < last->from_ns)
		t_ns = last->from_ns;
	if (last->from_ns == t_ns) {		/* the same moment: the later record counts */
		last->name = intern_str(m->names, name);
		last->exec |= exec;
		return;
	}
	if (!exec && strcmp(last->name, name) == 0)
		return;
	comm_add(m, th, name, t_ns, exec);
}

const struct comm *thread_comm_at(const struct thread *th, u64 t_ns)
{
	const struct thread_full *f = (const struct thread_full *)th;
	size_t lo = 1, hi = f->comms.n;

	if (t_ns >= f->comms.v[hi - 1]->from_ns)
		return f->comms.v[hi - 1];
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (f->comms.v[mid]->from_ns <= t_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return f->comms.v[lo - 1];
}

void thread_set_cgroup_ns(struct thread_full *th, u64 dev, u64 ino, u64 t_ns)
{
	const struct ns_at *last = th->cgroup_ns.n ? vec_last(&th->cgroup_ns) : NULL;

	if (last && t_ns < last->from_ns)
		t_ns = last->from_ns;
	if (!last || last->dev != dev || last->ino != ino)
		vec_push(&th->cgroup_ns, ((struct ns_at){ t_ns, dev, ino }));
}

bool thread_cgroup_ns_at(const struct thread *th, u64 t_ns, u64 *dev, u64 *ino)
{
	const struct thread_full *f = (const struct thread_full *)th;
	size_t i = f->cgroup_ns.n;

	while (i > 0 && f->cgroup_ns.v[i - 1].from_ns > t_ns)
		i--;
	if (!i)
		return false;
	*dev = f->cgroup_ns.v[i - 1].dev;
	*ino = f->cgroup_ns.v[i - 1].ino;
	return true;
}

/* ---- records ---- */

static const char *parent_comm(struct machine *m, const struct wire_task *t)
{
	thread_slot *slot = hmap_get(&m->tids, t->ptid);
	const char *name = slot && slot->n ? (*vec_last(&(*vec_last(slot))->comms))->name : NULL;

	return name && name[0] != ':' ? name : NULL;
}

static struct process *fork_process(struct machine *m, const struct wire_task *t, u64 t_ns,
				    bool fresh_space)
{
	process_slot *slot = hmap_get(&m->pids, t->pid);
	struct space *space = NULL;

	if (t->pid == t->ppid)
		return process_now(m, t->pid);
	if (slot && slot->n && (*vec_last(slot))->start_ns == t_ns)	/* reported twice */
		return *vec_last(slot);
	if (!fresh_space)
		space = space_fork(process_space_now(process_now(m, t->ppid)));
	return process_add(m, t->pid, t_ns, space);
}

void task_fork(struct machine *m, const struct wire_task *t, u64 t_ns, bool fresh_space)
{
	thread_slot *slot = slot_of(m, t->tid);
	struct thread_full *last = slot->n ? *vec_last(slot) : NULL;
	struct process *p;

	/* reported twice, or a COMM came first */
	if (last && last->t.start_ns == t_ns && last->t.pid == t->pid) {
		last->t.ppid = t->ppid;
		return;
	}
	if (last && t_ns < last->t.start_ns)
		t_ns = last->t.start_ns;
	if (last && last->t.end_ns > t_ns)
		last->t.end_ns = t_ns;		/* its EXIT was lost: the tid is in use again */
	p = fork_process(m, t, t_ns, fresh_space);
	thread_add(m, p, t->tid, t_ns, fresh_space ? NULL : parent_comm(m, t))->t.ppid = t->ppid;
}

/* Old kernels tell it once for each event: the second time makes no task of it anew. */
void task_exit(struct machine *m, const struct wire_task *t, u64 t_ns)
{
	const thread_slot *slot = hmap_get(&m->tids, t->tid);
	struct thread_full *th = slot && slot->n ? *vec_last(slot) : NULL;

	if (th && th->t.pid == t->pid && th->t.end_ns != UINT64_MAX)
		return;
	th = thread_now(m, t->pid, t->tid, t_ns);
	if (th->t.end_ns == UINT64_MAX)
		th->t.end_ns = t_ns;
}

/* ---- finding ---- */

static struct thread *late_thread(struct machine *m, u32 pid, u32 tid)
{
	u64 key = (u64)pid << 32 | tid;
	struct thread_full *th;
	process_slot *slot;

	pthread_mutex_lock(&m->late_lock);
	th = hmap_get(&m->late, key);
	if (!th) {
		slot = hmap_get(&m->pids, pid);
		th = thread_make(m, slot && slot->n ? *vec_last(slot) :
				 process_add(m, pid, 0, NULL), tid, 0, NULL);
		th->t.index = LATE_INDEX + (tid & (LATE_INDEX - 1));
		m->stats.unknown_threads++;
		hmap_put(&m->late, key, th);
	}
	pthread_mutex_unlock(&m->late_lock);
	return &th->t;
}

struct thread *machine_thread_at(struct machine *m, u32 pid, u32 tid, u64 t_ns)
{
	thread_slot *slot = hmap_get(&m->tids, tid);
	size_t i = slot ? slot->n : 0;
	struct thread_full *other = NULL;

	while (i > 0) {
		struct thread_full *th = slot->v[--i];

		if (th->t.pid != pid)
			continue;
		other = th;
		if (th->t.start_ns <= t_ns)
			break;
	}
	if (other)
		return &other->t;
	if (m->frozen)
		return late_thread(m, pid, tid);
	m->stats.unknown_threads++;
	return &thread_add(m, process_now(m, pid), tid, slot && slot->n ? t_ns : 0, NULL)->t;
}

u32 machine_pid_at(const struct machine *m, u32 tid, u64 t_ns)
{
	const thread_slot *slot = hmap_get(&m->tids, tid);
	u32 pid = (u32)-1;

	for (size_t i = slot ? slot->n : 0; i-- > 0; ) {
		if (slot->v[i]->t.pid == (u32)-1)
			continue;
		pid = slot->v[i]->t.pid;
		if (slot->v[i]->t.start_ns <= t_ns)
			break;
	}
	return pid;
}

size_t machine_threads(const struct machine *m, struct thread *const **out)
{
	*out = m->threads.v;
	return m->threads.n;
}

void tasks_freeze(struct machine *m)
{
	for hmap_each(i, &m->pids) {
		process_slot *slot = m->pids.vals[i];

		for vec_each(p, slot) {
			for vec_each(sp, &(*p)->spaces)
				space_freeze(sp->space);
		}
	}
}

/* ---- freeing ---- */

static void thread_free(struct thread_full *th)
{
	for vec_each(c, &th->comms)
		free(*c);
	vec_free(&th->comms);
	vec_free(&th->cgroup_ns);
	free(th);
}

static void process_free(struct process *p)
{
	for vec_each(sp, &p->spaces)
		space_free(sp->space);
	vec_free(&p->spaces);
	free(p);
}

void tasks_free(struct machine *m)
{
	for hmap_each(i, &m->tids) {
		thread_slot *slot = m->tids.vals[i];

		for vec_each(th, slot)
			thread_free(*th);
		vec_free(slot);
		free(slot);
	}
	for hmap_each(i, &m->pids) {
		process_slot *slot = m->pids.vals[i];

		for vec_each(p, slot)
			process_free(*p);
		vec_free(slot);
		free(slot);
	}
	for hmap_each(i, &m->late)
		thread_free(m->late.vals[i]);
	hmap_release(&m->tids);
	hmap_release(&m->pids);
	hmap_release(&m->late);
	vec_free(&m->threads);
}

static void unref(const struct space *s)
{
	if (s)
		((struct space *)s)->n_refs--;
}

/* Slots without a task: with a large pid_max there would be millions of them. */
static void drop_slots(struct hmap *map, const u32_vec *keys)
{
	for (size_t i = 0; i < keys->n; i++) {
		/* a process_slot is of the same shape */
		thread_slot *slot = hmap_get(map, keys->v[i]);

		if (!slot || slot->n)
			continue;
		hmap_del(map, keys->v[i]);
		vec_free(slot);
		free(slot);
	}
}

static void trim_threads(struct machine *m, u64 before_ns, const struct hmap *kept)
{
	u32_vec empty = { NULL, 0, 0 };
	size_t left = 0;

	for (size_t i = 0; i < m->threads.n; i++) {
		struct thread *t = m->threads.v[i];
		thread_slot *slot = hmap_get(&m->tids, t->tid);
		size_t n = 0;

		if (t->end_ns >= before_ns || (kept && hmap_get(kept, (uintptr_t)t))) {
			m->threads.v[left++] = t;
			continue;
		}
		for (size_t k = 0; k < slot->n; k++) {
			if (&slot->v[k]->t != t)
				slot->v[n++] = slot->v[k];
		}
		slot->n = n;
		if (!n)
			vec_push(&empty, t->tid);
		t->process->n_threads--;
		thread_free((struct thread_full *)t);
	}
	m->threads.n = left;
	drop_slots(&m->tids, &empty);
	vec_free(&empty);
}

/* Spaces of a process refer to each other (exec), newest first; so they go in that order. */
static bool trim_process(struct process *p, u64 before_ns)
{
	if (p->n_threads || !p->had_threads) {
		space_trim(process_space_now(p), before_ns);
		return false;
	}
	p->gone = true;
	while (p->spaces.n) {
		struct space *s = vec_last(&p->spaces)->space;

		if (s->n_refs)
			return false;
		unref(s->base);
		unref(s->prev);
		space_free(s);
		p->spaces.n--;
	}
	process_free(p);
	return true;
}

static void mark_space(const struct space *s, bool *used, size_t n)
{
	for (size_t i = 0; i < s->all.n; i++) {
		const struct dso *d = s->all.v[i]->m.dso;

		if (d && (size_t)d->index < n)
			used[d->index] = true;
	}
}

void machine_mark_dsos(const struct machine *m, bool *used, size_t n)
{
	mark_space(m->kernel, used, n);
	for hmap_each(i, &m->pids) {
		const process_slot *slot = m->pids.vals[i];

		for (size_t k = 0; k < slot->n; k++)
			for vec_each(at, &slot->v[k]->spaces)
				mark_space(at->space, used, n);
	}
}

void machine_trim(struct machine *m, u64 before_ns, const struct hmap *kept)
{
	u32_vec empty = { NULL, 0, 0 };

	if (m->frozen)
		return;
	trim_threads(m, before_ns, kept);
	space_trim(m->kernel, before_ns);
	for hmap_each(i, &m->pids) {
		process_slot *slot = m->pids.vals[i];
		size_t n = 0;

		for (size_t k = 0; k < slot->n; k++) {
			if (!trim_process(slot->v[k], before_ns))
				slot->v[n++] = slot->v[k];
			else
				m->stats.processes--;
		}
		slot->n = n;
		if (!n)
			vec_push(&empty, (u32)m->pids.keys[i]);
	}
	drop_slots(&m->pids, &empty);
	vec_free(&empty);
}
