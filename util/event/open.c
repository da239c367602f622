// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/event.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/base/log.h"
#include "util/event/open-priv.h"
#include "util/event/sample-filter.h"
#include "util/os/event-fd.h"
#include "util/os/rights.h"
#include "util/os/ring.h"

/*
 * Events are opened in list order, leaders before members. A change that makes one counter possible
 * (less precise, user space only, another event) applies to the event as a whole: its counters are
 * closed and opened again. fds[] of an event is allocated and all -1 before its first counter is
 * opened.
 */

struct opening {
	struct event_list *l;
	const struct open_policy *p;
	struct os *os;
	struct open_report *report;
	struct err *err;
	bool narrow;		/* CPUs were chosen, and all are opened for the side-band */
	VEC(int) gone;		/* indexes of threads that ended meanwhile */
	/* tasks are counted wherever they run: l->cpus begins with -1, others follow for what
	 * has CPUs */
	bool any_cpu;
	int refused;		/* why the first event that is not supported is not: errno */
};

void open_report_release(struct open_report *r)
{
	for vec_each(c, &r->changes)
		free(c->detail);
	vec_free(&r->changes);
}

static void report(struct opening *o, const struct event *e, enum open_change_kind what,
		   char *detail)
{
	struct open_change c = { .event_index = e->index, .what = what, .detail = detail };

	log_printf(LOG_EVENT, 1, "%s: %s", e->name, detail);
	if (o->report)
		vec_push(&o->report->changes, c);
	else
		free(detail);
}

static void add_count(struct event_count *sum, const struct event_count *c)
{
	sum->value += c->value;
	sum->enabled_ns += c->enabled_ns;
	sum->running_ns += c->running_ns;
}

int event_read(const struct event *e, int t, int c, struct event_count *out)
{
	u64 v[4];
	ssize_t n;
	int fd = e->fds ? e->fds[(size_t)t * e->n_cpus + c] : -1;

	if (fd < 0)
		return -ENOENT;
	n = read(fd, v, sizeof(v));
	if (n < (ssize_t)(3 * sizeof(u64)))
		return n < 0 ? -errno : -EIO;
	*out = (struct event_count){ v[0], v[1], v[2] };
	if (e->earlier)
		add_count(out, &e->earlier[(size_t)t * e->n_cpus + c]);
	return 0;
}

static bool any_event(const struct event *e UNUSED)
{
	return true;
}

static bool without_exec(const struct event *e)
{
	return !e->attr.enable_on_exec;
}

static bool is_sideband(const struct event *e)
{
	return e->dummy;
}

static bool no_sideband(const struct event *e)
{
	return !e->dummy;
}

static int enable_leaders(struct event_list *l, size_t n, bool on,
			  bool (*wanted)(const struct event *e))
{
	int ret;

	for (size_t i = 0; i < n; i++) {
		const struct event *e = l->events.v[i];

		if (e->leader != e || !wanted(e))
			continue;
		for (size_t k = 0; e->fds && k < event_n_fds(e); k++)
			if (e->fds[k] >= 0 && (ret = event_fd_enable(e->fds[k], on)))
				return ret;
	}
	return 0;
}

int event_list_enable(struct event_list *l)
{
	return enable_leaders(l, l->events.n, true, any_event);
}

int event_list_enable_rest(struct event_list *l)
{
	return enable_leaders(l, l->events.n, true, without_exec);
}

int event_list_enable_first(struct event_list *l, size_t n)
{
	return enable_leaders(l, n, true, any_event);
}

int event_list_disable(struct event_list *l)
{
	return enable_leaders(l, l->events.n, false, any_event);
}

int event_list_switch(struct event_list *l, bool sideband, bool on)
{
	return enable_leaders(l, l->events.n, on,
			  sideband ? is_sideband : no_sideband);
}

static bool has_cpu(const int_vec *v, int cpu)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->v[i] == cpu)
			return true;
	return false;
}

