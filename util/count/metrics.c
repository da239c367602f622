// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/count/metrics.h"

#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/data/features.h"
#include "util/event/tool.h"

/* --- what is known before anything is counted --- */

/* Each thing is looked up once: it stays, and metrics ask for each row of each interval. */
struct count_known {
	struct os *os;
	struct pmu_db *db;
	bool on_cpus;
	struct strmap events;		/* name -> yes or no */
	struct { bool asked, known; u64 value; } facts[EVENT_TOOL_N];
	char *cpuid;
};

static const char yes[] = "yes", no[] = "no";

static bool known_event(void *ctx, const char *id)
{
	struct count_known *k = ctx;
	const char *answer = strmap_get(&k->events, id);

	if (!answer) {
		answer = event_is_there(id, k->os, k->db) ? yes : no;
		strmap_put(&k->events, id, (void *)(uintptr_t)answer);
	}
	return answer == yes;
}

static bool known_literal(void *ctx, const char *name, double *out)
{
	struct count_known *k = ctx;
	const enum event_tool t = event_tool_find(name);

	if (t <= EVENT_TOOL_SYSTEM)
		return false;
	if (!k->facts[t].asked)
		k->facts[t].known = event_tool_read(k->os, t, k->on_cpus, &k->facts[t].value);
	k->facts[t].asked = true;
	*out = (double)k->facts[t].value;
	return k->facts[t].known;
}

static char *read_cpuid(struct os *os)
{
	struct str out = STR_INIT;
	struct data_features f;
	char vendor[32];
	unsigned family, model, stepping;

	data_features_init(&f);
	data_features_collect(&f, os);
	if (f.cpuid && sscanf(f.cpuid, "%31[^,],%u,%u,%u", vendor, &family, &model, &stepping) == 4)
		str_addf(&out, "%s-%u-%X-%X", vendor, family, model, stepping);
	else if (f.cpuid)
		str_add(&out, f.cpuid);
	data_features_release(&f);
	return str_detach(&out);
}

/* "GenuineIntel-6-55-4" or, on ARM, the MIDR: a regular expression of the whole. */
static bool known_cpuid(void *ctx, const char *pattern)
{
	struct count_known *k = ctx;
	char *whole = xasprintf("^(%s)$", pattern);
	regex_t re;
	bool same = false;

	if (!k->cpuid)
		k->cpuid = read_cpuid(k->os);
	if (!regcomp(&re, whole, REG_EXTENDED | REG_NOSUB)) {
		same = *k->cpuid && !regexec(&re, k->cpuid, 0, NULL, 0);
		regfree(&re);
	}
	free(whole);
	return same;
}

static void known_fill(struct stat_formulas *out, struct os *os, struct pmu_db *db, bool on_cpus)
{
	struct count_known *k = xnew(struct count_known);

	*k = (struct count_known){ .os = os, .db = db, .on_cpus = on_cpus };
	out->known = (struct metric_env){ .has_event = known_event, .literal = known_literal,
					  .cpuid = known_cpuid, .ctx = k };
}

void count_metrics_release(struct stat_formulas *f)
{
	struct count_known *k = f->known.ctx;

	if (k) {
		strmap_release(&k->events);
		free(k->cpuid);
	}
	free(k);
	f->known.ctx = NULL;
	stat_formulas_release(f);
}

/* --- the events --- */

/* One identifier of the metrics, and the events that it became. */
struct wanted {
	const char *id;
	const struct metric *of;	/* that first needs it */
	int rank;			/* software, hardware, perf's own */
	size_t group;			/* hardware: the number of the metric, where it groups */
	bool grouped;
	size_t from, to;		/* in the list */
	bool absent;
};
typedef VEC(struct wanted) wanted_vec;

struct adding {
	struct event_list *l;
	struct os *os;
	struct pmu_db *db;
	const struct count_metrics_opts *o;
	struct stat_formulas *out;
	wanted_vec wanted;
};

enum { RANK_SOFTWARE, RANK_HARDWARE, RANK_TOOL };

