// SPDX-License-Identifier: GPL-2.0-or-later
// What functions of the script look at: uses.py reads it off the text.
#include "util/script/python-priv.h"

static const char text_of_uses[] = {
#include "util/script/uses.inc"
};

void uses_init(struct python *p, const struct str *text)
{
	const struct py *py = p->py;
	struct py_obj *globals = new_globals(p), *make;
	struct py_obj *bytes = py->PyBytes_FromStringAndSize(str_cstr(text), (ssize_t)text->len);
	struct py_obj *path = py->PyUnicode_DecodeFSDefault(p->opts->path);

	run_text(p, text_of_uses, "<perf>", globals);
	make = py->PyDict_GetItemString(globals, "uses_of");
	if (make)
		p->uses_of = py->PyObject_CallFunctionObjArgs(make, bytes, path, NULL);
	py->PyErr_Clear();
	py->Py_DecRef(globals);
	py->Py_DecRef(bytes);
	py->Py_DecRef(path);
}

void handler_learn(const struct python *p, struct handler *h)
{
	if (h->call && p->uses_of)
		h->uses = p->py->PyObject_CallFunctionObjArgs(p->uses_of, h->call, NULL);
	p->py->PyErr_Clear();
}

bool handler_takes(const struct python *p, const struct handler *h, ssize_t arg, enum py_key key)
{
	const struct py *py = p->py;
	struct py_obj *set;

	if (!h->uses || arg >= py->PyList_Size(h->uses))
		return true;
	set = py->PyList_GetItem(h->uses, arg);
	if (set == p->store.none)
		return true;
	return key == K_NR ? py->PyObject_IsTrue(set) :
		py->PySequence_Contains(set, p->store.key[key]);
}

void handler_drop(const struct python *p, const struct handler *h)
{
	py_drop(p, h->call);
	py_drop(p, h->uses);
}
