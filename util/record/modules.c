// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/modules.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/base/xalloc.h"
#include "util/os/kernel.h"
#include "util/os/module-watch.h"
#include "util/os/uevent.h"

/* are remembered: what lies where the oldest of more did may be placed a little too early */
#define MAX_PLACES 256
#define MAX_LOOKS 4		/* at a list that changes while it is read */
/* clocks of CPUs may differ; memory is given again only milliseconds after the end of an init
 * function */
#define SKEW_NS 200000

/* reported_ns: CLOCK_MONOTONIC, as the watch has it; 0: it did not tell, and time_ns, of perf's
 * clock, is what a look found. */
struct place { u64 start_va, end_va, time_ns, reported_ns; };
typedef VEC(struct place) place_vec;
struct load { char name[56]; u64 reported_ns; };

struct modules {
	const struct os *os;
	struct os_module_watch *watch;	/* NULL: fd and n_directories tell, later and less */
	int fd;
	u64 n_directories;		/* in /sys/module */
	u64 seen_ns;		/* the newest record's time at the look before */
	module_list now;
	VEC(struct load) loads;		/* reported by the watch, not yet seen in /proc/modules */
	place_vec gone;			/* where modules lay, until when */
	place_vec inits;		/* where init code lay; how long is not known */
	bool is_reported;			/* the watch tells of each */
	u64 mono_ns, perf_ns;		/* of one moment of this look; 0: not asked yet */
};

struct modules *modules_new(const struct os *os)
{
	struct modules *m = xnew(struct modules);

	*m = (struct modules){ .os = os, .fd = -1 };
	if (module_list_read(os, &m->now) || (m->now.n && !m->now.v[0].start_va)) {
		modules_free(m);
		return NULL;
	}
	/* begins before the look that counts, or what comes in between would be missed */
	m->watch = os_module_watch_open(os);
	m->is_reported = m->watch;
	m->fd = m->watch ? -1 : os_uevent_modules(os);
	m->n_directories = os_count_modules(os);
	module_list_release(&m->now);
	m->now = (module_list){ 0 };
	module_list_read(os, &m->now);
	return m;
}

void modules_free(struct modules *m)
{
	if (!m)
		return;
	os_module_watch_close(m->watch);
	if (m->fd >= 0)
		close(m->fd);
	module_list_release(&m->now);
	vec_free(&m->loads);
	vec_free(&m->gone);
	vec_free(&m->inits);
	free(m);
}

int modules_fd(const struct modules *m)
{
	return m->watch ? os_module_watch_fd(m->watch) : m->fd >= 0 ? m->fd : -1;
}

static bool is_reported(struct modules *m)
{
	bool reported;
	u64 n;

	if (m->watch)
		return os_module_watch_pending(m->watch);
	reported = m->fd >= 0 && os_uevent_drain(m->fd);
	n = os_count_modules(m->os);
	reported |= n != m->n_directories;
	m->n_directories = n;
	return reported;
}

bool modules_changed(struct modules *m, u64 now_ns)
{
	const bool changed = is_reported(m);

	if (!changed)
		m->seen_ns = MAX(m->seen_ns, now_ns);
	return changed;
}

static void remember(place_vec *l, const struct place *p)
{
	if (l->n == MAX_PLACES) {
		memmove(l->v, l->v + 1, (MAX_PLACES - 1) * sizeof(*l->v));
		l->n--;
	}
	vec_push(l, *p);
}

static bool lies_in(const struct place *p, u64 start_va, u64 end_va)
{
	return p->start_va < end_va && p->end_va > start_va;
}

/* --- what the watch tells */

static struct load *find_load(struct modules *m, const char *name)
{
	for vec_each(l, &m->loads)
		if (!strcmp(l->name, name))
			return l;
	return NULL;
}

static void drop_load(struct modules *m, struct load *l)
{
	if (l)
		*l = *vec_last(&m->loads), m->loads.n--;
}

static void note_load(struct modules *m, const char *name, u64 reported_ns)
{
	struct load l = { .reported_ns = reported_ns };

	drop_load(m, find_load(m, name));
	snprintf(l.name, sizeof(l.name), "%s", name);
	vec_push(&m->loads, l);
}

/* It is new when it is there again, also at the same place. */
static void note_free(struct modules *m, const char *name, u64 reported_ns)
{
	size_t n = 0;

	drop_load(m, find_load(m, name));
	for vec_each(x, &m->now) {
		if (strcmp(x->name, name)) {
			m->now.v[n++] = *x;
			continue;
		}
		remember(&m->gone, &(struct place){ x->start_va, x->end_va, 0, reported_ns });
		free(x->name);
	}
	m->now.n = n;
}

