// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/count/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/data/reader.h"
#include "util/data/writer.h"
#include "util/event/tool.h"
#include "util/event/tracepoint.h"
#include "util/os/procfs.h"
#include "util/wire/user.h"

/* The numbers of the aggregation in STAT_CONFIG. */
static const struct { enum stat_aggr aggr; u64 number; } aggrs[] = {
	{ STAT_CPU, 0 }, { STAT_GLOBAL, 1 }, { STAT_SOCKET, 2 }, { STAT_DIE, 3 }, { STAT_CORE, 4 },
		{ STAT_THREAD, 5 },
	{ STAT_NODE, 7 }, { STAT_CACHE, 9 }, { STAT_CLUSTER, 10 },
};

struct count_file {
	struct data_writer w;
	const char *version;
	int argc;
	const char *const *argv;
	struct str tracing, buf, section;
	const int *cpus;		/* the list's, by index */
	struct err err;			/* of the first write that failed */
	bool began;
};

/* --- writing --- */

struct count_file *count_file_new(const struct count_file_opts *o, struct err *err)
{
	struct count_file *f = xnew(struct count_file);
	struct data_writer_opts w = { .keep_old = true, .by_default = !o->path };

	f->version = o->version;
	f->argc = o->argc;
	f->argv = o->argv;
	if (data_writer_open(&f->w, o->path ? o->path : "perf.data", &w, err)) {
		free(f);
		return NULL;
	}
	return f;
}

static void flush(struct count_file *f)
{
	if (f->buf.len && !f->err.code)
		data_write(&f->w, f->buf.buf, f->buf.len, &f->err);
	str_reset(&f->buf);
}

static void add_event(struct count_file *f, const struct event *e)
{
	u64 id = e->n_ids ? e->ids[0] : 0;

	if (!e->n_ids)
		return;
	wire_add_event_update_text(&f->buf, WIRE_UPDATE_NAME, id, e->name);
	if (e->unit)
		wire_add_event_update_text(&f->buf, WIRE_UPDATE_UNIT, id, e->unit);
	if (e->scale != 1.0)
		wire_add_event_update_scale(&f->buf, id, e->scale);
	if (e->own_cpus.n)
		wire_add_event_update_cpus(&f->buf, id, e->own_cpus.v, e->own_cpus.n);
}

static void add_threads(struct count_file *f, const struct event_list *l, const struct os *os)
{
	VEC(struct wire_thread) v = { 0 };
	struct procfs_status *st = xcalloc(l->tids.n + 1, sizeof(*st));

	for (size_t i = 0; i < l->tids.n; i++) {
		struct wire_thread t = { .tid = l->tids.v[i], .comm = "" };

		if (t.tid > 0 && !procfs_status(os, (pid_t)t.tid, &st[i], NULL))
			t.comm = st[i].comm;
		vec_push(&v, t);
	}
	wire_add_thread_map(&f->buf, v.v, v.n);
	vec_free(&v);
	free(st);
}

/* Who reads a pipe needs them before the first count. */
static void add_features(struct count_file *f, const struct event_list *l, const struct os *os)
{
	static const enum data_feature wanted[] = { FEAT_NRCPUS, FEAT_CPU_TOPOLOGY,
						    FEAT_NUMA_TOPOLOGY, FEAT_CACHE };
	struct data_features feat;

	data_features_init(&feat);
	data_features_collect(&feat, os);
	data_set_raw(&feat, FEAT_COUNTS, &f->section);
	for (size_t i = 0; i < ARRAY_SIZE(wanted) && !f->err.code; i++)
		if (data_has(&feat, wanted[i]))
			data_write_feature(&f->w, &feat, wanted[i], l, &f->err);
	if (!f->err.code)
		data_write_feature(&f->w, &feat, FEAT_COUNTS, l, &f->err);
	data_features_release(&feat);
}