/* Where tasks are counted wherever they run, only these have CPUs: counters of what CPUs share,
 * and the term cpu=. */
static bool bound_to_cpus(const struct event *e)
{
	return e->of_cpus || e->terms.cpus.n;
}

static bool belongs(const struct opening *o, const struct event *e, int t, int cpu)
{
	if (cpu < 0)
		return o->p->use != OPEN_COUNT || !bound_to_cpus(e);
	if (o->any_cpu && (!bound_to_cpus(e) || (e->of_cpus && t)))
		return false;
	if (o->narrow && !e->dummy && !has_cpu(&o->p->target->cpus, cpu))
		return false;
	return (!e->own_cpus.n || has_cpu(&e->own_cpus, cpu)) &&
		(!e->terms.cpus.n || has_cpu(&e->terms.cpus, cpu));
}

/* A counter of what CPUs share knows no tasks: it counts for all, whoever is watched. */
static bool for_all_tasks(const struct event *e, const struct open_policy *p)
{
	return p->use == OPEN_COUNT && e->of_cpus;
}

static void prepare_attr(struct event *e, const struct open_policy *p)
{
	struct perf_event_attr *a = &e->attr;
	bool leads = e->leader == e && !e->dummy;	/* side-band is on from the start */

	a->size = sizeof(*a);
	a->disabled = leads;
	a->enable_on_exec = leads && p->enable_on_exec && !for_all_tasks(e, p);
	a->inherit = e->terms.set & EVENT_TERM_INHERIT ? e->terms.inherit : p->inherit;
	if (p->use == OPEN_COUNT) {
		a->sample_period = 0;
		a->freq = 0;
		a->sample_type = 0;
		/* as precise as possible says nothing where there are no samples */
		if (e->precise_max)
			a->precise_ip = 0;
		a->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
		if (p->read_ids) {
			a->sample_type = PERF_SAMPLE_IDENTIFIER;
			a->read_format |= PERF_FORMAT_ID;
		}
	}
}

/* --- fallbacks: each changes the event and returns true when opening it again makes sense --- */

static bool is_cycles(const struct perf_event_attr *a)
{
	return a->type == PERF_TYPE_HARDWARE && (a->config & 0xffffffff) ==
		PERF_COUNT_HW_CPU_CYCLES;
}

static bool unsupported_code(int code)
{
	return code == ENOENT || code == EOPNOTSUPP || code == ENODEV || code == ENXIO;
}

static void set_name(struct event *e, char *take_name)
{
	if (e->typed)
		free(e->name);
	else
		e->typed = e->name;
	e->name = take_name;
}

static void rename_after_change(struct event *e, const char *base)
{
	struct perf_event_attr a = e->attr;
	struct str s = STR_INIT;

	if (e->terms.set & EVENT_TERM_NAME)
		return;
	if (base) {
		event_attr_name(&a, &s);	/* only its modifiers are used */
		const char *mods = strchr(str_cstr(&s), ':');

		set_name(e, xasprintf("%s%s", base, mods ? mods : ""));
	}
	str_release(&s);
}

static bool fall_back_to_clock(struct opening *o, struct event *e, int code)
{
	char *detail;

	if (o->p->use != OPEN_SAMPLE || !is_cycles(&e->attr) || !unsupported_code(code))
		return false;
	detail = xasprintf("The event '%s' is not supported by this machine: 'cpu-clock' is "
			   "recorded instead", event_typed(e));
	e->attr.type = PERF_TYPE_SOFTWARE;
	e->attr.config = PERF_COUNT_SW_CPU_CLOCK;
	e->attr.precise_ip = 0;
	e->precise_max = false;
	free(e->pmu);
	free(e->pmu_event);
	e->pmu = e->pmu_event = NULL;
	vec_clear(&e->own_cpus);
	rename_after_change(e, "cpu-clock");
	report(o, e, OPEN_CHANGED_EVENT, detail);
	return true;
}

