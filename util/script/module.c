// SPDX-License-Identifier: GPL-2.0-or-later
// The module perf of Python: "import perf" loads it ("make python").
#include "util/script/module-priv.h"

static const char text_of_module[] = {
#include "util/script/module.inc"
};

static const char text_of_live[] = {
#include "util/script/module-live.inc"
};

static const char doc[] = "Recordings of perf, read by programs: perf.open(FILE).";

static const struct py_method functions[] = {
	{ "_begin", module_begin, PY_METH_VARARGS, NULL },
	{ "_next", module_next, PY_METH_VARARGS, NULL },
	{ "_end", module_end, PY_METH_VARARGS, NULL },
	{ "_srcline", module_srcline, PY_METH_VARARGS, NULL },
	{ "_report", module_report, PY_METH_VARARGS, NULL },
	{ "_counts", module_counts, PY_METH_VARARGS, NULL },
	{ "_header", module_header, PY_METH_VARARGS, NULL },
	{ "_parse", module_parse, PY_METH_VARARGS, NULL },
};

static const struct py_field sample_fields[] = {
	{ "event", "name of the event" },
	{ "comm", "name of the thread" },
	{ "pid", "process, -1 if unknown" },
	{ "tid", "thread, -1 if unknown" },
	{ "cpu", "CPU, -1 if unknown" },
	{ "time", "ns of the recording's clock" },
	{ "period", "what the sample stands for" },
	{ "ip", "address of the code" },
	{ "addr", "address of the data, 0 if unknown" },
	{ "weight", "0 if unknown" },
	{ "symbol", "function, None if unknown" },
	{ "offset", "of ip in it" },
	{ "dso", "file of the code, None if unknown" },
	{ "callchain", "frames, innermost first" },
	{ "fields", "of a tracepoint by name, else None" },
	{ NULL, NULL },
};

static const struct py_struct sample_type = {
	"perf.Sample", "A sample of a recording", sample_fields, ARRAY_SIZE(sample_fields) - 1
};

/* ---- the module ---- */

static void add_functions(struct module *m)
{
	struct py_obj *f;

	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		f = m->py->PyCFunction_NewEx(&functions[i], m->self, NULL);
		m->py->PyDict_SetItemString(m->dict, functions[i].name, f);
		m->py->Py_DecRef(f);
	}
}

static bool run_own_text(struct module *m)
{
	const struct py *py = m->py;
	struct py_obj *code = py->Py_CompileString(text_of_module, "<perf>", PY_FILE_INPUT);
	struct py_obj *ret = code ? py->PyEval_EvalCode(code, m->dict, m->dict) : NULL;

	py_drop(&(struct python){ .py = py }, code);
	py_drop(&(struct python){ .py = py }, ret);
	return ret;
}

__attribute__((visibility("default"))) struct py_obj *PyInit_perf(void);
struct py_obj *PyInit_perf(void)
{
	struct err err = ERR_INIT;
	struct module *m;
	struct py_module *def;
	struct py_obj *o, *o_live;

	if (python_load_here(&err)) {
		err_release(&err);
		return NULL;
	}
	m = xnew(struct module);
	def = xnew(struct py_module);
	*def = (struct py_module){ .references = 1, .name = "perf", .doc = doc, .size = -1 };
	m->py = python_api();
	o = m->py->PyModule_Create2(def, PY_ABI_VERSION);
	if (!o)
		return NULL;
	m->dict = m->py->PyModule_GetDict(o);
	/* of Python 3.8 code is not run without */
	m->py->PyDict_SetItemString(m->dict, "__builtins__",
				    m->py->PyImport_AddModule("builtins"));
	m->self = m->py->PyCapsule_New(m, NULL, NULL);
	m->sample = m->py->PyStructSequence_NewType(&sample_type);
	m->py->PyDict_SetItemString(m->dict, "Sample", m->sample);
	add_functions(m);
	o_live = module_text(m, text_of_live);
	m->py->PyDict_SetItemString(m->dict, "_live", o_live);
	m->py->Py_DecRef(o_live);
	return run_own_text(m) ? o : NULL;
}
