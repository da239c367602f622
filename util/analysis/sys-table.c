// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/sys-table.h"

#include <stdio.h>
#include <string.h>

#define N_ARGS 6		/* of a call, at most */

/* ---- summary ---- */

static void add_type_column(struct table *t)
{
	/* CSV has one kind of rows only */
	table_add_column(t, "type", "type")->form = COL_NOT_IN_CSV;
}

static void make_facts(const struct sys_summary *s, const struct sys_sum_group *g,
		       const struct sys_sums_opts *o, struct table *t)
{
	const bool thread = o->by == SYS_SUMS_THREAD, total = o->by == SYS_SUMS_TOTAL;
	struct cell *c;

	add_type_column(t);
	if (!total)
		table_add_column(t, thread ? "comm" : "cgroup", "name");
	if (thread)
		table_add_column(t, "tid", "tid");
	if (o->runtimes)
		table_add_column(t, "runtime_ns", "runtime");
	table_add_column(t, "events", "events");
	if (!total)
		table_add_column(t, "events_pct", "share");
	c = table_add_row(t)->cells;
	*c++ = cell_text("summary");
	if (!total)
		*c++ = cell_text(g->label);
	if (thread)
		*c++ = cell_count(g->id);
	if (o->runtimes)
		*c++ = cell_ns(g->runtime_ns);
	*c++ = cell_count(g->events);
	if (!total)
		*c = cell_pct(s->events ? (double)g->events * 100 / (double)s->events : 0);
}

static struct cell errnos(const struct sys_sum_row *r, struct table *t)
{
	struct table *list = table_new_list(t);

	table_add_column(list, "errno", "errno");
	table_add_column(list, "calls", "calls");
	for vec_each(e, &r->errnos) {
		struct cell *c = table_add_row(list)->cells;
		const char *name = errno_name(e->code);
		char number[16];

		snprintf(number, sizeof(number), "%u", e->code);
		c[0] = name ? cell_text(name) : cell_count(e->code);
		c[0].text = name ? name : table_text(list, number);
		c[1] = cell_count(e->n);
	}
	return cell_list(list);
}

static void add_call(const struct sys_sum_row *r, const struct sys_sums_opts *o,
		     const struct syscall_set *set, struct table *t)
{
	struct cell *c = table_add_row(t)->cells;

	*c++ = cell_text(syscall_entry(set, r->nr, r->compat)->name);
	*c++ = cell_count(r->nr);
	*c++ = cell_count(r->count);
	*c++ = cell_count(r->errors);
	*c++ = cell_ns(r->total_ns);
	*c++ = cell_ns(r->count ? r->min_ns : 0);
	*c++ = cell_ns(r->max_ns);
	*c++ = cell_pct(sys_sum_stddev_pct(r));
	if (o->errnos)
		*c = errnos(r, t);
}

static void make_calls(const struct sys_sum_group *g, const struct sys_sums_opts *o,
		       const struct syscall_set *set, struct table *t)
{
	static const char *const keys[] = { "syscall", "nr", "calls", "errors", "total_ns",
					    "min_ns", "max_ns", "stddev_pct" };

	t->key = "summary";
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		table_add_column(t, keys[i], keys[i]);
	if (o->errnos)
		table_add_column(t, "errnos", "errnos");
	for (size_t i = 0; i < g->rows.n && (o->max_rows <= 0 || i < (size_t)o->max_rows); i++)
		add_call(&g->rows.v[i], o, set, t);
}

void sys_summary_tables(const struct sys_summary *s, const struct sys_sums_opts *o,
			const struct syscall_set *set, struct sys_tables *out)
{
	for vec_each(g, &s->groups) {
		struct sys_group_tables *t = vec_add(&out->groups);

		make_facts(s, g, o, &t->facts);
		make_calls(g, o, set, &t->calls);
	}
}

void sys_tables_release(struct sys_tables *t)
{
	for vec_each(g, &t->groups) {
		table_release(&g->facts);
		table_release(&g->calls);
	}
	vec_free(&t->groups);
}

/* ---- rows ---- */

/* The one row, its members empty. */
static struct cell *row_of(struct table *t, const char *const *keys, size_t n)
{
	for (size_t i = t->cols.n; i < n; i++)
		table_add_column(t, keys[i], keys[i]);
	if (!t->rows.n)
		table_add_row(t);
	for (size_t i = 0; i < n; i++)
		t->rows.v[0].cells[i] = cell_absent();
	return t->rows.v[0].cells;
}

static struct cell raw_args(struct sys_rows *r, const struct syscall_values *v)
{
	const size_t n = v->info ? v->info->n_args : N_ARGS;
	struct table *t = &r->raw_args;