static bool drop_precise(struct opening *o, struct event *e, int code)
{
	if (!e->attr.precise_ip || (code != EINVAL && !unsupported_code(code)))
		return false;
	e->attr.precise_ip--;
	if (!e->attr.precise_ip && !e->precise_max)
		report(o, e, OPEN_DROPPED_PRECISE, xasprintf("%s: precise sampling is not "
							     "available", event_typed(e)));
	return true;
}

static bool exclude_kernel(struct opening *o, struct event *e, pid_t tid, int code)
{
	const char *colon;

	if ((code != EACCES && code != EPERM) || e->attr.exclude_kernel || tid < 0 ||
	    e->attr.exclude_user ||
	    e->attr.type == PERF_TYPE_TRACEPOINT || os_paranoid(o->os) < 2 ||
	    os_call_is_filtered(o->os, OS_PERF_EVENT_OPEN))
		return false;
	e->attr.exclude_kernel = 1;
	e->attr.exclude_hv = 1;
	if (!(e->terms.set & EVENT_TERM_NAME)) {
		colon = e->attr.type == PERF_TYPE_BREAKPOINT ? NULL : strchr(e->name, ':');
		set_name(e, xasprintf("%s%su", e->name, colon ? "" : ":"));
	}
	report(o, e, OPEN_EXCLUDED_KERNEL, xasprintf("%s: user space only, perf_event_paranoid is "
						     "%d", event_typed(e),
						     os_paranoid(o->os)));
	return true;
}

/* The group stands alone from now on; its members get counters of their own. */
static void break_group(struct opening *o, struct event *leader, const char *reason)
{
	struct event_list *l = o->l;

	report(o, leader, OPEN_BROKE_GROUP, xasprintf("%s: %s", event_typed(leader), reason));
	for (size_t i = 0; i < l->events.n; i++) {
		struct event *e = l->events.v[i];

		if (e->leader != leader)
			continue;
		e->leader = e;
		e->n_members = 1;
		prepare_attr(e, o->p);
	}
}

static bool fall_back(struct opening *o, struct event *e, pid_t tid, int code)
{
	if (!o->p->allow_fallback)
		return false;
	return drop_precise(o, e, code) || fall_back_to_clock(o, e, code) ||
		exclude_kernel(o, e, tid, code);
}

/* --- opening one event --- */

static bool thread_gone(const struct opening *o, int t)
{
	for (size_t i = 0; i < o->gone.n; i++)
		if (o->gone.v[i] == t)
			return true;
	return false;
}

/* The counter of one thread on one CPU; -errno. */
static int open_one(struct opening *o, struct event *e, int t, int c)
{
	struct event_list *l = o->l;
	pid_t tid = e->cgroup_fd >= 0 ? e->cgroup_fd : for_all_tasks(e, o->p) ? -1 : l->tids.v[t];
	int cpu = l->cpus.v[c], group_fd = -1;
	unsigned long flags = PERF_FLAG_FD_CLOEXEC | (e->cgroup_fd >= 0 ? PERF_FLAG_PID_CGROUP : 0);
	struct str what = STR_INIT;
	int fd;

	if (e->leader != e)
		group_fd = e->leader->fds[(size_t)t * e->n_cpus + c];
	open_features_apply(o->os, &e->attr, &what);
	fd = o->os->perf_event_open(&e->attr, tid, cpu, group_fd, flags);
	/* a member may be refused for its group: then no attr bit is to blame, and probing would
	 * only cost time */
	if ((fd == -EINVAL || fd == -E2BIG) && o->p->use == OPEN_SAMPLE)
		fd = open_features_probe(o->os, &e->attr, tid, cpu, group_fd, flags, fd, &what);
	if (what.len)
		report(o, e, OPEN_DROPPED_FLAG, xasprintf("%s: this kernel has no %s",
							  event_typed(e), what.buf));
	str_release(&what);
	return fd;
}

