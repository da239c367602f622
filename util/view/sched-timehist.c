// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One line for each run that ended, in upstream perf's columns. Times are those of the model; a
 * filter hides lines and takes them out of the summaries, but never changes what is measured.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/analysis/sched-chain.h"
#include "util/base/json.h"
#include "util/base/num.h"
#include "util/base/xalloc.h"
#include "util/view/digits.h"
#include "util/view/sched-text.h"

#define NAME_WIDTH 30
#define NEXT_WIDTH 24
#define TIMES_WIDTH 33		/* the three columns of times, which wake-ups and migrations leave blank */

struct run_stats {		/* of a task's shown runs; also of idle times that a task caused */
	u64 n, sum_ns, min_ns, max_ns;
	double mean, m2;	/* Welford's */
	/* Before these runs: off the CPU, by how the task had left it (the delay after the
	 * wake-up is in it), and ready to run. */
	u64 slept_ns, blocked_ns, preempted_ns, delay_ns;
};

struct cpu_idle { u64 ns, n; bool busy; };	/* busy: a task ran there */

/* As shown, while comm, pid and the width are these; n: filled up to its column, name_n:
 * without. FT_SLACK bytes follow. */
struct task_name { const char *comm; u32 pid; char *text; size_t n, name_n; };

#define MAX_PRIO 139

struct idle_chain { char *text; u64 ns, count; int cpu; };

struct timehist {
	struct sched *sched;
	FILE *fp;
	struct timehist_opts o;
	int_vec pids, tids, cpus, prios;
	u64 from_ns, to_ns;
	struct str out;
	VEC(struct task_name) names;		/* by task index */
	VEC(struct run_stats) runs;		/* by task index */
	VEC(struct run_stats) idles;		/* by the task that left the CPU idle */
	VEC(const struct sched_task *) last;	/* by CPU: the task before idle */
	VEC(char *) last_chain;			/* by CPU */
	VEC(struct cpu_idle) idle;		/* by CPU */
	VEC(struct idle_chain) chains;
	/* switches within the window, of all CPUs and tasks */
	u64 first_ns, last_ns;
	u64 n_json;
	size_t name_width;
	bool skipped;				/* a run of a task that is not asked for */
	bool counts;				/* there will be a summary */
	bool all_times;				/* no window */
	struct put_clock clock;
};

static void add_task(struct str *out, const struct sched_task *task, bool idle_name)
{
	if (task->idle && idle_name) {
		str_add(out, "<idle>");
		return;
	}
	if (!*task->comm)
		str_addf(out, ":%d", (int)task->tid);
	else
		str_add_safe(out, task->comm);
	if (task->idle)
		return;
	/* -1: see sched_on_wake() */
	str_addf(out, task->pid != task->tid ? "[%d/%d]" : "[%d]", (int)task->tid, (int)task->pid);
}

/* As elsewhere: a name that is too long makes the column wider by one from there on. It is not
 * cut. */
static void note_width(struct timehist *t, size_t n)
{
	if (n > t->name_width)
		t->name_width = NAME_WIDTH + 1;
}

/* The name, filled up to its column. */
static const struct task_name *name_of(struct timehist *t, const struct sched_task *task)
{
	struct str text = STR_INIT;
	struct task_name *name;

	while (t->names.n <= (size_t)task->index)
		(void)vec_add(&t->names);
	name = &t->names.v[task->index];
	if (name->text && name->comm == task->comm && name->pid == task->pid &&
	    name->n >= t->name_width)
		return name;
	add_task(&text, task, true);
	note_width(t, text.len);
	name->name_n = text.len;
	if (text.len < t->name_width)
		str_addchn(&text, ' ', t->name_width - text.len);
	str_reserve(&text, FT_SLACK);
	free(name->text);
	name->n = text.len;
	name->text = str_detach(&text);
	name->comm = task->comm;
	name->pid = task->pid;
	return name;
}

