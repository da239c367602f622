// SPDX-License-Identifier: GPL-2.0-or-later
// The parts of a path as tables, and what they add up to.
#include <stdlib.h>
#include <string.h>

#include "util/analysis/why/why-priv.h"
#include "util/base/xalloc.h"

static const char *const why_kind_names[KIND_N] = {
	[KIND_RUNS] = "runs", [KIND_WORK] = "work", [KIND_LOCK] = "lock", [KIND_CPU] = "cpu",
	[KIND_IDLE_CPU] = "quota", [KIND_DISK] = "disk", [KIND_TIMER] = "timer",
	[KIND_NETWORK] = "network", [KIND_INTERRUPT] = "interrupt", [KIND_STOPPED] = "stopped",
	[KIND_FAULT] = "page-faults", [KIND_MEMORY] = "memory", [KIND_SLEEP] = "sleep",
	[KIND_UNKNOWN] = "unknown",
};

struct explain {
	const struct why *w;
	const struct why_span *span;
	why_parts parts;
	struct arena texts;
};

static void add_task(const struct explain *x, int task, struct str *out)
{
	const struct sched_task *t = x->w->tasks.v[task].task;

	str_addf(out, "%s %d", *t->comm ? t->comm : "?", (s32)t->tid);
}

/* Priorities as chrt and nice have them. */
static void add_prio(int prio, struct str *out)
{
	if (prio < 0)
		str_add(out, "deadline");
	else if (prio < 100)
		str_addf(out, "realtime priority %d", 99 - prio);
	else
		str_addf(out, "nice %d", prio - 120);
}

static void add_lock(const struct why_part *p, struct str *out)
{
	str_add(out, why_wait_names[p->wait]);
	if (p->number)
		str_addf(out, " (%#llx)", (unsigned long long)p->number);
}

/* What a part is, of the task that it is of. */
static void add_what(const struct explain *x, const struct why_part *p, struct str *out)
{
	switch ((enum why_kind)p->kind) {
	case KIND_RUNS:
	case KIND_WORK:
		str_addf(out, "ran on CPU %d", p->cpu);
		break;
	case KIND_LOCK:
		str_add(out, p->cpu >= 0 ? "ran, and had " : "slept, and had ");
		add_lock(p, out);
		break;
	case KIND_CPU:
		str_addf(out, "waited for CPU %d", p->cpu);
		if (p->other < 0) {
			str_add(out, ", which came out of idle");
			break;
		}
		str_add(out, ", which ran ");
		add_task(x, p->other, out);
		str_add(out, " (");
		add_prio(p->prio, out);
		str_addch(out, ')');
		break;
	case KIND_IDLE_CPU:
		str_addf(out, "wanted to run, but was not let on %sCPU %d (quota of its cgroup)",
			 p->number ? "" : "the idle ", p->cpu);
		break;
	case KIND_DISK:
		str_add(out, p->number ? "waited in a page fault for I/O" : "waited for I/O");
		if (p->name)
			str_addf(out, " of device %s", p->name);
		break;
	case KIND_TIMER:
		str_add(out, "slept until a timer ended it");
		break;
	case KIND_NETWORK:
		str_add(out, "waited for the network");
		break;
	case KIND_INTERRUPT:
		str_addf(out, "waited for %s, until an interrupt", why_wait_names[p->wait]);
		if (p->name)
			str_addf(out, " (%s)", p->name);
		break;
	case KIND_STOPPED:
		str_add(out, "was stopped");
		if (p->other >= 0) {
			str_add(out, ", until ");
			add_task(x, p->other, out);
			str_add(out, " continued it");
		}
		break;
	case KIND_FAULT:
		str_addf(out, "had %llu page faults", (unsigned long long)p->number);
		break;
	case KIND_MEMORY:
		str_add(out, "waited for memory");
		break;
	case KIND_SLEEP:
		str_addf(out, "waited for %s", why_wait_names[p->wait]);
		break;
	case KIND_UNKNOWN:
	case KIND_N:
		str_add(out, "did what was not recorded");
		break;
	}
}

static void add_wait(const struct explain *x, const struct why_part *p, struct str *out)
{
	str_add(out, "waited for ");
	if (p->kind == KIND_LOCK)
		add_lock(p, out);
	else
		str_add(out, why_wait_names[p->wait]);
	str_add(out, ", until ");
	add_task(x, p->other, out);
	str_add(out, " woke it");
}

