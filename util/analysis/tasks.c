// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/tasks.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "util/base/hash.h"
#include "util/machine/mappings.h"
#include "util/stream/stack-ends.h"
#include "util/wire/wire.h"

struct task { const struct thread *thread; s64 ppid; const char *comm; u32 depth; };
typedef VEC(struct task) task_vec;

static int cmp_tid(const void *pa, const void *pb)
{
	const struct thread *a = *(struct thread *const *)pa, *b = *(struct thread *const *)pb;

	return a->tid != b->tid ? (a->tid < b->tid ? -1 : 1) : a->index - b->index;
}

/* A thread hangs below its process's leader, a leader below its parent. */
static s64 parent_tid(const struct thread *t)
{
	if (!t->tid)
		return -1;
	if (t->pid != t->tid)
		return t->pid;
	/* 0 is what tasks have whose FORK was not recorded; only the first two have it for their
	 * parent */
	return t->ppid == t->pid || (!t->ppid && t->pid > 2) ? -1 : (s64)t->ppid;
}

struct tree { struct thread **v; size_t n; s64 *parent; u32 *first, *next; };

static const char *comm_of(const struct thread *t)
{
	const struct comm *c = thread_comm_at(t, UINT64_MAX);

	return c ? c->name : "";
}

/* A task that was found in /proc and then heard of again, or that forgot its past: once is
 * enough. */
static bool is_repeated(const struct tree *t, u32 i)
{
	const struct thread *a = t->v[i - 1], *b = i < t->n ? t->v[i] : NULL;

	return b && a->tid == b->tid && a->pid == b->pid && !strcmp(comm_of(a), comm_of(b));
}

static void add_below(const struct tree *t, u32 i, u32 depth, task_vec *out)
{
	for (; i; i = t->next[i]) {
		const struct thread *th = t->v[i - 1];

		if (!is_repeated(t, i))
			vec_push(out, ((struct task){ th, t->parent[i], comm_of(th), depth }));
		/* damaged files may have circles of parents: those tasks hang below nobody and
		 * are not reached twice */
		add_below(t, t->first[i], depth + 1, out);
	}
}

/* ppid -1: unknown. */
static void tasks_collect(const struct machine *m, task_vec *out)
{
	struct thread *const *all;
	struct tree t = { .n = machine_threads(m, &all) };
	struct hmap by_tid = { 0 };

	t.v = xcalloc(t.n + 1, sizeof(*t.v));
	t.parent = xcalloc(t.n + 1, sizeof(*t.parent));
	t.first = xcalloc(t.n + 1, sizeof(*t.first));
	t.next = xcalloc(t.n + 1, sizeof(*t.next));
	for (size_t i = 0; i < t.n; i++)
		t.v[i] = all[i];
	if (t.n)
		qsort(t.v, t.n, sizeof(*t.v), cmp_tid);
	for (size_t i = 0; i < t.n; i++)
		hmap_put(&by_tid, t.v[i]->tid, (void *)(uintptr_t)(i + 1));
	/* backwards: lists are built from their ends; list 0 are those without a parent */
	for (size_t i = t.n; i > 0; i--) {
		s64 want = parent_tid(t.v[i - 1]);
		u32 p = want < 0 ? 0 : (u32)(uintptr_t)hmap_get(&by_tid, (u64)want);

		t.parent[i] = p && p != i ? want : -1;
		if (p == i)
			p = 0;
		t.next[i] = t.first[p];
		t.first[p] = (u32)i;
	}
	for (u32 i = t.first[0], next; i; i = next) {
		next = t.next[i];
		t.next[i] = 0;
		/* all but the idle task are below somebody, known or not */
		add_below(&t, i, t.v[i - 1]->tid ? 1 : 0, out);
	}
	hmap_release(&by_tid);
	free(t.v);
	free(t.parent);
	free(t.first);
	free(t.next);
}