void modules_note(struct modules *m, const struct os_module_event *e)
{
	m->is_reported = true;
	if (e->gone)
		note_free(m, e->name, e->time_ns);
	else
		note_load(m, e->name, e->time_ns);
}

/* Asking for perf's clock may take as long as the kernel's processors need to agree: only who
 * must know does. */
static u64 perf_time(struct modules *m, const struct perf_event_attr *attr, u64 reported_ns)
{
	if (!m->mono_ns) {
		m->mono_ns = os_now_ns();
		m->perf_ns = os_perf_time(m->os, attr, m->mono_ns);
	}
	return m->perf_ns ? m->perf_ns - (m->mono_ns - reported_ns) : 0;
}

/* --- looking */

static bool has(const module_list *l, const struct module_place *p)
{
	for vec_each(x, l)
		if (x->start_va == p->start_va && !strcmp(x->name, p->name))
			return true;
	return false;
}

static void note_gone(struct modules *m, const module_list *now, u64 now_ns)
{
	for vec_each(x, &m->now)
		if (!has(now, x))
			remember(&m->gone, &(struct place){ x->start_va, x->end_va, now_ns, 0 });
}

/* From when on that memory is the new module's: see 2 and 3 in the header. */
static u64 begin_ns(struct modules *m, const struct perf_event_attr *attr, u64 start_va, u64 end_va,
		    u64 load_ns)
{
	u64 t = m->seen_ns;

	for vec_each(i, &m->inits)
		if (lies_in(i, start_va, end_va) && load_ns > SKEW_NS)
			t = MAX(t, perf_time(m, attr, load_ns - SKEW_NS));
	for vec_each(g, &m->gone)
		if (lies_in(g, start_va, end_va))
			t = MAX(t, g->reported_ns ? perf_time(m, attr, g->reported_ns) :
				g->time_ns);
	return t ? t + 1 : 0;
}

static int put_module(struct modules *m, struct synth *y, const struct module_place *p)
{
	struct load *l = find_load(m, p->name);
	const u64 load_ns = l ? l->reported_ns : 0;
	struct synth_init in;
	bool init = synth_init_read(y, p, &in);		/* first of all, while it may still run */
	int ret;

	drop_load(m, l);
	y->time_ns = begin_ns(m, y->attr, p->start_va, p->end_va, load_ns);
	ret = synth_module(y, p);
	if (!init)
		return ret;
	y->time_ns = begin_ns(m, y->attr, in.start_va, in.start_va + in.code.bytes, load_ns);
	if (!ret)
		ret = synth_init_put(y, p, &in);
	remember(&m->inits, &(struct place){ in.start_va, in.start_va + in.code.bytes, 0, 0 });
	synth_init_release(&in);
	return ret;
}

/* The list, and all that was reported before it was read: one without the other may have a
 * module in another's time. */
static int look(struct modules *m, module_list *now)
{
	struct os_module_event e;
	int ret = 0;

	for (int tries = 0; tries < MAX_LOOKS; tries++) {
		while (m->watch && os_module_watch_next(m->watch, &e))
			modules_note(m, &e);
		module_list_release(now);
		*now = (module_list){ 0 };
		ret = module_list_read(m->os, now);
		if (ret || !m->watch || !os_module_watch_pending(m->watch))
			break;
	}
	return ret;
}

/* One that is in the list shortly before it is reported: it is put when that comes. */
static bool comes_later(struct modules *m, const struct module_place *p)
{
	return m->is_reported && p->loading && !find_load(m, p->name);
}

int modules_update(struct modules *m, struct synth *y, u64 now_ns)
{
	module_list now = { 0 };
	size_t n = 0;
	int ret = 0;

	m->mono_ns = 0;
	now_ns = MAX(now_ns, m->seen_ns);
	/* it could be read before: say nothing, keep what is known */
	if (look(m, &now)) {
		module_list_release(&now);
		return 0;
	}
	note_gone(m, &now, now_ns);
	for (size_t i = now.n; i-- > 0 && !ret;) {	/* the newest stands first */
		if (has(&m->now, &now.v[i]))
			continue;
		if (comes_later(m, &now.v[i]))
			now.v[i].start_va = 0;
		else
			ret = put_module(m, y, &now.v[i]);
	}
	for vec_each(p, &now) {
		if (p->start_va)
			now.v[n++] = *p;
		else
			free(p->name);
	}
	now.n = n;
	m->seen_ns = now_ns;
	module_list_release(&m->now);
	m->now = now;
	return ret;
}
