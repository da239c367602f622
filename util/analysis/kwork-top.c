// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/kwork-top.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/analysis/kwork.h"
#include "util/analysis/missing-events.h"
#include "util/base/arena.h"
#include "util/base/hash.h"
#include "util/base/xalloc.h"
#include "util/event/per-event.h"
#include "util/event/tracepoint.h"

enum step { STEP_NONE, STEP_SWITCH, STEP_ENTER, STEP_LEAVE };
enum { N_FIELDS = 3 };

static const struct decoder {
	const char *system, *name;
	enum kwork_class class;
	enum step step;
	const char *fields[N_FIELDS];	/* all are needed */
} decoders[] = {
	{ "sched", "sched_switch", KWORK_SCHED, STEP_SWITCH,
	  { "prev_pid", "next_pid", "next_comm" } },
	{ "irq", "irq_handler_entry", KWORK_IRQ, STEP_ENTER, { NULL } },
	{ "irq", "irq_handler_exit", KWORK_IRQ, STEP_LEAVE, { NULL } },
	{ "irq", "softirq_entry", KWORK_SOFTIRQ, STEP_ENTER, { NULL } },
	{ "irq", "softirq_exit", KWORK_SOFTIRQ, STEP_LEAVE, { NULL } },
};

struct ev { const struct decoder *dec; bool complete; const struct tp_field *f[N_FIELDS]; };

struct run { u32 tid; u64 ns; };		/* of a task on one CPU */
struct cpu {
	u32 tid;
	u64 since_ns;				/* 0: the task that runs is not known */
	u64 taken_ns;				/* from it, by interrupts */
	u64 entered_ns[KWORK_N_CLASSES];	/* 0: none goes on */
	u64 total_ns, idle_ns, spent_ns[KWORK_N_CLASSES];
	bool seen;
	struct hmap runs;			/* tid + 1 -> struct run */
};

struct task { u32 tid; const char *comm; u64 percent; u64 ns; };	/* percent: hundredths */

struct kwork_top {
	struct kwork_top_opts opts;
	struct sink sink;
	bool swap;
	u64 n_bad;
	struct per_event events;		/* struct ev */
	VEC(struct cpu) cpus;
	struct hmap comms;			/* by key_of() */
	struct arena arena;
};

static struct cpu *cpu_of(struct kwork_top *t, u32 cpu)
{
	while (t->cpus.n <= cpu)
		(void)vec_add(&t->cpus);
	t->cpus.v[cpu].seen = true;
	return &t->cpus.v[cpu];
}

static void end_run(struct kwork_top *t, struct cpu *c, u64 now_ns)
{
	const u64 ns = now_ns > c->since_ns ? now_ns - c->since_ns : 0,
		own_ns = ns > c->taken_ns ? ns - c->taken_ns : 0;
	struct run *r = hmap_get(&c->runs, c->tid + 1ULL);

	if (!r) {
		r = arena_alloc(&t->arena, sizeof(*r));
		r->tid = c->tid;
		hmap_put(&c->runs, c->tid + 1ULL, r);
	}
	r->ns += own_ns;
	c->total_ns += ns;
	if (!c->tid)
		c->idle_ns += own_ns;
}

/* The idle tasks of all CPUs have one number. */
static u64 key_of(u32 tid, u64 cpu)
{
	return tid ? tid : 1ULL << 32 | cpu;
}

static void note_comm(struct kwork_top *t, u64 key, const char *comm, size_t n)
{
	const char *old = hmap_get(&t->comms, key);

	if (!old || strlen(old) != n || strncmp(old, comm, n))
		hmap_put(&t->comms, key, arena_strndup(&t->arena, comm, n));
}

