// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/off-stacks-priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/analysis/hist/hist.h"
#include "util/analysis/sched-chain.h"
#include "util/analysis/sort-keys.h"
#include "util/base/xalloc.h"

const char *const off_state_names[OFF_N_STATES] = {
	[ABSENCE_UNKNOWN] = "blocked", [ABSENCE_SLEEP] = "sleep", [ABSENCE_DISK] = "disk",
	[ABSENCE_STOPPED] = "stopped", [ABSENCE_PREEMPTED] = "preempted",
	[OFF_RUNNABLE] = "runnable",
};

static const char *const key_names[OFF_N_KEYS] = { "comm", "pid", "tid", "state", "stack",
						   "waker" };

enum { NODE, TASK, WAKER, WAKER_NODE };		/* what an absence keeps; WAKER: + 1 */

static u32 node_of(struct off_stacks *o, const struct resolved *r)
{
	return stack_set_node(&o->stacks, r, sched_chain_first(r));
}

/* --- tasks, rows and entries */

static u32 task_of(struct off_stacks *o, const struct sink_item *it)
{
	const struct comm *comm = it->res->comm;
	const u32 tid = it->sample->tid;
	const u32 pid = it->res->thread ? it->res->thread->pid : it->sample->pid;
	struct off_known_task *k = &o->known_tasks[tid % OFF_CACHE];

	if (comm && k->comm == comm && k->tid == tid && k->pid == pid)
		return k->id;
	*k = (struct off_known_task){ comm, tid, pid, 0 };
	k->id = idset_get(&o->tasks, (u64[]){
		(u64)(uintptr_t)intern_str(o->stacks.names, comm ? comm->name : ""), pid, tid });
	return k->id;
}

static u64 word_of(const struct off_stacks *o, enum off_key key, const struct off_entry *e,
		   u32 task, int state)
{
	const u64 *t = idset_at(&o->tasks, task);

	switch (key) {
	case OFF_COMM: return t[0];
	case OFF_PID: return t[1];
	case OFF_TID: return t[2];
	case OFF_STATE: return (u64)state;
	case OFF_STACK: return e->node;
	case OFF_WAKER: return e->waker ? idset_at(&o->tasks, e->waker - 1)[0] : 0;
	case OFF_N_KEYS: break;
	}
	return 0;
}

static void sum_add(struct off_sum *s, u64 ns)
{
	s->ns += ns;
	s->n++;
	s->max_ns = MAX(s->max_ns, ns);
}

static u32 row_of(struct off_stacks *o, const struct off_entry *e, u32 task, int state)
{
	u64 words[OFF_N_KEYS] = { 0 };
	u32 row;

	for (int i = 0; i < o->n_keys; i++)
		words[o->keys[i]] = word_of(o, o->keys[i], e, task, state);
	row = idset_get(&o->row_ids, words);
	if (row == o->rows.n)
		vec_push(&o->rows, ((struct off_row){ .hist = xnew(struct ns_hist),
						      .first = OFF_NO_ENTRY }));
	return row;
}

static u32 entry_of(struct off_stacks *o, const struct off_entry *e, u32 row)
{
	const u32 at = idset_get(&o->entry_ids, (u64[]){ row, e->node, e->waker, e->waker_node });

	if (at == o->entries.n) {
		vec_push(&o->entries, *e);
		vec_last(&o->entries)->next = o->rows.v[row].first;
		o->rows.v[row].first = at;
	}
	return at;
}

/* e: where; its sums, and which row it is of, are not looked at. */
static const struct off_known_entry *find(struct off_stacks *o, const struct off_entry *e,
					  u32 task, int state)
{
	const u32 slot = hash_mul((u64)task << 32 ^ e->node << 3 ^ (u32)state ^
				  (u64)e->waker << 16 ^ e->waker_node) % OFF_CACHE;
	struct off_known_entry *k = &o->known_entries[slot];

	if (k->set && k->task == task && k->state == (u32)state && k->node == e->node &&
	    k->waker == e->waker && k->waker_node == e->waker_node)
		return k;
	*k = (struct off_known_entry){ .task = task, .state = (u32)state, .node = e->node,
				       .waker = e->waker, .waker_node = e->waker_node,
				       .row = row_of(o, e, task, state), .set = true };
	k->entry = entry_of(o, e, k->row);
	while (o->waited.n < o->tasks.n)
		vec_push(&o->waited, false);
	o->waited.v[task] = true;
	return k;
}

