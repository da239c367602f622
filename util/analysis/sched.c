// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/sched.h"

#include <stdlib.h>
#include <string.h>

#include "util/base/arena.h"
#include "util/base/xalloc.h"

#define MAX_CPUS 65536
enum { TID_CACHE = 1 << 10 };

struct sched {
	VEC(struct sched_observer) observers;
	VEC(struct sched_task *) tasks;
	VEC(struct sched_cpu *) cpus;
	struct hmap by_tid;		/* the newest task of each tid > 0 */
	struct sched_task *cache[TID_CACHE];	/* of by_tid, by the low bits */
	struct intern *names;
	struct sched_stats stats;
	bool moves_reported;
	size_t n_recorded, n_seen;	/* CPUs; n_recorded 0: not known */
	int dark_cpu;			/* that an event named last, -1: none */
};

#define notify(s, what, ...) \
	do { \
		for (size_t o_ = 0; o_ < (s)->observers.n; o_++) { \
			const struct sched_observer *ob_ = &(s)->observers.v[o_]; \
			if (ob_->what) \
				ob_->what(ob_->ctx, __VA_ARGS__); \
		} \
	} while (0)

struct sched *sched_new(void)
{
	struct sched *s = xnew(struct sched);

	s->names = intern_new();
	s->stats.first_ns = UINT64_MAX;
	s->dark_cpu = -1;
	return s;
}

void sched_free(struct sched *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->tasks.n; i++)
		free(s->tasks.v[i]);
	for (size_t i = 0; i < s->cpus.n; i++)
		free(s->cpus.v[i]);
	vec_free(&s->tasks);
	vec_free(&s->cpus);
	vec_free(&s->observers);
	hmap_release(&s->by_tid);
	intern_free(s->names);
	free(s);
}

void sched_observe(struct sched *s, const struct sched_observer *o)
{
	vec_push(&s->observers, *o);
}

void sched_recorded_cpus(struct sched *s, size_t n)
{
	s->n_recorded = n;
}

void sched_moves_are_reported(struct sched *s)
{
	s->moves_reported = true;
}

const struct sched_stats *sched_get_stats(const struct sched *s)
{
	return &s->stats;
}

size_t sched_tasks(const struct sched *s, struct sched_task *const **out)
{
	*out = s->tasks.v;
	return s->tasks.n;
}

size_t sched_cpus(const struct sched *s, struct sched_cpu *const **out)
{
	*out = s->cpus.v;
	return s->cpus.n;
}

static struct sched_task *task_new(struct sched *s, u32 tid, u64 t_ns)
{
	struct sched_task *task = xnew(struct sched_task);

	task->tid = task->pid = tid;
	task->ppid = -1;
	task->index = (int)s->tasks.n;
	task->comm = tid ? "" : "swapper";
	task->prio = tid ? 120 : 0;
	task->cpu = -1;
	task->first_ns = task->since_ns = t_ns;
	vec_push(&s->tasks, task);
	return task;
}

static struct sched_cpu *cpu_make(struct sched *s, int cpu, u64 t_ns)
{
	if (cpu < 0 || cpu >= MAX_CPUS)
		cpu = 0;
	while (s->cpus.n <= (size_t)cpu)
		vec_push(&s->cpus, NULL);
	if (!s->cpus.v[cpu]) {
		struct sched_cpu *c = xnew(struct sched_cpu);

		c->cpu = cpu;
		c->first_ns = c->since_ns = t_ns;
		c->idle = task_new(s, 0, t_ns);
		c->idle->idle = true;
		c->idle->cpu = cpu;
		s->cpus.v[cpu] = c;
		s->n_seen++;
	}
	return s->cpus.v[cpu];
}

static inline struct sched_cpu *cpu_get(struct sched *s, int cpu, u64 t_ns)
{
	if ((size_t)cpu < s->cpus.n && s->cpus.v[cpu])
		return s->cpus.v[cpu];
	return cpu_make(s, cpu, t_ns);
}

static struct sched_task *task_find(struct sched *s, u32 tid, int cpu, u64 t_ns)
{
	struct sched_task *task;