static void on_switch(struct kwork_top *t, struct cpu *c, const struct ev *ev,
		      const struct sample *s)
{
	const u32 prev = (u32)tp_read_u64(ev->f[0], s->raw, t->swap),
		next = (u32)tp_read_u64(ev->f[1], s->raw, t->swap);
	size_t n = 0;
	const char *comm = tp_read_str(ev->f[2], s->raw, t->swap, &n);

	if (comm)
		note_comm(t, key_of(next, s->cpu), comm, n);
	if (c->since_ns && c->tid == prev)
		end_run(t, c, s->time_ns);
	c->tid = next;
	c->since_ns = s->time_ns;
	c->taken_ns = 0;
}

static void on_leave(struct cpu *c, enum kwork_class class, u64 now_ns)
{
	const u64 from_ns = c->entered_ns[class];

	if (!from_ns || now_ns < from_ns)
		return;
	c->entered_ns[class] = 0;
	c->spent_ns[class] += now_ns - from_ns;
	c->taken_ns += now_ns - from_ns;
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct kwork_top *t = sink->ctx;

	for (size_t i = 0; i < n; i++) {
		const struct sample *s = items[i].sample;
		const struct ev *ev = s->event ? per_event(&t->events, s->event) : NULL;

		if (!ev || !ev->dec)
			continue;
		if (!ev->complete || s->cpu > 65535) {
			t->n_bad++;
			continue;
		}
		if (ev->dec->step == STEP_SWITCH)
			on_switch(t, cpu_of(t, s->cpu), ev, s);
		else if (ev->dec->step == STEP_ENTER)
			cpu_of(t, s->cpu)->entered_ns[ev->dec->class] = s->time_ns;
		else
			on_leave(cpu_of(t, s->cpu), ev->dec->class, s->time_ns);
	}
}

static void ev_init(void *ctx, const struct event *e, void *state)
{
	struct kwork_top *t = ctx;
	struct ev *ev = state;

	*ev = (struct ev){ .complete = true };
	for (size_t i = 0; e->format && e->tp_system && i < ARRAY_SIZE(decoders); i++) {
		const struct decoder *d = &decoders[i];

		if (strcmp(d->system, e->tp_system) || strcmp(d->name, e->tp_name) ||
		    (t->opts.classes && d->class != KWORK_SCHED &&
		     !(t->opts.classes >> d->class & 1)))
			continue;
		ev->dec = d;
		for (int k = 0; k < N_FIELDS && d->fields[k]; k++) {
			ev->f[k] = tp_field(e->format, d->fields[k]);
			ev->complete = ev->complete && ev->f[k];
		}
	}
}

static bool takes(const struct sink *sink, const struct event *e)
{
	struct kwork_top *t = sink->ctx;

	return ((const struct ev *)per_event(&t->events, e))->dec;
}

struct kwork_top *kwork_top_new(const struct kwork_top_opts *opts, const struct event_list *events,
				bool swap)
{
	struct kwork_top *t = xnew(struct kwork_top);

	t->opts = *opts;
	t->swap = swap;
	per_event_init(&t->events, sizeof(struct ev), ev_init, t);
	per_event_fill(&t->events, events);
	t->sink = (struct sink){ .wants = SINK_ORDER, .ctx = t, .samples = on_samples,
				 .takes = takes };
	return t;
}

void kwork_top_free(struct kwork_top *t)
{
	if (!t)
		return;
	for vec_each(c, &t->cpus)
		hmap_release(&c->runs);
	vec_free(&t->cpus);
	per_event_release(&t->events);
	hmap_release(&t->comms);
	arena_release(&t->arena);
	free(t);
}

struct sink *kwork_top_sink(struct kwork_top *t) { return &t->sink; }

u64 kwork_top_bad(const struct kwork_top *t) { return t->n_bad; }

/* --- tables */

static u64 value(const struct task *t, enum kwork_top_key key)
{
	return key == KWORK_TOP_RATE ? t->percent : key == KWORK_TOP_RUNTIME ? t->ns : t->tid;
}

