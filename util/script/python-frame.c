// SPDX-License-Identifier: GPL-2.0-or-later
// Places in the code, as scripts know them: frames of call chains, branches, mappings.
#include <stdio.h>

#include "util/script/python-priv.h"
#include "util/script/sample-code.h"
#include "util/stream/frame.h"

static struct py_obj *plain_text(const struct python *p, const struct str *s)
{
	return p->py->PyUnicode_DecodeUTF8(str_cstr(s), (ssize_t)s->len, "replace");
}

static struct py_obj *bid_text(const struct python *p, const struct build_id *id)
{
	struct str s = STR_INIT;
	struct py_obj *o;

	for (unsigned i = 0; i < id->n; i++)
		str_add_hex(&s, id->bytes[i], 2);
	o = plain_text(p, &s);
	str_release(&s);
	return o;
}

const struct map_texts *map_texts(struct python *p, const struct mapping *map)
{
	struct map_texts *m;

	while (p->store.maps.n <= (size_t)map->index)
		vec_add(&p->store.maps);
	m = &p->store.maps.v[map->index];
	if (!m->o[0]) {
		m->o[0] = text_of(p, map->dso->path);
		m->o[1] = bid_text(p, &map->dso->id);
		m->o[2] = number_of(p, map->start_va);
		m->o[3] = number_of(p, map->end_va);
		m->o[4] = number_of(p, map->kernel ? 0 : map->off);
	}
	return m;
}

/* ---- frames ---- */

static void add_line(struct python *p, struct py_obj *d, const struct location *l)
{
	struct srcline at = { 0 };
	struct str s = STR_INIT;

	if (l->inl)
		at = l->inl->at;
	else
		dso_srcline(l->dso, l->rva, &at);
	if (!at.file)
		return;
	srcline_add_short(&s, &at);
	set_item(p, d, K_sym_srcline, plain_text(p, &s));
	str_release(&s);
}

static struct py_obj *symbol_dict(struct python *p, const struct location *l)
{
	const struct symbol at = symbol_in_file(l->dso, l->sym);
	struct py_obj *d = p->py->PyDict_New();

	set_item(p, d, K_start, number_of(p, at.start_rva));
	set_item(p, d, K_end, number_of(p, at.end_rva));
	set_item(p, d, K_binding, number_of(p, l->sym->binding));
	set_item(p, d, K_name, text_of(p, frame_label(l)));
	return d;
}

static void make_frame(struct python *p, struct frame_slot *f, const struct location *l)
{
	const struct py *py = p->py;

	if (f->frame)
		py->Py_DecRef(f->frame);
	if (f->sym)
		py->Py_DecRef(f->sym);
	*f = (struct frame_slot){ .va = l->va, .map = l->map, .inl = l->inl, .symbol = l->sym };
	f->frame = py->PyDict_New();
	set_item(p, f->frame, K_ip, number_of(p, l->va));
	if (l->sym) {
		f->sym = symbol_dict(p, l);
		py->PyDict_SetItem(f->frame, p->store.key[K_sym], f->sym);
		set_item(p, f->frame, K_sym_off,
			 number_of(p, l->rva + l->back - l->sym->start_rva));
		if (!p->opts->no_inline)
			add_line(p, f->frame, l);
	}
	if (l->map)
		set_item(p, f->frame, K_dso, text_of(p, l->dso->path));
}

static struct py_obj *frame_dict(struct python *p, const struct location *l)
{
	u64 hash = l->va ^ (uintptr_t)l->map ^ (uintptr_t)l->inl << 3;
	struct frame_slot *f = &p->store.frames[hash_slot(hash, FRAME_SLOTS)];
	struct py_obj *d;

	if (!f->frame || f->va != l->va || f->map != l->map || f->inl != l->inl ||
	    f->symbol != l->sym)
		make_frame(p, f, l);
	d = p->py->PyDict_Copy(f->frame);
	if (f->sym)
		set_item(p, d, K_sym, p->py->PyDict_Copy(f->sym));
	return d;
}

struct py_obj *frame_list(struct python *p, const struct resolved *r)
{
	struct py_obj *list = p->py->PyList_New(r->n_frames);

	for (u32 i = 0; i < r->n_frames; i++)
		p->py->PyList_SetItem(list, i, frame_dict(p, &r->frames[i]));
	return list;
}

/* ---- branch stacks ---- */

static void set_bool(struct python *p, struct py_obj *d, enum py_key key, bool v)
{
	p->py->PyDict_SetItem(d, p->store.key[key], v ? p->store.yes : p->store.no);
}

static void set_text(struct python *p, struct py_obj *d, enum py_key key, const char *text)
{
	set_item(p, d, key, p->py->PyUnicode_DecodeUTF8(text, (ssize_t)strlen(text), "replace"));
}

static struct py_obj *branch_dict(struct python *p, const struct perf_branch_entry *b,
				  const struct location *ends)
{
	struct py_obj *d = p->py->PyDict_New();

	set_item(p, d, K_from, number_of(p, b->from));
	set_item(p, d, K_to, number_of(p, b->to));
	set_bool(p, d, K_mispred, b->mispred);
	set_bool(p, d, K_predicted, b->predicted);
	set_bool(p, d, K_in_tx, b->in_tx);
	set_bool(p, d, K_abort, b->abort);
	set_item(p, d, K_cycles, number_of(p, b->cycles));
	for (int i = 0; ends && i < 2; i++)
		set_item(p, d, i ? K_to_dsoname : K_from_dsoname,
			 text_of(p, ends[i].map ? ends[i].dso->path : "[unknown]"));
	return d;
}

static void set_end(struct python *p, struct py_obj *d, enum py_key key,
		    const struct location *l)
{
	struct str s = STR_INIT;

	str_add(&s, l->sym ? l->sym->name : "[unknown]");
	if (l->sym) {
		str_add(&s, "+0x");
		str_add_hex(&s, l->rva + l->back - l->sym->start_rva, 1);
	}
	set_item(p, d, key, plain_text(p, &s));
	str_release(&s);
}

static struct py_obj *branch_symbols(struct python *p, const struct perf_branch_entry *b,
				     const struct location *ends)
{
	struct py_obj *d = p->py->PyDict_New();

	set_end(p, d, K_from, &ends[0]);
	set_end(p, d, K_to, &ends[1]);
	set_text(p, d, K_pred, b->mispred ? "M" : b->predicted ? "P" : "-");
	set_text(p, d, K_in_tx, b->in_tx ? "X" : "-");
	set_text(p, d, K_abort, b->abort ? "A" : "-");
	return d;
}

void set_branches(struct python *p, struct py_obj *dict, const struct sink_item *it)
{
	const struct branch_view *b = &it->sample->branch;
	const struct location *ends = it->res->branches;
	u64 n = it->sample->present & PERF_SAMPLE_BRANCH_STACK ? b->n : 0;
	struct py_obj *plain = p->py->PyList_New((ssize_t)n);
	struct py_obj *named = p->py->PyList_New(ends ? (ssize_t)n : 0);

	for (u64 i = 0; i < n; i++) {
		p->py->PyList_SetItem(plain, (ssize_t)i,
				      branch_dict(p, &b->entries[i], ends ? &ends[2 * i] : NULL));
		if (ends)
			p->py->PyList_SetItem(named, (ssize_t)i,
					      branch_symbols(p, &b->entries[i], &ends[2 * i]));
	}
	set_item(p, dict, K_brstack, plain);
	set_item(p, dict, K_brstacksym, named);
}