static int rank_of(const struct event *e)
{
	if (e->tool)
		return RANK_TOOL;
	return e->attr.type == PERF_TYPE_SOFTWARE || e->attr.type == PERF_TYPE_TRACEPOINT ?
		RANK_SOFTWARE : RANK_HARDWARE;
}

static struct wanted *find(struct adding *a, const char *id, const struct metric *of)
{
	for vec_each(w, &a->wanted)
		if (!strcmp(w->id, id) && (!a->o->no_merge || w->of == of))
			return w;
	return NULL;
}

/* Whether there is such an event, and of which sort. */
static int look_up(struct adding *a, struct wanted *w, struct err *err)
{
	struct event_list l;
	int ret;

	event_list_init(&l);
	l.only_counts = true;
	ret = event_parse(&l, w->id, a->os, a->db, err);
	if (!ret && l.events.n)
		w->rank = rank_of(l.events.v[0]);
	event_list_release(&l);
	if (ret && a->o->optional) {
		err_release(err);
		w->absent = true;
		return 0;
	}
	return ret ? err_prefix(err, "metric '%s'", w->of->name) : 0;
}

/* What its value and its judgement are made of. */
static void add_ids(const struct adding *a, const struct metric *m, metric_ids *out)
{
	metric_expr_ids(m->expr, &a->out->known, out);
	if (m->threshold)
		metric_expr_ids(m->threshold, &a->out->known, out);
}

static int add_wanted(struct adding *a, size_t i_metric, struct err *err)
{
	const struct metric *m = a->out->asked.v[i_metric];
	metric_ids ids = { 0 };
	int ret = 0;

	add_ids(a, m, &ids);
	for (size_t i = 0; i < ids.n && !ret; i++) {
		struct wanted w = { .id = ids.v[i], .of = m };

		if (find(a, w.id, m))
			continue;
		ret = look_up(a, &w, err);
		w.absent |= a->o->no_tools && w.rank == RANK_TOOL;
		w.group = w.rank == RANK_HARDWARE && !a->o->no_group ? i_metric : 0;
		vec_push(&a->wanted, w);
	}
	vec_free(&ids);
	return ret;
}

static int by_rank(const void *x, const void *y)
{
	const struct wanted *a = x, *b = y;
	const int names = strcmp(a->id, b->id);

	if (a->rank != b->rank)
		return a->rank - b->rank;
	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	return names ? names : strcmp(a->of->name, b->of->name);
}

static int parse_wanted(struct adding *a, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < a->wanted.n && !ret; i++) {
		struct wanted *w = &a->wanted.v[i];

		w->from = a->l->events.n;
		if (!w->absent)
			ret = event_parse(a->l, w->id, a->os, a->db, err);
		if (!ret)
			ret = event_list_keep_pmus(a->l, w->from, a->db, a->o->cputype,
						   a->o->pmu_filter, err);
		w->to = a->l->events.n;
	}
	return ret;
}

static bool same_pmu(const struct event *a, const struct event *b)
{
	return a->attr.type == b->attr.type && (a->pmu && b->pmu ? !strcmp(a->pmu, b->pmu) :
						a->pmu == b->pmu);
}

static void join(struct event *leader, struct event *e)
{
	e->leader = leader;
	leader->weak = e->weak = true;
	leader->n_members++;
}

/* The hardware events of a metric that are in no group yet become one for each PMU: they are
 * counted at the same times. Groups are neighbours in the list. */
static void group_run(struct event_list *l, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		for (size_t k = from; k < i; k++) {
			struct event *e = l->events.v[i], *f = l->events.v[k];

			if (f->leader != f || e->leader != e || e->n_members > 1 || !same_pmu(e, f))
				continue;
			join(f, e);
			break;
		}
}

/* --- the metrics --- */

static bool hybrid_pmus(const struct event_list *l, const struct wanted *w)
{
	return w && w->to - w->from > 1 && l->events.v[w->from]->pmu &&
		!l->events.v[w->from]->of_cpus;
}

static char *label_of(const struct metric *m)
{
	return *m->unit ? xasprintf("%s  %s", m->unit, m->name) : xstrdup(m->name);
}

