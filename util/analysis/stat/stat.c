// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/stat/stat.h"

#include <math.h>
#include <stdlib.h>

#include "util/analysis/stat/stat-priv.h"
#include "util/base/hash.h"
#include "util/event/tool.h"

struct slot {			/* what is added up into one row */
	struct stat_row proto;	/* its identity */
	int n_cpus;
	/* of a core, for events with the term percore, beside those of the CPUs */
	bool percore;
};

struct stat {
	const struct event_list *l;
	struct stat_opts o;
	int n_threads, n_cpus;
	/* that the arrays hold, and have room for: more may come while a stream is read */
	size_t n_events, max_events;
	VEC(struct slot) slots;
	int *slot_of;			/* [thread * n_cpus + cpu] */
	int *core_slot_of;		/* [cpu], for events with the term percore; NULL: none */
	struct event_count *now, *before;	/* [event][thread * n_cpus + cpu] */
	int *merged_into;		/* per event: the first event of its kind, or itself */
	char **names;			/* per event */
	/* per event: the first one of its cgroup, the next one or -1, and the last one so far */
	int *first_same, *next_same, *last_same;
	struct strmap cgroups;		/* name: 1 + its first event */
	char **comms;			/* per thread or NULL */
	struct stat_spread *spread;	/* per (event, slot) */
	struct event_count *run_sum;	/* per (event, slot), over runs */
	u64 runs;
};

void stat_spread_add(struct stat_spread *s, double v)
{
	double d = v - s->mean;

	s->n++;
	s->mean += d / (double)s->n;
	s->m2 += d * (v - s->mean);
}

double stat_spread_error(const struct stat_spread *s)
{
	return s->n < 2 ? 0 : sqrt(s->m2 / (double)(s->n - 1) / (double)s->n);
}

/* --- slots --- */

static const struct os_cpu *cpu_info(const struct os_cpu *topo, size_t n, int cpu)
{
	for (size_t i = 0; i < n; i++)
		if (topo[i].cpu == cpu)
			return &topo[i];
	return NULL;
}

static struct stat_row identity(const struct stat *s, enum stat_aggr aggr, int t, int c,
				const struct os_cpu *info)
{
	struct os_cpu i = info ? *info :
		(struct os_cpu){ -1, -1, -1, -1, -1, -1, -1, 0 };
	struct stat_row r = { .cpu = -1, .core = -1, .cluster = -1, .cache = -1, .die = -1,
			      .socket = -1, .node = -1, .tid = -1 };

	switch (aggr) {
	case STAT_GLOBAL: break;
	case STAT_CPU: r.cpu = s->l->cpus.v[c]; break;
	case STAT_CORE: r.core = i.core; /* fall through */
	case STAT_DIE: r.die = i.die; r.socket = i.socket; break;
	case STAT_CLUSTER: r.cluster = i.cluster; r.die = i.die; r.socket = i.socket; break;
	case STAT_CACHE:
		r.cache = i.cache;
		r.cache_level = i.cache_level;
		r.die = i.die;
		r.socket = i.socket;
		break;
	case STAT_SOCKET: r.socket = i.socket; break;
	case STAT_NODE: r.node = i.node; break;
	case STAT_THREAD: r.tid = s->l->tids.v[t]; break;
	}
	return r;
}

static bool same(const struct stat_row *a, const struct stat_row *b)
{
	return a->cpu == b->cpu && a->core == b->core && a->cluster == b->cluster &&
		a->cache == b->cache && a->cache_level == b->cache_level &&
		a->die == b->die && a->socket == b->socket &&
	       a->node == b->node && a->tid == b->tid;
}

bool stat_same_place(const struct stat_row *a, const struct stat_row *b)
{
	return same(a, b) && (a->cgroup && b->cgroup ? !strcmp(a->cgroup, b->cgroup) :
			      a->cgroup == b->cgroup);
}

static void make_slots(struct stat *s, const struct os_cpu *topo, size_t n_topo)
{
	s->slot_of = xcalloc((size_t)s->n_threads * s->n_cpus, sizeof(int));
	for (int t = 0; t < s->n_threads; t++)
		for (int c = 0; c < s->n_cpus; c++) {
			struct stat_row id = identity(s, s->o.aggr, t, c,
						      cpu_info(topo, n_topo, s->l->cpus.v[c]));
			size_t k = s->slots.n;

			/* threads are their own slots; the search is for the few parts of a
			 * machine */
			if (s->o.aggr == STAT_THREAD)
				k = c ? s->slots.n - 1 : s->slots.n;
			else
				for (k = 0; k < s->slots.n; k++)
					if (same(&s->slots.v[k].proto, &id))
						break;
			if (k == s->slots.n)
				vec_push(&s->slots, ((struct slot){ .proto = id }));
			if (!t || s->o.aggr == STAT_THREAD)
				s->slots.v[k].n_cpus++;
			s->slot_of[(size_t)t * s->n_cpus + c] = (int)k;
		}
}

