// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One line for each run that ended, in the stock's columns. Times are those of the model; a filter hides lines and takes them
 * out of the summaries, but never changes what is measured.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
};

struct task_name { const char *comm; u32 pid; char *text; size_t n; };	/* as shown, while comm and pid are these */

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
	VEC(u64) cpu_idle_ns;
	VEC(struct idle_chain) chains;
	u64 n_switches, first_ns, last_ns;
	bool header_done;
	u64 n_json;
};

static bool has(const int_vec *v, int x)
{
	for (size_t i = 0; i < v->n; i++) {
		if (v->v[i] == x)
			return true;
	}
	return false;
}

static void add_task(struct str *out, const struct sched_task *task, bool idle_name)
{
	if (task->idle && idle_name) {
		str_add(out, "<idle>");
		return;
	}
	if (!*task->comm)
		str_addf(out, ":%u", task->tid);
	else
		str_add_safe(out, task->comm);
	if (task->idle)
		return;
	str_addf(out, task->pid != task->tid ? "[%u/%u]" : "[%u]", task->tid, task->pid);
}

/* The name, filled up to its column. */
static const struct task_name *name_of(struct timehist *t, const struct sched_task *task)
{
	struct str text = STR_INIT;
	struct task_name *name;

	while (t->names.n <= (size_t)task->index)
		(void)vec_add(&t->names);
	name = &t->names.v[task->index];
	if (name->text && name->comm == task->comm && name->pid == task->pid)
		return name;
	add_task(&text, task, true);
	if (text.len < NAME_WIDTH)
		str_addchn(&text, ' ', NAME_WIDTH - text.len);
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

	if (t->header_done || t->o.only_summary)
		return;
	t->header_done = true;
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

	add_header(t);
	p = put_seconds(str_room(&t->out, 64), t_ns, 15);
	p = put_text(p, " [", 2);
	p = put_u64(p, (u64)cpu, 4, '0');
	str_took(&t->out, put_text(p, "] ", 2));
	if (!t->o.cpu_visual)
		return;
	str_addch(&t->out, ' ');
	for (int i = 0; i <= t->o.max_cpu; i++)
		str_addch(&t->out, i == mark_cpu ? mark : ' ');
	str_addch(&t->out, ' ');
}

static void add_ms(struct str *out, u64 ns)
{
	char *p = put_text(str_room(out, 32), "  ", 2);

	str_took(out, put_ms(p, ns, 9));
}