static int compare(const void *a, const void *b, void *opts)
{
	const struct task *x = *(const struct task *const *)a, *y = *(const struct task *const *)b;
	const struct kwork_top_opts *o = opts;

	for (int i = 0; i < o->n_keys; i++) {
		const u64 v = value(x, o->keys[i]), w = value(y, o->keys[i]);

		if (v != w)
			return (v > w) == (o->keys[i] != KWORK_TOP_TID) ? -1 : 1;
	}
	return (x->tid > y->tid) - (x->tid < y->tid);
}

typedef VEC(struct task *) task_vec;

/* What it has of each CPU, in hundredths of a percent. */
static void add_runs(struct kwork_top *t, const struct cpu *c, struct hmap *tasks, task_vec *out)
{
	const u64 cpu = (u64)(c - t->cpus.v);

	for hmap_each(i, &c->runs) {
		const struct run *r = c->runs.vals[i];
		const u64 key = key_of(r->tid, cpu);
		const char *comm = hmap_get(&t->comms, key);
		struct task *task = hmap_get(tasks, key);

		if (t->opts.name && (!comm || strcmp(comm, t->opts.name)))
			continue;
		if (!task) {
			task = arena_alloc(&t->arena, sizeof(*task));
			*task = (struct task){ .tid = r->tid, .comm = comm };
			hmap_put(tasks, key, task);
			vec_push(out, task);
		}
		task->ns += r->ns;
		task->percent += c->total_ns ? r->ns * 10000 / c->total_ns : 0;
	}
}

static void task_rows(struct kwork_top *t, struct table *out)
{
	struct hmap tasks = { 0 };
	task_vec all = { 0 };

	out->key = "tasks";
	table_add_column(out, "tid", "PID");
	table_add_column(out, "comm", "COMMAND");
	table_add_column(out, "percent", "%CPU")->decimals = 2;
	table_add_column(out, "runtime_ns", "RUNTIME");
	for vec_each(c, &t->cpus)
		add_runs(t, c, &tasks, &all);
	if (all.n)
		qsort_r(all.v, all.n, sizeof(*all.v), compare, &t->opts);
	for vec_each(task, &all) {
		struct cell *cells = table_add_row(out)->cells;

		cells[0] = cell_int((s32)(*task)->tid);
		cells[1] = cell_text((*task)->comm);
		cells[2] = cell_pct((double)(*task)->percent / 100);
		cells[3] = cell_ns((*task)->ns);
	}
	hmap_release(&tasks);
	vec_free(&all);
}

static void cpu_rows(const struct kwork_top *t, struct table *out)
{
	static const char *const keys[] = { "cpu", "total_ns", "idle_ns", "irq_ns", "softirq_ns" };

	out->key = "cpus";
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		table_add_column(out, keys[i], keys[i]);
	for vec_each(c, &t->cpus) {
		struct cell *cells;

		if (!c->seen)
			continue;
		cells = table_add_row(out)->cells;
		cells[0] = cell_int(c - t->cpus.v);
		cells[1] = cell_ns(c->total_ns);
		cells[2] = cell_ns(c->idle_ns);
		cells[3] = cell_ns(c->spent_ns[KWORK_IRQ]);
		cells[4] = cell_ns(c->spent_ns[KWORK_SOFTIRQ]);
	}
}

void kwork_top_tables(struct kwork_top *t, struct kwork_top_tables *out)
{
	task_rows(t, &out->tasks);
	cpu_rows(t, &out->cpus);
}

void kwork_top_tables_release(struct kwork_top_tables *t)
{
	table_release(&t->tasks);
	table_release(&t->cpus);
}

int kwork_top_need_events(const struct event_list *events, const char *path, struct err *err)
{
	static const struct events_needed needed = {
		"the scheduler's", "no sched_switch events",
		"perf kwork -k sched,irq,softirq record" };

	for vec_each(e, &events->events)
		if ((*e)->tp_name && !strcmp((*e)->tp_name, "sched_switch"))
			return 0;
	return events_missing(events, path, &needed, err);
}
