// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/count/section.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/rd.h"
#include "util/data/reader.h"
#include "util/event/tool.h"

#define VERSION 1
#define LEVELS 4		/* of caches */
#define MOST_CPUS 65536
enum { COUNTS_NO_MERGE = 1, COUNTS_HYBRID_MERGE = 2 };
enum { EVENT_PERCORE = 1, EVENT_OF_CPUS = 2, EVENT_LEVEL = 4, EVENT_SUM = 8 };

/* --- writing --- */

static void add_u32(struct str *out, u32 v)
{
	str_addn(out, &v, sizeof(v));
}

static void add_text(struct str *out, const char *text)
{
	str_addn(out, text ? text : "", strlen(text ? text : "") + 1);
}

static void add_cpus(const struct event_list *l, const struct os *os, struct str *out)
{
	os_cpu_vec topo = { 0 };
	const bool any = l->cpus.n && l->cpus.v[0] >= 0;

	if (any)
		os_topology(os, &topo, NULL);
	add_u32(out, (u32)topo.n);
	for vec_each(c, &topo) {
		int ids[OS_CACHE_LEVELS + 1];

		os_cpu_caches(os, c->cpu, ids);
		add_u32(out, (u32)c->cpu);
		add_u32(out, (u32)c->cluster);
		for (int i = 1; i <= LEVELS; i++)
			add_u32(out, (u32)ids[i]);
	}
	vec_free(&topo);
}

static void add_events(const struct event_list *l, struct str *out)
{
	add_u32(out, (u32)l->events.n);
	for vec_each(p, &l->events) {
		const struct event *e = *p;

		add_u32(out, (e->terms.set & EVENT_TERM_PERCORE ? EVENT_PERCORE : 0) |
			(e->of_cpus ? EVENT_OF_CPUS : 0) |
			(e->tool == EVENT_TOOL_LEVEL ? EVENT_LEVEL :
			 e->tool == EVENT_TOOL_SUM ? EVENT_SUM : 0));
		add_text(out, e->cgroup);
		add_text(out, e->pmu);
	}
}

/* What expressions ask of before anything is counted, and of how many events a value is made. */
struct printing { const struct stat_formula *f; const struct metric_env *known; };

static double source_count(void *ctx, const char *id)
{
	const struct printing *p = ctx;

	for vec_each(o, &p->f->operands)
		if (!strcmp(o->id, id))
			return (double)o->events.n;
	return 0;
}

static bool has_event(void *ctx, const char *id)
{
	const struct printing *p = ctx;

	return p->known->has_event && p->known->has_event(p->known->ctx, id);
}

static bool literal(void *ctx, const char *name, double *out)
{
	const struct printing *p = ctx;

	return p->known->literal && p->known->literal(p->known->ctx, name, out);
}

static bool cpuid(void *ctx, const char *pattern)
{
	const struct printing *p = ctx;

	return p->known->cpuid && p->known->cpuid(p->known->ctx, pattern);
}

static void add_expr(const struct printing *p, const struct metric_expr *e, struct str *out)
{
	const struct metric_env env = { NULL, has_event, source_count, literal, cpuid,
					(void *)(uintptr_t)p };

	if (e)
		metric_expr_print(e, &env, out);
	str_addch(out, 0);
}

static void add_formula(const struct stat_formulas *all, const struct stat_formula *f,
			bool threshold, struct str *out)
{
	const struct metric *m = f->metric;
	const struct printing p = { f, &all->known };

	add_text(out, m->name);
	add_text(out, f->label);
	if (m->scaled)
		str_addf(out, "%.17g%s", m->scale, m->unit);
	str_addch(out, 0);
	add_expr(&p, m->expr, out);
	add_expr(&p, threshold ? m->threshold : NULL, out);
	add_u32(out, m->lack);
	add_u32(out, (u32)f->at);
	add_u32(out, (u32)f->operands.n);
	for vec_each(o, &f->operands) {
		add_text(out, o->id);
		add_u32(out, (u32)o->events.n);
		for vec_each(e, &o->events)
			add_u32(out, (u32)*e);
	}
}

void count_section_add(const struct event_list *l, const struct os *os, const struct count_opts *o,
		       struct str *out)
{
	const struct stat_formulas *f = o->stat.formulas;

	add_u32(out, VERSION);
	add_u32(out, (o->stat.no_merge ? COUNTS_NO_MERGE : 0) |
		(o->stat.hybrid_merge ? COUNTS_HYBRID_MERGE : 0));
	add_cpus(l, os, out);
	add_events(l, out);
	add_u32(out, f ? (u32)f->v.n : 0);
	for (size_t i = 0; f && i < f->v.n; i++)
		add_formula(f, &f->v.v[i], !o->stat.no_threshold, out);
}

/* --- reading --- */

