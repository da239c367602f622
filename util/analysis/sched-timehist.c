// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/sched-timehist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/analysis/sched-chain.h"
#include "util/analysis/sched-select.h"
#include "util/base/num.h"
#include "util/base/xalloc.h"
#include "util/analysis/sched-timehist-priv.h"

#define MAX_PRIO 139

static bool task_wanted(const struct timehist *t, const struct sched_task *task, int prio)
{
	if (t->pids.n && !int_list_has(&t->pids, (int)task->pid))
		return false;
	if (t->prios.n && !int_list_has(&t->prios, prio))
		return false;
	return !t->tids.n || int_list_has(&t->tids, (int)task->tid);
}

bool timehist_cpu_wanted(const struct timehist *t, int cpu)
{
	return !t->cpus.n || int_list_has(&t->cpus, cpu);
}

static bool in_window(const struct timehist *t, u64 t_ns)
{
	return t_ns >= t->from_ns && t_ns <= t->to_ns;
}

/*
 * The part of a run that lies in the window: a run that began before it begins with it, one that
 * goes on after it ends with it. What the task waited before is reported as it was. False: it lies
 * outside.
 */
static bool clip(const struct timehist *t, struct sched_switch *sw)
{
	/* As elsewhere: with an end there are no lines for what a CPU ran first, which have no
	 * times. */
	if (t->to_ns != UINT64_MAX && !sw->run_known && sw->cpu->n_switches == 1)
		return false;
	if (in_window(t, sw->t_ns) && (!sw->run_known || sw->in_ns >= t->from_ns))
		return true;
	if (sw->t_ns < t->from_ns || (sw->t_ns > t->to_ns &&
				      (!sw->run_known || sw->in_ns > t->to_ns)))
		return false;
	sw->t_ns = MIN(sw->t_ns, t->to_ns);
	sw->in_ns = MAX(sw->in_ns, t->from_ns);
	sw->run_ns = sw->t_ns - sw->in_ns;
	return true;
}

static void stats_add(struct run_stats *r, u64 ns)
{
	double x = (double)ns, d = x - r->mean;

	r->min_ns = r->n ? MIN(r->min_ns, ns) : ns;
	r->max_ns = MAX(r->max_ns, ns);
	r->sum_ns += ns;
	r->n++;
	r->mean += d / (double)r->n;
	r->m2 += d * (x - r->mean);
}

static void count_chain(struct timehist *t, int cpu, const char *text, u64 ns)
{
	struct idle_chain *c = NULL;

	for (size_t i = 0; i < t->chains.n && !c; i++) {
		if (t->chains.v[i].cpu == cpu && !strcmp(t->chains.v[i].text, text))
			c = &t->chains.v[i];
	}
	if (!c) {
		c = vec_add(&t->chains);
		c->text = xstrdup(text);
		c->cpu = cpu;
	}
	c->ns += ns;
	c->count++;
}

static void count_run(struct timehist *t, const struct sched_switch *sw)
{
	struct run_stats *r = slot(&t->runs, sw->prev->index);

	stats_add(r, sw->run_ns);
	r->delay_ns += sw->delay_ns;
	switch (sw->waited) {
	case SCHED_PREEMPTED:
		r->preempted_ns += sw->wait_ns;
		break;
	case SCHED_BLOCKED:
		r->blocked_ns += sw->wait_ns;
		break;
	default:
		r->slept_ns += sw->wait_ns;
		break;
	}
}

static void count_idle(struct timehist *t, const struct sched_switch *sw)
{
	int cpu = sw->cpu->cpu;
	const struct sched_task *last = *slot(&t->last, cpu);
	const char *chain = *slot(&t->last_chain, cpu);
	struct cpu_idle *idle = slot(&t->idle, cpu);

	idle->ns += sw->run_ns;
	idle->n++;
	if (last && sw->run_known) {
		stats_add(slot(&t->idles, last->index), sw->run_ns);
		if (chain && *chain)
			count_chain(t, cpu, chain, sw->run_ns);
	}
}

/* Who leaves the CPU idle, and from where, also where that is not shown. */
static void note_last(struct timehist *t, const struct sched_switch *sw)
{
	int cpu = sw->cpu->cpu;
	struct str text = STR_INIT;
	char **chain;

	if (!t->o.idle_hist || sw->prev->idle)
		return;
	*slot(&t->last, cpu) = sw->prev;
	if (!t->o.chains)
		return;
	chain = slot(&t->last_chain, cpu);
	sched_add_chain(&text, sw->item, t->o.max_stack);
	free(*chain);
	*chain = str_detach(&text);
}

