// SPDX-License-Identifier: GPL-2.0-or-later
// What all functions of the module perf do: arguments, exceptions, texts, opening.
#include "util/script/module-priv.h"

struct module *module_of(struct py_obj *self)
{
	return python_api()->PyCapsule_GetPointer(self, NULL);
}

struct py_obj *module_text(const struct module *m, const char *text)
{
	if (text)
		return m->py->PyUnicode_DecodeUTF8(text, (ssize_t)strlen(text), "replace");
	m->py->Py_IncRef(m->py->_Py_NoneStruct);
	return m->py->_Py_NoneStruct;
}

struct py_obj *module_raise(struct module *m, struct err *err)
{
	const struct py *py = m->py;
	struct py_obj *code = py->PyLong_FromLongLong(err->code);
	struct py_obj *msg = module_text(m, err->msg ? err->msg : "stopped");
	struct py_obj *hint = module_text(m, err->hint);
	struct py_obj *fail = py->PyDict_GetItemString(m->dict, "_fail");

	/* it raises */
	py->PyObject_CallFunctionObjArgs(fail, code, msg, hint, NULL);
	py->Py_DecRef(code);
	py->Py_DecRef(msg);
	py->Py_DecRef(hint);
	err_release(err);
	return NULL;
}

bool module_file(const struct module *m, struct py_obj *tuple, struct module_file *f)
{
	struct stream_filter *by = &f->filter;

	return m->py->PyArg_ParseTuple(tuple, "zizzzzzzzz", &f->path, &f->no_inline, &by->where,
				       &by->time, &by->comms, &by->dsos, &by->symbols, &by->pids,
				       &by->tids, &by->cpus);
}

int module_open(struct session *s, const struct module_file *f, unsigned flags)
{
	const struct stream_opts o = { .threads = f->threads,
				       .no_inline = f->no_inline, .filter = f->filter };
	int ret = session_open(s, &(struct session_opts){
		.path = f->path, .force = true, .quiet = true,
		.header_only = flags & DATA_HEADER_ONLY });

	return ret || flags & DATA_HEADER_ONLY ? ret : session_prepare(s, &o);
}