static void add_header(struct timehist *t)
{
	struct str *o = &t->out;
	int n = t->o.max_cpu + 1;

	str_addf(o, "%15s %6s ", "time", "cpu");
	if (t->o.cpu_visual) {
		str_addch(o, ' ');
		for (int i = 0; i < n; i++)
			str_addf(o, "%x", i & 15);
		str_addch(o, ' ');
	}
	str_addf(o, " %-*s", NAME_WIDTH, "task name");
	if (t->o.prio)
		str_addf(o, "  %-8s", "prio");
	str_addf(o, "  %9s  %9s  %9s", "wait time", "sch delay", "run time");
	if (t->o.pre_migrations)
		str_addf(o, "  %9s", "pre-mig time");
	if (t->o.state)
		str_add(o, "  state");
	str_addf(o, "\n%15s %6s ", "", "");
	if (t->o.cpu_visual)
		str_addf(o, " %*s ", n, "");
	str_addf(o, " %-*s", NAME_WIDTH, "[tid/pid]");
	if (t->o.prio)
		str_addf(o, "  %8s", "");
	str_addf(o, "  %9s  %9s  %9s", "(msec)", "(msec)", "(msec)");
	if (t->o.pre_migrations)
		str_addf(o, "  %9s", "(msec)");
	str_addf(o, "\n%.15s %.6s ", "---------------", "------");
	if (t->o.cpu_visual) {
		str_addch(o, ' ');
		str_addchn(o, '-', (size_t)n);
		str_addch(o, ' ');
	}
	str_addch(o, ' ');
	str_addchn(o, '-', NAME_WIDTH);
	if (t->o.prio)
		str_add(o, "  --------");
	str_add(o, "  ---------  ---------  ---------");
	if (t->o.pre_migrations)
		str_add(o, "  ---------");
	if (t->o.state)
		str_add(o, "  -----");
	str_addch(o, '\n');
}

static void flush(struct timehist *t, size_t above)
{
	if (t->out.len <= above)
		return;
	fwrite(t->out.buf, 1, t->out.len, t->fp);
	str_reset(&t->out);
}

/* Time, CPU and the visual with one mark. */
static void add_front(struct timehist *t, u64 t_ns, int cpu, int mark_cpu, char mark)
{
	char *p;

	p = put_clock(&t->clock, str_room(&t->out, 96), t_ns, 15);
	p = put_text(p, " [", 2);
	p = cpu < 10000 ? ft_4(p, (u32)cpu) : put_u64(p, (u64)cpu, 4, '0');
	str_took(&t->out, put_text(p, "] ", 2));
	if (!t->o.cpu_visual)
		return;
	str_addch(&t->out, ' ');
	for (int i = 0; i <= t->o.max_cpu; i++)
		str_addch(&t->out, i == mark_cpu ? mark : ' ');
	str_addch(&t->out, ' ');
}

enum { MS_ROOM = 32 };

static inline char *put_time(char *p, u64 ns)
{
	return put_ms_9(put_text(p, "  ", 2), ns);
}

static bool task_wanted(const struct timehist *t, const struct sched_task *task, int prio)
{
	if (t->pids.n && !int_list_has(&t->pids, (int)task->pid))
		return false;
	if (t->prios.n && !int_list_has(&t->prios, prio))
		return false;
	return !t->tids.n || int_list_has(&t->tids, (int)task->tid);
}

static bool cpu_wanted(const struct timehist *t, int cpu)
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

/* Standard error of the mean in percent of the mean. */
static double stats_pct(const struct run_stats *r)
{
	if (r->n < 2 || r->mean <= 0)
		return 0;
	return 100.0 * sqrt(r->m2 / (double)(r->n - 1) / (double)r->n) / r->mean;
}

#define slot(vec, i) ({ \
	while ((vec)->n <= (size_t)(i)) \
		(void)vec_add(vec); \
	&(vec)->v[i]; })

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

/* --- JSON --- */

static void json_task(struct json *j, const char *key, const struct sched_task *task)
{
	json_key(j, key);
	json_open(j, '{');
	json_key_str(j, "comm", task->idle ? "<idle>" : task->comm);
	json_key_u64(j, "tid", task->tid);
	json_key_u64(j, "pid", task->pid);
	json_close(j, '}');
}

/* One line; the caller goes on with its own members and json_close(). */
static void json_event(struct timehist *t, struct json *j, const char *what, u64 t_ns, int cpu)
{
	str_add(&t->out, t->n_json++ ? ",\n" : "{\"events\":[\n");
	json_init(j, &t->out);
	json_open(j, '{');
	json_key_str(j, "event", what);
	json_key_u64(j, "time_ns", t_ns);
	json_key_u64(j, "cpu", (u64)cpu);
}