	if (!tid)
		return cpu_get(s, cpu, t_ns)->idle;
	task = hmap_get(&s->by_tid, tid);
	if (!task) {
		task = task_new(s, tid, t_ns);
		hmap_put(&s->by_tid, tid, task);
	}
	return s->cache[tid % TID_CACHE] = task;
}

static inline struct sched_task *task_get(struct sched *s, u32 tid, int cpu, u64 t_ns)
{
	struct sched_task *task = s->cache[tid % TID_CACHE];

	return task && task->tid == tid ? task : task_find(s, tid, cpu, t_ns);
}

struct sched_task *sched_task_of(struct sched *s, u32 tid, int cpu)
{
	return task_get(s, tid, cpu, s->stats.last_ns);
}

static inline bool same_name(const char *a, const char *b)
{
	while (*a == *b && *a)
		a++, b++;
	return *a == *b;
}

static void set_comm(struct sched *s, u64 t_ns, struct sched_task *task, const char *comm)
{
	if (!*comm || task->idle || same_name(task->comm, comm))
		return;
	task->comm = intern_str(s->names, comm);
	notify(s, renamed, t_ns, task);
}

/* An event's own copy of the name is only for tasks that no COMM record named. */
static void rename_task(struct sched *s, u64 t_ns, struct sched_task *task, const char *comm)
{
	if (comm && !task->named)
		set_comm(s, t_ns, task, comm);
}

/* A task that is only known from a COMM record begins with its first event. */
static void set_state(struct sched_task *task, enum sched_state state, u64 t_ns)
{
	if (!task->first_ns)
		task->first_ns = task->since_ns = t_ns;
	task->state_ns[task->state] += t_ns - task->since_ns;
	task->state = state;
	task->since_ns = t_ns;
}

/* Time goes forward: an event that is older than the one before it happens now. */
static u64 advance(struct sched *s, u64 t_ns)
{
	if (t_ns < s->stats.last_ns) {
		s->stats.n_unordered++;
		return s->stats.last_ns;
	}
	if (s->stats.first_ns == UINT64_MAX)
		s->stats.first_ns = t_ns;
	s->stats.last_ns = t_ns;
	return t_ns;
}

static void cpu_account(struct sched_cpu *c, u64 t_ns)
{
	u64 dt = t_ns - c->since_ns;

	if (!c->curr)
		c->unknown_ns += dt;
	else if (c->curr->idle)
		c->idle_ns += dt;
	else
		c->run_ns += dt;
	c->since_ns = t_ns;
}

/* Nobody tells what this CPU does: it is not recorded, or it went offline while its thread for
 * that ran, and took the events along (they come back with it where the recorder opens them
 * again). */
static bool is_dark(const struct sched *s, int cpu)
{
	const struct sched_cpu *c = (size_t)cpu < s->cpus.n ? s->cpus.v[cpu] : NULL;

	if (cpu < 0)
		return false;
	return c ? c->curr && str_has_prefix(c->curr->comm, "cpuhp/") : s->n_seen >= s->n_recorded;
}

/* It is dark, or was at some time since. */
static bool was_dark(const struct sched *s, int cpu, u64 since_ns)
{
	return is_dark(s, cpu) || (cpu >= 0 && (size_t)cpu < s->cpus.n && s->cpus.v[cpu] &&
				   s->cpus.v[cpu]->back_ns > since_ns);
}

/* What it did since its last event was not seen. */
static void forget_state(struct sched_task *task, u64 t_ns)
{
	task->state = SCHED_UNKNOWN;	/* the time since then goes there, too */
	set_state(task, SCHED_UNKNOWN, t_ns);
	task->out_ns = 0;
}

/* An event says that it is on this CPU. It came there from another one, or the other way round,
 * without a word: it was on a dark one, and may have run. */
