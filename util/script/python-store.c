// SPDX-License-Identifier: GPL-2.0-or-later
// Objects that are kept, and what all that make some use.
#include <stdlib.h>

#include "util/script/python-priv.h"

void store_init(struct python *p)
{
#define PY_NAME(name) #name,
	static const char *const names[] = { PY_KEYS(PY_NAME) };
#undef PY_NAME
	const struct py *py = p->py;
	struct py_store *s = &p->store;

	for (size_t i = 0; i < K_NR; i++)
		s->key[i] = py->PyUnicode_InternFromString(names[i]);
	s->none = py->_Py_NoneStruct;
	s->zero = py->PyLong_FromUnsignedLongLong(0);
	s->empty_bytes = py->PyBytes_FromStringAndSize("", 0);
	s->empty_text = py->PyUnicode_DecodeUTF8("", 0, NULL);
	s->yes = py->PyBool_FromLong(1);
	s->no = py->PyBool_FromLong(0);
	s->no_counts = py->PyTuple_New(3);
	for (int i = 0; i < 3; i++)
		py->PyTuple_SetItem(s->no_counts, i, number_of(p, 0));
	s->frames = xcalloc(FRAME_SLOTS, sizeof(*s->frames));
	s->texts = xcalloc(TEXT_SLOTS, sizeof(*s->texts));
}

void py_drop(const struct python *p, struct py_obj *o)
{
	if (o)
		p->py->Py_DecRef(o);
}

void store_release(struct python *p)
{
	struct py_store *s = &p->store;

	for (size_t i = 0; i < K_NR; i++)
		py_drop(p, s->key[i]);
	for (size_t i = 0; s->frames && i < FRAME_SLOTS; i++) {
		py_drop(p, s->frames[i].frame);
		py_drop(p, s->frames[i].sym);
	}
	for (size_t i = 0; s->texts && i < TEXT_SLOTS; i++)
		py_drop(p, s->texts[i].o);
	for (size_t i = 0; i < DATASRC_SLOTS; i++) {
		py_drop(p, s->datasrc[i].number);
		py_drop(p, s->datasrc[i].text);
	}
	for (size_t i = 0; i < FLAG_SLOTS; i++) {
		py_drop(p, s->flags[i].letters);
		py_drop(p, s->flags[i].names);
	}
	for vec_each(m, &s->maps)
		for (size_t i = 0; i < ARRAY_SIZE(m->o); i++)
			py_drop(p, m->o[i]);
	py_drop(p, s->zero);
	py_drop(p, s->empty_bytes);
	py_drop(p, s->empty_text);
	py_drop(p, s->yes);
	py_drop(p, s->no);
	py_drop(p, s->no_counts);
	vec_free(&s->maps);
	free(s->frames);
	free(s->texts);
}

struct py_obj *py_again(const struct python *p, struct py_obj *o)
{
	p->py->Py_IncRef(o);
	return o;
}

struct py_obj *number_of(struct python *p, u64 v)
{
	return p->py->PyLong_FromUnsignedLongLong(v);
}

struct py_obj *text_of(struct python *p, const char *text)
{
	struct text_slot *t = &p->store.texts[hash_slot((uintptr_t)text, TEXT_SLOTS)];

	if (t->text != text) {
		py_drop(p, t->o);
		t->o = p->py->PyUnicode_DecodeUTF8(text, (ssize_t)strlen(text), "replace");
		t->text = text;
	}
	return py_again(p, t->o);
}

void set_item(struct python *p, struct py_obj *dict, enum py_key key, struct py_obj *take)
{
	p->py->PyDict_SetItem(dict, p->store.key[key], take);
	p->py->Py_DecRef(take);
}
