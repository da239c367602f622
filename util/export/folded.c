// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Folded stacks, what flamegraph.pl and others read: one line for each distinct stack, outermost
 * first, "task;main;work 42". Names have neither ; nor control characters there. Where several
 * events have samples, stacks begin with the event.
 */
#include "util/export/exporter.h"

#include <stdlib.h>

#include "util/analysis/hist/stack-lists.h"
#include "util/base/xalloc.h"
#include "util/export/text.h"

struct folded {
	struct stack_lists *stacks;
	FILE *fp;
	enum export_by by;
	enum export_weight weight;
	struct str out;
	/* by frame, by root: its name as it stands in a line */
	struct span *frames, *roots;
};

static char *escaped(const char *name)
{
	struct str s = STR_INIT;

	str_add_folded(&s, name);
	return str_detach(&s);
}

/* "event;task/tid" */
static char *root_name(const struct folded *f, const struct stack_root *r, bool with_event)
{
	struct str s = STR_INIT;
	char *event = escaped(r->event ? r->event->name : "");
	char *comm = escaped(r->comm ? r->comm : "");

	if (with_event)
		str_add(&s, event);
	if (with_event && f->by != EXPORT_BY_NONE)
		str_addch(&s, ';');
	str_add(&s, comm);
	if (f->by == EXPORT_BY_PID)
		str_addf(&s, "-%u", r->pid);
	else if (f->by == EXPORT_BY_TID)
		str_addf(&s, "-%u/%u", r->pid, r->tid);
	free(event);
	free(comm);
	return str_detach(&s);
}

static struct span kept(char *text)
{
	return (struct span){ (const u8 *)text, strlen(text) };
}

static void make_names(struct folded *f)
{
	const size_t n_frames = stack_lists_n_names(f->stacks);
	const size_t n_roots = stack_lists_n_roots(f->stacks);
	bool several = false;

	f->frames = xcalloc(n_frames + 1, sizeof(*f->frames));
	f->roots = xcalloc(n_roots + 1, sizeof(*f->roots));
	for (size_t i = 1; i < n_roots; i++)
		several |= stack_lists_root(f->stacks, i)->event !=
			stack_lists_root(f->stacks, 0)->event;
	for (size_t i = 0; i < n_roots; i++)
		f->roots[i] = kept(root_name(f, stack_lists_root(f->stacks, i), several));
	for (size_t i = 0; i < n_frames; i++)
		f->frames[i] = kept(escaped(stack_lists_name(f->stacks, i)));
}

static void add_line(struct folded *f, const struct stack_list *l, u64 weight)
{
	const struct span root = f->roots[l->root];

	str_addn(&f->out, root.ptr, root.len);
	for (u32 i = 0; i < l->n_frames; i++) {
		const struct span name = f->frames[l->frames[i]];

		if (i || root.len)
			str_addch(&f->out, ';');
		str_addn(&f->out, name.ptr, name.len);
	}
	str_addch(&f->out, ' ');
	str_add_u64(&f->out, weight);
	str_addch(&f->out, '\n');
	export_flush(f->fp, &f->out, 1 << 16);
}

static int end_folded(void *state, u64 *n, struct err *err UNUSED)
{
	struct folded *f = state;

	make_names(f);
	for (size_t i = 0; i < stack_lists_n(f->stacks); i++) {
		const struct stack_list *l = stack_lists_at(f->stacks, i);
		const u64 weight = f->weight == EXPORT_PERIOD ? l->period : l->n;

		if (!weight)
			continue;
		add_line(f, l, weight);
		++*n;
	}
	export_flush(f->fp, &f->out, 0);
	return 0;
}

static void *begin_folded(const struct export_job *job, struct sink **sink, struct err *err UNUSED)
{
	struct folded *f = xnew(struct folded);
	struct stacks_opts o = { .events = job->events, .no_inline = job->no_inline };

	f->fp = job->fp;
	f->weight = job->weight;
	f->by = job->by ? job->by : EXPORT_BY_COMM;
	o.by_comm = f->by != EXPORT_BY_NONE;
	o.by_pid = f->by == EXPORT_BY_PID || f->by == EXPORT_BY_TID;
	o.by_tid = f->by == EXPORT_BY_TID;
	f->stacks = stack_lists_new(&o);
	*sink = stack_lists_sink(f->stacks);
	return f;
}

static void free_folded(void *state)
{
	struct folded *f = state;

	for (size_t i = 0; f->frames && i < stack_lists_n_names(f->stacks); i++)
		free((void *)f->frames[i].ptr);
	for (size_t i = 0; f->roots && i < stack_lists_n_roots(f->stacks); i++)
		free((void *)f->roots[i].ptr);
	free(f->frames);
	free(f->roots);
	str_release(&f->out);
	stack_lists_free(f->stacks);
	free(f);
}

const struct exporter export_folded = {
	.format = "folded", .help = "folded stacks, for flamegraph.pl and others",
	.items = "stacks", .begin = begin_folded, .end = end_folded, .free = free_folded,
};