static void task_on_cpu(struct sched *s, struct sched_task *task, int cpu, u64 t_ns)
{
	const bool dark = was_dark(s, cpu, task->since_ns);

	if (dark)
		s->dark_cpu = cpu;
	if (task->cpu == cpu || task->cpu < 0 || cpu < 0 || task->state == SCHED_RUNNING ||
	    task->state == SCHED_DEAD)
		return;
	if (s->moves_reported && (dark || was_dark(s, task->cpu, task->since_ns)))
		forget_state(task, t_ns);
}

/* It seemed to wait for this CPU, which became idle instead: a dark one had taken it. */
static void task_was_taken(const struct sched *s, struct sched_task *task,
			   const struct sched_cpu *c, u64 t_ns)
{
	if ((task->state == SCHED_RUNNABLE || task->state == SCHED_PREEMPTED) &&
	    c->idle_from_ns > task->since_ns &&
	    s->moves_reported && was_dark(s, s->dark_cpu, task->since_ns))
		forget_state(task, t_ns);
}

static enum sched_state state_of_letter(char letter)
{
	switch (letter) {
	case 'R':
		return SCHED_PREEMPTED;
	case 'D':
		return SCHED_BLOCKED;
	case 'X': case 'Z': case 'x':
		return SCHED_DEAD;
	default:
		return SCHED_SLEEPING;
	}
}

/* The run that ends: what is known of it goes into the switch. */
static inline void switch_out(struct sched_switch *sw, u64 t_ns)
{
	struct sched_task *prev = sw->prev;
	const bool known = prev->state == SCHED_RUNNING && prev->in_ns;

	sw->run_known = known;
	sw->run_ns = known ? t_ns - prev->in_ns : 0;
	sw->in_ns = known ? prev->in_ns : 0;
	sw->wait_ns = known ? prev->wait_ns : 0;
	sw->delay_ns = known ? prev->delay_ns : 0;
	sw->premig_ns = known ? prev->premig_ns : 0;
	sw->waited = known ? prev->left_before : SCHED_UNKNOWN;
	prev->left = state_of_letter(sw->state);
	set_state(prev, prev->left, t_ns);
	prev->out_ns = t_ns;
	prev->in_ns = 0;
	prev->cpu = sw->cpu->cpu;
}

static inline void switch_in(struct sched_switch *sw, u64 t_ns)
{
	struct sched_task *next = sw->next;
	const bool ready = next->state == SCHED_RUNNABLE || next->state == SCHED_PREEMPTED;

	next->wait_ns = next->out_ns ? t_ns - next->out_ns : 0;
	next->left_before = next->left;
	next->premig_ns = 0;
	next->delay_ns = ready ? t_ns - next->since_ns : 0;
	sw->next_ready_ns = ready ? next->since_ns : 0;
	sw->next_delay_known = ready;
	if (ready) {
		next->n_delays++;
		if (next->moved_ns >= next->since_ns)
			next->premig_ns = next->moved_ns - next->since_ns;
	}
	next->moved_ns = 0;
	sw->next_wait_ns = next->wait_ns;
	sw->next_delay_ns = next->delay_ns;
	set_state(next, SCHED_RUNNING, t_ns);
	next->in_ns = t_ns;
	next->in_prio = next->prio;
	next->cpu = sw->cpu->cpu;
	next->n_runs++;
}

/* A CPU that was dark is reported again: what waited there when that began has long run. */
static void cpu_returns(struct sched *s, struct sched_cpu *c, u64 t_ns)
{
	c->back_ns = t_ns;
	for (size_t i = 0; i < s->tasks.n; i++) {
		struct sched_task *task = s->tasks.v[i];

		if (task->cpu == c->cpu &&
		    (task->state == SCHED_RUNNABLE || task->state == SCHED_PREEMPTED ||
		     task->state == SCHED_RUNNING))
			forget_state(task, t_ns);
	}
}

/* The CPU did not run what left it: events between are missing, and what was thought to run is
 * not known any more. One that was offline is back. */
