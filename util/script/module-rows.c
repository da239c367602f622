// SPDX-License-Identifier: GPL-2.0-or-later
// Tables for programs in Python: rows of perf report, counts of perf stat, the header.
#include <errno.h>
#include <stdlib.h>

#include "util/analysis/hist/hist.h"
#include "util/script/module-priv.h"
#include "util/wire/user.h"

static void put(const struct module *m, struct py_obj *dict, const char *key, struct py_obj *take)
{
	m->py->PyDict_SetItemString(dict, key, take);
	m->py->Py_DecRef(take);
}

/* ---- report ---- */

static struct py_obj *cell_object(const struct module *m, const struct cell *c)
{
	const struct py *py = m->py;

	switch ((enum cell_kind)c->kind) {
	case CELL_TEXT: case CELL_SYM:
		return module_text(m, c->text);
	case CELL_COUNT: case CELL_NS: case CELL_BYTES: case CELL_ADDR: case CELL_TASK:
		return py->PyLong_FromUnsignedLongLong(c->u);
	case CELL_INT:
		return py->PyLong_FromLongLong(c->s);
	case CELL_BOOL:
		return py->PyBool_FromLong((long)c->u);
	case CELL_PCT: case CELL_NUM:
		return py->PyFloat_FromDouble(c->d);
	case CELL_NONE: case CELL_LIST: case CELL_ABSENT:
		break;
	}
	return module_text(m, NULL);
}

static void add_rows(const struct module *m, struct hist *h, const struct event *e,
		     struct py_obj *list)
{
	const struct hist_view_opts view = { .chain.mode = CHAIN_NONE };
	struct table t = { 0 };

	hist_table(h, e, &view, &t);
	for vec_each(row, &t.rows) {
		struct py_obj *d = m->py->PyDict_New();

		put(m, d, "event", module_text(m, e->name));
		for (size_t i = 0; i < t.cols.n; i++)
			put(m, d, t.cols.v[i].key, cell_object(m, &row->cells[i]));
		m->py->PyList_Append(list, d);
		m->py->Py_DecRef(d);
	}
	table_release(&t);
}

static int make_rows(struct module *m, struct session *s, const struct hist_opts *opts,
		     struct py_obj *list)
{
	struct hist *h = hist_new(opts, &s->err);
	struct sink *sink;
	void *thread;
	int ret;

	if (!h)
		return -EINVAL;
	sink = hist_sink(h);
	thread = m->py->PyEval_SaveThread();
	ret = session_run(s, &sink, 1);
	if (ret >= 0)
		hist_finish(h);
	m->py->PyEval_RestoreThread(thread);
	for vec_each(e, &s->source->events->events)
		if (ret >= 0 && hist_total(h, *e).n)
			add_rows(m, h, *e, list);
	hist_free(h);
	return ret;
}

static int report(struct module *m, struct session *s, const struct module_file *f,
		  const struct keys_spec *spec, struct py_obj *list)
{
	struct hist_keys keys = { 0 };
	int ret = module_open(s, f, 0);
	struct hist_opts opts = { .keys = &keys, .no_inline = f->no_inline };
	struct keys_spec k = *spec;

	if (ret == 0) {
		opts.events = s->source->events;
		opts.machine = stream_machine(s->stream);
		opts.swap = s->source->swap;
		opts.children = k.children = k.children &&
			event_list_samples(opts.events, PERF_SAMPLE_CALLCHAIN);
		ret = hist_keys_init(&keys, &k, opts.events, &s->err);
	}
	if (ret == 0)
		ret = make_rows(m, s, &opts, list);
	hist_keys_release(&keys);
	return ret;
}

/* What a call says: the list, or an exception. */
static struct py_obj *finish(struct module *m, struct session *s, int ret, struct py_obj *list)
{
	if (ret < 0) {
		m->py->Py_DecRef(list);
		list = module_raise(m, &s->err);
	}
	session_close(s, 0);
	return list;
}

struct py_obj *module_report(struct py_obj *self, struct py_obj *args)
{
	struct module *m = module_of(self);
	struct module_file f = { 0 };
	struct keys_spec spec = { .show_n = true, .show_period = true };
	struct session s = { 0 };
	struct py_obj *file, *list;
	int children;

	if (!m->py->PyArg_ParseTuple(args, "Ozp", &file, &spec.sort, &children) ||
	    !module_file(m, file, &f))
		return NULL;
	spec.children = children;
	list = m->py->PyList_New(0);
	return finish(m, &s, report(m, &s, &f, &spec, list), list);
}

/* ---- counts ---- */

struct counts {
	struct sink sink;			/* first */
	struct module *m;
	const struct event_list *events;
	struct py_obj *list;
	VEC(struct wire_stat) now;		/* of the interval that has not ended yet */
	int_vec tids;
};