/* Of perf's own events, which have none of the kernel's. */
static void number_tools(struct event_list *l)
{
	for vec_each(e, &l->events) {
		const u64 id = 1ULL << 63 | (u64)(*e)->index;

		if ((*e)->tool && !(*e)->n_ids)
			event_add_ids(*e, &id, 1);
	}
}

int count_file_begin(struct count_file *f, struct event_list *l, struct os *os,
		     const struct count_opts *o,
		     struct err *err)
{
	/* the level of caches; for the last one upstream has 5 */
	struct wire_tag tags[4] = { { 0, 1 }, { 2, !o->stat.no_scale },
				    { 1, o->interval_ns / 1000000 },
				    { 3, o->cache_level ? (u64)o->cache_level : 5 } };
	bool tracepoints = false;
	int ret = 0;

	if (f->began)
		return 0;
	f->began = true;
	f->cpus = l->cpus.v;
	number_tools(l);
	for (size_t i = 0; i < l->events.n; i++)
		tracepoints |= l->events.v[i]->tp_system != NULL;
	if (tracepoints)
		ret = tp_table_write_section(os, l, &f->tracing, err);
	if (!ret)
		ret = data_writer_events(&f->w, l, (struct span){ (const u8 *)f->tracing.buf,
								  f->tracing.len }, err);
	for (size_t i = 0; i < ARRAY_SIZE(aggrs); i++)
		if (aggrs[i].aggr == o->stat.aggr)
			tags[0].value = aggrs[i].number;
	for (size_t i = 0; i < l->events.n; i++)
		add_event(f, l->events.v[i]);
	add_threads(f, l, os);
	wire_add_cpu_map(&f->buf, l->cpus.v, l->cpus.n);
	wire_add_stat_config(&f->buf, tags, o->stat.aggr == STAT_CACHE ? 4 : 3);
	count_section_add(l, os, o, &f->section);
	if (!ret && f->w.pipe)
		add_features(f, l, os);
	return ret;
}

/* ids stand in the order of the open descriptors */
static u64 id_of(const struct event *e, int thread, int cpu)
{
	size_t n = 0, want = (size_t)thread * e->n_cpus + cpu;

	for (size_t i = 0; i < want; i++)
		n += e->fds[i] >= 0;
	return n < e->n_ids ? e->ids[n] : 0;
}

void count_file_value(struct count_file *f, const struct event *e, int thread, int cpu,
		      const struct event_count *c)
{
	struct wire_stat s = { .id = id_of(e, thread, cpu), .thread = (u32)thread,
			       .value = c->value,
			       .enabled_ns = c->enabled_ns, .running_ns = c->running_ns };

	s.cpu = (u32)f->cpus[cpu];
	wire_add_stat(&f->buf, &s);
}

void count_file_round(struct count_file *f, u64 time_ns, bool last)
{
	wire_add_stat_round(&f->buf, last, time_ns);
	flush(f);
}

int count_file_finish(struct count_file *f, const struct event_list *l, struct os *os,
		      struct err *err)
{
	struct data_features feat;
	int ret;

	flush(f);
	data_features_init(&feat);
	data_features_collect(&feat, os);
	data_set_str(&feat, FEAT_VERSION, f->version);
	data_set_cmdline(&feat, f->argc, f->argv);
	data_set(&feat, FEAT_STAT);
	if (f->section.len)
		data_set_raw(&feat, FEAT_COUNTS, &f->section);
	ret = data_writer_finish(&f->w, &feat, l, err);
	if (f->err.code)
		ret = err_set(err, f->err.code, "%s", f->err.msg);
	data_features_release(&feat);
	return ret;
}

void count_file_abort(struct count_file *f)
{
	data_writer_abort(&f->w);
}

void count_file_free(struct count_file *f)
{
	if (!f)
		return;
	data_writer_release(&f->w);
	str_release(&f->tracing);
	str_release(&f->buf);
	str_release(&f->section);
	err_release(&f->err);
	free(f);
}