void tasks_table(const struct machine *m, struct table *t)
{
	task_vec v = { 0 };

	t->key = "tasks";
	table_add_column(t, "pid", "pid");
	table_add_column(t, "tid", "tid");
	table_add_column(t, "ppid", "ppid")->none = "-1";
	table_add_column(t, "comm", "comm");
	tasks_collect(m, &v);
	for vec_each(task, &v) {
		struct table_row *row = table_add_row(t);

		row->indent = (u16)MIN(task->depth, (u32)UINT16_MAX);
		row->cells[0] = cell_int((s32)task->thread->pid);
		row->cells[1] = cell_int((s32)task->thread->tid);
		if (task->ppid >= 0)
			row->cells[2] = cell_int(task->ppid);
		row->cells[3] = cell_text(task->comm);
	}
	vec_free(&v);
}

static void add_map(struct table *t, const struct thread *th, const struct mapping *m)
{
	struct table_row *row = table_add_row(t);
	const char perms[] = { m->prot & PROT_READ ? 'r' : '-', m->prot & PROT_WRITE ? 'w' : '-',
			       m->prot & PROT_EXEC ? 'x' : '-',
			       m->flags & MAP_SHARED ? 's' : 'p', '\0' };
	struct str id = STR_INIT;

	build_id_add(&id, &m->dso->id);
	row->cells[0] = cell_int((s32)th->pid);
	row->cells[1] = cell_int((s32)th->tid);
	row->cells[2] = cell_addr(m->start_va);
	row->cells[3] = cell_addr(m->end_va);
	row->cells[4] = cell_text(table_text(t, perms));
	row->cells[5] = cell_addr(m->off);
	row->cells[6] = cell_count(m->ino);
	if (id.len)
		row->cells[7] = cell_text(table_text(t, str_cstr(&id)));
	row->cells[8] = cell_text(m->dso->path);
	str_release(&id);
}

void tasks_maps_table(const struct machine *m, struct table *t)
{
	static const char *const keys[] = { "pid", "tid", "start", "end", "perms", "offset",
					    "inode", "build_id", "path" };
	task_vec v = { 0 };

	t->key = "maps";
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		table_add_column(t, keys[i], keys[i]);
	tasks_collect(m, &v);
	for vec_each(task, &v) {
		mappings maps = { 0 };

		space_mappings(thread_space_at((struct thread *)task->thread, UINT64_MAX), &maps);
		for vec_each(map, &maps)
			add_map(t, task->thread, *map);
		vec_free(&maps);
	}
	vec_free(&v);
}

/* ---- counting ---- */

static void count(struct sink *s, const struct sink_item *items, size_t n)
{
	struct sample_counts *c = s->ctx;

	for (size_t i = 0; i < n; i++)
		if (items[i].sample->event)
			++*(u64 *)per_event(&c->n, items[i].sample->event);
}

static void count_lost(struct sink *s, const struct perf_event_header *rec,
		       const struct sample_id *id UNUSED, u64 file_off UNUSED)
{
	struct sample_counts *c = s->ctx;
	const struct event *e;
	struct wire_lost lost;
	const char *reason;

	if (rec->type != PERF_RECORD_LOST_SAMPLES || wire_decode_lost(rec, &lost, &reason) < 0)
		return;
	e = event_of_record(c->list, rec);
	if (e)
		*(u64 *)per_event(wire_is_dropped(rec) ? &c->dropped : &c->lost, e) += lost.lost;
}

static struct sink *counts_clone(struct sink *s)
{
	const struct sample_counts *of = s->ctx;
	struct sample_counts *c = xnew(struct sample_counts);

	sample_counts_init(c, of->list);
	return &c->sink;
}

static void add_count(void *to, const void *from)
{
	*(u64 *)to += *(const u64 *)from;
}

static void counts_merge(struct sink *s, struct sink *other)
{
	struct sample_counts *to = s->ctx, *from = other->ctx;

	per_event_merge(&to->n, &from->n, add_count);
	per_event_merge(&to->lost, &from->lost, add_count);
	per_event_merge(&to->dropped, &from->dropped, add_count);
	sample_counts_release(from);
	free(from);
}

void sample_counts_init(struct sample_counts *c, const struct event_list *list)
{
	c->list = list;
	per_event_init(&c->n, sizeof(u64), NULL, NULL);
	per_event_init(&c->lost, sizeof(u64), NULL, NULL);
	per_event_init(&c->dropped, sizeof(u64), NULL, NULL);
	c->sink = (struct sink){ .ctx = c, .wants = SINK_SIDEBAND, .samples = count,
				 .record = count_lost, .clone = counts_clone,
				 .merge = counts_merge };
}