static void add_count(struct counts *c, u64 time_ns, const struct wire_stat *v)
{
	const struct py *py = c->m->py;
	const struct event *e = event_list_by_id(c->events, v->id);
	struct py_obj *t = py->PyTuple_New(7);

	py->PyTuple_SetItem(t, 0, py->PyLong_FromUnsignedLongLong(time_ns));
	py->PyTuple_SetItem(t, 1, module_text(c->m, e ? e->name : NULL));
	py->PyTuple_SetItem(t, 2, py->PyLong_FromLongLong((s32)v->cpu));
	py->PyTuple_SetItem(t, 3, py->PyLong_FromLongLong(v->thread < c->tids.n ?
							  c->tids.v[v->thread] : -1));
	py->PyTuple_SetItem(t, 4, py->PyLong_FromUnsignedLongLong(v->value));
	py->PyTuple_SetItem(t, 5, py->PyLong_FromUnsignedLongLong(v->enabled_ns));
	py->PyTuple_SetItem(t, 6, py->PyLong_FromUnsignedLongLong(v->running_ns));
	py->PyList_Append(c->list, t);
	py->Py_DecRef(t);
}

static void on_record(struct sink *s, const struct perf_event_header *rec,
		      const struct sample_id *id UNUSED, u64 off UNUSED)
{
	struct counts *c = (struct counts *)s;
	struct wire_stat v;
	const char *reason;
	u64 type, time_ns;

	switch (rec->type) {
	case WIRE_THREAD_MAP:
		wire_thread_map_tids(rec, &c->tids);
		break;
	case WIRE_STAT:
		if (wire_decode_stat(rec, &v, &reason) == 0)
			vec_push(&c->now, v);
		break;
	case WIRE_STAT_ROUND:
		if (wire_decode_stat_round(rec, &type, &time_ns, &reason))
			break;
		for vec_each(one, &c->now)
			add_count(c, time_ns, one);
		vec_clear(&c->now);
		break;
	}
}

static void no_samples(struct sink *s UNUSED, const struct sink_item *items UNUSED,
		       size_t n UNUSED)
{
}

struct py_obj *module_counts(struct py_obj *self, struct py_obj *args)
{
	struct module *m = module_of(self);
	struct module_file f = { .threads = 1 };
	struct session s = { 0 };
	struct counts c = { .sink = { .wants = SINK_ORDER | SINK_SIDEBAND, .record = on_record,
				      .samples = no_samples }, .m = m };
	struct sink *sink = &c.sink;
	struct py_obj *file;
	int ret;

	if (!m->py->PyArg_ParseTuple(args, "O", &file) || !module_file(m, file, &f))
		return NULL;
	c.list = m->py->PyList_New(0);
	ret = module_open(&s, &f, 0);
	if (ret == 0) {
		c.events = s.source->events;
		ret = session_run(&s, &sink, 1);
	}
	vec_free(&c.now);
	vec_free(&c.tids);
	return finish(m, &s, ret, c.list);
}

/* ---- header ---- */

/* (text, names of events) */
struct py_obj *module_header(struct py_obj *self, struct py_obj *args)
{
	struct module *m = module_of(self);
	struct module_file f = { 0 };
	struct session s = { 0 };
	struct str text = STR_INIT;
	struct py_obj *ret, *names;

	if (!m->py->PyArg_ParseTuple(args, "z", &f.path))
		return NULL;
	ret = m->py->PyTuple_New(2);
	if (module_open(&s, &f, DATA_HEADER_ONLY))
		return finish(m, &s, -1, ret);
	names = m->py->PyList_New(0);
	for vec_each(e, &s.source->events->events) {
		struct py_obj *name = module_text(m, (*e)->name);

		m->py->PyList_Append(names, name);
		m->py->Py_DecRef(name);
	}
	data_print_header(s.source->reader, false, &text);
	m->py->PyTuple_SetItem(ret, 0, module_text(m, str_cstr(&text)));
	m->py->PyTuple_SetItem(ret, 1, names);
	str_release(&text);
	return finish(m, &s, 0, ret);
}

/* ---- names of events ---- */

struct py_obj *module_parse(struct py_obj *self, struct py_obj *args)
{
	struct module *m = module_of(self);
	struct event_list l;
	struct err err = ERR_INIT;
	struct py_obj *list = NULL;
	struct pmu_db *db;
	struct os os;
	char *text;

	if (!m->py->PyArg_ParseTuple(args, "s", &text))
		return NULL;
	event_list_init(&l);
	os_init(&os);
	db = pmu_db_new(&os);
	if (event_parse(&l, text, &os, db, &err) < 0)
		module_raise(m, &err);
	else
		list = m->py->PyList_New(0);
	for vec_each(e, &l.events) {
		struct py_obj *t = list ? m->py->PyTuple_New(2) : NULL;

		if (!t)
			break;
		m->py->PyTuple_SetItem(t, 0, module_text(m, (*e)->name));
		m->py->PyTuple_SetItem(t, 1, m->py->PyBytes_FromStringAndSize(
			(const char *)&(*e)->attr, sizeof((*e)->attr)));
		m->py->PyList_Append(list, t);
		m->py->Py_DecRef(t);
	}
	event_list_release(&l);
	pmu_db_free(db);
	os_release(&os);
	return list;
}