/* --- reading --- */

struct count_replay {
	struct data_reader *r;		/* the model points to its events */
	struct count_opts *o;
	struct count_metrics_of m;
	struct count_result *res;
	int aggr;			/* < 0: as recorded */
	VEC(char *) comms;
	u64 last_ns;
	size_t n_taken;			/* events */
	bool has_interval;
};

/* What a machine can have; a file may claim anything. */
#define MAX_CPUS 8192
#define MAX_COUNTERS (1u << 22)
#define SURE_COUNTERS (1u << 16)

/* Each counter has a record of at least 48 bytes, unless the file was cut off. */
static int check_size(const struct count_replay *p, const char **reason)
{
	const struct event_list *l = &p->r->events;
	const u64 n = l->tids.n * MAX(l->cpus.n, (size_t)1) * l->events.n;

	if (l->cpus.n <= MAX_CPUS && n <= MAX_COUNTERS &&
	    (p->r->stream || n <= MAX(p->r->file_bytes / 16, (u64)SURE_COUNTERS)))
		return 0;
	*reason = "too many CPUs and threads to be true";
	return -EINVAL;
}

/* Counters that could not be opened have no ids. */
static void take_supported(struct count_replay *p)
{
	const struct event_list *l = &p->r->events;

	for (; p->n_taken < l->events.n; p->n_taken++) {
		struct event *e = l->events.v[p->n_taken];

		e->supported = e->n_ids > 0;
		e->tool = (u8)event_tool_recorded(e);
		e->dummy = false;	/* there is no side-band here: it was counted */
	}
}

/* Caches by their first CPU, as those that have no number. */
static void fill_caches(const struct count_replay *p, os_cpu_vec *topo)
{
	for vec_each(c, &p->r->feat.caches) {
		int_vec cpus = { 0 };

		if (!c->cpus || !c->type || !strcmp(c->type, "Instruction") ||
		    (p->o->cache_level && (int)c->level != p->o->cache_level) ||
		    parse_int_list(c->cpus, &cpus, NULL))
			vec_clear(&cpus);
		for (size_t k = 0; k < cpus.n; k++)
			if ((size_t)cpus.v[k] < topo->n &&
			    (int)c->level > topo->v[cpus.v[k]].cache_level) {
				topo->v[cpus.v[k]].cache = cpus.v[0];
				topo->v[cpus.v[k]].cache_level = (int)c->level;
			}
		vec_free(&cpus);
	}
}

static void fill_topology(struct count_replay *p, os_cpu_vec *topo)
{
	struct err err = ERR_INIT;

	for (size_t i = 0; i < p->r->feat.cpus.n; i++)
		vec_push(topo, ((struct os_cpu){ .cpu = (int)i, .core = p->r->feat.cpus.v[i].core,
						  .die = p->r->feat.cpus.v[i].die,
						  .cluster = -1,
						  .socket = p->r->feat.cpus.v[i].socket,
						  .node = -1, .cache = -1,
						  .cache_level = -1 }));
	for (size_t i = 0; i < p->r->feat.numa.n; i++) {
		int_vec cpus = { 0 };

		if (p->r->feat.numa.v[i].cpus && !parse_int_list(p->r->feat.numa.v[i].cpus, &cpus,
								 NULL))
			for (size_t k = 0; k < cpus.n; k++)
				if ((size_t)cpus.v[k] < topo->n)
					topo->v[cpus.v[k]].node = (int)p->r->feat.numa.v[i].node;
		vec_free(&cpus);
	}
	fill_caches(p, topo);
	if (count_section_read(p->r, p->o, topo, &p->m, &err)) {
		data_warn(p->r, NULL, "%s", err.msg);
		err_release(&err);
	}
}