bool stat_wants_cores(const struct event_list *l, enum stat_aggr aggr)
{
	for vec_each(e, &l->events)
		if (aggr == STAT_CPU && (*e)->terms.set & EVENT_TERM_PERCORE)
			return true;
	return false;
}

static void make_core_slots(struct stat *s, const struct os_cpu *topo, size_t n_topo)
{
	const size_t from = s->slots.n;

	s->core_slot_of = xcalloc((size_t)s->n_cpus, sizeof(int));
	for (int c = 0; c < s->n_cpus; c++) {
		struct stat_row id = identity(s, STAT_CORE, 0, c,
					      cpu_info(topo, n_topo, s->l->cpus.v[c]));
		size_t k = from;

		while (k < s->slots.n && !same(&s->slots.v[k].proto, &id))
			k++;
		if (k == s->slots.n)
			vec_push(&s->slots, ((struct slot){ .proto = id, .percore = true }));
		s->slots.v[k].n_cpus++;
		s->core_slot_of[c] = (int)k;
	}
}

static bool is_percore(const struct stat *s, const struct event *e)
{
	return s->core_slot_of && e->terms.set & EVENT_TERM_PERCORE;
}

/* --- names; PMUs of which there are several --- */

static bool same_family(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);

	while (n && a[n - 1] >= '0' && a[n - 1] <= '9')
		n--;
	while (m && b[m - 1] >= '0' && b[m - 1] <= '9')
		m--;
	return n == m && n && n < strlen(a) && !strncmp(a, b, n);
}

static char *family_name(const struct event *e)
{
	size_t n = strlen(e->pmu), full = n;

	while (n && (e->pmu[n - 1] == '_' || (e->pmu[n - 1] >= '0' && e->pmu[n - 1] <= '9')))
		n--;
	if (!str_has_prefix(e->name, e->pmu))
		return xstrdup(e->name);
	return xasprintf("%.*s%s", (int)n, e->pmu, e->name + full);
}

/* "cpu_core/cycles/" and "cpu_atom/cycles/": what stands between the slashes. */
static char *between_slashes(const struct event *e)
{
	const char *from = strchr(e->name, '/'), *to = strrchr(e->name, '/');

	if (!from || to == from)
		return xstrdup(e->name);
	return xasprintf("%.*s%s", (int)(to - from - 1), from + 1, to + 1);
}

static bool of_core(const struct event *e)
{
	return e->pmu && e->own_cpus.n && !e->of_cpus;
}

static bool same_hybrid(const struct event *a, const struct event *b)
{
	char *x = between_slashes(a), *y = between_slashes(b);
	const bool same_name = !strcmp(x, y);

	free(x);
	free(y);
	return same_name && of_core(a) && of_core(b) && strcmp(a->pmu, b->pmu) != 0;
}

/* An event of one kind of CPU becomes a part of that of another kind. */
static void merge_hybrid(struct stat *s, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (s->merged_into[k] != (int)k ||
		    !same_hybrid(s->l->events.v[i], s->l->events.v[k]))
			continue;
		s->merged_into[i] = (int)k;
		free(s->names[k]);
		s->names[k] = between_slashes(s->l->events.v[k]);
		return;
	}
}

static void find_merges(struct stat *s, size_t from)
{
	for (size_t i = from; i < s->n_events; i++) {
		const struct event *e = s->l->events.v[i];

		s->merged_into[i] = (int)i;
		/* among rows of CPUs upstream shows the PMU of what has a single row */
		s->names[i] = e->tool && s->o.aggr == STAT_CPU && !strchr(e->name, '/') ?
			xasprintf("%s/%s/", e->sensor ? e->pmu : "tool", e->name) :
			xstrdup(e->name);
		if (s->o.hybrid_merge && of_core(e)) {
			merge_hybrid(s, i);
			continue;
		}
		if (s->o.no_merge || !e->pmu || !e->own_cpus.n || s->o.aggr == STAT_CPU)
			continue;
		for (size_t k = 0; k < i; k++) {
			const struct event *f = s->l->events.v[k];

			if (s->merged_into[k] != (int)k || !f->pmu ||
			    f->attr.config != e->attr.config ||
			    f->attr.config1 != e->attr.config1 || !same_family(f->pmu, e->pmu) ||
			    strcmp(f->name + MIN(strlen(f->pmu), strlen(f->name)),
				   e->name + MIN(strlen(e->pmu), strlen(e->name))))
				continue;
			s->merged_into[i] = (int)k;
			free(s->names[k]);
			s->names[k] = family_name(f);
			break;
		}
	}
}