void sample_counts_release(struct sample_counts *c)
{
	per_event_release(&c->n);
	per_event_release(&c->lost);
	per_event_release(&c->dropped);
}

static u64 count_of(const struct per_event *counts, const struct event *e)
{
	const u64 *n = per_event_peek(counts, e);

	return n ? *n : 0;
}

/* ---- what a file has ---- */

static const char *type_name(struct table *t, u32 type)
{
	static const char prefix[] = "PERF_RECORD_";
	const char *name = wire_type_name(type);
	char unknown[24];

	if (name)
		return str_has_prefix(name, prefix) ? name + sizeof(prefix) - 1 : name;
	snprintf(unknown, sizeof(unknown), "type %u", type);
	return table_text(t, unknown);
}

static void fill_records(struct file_counts *f, const struct stream_stats *st, bool empty)
{
	struct table *t = &f->records;
	u64 total = 0;

	t->key = "records";
	table_add_column(t, "type", "type");
	table_add_column(t, "count", "count");
	table_add_column(t, "share_pct", "share");
	for (size_t i = 0; i < ARRAY_SIZE(st->by_type); i++)
		total += st->by_type[i];
	for (size_t i = 0; i < ARRAY_SIZE(st->by_type); i++) {
		const bool shown = st->by_type[i] || (empty && wire_type_name((u32)i));
		struct table_row *row = shown ? table_add_row(t) : NULL;

		if (!row)
			continue;
		row->cells[0] = cell_text(type_name(t, (u32)i));
		row->cells[1] = cell_count(st->by_type[i]);
		row->cells[2] = cell_pct(total ? (double)st->by_type[i] * 100 / (double)total : 0);
	}
	f->facts.key = "facts";
	table_add_column(&f->facts, "total", "TOTAL");
	table_add_row(&f->facts)->cells[0] = cell_count(total);
}

static void fill_events(struct table *t, const struct event_list *events,
			const struct sample_counts *samples)
{
	t->key = "events";
	table_add_column(t, "name", "name");
	table_add_column(t, "samples", "samples");
	table_add_column(t, "lost", "lost");
	table_add_column(t, "dropped", "dropped");
	for (size_t i = 0; i < events->events.n; i++) {
		const struct event *e = events->events.v[i];
		const u64 n = count_of(&samples->n, e), lost = count_of(&samples->lost, e),
			dropped = count_of(&samples->dropped, e);
		struct table_row *row = n || lost || dropped ? table_add_row(t) : NULL;

		if (!row)
			continue;
		row->cells[0] = cell_text(e->name);
		row->cells[1] = cell_count(n);
		row->cells[2] = cell_count(lost);
		row->cells[3] = cell_count(dropped);
	}
}

static void fill_stacks(struct table *t, const struct stream_stats *st)
{
	struct stack_end ends[STACK_ENDS_MAX];
	size_t n = stream_stack_ends(st, ends);

	t->key = "stacks";
	table_add_column(t, "copied", "copied");
	table_add_column(t, "end", "end");
	table_add_column(t, "samples", "samples");
	table_add_column(t, "share_pct", "share");
	for (size_t i = 0; i < n; i++) {
		struct table_row *row = table_add_row(t);

		row->cells[0] = cell_bool(ends[i].copied);
		row->cells[1] = cell_text(ends[i].text);
		row->cells[2] = cell_count(ends[i].n);
		row->cells[3] = cell_pct(100.0 * (double)ends[i].n / (double)ends[i].of);
	}
}

void file_counts_fill(struct file_counts *f, const struct stream_stats *st,
		      const struct event_list *events, const struct sample_counts *samples,
		      bool empty)
{
	fill_records(f, st, empty);
	fill_events(&f->events, events, samples);
	fill_stacks(&f->stacks, st);
}

void file_counts_release(struct file_counts *f)
{
	table_release(&f->facts);
	table_release(&f->records);
	table_release(&f->events);
	table_release(&f->stacks);
}