static void read_cpus(struct rd *r, int cache_level, os_cpu_vec *topo)
{
	const u32 n = rd_u32(r);

	if (n > MOST_CPUS)
		rd_skip(r, UINT64_MAX);
	for (u32 i = 0; i < n && !rd_failed(r); i++) {
		const u32 cpu = rd_u32(r), cluster = rd_u32(r);
		struct os_cpu *c = NULL;

		for (size_t k = 0; k < topo->n; k++)
			if (topo->v[k].cpu == (int)cpu)
				c = &topo->v[k];
		if (c)
			c->cluster = (int)cluster;
		for (int level = 1; level <= LEVELS; level++) {
			const int id = (int)rd_u32(r);

			if (!c || id < 0 || (cache_level && level != cache_level))
				continue;
			c->cache = id;
			c->cache_level = level;
		}
	}
}

static void take_text(char **to, const char *text)
{
	if (!text || !*text || *to)
		return;
	*to = xstrdup(text);
}

static void read_events(struct rd *r, struct event_list *l)
{
	const u32 n = rd_u32(r);

	for (u32 i = 0; i < n && !rd_failed(r); i++) {
		const u32 flags = rd_u32(r);
		const char *cgroup = rd_cstr(r), *pmu = rd_cstr(r);
		struct event *e = i < l->events.n ? l->events.v[i] : NULL;

		if (!e || !pmu)
			continue;
		take_text(&e->cgroup, cgroup);
		take_text(&e->pmu, pmu);
		e->of_cpus = flags & EVENT_OF_CPUS;
		if (flags & (EVENT_LEVEL | EVENT_SUM) && !e->sensor) {
			e->tool = flags & EVENT_SUM ? EVENT_TOOL_SUM : EVENT_TOOL_LEVEL;
			e->sensor = xstrdup("");
		}
		if (flags & EVENT_PERCORE)
			e->terms.set |= EVENT_TERM_PERCORE;
	}
}

/* The numbers of an operand's events, which are in the list. */
static void read_operand(struct rd *r, const struct event_list *l, struct stat_formula *f)
{
	struct stat_operand o = { .id = rd_cstr(r) };
	const u32 n = rd_u32(r);

	for (u32 i = 0; i < n && !rd_failed(r); i++) {
		const u32 e = rd_u32(r);

		if (e >= l->events.n)
			rd_skip(r, UINT64_MAX);
		else
			vec_push(&o.events, (int)e);
	}
	if (rd_failed(r))
		vec_free(&o.events);
	else
		vec_push(&f->operands, o);
}

static int read_formula(struct rd *r, const struct event_list *l,
			const struct count_metrics_of *m, struct err *err)
{
	struct stat_formula f = { 0 };
	struct metric_text t = { .name = rd_cstr(r) };
	const char *label = rd_cstr(r);
	u32 n;
	int ret = 0;

	t.scale_unit = rd_cstr(r);
	t.expr = rd_cstr(r);
	t.threshold = rd_cstr(r);
	if (t.threshold && !*t.threshold)
		t.threshold = NULL;
	t.lack = (u8)MIN(rd_u32(r), (u32)STAT_LACK_HIDDEN);
	f.at = (int)rd_u32(r);
	n = rd_u32(r);
	if (rd_failed(r) || !*t.name || f.at < -1 || f.at >= (int)l->events.n)
		return -EINVAL;
	/* those of cgroups and kinds of CPU are the same metric over other events */
	f.metric = metric_set_find(m->set, t.name);
	if (!f.metric) {
		ret = metric_set_put(m->set, &t, err);
		f.metric = ret ? NULL : metric_set_find(m->set, t.name);
	}
	f.label = xstrdup(label);
	f.cgroup = f.at >= 0 ? l->events.v[f.at]->cgroup : NULL;
	for (u32 i = 0; i < n && !rd_failed(r); i++)
		read_operand(r, l, &f);
	vec_push(&m->formulas->v, f);
	return rd_failed(r) ? -EINVAL : ret;
}

int count_section_read(struct data_reader *from, struct count_opts *o, os_cpu_vec *topo,
		       const struct count_metrics_of *m, struct err *err)
{
	const struct span bytes = data_raw_section(&from->feat, FEAT_COUNTS);
	struct rd r;
	u32 n = 0, flags;
	int ret = 0;

	if (!bytes.len)
		return 0;
	rd_init(&r, bytes.ptr, bytes.len, from->swap);
	if (rd_u32(&r) != VERSION)
		return err_set(err, EINVAL, "'%s': the COUNTS section is of a version that this "
			       "perf does not know", from->path);
	flags = rd_u32(&r);
	o->stat.no_merge |= flags & COUNTS_NO_MERGE;
	o->stat.hybrid_merge |= flags & COUNTS_HYBRID_MERGE;
	read_cpus(&r, o->cache_level, topo);
	read_events(&r, &from->events);
	n = rd_u32(&r);
	for (u32 i = 0; i < n && !ret && !rd_failed(&r); i++)
		ret = read_formula(&r, &from->events, m, err);
	if (rd_failed(&r) || (ret && !err->code))
		ret = err_set(err, EINVAL, "'%s': the COUNTS section is damaged", from->path);
	if (ret)
		stat_formulas_release(m->formulas);
	else if (m->formulas->v.n)
		o->stat.formulas = m->formulas;
	return ret;
}
