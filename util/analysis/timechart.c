// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/timechart.h"

#include <stdlib.h>

#include "util/analysis/sched-chain.h"
#include "util/base/xalloc.h"

#define MAX_WAKEUPS 1000
#define MAX_CHAINS (1 << 16)	/* what comes after them has none */

struct cpu_power { bool idle, clocked; u64 idle_ns, state, freq_ns, khz; };	/* since when */

struct timechart {
	struct sched *sched;
	VEC(struct timechart_row) cpus, tasks;
	VEC(struct cpu_power) power;	/* by CPU */
	VEC(struct wakeup_mark) wakeups;
	u64 wakeup_step, n_wakeups;	/* every wakeup_step-th is kept */
	size_t n_bars, max_bars;
	u64 quantum_ns;			/* length of a cell; 0: nothing is summed */
	int max_frames;			/* of a chain, 0: none are kept */
	VEC(char *) chains;		/* texts; number - 1 */
	struct strmap chain_numbers;
	/* by task index: the chain with which it left its CPU last */
	VEC(u32) left;
};

#define row_at(vec, i) ({ \
	while ((vec)->n <= (size_t)(i)) \
		(void)vec_add(vec); \
	&(vec)->v[i]; })

u64 timechart_row_io_ns(const struct timechart_row *l)
{
	u64 ns = 0;

	for (int kind = BAR_IO_FIRST; kind <= BAR_IO_LAST; kind++)
		ns += l->ns[kind];
	return ns;
}

/* Of the same kind, the later one second. */
static bool can_sum(const struct bar *last, const struct bar *s, u64 quantum_ns)
{
	return quantum_ns && s->to_ns - s->from_ns < quantum_ns &&
		(last->summed || last->to_ns - last->from_ns < quantum_ns) &&
	       last->from_ns / quantum_ns == s->from_ns / quantum_ns;
}

static bool is_io(const struct bar *b)
{
	return b->kind >= BAR_IO_FIRST && b->kind <= BAR_IO_LAST;
}

/* last takes s in: the longest part names it. */
static void sum_into(struct bar *last, const struct bar *s)
{
	if (is_io(s))
		last->value += s->value;
	if (s->longest_ns > last->longest_ns) {
		last->longest_ns = s->longest_ns;
		last->task = s->task;
		last->cpu = s->cpu;
		last->chain = s->chain;
		last->value = is_io(s) ? last->value : s->value;
	}
	last->busy_ns += s->busy_ns;
	last->failed |= s->failed;
	last->to_ns = MAX(last->to_ns, s->to_ns);
	last->summed = true;
}

size_t bars_thinned(const struct bar *v, size_t n_bars, u64 quantum_ns,
		    void (*out)(void *ctx, const struct bar *b), void *ctx)
{
	struct bar cur;
	size_t n = 0;

	for (size_t i = 0; i < n_bars; i++) {
		if (i && can_sum(&cur, &v[i], quantum_ns)) {
			sum_into(&cur, &v[i]);
			continue;
		}
		if (i && out)
			out(ctx, &cur);
		cur = v[i];
		n++;
	}
	if (n_bars && out)
		out(ctx, &cur);
	return n;
}

static void row_thin(struct timechart *t, struct timechart_row *l)
{
	for (int kind = 0; kind < BAR_KINDS; kind++) {
		struct bar *v = l->bars[kind].v;
		size_t n = 0;

		for (size_t i = 0; i < l->bars[kind].n; i++) {
			if (n && can_sum(&v[n - 1], &v[i], t->quantum_ns))
				sum_into(&v[n - 1], &v[i]);
			else
				v[n++] = v[i];
		}
		l->bars[kind].n = n;
		t->n_bars += n;
	}
}

/* Doubles the quantum until half of the room is free again, or each kind of each track has one
 * cell. */
static void thin(struct timechart *t)
{
	do {
		t->quantum_ns = t->quantum_ns ? t->quantum_ns * 2 : 1024;
		t->n_bars = 0;
		for (size_t i = 0; i < t->cpus.n; i++)
			row_thin(t, &t->cpus.v[i]);
		for (size_t i = 0; i < t->tasks.n; i++)
			row_thin(t, &t->tasks.v[i]);
	} while (t->n_bars > t->max_bars / 2 && t->quantum_ns < 1ULL << 62);
	/* More tracks than bars: room for those that come. */
	t->max_bars = MAX(t->max_bars, 2 * t->n_bars);
}

static void add_bar(struct timechart *t, struct timechart_row *l, struct bar s)
{
	s.busy_ns = s.longest_ns = s.to_ns - s.from_ns;
	l->ns[s.kind] += s.busy_ns;
	if (l->bars[s.kind].n && can_sum(vec_last(&l->bars[s.kind]), &s, t->quantum_ns)) {
		sum_into(vec_last(&l->bars[s.kind]), &s);
		return;
	}
	vec_push(&l->bars[s.kind], s);
	if (++t->n_bars > t->max_bars)
		thin(t);
}