static void json_switch(struct timehist *t, const struct sched_switch *sw)
{
	const char state[3] = { sw->prev->idle ? 'I' : sw->state, sw->preempted ? '+' : '\0' };
	struct json j;

	json_event(t, &j, "run", sw->t_ns, sw->cpu->cpu);
	json_task(&j, "task", sw->prev);
	json_key(&j, "prio");
	json_s64(&j, sw->prev->prio);
	json_key_str(&j, "state", state);
	json_key(&j, "known");
	json_bool(&j, sw->run_known);
	json_key_u64(&j, "wait_ns", sw->wait_ns);
	json_key_u64(&j, "delay_ns", sw->delay_ns);
	json_key_u64(&j, "run_ns", sw->run_ns);
	json_key_u64(&j, "pre_migration_ns", sw->premig_ns);
	json_task(&j, "next", sw->next);
	if (t->o.chains && !sw->prev->idle) {
		struct str chain = STR_INIT;

		sched_add_chain(&chain, sw->item, t->o.max_stack);
		json_key_str(&j, "chain", str_cstr(&chain));
		str_release(&chain);
	}
	json_close(&j, '}');
}

static void json_end(struct timehist *t)
{
	struct sched_task *const *tasks;
	size_t n = sched_tasks(t->sched, &tasks);
	struct json j;

	str_add(&t->out, t->n_json ? "\n]" : "{\"events\":[]");
	if (t->o.summary || t->o.only_summary) {
		str_add(&t->out, ",\n\"summary\":");
		json_init(&j, &t->out);
		json_open(&j, '[');
		for (size_t i = 0; i < n; i++) {
			const struct run_stats *r = t->o.idle_hist ? slot(&t->idles, i) :
				slot(&t->runs, i);

			if (!r->n)
				continue;
			json_open(&j, '{');
			json_task(&j, "task", tasks[i]);
			json_key_u64(&j, "count", r->n);
			json_key_u64(&j, "sum_ns", r->sum_ns);
			json_key_u64(&j, "min_ns", r->min_ns);
			json_key(&j, "avg_ns");
			json_fixed(&j, r->mean, 1);
			json_key_u64(&j, "max_ns", r->max_ns);
			json_key(&j, "stddev_pct");
			json_fixed(&j, stats_pct(r), 2);
			json_key_u64(&j, "migrations", tasks[i]->n_migrations);
			json_close(&j, '}');
		}
		json_close(&j, ']');
	}
	str_add(&t->out, "}\n");
}

/* --- events --- */

static void add_prio(struct str *out, const struct sched_switch *sw)
{
	char text[32];

	if (sw->prev_in_prio == sw->prev->prio)
		snprintf(text, sizeof(text), "%d", sw->prev->prio);
	else
		snprintf(text, sizeof(text), "%d->%d", sw->prev_in_prio, sw->prev->prio);
	str_addf(out, "  %-8s", text);
}

static void text_switch(struct timehist *t, const struct sched_switch *sw)
{
	const struct task_name *name;
	struct str *o = &t->out;
	char *p;

	add_front(t, sw->t_ns, sw->cpu->cpu, sw->cpu->cpu, sw->prev->idle ? 'i' : 's');
	name = name_of(t, sw->prev);
	p = put_chars(str_room(o, name->n + FT_SLACK + 5 * MS_ROOM), ' ', 1);
	p = ft_padded(p, name->text, name->n);
	if (t->o.prio) {
		str_took(o, p);
		add_prio(o, sw);
		p = str_room(o, 5 * MS_ROOM);
	}
	p = put_time(p, sw->wait_ns);
	p = put_time(p, sw->delay_ns);
	p = put_time(p, sw->run_ns);
	if (t->o.pre_migrations)
		p = put_time(p, sw->premig_ns);
	*p++ = ' ';
	str_took(o, p);
	if (t->o.state)
		str_addf(o, " %5c ", sw->prev->idle ? 'I' : sw->state);
	if (t->o.next) {
		struct str next = STR_INIT;

		/* What the event says: no process, and not the name of a COMM record. */
		str_add_safe(&next, sw->next_comm);
		str_addf(&next, "[%d]", (int)sw->next->tid);
		str_addf(o, " next: %-*s", NEXT_WIDTH, str_cstr(&next));
		str_release(&next);
	}
	if (t->o.wakeups && !t->o.next)
		str_addchn(o, ' ', t->name_width + 2);
	if (t->o.chains && !sw->prev->idle) {
		str_add(o, "   ");
		sched_add_chain(o, sw->item, t->o.max_stack);
	}
	str_addch(o, '\n');
}