static int make_model(struct count_replay *p, const char **reason)
{
	struct event_list *l = &p->r->events;
	os_cpu_vec topo = { 0 };

	if (check_size(p, reason))
		return -EINVAL;
	take_supported(p);
	if (p->res->stat)
		return 0;
	if (!l->tids.n)
		vec_push(&l->tids, -1);
	if (!l->cpus.n)
		vec_push(&l->cpus, -1);
	fill_topology(p, &topo);
	p->res->stat = stat_new(l, topo.v, topo.n, &p->o->stat);
	for (size_t i = 0; i < p->comms.n && i < l->tids.n; i++)
		stat_set_comm(p->res->stat, (int)i, p->comms.v[i]);
	vec_free(&topo);
	return 0;
}

static int on_config(struct count_replay *p, const struct perf_event_header *h, const char **reason)
{
	struct wire_tag tags[16];
	size_t n = 0;
	int ret = wire_decode_stat_config(h, tags, ARRAY_SIZE(tags), &n, reason);

	for (size_t i = 0; !ret && i < n && i < ARRAY_SIZE(tags); i++) {
		if (tags[i].tag == 0 && p->aggr < 0)
			for (size_t k = 0; k < ARRAY_SIZE(aggrs); k++)
				if (aggrs[k].number == tags[i].value)
					p->o->stat.aggr = aggrs[k].aggr;
		if (tags[i].tag == 3 && p->aggr < 0)
			p->o->cache_level = tags[i].value <= 4 ? (int)tags[i].value : 0;
		if (tags[i].tag == 1)
			p->has_interval = tags[i].value;
		if (tags[i].tag == 2)
			p->o->stat.no_scale = !tags[i].value;
	}
	return ret;
}

static int on_threads(struct count_replay *p, const struct perf_event_header *h,
		      const char **reason)
{
	size_t n = 0, max = h->size / 24 + 1;
	struct wire_thread *v = xcalloc(max, sizeof(*v));
	int ret = wire_decode_thread_map(h, v, max, &n, reason);

	for (size_t i = 0; !ret && i < n && i < max && !p->res->stat; i++) {
		vec_push(&p->r->events.tids, (int)v[i].tid);
		vec_push(&p->comms, xstrdup(v[i].comm));
	}
	free(v);
	return ret;
}

static int on_value(struct count_replay *p, const struct perf_event_header *h, const char **reason)
{
	const struct event_list *l = &p->r->events;
	struct wire_stat s;
	const struct event *e;
	int ret = wire_decode_stat(h, &s, reason);

	if (!ret)
		ret = make_model(p, reason);
	/* upstream perf 7.2 writes counts without an id for what no counter is of */
	if (ret || !s.id)
		return ret;
	e = event_list_by_id(l, s.id);
	for (size_t c = 0; e && c < l->cpus.n; c++)
		if (l->cpus.v[c] == (int)s.cpu && s.thread < l->tids.n) {
			stat_put(p->res->stat, e->index, (int)s.thread, (int)c,
				 &(struct event_count){ s.value, s.enabled_ns, s.running_ns });
			return 0;
		}
	*reason = e ? "a count of a CPU or thread that the file does not list" :
		"a count of no event";
	return -EINVAL;
}

static int on_round(struct count_replay *p, const struct perf_event_header *h, const char **reason)
{
	stat_rows rows = { 0 };
	u64 type, t;
	int ret = wire_decode_stat_round(h, &type, &t, reason);

	if (!ret)
		ret = make_model(p, reason);
	if (ret)
		return ret;
	if (t > INT64_MAX || (p->has_interval && t < p->last_ns)) {
		*reason = t > INT64_MAX ? "a round at a time beyond any clock" :
			"a round at a time before the last one's";
		return -EINVAL;
	}
	if (p->has_interval && p->o->on_interval) {
		stat_get_rows(p->res->stat, t - p->last_ns, &rows);
		p->o->on_interval(p->o->ctx, rows.v, rows.n, t);
		stat_next(p->res->stat);
		p->last_ns = t;
		p->res->n_intervals++;
		vec_free(&rows);
	}
	if (type == 1 || !p->res->seconds.n) {
		vec_clear(&p->res->seconds);
		vec_push(&p->res->seconds, (double)t / 1e9);
	}
	return 0;
}