static void add_task_bar(struct timechart *t, struct timechart_row *l, enum bar_kind kind,
			 u64 from_ns, u64 to_ns, int task, int cpu)
{
	if (to_ns > from_ns)
		add_bar(t, l, (struct bar){ .from_ns = from_ns, .to_ns = to_ns, .task = task,
					    .cpu = cpu, .kind = (u8)kind,
					    .chain = t->max_frames ? *row_at(&t->left, task) : 0 });
}

/* Where prev leaves the CPU: what its bars say until it leaves it again. */
static void note_chain(struct timechart *t, const struct sched_switch *sw)
{
	struct str text = STR_INIT;
	uintptr_t number = 0;

	if (!t->max_frames)
		return;
	sched_add_chain(&text, sw->item, t->max_frames);
	if (text.len) {
		number = (uintptr_t)strmap_get(&t->chain_numbers, text.buf);
		if (!number && t->chains.n < MAX_CHAINS) {
			vec_push(&t->chains, xstrdup(text.buf));
			number = t->chains.n;
			strmap_put(&t->chain_numbers, *vec_last(&t->chains), (void *)number);
		}
	}
	*row_at(&t->left, sw->prev->index) = (u32)number;
	str_release(&text);
}

void timechart_io(struct timechart *t, const struct sched_task *task, enum bar_kind kind,
		  u64 from_ns, u64 to_ns, int cpu,
		  s64 result)
{
	struct bar s = { .from_ns = from_ns, .to_ns = to_ns, .task = task->index, .cpu = cpu,
			 .kind = (u8)kind, .failed = result < 0 };

	if (to_ns < from_ns || !is_io(&s))
		return;
	if (result > 0 && kind != BAR_SYNC && kind != BAR_POLL)
		s.value = (u64)result;
	add_bar(t, row_at(&t->tasks, task->index), s);
}

/* A CPU's number in a recording may be anything. */
static struct cpu_power *power_of(struct timechart *t, int cpu)
{
	return cpu < 0 || cpu >= 65536 ? NULL : row_at(&t->power, cpu);
}

static void add_power(struct timechart *t, int cpu, enum bar_kind kind, u64 from_ns, u64 to_ns,
		      u64 value)
{
	if (to_ns > from_ns)
		add_bar(t, row_at(&t->cpus, cpu), (struct bar){ .from_ns = from_ns, .to_ns = to_ns,
								.task = -1, .cpu = cpu,
								 .kind = (u8)kind, .value =
								 value });
}

void timechart_idle(struct timechart *t, u64 t_ns, int cpu, bool awake, u64 state)
{
	struct cpu_power *p = power_of(t, cpu);

	if (!p)
		return;
	if (p->idle)
		add_power(t, cpu, BAR_IDLE, p->idle_ns, t_ns, p->state);
	p->idle = !awake;
	p->idle_ns = t_ns;
	p->state = state;
}

void timechart_freq(struct timechart *t, u64 t_ns, int cpu, u64 khz)
{
	struct cpu_power *p = power_of(t, cpu);

	if (!p)
		return;
	if (p->clocked)
		add_power(t, cpu, BAR_FREQ, p->freq_ns, t_ns, p->khz);
	p->clocked = true;
	p->freq_ns = t_ns;
	p->khz = khz;
}

static void on_switch(void *ctx, const struct sched_switch *sw)
{
	struct timechart *t = ctx;
	int cpu = sw->cpu->cpu;

	if (!sw->prev->idle)
		note_chain(t, sw);
	if (!sw->prev->idle && sw->run_known) {
		add_task_bar(t, row_at(&t->cpus, cpu), BAR_RUNNING, sw->in_ns, sw->t_ns,
			     sw->prev->index, cpu);
		add_task_bar(t, row_at(&t->tasks, sw->prev->index), BAR_RUNNING, sw->in_ns,
			     sw->t_ns, sw->prev->index, cpu);
	} else {
		(void)row_at(&t->cpus, cpu);
	}
	if (!sw->next->idle && sw->next_delay_known)
		add_task_bar(t, row_at(&t->tasks, sw->next->index), BAR_WAITING, sw->next_ready_ns,
			     sw->t_ns, sw->next->index, cpu);
}

static void on_wake(void *ctx, const struct sched_wake *w)
{
	struct timechart *t = ctx;
	struct wakeup_mark mark = { w->t_ns, w->waker->index, w->task->index };

	if (w->task->woken_ns != w->t_ns)
		return;
	/* The time asleep that ends: only the uninterruptible is drawn, since it is what hurts. */
	if (w->task->out_ns && w->was_blocked)
		add_task_bar(t, row_at(&t->tasks, w->task->index), w->was_iowait ? BAR_IOWAIT :
			     BAR_BLOCKED, w->task->out_ns,
			     w->t_ns, w->task->index, w->task->cpu);
	if (w->waker->idle || w->waker == w->task || t->n_wakeups++ % t->wakeup_step)
		return;
	vec_push(&t->wakeups, mark);
	if (t->wakeups.n == MAX_WAKEUPS * 2) {
		for (size_t i = 0; i < MAX_WAKEUPS; i++)
			t->wakeups.v[i] = t->wakeups.v[2 * i];
		t->wakeups.n = MAX_WAKEUPS;
		t->wakeup_step *= 2;
	}
}