static void cpu_gap(struct sched *s, struct sched_cpu *c, u64 t_ns)
{
	struct sched_task *lost = c->curr;
	const bool dark = is_dark(s, c->cpu);

	if (dark)
		c->curr = NULL;
	cpu_account(c, t_ns);
	c->curr = NULL;
	if (dark)
		cpu_returns(s, c, t_ns);
	if (!lost || lost->state != SCHED_RUNNING || lost->cpu != c->cpu)
		return;
	s->stats.n_gaps++;
	set_state(lost, SCHED_UNKNOWN, t_ns);
	lost->in_ns = lost->out_ns = 0;
}

/* Seen on this CPU, but it had not left another one. */
static void cpu_left_unseen(struct sched *s, const struct sched_task *task, int cpu, u64 t_ns)
{
	if (task->state == SCHED_RUNNING && task->cpu != cpu && task->cpu >= 0)
		cpu_gap(s, cpu_get(s, task->cpu, t_ns), t_ns);
}

/* Seen from a 6.1 guest: one switch recorded twice, to the ns. The second one changes nothing. */
static void tell_again(struct sched *s, const struct sched_switch *sw)
{
	const struct sched_switch again = {
		.t_ns = sw->t_ns, .cpu = sw->cpu, .prev = sw->prev, .next = sw->next,
			.next_comm = sw->next_comm, .state = sw->state,
		.preempted = sw->preempted, .prev_in_prio = sw->prev_in_prio, .item = sw->item,
	};

	notify(s, switched, &again);
}

void sched_on_switch(struct sched *s, u64 t_ns, int cpu, u32 prev_tid, const char *prev_comm,
		     int prev_prio, char state,
		     bool preempted, u32 next_tid, const char *next_comm, int next_prio,
		     const struct sink_item *item)
{
	/* each member is set below: to clear it first would cost a quarter of the time here */
	struct sched_switch sw;

	sw.state = state;
	sw.preempted = preempted;
	sw.next_comm = next_comm;
	sw.item = item;
	sw.t_ns = t_ns = advance(s, t_ns);
	s->stats.n_switches++;
	sw.cpu = cpu_get(s, cpu, t_ns);
	sw.prev = task_get(s, prev_tid, cpu, t_ns);
	/* the record tells the process of who leaves */
	if (item && item->sample->tid == prev_tid && prev_tid)
		sw.prev->pid = item->sample->pid;
	sw.next = task_get(s, next_tid, cpu, t_ns);
	rename_task(s, t_ns, sw.prev, prev_comm);
	rename_task(s, t_ns, sw.next, next_comm);
	sw.prev->prio = prev_prio;
	sw.prev_in_prio = sw.prev->in_ns ? sw.prev->in_prio : prev_prio;
	sw.next->prio = next_prio;
	if (sw.next != sw.prev && sw.cpu->curr == sw.next && sw.next->in_ns == t_ns) {
		tell_again(s, &sw);
		return;
	}
	if (sw.cpu->curr && sw.cpu->curr != sw.prev)
		cpu_gap(s, sw.cpu, t_ns);
	cpu_left_unseen(s, sw.prev, cpu, t_ns);
	cpu_left_unseen(s, sw.next, cpu, t_ns);
	if (sw.next->cpu != cpu)
		task_on_cpu(s, sw.next, cpu, t_ns);
	else if (sw.cpu->idle_from_ns > sw.next->since_ns)
		task_was_taken(s, sw.next, sw.cpu, t_ns);
	if (sw.next->idle)
		sw.cpu->idle_from_ns = t_ns;
	cpu_account(sw.cpu, t_ns);
	switch_out(&sw, t_ns);
	switch_in(&sw, t_ns);
	sw.cpu->curr = sw.next;
	sw.cpu->n_switches++;
	notify(s, switched, &sw);
}

/* Who does it. A task that exits has given its id back already: it is what the CPU runs; where
 * the switch to it is missing, only its process is known. */
static struct sched_task *actor(struct sched *s, u32 tid, int cpu, u64 t_ns,
				const struct sink_item *item)
{
	struct sched_task *curr = cpu_get(s, cpu, t_ns)->curr, *task, *leader;

	if (tid == (u32)-1 && curr && !curr->idle)
		return curr;
	task = task_get(s, tid, cpu, t_ns);
	if (tid == (u32)-1 && item) {
		leader = hmap_get(&s->by_tid, item->sample->pid);
		task->pid = item->sample->pid;
		task->comm = leader ? leader->comm : "";
	}
	return task;
}