static int note_gone(struct opening *o, struct event *e, int t)
{
	vec_push(&o->gone, t);
	report(o, e, OPEN_THREAD_GONE, xasprintf("thread %d has ended", o->l->tids.v[t]));
	return o->gone.n >= o->l->tids.n ? -ESRCH : 0;
}

/* All counters of an event; on failure those that were opened stay, *code_tid and *code_cpu tell
 * where it failed. */
static int open_all(struct opening *o, struct event *e, pid_t *at_tid, int *at_cpu)
{
	struct event_list *l = o->l;
	int skipped = 0;

	for (int t = 0; t < e->n_threads; t++) {
		for (int c = 0; c < e->n_cpus; c++) {
			int *slot = &e->fds[(size_t)t * e->n_cpus + c], ret;

			if (thread_gone(o, t) || !belongs(o, e, t, l->cpus.v[c])) {
				skipped++;
				continue;
			}
			*at_tid = for_all_tasks(e, o->p) ? -1 : l->tids.v[t];
			*at_cpu = l->cpus.v[c];
			ret = open_one(o, e, t, c);
			if (ret == -ESRCH && l->tids.v[t] > 0 && l->tids.v[t] != o->p->workload) {
				ret = note_gone(o, e, t);
				if (!ret)
					continue;
			}
			if (ret < 0)
				return ret;
			*slot = ret;
		}
	}
	return skipped == e->n_threads * e->n_cpus && !o->gone.n ? -ENODEV : 0;
}

static bool may_skip(const struct opening *o, int code)
{
	return o->p->skip_unsupported && (unsupported_code(code) || code == EINVAL ||
					  code == ENOSYS);
}

static int set_unsupported(struct opening *o, struct event *e, int code)
{
	e->supported = false;
	o->refused = o->refused ? o->refused : code;
	event_close_fds(e);
	report(o, e, OPEN_UNSUPPORTED, xasprintf("%s: %s", event_typed(e), strerror(code)));
	if (e->leader == e && e->n_members > 1)
		break_group(o, e, "its leader is not supported");
	return 0;
}

/* A member of a weak group was refused: everything of the group is opened again, each for
 * itself. */
static int reopen_group(struct opening *o, struct event *e);

static int open_event(struct opening *o, struct event *e)
{
	pid_t tid = -1;
	int cpu = -1, ret;

	prepare_attr(e, o->p);
	e->n_threads = (int)o->l->tids.n;
	e->n_cpus = (int)o->l->cpus.n;
	if (!e->fds)
		e->fds = xcalloc(event_n_fds(e), sizeof(int));
	for (size_t i = 0; i < event_n_fds(e); i++)
		e->fds[i] = -1;
	while ((ret = open_all(o, e, &tid, &cpu)) < 0) {
		if (e->leader != e && (ret == -EINVAL || unsupported_code(-ret)) && e->leader->weak)
			return reopen_group(o, e);
		if (!fall_back(o, e, tid, -ret))
			break;
		event_close_fds(e);
	}
	if (!ret)
		return 0;
	if (may_skip(o, -ret))
		return set_unsupported(o, e, -ret);
	return open_advice(e, o->p, o->os, tid, cpu, -ret, o->err);
}

static int reopen_group(struct opening *o, struct event *e)
{
	struct event_list *l = o->l;
	struct event *leader = e->leader;
	int first = leader->index, ret = 0;

	break_group(o, leader, "the group cannot be scheduled as a whole");
	for (int i = first; i <= e->index && !ret; i++) {
		event_close_fds(l->events.v[i]);
		ret = open_event(o, l->events.v[i]);
	}
	return ret;
}

/* --- after opening --- */

static int read_ids(struct event *e)
{
	size_t n = 0;
	int ret;

	free(e->ids);
	free(e->fd_ids);
	e->ids = xcalloc(MAX(event_n_fds(e), (size_t)1), sizeof(u64));
	e->fd_ids = xcalloc(MAX(event_n_fds(e), (size_t)1), sizeof(u64));
	for (size_t i = 0; i < event_n_fds(e); i++)
		if (e->fds[i] >= 0) {
			ret = ring_event_id(e->fds[i], &e->fd_ids[i]);
			if (ret)
				return ret;
			e->ids[n++] = e->fd_ids[i];
		}
	e->n_ids = n;
	return 0;
}

