// SPDX-License-Identifier: GPL-2.0-or-later
// What is no call, as JSON: events, stacks, rows of the summary. One object a line.
#include "util/view/sys.h"

#include <stdio.h>

#include "util/base/json.h"

static void open_line(struct json *j, const char *type, struct str *out)
{
	json_init(j, out);
	json_open(j, '{');
	json_key_str(j, "type", type);
}

static void close_line(struct json *j)
{
	json_close(j, '}');
	str_addch(j->out, '\n');
}

void view_sys_json_event(const struct view_sys_event *e, struct str *out)
{
	struct json j;

	open_line(&j, "event", out);
	json_key_u64(&j, "time_ns", e->time_ns);
	json_key_str(&j, "comm", e->comm);
	json_key_u64(&j, "pid", e->pid);
	json_key_u64(&j, "tid", e->tid);
	json_key_str(&j, "event", e->name);
	json_key(&j, "args");
	json_strn(&j, (const char *)e->args.ptr, e->args.len);
	close_line(&j);
}

void view_sys_json_stack_begin(struct json *j, u32 tid, struct str *out)
{
	open_line(j, "stack", out);
	json_key_u64(j, "tid", tid);
	json_key(j, "frames");
	json_open(j, '[');
}

void view_sys_json_stack_end(struct json *j)
{
	json_close(j, ']');
	close_line(j);
}

static void add_errnos(struct json *j, const struct sys_sum_row *r)
{
	json_key(j, "errnos");
	json_open(j, '{');
	for vec_each(e, &r->errnos) {
		const char *name = errno_name(e->code);
		char number[16];

		snprintf(number, sizeof(number), "%u", e->code);
		json_key_u64(j, name ? name : number, e->n);
	}
	json_close(j, '}');
}

static void add_row(const struct view_sys_sum *v, const struct sys_sum_group *g,
		    const struct sys_sum_row *r,
		    const struct syscall_set *set, struct str *out)
{
	const char *name = syscall_entry(set, r->nr, r->compat)->name;
	struct json j;

	open_line(&j, "summary", out);
	if (v->group == VIEW_SYS_THREAD) {
		json_key_str(&j, "comm", g->label);
		json_key_u64(&j, "tid", g->id);
	} else if (v->group == VIEW_SYS_CGROUP) {
		json_key_str(&j, "cgroup", g->label);
	}
	if (v->runtimes)
		json_key_u64(&j, "runtime_ns", g->runtime_ns);
	json_key_str(&j, "syscall", name);
	json_key_u64(&j, "nr", r->nr);
	json_key_u64(&j, "calls", r->count);
	json_key_u64(&j, "errors", r->errors);
	json_key_u64(&j, "total_ns", r->total_ns);
	json_key_u64(&j, "min_ns", r->count ? r->min_ns : 0);
	json_key_u64(&j, "max_ns", r->max_ns);
	if (v->errnos)
		add_errnos(&j, r);
	close_line(&j);
}

void view_sys_json_summary(const struct view_sys_sum *v, const struct sys_summary *s,
			   const struct syscall_set *set, struct str *out)
{
	for (size_t i = 0; i < s->groups.n; i++) {
		const struct sys_sum_group *g = &s->groups.v[i];

		for (size_t k = 0; k < g->rows.n && (!v->max_rows || k < v->max_rows); k++)
			add_row(v, g, &g->rows.v[k], set, out);
	}
}
