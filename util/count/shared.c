// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/count/shared.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/event/close.h"
#include "util/os/event-fd.h"

struct shared_event {
	int event;
	struct perf_event_attr key;
	struct sharecount *counters;		/* NULL: they are the list's */
	VEC(struct cgcount_value) from, sum;	/* by CPU: since when it is on; of before */
};

struct count_shared {
	VEC(struct shared_event) events;
	const int_vec *cpus;
	int table;				/* -1: closed */
	bool on;
};

static bool can_be_shared(const struct event *e)
{
	return e->bpf && e->supported && !e->tool && !e->cgroup && !e->filter && !e->elsewhere &&
		!e->own_cpus.n && e->leader == e && e->n_members == 1;
}

/* What is counted; not how it is read. */
static void make_key(const struct event *e, struct perf_event_attr *key)
{
	const struct perf_event_attr *a = &e->attr;

	memset(key, 0, sizeof(*key));
	key->type = a->type;
	key->size = sizeof(*key);
	key->config = a->config;
	key->config1 = a->config1;
	key->config2 = a->config2;
	key->exclude_user = a->exclude_user;
	key->exclude_kernel = a->exclude_kernel;
	key->exclude_hv = a->exclude_hv;
	key->exclude_idle = a->exclude_idle;
	key->exclude_host = a->exclude_host;
	key->exclude_guest = a->exclude_guest;
	key->pinned = a->pinned;
	key->exclusive = a->exclusive;
}

static void add_place(struct shared_event *e, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		vec_push(&e->from, ((struct cgcount_value){ 0, 0, 0 }));
		vec_push(&e->sum, ((struct cgcount_value){ 0, 0, 0 }));
	}
}

int count_shared_begin(struct count_shared **out, struct event_list *l, const char *table,
		       const int_vec *cpus, const struct os *os, struct err *err)
{
	const int fd = sharecount_table(table, os, err);
	struct count_shared *s;

	*out = NULL;
	if (fd < 0)
		return fd;
	s = xnew(struct count_shared);
	s->table = fd;
	s->cpus = cpus;
	for vec_each(p, &l->events) {
		struct event *e = *p;
		struct shared_event of = { .event = e->index };

		if (!can_be_shared(e))
			continue;
		make_key(e, &of.key);
		add_place(&of, cpus->n);
		e->elsewhere = !sharecount_find(&of.counters, fd,
						&(struct sharecount_of){ &of.key, cpus });
		vec_push(&s->events, of);
	}
	*out = s;
	return 0;
}

static int give(struct count_shared *s, struct shared_event *of, struct event_list *l,
		const struct os *os, struct err *err)
{
	struct event *e = l->events.v[of->event];
	int ret = 0;

	for (size_t k = 0; k < s->cpus->n && !ret; k++)
		if (e->fds[k] >= 0)
			ret = event_fd_enable(e->fds[k], true);
	if (ret)
		return err_sys(err, -ret, "cannot switch '%s' on", event_typed(e));
	ret = sharecount_add(&of->counters, s->table,
			     &(struct sharecount_of){ &of->key, s->cpus }, e->fds, os, err);
	if (ret)
		return ret;
	event_close(e);		/* the map has them */
	e->elsewhere = true;
	return 0;
}

int count_shared_give(struct count_shared *s, struct event_list *l, const struct os *os,
		      struct err *err)
{
	int ret = 0;

	for vec_each(of, &s->events) {
		const struct event *e = l->events.v[of->event];

		if (!ret && !of->counters && e->supported && e->fds && l->cpus.n == s->cpus->n)
			ret = give(s, of, l, os, err);
	}
	close(s->table);
	s->table = -1;
	return ret;
}

static struct cgcount_value now_of(const struct count_shared *s, const struct shared_event *of,
				   size_t cpu)
{
	const struct cgcount_value now = sharecount_value(of->counters, cpu),
		from = of->from.v[cpu], sum = of->sum.v[cpu];

	if (!s->on)
		return sum;
	return (struct cgcount_value){ sum.value + now.value - from.value,
				       sum.enabled_ns + now.enabled_ns - from.enabled_ns,
				       sum.running_ns + now.running_ns - from.running_ns };
}

void count_shared_switch(struct count_shared *s, bool on)
{
	if (on == s->on)
		return;
	for vec_each(of, &s->events) {
		if (!of->counters)
			continue;
		sharecount_read(of->counters);
		for (size_t k = 0; k < s->cpus->n; k++)
			if (on)
				of->from.v[k] = sharecount_value(of->counters, k);
			else
				of->sum.v[k] = now_of(s, of, k);
	}
	s->on = on;
}

void count_shared_read(struct count_shared *s, struct stat *to)
{
	for vec_each(of, &s->events) {
		if (!of->counters)
			continue;
		sharecount_read(of->counters);
		for (size_t k = 0; k < s->cpus->n; k++) {
			const struct cgcount_value v = now_of(s, of, k);

			stat_put(to, of->event, 0, (int)k,
				 &(struct event_count){ v.value, v.enabled_ns, v.running_ns });
		}
	}
}

void count_shared_close(struct count_shared *s, struct event_list *l)
{
	if (!s)
		return;
	for vec_each(of, &s->events) {
		if (of->counters)
			l->events.v[of->event]->elsewhere = false;
		sharecount_close(of->counters);
		vec_free(&of->from);
		vec_free(&of->sum);
	}
	vec_free(&s->events);
	if (s->table >= 0)
		close(s->table);
	free(s);
}