/* What the wake-up ended was I/O, as the kernel tells after it. A bar that was summed with
 * others meanwhile stays what it is. */
static void on_iowait(void *ctx, const struct sched_task *task, u64 from_ns, u64 to_ns)
{
	struct timechart *t = ctx;
	struct timechart_row *l = row_at(&t->tasks, task->index);
	struct bar b;

	if (!l->bars[BAR_BLOCKED].n)
		return;
	b = *vec_last(&l->bars[BAR_BLOCKED]);
	if (b.summed || b.from_ns != from_ns || b.to_ns != to_ns)
		return;
	l->bars[BAR_BLOCKED].n--;
	l->ns[BAR_BLOCKED] -= b.busy_ns;
	t->n_bars--;
	b.kind = BAR_IOWAIT;
	add_bar(t, l, b);
}

struct timechart *timechart_new(struct sched *s, size_t max_bars)
{
	struct timechart *t = xnew(struct timechart);

	t->sched = s;
	t->max_bars = max_bars;
	t->wakeup_step = 1;
	sched_observe(s, &(struct sched_observer){ .ctx = t, .switched = on_switch,
						   .woken = on_wake, .iowaited = on_iowait });
	return t;
}

void timechart_keep_chains(struct timechart *t, int max_frames)
{
	t->max_frames = max_frames;
}

const char *timechart_chain(const struct timechart *t, u32 chain)
{
	return chain && chain <= t->chains.n ? t->chains.v[chain - 1] : NULL;
}

u32 timechart_chains(const struct timechart *t)
{
	return (u32)t->chains.n;
}

static void row_release(struct timechart_row *l)
{
	for (int kind = 0; kind < BAR_KINDS; kind++)
		vec_free(&l->bars[kind]);
}

void timechart_free(struct timechart *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->cpus.n; i++)
		row_release(&t->cpus.v[i]);
	for (size_t i = 0; i < t->tasks.n; i++)
		row_release(&t->tasks.v[i]);
	vec_free(&t->cpus);
	vec_free(&t->tasks);
	vec_free(&t->power);
	vec_free(&t->wakeups);
	for vec_each(text, &t->chains)
		free(*text);
	vec_free(&t->chains);
	strmap_release(&t->chain_numbers);
	vec_free(&t->left);
	free(t);
}

/* What still waits, or is blocked, at the end. */
static void close_waits(struct timechart *t, u64 end_ns)
{
	struct sched_task *const *tasks;
	size_t n = sched_tasks(t->sched, &tasks);

	for (size_t i = 0; i < n; i++) {
		const struct sched_task *task = tasks[i];
		bool blocked = task->state == SCHED_BLOCKED,
			waits = task->state == SCHED_RUNNABLE || task->state == SCHED_PREEMPTED;
		u64 from_ns = task->state == SCHED_RUNNABLE ? task->woken_ns : task->out_ns;

		if ((blocked || waits) && !task->idle && from_ns)
			add_task_bar(t, row_at(&t->tasks, i), blocked ? BAR_BLOCKED : BAR_WAITING,
				     from_ns, end_ns, task->index,
				     task->cpu);
	}
}

void timechart_close(struct timechart *t)
{
	u64 end = sched_get_stats(t->sched)->last_ns;
	struct sched_cpu *const *cpus;
	size_t n = sched_cpus(t->sched, &cpus);

	for (size_t i = 0; i < n; i++) {
		const struct sched_task *task = cpus[i] ? cpus[i]->curr : NULL;

		if (!task || task->idle || task->state != SCHED_RUNNING || !task->in_ns)
			continue;
		if (t->max_frames)	/* it has not left the CPU */
			*row_at(&t->left, task->index) = 0;
		add_task_bar(t, row_at(&t->cpus, i), BAR_RUNNING, task->in_ns, end, task->index,
			     (int)i);
		add_task_bar(t, row_at(&t->tasks, task->index), BAR_RUNNING, task->in_ns, end,
			     task->index, (int)i);
	}
	close_waits(t, end);
	for (size_t i = 0; i < t->power.n; i++) {
		timechart_idle(t, end, (int)i, true, 0);
		timechart_freq(t, end, (int)i, 0);
	}
}

size_t timechart_cpus(const struct timechart *t, const struct timechart_row **out)
{
	*out = t->cpus.v;
	return t->cpus.n;
}

size_t timechart_tasks(const struct timechart *t, const struct timechart_row **out)
{
	*out = t->tasks.v;
	return t->tasks.n;
}

size_t timechart_wakeups(const struct timechart *t, const struct wakeup_mark **out)
{
	*out = t->wakeups.v;
	return t->wakeups.n;
}