/* An idle time whose beginning was not seen is not told by -I: nobody knows who caused it. */
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
	if (!wanted || !cpu_wanted(t, sw->cpu->cpu))
		return;
	if (!t->counts)
		;
	else if (sw->prev->idle)
		count_idle(t, sw);
	else if (!t->o.idle_hist)
		count_run(t, sw);
	if (!is_shown(t, sw))
		return;
	if (t->o.json)
		json_switch(t, sw);
	else
		text_switch(t, sw);
	flush(t, 1 << 16);
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
	struct json j;

	if (t->o.json) {
		json_event(t, &j, "lost", t_ns, MAX(cpu, 0));
		json_key_u64(&j, "count", n);
		json_close(&j, '}');
		return;
	}
	str_took(&t->out, put_seconds(str_room(&t->out, 64), t_ns, 15));
	str_addf(&t->out, " lost %llu events on cpu %d\n", (unsigned long long)n, cpu);
}

/* In the lines of wake-ups and migrations the idle task has its own name. */
static void add_name(struct timehist *t, const struct sched_task *task)
{
	const size_t from = t->out.len;
	const struct task_name *name;

	if (task->idle) {
		add_task(&t->out, task, false);
		note_width(t, t->out.len - from);
		return;
	}
	name = name_of(t, task);
	str_addn(&t->out, name->text, name->name_n);
}

static void on_wake(void *ctx, const struct sched_wake *w)
{
	struct timehist *t = ctx;
	size_t from;

	if (t->o.only_summary || !t->o.wakeups || !in_window(t, w->t_ns) ||
	    !cpu_wanted(t, w->cpu) || t->o.idle_hist ||
	    !(task_wanted(t, w->task, w->task->prio) || task_wanted(t, w->waker, w->waker->prio)))
		return;
	if (t->o.json) {
		struct json j;

		json_event(t, &j, "wakeup", w->t_ns, w->cpu);
		json_task(&j, "task", w->task);
		json_task(&j, "by", w->waker);
		json_close(&j, '}');
		return;
	}
	add_front(t, w->t_ns, w->cpu, -1, ' ');
	str_addch(&t->out, ' ');
	from = t->out.len;
	add_name(t, w->waker);
	if (t->out.len - from < t->name_width + 2)
		str_addchn(&t->out, ' ', t->name_width + 2 - (t->out.len - from));
	str_addchn(&t->out, ' ', TIMES_WIDTH);
	str_add(&t->out, "awakened: ");
	add_name(t, w->task);
	str_addch(&t->out, '\n');
}

static void on_move(void *ctx, const struct sched_move *m)
{
	struct timehist *t = ctx;
	size_t from;

	if (t->o.only_summary || !t->o.migrations || !in_window(t, m->t_ns) ||
	    !cpu_wanted(t, m->cpu) || t->o.idle_hist ||
	    !(task_wanted(t, m->task, m->task->prio) || task_wanted(t, m->waker, m->waker->prio)))
		return;
	if (t->o.json) {
		struct json j;

		json_event(t, &j, "migration", m->t_ns, m->cpu);
		json_task(&j, "task", m->task);
		json_task(&j, "by", m->waker);
		json_key_u64(&j, "from_cpu", (u64)m->from_cpu);
		json_key_u64(&j, "to_cpu", (u64)m->to_cpu);
		json_close(&j, '}');
		return;
	}
	/* one to the right, as everybody is used to */
	add_front(t, m->t_ns, m->cpu, m->cpu + 1, 'm');
	str_add(&t->out, t->o.cpu_visual ? "   " : " ");
	from = t->out.len;
	add_name(t, m->waker);
	if (t->out.len - from < t->name_width)
		str_addchn(&t->out, ' ', t->name_width - (t->out.len - from));
	str_addf(&t->out, "%*smigrated: ", TIMES_WIDTH + 2, "");
	add_name(t, m->task);
	str_addf(&t->out, " cpu %d => %d\n", m->from_cpu, m->to_cpu);
}

/* --- summaries --- */

/* "%*.3f" of ms, not rounded up, as in the lines. */
static void add_ms_at(struct str *out, u64 ns, int width)
{
	char *p = str_room(out, 64);

	str_took(out, put_ms(p, ns, width));
}

