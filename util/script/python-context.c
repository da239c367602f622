// SPDX-License-Identifier: GPL-2.0-or-later
// The module perf_trace_context: what scripts ask of perf while they look at a sample.
#include <stdio.h>

#include "util/analysis/annotate/listing.h"
#include "util/disasm/disasm.h"
#include "util/script/python-priv.h"

/* self is a capsule of the one who made the module. */
static struct python *python_of(struct py_obj *self)
{
	return python_api()->PyCapsule_GetPointer(self, NULL);
}

static struct py_obj *none(const struct python *p)
{
	p->py->Py_IncRef(p->py->_Py_NoneStruct);
	return p->py->_Py_NoneStruct;
}

/* The context that the script hands over is the only one there is. */
static bool takes_context(const struct python *p, struct py_obj *args)
{
	struct py_obj *context;

	return p->py->PyArg_ParseTuple(args, "O", &context);
}

static struct py_obj *common_field(struct py_obj *self, struct py_obj *args, const char *name)
{
	struct python *p = python_of(self);
	const struct sample *s = p->now.sample;
	const struct tp_field *f;

	if (!takes_context(p, args))
		return NULL;
	f = s && s->event->format ? tp_field(s->event->format, name) : NULL;
	return p->py->PyLong_FromLongLong(f ? (s64)tp_read_u64(f, s->raw, p->opts->swap) : 0);
}

static struct py_obj *common_pc(struct py_obj *self, struct py_obj *args)
{
	return common_field(self, args, "common_preempt_count");
}

static struct py_obj *common_flags(struct py_obj *self, struct py_obj *args)
{
	return common_field(self, args, "common_flags");
}

static struct py_obj *common_lock_depth(struct py_obj *self, struct py_obj *args)
{
	return common_field(self, args, "common_lock_depth");
}

static int take_insn(void *ctx, const struct insn *i)
{
	struct insn *out = ctx;

	*out = *i;
	return 1;
}

/* false: its bytes are not there. */
static bool insn_here(struct python *p, struct insn *out)
{
	const struct location *l = p->now.res ? &p->now.res->leaf : NULL;
	const struct disasm_opts o = { .arch = machine_arch(p->machine) };
	struct disasm_range one;
	struct err err = ERR_INIT;
	int ret;

	if (!l || !l->dso)
		return false;
	if (!p->disasm)
		p->disasm = disasm_new(&o, &err);
	one = (struct disasm_range){ l->rva, l->rva + 1 };
	ret = p->disasm ? disasm_range(p->disasm, l->dso, &one, take_insn, out, &err) : 0;
	err_release(&err);
	return ret == 1;
}

static struct py_obj *sample_insn(struct py_obj *self, struct py_obj *args)
{
	struct python *p = python_of(self);
	struct insn i;

	if (!takes_context(p, args))
		return NULL;
	return insn_here(p, &i) ? p->py->PyBytes_FromStringAndSize((const char *)i.bytes, i.length)
		: none(p);
}

static struct py_obj *set_itrace_options(struct py_obj *self, struct py_obj *args)
{
	struct python *p = python_of(self);
	struct py_obj *context;
	const char *options;

	if (!p->py->PyArg_ParseTuple(args, "Os", &context, &options))
		return NULL;
	return p->py->PyLong_FromLongLong(0);
}

/* ---- source lines ---- */

static struct srcline line_here(const struct python *p)
{
	const struct location *l = p->now.res ? &p->now.res->leaf : NULL;
	struct srcline at = { 0 };

	if (l && l->dso)
		dso_srcline(l->dso, l->rva, &at);
	return at;
}

static struct py_obj *text_or_none(const struct python *p, const char *s)
{
	return s ? p->py->PyUnicode_DecodeFSDefault(s) : none(p);
}

/* (file, line[, text]) */
static struct py_obj *place(const struct python *p, const struct srcline *at, ssize_t n,
			    struct span text)
{
	struct py_obj *t = p->py->PyTuple_New(n);