/* Events of one cgroup are a chain: metrics look for their other parts there. */
static void chain_events(struct stat *s, size_t from)
{
	for (size_t i = from; i < s->n_events; i++) {
		const char *cgroup = s->l->events.v[i]->cgroup ? s->l->events.v[i]->cgroup : "";
		const uintptr_t known = (uintptr_t)strmap_get(&s->cgroups, cgroup);
		const int first = known ? (int)known - 1 : (int)i;

		if (!known)
			strmap_put(&s->cgroups, cgroup, (void *)(uintptr_t)(i + 1));
		else
			s->next_same[s->last_same[first]] = (int)i;
		s->first_same[i] = first;
		s->next_same[i] = -1;
		s->last_same[first] = (int)i;
	}
}

static void *more(void *v, size_t had, size_t want, size_t bytes)
{
	v = xreallocarray(v, want + 1, bytes);
	memset((char *)v + had * bytes, 0, (want + 1 - had) * bytes);
	return v;
}

/* Takes in the events that came. What is kept is by event first, so that it stays where it is. */
static void take_events(struct stat *s)
{
	const size_t cells = (size_t)s->n_threads * s->n_cpus, slots = s->slots.n,
		from = s->n_events;

	if (s->l->events.n > s->max_events) {
		const size_t had = s->max_events, max = MAX(s->l->events.n, had + had / 2);

		s->now = more(s->now, had * cells, max * cells, sizeof(*s->now));
		s->before = more(s->before, had * cells, max * cells, sizeof(*s->before));
		s->spread = more(s->spread, had * slots, max * slots, sizeof(*s->spread));
		s->run_sum = more(s->run_sum, had * slots, max * slots, sizeof(*s->run_sum));
		s->merged_into = more(s->merged_into, had, max, sizeof(*s->merged_into));
		s->names = more(s->names, had, max, sizeof(*s->names));
		s->first_same = more(s->first_same, had, max, sizeof(int));
		s->next_same = more(s->next_same, had, max, sizeof(int));
		s->last_same = more(s->last_same, had, max, sizeof(int));
		s->max_events = max;
	}
	s->n_events = s->l->events.n;
	find_merges(s, from);
	chain_events(s, from);
}

struct stat *stat_new(const struct event_list *l, const struct os_cpu *topo, size_t n_topo,
		      const struct stat_opts *opts)
{
	struct stat *s = xnew(struct stat);

	s->l = l;
	s->o = *opts;
	s->n_threads = (int)l->tids.n;
	s->n_cpus = (int)l->cpus.n;
	make_slots(s, topo, n_topo);
	if (stat_wants_cores(l, opts->aggr))
		make_core_slots(s, topo, n_topo);
	take_events(s);
	s->comms = xcalloc((size_t)s->n_threads + 1, sizeof(char *));
	return s;
}

void stat_free(struct stat *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n_events; i++)
		free(s->names[i]);
	for (int i = 0; i < s->n_threads; i++)
		free(s->comms[i]);
	free(s->names);
	free(s->comms);
	free(s->merged_into);
	free(s->first_same);
	free(s->next_same);
	free(s->last_same);
	strmap_release(&s->cgroups);
	free(s->now);
	free(s->before);
	free(s->slot_of);
	free(s->core_slot_of);
	free(s->spread);
	free(s->run_sum);
	vec_free(&s->slots);
	free(s);
}

void stat_set_comm(struct stat *s, int thread, const char *comm)
{
	free(s->comms[thread]);
	s->comms[thread] = xstrdup(comm);
}

static size_t cell(const struct stat *s, size_t event, int t, int c)
{
	return (event * s->n_threads + t) * s->n_cpus + c;
}

void stat_put(struct stat *s, int event, int thread, int cpu, const struct event_count *total)
{
	if ((size_t)event >= s->n_events)
		take_events(s);
	s->now[cell(s, event, thread, cpu)] = *total;
}

void stat_next(struct stat *s)
{
	memcpy(s->before, s->now, s->n_events * s->n_threads * s->n_cpus * sizeof(*s->now));
}

void stat_rewind(struct stat *s)
{
	memset(s->before, 0, s->n_events * s->n_threads * s->n_cpus * sizeof(*s->before));
}

