// SPDX-License-Identifier: GPL-2.0-or-later
// Functions of the script are called, and what they fail with is shown.
#include <errno.h>
#include <signal.h>

#include "util/script/python-priv.h"

/* What sys.exit("text") is about. */
static void say_exit(const struct python *p, struct py_obj *code)
{
	const struct py *py = p->py;
	struct py_obj *to = py->PySys_GetObject("stderr"), *text = py->PyObject_Str(code);
	struct py_obj *write = to ? py->PyObject_GetAttrString(to, "write") : NULL;
	struct py_obj *end = py->PyUnicode_InternFromString("\n"), *parts[] = { text, end };

	for (size_t i = 0; write && text && i < ARRAY_SIZE(parts); i++) {
		struct py_obj *ret = py->PyObject_CallFunctionObjArgs(write, parts[i], NULL);

		if (ret)
			py->Py_DecRef(ret);
	}
	py->PyErr_Clear();
	py->Py_DecRef(end);
	if (write)
		py->Py_DecRef(write);
	if (text)
		py->Py_DecRef(text);
}

/* sys.exit(): what it asks for. The exception is cleared. */
static int exit_status(const struct python *p)
{
	const struct py *py = p->py;
	struct py_obj *kind = NULL, *value = NULL, *trace = NULL, *code = NULL;
	long status;

	py->PyErr_Fetch(&kind, &value, &trace);
	py->PyErr_NormalizeException(&kind, &value, &trace);
	code = value ? py->PyObject_GetAttrString(value, "code") : NULL;
	if (!code || code == py->_Py_NoneStruct) {
		py->PyErr_Clear();
		return 0;
	}
	status = py->PyLong_AsLong(code);
	if (!py->PyErr_Occurred())
		return (int)(status & 0xff);
	py->PyErr_Clear();
	say_exit(p, code);
	return 1;
}

/* An exception was thrown: its traceback is printed; what: the function, or NULL. */
static void script_failed(struct python *p, const char *what)
{
	const struct py *py = p->py;
	int status;

	if (p->failed) {
		py->PyErr_Clear();
		return;
	}
	if (py->PyErr_ExceptionMatches(*py->PyExc_SystemExit)) {
		status = exit_status(p);
		p->failed = err_set(&p->err, ECANCELED, "script '%s' ended", p->opts->path);
		p->err.status = status;
		return;
	}
	status = py->PyErr_ExceptionMatches(*py->PyExc_KeyboardInterrupt) ? 128 + SIGINT : 0;
	py->PyErr_Print();
	p->failed = err_set(&p->err, EINVAL, "script '%s' failed%s%s", p->opts->path,
			    what ? " in " : "", what ? what : "");
	err_hint(&p->err, "its traceback is above");
	p->err.status = status;
}

static int args_of(const struct python *p, struct py_obj *f)
{
	const struct py *py = p->py;
	struct py_obj *code = py->PyObject_GetAttrString(f, "__code__"), *n = NULL;
	long v = 0;

	if (code)
		n = py->PyObject_GetAttrString(code, "co_argcount");
	if (n)
		v = py->PyLong_AsLong(n);
	py->PyErr_Clear();
	if (code)
		py->Py_DecRef(code);
	if (n)
		py->Py_DecRef(n);
	return (int)v;
}

struct handler handler_of(const struct python *p, const char *name)
{
	struct py_obj *f = p->py->PyDict_GetItemString(p->globals, name);

	if (!f || !p->py->PyCallable_Check(f))
		return (struct handler){ 0 };
	p->py->Py_IncRef(f);
	return (struct handler){ .call = f, .n_args = args_of(p, f) };
}

void handler_call(struct python *p, const struct handler *h, struct py_obj *args,
		  const char *name)
{
	struct py_obj *ret = p->failed ? NULL : p->py->PyObject_Call(h->call, args, NULL);

	p->py->Py_DecRef(args);
	if (ret)
		p->py->Py_DecRef(ret);
	else
		script_failed(p, name);
}

/* ---- code that is a text ---- */

void run_text(struct python *p, const char *text, const char *name, struct py_obj *globals)
{
	const struct py *py = p->py;
	struct py_obj *code = py->Py_CompileString(text, name, PY_FILE_INPUT), *ret = NULL;

	if (code) {
		ret = py->PyEval_EvalCode(code, globals, globals);
		py->Py_DecRef(code);
	}
	if (ret)
		py->Py_DecRef(ret);
	else
		script_failed(p, NULL);
}

struct py_obj *new_globals(const struct python *p)
{
	const struct py *py = p->py;
	struct py_obj *globals = py->PyDict_New();

	py->PyDict_SetItemString(globals, "__builtins__",
				 py->PyDict_GetItemString(p->globals, "__builtins__"));
	return globals;
}
