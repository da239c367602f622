// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows of counters as a table; its columns are the fields of "stat -x" and the keys of "stat
 * -j". */
#include "util/analysis/stat/stat.h"

static void add_part(struct str *out, const char *letter, int v)
{
	if (v < 0)
		str_addf(out, "%s?", letter);
	else
		str_addf(out, "%s%d", letter, v);
}

/* The kernel's number of a cluster where there are none, which upstream shows. */
#define NO_CLUSTER 65535

/* Among rows of CPUs those of events with the term percore are of cores. */
static bool is_core(enum stat_aggr aggr, const struct stat_row *r)
{
	return aggr == STAT_CORE || (aggr == STAT_CPU && r->cpu < 0);
}

void stat_row_id(enum stat_aggr aggr, const struct stat_row *r, struct str *out)
{
	aggr = is_core(aggr, r) ? STAT_CORE : aggr;
	switch (aggr) {
	case STAT_GLOBAL: break;
	case STAT_CPU: add_part(out, "CPU", r->cpu); break;
	case STAT_CORE:
	case STAT_DIE:
	case STAT_CLUSTER:
	case STAT_CACHE:
		add_part(out, "S", r->socket);
		add_part(out, "-D", r->die < 0 ? 0 : r->die);
		if (aggr == STAT_CORE)
			add_part(out, "-C", r->core);
		if (aggr == STAT_CLUSTER)
			add_part(out, "-CLS", r->cluster < 0 ? NO_CLUSTER : r->cluster);
		if (aggr == STAT_CACHE)	/* -1 where it is unknown, as upstream has it */
			str_addf(out, "-L%d-ID%d", r->cache_level, r->cache);
		break;
	case STAT_SOCKET: add_part(out, "S", r->socket); break;
	case STAT_NODE: add_part(out, "N", r->node); break;
	case STAT_THREAD: str_addf(out, "%s-%d", r->comm ? r->comm : "", r->tid); break;
	}
}

bool stat_counts_cpus(enum stat_aggr aggr)
{
	return aggr != STAT_GLOBAL && aggr != STAT_CPU && aggr != STAT_THREAD;
}

struct maker {
	const struct stat_table_opts *o;
	struct table *t;
	bool cgroups, noise, cores, verdicts;	/* some row has one, or is of a core among CPUs */
};

static struct column *add_column(struct maker *m, const char *key, u16 form, u8 decimals,
				 u8 json_decimals)
{
	struct column *c = table_add_column(m->t, key, key);

	c->form = form;
	c->decimals = decimals;
	c->json_decimals = json_decimals;
	return c;
}

const char *stat_aggr_name(enum stat_aggr aggr)
{
	static const char *const names[] = {
		[STAT_GLOBAL] = "", [STAT_CPU] = "cpu", [STAT_CORE] = "core",
		[STAT_CLUSTER] = "cluster", [STAT_CACHE] = "cache", [STAT_DIE] = "die",
		[STAT_SOCKET] = "socket", [STAT_NODE] = "node", [STAT_THREAD] = "thread",
	};

	return names[aggr];
}

static void add_id_columns(struct maker *m)
{
	const enum stat_aggr aggr = m->o->aggr;

	if (m->o->lead || m->o->time_ns >= 0)
		add_column(m, "interval", COL_SECONDS | (m->o->lead ? COL_NOT_IN_JSON : 0), 9, 9);
	if (aggr != STAT_GLOBAL)
		add_column(m, stat_aggr_name(aggr), aggr == STAT_CPU ? COL_NOT_IN_JSON : 0, 0, 0);
	if (aggr == STAT_CPU)
		add_column(m, stat_aggr_name(aggr), COL_NOT_IN_CSV | COL_JSON_TEXT, 0, 0);
	if (m->cores)
		add_column(m, stat_aggr_name(STAT_CORE), COL_NOT_IN_CSV, 0, 0);
	if (stat_counts_cpus(aggr))
		add_column(m, "counters", 0, 0, 0);
}

