// SPDX-License-Identifier: GPL-2.0-or-later
// Rows of tables, and those of events, files and functions.
#include <stdlib.h>

#include "util/script/python-db-priv.h"
#include "util/script/sample-code.h"

const char *const db_table_names[] = {
	[DB_EVSEL] = "evsel_table", [DB_MACHINE] = "machine_table", [DB_THREAD] = "thread_table",
	[DB_COMM] = "comm_table", [DB_COMM_THREAD] = "comm_thread_table", [DB_DSO] = "dso_table",
	[DB_SYMBOL] = "symbol_table", [DB_BRANCH_TYPE] = "branch_type_table",
	[DB_SAMPLE] = "sample_table", [DB_CALL_PATH] = "call_path_table",
	[DB_CALL_RETURN] = "call_return_table", [DB_SYNTH] = "synth_data",
	[DB_SWITCH] = "context_switch_table",
};

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
	handler_call(p, h, t, db_table_names[table]);
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

void db_branch_types(struct python *p)
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

void db_need_machine(struct python *p)
{
	if (p->db->has_machine)
		return;
	p->db->has_machine = true;
	db_row(p, DB_MACHINE, (struct db_cell[]){ DB_N(DB_MACHINE_ID), DB_N(-1), DB_T("") }, 3);
}

u64 db_event_id(struct python *p, const struct event *e)
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
	db_row(p, DB_DSO, (struct db_cell[]){ DB_N(id), DB_N(DB_MACHINE_ID), DB_T(d->short_name),
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