static int set_filter(const struct event *e, int fd, struct err *err)
{
	const int ret = fd < 0 || !e->filter || sample_filter_is_of(&e->attr) ? 0 :
		event_fd_filter(fd, e->filter);

	if (!ret)
		return 0;
	err_sys(err, -ret, "cannot set the filter '%s' on the event '%s'", e->filter,
		event_typed(e));
	if (ret == -EINVAL && e->tp_system)
		err_hint(err, "the fields and their types are in %s/events/%s/%s/format; "
			      "operators: == != < <= > >= & ~ && ||",
			 OS_TRACEFS, e->tp_system, e->tp_name);
	return ret;
}

/* -u: samples of others are dropped. Side-band is of all, and a filter of samples says it itself:
 * an event has one program. */
static int set_program(const struct event *e, int fd, int program_fd, struct err *err)
{
	const int ret = fd < 0 || !program_fd || e->dummy ||
		(e->filter && sample_filter_is_of(&e->attr)) ? 0 : event_fd_bpf(fd, program_fd);

	return ret ? err_sys(err, -ret, "cannot keep other users out of the event '%s'",
			     event_typed(e)) : 0;
}

static int set_filters(const struct opening *o, const struct event *e, int fd)
{
	const int ret = set_filter(e, fd, o->err);

	return ret ? ret : set_program(e, fd, o->p->target->uid_program, o->err);
}

static void copy_ints(int_vec *to, const int_vec *from)
{
	vec_clear(to);
	for (size_t i = 0; i < from->n; i++)
		vec_push(to, from->v[i]);
}

static void add_cpus(int_vec *to, const int_vec *from)
{
	for (size_t i = 0; i < from->n; i++)
		if (!has_cpu(to, from->v[i]))
			vec_push(to, from->v[i]);
}

/* A task maps its files and is named on any CPU: the side-band is of all, also where samples are
 * of some. */
static bool is_narrow(const struct event_list *l, const struct open_policy *p)
{
	for (size_t i = 0; i < l->events.n; i++)
		if (l->events.v[i]->dummy)
			return p->target->cpu_list;
	return false;
}

/* The CPUs of the target, or all; and those that events are bound to. */
static int set_cpus(struct opening *o)
{
	struct event_list *l = o->l;
	int ret = 0;

	if (o->narrow) {
		vec_clear(&l->cpus);
		ret = os_online_cpus(o->os, &l->cpus, o->err);
	} else {
		copy_ints(&l->cpus, &o->p->target->cpus);
	}
	if (!l->cpus.n)
		vec_push(&l->cpus, -1);
	o->any_cpu = o->p->use == OPEN_COUNT && l->cpus.v[0] < 0;
	for (size_t i = 0; o->any_cpu && i < l->events.n; i++) {
		const struct event *e = l->events.v[i];

		if (bound_to_cpus(e))
			add_cpus(&l->cpus, e->terms.cpus.n ? &e->terms.cpus : &e->own_cpus);
	}
	return ret;
}

static int set_pairs(struct opening *o)
{
	struct event_list *l = o->l;
	const struct open_policy *p = o->p;
	int ret = set_cpus(o);

	if (ret)
		return ret;
	copy_ints(&l->tids, &p->target->tids);
	if (p->workload > 0) {
		vec_clear(&l->tids);
		vec_push(&l->tids, p->workload);
	}
	if (!l->tids.n)
		return err_set(o->err, EINVAL, "there is nothing to watch: no process, no CPU and "
					       "no command was given");
	return 0;
}

static bool belongs_anywhere(const struct opening *o, const struct event *e)
{
	for (size_t i = 0; i < o->l->cpus.n; i++)
		if (belongs(o, e, 0, o->l->cpus.v[i]))
			return true;
	return false;
}

