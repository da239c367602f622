// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A scheduler recording as trace events for viewers of Chrome's and Perfetto's JSON (one array of
 * events with ph, ts and dur in microseconds): process 1 has a track for each CPU with the task
 * that ran, each recorded process one for each of its threads with its states. An observer of the
 * scheduler model; writes as it goes.
 */
#include "util/export/exporter.h"

#include <stdlib.h>

#include "util/analysis/sched.h"
#include "util/base/json.h"
#include "util/base/xalloc.h"

/* The process whose threads are the CPUs: ids that no task can have (above PID_MAX_LIMIT); 0
 * would be hidden by some viewers. */
#define CPU_PID ((1u << 22) + 1)

struct trace_json {
	struct sched *sched;
	FILE *fp;
	struct str out;
	u64 n;
	u64 n_flows;
	/* by task index: of the wake-up that it was not yet seen to run after, 0: none */
	VEC(u64) flow;
	VEC(bool) waiting;	/* by task index: counted in n_waiting */
	s64 n_running, n_waiting, reported_running, reported_waiting;
	VEC(bool) busy;		/* by CPU: counted in n_running */
};

#define slot(vec, i) ({ \
	while ((vec)->n <= (size_t)(i)) \
		(void)vec_add(vec); \
	&(vec)->v[i]; })

static void flush(struct trace_json *t, size_t above)
{
	if (t->out.len <= above)
		return;
	fwrite(t->out.buf, 1, t->out.len, t->fp);
	str_reset(&t->out);
}

static void add_us(struct str *out, u64 ns)
{
	str_addf(out, "%llu.%03u", (unsigned long long)(ns / 1000), (unsigned)(ns % 1000));
}

static void add_text(struct str *out, const char *key, const char *value)
{
	str_addf(out, ",\"%s\":", key);
	json_quote(out, value, strlen(value));
}

static void begin(struct trace_json *t, const char *ph, u32 pid, u32 tid)
{
	str_add(&t->out, t->n++ ? ",\n" : "");
	str_addf(&t->out, "{\"ph\":\"%s\",\"pid\":%u,\"tid\":%u", ph, pid, tid);
}

/* A span; cpu >= 0 and prio go into its details. */
static void add_span(struct trace_json *t, u32 pid, u32 tid, const char *name, const char *cat,
		     u64 from_ns, u64 to_ns,
		     const struct sched_task *task, int cpu)
{
	begin(t, "X", pid, tid);
	str_add(&t->out, ",\"ts\":");
	add_us(&t->out, from_ns);
	str_add(&t->out, ",\"dur\":");
	add_us(&t->out, to_ns - from_ns);
	add_text(&t->out, "name", name);
	add_text(&t->out, "cat", cat);
	str_addf(&t->out, ",\"args\":{\"tid\":%u,\"cpu\":%d,\"prio\":%d}}", task->tid, cpu,
		 task->prio);
	flush(t, 1 << 16);
}

static u32 cpu_track(int cpu)
{
	return CPU_PID + 1 + (u32)cpu;
}

/* An arrow from the waker's slice to the slice that begins when the task runs. */
static void add_flow(struct trace_json *t, const char *ph, u32 pid, u32 tid, u64 t_ns, u64 id)
{
	begin(t, ph, pid, tid);
	str_add(&t->out, ",\"ts\":");
	add_us(&t->out, t_ns);
	str_addf(&t->out, ",\"id\":%llu,\"name\":\"wakeup\",\"cat\":\"sched\"%s}",
		 (unsigned long long)id,
		 *ph == 'f' ? ",\"bp\":\"e\"" : "");
}

static void add_counter(struct trace_json *t, const char *name, u64 t_ns, s64 value, s64 *reported)
{
	if (value == *reported)
		return;
	*reported = value;
	begin(t, "C", CPU_PID, CPU_PID);
	str_add(&t->out, ",\"ts\":");
	add_us(&t->out, t_ns);
	str_addf(&t->out, ",\"name\":\"%s\",\"args\":{\"n\":%lld}}", name, (long long)value);
}

static void add_counters(struct trace_json *t, u64 t_ns)
{
	add_counter(t, "CPUs that run a task", t_ns, t->n_running, &t->reported_running);
	add_counter(t, "tasks that wait for a CPU", t_ns, t->n_waiting, &t->reported_waiting);
}

static void set_counted(bool *counted, bool now, s64 *n)
{
	*n += (s64)now - (s64)*counted;
	*counted = now;
}

static void count_switch(struct trace_json *t, const struct sched_switch *sw)
{
	if (!sw->prev->idle)
		set_counted(slot(&t->waiting, sw->prev->index), sw->prev->state == SCHED_PREEMPTED,
			    &t->n_waiting);
	if (!sw->next->idle)
		set_counted(slot(&t->waiting, sw->next->index), false, &t->n_waiting);
	set_counted(slot(&t->busy, sw->cpu->cpu), !sw->next->idle, &t->n_running);
	add_counters(t, sw->t_ns);
}