/* --- adding up --- */

static void add_growth(struct event_count *to, const struct event_count *now,
		       const struct event_count *before)
{
	to->value += now->value - before->value;
	to->enabled_ns += now->enabled_ns - before->enabled_ns;
	to->running_ns += now->running_ns - before->running_ns;
}

/* sums[event * slots + slot] of what was counted since the last stat_next() */
static struct event_count *add_up(const struct stat *s)
{
	struct event_count *sums = xcalloc(s->n_events * s->slots.n + 1, sizeof(*sums));

	for (size_t e = 0; e < s->n_events; e++)
		for (int t = 0; t < s->n_threads; t++)
			for (int c = 0; c < s->n_cpus; c++) {
				struct event_count *of_event = &sums[s->merged_into[e] *
								     s->slots.n];
				size_t at = cell(s, e, t, c);

				add_growth(&of_event[s->slot_of[(size_t)t * s->n_cpus + c]],
					   &s->now[at], &s->before[at]);
				if (is_percore(s, s->l->events.v[e]))
					add_growth(&of_event[s->core_slot_of[c]], &s->now[at],
						   &s->before[at]);
			}
	return sums;
}

static double scaled(const struct stat *s, size_t event, const struct event_count *c)
{
	/* a level is read as often as running says: the mean */
	if (event_tool_is_level(s->l->events.v[event]->tool))
		return c->running_ns ? (double)(s64)c->value / (double)c->running_ns : 0;
	if (s->o.no_scale || !c->running_ns || c->running_ns >= c->enabled_ns)
		return (double)c->value;
	return (double)c->value * ((double)c->enabled_ns / (double)c->running_ns);
}

static int n_counters(const struct stat *s, const struct event *e, const struct slot *slot,
		      size_t slot_no)
{
	const int *slots = slot->percore ? s->core_slot_of : s->slot_of;
	int n = 0;

	if (e->tool)
		return slots[0] == (int)slot_no && s->l->cpus.n;
	if (s->l->cpus.v[0] < 0)
		return 1;
	if (!e->own_cpus.n)
		return slot->n_cpus;
	for (int c = 0; c < s->n_cpus; c++)
		for (size_t i = 0; slots[c] == (int)slot_no && i < e->own_cpus.n; i++)
			n += e->own_cpus.v[i] == s->l->cpus.v[c];
	return n;
}

static void fill_value(const struct stat *s, struct stat_row *r, const struct event_count *c,
		       double value)
{
	const struct event *e = r->event;
	bool clock = stat_is_clock(e);

	r->value = clock ? value * 1e-6 : value * (e->scale ? e->scale : 1.0);
	r->unit = clock ? "msec" : e->unit ? e->unit : "";
	r->fraction = clock || (e->unit && !e->sensor) || e->scale != 1.0;
	r->running_ns = c->running_ns;
	/* of values that are not scaled this tells how much of the time they are of */
	r->running_pct = c->enabled_ns ?
		100.0 * (double)c->running_ns / (double)c->enabled_ns : 100.0;
	r->state = !e->supported ? STAT_NOT_SUPPORTED : !c->running_ns ? STAT_NOT_COUNTED :
		STAT_COUNTED;
	if (r->state != STAT_COUNTED)
		r->running_pct = 100.0;
	if (r->state == STAT_NOT_SUPPORTED && s->o.formulas)
		r->lack = (u8)stat_formulas_lack(s->o.formulas, e->index);
}

static int thread_of_slot(const struct stat *s, size_t slot)
{
	return s->o.aggr == STAT_THREAD ? (int)slot : -1;
}

/* The metrics shown at this row: the first in it, each further one in a row of its own. */
static void add_formulas(const struct stat *s, const struct stat_numbers *n,
			 const struct stat_row *r, size_t slot, stat_rows *out)
{
	bool first = true;

	for vec_each(f, &s->o.formulas->v) {
		struct stat_metric m;

		if (f->at != r->event->index)
			continue;
		m = stat_formula_value(n, s->o.formulas, f, slot);
		if (s->o.no_threshold)
			m.verdict = NULL;
		if (first) {
			vec_last(out)->metric = m;
		} else if (r->state == STAT_COUNTED || !r->lack) {
			struct stat_row more = *r;

			more.metric = m;
			more.state = STAT_ONLY_METRIC;
			vec_push(out, more);
		}
		first = false;
	}
}

/* With the term percore rows are of cores, or of CPUs with the sums of their cores. */
static bool shown_by_core(const struct stat *s, size_t event)
{
	return is_percore(s, s->l->events.v[event]) && !s->o.percore_threads;
}

