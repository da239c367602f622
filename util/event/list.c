// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/event.h"

#include <stdlib.h>
#include <unistd.h>

#include "util/event/tracepoint.h"

void event_list_init(struct event_list *l)
{
	*l = (struct event_list){ 0 };
	event_index_release(&l->index);
}

static void event_free(struct event *e)
{
	free(e->name);
	free(e->group_name);
	free(e->typed);
	free(e->ids);
	free(e->filter);
	free(e->unit);
	free(e->cgroup);
	if (e->cgroup_fd >= 0)
		close(e->cgroup_fd);
	free(e->tp_system);
	free(e->tp_name);
	free(e->pmu);
	free(e->pmu_event);
	free(e->terms.call_graph);
	free(e->terms.branch_type);
	vec_free(&e->terms.cpus);
	vec_free(&e->own_cpus);
	free(e->fds);
	free(e->fd_ids);
	free(e->earlier);
	free(e->sensor);
	free(e);
}

void event_list_release(struct event_list *l)
{
	event_list_close(l);
	for (size_t i = 0; i < l->events.n; i++)
		event_free(l->events.v[i]);
	vec_free(&l->events);
	tp_table_free(l->tracepoints);
	event_index_release(&l->index);
	vec_free(&l->cpus);
	vec_free(&l->tids);
	*l = (struct event_list){ 0 };
}

void event_list_truncate(struct event_list *l, size_t n)
{
	while (l->events.n > n)
		event_free(l->events.v[--l->events.n]);
}

void event_list_remove(struct event_list *l, size_t n)
{
	struct event *gone = l->events.v[n], *leader = gone->leader == gone ? NULL : gone->leader;
	const int left = gone->leader->n_members - 1;

	memmove(l->events.v + n, l->events.v + n + 1, (l->events.n - n - 1) * sizeof(*l->events.v));
	l->events.n--;
	for (size_t i = 0; i < l->events.n; i++) {
		struct event *e = l->events.v[i];

		e->index = (int)i;
		if (e->leader != gone)
			continue;
		leader = leader ? leader : e;	/* the first that is left leads */
		e->leader = leader;
	}
	if (leader)
		leader->n_members = left;
	if (leader && gone->group_name && !leader->group_name) {
		leader->group_name = gone->group_name;
		gone->group_name = NULL;
	}
	event_free(gone);
}

struct event *event_list_add(struct event_list *l, const struct perf_event_attr *attr,
			     const char *name)
{
	struct event *e = xnew(struct event);
	struct str s = STR_INIT;

	e->attr = *attr;
	e->index = (int)l->events.n;
	e->leader = e;
	e->n_members = 1;
	e->scale = 1.0;
	e->cgroup_fd = -1;
	e->supported = true;
	if (name) {
		e->name = xstrdup(name);
	} else {
		event_attr_name(attr, &s);
		e->name = str_detach(&s);
	}
	vec_push(&l->events, e);
	return e;
}

void event_list_group_to_show(struct event_list *l)
{
	struct event *leader = NULL;

	for vec_each(e, &l->events)
		if ((*e)->leader != *e || (*e)->n_members > 1)
			return;
	for vec_each(e, &l->events) {
		if ((*e)->dummy)
			continue;
		if (!leader)
			leader = *e;
		else
			leader->n_members++;
		(*e)->leader = leader;
	}
	l->grouped_to_show = true;
}

void event_add_ids(struct event *e, const u64 *ids, size_t n)
{
	if (!n)
		return;
	e->ids = xreallocarray(e->ids, e->n_ids + n, sizeof(*ids));
	memcpy(e->ids + e->n_ids, ids, n * sizeof(*ids));
	e->n_ids += n;
}

void event_changed(struct event_list *l, struct event *e)
{
	e->version++;
	l->version++;
}

bool event_list_samples(const struct event_list *l, u64 what)
{
	for vec_each(e, &l->events)
		if ((*e)->attr.sample_type & what)
			return true;
	return false;
}

bool event_list_has_branches(const struct event_list *l)
{
	for vec_each(e, &l->events)
		if ((*e)->attr.sample_type & PERF_SAMPLE_BRANCH_STACK &&
		    !((*e)->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK))
			return true;
	return false;
}

const struct event *event_list_named(const struct event_list *l, const char *name)
{
	for vec_each(e, &l->events)
		if (!strcmp((*e)->name, name))
			return *e;
	return NULL;
}

bool event_is_tracepoint(const struct event *e, const char *system, const char *name)
{
	return e->tp_system && e->tp_name && !strcmp(e->tp_system, system) &&
		!strcmp(e->tp_name, name);
}

bool event_addr_is_of_symbol(const struct perf_event_attr *a)
{
	if (!(a->sample_type & PERF_SAMPLE_ADDR))
		return false;
	if (a->type == PERF_TYPE_SOFTWARE)
		return a->config == PERF_COUNT_SW_PAGE_FAULTS ||
		       a->config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		       a->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ;
	return a->type == PERF_TYPE_HARDWARE && a->sample_period == 1 &&
	       a->config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
}

int event_list_load_formats(struct event_list *l, struct os *os, struct err *err)
{
	int ret = 0;

	if (!l->tracepoints)
		l->tracepoints = tp_table_new();
	for (size_t i = 0; i < l->events.n && !ret; i++) {
		struct event *e = l->events.v[i];

		if (e->attr.type == PERF_TYPE_TRACEPOINT && !e->format)
			ret = tp_table_load(l->tracepoints, os, e->tp_system, e->tp_name,
					    &e->format, err);
	}
	return ret;
}