static void add_counts(struct str *out, const u64 *ns, const int *widths, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_ms_at(out, ns[i], widths[i]);
}

static void add_summary_row(struct timehist *t, const struct sched_task *task,
			    const struct run_stats *r)
{
	struct str name = STR_INIT;
	struct str *o = &t->out;

	add_task(&name, task, true);
	str_addf(o, "%30s%8lld%11llu", str_cstr(&name), (long long)task->ppid,
		 (unsigned long long)r->n);
	if (t->o.state && !t->o.idle_hist) {
		add_counts(o, (u64[]){ r->sum_ns, r->slept_ns, r->blocked_ns, r->preempted_ns,
				       r->delay_ns },
			   (int[]){ 13, 11, 12, 12, 12 }, 5);
		str_add(o, " \n");
	} else {
		add_counts(o, (u64[]){ r->sum_ns, r->min_ns, u64_of(r->mean), r->max_ns },
			   (int[]){ 13, 11, 12, 12 }, 4);
		str_addf(o, "   %5.2f%8llu\n", stats_pct(r),
			 (unsigned long long)task->n_migrations);
	}
	str_release(&name);
}

static void add_summary_head(struct timehist *t)
{
	struct str *o = &t->out;

	if (t->o.idle_hist)
		str_add(o, "\nIdle-time summary\n"
			   "                          comm  parent  sched-out    idle-time   "
			   "min-idle    avg-idle    max-idle  stddev  "
			   "migrations\n");
	else if (t->o.state)
		str_add(o, "\nWait-time summary\n"
			   "                          comm  parent   sched-in     run-time      "
			   "sleep      iowait     preempt       "
			   "delay\n");
	else
		str_add(o, "\nRuntime summary\n"
			   "                          comm  parent   sched-in     run-time    "
			   "min-run     avg-run     max-run  stddev  "
			   "migrations\n");
	str_addf(o, "%42s(count)       (msec)     (msec)      (msec)      (msec)       %s\n", "",
		 t->o.state && !t->o.idle_hist ? "(msec)" : "%");
	str_addchn(o, '-', 117);
	str_addch(o, '\n');
}

static int cmp_chains(const void *pa, const void *pb)
{
	const struct idle_chain *a = pa, *b = pb;

	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return strcmp(a->text, b->text);
}

static void add_idle_chains(struct timehist *t, size_t n_cpus)
{
	if (!t->o.idle_hist || !t->o.chains)
		return;
	if (t->chains.n)
		qsort(t->chains.v, t->chains.n, sizeof(*t->chains.v), cmp_chains);
	str_add(&t->out, "\nIdle stats by callchain:\n");
	for (size_t cpu = 0, i = 0; cpu < n_cpus; cpu++) {
		str_addf(&t->out, "  CPU %2zu: ", cpu);
		add_ms_at(&t->out, slot(&t->idle, cpu)->ns, 9);
		str_add(&t->out, "  msec\n  Idle time (msec)     Count  Callchains\n  "
				 "----------------  --------  --------------------------------------------------\n");
		for (; i < t->chains.n && (size_t)t->chains.v[i].cpu == cpu; i++) {
			str_add(&t->out, "  ");
			add_ms_at(&t->out, t->chains.v[i].ns, 16);
			str_addf(&t->out, "  %8llu  %s\n", (unsigned long long)t->chains.v[i].count,
				 t->chains.v[i].text);
		}
		str_addch(&t->out, '\n');
	}
}

/* Of a CPU that never was seen to leave its idle task: what it idles at the end. false: nothing
 * ran there, as far as is known. */
static bool idle_at_end(const struct timehist *t, const struct sched_cpu *cpu, bool busy,
			u64 *idle_ns)
{
	const bool idles = cpu && cpu->curr && cpu->curr->idle;

	*idle_ns = busy && idles && t->last_ns > cpu->idle_from_ns ?
		t->last_ns - cpu->idle_from_ns : 0;
	return busy || (cpu && cpu->curr && !idles);
}