	p->py->PyTuple_SetItem(t, 0, text_or_none(p, at->file));
	p->py->PyTuple_SetItem(t, 1, p->py->PyLong_FromLongLong(at->file ? at->line : 0));
	if (n > 2)
		p->py->PyTuple_SetItem(t, 2, !text.ptr ? none(p) : p->py->PyUnicode_DecodeUTF8(
					       (const char *)text.ptr, (ssize_t)text.len,
					       "replace"));
	return t;
}

static struct py_obj *sample_srcline(struct py_obj *self, struct py_obj *args)
{
	struct python *p = python_of(self);
	struct srcline at;

	if (!takes_context(p, args))
		return NULL;
	at = line_here(p);
	return place(p, &at, 2, (struct span){ 0 });
}

static struct py_obj *sample_srccode(struct py_obj *self, struct py_obj *args)
{
	struct python *p = python_of(self);
	struct srcline at;
	struct span text = { 0 };

	if (!takes_context(p, args))
		return NULL;
	at = line_here(p);
	if (at.file)
		text = source_line(&p->sources, at.file, at.line);
	return place(p, &at, 3, text);
}

static struct py_obj *config_get(struct py_obj *self, struct py_obj *args)
{
	struct python *p = python_of(self);
	const char *name;

	if (!p->py->PyArg_ParseTuple(args, "s", &name))
		return NULL;
	return text_or_none(p, p->opts->config ? p->opts->config(name) : NULL);
}

static struct py_obj *syscall_name(struct py_obj *self, struct py_obj *args)
{
	struct python *p = python_of(self);
	const struct arch_info *arch = p->machine ? machine_arch(p->machine) : arch_host();
	int nr;

	if (!p->py->PyArg_ParseTuple(args, "i", &nr))
		return NULL;
	return text_or_none(p, nr >= 0 && nr < arch->n_syscalls ? arch->syscall_names[nr] : NULL);
}

/* ---- the module ---- */

static const struct py_method methods[] = {
	{ "common_pc", common_pc, PY_METH_VARARGS, "Get the common preempt count event field value." },
	{ "common_flags", common_flags, PY_METH_VARARGS, "Get the common flags event field value." },
	{ "common_lock_depth", common_lock_depth, PY_METH_VARARGS,
	  "Get the common lock depth event field value." },
	{ "perf_sample_insn", sample_insn, PY_METH_VARARGS,
	  "Get the machine code instruction." },
	{ "perf_set_itrace_options", set_itrace_options, PY_METH_VARARGS, "Set --itrace options." },
	{ "perf_sample_srcline", sample_srcline, PY_METH_VARARGS,
	  "Get source file name and line number." },
	{ "perf_sample_srccode", sample_srccode, PY_METH_VARARGS,
	  "Get source file name, line number and line." },
	{ "perf_config_get", config_get, PY_METH_VARARGS, "Get perf config entry" },
};

/* For our own Util.py. */
static const struct py_method own_methods[] = {
	{ "syscall_name", syscall_name, PY_METH_VARARGS, "The name of a system call." },
};

static struct py_obj *add_module(struct python *p, const char *name, const struct py_method *m,
				 size_t n)
{
	const struct py *py = p->py;
	struct py_obj *module = py->PyModule_New(name), *d = py->PyModule_GetDict(module);

	for (size_t i = 0; i < n; i++) {
		struct py_obj *f = py->PyCFunction_NewEx(&m[i], p->context, NULL);

		py->PyDict_SetItemString(d, m[i].name, f);
		py->Py_DecRef(f);
	}
	py->PyDict_SetItemString(py->PyImport_GetModuleDict(), name, module);
	py->Py_DecRef(module);
	return d;
}

void context_module(struct python *p)
{
	const struct py *py = p->py;
	struct py_obj *d = add_module(p, "perf_trace_context", methods, ARRAY_SIZE(methods));

	py->PyDict_SetItemString(d, "perf_script_context", p->context);
	py->PyDict_SetItemString(p->globals, "perf_script_context", p->context);
	add_module(p, "_perf", own_methods, ARRAY_SIZE(own_methods));
}
