// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples one by one: the stream runs on a stack of its own, and stands still while the program
 * looks at what it brought.
 *
 *  1. Nothing of Python is called on that stack: batches are made into objects on the caller's.
 *  2. A frame holds its run, so what it points to lives as long as it does. The run holds frames
 *     only until its end.
 */
#include <errno.h>
#include <stdlib.h>
#include <ucontext.h>

#include "util/script/module-priv.h"
#include "util/stream/frame.h"

enum { STACK_BYTES = 8 << 20, MOST_SAMPLES = 512 };

struct run {
	struct sink sink;			/* first */
	struct python p;			/* of it: texts, fields of events */
	struct python_opts opts;
	struct module *m;
	struct session s;
	ucontext_t caller, stream;
	char *stack;
	const struct sink_item *items;		/* what was brought, not made into objects yet */
	size_t n_items;
	int ret;
	bool begun, over, closed;
};

/* ---- the stream's side ---- */

static void bring(struct sink *s, const struct sink_item *items, size_t n)
{
	struct run *r = (struct run *)s;

	r->items = items;
	r->n_items = n;
	while (r->n_items && !s->stop)
		swapcontext(&r->stream, &r->caller);
}

static void run_stream(unsigned high, unsigned low)
{
	struct run *r = (struct run *)((uintptr_t)high << 32 | low);
	struct sink *sink = &r->sink;

	r->ret = session_run(&r->s, &sink, 1);
	r->over = true;
}

/* ---- the program's side ---- */

static void resume(struct run *r)
{
	void *thread = r->m->py->PyEval_SaveThread();
	const uintptr_t at = (uintptr_t)r;

	if (!r->begun) {
		r->begun = true;
		getcontext(&r->stream);
		r->stream.uc_stack.ss_sp = r->stack = xmalloc(STACK_BYTES);
		r->stream.uc_stack.ss_size = STACK_BYTES;
		r->stream.uc_link = &r->caller;
		makecontext(&r->stream, (void (*)(void))run_stream, 2, (unsigned)(at >> 32),
			    (unsigned)at);
	}
	swapcontext(&r->caller, &r->stream);
	r->m->py->PyEval_RestoreThread(thread);
}

static void stop(struct run *r)
{
	r->sink.stop = true;
	while (r->begun && !r->over)
		resume(r);
	r->n_items = 0;
}

static void drop_objects(struct run *r)
{
	for (size_t i = 0; i < r->p.events.n; i++) {
		struct event_state *st = per_event_at(&r->p.events, i);

		if (st)
			event_state_release(&r->p, st);
	}
	per_event_release(&r->p.events);
	store_release(&r->p);
	memset(&r->p.store, 0, sizeof(r->p.store));
}

static void end(struct run *r)
{
	if (r->closed)
		return;
	r->closed = true;
	stop(r);
	drop_objects(r);
	free(r->stack);
	r->stack = NULL;
}

static struct run *run_of(struct py_obj *o)
{
	return python_api()->PyCapsule_GetPointer(o, "perf.run");
}

/* No frame is left that needs the session. */
static void free_run(struct py_obj *o)
{
	struct run *r = run_of(o);

	end(r);
	session_close(&r->s, 0);
	free(r);
}

struct py_obj *module_begin(struct py_obj *self, struct py_obj *args)
{
	struct module_file f = { .threads = 1 };
	struct module *m = module_of(self);
	struct py_obj *file;
	struct run *r;

	if (!m->py->PyArg_ParseTuple(args, "O", &file) || !module_file(m, file, &f))
		return NULL;
	r = xnew(struct run);
	r->m = m;
	r->p = (struct python){ .py = r->m->py, .opts = &r->opts, .globals = r->m->dict };
	r->ret = module_open(&r->s, &f, 0);
	if (r->ret) {
		module_raise(r->m, &r->s.err);
		session_close(&r->s, 0);
		free(r);
		return NULL;
	}
	r->opts.swap = r->s.source->swap;
	r->p.list = r->s.source->events;
	r->p.machine = stream_machine(r->s.stream);
	store_init(&r->p);
	per_event_init(&r->p.events, sizeof(struct event_state), event_state_init, &r->p);
	r->sink = (struct sink){ .wants = SINK_ORDER | SINK_THREAD | SINK_SYMBOLS | SINK_CHAIN |
				 (f.no_inline ? 0 : SINK_INLINE), .samples = bring };
	return r->m->py->PyCapsule_New(r, "perf.run", free_run);
}

struct py_obj *module_end(struct py_obj *self, struct py_obj *args)
{
	struct module *m = module_of(self);
	struct py_obj *o;

	if (!m->py->PyArg_ParseTuple(args, "O", &o))
		return NULL;
	end(run_of(o));
	return module_text(m, NULL);
}

/* ---- objects ---- */

static void free_place(struct py_obj *o)
{
	free(python_api()->PyCapsule_GetPointer(o, "perf.place"));
}

static struct py_obj *offset_of(struct run *r, const struct location *l)
{
	return l->sym ? number_of(&r->p, l->rva + l->back - l->sym->start_rva) :
		module_text(r->m, NULL);
}

static struct py_obj *text_or_none(struct run *r, const char *text)
{
	return text ? text_of(&r->p, text) : module_text(r->m, NULL);
}