/* --- causes: parts that have the same reason */

struct holder { int task; u64 ns; };
struct cause {
	const struct why_part *first, *longest;
	u64 ns, n, faults;
	VEC(struct holder) holders;	/* KIND_LOCK: who had it */
};
typedef VEC(struct cause) causes;

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

static bool is_same(const struct why_part *a, const struct why_part *b)
{
	if (a->kind != b->kind)
		return false;
	switch ((enum why_kind)a->kind) {
	case KIND_LOCK:
		return a->number == b->number && a->wait == b->wait;
	case KIND_CPU:
		return a->other == b->other;
	case KIND_DISK:
		return same_text(a->name, b->name);
	case KIND_INTERRUPT:
		return a->task == b->task && a->wait == b->wait && same_text(a->name, b->name);
	case KIND_UNKNOWN:
		return true;
	default:
		return a->task == b->task && (a->kind != KIND_SLEEP || a->wait == b->wait);
	}
}

static void add_holder(struct cause *c, const struct why_part *p)
{
	size_t i = 0;

	while (i < c->holders.n && c->holders.v[i].task != p->task)
		i++;
	if (i == c->holders.n)
		vec_push(&c->holders, ((struct holder){ .task = p->task }));
	c->holders.v[i].ns += p->to_ns - p->from_ns;
}

static void add_cause(causes *v, const struct why_part *p)
{
	struct cause *c = NULL;

	for vec_each(at, v)
		if (is_same(at->first, p))
			c = at;
	if (!c) {
		c = vec_add(v);
		c->first = c->longest = p;
	}
	if (p->to_ns - p->from_ns > c->longest->to_ns - c->longest->from_ns)
		c->longest = p;
	c->ns += p->to_ns - p->from_ns;
	c->n++;
	c->faults += p->kind == KIND_FAULT ? p->number : 0;
	if (p->kind == KIND_LOCK)
		add_holder(c, p);
}