/* Functions of the scheduler that every chain begins with. */
static bool is_scheduler(const char *name)
{
	static const char *const names[] = {
		"__schedule", "schedule", "preempt_schedule", "preempt_schedule_common", "preempt_schedule_irq",
		"preempt_schedule_notrace", "schedule_idle", "__cond_resched", "_cond_resched", "schedule_preempt_disabled",
		"__traceiter_sched_switch", "__sched_text_start", "schedule_user",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}

static void add_chain(struct str *out, const struct sink_item *item, int max)
{
	const struct resolved *r = item ? item->res : NULL;
	bool inside = false;
	int n = 0;

	for (u32 i = 0; r && i < r->n_frames && n < max; i++) {
		const struct location *f = &r->frames[i];
		const char *name = f->inl ? f->inl->name : f->sym ? f->sym->name : NULL;

		if (!inside && name && is_scheduler(name))
			continue;
		inside = true;
		if (n++)
			str_add(out, " <- ");
		if (name)
			str_add_safe(out, name);
		else
			str_addf(out, "0x%llx", (unsigned long long)f->va);
	}
}

static bool task_wanted(const struct timehist *t, const struct sched_task *task)
{
	if (t->pids.n && !has(&t->pids, (int)task->pid))
		return false;
	if (t->prios.n && !has(&t->prios, task->prio))
		return false;
	return !t->tids.n || has(&t->tids, (int)task->tid);
}

static bool in_window(const struct timehist *t, u64 t_ns, int cpu)
{
	return t_ns >= t->from_ns && t_ns <= t->to_ns && (!t->cpus.n || has(&t->cpus, cpu));
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

static void count(struct timehist *t, const struct sched_switch *sw)
{
	int cpu = sw->cpu->cpu;
	const struct sched_task **last = slot(&t->last, cpu);
	char **chain = slot(&t->last_chain, cpu);

	if (!t->n_switches++)
		t->first_ns = sw->t_ns;
	t->last_ns = sw->t_ns;
	if (!sw->prev->idle) {
		stats_add(slot(&t->runs, sw->prev->index), sw->run_ns);
		*last = sw->prev;
		if (t->o.idle_hist && t->o.chains) {
			struct str text = STR_INIT;

			add_chain(&text, sw->item, t->o.max_stack);
			free(*chain);
			*chain = str_detach(&text);
		}
		return;
	}
	*slot(&t->cpu_idle_ns, cpu) += sw->run_ns;
	if (*last && sw->run_known) {
		stats_add(slot(&t->idles, (*last)->index), sw->run_ns);
		if (*chain && **chain)
			count_chain(t, cpu, *chain, sw->run_ns);
	}
}

/* --- JSON --- */

static void json_number(struct json *j, const char *key, u64 v)
{
	json_key(j, key);
	json_u64(j, v);
}

static void json_task(struct json *j, const char *key, const struct sched_task *task)
{
	json_key(j, key);
	json_open(j, '{');
	json_key(j, "comm");
	json_str(j, task->idle ? "<idle>" : task->comm);
	json_number(j, "tid", task->tid);
	json_number(j, "pid", task->pid);
	json_close(j, '}');
}

/* One line; the caller goes on with its own members and json_close(). */
static void json_event(struct timehist *t, struct json *j, const char *what, u64 t_ns, int cpu)
{
	str_add(&t->out, t->n_json++ ? ",\n" : "{\"events\":[\n");
	json_init(j, &t->out);
	json_open(j, '{');
	json_key(j, "event");
	json_str(j, what);
	json_number(j, "time_ns", t_ns);
	json_number(j, "cpu", (u64)cpu);
}

static void json_switch(struct timehist *t, const struct sched_switch *sw)
{
	const char state[3] = { sw->prev->idle ? 'I' : sw->state, sw->preempted ? '+' : '\0' };
	struct json j;

	json_event(t, &j, "run", sw->t_ns, sw->cpu->cpu);
	json_task(&j, "task", sw->prev);
	json_key(&j, "prio");
	json_s64(&j, sw->prev->prio);
	json_key(&j, "state");
	json_str(&j, state);
	json_key(&j, "known");
	json_bool(&j, sw->run_known);
	json_number(&j, "wait_ns", sw->wait_ns);
	json_number(&j, "delay_ns", sw->delay_ns);
	json_number(&j, "run_ns", sw->run_ns);
	json_number(&j, "pre_migration_ns", sw->premig_ns);
	json_task(&j, "next", sw->next);
	if (t->o.chains && !sw->prev->idle) {
		struct str chain = STR_INIT;

		add_chain(&chain, sw->item, t->o.max_stack);
		json_key(&j, "chain");
		json_str(&j, str_cstr(&chain));
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
			const struct run_stats *r = t->o.idle_hist ? slot(&t->idles, i) : slot(&t->runs, i);

			if (!r->n)
				continue;
			json_open(&j, '{');
			json_task(&j, "task", tasks[i]);
			json_number(&j, "count", r->n);
			json_number(&j, "sum_ns", r->sum_ns);
			json_number(&j, "min_ns", r->min_ns);
			json_key(&j, "avg_ns");
			json_fixed(&j, r->mean, 1);
			json_number(&j, "max_ns", r->max_ns);
			json_key(&j, "stddev_pct");
			json_fixed(&j, stats_pct(r), 2);
			json_number(&j, "migrations", tasks[i]->n_migrations);
			json_close(&j, '}');
		}
		json_close(&j, ']');
	}
	str_add(&t->out, "}\n");
}

/* --- events --- */

static void on_switch(void *ctx, const struct sched_switch *sw)
{
	const struct task_name *name;
	struct timehist *t = ctx;
	struct str *o = &t->out;

	if (!in_window(t, sw->t_ns, sw->cpu->cpu) || !(task_wanted(t, sw->prev) || (t->o.next && task_wanted(t, sw->next))))
		return;
	count(t, sw);
	if (t->o.only_summary || (t->o.idle_hist && !sw->prev->idle))
		return;
	if (t->o.json) {
		json_switch(t, sw);
		flush(t, 1 << 16);
		return;
	}
	add_front(t, sw->t_ns, sw->cpu->cpu, sw->cpu->cpu, sw->prev->idle ? 'i' : 's');
	name = name_of(t, sw->prev);
	str_addch(o, ' ');
	str_addn(o, name->text, name->n);
	if (t->o.prio)
		str_addf(o, "  %-8d", sw->prev->prio);
	add_ms(o, sw->wait_ns);
	add_ms(o, sw->delay_ns);
	add_ms(o, sw->run_ns);
	if (t->o.pre_migrations)
		add_ms(o, sw->premig_ns);
	str_addch(o, ' ');
	if (t->o.state)
		str_addf(o, " %5c ", sw->prev->idle ? 'I' : sw->state);
	if (t->o.next) {
		struct str next = STR_INIT;

		if (sw->next->idle)
			str_addf(&next, "swapper/%d[0]", sw->cpu->cpu);
		else
			add_task(&next, sw->next, true);
		str_addf(o, " next: %-*s", NEXT_WIDTH, str_cstr(&next));
		str_release(&next);
	}
	if (t->o.wakeups && !t->o.next)
		str_addchn(o, ' ', 32);
	if (t->o.chains && !sw->prev->idle) {
		str_add(o, "   ");
		add_chain(o, sw->item, t->o.max_stack);
	}
	str_addch(o, '\n');
	flush(t, 1 << 16);
}

static void on_wake(void *ctx, const struct sched_wake *w)
{
	struct timehist *t = ctx;
	size_t from;

	if (t->o.only_summary || !t->o.wakeups || !in_window(t, w->t_ns, w->cpu) || t->o.idle_hist ||
	    !(task_wanted(t, w->task) || task_wanted(t, w->waker)))
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
	add_task(&t->out, w->waker, false);
	if (t->out.len - from < NAME_WIDTH + 2)
		str_addchn(&t->out, ' ', NAME_WIDTH + 2 - (t->out.len - from));
	str_addf(&t->out, "%*sawakened: ", TIMES_WIDTH, "");
	add_task(&t->out, w->task, false);
	str_addch(&t->out, '\n');
}

static void on_move(void *ctx, const struct sched_move *m)
{
	struct timehist *t = ctx;
	size_t from;

	if (t->o.only_summary || !t->o.migrations || !in_window(t, m->t_ns, m->cpu) || t->o.idle_hist ||
	    !(task_wanted(t, m->task) || task_wanted(t, m->waker)))
		return;
	if (t->o.json) {
		struct json j;

		json_event(t, &j, "migration", m->t_ns, m->cpu);
		json_task(&j, "task", m->task);
		json_task(&j, "by", m->waker);
		json_number(&j, "from_cpu", (u64)m->from_cpu);
		json_number(&j, "to_cpu", (u64)m->to_cpu);
		json_close(&j, '}');
		return;
	}
	add_front(t, m->t_ns, m->cpu, m->cpu + 1, 'm');	/* one to the right, as everybody is used to */
	str_add(&t->out, t->o.cpu_visual ? "   " : " ");
	from = t->out.len;
	add_task(&t->out, m->waker, false);
	if (t->out.len - from < NAME_WIDTH)
		str_addchn(&t->out, ' ', NAME_WIDTH - (t->out.len - from));
	str_addf(&t->out, "%*smigrated: ", TIMES_WIDTH + 2, "");
	add_task(&t->out, m->task, false);
	str_addf(&t->out, " cpu %d => %d\n", m->from_cpu, m->to_cpu);
}

/* --- summaries --- */

static double ms(u64 ns)
{
	return (double)ns / 1e6;
}

static void add_summary_row(struct timehist *t, const struct sched_task *task, const struct run_stats *r)
{
	struct str name = STR_INIT;
	struct str *o = &t->out;

	add_task(&name, task, true);
	str_addf(o, "%30s%8lld%11llu", str_cstr(&name), (long long)task->ppid, (unsigned long long)r->n);
	if (t->o.state && !t->o.idle_hist)
		str_addf(o, "%13.3f%11.3f%12.3f%12.3f%12.3f \n", ms(r->sum_ns), ms(task->state_ns[SCHED_SLEEPING]),
			 ms(task->state_ns[SCHED_BLOCKED] + task->state_ns[SCHED_IOWAIT]), ms(task->state_ns[SCHED_PREEMPTED]),
			 ms(task->state_ns[SCHED_RUNNABLE]));
	else
		str_addf(o, "%13.3f%11.3f%12.3f%12.3f   %5.2f%8llu\n", ms(r->sum_ns), ms(r->min_ns), r->mean / 1e6, ms(r->max_ns),
			 stats_pct(r), (unsigned long long)task->n_migrations);
	str_release(&name);
}

static void add_summary_head(struct timehist *t)
{
	struct str *o = &t->out;

	if (t->o.idle_hist)
		str_add(o, "\nIdle-time summary\n"
			   "                          comm  parent  sched-out    idle-time   min-idle    avg-idle    max-idle  stddev  "
			   "migrations\n");
	else if (t->o.state)
		str_add(o, "\nWait-time summary\n"
			   "                          comm  parent   sched-in     run-time      sleep      iowait     preempt       "
			   "delay\n");
	else
		str_add(o, "\nRuntime summary\n"
			   "                          comm  parent   sched-in     run-time    min-run     avg-run     max-run  stddev  "
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
		str_addf(&t->out, "  CPU %2zu: %9.3f  msec\n  Idle time (msec)     Count  Callchains\n  ", cpu,
			 ms(*slot(&t->cpu_idle_ns, cpu)));
		str_addf(&t->out, "----------------  --------  --------------------------------------------------\n");
		for (; i < t->chains.n && (size_t)t->chains.v[i].cpu == cpu; i++)
			str_addf(&t->out, "  %16.3f  %8llu  %s\n", ms(t->chains.v[i].ns), (unsigned long long)t->chains.v[i].count,
				 t->chains.v[i].text);
		str_addch(&t->out, '\n');
	}
}

static void add_idle_stats(struct timehist *t, u64 wall_ns)
{
	struct sched_cpu *const *cpus;
	size_t n = sched_cpus(t->sched, &cpus);

	str_add(&t->out, "\nIdle stats:\n");
	for (size_t i = 0; i < n; i++) {
		u64 idle = *slot(&t->cpu_idle_ns, i);

		if (!cpus[i] || (t->cpus.n && !has(&t->cpus, (int)i)))
			continue;
		if (idle)
			str_addf(&t->out, "    CPU %2zu idle for %10.3f  msec  (%6.2f%%)\n", i, ms(idle),
				 wall_ns ? 100.0 * (double)idle / (double)wall_ns : 0);
		else
			str_addf(&t->out, "    CPU %2zu idle entire time window\n", i);
	}
	add_idle_chains(t, n);
}

static void add_summary(struct timehist *t)
{
	const struct sched_stats *st = sched_get_stats(t->sched);
	struct sched_task *const *tasks;
	size_t n = sched_tasks(t->sched, &tasks), unique = 0;
	u64 run = 0, wall = t->last_ns - t->first_ns;

	add_summary_head(t);
	for (size_t i = 0; i < n; i++) {
		const struct run_stats *r = t->o.idle_hist ? slot(&t->idles, i) : slot(&t->runs, i);

		if (!r->n)
			continue;
		unique++;
		run += r->sum_ns;
		add_summary_row(t, tasks[i], r);
	}
	add_idle_stats(t, wall);
	str_addf(&t->out, "\n    Total number of unique tasks: %zu\nTotal number of context switches: %llu\n", unique,
		 (unsigned long long)t->n_switches);
	str_addf(&t->out, "           Total run time (msec): %6.3f \n    Total scheduling time (msec): %6.3f  (x %d)\n", ms(run),
		 ms(wall), MAX(t->o.max_cpu, 1));
	if (st->n_gaps)
		str_addf(&t->out, "  Switches that do not follow the one before (events are missing): %llu\n",
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
	if ((*copy && !parse_time_ns(copy, &t->from_ns)) || (comma && *comma && !parse_time_ns(comma, &t->to_ns))) {
		ret = err_set(err, EINVAL, "invalid time window '%s'", t->o.time);
		err_hint(err, "write --time START,STOP in seconds; either may be left out");
	}
	free(copy);
	return ret;
}

static int parse_lists(struct timehist *t, struct err *err)
{
	const struct { const char *text; int_vec *out; } lists[] = {
		{ t->o.pids, &t->pids }, { t->o.tids, &t->tids }, { t->o.cpus, &t->cpus }, { t->o.prios, &t->prios },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		int ret = lists[i].text ? parse_int_list(lists[i].text, lists[i].out, err) : 0;

		if (ret)
			return ret;
	}
	return t->o.time ? parse_window(t, err) : 0;
}

struct timehist *timehist_new(struct sched *s, FILE *fp, const struct timehist_opts *opts, struct err *err)
{
	struct timehist *t = xnew(struct timehist);

	t->sched = s;
	t->fp = fp;
	t->o = *opts;
	t->to_ns = UINT64_MAX;
	if (parse_lists(t, err)) {
		timehist_free(t);
		return NULL;
	}
	sched_observe(s, &(struct sched_observer){ .ctx = t, .switched = on_switch, .woken = on_wake, .moved = on_move });
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
	vec_free(&t->cpu_idle_ns);
	vec_free(&t->chains);
	str_release(&t->out);
	free(t);
}
