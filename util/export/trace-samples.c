// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Chrome's trace events: of a recording of the scheduler the tracks of trace-json.c, of any other
 * one an instant event for each sample, with its stack (stackFrames) and a tracepoint's fields.
 */
#include "util/export/exporter.h"

#include <stdlib.h>

#include "util/analysis/hist/hist.h"
#include "util/analysis/hist/stacks.h"
#include "util/analysis/sched.h"
#include "util/base/hash.h"
#include "util/base/json.h"
#include "util/base/xalloc.h"
#include "util/export/samples-json.h"
#include "util/export/text.h"

struct task_out { u32 pid, tid; const char *comm; };

struct trace_samples {
	void *sched;			/* of export_trace_json: it does all */
	struct sink sink;
	struct export_job job;
	struct stacks *stacks;
	struct str out;
	struct json json;
	struct hmap task_of;		/* pid and tid -> number in tasks + 1 */
	VEC(struct task_out) tasks;
	u64 n;
};

static void flush(struct trace_samples *t) { export_flush(t->job.fp, &t->out, 1 << 16); }

static void note_task(struct trace_samples *t, const struct sink_item *it)
{
	const u64 key = (u64)it->sample->pid << 32 | it->sample->tid;
	uintptr_t n = (uintptr_t)hmap_get(&t->task_of, key);

	if (!n) {
		vec_push(&t->tasks, ((struct task_out){ it->sample->pid, it->sample->tid, "" }));
		n = t->tasks.n;
		hmap_put(&t->task_of, key, (void *)n);
	}
	if (it->res->comm)
		t->tasks.v[n - 1].comm = it->res->comm->name;
}

static void begin_event(struct trace_samples *t, const char *phase, u32 pid, u32 tid,
			const char *name)
{
	json_open(&t->json, '{');
	json_key_str(&t->json, "ph", phase);
	json_key(&t->json, "pid");
	json_s64(&t->json, (s32)pid);
	json_key(&t->json, "tid");
	json_s64(&t->json, (s32)tid);
	json_key_str(&t->json, "name", name);
}

static void add_args(struct trace_samples *t, const struct sample *s)
{
	struct json *j = &t->json;

	json_key(j, "args");
	json_open(j, '{');
	json_key_u64(j, "period", hist_period(s));
	if (s->present & PERF_SAMPLE_CPU)
		json_key_u64(j, "cpu", s->cpu);
	samples_json_object(j, "fields", s, t->job.swap);
	json_close(j, '}');
}

static void add_sample(struct trace_samples *t, const struct sink_item *it)
{
	const struct sample *s = it->sample;
	struct json *j = &t->json;
	char ts[32];

	note_task(t, it);
	snprintf(ts, sizeof(ts), "%llu.%03u", (unsigned long long)(s->time_ns / 1000),
		 (unsigned)(s->time_ns % 1000));
	begin_event(t, "i", s->pid, s->tid, s->event ? s->event->name : "sample");
	json_key_str(j, "cat", "sample");
	json_key_str(j, "s", "t");
	json_key(j, "ts");
	json_raw(j, ts);
	json_key_u64(j, "sf", stacks_add(t->stacks, it));
	add_args(t, s);
	json_close(j, '}');
	str_addch(&t->out, '\n');
	t->n++;
	flush(t);
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct trace_samples *t = sink->ctx;

	for (size_t i = 0; i < n; i++)
		add_sample(t, &items[i]);
}

static void add_task_name(struct trace_samples *t, const struct task_out *task, const char *what)
{
	struct json *j = &t->json;

	begin_event(t, "M", task->pid, task->tid, what);
	json_key(j, "args");
	json_open(j, '{');
	json_key_str(j, "name", task->comm);
	json_close(j, '}');
	json_close(j, '}');
	str_addch(&t->out, '\n');
	flush(t);
}

static void add_stacks(struct trace_samples *t)
{
	const struct stack_node *nodes = stacks_nodes(t->stacks);
	struct json *j = &t->json;
	char id[24];

	json_key(j, "stackFrames");
	json_open(j, '{');
	for (size_t i = 1; i < stacks_n_nodes(t->stacks); i++) {
		const struct stack_frame *f = &stacks_frames(t->stacks)[nodes[i].what];

		if (!nodes[i].parent)
			continue;
		snprintf(id, sizeof(id), "%zu", i);
		json_key(j, id);
		json_open(j, '{');
		json_key_str(j, "name", f->name);
		json_key_str(j, "category", f->dso ? f->dso->short_name : "");
		if (nodes[nodes[i].parent].parent)
			json_key_u64(j, "parent", nodes[i].parent);
		json_close(j, '}');
		str_addch(&t->out, '\n');
		flush(t);
	}
	json_close(j, '}');
}

static int end_trace(void *state, u64 *n, struct err *err)
{
	struct trace_samples *t = state;
	struct json *j = &t->json;

	if (t->sched)
		return export_trace_json.end(t->sched, n, err);
	for vec_each(task, &t->tasks) {
		if (task->pid == task->tid)
			add_task_name(t, task, "process_name");
		add_task_name(t, task, "thread_name");
	}
	json_close(j, ']');
	stacks_finish(t->stacks);
	add_stacks(t);
	json_close(j, '}');
	str_addch(&t->out, '\n');
	export_flush(t->job.fp, &t->out, 0);
	*n = t->n;
	return 0;
}

static bool is_of_scheduler(const struct export_job *job)
{
	struct err no = { 0 };

	const bool is = !job->pipe && !sched_need_switches(job->events, job->path, &no);

	err_release(&no);
	return is;
}

static void *begin_trace(const struct export_job *job, struct sink **sink, struct err *err)
{
	struct stacks_opts o = { .events = job->events, .no_inline = job->no_inline,
				 .detail = STACKS_FUNCTIONS };
	struct trace_samples *t = xnew(struct trace_samples);

	t->job = *job;
	if (is_of_scheduler(job)) {
		t->sched = export_trace_json.begin(job, sink, err);
		if (t->sched)
			return t;
		free(t);
		return NULL;
	}
	t->stacks = stacks_new(&o);
	t->sink = (struct sink){ .wants = SINK_ORDER | stacks_sink(t->stacks)->wants, .ctx = t,
				 .samples = on_samples };
	json_init(&t->json, &t->out);
	json_open(&t->json, '{');
	json_key_str(&t->json, "displayTimeUnit", "ns");
	json_key(&t->json, "traceEvents");
	json_open(&t->json, '[');
	*sink = &t->sink;
	return t;
}

static void free_trace(void *state)
{
	struct trace_samples *t = state;

	if (t->sched)
		export_trace_json.free(t->sched);
	stacks_free(t->stacks);
	hmap_release(&t->task_of);
	vec_free(&t->tasks);
	str_release(&t->out);
	free(t);
}

const struct exporter export_trace_samples = {
	.format = "trace-json",
	.help = "Chrome's trace events: spans of a scheduler recording, or samples",
	.items = "trace events", .begin = begin_trace, .end = end_trace, .free = free_trace,
};
