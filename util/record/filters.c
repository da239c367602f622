// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/filters.h"

#include <errno.h>
#include <stdlib.h>

#include "util/base/hash.h"
#include "util/bpf/filterprog.h"
#include "util/event/sample-filter.h"

struct filters {
	struct filterprog *prog;
	const struct event_list *list;
	struct hmap attached;		/* kernel ids */
	u64 *taken;			/* by event: dropped samples that were reported */
};

static bool has_filter(const struct event *e)
{
	return e->filter && sample_filter_is_of(&e->attr);
}

static int attach_event(struct filters *f, const struct event *e, struct err *err)
{
	int ret = 0;

	for (int k = 0; e->fds && k < e->n_threads * e->n_cpus && !ret; k++) {
		if (e->fds[k] < 0 || hmap_get(&f->attached, e->fd_ids[k]))
			continue;
		ret = filterprog_attach(f->prog, (u32)e->index, e->fd_ids[k], e->fds[k]);
		hmap_put(&f->attached, e->fd_ids[k], f);
	}
	return ret ? err_sys(err, -ret, "cannot set the filter '%s' on the event '%s'", e->filter,
			     event_typed(e)) : 0;
}

int filters_attach(struct filters *f, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; f && i < f->list->events.n && !ret; i++)
		if (has_filter(f->list->events.v[i]))
			ret = attach_event(f, f->list->events.v[i], err);
	return ret;
}

static int set(const struct filters *f, const struct event *e, const struct os *os,
	       struct err *err)
{
	struct filterrec rec;
	int ret = sample_filter_make(e, os, &rec, err);

	if (ret)
		return ret;
	ret = filterprog_set(f->prog, (u32)e->index, &rec);
	return ret ? err_sys(err, -ret, "the BPF program takes no filter") : 0;
}

int filters_new(struct filters **out, const struct event_list *list, const struct os *os,
		struct err *err)
{
	struct filters *f;
	bool any = false;
	int ret;

	*out = NULL;
	for (size_t i = 0; i < list->events.n; i++)
		any |= has_filter(list->events.v[i]);
	if (!any)
		return 0;
	f = xnew(struct filters);
	f->list = list;
	f->taken = xcalloc(list->events.n, sizeof(*f->taken));
	ret = filterprog_open(&f->prog, os, err);
	for (size_t i = 0; i < list->events.n && !ret; i++)
		if (has_filter(list->events.v[i]))
			ret = set(f, list->events.v[i], os, err);
	if (!ret)
		ret = filters_attach(f, err);
	if (ret)
		filters_free(f);
	else
		*out = f;
	return ret;
}

void filters_free(struct filters *f)
{
	if (!f)
		return;
	filterprog_close(f->prog);
	hmap_release(&f->attached);
	free(f->taken);
	free(f);
}

u64 filters_take_dropped(struct filters *f, const struct event *e)
{
	u64 all, n;

	if (!f || !has_filter(e))
		return 0;
	all = filterprog_dropped(f->prog, (u32)e->index);
	n = all - f->taken[e->index];
	f->taken[e->index] = all;
	return n;
}
