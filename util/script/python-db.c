// SPDX-License-Identifier: GPL-2.0-or-later
// Scripts with perf_db_export_mode: rows of tables, as perf-script-python(1) names them, in the
// place of samples. What upstream perf 7.2 hands to such scripts was found by running it.
#include <stdlib.h>

#include "util/script/python-db-priv.h"
#include "util/script/sample-code.h"

static const char *const table_names[] = {
	[DB_EVSEL] = "evsel_table", [DB_MACHINE] = "machine_table", [DB_THREAD] = "thread_table",
	[DB_COMM] = "comm_table", [DB_COMM_THREAD] = "comm_thread_table", [DB_DSO] = "dso_table",
	[DB_SYMBOL] = "symbol_table", [DB_BRANCH_TYPE] = "branch_type_table",
	[DB_SAMPLE] = "sample_table", [DB_CALL_PATH] = "call_path_table",
	[DB_CALL_RETURN] = "call_return_table", [DB_SYNTH] = "synth_data",
	[DB_SWITCH] = "context_switch_table",
};

enum { MACHINE_ID = 1 };

/* ---- rows ---- */

static struct py_obj *cell_object(struct python *p, const struct db_cell *c)
{
	if (c->bytes)
		return p->py->PyBytes_FromStringAndSize(c->bytes, (ssize_t)c->v);
	if (c->text)
		return p->py->PyUnicode_DecodeUTF8(c->text, (ssize_t)strlen(c->text), "replace");
	return p->py->PyLong_FromLongLong(c->v);
}

void db_row(struct python *p, enum db_table table, const struct db_cell *cells, size_t n)
{
	const struct handler *h = &p->db->tables[table];
	struct py_obj *t;

	if (!h->call)
		return;
	t = p->py->PyTuple_New((ssize_t)n);
	for (size_t i = 0; i < n; i++)
		p->py->PyTuple_SetItem(t, (ssize_t)i, cell_object(p, &cells[i]));
	handler_call(p, h, t, table_names[table]);
}

/* The number of what is known by a pointer; *fresh: it had none. */
static u64 id_of(struct hmap *m, const void *what, u64 *last, bool *fresh)
{
	const u64 key = (uintptr_t)what;
	u64 id = (uintptr_t)hmap_get(m, key);

	*fresh = !id;
	if (id)
		return id;
	id = ++*last;
	hmap_put(m, key, (void *)(uintptr_t)id);
	return id;
}

/* ---- branch types ---- */

static void add_branch_type(struct python *p, u32 flags, const char *before, const char *name,
			    const char *behind)
{
	char *text = xasprintf("%s%s%s", before, name, behind);

	db_row(p, DB_BRANCH_TYPE, (struct db_cell[]){ DB_N(flags), DB_T(text) }, 2);
	free(text);
}