static void add_columns(struct maker *m)
{
	add_id_columns(m);
	add_column(m, "counter-value", COL_JSON_TEXT, 0, 6);
	add_column(m, "unit", 0, 0, 0);
	add_column(m, "event", 0, 0, 0);
	if (m->cgroups)
		add_column(m, "cgroup", 0, 0, 0);
	if (m->noise)
		add_column(m, "variance", COL_PERCENT_SIGN, 2, 2);
	add_column(m, "event-runtime", 0, 0, 0);
	add_column(m, "pcnt-running", 0, 2, 2);
	add_column(m, "metric-value", COL_JSON_TEXT, 3, 6);
	add_column(m, "metric-unit", 0, 0, 0);
	if (m->verdicts)
		add_column(m, "metric-threshold", COL_NOT_IN_CSV, 0, 0);
}

static struct cell *add_id(struct maker *m, const struct stat_row *r, struct cell *c)
{
	struct str id = STR_INIT;
	struct cell name = cell_absent();

	if (m->o->lead || m->o->time_ns >= 0)
		*c++ = m->o->lead ? cell_text(m->o->lead) : cell_ns((u64)m->o->time_ns);
	if (m->o->aggr != STAT_GLOBAL) {
		stat_row_id(m->o->aggr, r, &id);
		*c++ = name = cell_text(table_text(m->t, str_cstr(&id)));
		str_release(&id);
	}
	if (m->o->aggr == STAT_CPU)
		*c++ = r->cpu >= 0 ? cell_int(r->cpu) : cell_absent();
	if (m->cores)
		*c++ = r->cpu >= 0 ? cell_absent() : name;
	if (stat_counts_cpus(m->o->aggr))
		*c++ = cell_int(r->n_counters);
	return c;
}

static void add_metric(struct maker *m, const struct stat_row *r, struct cell *c)
{
	*c++ = r->metric.unit ? cell_num(r->metric.value, r->metric.decimals) : cell_absent();
	*c++ = r->metric.unit ? cell_text(r->metric.unit) : cell_absent();
	if (m->verdicts)
		*c = r->metric.verdict ? cell_text(r->metric.verdict) : cell_absent();
}

/* Nothing but the metric: the other fields are empty. */
static void add_metric_row(struct maker *m, const struct stat_row *r)
{
	struct cell *c = add_id(m, r, table_add_row(m->t)->cells);
	const int n = 5 + m->cgroups + m->noise;

	for (int i = 0; i < n; i++)
		*c++ = cell_absent();
	add_metric(m, r, c);
}

static void add_row(struct maker *m, const struct stat_row *r)
{
	const bool counted = r->state == STAT_COUNTED;
	struct cell *c = add_id(m, r, table_add_row(m->t)->cells);

	*c++ = counted ? cell_num(r->value, r->fraction ? 2 : 0) :
	       cell_text(r->state == STAT_NOT_SUPPORTED ? "<not supported>" : "<not counted>");
	*c++ = cell_text(r->unit);
	*c++ = cell_text(r->name);
	if (m->cgroups)
		*c++ = r->cgroup ? cell_text(r->cgroup) : cell_absent();
	if (m->noise)
		*c++ = r->noise_pct >= 0 ? cell_pct(r->noise_pct) : cell_absent();
	*c++ = cell_ns(r->running_ns);
	*c++ = cell_num(r->running_pct, 2);
	add_metric(m, r, c);
}

void stat_id_columns(const struct stat_table_opts *o, struct table *out)
{
	out->key = "counters";
	add_id_columns(&(struct maker){ .o = o, .t = out });
}

void stat_id_cells(const struct stat_table_opts *o, struct table *t, const struct stat_row *r)
{
	add_id(&(struct maker){ .o = o, .t = t }, r, table_add_row(t)->cells);
}

void stat_table(const struct stat_row *rows, size_t n, const struct stat_table_opts *o,
		struct table *out)
{
	struct maker m = { .o = o, .t = out };

	out->key = "counters";
	for (size_t i = 0; i < n; i++) {
		m.cgroups |= rows[i].cgroup != NULL;
		m.noise |= rows[i].noise_pct >= 0;
		m.verdicts |= rows[i].metric.verdict != NULL;
		m.cores |= o->aggr == STAT_CPU && is_core(o->aggr, &rows[i]);
	}
	add_columns(&m);
	for (size_t i = 0; i < n; i++)
		if (rows[i].state == STAT_ONLY_METRIC)
			add_metric_row(&m, &rows[i]);
		else if (!rows[i].lack)
			add_row(&m, &rows[i]);
}