/* What the attrs do not say of an event. */
static int on_update(struct count_replay *p, const struct perf_event_header *h,
		     const char **reason)
{
	struct wire_update u;
	const int ret = wire_decode_event_update(h, &u, reason);
	const struct event *of = ret ? NULL : event_list_by_id(&p->r->events, u.id);
	struct event *e = of ? p->r->events.events.v[of->index] : NULL;

	if (e && u.what == WIRE_UPDATE_UNIT) {
		free(e->unit);
		e->unit = xstrdup(u.text);
	} else if (e && u.what == WIRE_UPDATE_SCALE) {
		e->scale = u.scale;
	} else if (e && u.what == WIRE_UPDATE_CPUS) {
		vec_free(&e->own_cpus);
		e->own_cpus = u.cpus;
		u.cpus = (int_vec){ 0 };
	}
	if (!ret)
		vec_free(&u.cpus);
	return ret;
}

int count_replay_record(struct count_replay *p, const struct perf_event_header *rec, u64 off,
			struct err *err)
{
	const char *reason = "";
	int_vec cpus = { 0 };
	int ret = 0;

	switch (rec->type) {
	case WIRE_STAT_CONFIG: ret = on_config(p, rec, &reason); break;
	case WIRE_THREAD_MAP: ret = on_threads(p, rec, &reason); break;
	case WIRE_CPU_MAP:
		ret = wire_decode_cpu_map(rec, &cpus, &reason);
		/* the last one holds: a short record may name 65536 */
		if (!ret && !p->res->stat)
			vec_clear(&p->r->events.cpus);
		for (size_t i = 0; !ret && i < cpus.n && !p->res->stat; i++)
			vec_push(&p->r->events.cpus, cpus.v[i]);
		vec_free(&cpus);
		break;
	case WIRE_STAT: ret = on_value(p, rec, &reason); break;
	case WIRE_EVENT_UPDATE: ret = on_update(p, rec, &reason); break;
	case WIRE_STAT_ROUND: ret = on_round(p, rec, &reason); break;
	}
	return ret ? err_set(err, EINVAL, "'%s' at offset 0x%llx: %s", p->r->path,
			     (unsigned long long)off, reason) : 0;
}

struct count_replay *count_replay_new(struct data_reader *r, int aggr, struct count_opts *o,
				      const struct count_metrics_of *m, struct count_result *res)
{
	struct count_replay *p = xnew(struct count_replay);

	*p = (struct count_replay){ .r = r, .o = o, .m = *m, .res = res, .aggr = aggr };
	if (aggr >= 0)
		o->stat.aggr = aggr;
	return p;
}

int count_replay_end(struct count_replay *p, struct str *title, struct err *err)
{
	struct count_result *res = p->res;

	for (size_t i = 0; i < p->r->feat.cmdline.n; i++)
		str_addf(title, "%s%s", i ? " " : "", p->r->feat.cmdline.v[i]);
	if (!title->len && p->r->pipe_mode)
		str_add(title, "pipe");
	if (!res->stat) {
		err_set(err, ENODATA, "'%s' has no counts", p->r->path);
		err_hint(err, "perf stat record writes such files; perf report shows samples");
		return -ENODATA;
	}
	take_supported(p);
	stat_rewind(res->stat);
	stat_get_rows(res->stat, res->seconds.n ? u64_of(res->seconds.v[0] * 1e9) : 0, &res->rows);
	if (p->has_interval)
		p->o->interval_ns = 1;
	return 0;
}

void count_replay_free(struct count_replay *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->comms.n; i++)
		free(p->comms.v[i]);
	vec_free(&p->comms);
	free(p);
}