static void add_branch_types(struct python *p)
{
	static const struct { u32 flags; const char *name; } types[] = {
		{ 0, "no branch" },
		{ PT_F_BRANCH | PT_F_CALL, "call" },
		{ PT_F_BRANCH | PT_F_RETURN, "return" },
		{ PT_F_BRANCH | PT_F_CONDITIONAL, "conditional jump" },
		{ PT_F_BRANCH, "unconditional jump" },
		{ PT_F_BRANCH | PT_F_CALL | PT_F_INTERRUPT, "software interrupt" },
		{ PT_F_BRANCH | PT_F_RETURN | PT_F_INTERRUPT, "return from interrupt" },
		{ PT_F_BRANCH | PT_F_CALL | PT_F_SYSTEM, "system call" },
		{ PT_F_BRANCH | PT_F_RETURN | PT_F_SYSTEM, "return from system call" },
		{ PT_F_BRANCH | PT_F_ASYNC, "asynchronous branch" },
		{ PT_F_BRANCH | PT_F_CALL | PT_F_ASYNC | PT_F_INTERRUPT, "hardware interrupt" },
		{ PT_F_BRANCH | PT_F_TX_ABORT, "transaction abort" },
		{ PT_F_BRANCH | PT_F_BEGIN, "trace begin" },
		{ PT_F_BRANCH | PT_F_END, "trace end" },
		{ PT_F_BRANCH | PT_F_CALL | PT_F_VMENTRY, "vm entry" },
		{ PT_F_BRANCH | PT_F_CALL | PT_F_VMEXIT, "vm exit" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		add_branch_type(p, types[i].flags, "", types[i].name, "");
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		/* a jump where a trace begins or ends is that beginning or end */
		if (types[i].flags == PT_F_BRANCH || types[i].flags & (PT_F_BEGIN | PT_F_END))
			continue;
		add_branch_type(p, types[i].flags | PT_F_BEGIN, "trace begin / ", types[i].name,
				"");
		add_branch_type(p, types[i].flags | PT_F_END, "", types[i].name, " / trace end");
	}
}

/* ---- events, files, functions ---- */

static void need_machine(struct python *p)
{
	if (p->db->has_machine)
		return;
	p->db->has_machine = true;
	db_row(p, DB_MACHINE, (struct db_cell[]){ DB_N(MACHINE_ID), DB_N(-1), DB_T("") }, 3);
}

static u64 event_id(struct python *p, const struct event *e)
{
	bool fresh;
	u64 id = id_of(&p->db->events, e, &p->db->last.event, &fresh);

	if (fresh)
		db_row(p, DB_EVSEL, (struct db_cell[]){ DB_N(id), DB_T(e->name) }, 2);
	return id;
}

static u64 dso_id(struct python *p, const struct dso *d)
{
	struct str build_id = STR_INIT;
	bool fresh;
	u64 id = id_of(&p->db->dsos, d, &p->db->last.dso, &fresh);

	if (!fresh)
		return id;
	for (unsigned i = 0; i < d->id.n; i++)
		str_add_hex(&build_id, d->id.bytes[i], 2);
	db_row(p, DB_DSO, (struct db_cell[]){ DB_N(id), DB_N(MACHINE_ID), DB_T(d->short_name),
					      DB_T(d->path), DB_T(str_cstr(&build_id)) }, 5);
	str_release(&build_id);
	return id;
}

static void symbol_row(struct python *p, u64 id, u64 dso, struct symbol s, const char *name)
{
	db_row(p, DB_SYMBOL, (struct db_cell[]){
		DB_N(id), DB_N(dso), DB_N(s.start_rva), DB_N(s.end_rva), DB_N(s.binding),
		DB_T(name) }, 6);
}

/* Code without a name: a symbol without extent at that place. */
static u64 unknown_symbol_id(struct python *p, const struct dso *d, u64 dso, u64 place)
{
	const struct symbol s = { .start_rva = place, .end_rva = place };
	struct hmap *of_dso = hmap_get(&p->db->unknown, (uintptr_t)d);
	u64 id;

	if (!of_dso) {
		of_dso = xnew(struct hmap);
		hmap_put(&p->db->unknown, (uintptr_t)d, of_dso);
	}
	id = (uintptr_t)hmap_get(of_dso, place);
	if (id)
		return id;
	id = ++p->db->last.symbol;
	hmap_put(of_dso, place, (void *)(uintptr_t)id);
	symbol_row(p, id, dso, s, "unknown");
	return id;
}

struct db_place db_place_of(struct python *p, const struct location *l, bool frame)
{
	struct db_place at = { 0 };
	const struct hmap *of_dso;
	bool fresh;
	u64 place;

	if (!l->map)
		return at;
	place = dso_rva_to_off(l->dso, l->rva + l->back);
	at.dso = dso_id(p, l->dso);
	if (l->sym) {
		at.symbol = id_of(&p->db->symbols, l->inl ? (void *)l->inl : (void *)l->sym,
				  &p->db->last.symbol, &fresh);
		if (fresh)
			symbol_row(p, at.symbol, at.dso, symbol_in_file(l->dso, l->sym),
				   frame_label(l));
		at.off = l->rva + l->back - l->sym->start_rva;
		return at;
	}
	/* callers without a name are known by their address in memory, but where a sample was
	 * taken at the same place of the file */
	of_dso = hmap_get(&p->db->unknown, (uintptr_t)l->dso);
	if (frame && of_dso)
		at.symbol = (uintptr_t)hmap_get(of_dso, place);
	if (!at.symbol)
		at.symbol = unknown_symbol_id(p, l->dso, at.dso,
					      frame ? l->va : place);
	return at;
}

/* ---- samples ---- */

static u64 period_of(const struct sample *s)
{
	return s->present & PERF_SAMPLE_PERIOD ? s->period : s->event->attr.sample_period;
}

static void sample_row(struct python *p, const struct sample *s, const struct db_sample *d)
{
	const u32 flags = s->synth ? s->synth->flags : 0;
	const bool has_id = s->present & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER);

	db_row(p, DB_SAMPLE, (struct db_cell[]){
		DB_N(d->id), DB_N(d->event), DB_N(MACHINE_ID), DB_N(d->task.thread),
		DB_N(d->task.comm), DB_N(d->ip.dso), DB_N(d->ip.symbol), DB_N(d->ip.off),
		DB_N(s->ip), DB_N(s->present & PERF_SAMPLE_TIME ? s->time_ns : ~0ULL),
		DB_N(s->present & PERF_SAMPLE_CPU ? (s64)(s32)s->cpu : -1), DB_N(d->addr.dso),
		DB_N(d->addr.symbol), DB_N(d->addr.off),
		DB_N(s->present & PERF_SAMPLE_ADDR ? s->addr : 0), DB_N(period_of(s)),
		DB_N(sample_has_weight(s) ? s->weight : 0),
		DB_N(s->present & PERF_SAMPLE_TRANSACTION ? s->transaction : 0),
		DB_N(sample_data_src(s)), DB_N(flags & DB_BRANCH_FLAGS),
		DB_N(!!(flags & PT_F_IN_TX)), DB_N(d->path),
		DB_N(s->synth ? s->synth->n_insns : 0), DB_N(s->synth ? s->synth->n_cycles : 0),
		DB_N(flags), DB_N(has_id ? s->id : ~0ULL), DB_N(sample_stream_id(s)),
		DB_N(sample_has_weight(s) ? s->ins_lat : 0) }, 28);
}