void sched_on_wake(struct sched *s, u64 t_ns, int cpu, u32 waker_tid, u32 tid, const char *comm,
		   int prio, int target_cpu,
		   bool is_new, const struct sink_item *item)
{
	struct sched_wake w = { .cpu = cpu, .target_cpu = target_cpu, .is_new = is_new,
				.item = item };

	w.t_ns = t_ns = advance(s, t_ns);
	s->stats.n_wakeups++;
	w.task = task_get(s, tid, cpu, t_ns);
	w.waker = actor(s, waker_tid, cpu, t_ns, item);
	rename_task(s, t_ns, w.task, comm);
	w.task->prio = prio;
	task_on_cpu(s, w.task, target_cpu, t_ns);
	/* Woken already: it ran and fell asleep meanwhile. */
	if (w.task->state == SCHED_RUNNABLE && t_ns > w.task->since_ns && is_dark(s, w.task->cpu))
		forget_state(w.task, t_ns);
	/* sched_waking is followed by sched_wakeup where both are recorded: the first one
	 * counts. A task that runs, or that was preempted, was ready all the time. */
	w.was_iowait = w.task->state == SCHED_IOWAIT;
	w.was_blocked = w.task->state == SCHED_BLOCKED || w.was_iowait;
	if (w.task->state != SCHED_RUNNING && w.task->state != SCHED_RUNNABLE &&
	    w.task->state != SCHED_PREEMPTED) {
		w.task->blocked_ns = w.task->state == SCHED_BLOCKED ? t_ns - w.task->since_ns : 0;
		set_state(w.task, SCHED_RUNNABLE, t_ns);
		w.task->woken_ns = t_ns;
		w.task->n_wakeups++;
		if (target_cpu >= 0)
			w.task->cpu = target_cpu;
	}
	notify(s, woken, &w);
}

void sched_on_move(struct sched *s, u64 t_ns, int cpu, u32 waker_tid, u32 tid, const char *comm,
		   int from_cpu, int to_cpu,
		   const struct sink_item *item)
{
	struct sched_move m = { .cpu = cpu, .from_cpu = from_cpu, .to_cpu = to_cpu, .item = item };

	m.t_ns = t_ns = advance(s, t_ns);
	s->stats.n_moves++;
	m.task = task_get(s, tid, cpu, t_ns);
	m.waker = actor(s, waker_tid, cpu, t_ns, item);
	rename_task(s, t_ns, m.task, comm);
	m.task->n_migrations++;
	task_on_cpu(s, m.task, from_cpu, t_ns);
	if (m.task->state != SCHED_RUNNING) {
		m.task->cpu = to_cpu;
		m.task->moved_ns = t_ns;
	}
	notify(s, moved, &m);
}

/* A tid that was used before begins anew, unless it is still to run for the first time. */
static struct sched_task *task_begin(struct sched *s, u32 tid, u64 t_ns)
{
	struct sched_task *task = hmap_get(&s->by_tid, tid);

	if (task && !task->n_runs && !task->out_ns && task->state == SCHED_UNKNOWN)
		return task;
	if (task && task->state == SCHED_RUNNING)	/* its last switch is missing */
		cpu_gap(s, cpu_get(s, task->cpu, t_ns), MAX(t_ns, s->stats.last_ns));
	if (task)
		set_state(task, SCHED_DEAD, MAX(t_ns, task->since_ns));
	task = task_new(s, tid, t_ns);
	hmap_put(&s->by_tid, tid, task);
	s->cache[tid % TID_CACHE] = task;
	return task;
}