static size_t summed_slot(const struct stat *s, size_t event, size_t slot)
{
	if (!is_percore(s, s->l->events.v[event]) || !s->o.percore_threads)
		return slot;
	for (int c = 0; c < s->n_cpus; c++)
		if (s->slot_of[c] == (int)slot)
			return (size_t)s->core_slot_of[c];
	return slot;
}

/* Rows that are not shown. */
static bool left_out(const struct stat *s, const struct stat_row *r)
{
	const struct event *e = r->event;

	if (s->o.active_threads_only && (r->state != STAT_COUNTED || !r->value))
		return true;
	if (s->o.no_zeros && !r->value)
		return true;
	return !r->n_counters && (e->own_cpus.n || e->tool);
}

/* values[event * slots + slot]; errors NULL for a single run */
static void make_rows(struct stat *s, const struct event_count *sums, const double *values,
		      const double *errors, u64 wall_ns,
		      stat_rows *out)
{
	const struct stat_numbers numbers = { s->l, values, s->slots.n, s->first_same,
					      s->next_same, wall_ns };

	for (size_t e = 0; e < s->n_events; e++) {
		size_t first = out->n;

		if (s->merged_into[e] != (int)e || s->l->events.v[e]->dummy)
			continue;
		for (size_t k = 0; k < s->slots.n; k++) {
			struct stat_row r = s->slots.v[k].proto;
			size_t at = e * s->slots.n + summed_slot(s, e, k);
			int t = thread_of_slot(s, k);

			if (s->slots.v[k].percore != shown_by_core(s, e))
				continue;
			r.event = s->l->events.v[e];
			r.name = s->names[e];
			r.cgroup = r.event->cgroup;
			r.comm = t >= 0 ? s->comms[t] : NULL;
			r.n_counters = n_counters(s, r.event, &s->slots.v[k], k);
			fill_value(s, &r, &sums[at], values[at]);
			r.noise_pct = errors ? (values[at] ? 100.0 * errors[at] / values[at] : 0) :
				-1;
			if (left_out(s, &r))
				continue;
			if (r.state == STAT_COUNTED && !r.event->tool)
				stat_add_metrics(&numbers, e, k, &r);
			vec_push(out, r);
			if (s->o.formulas)
				add_formulas(s, &numbers, &r, k, out);
		}
		if (s->o.aggr == STAT_THREAD)
			stat_sort_by_value(out->v + first, out->n - first);
	}
}

void stat_get_rows(struct stat *s, u64 wall_ns, stat_rows *out)
{
	struct event_count *sums;
	double *values;
	size_t n;

	take_events(s);
	sums = add_up(s);
	n = s->n_events * s->slots.n;
	values = xcalloc(n + 1, sizeof(double));
	for (size_t i = 0; i < n; i++)
		values[i] = scaled(s, i / s->slots.n, &sums[i]);
	make_rows(s, sums, values, NULL, wall_ns, out);
	free(values);
	free(sums);
}

void stat_end_run(struct stat *s)
{
	struct event_count *sums = add_up(s);
	size_t cells = s->n_events * s->n_threads * s->n_cpus;

	for (size_t i = 0; i < s->n_events * s->slots.n; i++) {
		stat_spread_add(&s->spread[i], scaled(s, i / s->slots.n, &sums[i]));
		s->run_sum[i].value += sums[i].value;
		s->run_sum[i].enabled_ns += sums[i].enabled_ns;
		s->run_sum[i].running_ns += sums[i].running_ns;
	}
	s->runs++;
	memset(s->now, 0, cells * sizeof(*s->now));
	memset(s->before, 0, cells * sizeof(*s->before));
	free(sums);
}

void stat_get_average(struct stat *s, u64 mean_wall_ns, stat_rows *out)
{
	size_t n = s->n_events * s->slots.n;
	double *values = xcalloc(n + 1, sizeof(double)), *errors = xcalloc(n + 1, sizeof(double));
	struct event_count *sums = xcalloc(n + 1, sizeof(*sums));

	for (size_t i = 0; i < n && s->runs; i++) {
		values[i] = s->spread[i].mean;
		errors[i] = stat_spread_error(&s->spread[i]);
		sums[i].enabled_ns = s->run_sum[i].enabled_ns / s->runs;
		sums[i].running_ns = s->run_sum[i].running_ns / s->runs;
	}
	make_rows(s, sums, values, s->runs > 1 ? errors : NULL, mean_wall_ns, out);
	free(values);
	free(errors);
	free(sums);
}