static bool is_branch_event(const struct perf_event_attr *a)
{
	return a->type == PERF_TYPE_HARDWARE && a->config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
}

void db_sample(struct python *p, const struct sink_item *it)
{
	const struct sample *s = it->sample;
	const struct resolved *r = it->res;
	struct db_sample d = { .event = event_id(p, s->event) };

	need_machine(p);
	d.task = db_task_of(p, r->thread, s->time_ns);
	d.id = ++p->db->last.sample;
	d.ip = db_place_of(p, &r->leaf, false);
	if (p->db->callchains && r->n_frames)
		d.path = db_path_of(p, r);
	if (event_addr_is_of_symbol(&s->event->attr))
		d.addr = db_place_of(p, &r->data, false);
	if (p->db->calls && s->synth && is_branch_event(&s->event->attr))
		db_branch(p, it, &d);
	sample_row(p, s, &d);
	if (s->event->decoded && s->event->attr.type == WIRE_TYPE_SYNTH)
		db_row(p, DB_SYNTH, (struct db_cell[]){
			DB_N(d.id), DB_N(s->event->attr.config),
			DB_B(s->raw.ptr, s->raw.len) }, 3);
}

/* ---- records ---- */

static struct db_task switched_task(struct python *p, u32 pid, u32 tid, u64 t_ns)
{
	struct thread *th = machine_thread_at(p->machine, pid, tid, t_ns);

	if (th->pid != pid || th->end_ns <= t_ns || !db_is_named(p, th))
		return (struct db_task){ 0 };
	return db_task_of(p, th, t_ns);
}

/* Tasks that no record named are not known; when nothing but the idle task is, that is no row. */
void db_switch(struct python *p, const struct wire_switch *sw, const struct sample_id *id)
{
	struct db_task here, other = { 0 };
	const struct db_task *out = sw->out ? &here : &other, *in = sw->out ? &other : &here;
	bool known;

	need_machine(p);
	here = switched_task(p, id->pid, id->tid, id->time_ns);
	known = here.thread && id->tid;
	if (sw->cpu_wide) {
		other = switched_task(p, sw->next_prev_pid, sw->next_prev_tid, id->time_ns);
		known |= other.thread && sw->next_prev_tid;
	}
	if (!known)
		return;
	db_row(p, DB_SWITCH, (struct db_cell[]){
		DB_N(++p->db->last.context_switch), DB_N(MACHINE_ID), DB_N(id->time_ns),
		DB_N(id->present & PERF_SAMPLE_CPU ? (s64)(s32)id->cpu : -1), DB_N(out->thread),
		DB_N(out->comm), DB_N(in->thread), DB_N(in->comm),
		DB_N(sw->out | (sw->out && sw->preempt) << 1) }, 9);
}

/* ---- life ---- */

static bool setting(const struct python *p, const char *name)
{
	struct py_obj *o = p->py->PyDict_GetItemString(p->globals, name);
	const bool on = o && p->py->PyObject_IsTrue(o) > 0;

	p->py->PyErr_Clear();
	return on;
}

void db_init(struct python *p)
{
	struct python_db *db;

	if (!setting(p, "perf_db_export_mode"))
		return;
	db = p->db = xnew(struct python_db);
	db->callchains = setting(p, "perf_db_export_callchains");
	db->calls = setting(p, "perf_db_export_calls");
	for (size_t i = 0; i < DB_NR; i++)
		db->tables[i] = handler_of(p, table_names[i]);
	for vec_each(e, &p->list->events)
		db->knows_exec |= (*e)->attr.comm_exec;
}

void db_begin(struct python *p)
{
	add_branch_types(p);
}

void db_end(struct python *p)
{
	db_calls_end(p);
}

void db_free(struct python *p)
{
	struct python_db *db = p->db;

	if (!db)
		return;
	for (size_t i = 0; i < DB_NR; i++)
		handler_drop(p, &db->tables[i]);
	for hmap_each(i, &db->unknown) {
		hmap_release(db->unknown.vals[i]);
		free(db->unknown.vals[i]);
	}
	hmap_release(&db->unknown);
	hmap_release(&db->events);
	hmap_release(&db->dsos);
	hmap_release(&db->symbols);
	db_tasks_release(db);
	db_paths_release(db);
	db_calls_release(db);
	free(db);
	p->db = NULL;
}