/* Of an event on each kind of CPU only those are recorded whose CPUs are watched. */
static int drop_elsewhere(struct opening *o)
{
	struct event_list *l = o->l;
	const struct event *some = NULL;

	for (size_t i = 0; i < l->events.n; i++)
		if (!l->events.v[i]->dummy && belongs_anywhere(o, l->events.v[i]))
			some = l->events.v[i];
	for (size_t i = l->events.n; i > 0; i--) {
		const struct event *e = l->events.v[i - 1];

		if (belongs_anywhere(o, e))
			continue;
		if (!some)
			return err_set(o->err, ENODEV, "the event '%s' cannot be opened on any of "
						       "the CPUs that are watched",
				       event_typed(e));
		event_list_remove(l, i - 1);
	}
	return 0;
}

/* Nothing of what was asked for is there: whoever waited for the numbers would have none. */
static int none_supported(struct opening *o)
{
	const struct event_list *l = o->l;

	for (size_t i = 0; i < l->events.n; i++)
		if (l->events.v[i]->supported && !l->events.v[i]->elsewhere)
			return 0;
	return o->refused ? open_advice(l->events.v[0], o->p, o->os, l->tids.v[0], l->cpus.v[0],
					o->refused, o->err) : 0;
}

static size_t n_opened(const struct event_list *l)
{
	size_t n = 0;

	for vec_each(e, &l->events)
		n += event_is_opened(*e);
	return n;
}

int event_list_open(struct event_list *l, const struct open_policy *p, struct os *os,
		    struct open_report *rep,
		    struct err *err)
{
	struct opening o = { .l = l, .p = p, .os = os, .report = rep, .err = err,
			     .narrow = is_narrow(l, p) };
	int ret = set_pairs(&o);

	if (!ret && p->use == OPEN_SAMPLE)
		ret = drop_elsewhere(&o);
	if (ret)
		return ret;
	os_want_fds(n_opened(l) * l->tids.n * l->cpus.n * (p->use == OPEN_SAMPLE ? 2 : 1));
	for (size_t i = 0; i < l->events.n && !ret; i++)
		if (event_is_opened(l->events.v[i]))
			ret = open_event(&o, l->events.v[i]);
	if (!ret)
		ret = none_supported(&o);
	for (size_t i = 0; i < l->events.n && !ret; i++) {
		struct event *e = l->events.v[i];

		if (!event_is_opened(e))
			continue;
		if (p->use == OPEN_SAMPLE || p->read_ids) {
			ret = read_ids(e);
			if (ret)
				err_sys(err, -ret, "cannot read the id of the event '%s'",
					event_typed(e));
		}
		for (size_t k = 0; k < event_n_fds(e) && !ret; k++)
			ret = set_filters(&o, e, e->fds[k]);
	}
	vec_free(&o.gone);
	if (ret)
		event_list_close(l);
	else
		event_list_index(l);
	return ret;
}

/* --- a CPU that came back --- */

static void *grown(void *old, const struct event *e, size_t size)
{
	u8 *p = xcalloc((size_t)e->n_threads * (e->n_cpus + 1), size);

	for (int t = 0; old && t < e->n_threads; t++)
		memcpy(p + (size_t)t * (e->n_cpus + 1) * size,
		       (u8 *)old + (size_t)t * e->n_cpus * size, (size_t)e->n_cpus * size);
	free(old);
	return p;
}

/* The column of the CPU, made for one that is new; -1: it has none and gets none. */
static int column_of(struct event_list *l, int cpu, bool add)
{
	for (size_t c = 0; c < l->cpus.n; c++)
		if (l->cpus.v[c] == cpu)
			return (int)c;
	if (!add || (l->cpus.n == 1 && l->cpus.v[0] < 0))
		return -1;
	vec_push(&l->cpus, cpu);
	for vec_each(p, &l->events) {
		struct event *e = *p;

		if (!e->fds)
			continue;
		e->fds = grown(e->fds, e, sizeof(*e->fds));
		e->fd_ids = grown(e->fd_ids, e, sizeof(*e->fd_ids));
		e->n_cpus++;
		for (int t = 0; t < e->n_threads; t++)
			e->fds[t * e->n_cpus + e->n_cpus - 1] = -1;
	}
	return (int)l->cpus.n - 1;
}