/* An idle time whose beginning was not seen is not shown by -I: nobody knows who caused it. */
static bool is_shown(const struct timehist *t, const struct sched_switch *sw)
{
	return !t->o.only_summary && (!t->o.idle_hist || (sw->prev->idle && sw->run_known));
}

static void show(struct timehist *t, const struct sched_switch *sw)
{
	bool wanted;

	if (!t->first_ns)
		t->first_ns = sw->t_ns;
	t->last_ns = sw->t_ns;
	if (t->counts && !sw->prev->idle)
		slot(&t->idle, sw->cpu->cpu)->busy = true;
	wanted = task_wanted(t, sw->prev, sw->prev_in_prio);
	t->skipped |= !wanted;
	if (!wanted || !timehist_cpu_wanted(t, sw->cpu->cpu))
		return;
	if (!t->counts)
		;
	else if (sw->prev->idle)
		count_idle(t, sw);
	else if (!t->o.idle_hist)
		count_run(t, sw);
	if (is_shown(t, sw))
		t->shown.run(t->shown.ctx, sw);
}

static void on_switch(void *ctx, const struct sched_switch *sw)
{
	struct timehist *t = ctx;

	if (t->all_times) {
		show(t, sw);
	} else {
		struct sched_switch part = *sw;

		if (clip(t, &part))
			show(t, &part);
	}
	note_last(t, sw);
}

static void on_lost(void *ctx, u64 t_ns, int cpu, u64 n)
{
	struct timehist *t = ctx;

	t->shown.lost(t->shown.ctx, t_ns, cpu, n);
}

/* Of wake-ups and migrations: either of the two tasks is asked for. */
static bool pair_is_shown(const struct timehist *t, u64 t_ns, int cpu,
			  const struct sched_task *task, const struct sched_task *by)
{
	return !t->o.only_summary && !t->o.idle_hist && in_window(t, t_ns) &&
		timehist_cpu_wanted(t, cpu) &&
		(task_wanted(t, task, task->prio) || task_wanted(t, by, by->prio));
}

static void on_wake(void *ctx, const struct sched_wake *w)
{
	struct timehist *t = ctx;

	if (t->o.wakeups && pair_is_shown(t, w->t_ns, w->cpu, w->task, w->waker))
		t->shown.wake(t->shown.ctx, w);
}

static void on_move(void *ctx, const struct sched_move *m)
{
	struct timehist *t = ctx;

	if (t->o.migrations && pair_is_shown(t, m->t_ns, m->cpu, m->task, m->waker))
		t->shown.move(t->shown.ctx, m);
}

static int parse_lists(struct timehist *t, struct err *err)
{
	const struct { const char *text; int_vec *out; } lists[] = {
		{ t->o.pids, &t->pids }, { t->o.tids, &t->tids }, { t->o.cpus, &t->cpus },
			{ t->o.prios, &t->prios },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		int ret = lists[i].text ? parse_int_list(lists[i].text, lists[i].out, err) : 0;

		if (ret)
			return ret;
	}
	if (t->prios.n && *vec_last(&t->prios) > MAX_PRIO) {
		err_set(err, ERANGE, "no task has priority %d", *vec_last(&t->prios));
		err_hint(err, "they go from 0 (the most urgent) to %d; 120 is that of most tasks",
			 MAX_PRIO);
		return -ERANGE;
	}
	return t->o.time ? sched_parse_window(t->o.time, &t->from_ns, &t->to_ns, err) : 0;
}

struct timehist *timehist_new(struct sched *s, const struct timehist_opts *opts,
			      const struct timehist_shown *shown, struct err *err)
{
	struct timehist *t = xnew(struct timehist);

	t->sched = s;
	t->o = *opts;
	t->shown = *shown;
	t->to_ns = UINT64_MAX;
	t->counts = t->o.summary || t->o.only_summary;
	if (parse_lists(t, err)) {
		timehist_free(t);
		return NULL;
	}
	t->all_times = !t->from_ns && t->to_ns == UINT64_MAX;
	sched_observe(s, &(struct sched_observer){ .ctx = t, .switched = on_switch,
						   .woken = on_wake, .moved = on_move,
						   .lost = on_lost });
	return t;
}

void timehist_free(struct timehist *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->chains.n; i++)
		free(t->chains.v[i].text);
	for (size_t i = 0; i < t->last_chain.n; i++)
		free(t->last_chain.v[i]);
	vec_free(&t->pids);
	vec_free(&t->tids);
	vec_free(&t->cpus);
	vec_free(&t->prios);
	vec_free(&t->runs);
	vec_free(&t->idles);
	vec_free(&t->last);
	vec_free(&t->last_chain);
	vec_free(&t->idle);
	vec_free(&t->chains);
	free(t);
}
