// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/count/bpf-counters.h"

#include <errno.h>
#include <stdlib.h>

#include "util/os/cgroup.h"

/* Of the counters of the machine; event by event, CPU by CPU. */
static void add_fds(const struct event_list *l, const struct event *e, int_vec *out)
{
	for (size_t k = 0; k < l->cpus.n; k++)
		vec_push(out, e->fds && e->supported ? e->fds[k] : -1);
}

/* Of the first n events. */
static int check(const struct event_list *l, size_t n, struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		const struct event *e = l->events.v[i];

		if (e->of_cpus)
			return err_set(err, ENOTSUP, "'%s' counts what CPUs share: BPF programs "
				       "cannot read it", event_typed(e));
	}
	if (n > CGCOUNT_EVENTS)
		return err_set(err, E2BIG, "BPF programs can read %d events, not %zu",
			       CGCOUNT_EVENTS, n);
	return 0;
}

static void put(struct stat *to, size_t event, size_t cpu, const struct cgcount_value *v)
{
	stat_put(to, (int)event, 0, (int)cpu,
		 &(struct event_count){ v->value, v->enabled_ns, v->running_ns });
}

int count_cgroups_open(struct cgcount **out, struct event_list *l, const struct count_cgroups *g,
		       const struct os *os, struct err *err)
{
	struct cgcount_opts o = { .n_events = g->n_each, .cpus = &l->cpus, .ids = g->ids.v,
				  .n_cgroups = g->ids.n };
	int_vec fds = { 0 };
	int ret = check(l, g->n_each, err);

	for (size_t i = 0; i < g->n_each && !ret; i++)
		add_fds(l, l->events.v[i], &fds);
	o.fds = fds.v;
	if (!ret)
		ret = cgcount_open(out, &o, os, err);
	for (size_t i = g->n_each; i < l->events.n && !ret; i++) {
		const struct event *of = l->events.v[i % g->n_each];

		l->events.v[i]->supported = of->supported;
	}
	vec_free(&fds);
	return ret;
}

void count_cgroups_read(struct cgcount *c, const struct event_list *l,
			const struct count_cgroups *g, struct stat *to)
{
	cgcount_read(c);
	for (size_t i = 0; i < l->events.n; i++) {
		const struct event *e = l->events.v[i];

		for (size_t k = 0; k < l->cpus.n && e->supported && !e->tool; k++) {
			const struct cgcount_value v = cgcount_value(c, i % g->n_each, k,
								     i / g->n_each);

			put(to, i, k, &v);
		}
	}
}

int count_cgroups_separate(struct event_list *l, struct os *os, struct err *err)
{
	event_list_close(l);
	for vec_each(p, &l->events) {
		struct event *e = *p;
		const int fd = os_cgroup_open(os, e->cgroup, err);

		if (fd < 0)
			return fd;
		e->cgroup_fd = fd;
		e->elsewhere = false;
		e->supported = true;
	}
	return 0;
}

int count_programs_open(struct progcount **out, const struct event_list *l,
			const int_vec *programs, const struct os *os, struct err *err)
{
	struct progcount_opts o = { .n_events = l->events.n, .cpus = &l->cpus,
				    .programs = programs };
	int_vec fds = { 0 };
	int ret = check(l, l->events.n, err);

	for vec_each(e, &l->events)
		add_fds(l, *e, &fds);
	o.fds = fds.v;
	if (!ret)
		ret = progcount_open(out, &o, os, err);
	vec_free(&fds);
	return ret;
}

void count_programs_read(const struct progcount *c, const struct event_list *l, struct stat *to)
{
	for (size_t i = 0; i < l->events.n; i++) {
		const struct event *e = l->events.v[i];

		for (size_t k = 0; k < l->cpus.n && e->supported && !e->tool; k++) {
			const struct cgcount_value v = progcount_value(c, i, k);

			put(to, i, k, &v);
		}
	}
}
