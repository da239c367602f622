/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCRIPT_PYTHON_API_H
#define SCRIPT_PYTHON_API_H
/*
 * What is used of libpython: only its stable ABI (PEP 384), declared here, so that the build needs
 * no Python, and any Python from 3.8 on does at run time. The library is loaded when it is first
 * asked for; there is one in a process, so its functions are, too. One owner: the thread that
 * called python_load().
 */
#include "util/base/err.h"

struct py_obj;			/* PyObject */

/* PyMethodDef; METH_VARARGS */
struct py_method {
	const char *name;
	struct py_obj *(*call)(struct py_obj *self, struct py_obj *args);
	int flags;
	const char *doc;
};
enum { PY_METH_VARARGS = 1, PY_FILE_INPUT = 257, PY_ABI_VERSION = 3 };

/* PyModuleDef, and what it begins with */
struct py_module {
	ssize_t references;
	struct py_obj *type;
	struct py_obj *(*init)(void);
	ssize_t index;
	struct py_obj *copy;
	const char *name, *doc;
	ssize_t size;
	const struct py_method *methods;
	void *slots, *traverse, *clear, *free;
};

/* PyStructSequence_Desc: tuples whose items have names */
struct py_field { const char *name, *doc; };
struct py_struct {
	const char *name, *doc;
	const struct py_field *fields;	/* ended by NULL */
	int n_items;
};

#define PY_FUNCTIONS(X) \
	X(void, Py_InitializeEx, (int signals)) \
	X(int, Py_FinalizeEx, (void)) \
	X(void, Py_IncRef, (struct py_obj *o)) \
	X(void, Py_DecRef, (struct py_obj *o)) \
	X(int, Py_AddPendingCall, (int (*call)(void *arg), void *arg)) \
	X(struct py_obj *, Py_CompileString, (const char *text, const char *file, int start)) \
	X(struct py_obj *, PyEval_EvalCode, \
	  (struct py_obj *code, struct py_obj *globals, struct py_obj *locals)) \
	X(struct py_obj *, PyImport_AddModule, (const char *name)) \
	X(struct py_obj *, PyImport_GetModuleDict, (void)) \
	X(struct py_obj *, PyModule_New, (const char *name)) \
	X(struct py_obj *, PyModule_GetDict, (struct py_obj *module)) \
	X(struct py_obj *, PyCFunction_NewEx, \
	  (const struct py_method *m, struct py_obj *self, struct py_obj *module)) \
	X(struct py_obj *, PyModule_Create2, (struct py_module *def, int version)) \
	X(struct py_obj *, PyStructSequence_NewType, (const struct py_struct *desc)) \
	X(struct py_obj *, PyStructSequence_New, (struct py_obj *type)) \
	X(void, PyStructSequence_SetItem, (struct py_obj *o, ssize_t i, struct py_obj *take)) \
	X(struct py_obj *, PyFloat_FromDouble, (double v)) \
	X(void *, PyEval_SaveThread, (void)) \
	X(void, PyEval_RestoreThread, (void *thread)) \
	X(int, PySys_SetObject, (const char *name, struct py_obj *o)) \
	X(struct py_obj *, PySys_GetObject, (const char *name)) \
	X(void, PyErr_Print, (void)) \
	X(void, PyErr_Clear, (void)) \
	X(struct py_obj *, PyErr_Occurred, (void)) \
	X(int, PyErr_ExceptionMatches, (struct py_obj *kind)) \
	X(void, PyErr_Fetch, (struct py_obj **, struct py_obj **, struct py_obj **)) \
	X(void, PyErr_NormalizeException, \
	  (struct py_obj **, struct py_obj **, struct py_obj **)) \
	X(void, PyErr_SetNone, (struct py_obj *kind)) \
	X(int, PyArg_ParseTuple, (struct py_obj *args, const char *format, ...)) \
	X(struct py_obj *, PyDict_New, (void)) \
	X(struct py_obj *, PyDict_Copy, (struct py_obj *d)) \
	X(int, PyDict_SetItem, (struct py_obj *d, struct py_obj *key, struct py_obj *value)) \
	X(int, PyDict_SetItemString, (struct py_obj *d, const char *key, struct py_obj *value)) \
	X(struct py_obj *, PyDict_GetItemString, (struct py_obj *d, const char *key)) \
	X(struct py_obj *, PyList_New, (ssize_t n)) \
	X(int, PyList_SetItem, (struct py_obj *l, ssize_t i, struct py_obj *take)) \
	X(int, PyList_Append, (struct py_obj *l, struct py_obj *o)) \
	X(int, PyList_Insert, (struct py_obj *l, ssize_t i, struct py_obj *o)) \
	X(ssize_t, PyList_Size, (struct py_obj *l)) \
	X(struct py_obj *, PyList_GetItem, (struct py_obj *l, ssize_t i)) \
	X(struct py_obj *, PyTuple_New, (ssize_t n)) \
	X(int, PyTuple_SetItem, (struct py_obj *t, ssize_t i, struct py_obj *take)) \
	X(struct py_obj *, PyLong_FromUnsignedLongLong, (unsigned long long v)) \
	X(struct py_obj *, PyLong_FromLongLong, (long long v)) \
	X(long, PyLong_AsLong, (struct py_obj *o)) \
	X(struct py_obj *, PyBool_FromLong, (long v)) \
	X(struct py_obj *, PyUnicode_DecodeUTF8, (const char *s, ssize_t n, const char *errors)) \
	X(struct py_obj *, PyUnicode_DecodeFSDefault, (const char *s)) \
	X(struct py_obj *, PyUnicode_InternFromString, (const char *s)) \
	X(struct py_obj *, PyUnicode_AsUTF8String, (struct py_obj *o)) \
	X(struct py_obj *, PyBytes_FromStringAndSize, (const char *s, ssize_t n)) \
	X(char *, PyBytes_AsString, (struct py_obj *o)) \
	X(struct py_obj *, PyByteArray_FromStringAndSize, (const char *s, ssize_t n)) \
	X(struct py_obj *, PyCapsule_New, \
	  (void *p, const char *name, void (*free)(struct py_obj *))) \
	X(void *, PyCapsule_GetPointer, (struct py_obj *o, const char *name)) \
	X(int, PyCallable_Check, (struct py_obj *o)) \
	X(struct py_obj *, PyObject_Call, \
	  (struct py_obj *f, struct py_obj *args, struct py_obj *names)) \
	X(struct py_obj *, PyObject_CallFunctionObjArgs, (struct py_obj *f, ...)) \
	X(struct py_obj *, PyObject_GetAttrString, (struct py_obj *o, const char *name)) \
	X(int, PyObject_IsTrue, (struct py_obj *o)) \
	X(int, PySequence_Contains, (struct py_obj *set, struct py_obj *o)) \
	X(struct py_obj *, PyObject_Str, (struct py_obj *o))

#define PY_FIELD(type, name, args) type (*name) args;
struct py {
	PY_FUNCTIONS(PY_FIELD)
	struct py_obj **PyExc_SystemExit, **PyExc_KeyboardInterrupt;
	struct py_obj *_Py_NoneStruct;
};
#undef PY_FIELD

/* The library is loaded, but not initialized: library (a file or a soname), or with NULL that of
 * the system's python3, or else the newest one. -ENOTSUP: there is none, or it is too old; the hint
 * names its package. */
int python_load(const char *library, struct err *err);
/* The same in a program that is Python itself: what it has. */
int python_load_here(struct err *err);
/* After python_load(). Borrowed; any thread. */
const struct py *python_api(void);

#endif