	if (!t->cols.n) {
		table_add_column(t, "value", "value");
		for (size_t i = 0; i < N_ARGS; i++)
			table_add_row(t);
	}
	t->rows.n = n;			/* the others stay where they are */
	for (size_t i = 0; i < n; i++)
		t->rows.v[i].cells[0] = cell_count(v->args[i]);
	return cell_list(t);
}

static const struct table *row_lost(struct sys_rows *r, const struct sys_line *l)
{
	static const char *const keys[] = { "type", "tid", "records" };
	struct cell *c = row_of(&r->lost, keys, ARRAY_SIZE(keys));

	c[0] = cell_text("lost");
	c[1] = cell_int((s32)l->tid);
	c[2] = cell_count(l->n_lost);
	return &r->lost;
}

const struct table *sys_row_line(struct sys_rows *r, const struct sys_line *l,
				 const struct syscall_style *style)
{
	static const char *const kinds[] = { "call", "enter", "exit", "no-return", "cut" };
	static const char *const keys[] = { "type", "time_ns", "duration_ns", "comm", "pid", "tid",
					    "syscall", "args", "raw_args", "ret", "result" };
	struct cell *c;

	if (l->kind == SYS_LINE_LOST)
		return row_lost(r, l);
	c = row_of(&r->calls, keys, ARRAY_SIZE(keys));
	c[0] = cell_text(kinds[l->kind]);
	if (l->start_ns)
		c[1] = cell_ns(l->start_ns);
	if (l->has_dur)
		c[2] = cell_ns(l->dur_ns);
	c[3] = cell_text(l->comm);
	c[4] = cell_count(l->tgid);
	c[5] = cell_count(l->tid);
	c[6] = cell_text(l->name);
	if (l->kind != SYS_LINE_REST || l->begun) {
		str_reset(&r->args);
		syscall_add_args(&r->args, &l->values, style);
		c[7] = cell_text(str_cstr(&r->args));
		c[8] = raw_args(r, &l->values);
	}
	if (l->values.returned) {
		str_reset(&r->result);
		syscall_add_ret(&r->result, &l->values, style);
		c[9] = cell_int(l->values.ret);
		c[10] = cell_text(str_cstr(&r->result));
	}
	return &r->calls;
}

const struct table *sys_row_event(struct sys_rows *r, const struct sys_event *e)
{
	static const char *const keys[] = { "type", "time_ns", "comm", "pid", "tid", "event",
					    "args" };
	struct cell *c = row_of(&r->events, keys, ARRAY_SIZE(keys));

	c[0] = cell_text("event");
	c[1] = cell_ns(e->time_ns);
	c[2] = cell_text(e->comm);
	c[3] = cell_count(e->pid);
	c[4] = cell_count(e->tid);
	c[5] = cell_text(e->name);
	c[6] = cell_text((const char *)e->args.ptr);
	return &r->events;
}

const struct table *sys_row_stack(struct sys_rows *r, u32 tid, const struct str *frames)
{
	static const char *const keys[] = { "type", "tid", "frames" };
	struct cell *c = row_of(&r->stacks, keys, ARRAY_SIZE(keys));

	table_clear_rows(&r->frames);
	if (!r->frames.cols.n)
		table_add_column(&r->frames, "frame", "frame");
	for (size_t at = 0; at < frames->len; at += strlen(frames->buf + at) + 1)
		table_add_row(&r->frames)->cells[0] = cell_text(frames->buf + at);
	c[0] = cell_text("stack");
	c[1] = cell_count(tid);
	c[2] = cell_list(&r->frames);
	return &r->stacks;
}

const struct table *sys_row_stats(struct sys_rows *r, u64 lines, u64 lost)
{
	static const char *const keys[] = { "type", "lines", "lost" };
	struct cell *c = row_of(&r->stats, keys, ARRAY_SIZE(keys));

	c[0] = cell_text("stats");
	c[1] = cell_count(lines);
	c[2] = cell_count(lost);
	return &r->stats;
}

/* The lists are no cells of their rows any more: they are of their own. */
void sys_rows_release(struct sys_rows *r)
{
	struct table *const all[] = { &r->calls, &r->events, &r->stacks, &r->lost, &r->stats,
				      &r->raw_args, &r->frames };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		for (size_t k = 0; k < all[i]->cols.n && all[i]->rows.n; k++)
			all[i]->rows.v[0].cells[k] = cell_absent();
		table_release(all[i]);
	}
	str_release(&r->args);
	str_release(&r->result);
}