/* pmu: only its events, of those that are on several kinds of CPU; NULL: all. */
static void bind(struct adding *a, const struct metric *m, const char *pmu)
{
	struct stat_formula *f = vec_add(&a->out->v);
	metric_ids ids = { 0 };

	*f = (struct stat_formula){ .metric = m, .label = label_of(m), .at = -1 };
	add_ids(a, m, &ids);
	for vec_each(id, &ids) {
		struct stat_operand o = { .id = *id };
		const struct wanted *w = find(a, *id, m);

		for (size_t i = w ? w->from : 0; w && i < w->to; i++)
			if (!pmu || !hybrid_pmus(a->l, w) || !strcmp(a->l->events.v[i]->pmu, pmu))
				vec_push(&o.events, (int)i);
		if (o.events.n && (f->at < 0 || a->l->events.v[f->at]->tool))
			f->at = o.events.v[0];
		vec_push(&f->operands, o);
	}
	vec_free(&ids);
}

static void bind_metric(struct adding *a, const struct metric *m)
{
	const struct wanted *hybrid = NULL;

	for vec_each(w, &a->wanted)
		if (hybrid_pmus(a->l, w)) {
			metric_ids ids = { 0 };

			metric_expr_ids(m->expr, &a->out->known, &ids);
			for vec_each(id, &ids)
				if (!strcmp(*id, w->id))
					hybrid = w;
			vec_free(&ids);
		}
	if (!hybrid) {
		bind(a, m, NULL);
		return;
	}
	for (size_t i = hybrid->from; i < hybrid->to; i++)
		bind(a, m, a->l->events.v[i]->pmu);
}

/* Events in the order of wanted: software, hardware by metric, perf's own. */
static int add_all(struct adding *a, struct err *err)
{
	int ret = 0;

	if (a->wanted.n)
		qsort(a->wanted.v, a->wanted.n, sizeof(*a->wanted.v), by_rank);
	ret = parse_wanted(a, err);
	if (ret || a->o->no_group || !a->wanted.n)
		return ret;
	for vec_each(m, &a->out->asked) {
		size_t from = 0, to = 0;

		for vec_each(w, &a->wanted)
			if (w->of == *m && w->rank == RANK_HARDWARE && !w->absent) {
				from = to ? from : w->from;
				/* events between are of others: no neighbours, no group */
				if (to && w->from != to)
					from = to = w->from;
				to = w->to;
			}
		group_run(a->l, from, to);
	}
	return 0;
}

int count_add_metrics(struct event_list *l, struct os *os, struct pmu_db *db,
		      const struct count_metrics_opts *o, struct stat_formulas *out,
		      struct err *err)
{
	struct adding a = { .l = l, .os = os, .db = db, .o = o, .out = out };
	int ret;

	known_fill(out, os, db, o->on_cpus);
	ret = metric_set_select(o->set, o->names, &out->asked, err);
	for (size_t i = 0; i < out->asked.n && !ret; i++)
		ret = add_wanted(&a, i, err);
	if (!ret)
		ret = add_all(&a, err);
	for (size_t i = 0; i < out->asked.n && !ret; i++)
		bind_metric(&a, out->asked.v[i]);
	vec_free(&a.wanted);
	return ret;
}

void count_repeat_metrics(const struct event_list *l, size_t n_each, struct stat_formulas *f)
{
	const size_t n = f->v.n, times = n_each ? l->events.n / n_each : 0;

	for (size_t t = 1; t < times; t++)
		for (size_t i = 0; i < n; i++) {
			const struct stat_formula of = f->v.v[i];
			const int later = (int)(t * n_each);
			struct stat_formula x = { .metric = of.metric, .label = xstrdup(of.label),
						  .at = of.at < 0 ? -1 : of.at + later };

			for vec_each(o, &of.operands) {
				struct stat_operand more = { .id = o->id };

				for (size_t k = 0; k < o->events.n; k++)
					vec_push(&more.events, o->events.v[k] + later);
				vec_push(&x.operands, more);
			}
			vec_push(&f->v, x);
		}
	for vec_each(x, &f->v)
		x->cgroup = x->at >= 0 ? l->events.v[x->at]->cgroup : NULL;
}