static void count(struct off_stacks *o, const struct off_entry *e, u32 task, int state, u64 ns)
{
	const struct off_known_entry *k = find(o, e, task, state);

	sum_add(&o->rows.v[k->row].sum, ns);
	ns_hist_add(o->rows.v[k->row].hist, ns);
	sum_add(&o->entries.v[k->entry].sum, ns);
	o->total_ns += ns;
	o->n_waits++;
}

/* --- absences */

static void left(void *ctx, const struct sink_item *it, struct absence *a)
{
	struct off_stacks *o = ctx;

	a->mine[NODE] = node_of(o, it->res);
	a->mine[TASK] = task_of(o, it);
	a->mine[WAKER] = a->mine[WAKER_NODE] = 0;
}

static void woken(void *ctx, const struct sink_item *it, struct absence *a)
{
	struct off_stacks *o = ctx;

	a->mine[WAKER] = task_of(o, it) + 1;
	a->mine[WAKER_NODE] = node_of(o, it->res);
}

static void over(void *ctx, const struct absence *a)
{
	const u64 ready = a->ready_ns ? a->ready_ns : a->back_ns;
	const bool preempted = a->state == ABSENCE_PREEMPTED;
	struct off_stacks *o = ctx;
	struct off_entry e = { .node = a->mine[NODE] };

	if (a->back_ns > ready)
		count(o, &e, a->mine[TASK], preempted ? ABSENCE_PREEMPTED : OFF_RUNNABLE,
		      a->back_ns - ready);
	e.waker = a->mine[WAKER];
	e.waker_node = a->mine[WAKER_NODE];
	if (ready > a->left_ns)
		count(o, &e, a->mine[TASK], a->state, ready - a->left_ns);
}

static void said(void *ctx, const struct sink_item *it)
{
	struct off_stacks *o = ctx;
	const struct off_entry e = { .node = node_of(o, it->res) };

	count(o, &e, task_of(o, it), ABSENCE_UNKNOWN, hist_period(it->sample));
}

/* --- its life */

static int parse_keys(struct off_stacks *o, const char *keys, struct err *err)
{
	int places[OFF_N_KEYS];
	const int n = sort_keys_parse(keys, key_names, OFF_N_KEYS, places, err);

	for (int i = 0; i < n; i++) {
		o->keys[i] = (enum off_key)places[i];
		if (o->keys[i] == OFF_WAKER && !o->opts.wakers) {
			err_set(err, EINVAL, "--sort: the key 'waker' needs --wakers");
			err_hint(err, "the keys are: comm, pid, tid, state, stack, waker");
			return -EINVAL;
		}
	}
	o->n_keys = MAX(n, 0);
	return n < 0 ? n : 0;
}

struct off_stacks *off_stacks_new(const struct off_stacks_opts *opts, struct err *err)
{
	struct off_stacks *o = xnew(struct off_stacks);
	const unsigned wants = opts->chains ? SINK_SYMBOLS | SINK_CHAIN | SINK_INLINE : 0;

	o->opts = *opts;
	stack_set_init(&o->stacks);
	idset_init(&o->tasks, 3);
	idset_init(&o->row_ids, OFF_N_KEYS);
	idset_init(&o->entry_ids, 4);
	if (parse_keys(o, opts->keys ? opts->keys : "comm,state", err)) {
		off_stacks_free(o);
		return NULL;
	}
	o->absences = absences_new(&opts->absences, &(struct absences_observer){ .ctx = o,
				   .left = left, .woken = opts->wakers ? woken : NULL,
				   .over = over, .said = said }, wants);
	return o;
}

/* Stacks and tasks stay: absences that go on are of some. */
static void forget_sums(struct off_stacks *o)
{
	for vec_each(row, &o->rows)
		free(row->hist);
	vec_free(&o->rows);
	vec_free(&o->entries);
	vec_free(&o->waited);
	idset_release(&o->row_ids);
	idset_release(&o->entry_ids);
}

void off_stacks_restart(struct off_stacks *o)
{
	forget_sums(o);
	idset_init(&o->row_ids, OFF_N_KEYS);
	idset_init(&o->entry_ids, 4);
	memset(o->known_entries, 0, sizeof(o->known_entries));
	o->total_ns = o->n_waits = 0;
}

void off_stacks_free(struct off_stacks *o)
{
	if (!o)
		return;
	absences_free(o->absences);
	forget_sums(o);
	stack_set_release(&o->stacks);
	idset_release(&o->tasks);
	free(o);
}

struct sink *off_stacks_sink(struct off_stacks *o) { return absences_sink(o->absences); }

const struct absences *off_stacks_absences(const struct off_stacks *o) { return o->absences; }