static void add_idle_stats(struct timehist *t, u64 wall_ns)
{
	struct sched_cpu *const *cpus;
	const size_t known = sched_cpus(t->sched, &cpus),
		n = MAX(known, (size_t)MAX(t->o.max_cpu, 0));

	str_add(&t->out, "\nIdle stats:\n");
	for (size_t i = 0; i < n; i++) {
		const struct cpu_idle *idle = slot(&t->idle, i);
		u64 ns = idle->ns;

		if (!cpu_wanted(t, (int)i))
			continue;
		if (!idle->n && !idle_at_end(t, i < known ? cpus[i] : NULL, idle->busy, &ns)) {
			str_addf(&t->out, "    CPU %2zu idle entire time window\n", i);
			continue;
		}
		str_addf(&t->out, "    CPU %2zu idle for ", i);
		add_ms_at(&t->out, ns, 10);
		str_addf(&t->out, "  msec  (%6.2f%%)\n",
			 wall_ns ? 100.0 * (double)ns / (double)wall_ns : 0);
	}
	add_idle_chains(t, n);
}

static void add_summary(struct timehist *t)
{
	const struct sched_stats *st = sched_get_stats(t->sched);
	struct sched_task *const *tasks;
	size_t n = sched_tasks(t->sched, &tasks), unique = 0;
	u64 run = 0, switches = 0, wall = t->last_ns - t->first_ns;
	struct str *o = &t->out;

	add_summary_head(t);
	for (size_t i = 0; i < n; i++) {
		const struct run_stats *r = t->o.idle_hist ? slot(&t->idles, i) : slot(&t->runs, i);

		if (!r->n)
			continue;
		unique++;
		switches += r->n;
		run += r->sum_ns;
		add_summary_row(t, tasks[i], r);
	}
	if (!unique)
		str_add(o, "<no still running tasks>\n");
	/* Some tasks alone leave nothing to say of the CPUs. */
	if (t->skipped)
		return;
	for (size_t i = 0; i < t->idle.n; i++)
		switches += t->idle.v[i].n;
	add_idle_stats(t, wall);
	str_addf(o, "\n    Total number of unique tasks: %zu\nTotal number of context switches: "
		    "%llu\n", unique,
		 (unsigned long long)switches);
	str_add(o, "           Total run time (msec): ");
	add_ms_at(o, run, 6);
	str_add(o, " \n    Total scheduling time (msec): ");
	add_ms_at(o, wall, 6);
	str_addf(o, "  (x %d)\n", MAX(t->o.max_cpu, 1));
	if (st->n_gaps)
		str_addf(o, "  Switches that do not follow the one before (events are missing): "
			    "%llu\n",
			 (unsigned long long)st->n_gaps);
}

void timehist_end(struct timehist *t)
{
	if (t->o.json)
		json_end(t);
	else if (t->o.summary || t->o.only_summary)
		add_summary(t);
	flush(t, 0);
}

static int parse_window(struct timehist *t, struct err *err)
{
	char *copy = xstrdup(t->o.time), *comma = strchr(copy, ',');
	int ret = 0;

	if (comma)
		*comma++ = '\0';
	if ((*copy && !parse_time_ns(copy, &t->from_ns)) ||
	    (comma && *comma && !parse_time_ns(comma, &t->to_ns)) ||
	    t->from_ns > t->to_ns) {
		ret = err_set(err, EINVAL, "invalid time window '%s'", t->o.time);
		err_hint(err, "write --time START,STOP in seconds, the earlier one first; either "
			      "may be left out");
	}
	free(copy);
	return ret;
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
	return t->o.time ? parse_window(t, err) : 0;
}

struct timehist *timehist_new(struct sched *s, FILE *fp, const struct timehist_opts *opts,
			      struct err *err)
{
	struct timehist *t = xnew(struct timehist);

	t->sched = s;
	t->fp = fp;
	t->o = *opts;
	t->to_ns = UINT64_MAX;
	t->name_width = NAME_WIDTH;
	t->counts = t->o.summary || t->o.only_summary;
	if (parse_lists(t, err)) {
		timehist_free(t);
		return NULL;
	}
	t->all_times = !t->from_ns && t->to_ns == UINT64_MAX;
	if (!t->o.only_summary && !t->o.json)
		add_header(t);
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
	for (size_t i = 0; i < t->names.n; i++)
		free(t->names.v[i].text);
	vec_free(&t->names);
	vec_free(&t->runs);
	vec_free(&t->idles);
	vec_free(&t->last);
	vec_free(&t->last_chain);
	vec_free(&t->idle);
	vec_free(&t->chains);
	str_release(&t->out);
	free(t);
}
