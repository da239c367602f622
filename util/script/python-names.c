// SPDX-License-Identifier: GPL-2.0-or-later
// Names of values, told to the functions of Core.py that the script has imported.
#include "util/event/tracepoint-names.h"
#include "util/script/python-priv.h"

struct telling { struct python *p; struct py_obj *event; };

static void tell(struct telling *t, const char *function, struct py_obj *args)
{
	struct handler h = handler_of(t->p, function);

	if (h.call) {
		handler_call(t->p, &h, args, function);
		t->p->py->Py_DecRef(h.call);
	} else {
		t->p->py->Py_DecRef(args);
	}
}

static struct py_obj *text(const struct python *p, const char *s)
{
	return p->py->PyUnicode_DecodeUTF8(s, (ssize_t)strlen(s), "replace");
}

static void tell_name(void *ctx, const struct tp_value_name *n)
{
	struct telling *t = ctx;
	const struct py *py = t->p->py;
	ssize_t at = 2, size = n->name ? 4 : n->flags ? 3 : 2;
	struct py_obj *args = py->PyTuple_New(size);

	py->Py_IncRef(t->event);
	py->PyTuple_SetItem(args, 0, t->event);
	py->PyTuple_SetItem(args, 1, text(t->p, n->field));
	if (n->name) {
		py->PyTuple_SetItem(args, at++, number_of(t->p, n->value));
		py->PyTuple_SetItem(args, at, text(t->p, n->name));
		tell(t, n->flags ? "define_flag_value" : "define_symbolic_value", args);
		return;
	}
	if (n->flags)
		py->PyTuple_SetItem(args, at, text(t->p, n->delimiter));
	tell(t, n->flags ? "define_flag_field" : "define_symbolic_field", args);
}

void define_names(struct python *p, const struct event *e, struct event_state *st)
{
	struct telling t = { p, st->name };

	tp_value_names(e->format, tell_name, &t);
}