static void on_switch(void *ctx, const struct sched_switch *sw)
{
	struct trace_json *t = ctx;
	int cpu = sw->cpu->cpu;

	if (!sw->prev->idle && sw->run_known) {
		add_span(t, CPU_PID, cpu_track(cpu), sw->prev->comm, "cpu", sw->in_ns, sw->t_ns,
			 sw->prev, cpu);
		add_span(t, sw->prev->pid, sw->prev->tid, "running", "sched", sw->in_ns, sw->t_ns,
			 sw->prev, cpu);
	}
	if (!sw->next->idle && sw->next_delay_known && sw->next_delay_ns)
		add_span(t, sw->next->pid, sw->next->tid, "runnable", "sched", sw->next_ready_ns,
			 sw->t_ns, sw->next, cpu);
	if (!sw->next->idle && *slot(&t->flow, sw->next->index)) {
		add_flow(t, "f", sw->next->pid, sw->next->tid, sw->t_ns,
			 t->flow.v[sw->next->index]);
		t->flow.v[sw->next->index] = 0;
	}
	count_switch(t, sw);
}

static void on_wake(void *ctx, const struct sched_wake *w)
{
	struct trace_json *t = ctx;

	if (w->task->woken_ns != w->t_ns || w->task->state != SCHED_RUNNABLE)
		return;
	/* The same wake-up reported again is no second one. */
	if (!w->waker->idle && w->waker->in_ns && !*slot(&t->flow, w->task->index)) {
		t->flow.v[w->task->index] = ++t->n_flows;
		add_flow(t, "s", w->waker->pid, w->waker->tid, w->t_ns, t->n_flows);
	}
	set_counted(slot(&t->waiting, w->task->index), true, &t->n_waiting);
	add_counters(t, w->t_ns);
	if (w->was_blocked && w->task->out_ns)
		add_span(t, w->task->pid, w->task->tid, "blocked", "sched", w->task->out_ns,
			 w->t_ns, w->task, w->task->cpu);
}

static struct trace_json *trace_json_new(struct sched *s, FILE *fp)
{
	struct trace_json *t = xnew(struct trace_json);

	t->sched = s;
	t->fp = fp;
	t->reported_running = t->reported_waiting = -1;
	str_add(&t->out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
	sched_observe(s, &(struct sched_observer){ .ctx = t, .switched = on_switch,
						   .woken = on_wake });
	return t;
}

static void add_name(struct trace_json *t, const char *what, u32 pid, u32 tid, const char *name)
{
	begin(t, "M", pid, tid);
	add_text(&t->out, "name", what);
	str_add(&t->out, ",\"args\":{\"name\":");
	json_quote(&t->out, name, strlen(name));
	str_add(&t->out, "}}");
}

static void end_cpu(struct trace_json *t, const struct sched_cpu *c, u64 end_ns)
{
	char name[32];

	snprintf(name, sizeof(name), "CPU %d", c->cpu);
	add_name(t, "thread_name", CPU_PID, cpu_track(c->cpu), name);
	if (!c->curr || c->curr->idle || !c->curr->in_ns || c->curr->in_ns >= end_ns)
		return;
	add_span(t, CPU_PID, cpu_track(c->cpu), c->curr->comm, "cpu", c->curr->in_ns, end_ns,
		 c->curr, c->cpu);
	add_span(t, c->curr->pid, c->curr->tid, "running", "sched", c->curr->in_ns, end_ns, c->curr,
		 c->cpu);
}

/* After sched_close(): open runs, names of tracks, the end of the document. Number of events
 * written. */
static u64 trace_json_end(struct trace_json *t)
{
	const struct sched_stats *st = sched_get_stats(t->sched);
	struct sched_task *const *tasks;
	struct sched_cpu *const *cpus;
	size_t n_tasks = sched_tasks(t->sched, &tasks), n_cpus = sched_cpus(t->sched, &cpus);

	add_name(t, "process_name", CPU_PID, CPU_PID, "CPUs");
	for (size_t i = 0; i < n_cpus; i++) {
		if (cpus[i])
			end_cpu(t, cpus[i], st->last_ns);
	}
	for (size_t i = 0; i < n_tasks; i++) {
		if (tasks[i]->idle || !tasks[i]->first_ns)
			continue;
		if (tasks[i]->tid == tasks[i]->pid)
			add_name(t, "process_name", tasks[i]->pid, tasks[i]->tid, tasks[i]->comm);
		add_name(t, "thread_name", tasks[i]->pid, tasks[i]->tid, tasks[i]->comm);
	}
	str_add(&t->out, "\n]}\n");
	flush(t, 0);
	return t->n;
}

static void trace_json_free(struct trace_json *t)
{
	if (!t)
		return;
	vec_free(&t->flow);
	vec_free(&t->waiting);
	vec_free(&t->busy);
	str_release(&t->out);
	free(t);
}

struct trace_export {
	struct sched *model;
	struct trace_json *trace;
	struct sink *sink;
};

static void free_export(void *state)
{
	struct trace_export *x = state;

	trace_json_free(x->trace);
	sched_sink_free(x->sink);
	sched_free(x->model);
	free(x);
}

static void *begin_export(const struct export_job *job, struct sink **sink, struct err *err)
{
	struct trace_export *x;

	if (!job->pipe && sched_need_switches(job->events, job->path, err))
		return NULL;
	x = xnew(struct trace_export);
	x->model = sched_new();
	x->trace = trace_json_new(x->model, job->fp);
	x->sink = *sink = sched_sink_new(x->model, job->events, job->swap);
	return x;
}

static int end_export(void *state, u64 *n, struct err *err UNUSED)
{
	struct trace_export *x = state;

	sched_close(x->model);
	*n = trace_json_end(x->trace);
	return 0;
}

const struct exporter export_trace_json = {
	.option = "to-trace-json",
	.help = "write a scheduler recording as trace events, for Chrome and Perfetto",
	.items = "trace events", .begin = begin_export, .end = end_export, .free = free_export,
};
