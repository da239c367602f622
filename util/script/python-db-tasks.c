// SPDX-License-Identifier: GPL-2.0-or-later
// Tables of tasks and their names.
#include <stdio.h>
#include <stdlib.h>

#include "util/script/python-db-priv.h"

struct db_comm { char *name; u64 from_ns, id; bool exec; };

/* All its names, as records say them: two of the same name are two. */
struct db_thread {
	u64 id;
	bool named;
	VEC(struct db_comm) comms;	/* never empty */
};

static struct db_thread *thread_of(struct python *p, const struct thread *th)
{
	struct db_thread *t = hmap_get(&p->db->tasks, (uintptr_t)th);
	struct db_comm first = { 0 };

	if (t)
		return t;
	t = xnew(struct db_thread);
	t->named = !th->tid;
	first.name = t->named ? xstrdup("swapper") : xasprintf(":%d", (int)th->tid);
	vec_push(&t->comms, first);
	hmap_put(&p->db->tasks, (uintptr_t)th, t);
	return t;
}

/* The first name takes the place of the number that the task had for one. */
static void add_name(struct python *p, struct db_thread *t, const char *name, u64 t_ns, bool exec)
{
	struct db_comm c = { xstrdup(name), t_ns, 0, exec };
	struct db_comm *last = vec_last(&t->comms);

	p->db->knows_exec |= exec;
	if (t->named) {
		vec_push(&t->comms, c);
		return;
	}
	c.id = last->id;
	free(last->name);
	*last = c;
	t->named = true;
}

void db_comm(struct python *p, const struct wire_comm *c, u64 t_ns)
{
	add_name(p, thread_of(p, machine_thread_at(p->machine, c->pid, c->tid, t_ns)), c->comm,
		 t_ns, c->exec);
}

void db_fork(struct python *p, const struct wire_task *f, u64 t_ns)
{
	struct db_thread *t = thread_of(p, machine_thread_at(p->machine, f->pid, f->tid, t_ns));
	struct db_thread *parent = thread_of(p, machine_thread_at(p->machine, f->ppid, f->ptid,
								  t_ns));

	if (parent != t && parent->named && !t->named)
		add_name(p, t, vec_last(&parent->comms)->name, t_ns, false);
}

bool db_is_named(struct python *p, struct thread *th)
{
	return thread_of(p, th)->named;
}

/* What the process is called: by its last execve(), else by the first name that it gave itself
 * (the one before is its parent's, or of a time that is not known). */
static struct db_comm *main_comm(const struct python *p, struct db_thread *t)
{
	size_t i = t->comms.n;

	if (!p->db->knows_exec)
		return vec_last(&t->comms);
	while (i > 0)
		if (t->comms.v[--i].exec)
			return &t->comms.v[i];
	return &t->comms.v[!t->comms.v[0].from_ns && t->comms.n > 1];
}

static bool comm_row(struct python *p, struct db_comm *c, u64 thread)
{
	if (c->id)
		return false;
	c->id = ++p->db->last.comm;
	db_row(p, DB_COMM, (struct db_cell[]){ DB_N(c->id), DB_T(c->name), DB_N(thread),
					       DB_N(c->from_ns), DB_N(c->exec) }, 5);
	return true;
}

static void pair_row(struct python *p, u64 comm, u64 thread)
{
	db_row(p, DB_COMM_THREAD, (struct db_cell[]){ DB_N(++p->db->last.comm_thread), DB_N(comm),
						      DB_N(thread) }, 3);
}

static bool thread_row(struct python *p, struct db_thread *t, u64 main, const struct thread *th)
{
	if (t->id)
		return false;
	t->id = ++p->db->last.thread;
	db_row(p, DB_THREAD, (struct db_cell[]){ DB_N(t->id), DB_N(1), DB_N(main ? main : t->id),
						 DB_N((s32)th->pid), DB_N((s32)th->tid) }, 5);
	return true;
}

struct db_task db_task_of(struct python *p, struct thread *th, u64 t_ns)
{
	struct thread *leader = th->tid == th->pid ? th :
		machine_thread_at(p->machine, th->pid, th->pid, t_ns);
	struct db_thread *t = thread_of(p, th), *main = thread_of(p, leader);
	struct db_comm *comm = main_comm(p, main), *now;

	thread_row(p, main, 0, leader);
	if (comm_row(p, comm, main->id))
		pair_row(p, comm->id, main->id);
	if (t != main && thread_row(p, t, main->id, th))
		pair_row(p, comm->id, t->id);
	now = vec_last(&t->comms);
	if (now != comm)
		comm_row(p, now, t->id);
	return (struct db_task){ t->id, comm->id };
}

void db_tasks_release(struct python_db *db)
{
	for hmap_each(i, &db->tasks) {
		struct db_thread *t = db->tasks.vals[i];

		for vec_each(c, &t->comms)
			free(c->name);
		vec_free(&t->comms);
		free(t);
	}
	hmap_release(&db->tasks);
}
