// SPDX-License-Identifier: GPL-2.0-or-later
// Scripts with perf_db_export_mode: rows of tables, as perf-script-python(1) names them, in the
// place of samples. What upstream perf 7.2 hands to such scripts was found by running it.
#include <stdlib.h>

#include "util/script/python-db-priv.h"
#include "util/script/sample-code.h"

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
		DB_N(d->id), DB_N(d->event), DB_N(DB_MACHINE_ID), DB_N(d->task.thread),
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
	struct db_sample d = { .event = db_event_id(p, s->event) };

	db_need_machine(p);
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

	db_need_machine(p);
	here = switched_task(p, id->pid, id->tid, id->time_ns);
	known = here.thread && id->tid;
	if (sw->cpu_wide) {
		other = switched_task(p, sw->next_prev_pid, sw->next_prev_tid, id->time_ns);
		known |= other.thread && sw->next_prev_tid;
	}
	if (!known)
		return;
	db_row(p, DB_SWITCH, (struct db_cell[]){
		DB_N(++p->db->last.context_switch), DB_N(DB_MACHINE_ID), DB_N(id->time_ns),
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
		db->tables[i] = handler_of(p, db_table_names[i]);
	for vec_each(e, &p->list->events)
		db->knows_exec |= (*e)->attr.comm_exec;
}

void db_begin(struct python *p)
{
	db_branch_types(p);
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