static struct py_obj *new_frame(struct run *r, struct py_obj *run, const struct location *l)
{
	const struct py *py = r->m->py;
	struct location *copy = xmalloc(sizeof(*copy));
	struct py_obj *a[7] = { run, py->PyCapsule_New(copy, "perf.place", free_place),
		number_of(&r->p, l->va), text_or_none(r, frame_function(l)), offset_of(r, l),
		text_or_none(r, l->map ? l->dso->path : NULL),
		py_again(&r->p, l->inline_depth ? r->p.store.yes : r->p.store.no) };
	struct py_obj *frame;

	*copy = *l;
	frame = py->PyObject_CallFunctionObjArgs(py->PyDict_GetItemString(r->m->dict, "Frame"),
						 a[0], a[1], a[2], a[3], a[4], a[5], a[6], NULL);
	for (size_t i = 1; i < ARRAY_SIZE(a); i++)
		py->Py_DecRef(a[i]);
	return frame;
}

static struct py_obj *frame_of(struct run *r, struct py_obj *run, const struct location *l)
{
	u64 hash = l->va ^ (uintptr_t)l->map ^ (uintptr_t)l->inl << 3;
	struct frame_slot *f = &r->p.store.frames[hash_slot(hash, FRAME_SLOTS)];

	if (!f->frame || f->va != l->va || f->map != l->map || f->inl != l->inl ||
	    f->symbol != l->sym) {
		py_drop(&r->p, f->frame);
		*f = (struct frame_slot){ .va = l->va, .map = l->map, .inl = l->inl,
					  .symbol = l->sym, .frame = new_frame(r, run, l) };
	}
	return f->frame ? py_again(&r->p, f->frame) : module_text(r->m, NULL);
}

static struct py_obj *chain_of(struct run *r, struct py_obj *run, const struct resolved *res)
{
	struct py_obj *t = r->m->py->PyTuple_New(res->n_frames);

	for (u32 i = 0; i < res->n_frames; i++)
		r->m->py->PyTuple_SetItem(t, i, frame_of(r, run, &res->frames[i]));
	return t;
}

static struct py_obj *fields_of(struct run *r, const struct sample *s)
{
	struct py_obj *d;

	if (!s->event->format || !(s->present & PERF_SAMPLE_RAW))
		return module_text(r->m, NULL);
	d = r->m->py->PyDict_New();
	add_fields(&r->p, event_state_of(&r->p, s->event), s, NULL, d);
	return d;
}

static struct py_obj *id_of(struct run *r, const struct sample *s, u64 flag, u32 v)
{
	return r->m->py->PyLong_FromLongLong(s->present & flag ? (s64)(s32)v : -1);
}

static struct py_obj *sample_of(struct run *r, struct py_obj *run, const struct sink_item *it)
{
	const struct sample *s = it->sample;
	const struct location *leaf = &it->res->leaf;
	struct py_obj *v[] = {
		text_of(&r->p, s->event->name), text_of(&r->p, it->res->comm->name),
		id_of(r, s, PERF_SAMPLE_TID, s->pid), id_of(r, s, PERF_SAMPLE_TID, s->tid),
		id_of(r, s, PERF_SAMPLE_CPU, s->cpu), number_of(&r->p, s->time_ns),
		number_of(&r->p, s->present & PERF_SAMPLE_PERIOD ? s->period :
			  s->event->attr.sample_period),
		number_of(&r->p, s->ip),
		number_of(&r->p, s->present & PERF_SAMPLE_ADDR ? s->addr : 0),
		number_of(&r->p, s->weight),
		text_or_none(r, leaf->sym ? leaf->sym->name : NULL), offset_of(r, leaf),
		text_or_none(r, leaf->map ? leaf->dso->path : NULL),
		chain_of(r, run, it->res), fields_of(r, s),
	};
	struct py_obj *o = r->m->py->PyStructSequence_New(r->m->sample);

	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		r->m->py->PyStructSequence_SetItem(o, (ssize_t)i, v[i]);
	return o;
}

struct py_obj *module_next(struct py_obj *self, struct py_obj *args)
{
	struct module *m = module_of(self);
	struct py_obj *o, *list;
	struct run *r;
	size_t n;

	if (!m->py->PyArg_ParseTuple(args, "O", &o))
		return NULL;
	r = run_of(o);
	while (!r->n_items && !r->over && !r->closed)
		resume(r);
	if (r->over && r->ret < 0)
		return module_raise(m, &r->s.err);
	n = MIN(r->n_items, (size_t)MOST_SAMPLES);
	list = m->py->PyList_New((ssize_t)n);
	for (size_t i = 0; i < n; i++)
		m->py->PyList_SetItem(list, (ssize_t)i, sample_of(r, o, &r->items[i]));
	r->items += n;
	r->n_items -= n;
	return list;
}

struct py_obj *module_srcline(struct py_obj *self, struct py_obj *args)
{
	struct module *m = module_of(self);
	const struct location *l;
	struct srcline at = { 0 };
	struct py_obj *run, *place, *ret;
	struct str s = STR_INIT;

	if (!m->py->PyArg_ParseTuple(args, "OO", &run, &place))
		return NULL;
	l = m->py->PyCapsule_GetPointer(place, "perf.place");
	if (l->inl)
		at = l->inl->at;
	else if (l->map)
		dso_srcline(l->dso, l->rva, &at);
	if (at.file)
		str_addf(&s, "%s:%u", at.file, at.line);
	ret = module_text(m, at.file ? str_cstr(&s) : NULL);
	str_release(&s);
	return ret;
}