/* Counters of one event on the CPU anew; those that were there are in gone. */
static int reopen_event(struct opening *o, struct event *e, int c, event_gone_vec *gone)
{
	for (int t = 0; e->fds && e->supported && t < e->n_threads; t++) {
		int *slot = &e->fds[t * e->n_cpus + c], fd, ret;

		if (o->l->tids.v[t] >= 0 || !belongs(o, e, (int)t, o->l->cpus.v[c]))
			continue;
		fd = open_one(o, e, t, c);
		if (fd < 0)
			return open_advice(e, o->p, o->os, -1, o->l->cpus.v[c], -fd, o->err);
		vec_push(gone, ((struct event_gone){ e, *slot, e->fd_ids ?
						     e->fd_ids[t * e->n_cpus + c] : 0 }));
		*slot = fd;
		ret = set_filters(o, e, fd);
		if (ret)
			return ret;
	}
	return 0;
}

static void settle_reopened(const struct opening *o, struct event *e, int c)
{
	for (int t = 0; e->fds && t < e->n_threads; t++) {
		const int k = t * e->n_cpus + c;
		u64 id = 0;

		if (o->l->tids.v[t] >= 0 || e->fds[k] < 0 || o->p->use == OPEN_COUNT ||
		    ring_event_id(e->fds[k], &id))
			continue;
		e->fd_ids[k] = id;
		event_add_ids(e, &id, 1);
	}
}

/* What the counter that is gone had counted. */
static void keep_count(struct event *e, int place, int fd)
{
	u64 v[4];

	if (fd < 0 || read(fd, v, sizeof(v)) < (ssize_t)(3 * sizeof(u64)))
		return;
	if (!e->earlier)
		e->earlier = xcalloc(event_n_fds(e), sizeof(*e->earlier));
	add_count(&e->earlier[place], &(struct event_count){ v[0], v[1], v[2] });
}

/* gone is in the order in which the places were filled. */
static void put_back(struct opening *o, int c, event_gone_vec *gone, size_t from)
{
	size_t n = from;

	for vec_each(p, &o->l->events)
		for (int t = 0; n < gone->n && (*p)->fds && t < (*p)->n_threads; t++) {
			int *slot = &(*p)->fds[t * (*p)->n_cpus + c];

			if (gone->v[n].event != *p || o->l->tids.v[t] >= 0)
				continue;
			close(*slot);
			*slot = gone->v[n++].fd;
		}
	gone->n = from;
}

int event_list_reopen_cpu(struct event_list *l, int cpu, const struct open_policy *p, struct os *os,
			  event_gone_vec *gone,
			  struct err *err)
{
	struct opening o = { .l = l, .p = p, .os = os, .err = err, .narrow = is_narrow(l, p) };
	const size_t from = gone->n;
	const int c = column_of(l, cpu, p->use == OPEN_SAMPLE);
	int ret = 0;

	if (c < 0)
		return -ENOENT;
	for (size_t i = 0; i < l->events.n && !ret; i++)
		ret = reopen_event(&o, l->events.v[i], c, gone);
	if (ret) {
		put_back(&o, c, gone, from);
		return ret;
	}
	for (size_t i = 0; i < l->events.n; i++)
		settle_reopened(&o, l->events.v[i], c);
	for (size_t n = from; n < gone->n && p->use == OPEN_COUNT; n++)
		keep_count(l->events.v[gone->v[n].event->index], c, gone->v[n].fd);
	event_list_index(l);
	return gone->n == from ? -ENOENT : 0;
}