void sched_on_fork(struct sched *s, u64 t_ns, u32 parent_tid, u32 child_tid, const char *child_comm)
{
	struct sched_task *parent, *child;

	t_ns = advance(s, t_ns);
	s->stats.n_forks++;
	parent = task_get(s, parent_tid, 0, t_ns);
	child = hmap_get(&s->by_tid, child_tid);
	/* A FORK record and sched_process_fork say the same: whichever comes first. */
	if (!child || child->n_runs || child->out_ns)
		child = task_begin(s, child_tid, t_ns);
	if (child->ppid < 0)
		child->ppid = parent->pid;
	rename_task(s, t_ns, child, parent->named ? parent->comm : child_comm);
	notify(s, forked, t_ns, parent, child);
}

void sched_on_iowait(struct sched *s, u64 t_ns, u32 tid)
{
	struct sched_task *task = task_get(s, tid, 0, advance(s, t_ns));

	u64 ns = task->blocked_ns;

	if (task->state == SCHED_BLOCKED) {
		task->state = SCHED_IOWAIT;
		return;
	}
	/* The kernel tells it when it queues the task: after sched_waking. */
	if (task->state != SCHED_RUNNABLE || !ns)
		return;
	task->state_ns[SCHED_BLOCKED] -= ns;
	task->state_ns[SCHED_IOWAIT] += ns;
	task->blocked_ns = 0;
	notify(s, iowaited, task, task->woken_ns - ns, task->woken_ns);
}

void sched_on_lost(struct sched *s, u64 t_ns, int cpu, u64 n)
{
	s->stats.n_lost += n;
	s->stats.n_lost_records++;
	notify(s, lost, t_ns, cpu, n);
	t_ns = advance(s, MAX(t_ns, s->stats.last_ns));
	for (size_t i = 0; i < s->cpus.n; i++) {
		if (s->cpus.v[i] && (cpu < 0 || (size_t)cpu == i))
			cpu_gap(s, s->cpus.v[i], t_ns);
	}
}

void sched_on_task(struct sched *s, u64 t_ns, u32 pid, u32 tid, s64 ppid, const char *comm)
{
	struct sched_task *task;

	if (!tid)
		return;
	task = task_get(s, tid, 0, 0);
	/* A FORK record without a time tells of a task that was there already. */
	if (ppid >= 0 && (task->state == SCHED_DEAD || (t_ns && (task->n_runs || task->out_ns))))
		task = task_begin(s, tid, MAX(t_ns, s->stats.last_ns));
	task->pid = pid;
	if (ppid >= 0 && task->ppid < 0)
		task->ppid = ppid;
	if (ppid > 0 && !*task->comm)		/* until an event or a record says another one */
		set_comm(s, MAX(t_ns, s->stats.last_ns), task, task_get(s, (u32)ppid, 0, 0)->comm);
	if (comm) {
		set_comm(s, MAX(t_ns, s->stats.last_ns), task, comm);
		task->named = true;
	}
}

void sched_on_time(struct sched *s, u64 t_ns)
{
	s->stats.first_ns = MIN(s->stats.first_ns, t_ns);
	s->stats.last_ns = MAX(s->stats.last_ns, t_ns);
}

void sched_bad_sample(struct sched *s)
{
	s->stats.n_bad++;
}

/* What waits on a dark CPU at the end has long run there. */
static void close_task(const struct sched *s, struct sched_task *task, u64 t_ns)
{
	t_ns = MAX(t_ns, task->since_ns);
	if ((task->state == SCHED_RUNNABLE || task->state == SCHED_PREEMPTED || task->state ==
	     SCHED_RUNNING) && is_dark(s, task->cpu))
		forget_state(task, t_ns);
	else
		set_state(task, task->state, t_ns);
}

static void close_cpu(const struct sched *s, struct sched_cpu *c, u64 t_ns)
{
	c->offline = is_dark(s, c->cpu);
	if (c->offline)
		c->curr = NULL;
	cpu_account(c, t_ns);
}

void sched_close(struct sched *s)
{
	u64 t_ns = s->stats.last_ns;

	for (size_t i = 0; i < s->tasks.n; i++)
		close_task(s, s->tasks.v[i], t_ns);
	for (size_t i = 0; i < s->cpus.n; i++) {
		if (s->cpus.v[i])
			close_cpu(s, s->cpus.v[i], t_ns);
	}
}
