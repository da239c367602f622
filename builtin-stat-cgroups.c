// SPDX-License-Identifier: GPL-2.0-or-later
// perf stat -G and --for-each-cgroup.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-stat.h"
#include "util/bpf/cgcount.h"
#include "util/cli/error.h"
#include "util/os/cgroup.h"

/* From as many on one BPF program costs less than counters for each of them. */
#define MANY_CGROUPS 8

static int set_cgroup(struct stat_cmd *c, struct event *e, const char *name, struct err *err)
{
	int fd = os_cgroup_open(&c->os, name, err);

	if (fd < 0)
		return fd;
	e->cgroup = xstrdup(name);
	e->cgroup_fd = fd;
	return 0;
}

/* -G a,b: one for each event in turn; a single one is for all. */
static int assign_cgroups(struct stat_cmd *c, struct err *err)
{
	char *copy = xstrdup(c->events.cgroups), *p = copy;
	size_t n = c->events.list.events.n;
	bool single = !strchr(copy, ',');
	int ret = 0;

	for (size_t i = 0; i < n && !ret && p; i++) {
		char *comma = single ? NULL : strchr(p, ',');

		if (comma)
			*comma = 0;
		if (*p)
			ret = set_cgroup(c, c->events.list.events.v[i], p, err);
		if (!single)
			p = comma ? comma + 1 : NULL;
	}
	free(copy);
	return ret;
}

/* The same events once more, those of metrics too. */
static int repeat_events(struct stat_cmd *c, struct err *err)
{
	struct stat_formulas again = { 0 };
	const size_t from = c->events.list.events.n;
	int ret = 0;

	for (size_t i = 0; i < c->events.texts.n && !ret; i++) {
		const struct stat_text *t = &c->events.texts.v[i];

		ret = t->parse(&c->events.list, t->text, &c->os, c->db, err);
	}
	if (!ret)
		ret = event_list_keep_pmus(&c->events.list, from, c->db, c->events.cputype,
					   c->events.pmu_filter, err);
	if (!ret && c->events.formulas.v.n)
		ret = stat_metrics_append(c, &again, err);
	count_metrics_release(&again);
	return ret;
}

typedef VEC(char *) name_vec;

static bool too_deep(const name_vec *names)
{
	for vec_each(name, names) {
		unsigned depth = 0;

		for (const char *p = *name; *p; p++)
			depth += *p == '/';
		if (depth >= CGCOUNT_LEVELS - 1)
			return true;
	}
	return false;
}

/* The numbers of the cgroups for the BPF program; *by_bpf: it can count them. */
static int take_ids(struct stat_cmd *c, const name_vec *names, bool *by_bpf, struct err *err)
{
	int ret;

	for (size_t i = 0; i < names->n; i++)
		vec_push(&c->events.by_bpf.ids, 0);
	ret = too_deep(names) ? -ENOTSUP :
		os_cgroup_ids(&c->os, (const char *const *)names->v, names->n,
			      c->events.by_bpf.ids.v, err);
	*by_bpf = !ret;
	return ret == -ENOTSUP ? 0 : ret;
}

static int name_cgroup(struct stat_cmd *c, size_t from, const char *name, bool by_bpf,
		       struct err *err)
{
	int ret = 0;

	for (size_t i = from; i < c->events.list.events.n && !ret; i++) {
		struct event *e = c->events.list.events.v[i];

		if (!by_bpf) {
			ret = set_cgroup(c, e, name, err);
			continue;
		}
		e->cgroup = xstrdup(name);
		e->elsewhere = from > 0;
	}
	return ret;
}

static bool wants_bpf(const struct stat_cmd *c, size_t n)
{
	return (c->events.bpf_counters || n >= MANY_CGROUPS) && !c->record &&
		c->events.list.events.n;
}

static int expand_names(struct stat_cmd *c, const name_vec *names, struct err *err)
{
	const size_t n_each = c->events.list.events.n;
	bool by_bpf = wants_bpf(c, names->n);
	int ret = 0;

	if (by_bpf)
		ret = take_ids(c, names, &by_bpf, err);
	if (!ret && !by_bpf && c->events.bpf_counters && !c->record)
		cli_warn("BPF programs know cgroups of the unified hierarchy only: each is "
			 "counted by counters of its own");
	for (size_t i = 0; i < names->n && !ret; i++) {
		const size_t from = i ? c->events.list.events.n : 0;

		if (i)
			ret = repeat_events(c, err);
		if (!ret)
			ret = name_cgroup(c, from, names->v[i], by_bpf, err);
	}
	if (!ret)
		count_repeat_metrics(&c->events.list, n_each, &c->events.formulas);
	c->events.by_bpf.n_each = n_each;
	c->events.by_bpf.asked = c->events.bpf_counters;
	if (by_bpf)
		c->count.cgroups = &c->events.by_bpf;
	return ret;
}

static int expand_cgroups(struct stat_cmd *c, struct err *err)
{
	char *copy = xstrdup(c->events.each_cgroup), *save = NULL;
	name_vec names = { 0 };
	int ret;

	for (char *p = strtok_r(copy, ",", &save); p; p = strtok_r(NULL, ",", &save))
		vec_push(&names, p);
	ret = expand_names(c, &names, err);
	vec_free(&names);
	free(copy);
	return ret;
}

int stat_prepare_cgroups(struct stat_cmd *c, struct err *err)
{
	int ret = 0;

	if (c->events.each_cgroup)
		ret = expand_cgroups(c, err);
	if (!ret && c->events.cgroups)
		ret = assign_cgroups(c, err);
	return ret;
}