/* Those of the kind that took most time first: many tasks that ran instead are one reason. */
static int cmp_causes(const void *a, const void *b, void *kinds)
{
	const struct cause *x = a, *y = b;
	const u64 *ns = kinds;
	const u8 k = x->first->kind, l = y->first->kind;

	if (ns[k] != ns[l])
		return ns[k] > ns[l] ? -1 : 1;
	if (k != l)
		return k < l ? -1 : 1;
	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

static int cmp_holders(const void *a, const void *b)
{
	const struct holder *x = a, *y = b;

	return x->ns != y->ns ? (x->ns > y->ns ? -1 : 1) : x->task - y->task;
}

enum { MOST_HOLDERS = 4 };

static void add_holders(const struct explain *x, struct cause *c, struct str *out)
{
	if (!c->holders.n)
		return;
	qsort(c->holders.v, c->holders.n, sizeof(*c->holders.v), cmp_holders);
	str_add(out, ", which others had: ");
	for (size_t i = 0; i < MIN(c->holders.n, (size_t)MOST_HOLDERS); i++) {
		str_add(out, i ? ", " : "");
		add_task(x, c->holders.v[i].task, out);
		str_addf(out, " %.3f ms", (double)c->holders.v[i].ns / 1e6);
	}
	if (c->holders.n > MOST_HOLDERS)
		str_addf(out, " and %zu more", c->holders.n - MOST_HOLDERS);
}

static void add_cause_text(const struct explain *x, struct cause *c, struct str *out)
{
	const struct why_part *p = c->longest;

	switch ((enum why_kind)p->kind) {
	case KIND_RUNS:
		str_add(out, "it ran itself");
		break;
	case KIND_WORK:
		add_task(x, p->task, out);
		str_addf(out, " ran, for which it waited through %s", why_wait_names[p->wait]);
		break;
	case KIND_LOCK:
		add_lock(p, out);
		add_holders(x, c, out);
		break;
	case KIND_CPU:
		if (p->other < 0) {
			str_add(out, "the CPU came out of idle");
			break;
		}
		add_task(x, p->other, out);
		str_add(out, " (");
		add_prio(p->prio, out);
		str_addf(out, ") ran on CPU %d instead", p->cpu);
		break;
	case KIND_FAULT:
		add_task(x, p->task, out);
		str_addf(out, " had %llu page faults", (unsigned long long)c->faults);
		break;
	case KIND_UNKNOWN:
		str_add(out, "not recorded");
		break;
	default:
		add_task(x, p->task, out);
		str_addch(out, ' ');
		add_what(x, p, out);
		break;
	}
}

static void causes_table(const struct explain *x, struct table *t)
{
	const u64 delay = x->span->to_ns - x->span->from_ns;
	struct str text = STR_INIT;
	u64 kinds[KIND_N] = { 0 };
	causes v = { 0 };

	t->key = "causes";
	table_add_column(t, "share", "Share");
	table_add_column(t, "time_ns", "Time");
	table_add_column(t, "count", "Parts");
	table_add_column(t, "kind", "Kind");
	table_add_column(t, "cause", "Cause");
	for vec_each(p, &x->parts)
		if (!p->is_wait)
			add_cause(&v, p);
	for vec_each(c, &v)
		kinds[c->first->kind] += c->ns;
	if (v.n)
		qsort_r(v.v, v.n, sizeof(*v.v), cmp_causes, kinds);
	for vec_each(c, &v) {
		struct cell *cell = table_add_row(t)->cells;

		str_reset(&text);
		add_cause_text(x, c, &text);
		*cell++ = cell_pct(delay ? 100. * (double)c->ns / (double)delay : 0);
		*cell++ = cell_ns(c->ns);
		*cell++ = cell_count(c->n);
		*cell++ = cell_text(why_kind_names[c->first->kind]);
		*cell++ = cell_text(table_text(t, str_cstr(&text)));
		vec_free(&c->holders);
	}
	vec_free(&v);
	str_release(&text);
}

/* --- the chain, and the facts */

static void chain_table(const struct explain *x, struct table *t)
{
	static const char *const keys[] = { "from_ns", "time_ns", "depth", "part", "comm", "tid",
					    "kind", "what" };
	struct str text = STR_INIT;

	t->key = "chain";
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		table_add_column(t, keys[i], keys[i]);
	for vec_each(p, &x->parts) {
		const struct sched_task *task = x->w->tasks.v[p->task].task;
		struct cell *cell = table_add_row(t)->cells;

		str_reset(&text);
		(p->is_wait ? add_wait : add_what)(x, p, &text);
		*cell++ = cell_ns(p->from_ns);
		*cell++ = cell_ns(p->to_ns - p->from_ns);
		*cell++ = cell_int(p->depth);
		*cell++ = cell_bool(!p->is_wait);
		*cell++ = cell_text(task->comm);
		*cell++ = cell_int((s32)task->tid);
		*cell++ = cell_text(why_kind_names[p->kind]);
		*cell++ = cell_text(table_text(t, str_cstr(&text)));
	}
	str_release(&text);
}

static void facts_table(const struct explain *x, const struct table *why, struct table *t)
{
	static const char *const keys[] = { "comm", "tid", "from_ns", "to_ns", "delay_ns", "lost",
					    "first_cause" };
	const struct why_span *s = x->span;
	struct cell *cell;
	u64 lost = 0;

	t->key = "facts";
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		table_add_column(t, keys[i], keys[i]);
	for vec_each(at, &x->w->lost)
		lost += *at >= s->from_ns && *at <= s->to_ns;
	cell = table_add_row(t)->cells;
	*cell++ = cell_text(s->task->comm);
	*cell++ = cell_int((s32)s->task->tid);
	*cell++ = cell_ns(s->from_ns);
	*cell++ = cell_ns(s->to_ns);
	*cell++ = cell_ns(s->to_ns - s->from_ns);
	*cell++ = cell_count(lost);
	*cell++ = cell_text(!why->rows.n ? NULL :
			    table_text(t, table_cell(why, why->rows.v, "cause")->text));
}

static void explain_span(const struct why *w, const struct why_span *span,
			 struct why_tables *out)
{
	struct explain x = { .w = w, .span = span };

	why_walk(w, span, &x.texts, &x.parts);
	causes_table(&x, &out->causes);
	chain_table(&x, &out->chain);
	facts_table(&x, &out->causes, &out->facts);
	vec_free(&x.parts);
	arena_release(&x.texts);
}

struct why_tables *why_explain(const struct why *w, const why_spans *spans)
{
	struct why_tables *t = xcalloc(spans->n + 1, sizeof(*t));

	for (size_t i = 0; i < spans->n; i++)
		explain_span(w, &spans->v[i], &t[i]);
	return t;
}

void why_tables_free(struct why_tables *t, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		table_release(&t[i].facts);
		table_release(&t[i].causes);
		table_release(&t[i].chain);
	}
	free(t);
}
