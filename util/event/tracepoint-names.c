// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/tracepoint-names.h"

#include <stdlib.h>
#include <traceevent/event-parse.h>

#include "util/event/tracepoint-priv.h"

enum { MAX_DEPTH = 64 };

struct walk {
	void (*visit)(void *ctx, const struct tp_value_name *n);
	void *ctx;
	const char *field;		/* the last one that was met */
	int depth;
};

static void walk(struct walk *w, const struct tep_print_arg *a);

static void names(struct walk *w, const struct tep_print_arg *value,
		  const struct tep_print_flag_sym *s, const char *delimiter)
{
	struct tp_value_name n = { .flags = delimiter, .delimiter = delimiter ? delimiter : "" };

	walk(w, value);
	if (!w->field)
		return;
	n.field = w->field;
	w->visit(w->ctx, &n);
	for (; s; s = s->next) {
		n.name = s->str ? s->str : "";
		n.value = s->value ? strtoull(s->value, NULL, 0) : 0;
		w->visit(w->ctx, &n);
	}
}

/* What stands in a, without what follows it. */
static void walk_one(struct walk *w, const struct tep_print_arg *a)
{
	switch (a->type) {
	case TEP_PRINT_FIELD:
		w->field = a->field.name;
		break;
	case TEP_PRINT_FLAGS:
		names(w, a->flags.field, a->flags.flags, a->flags.delim ? a->flags.delim : "");
		break;
	case TEP_PRINT_SYMBOL:
		names(w, a->symbol.field, a->symbol.symbols, NULL);
		break;
	case TEP_PRINT_TYPE:
		walk(w, a->typecast.item);
		break;
	case TEP_PRINT_OP:
		walk(w, a->op.left);
		walk(w, a->op.right);
		break;
	default:
		break;
	}
}

static void walk(struct walk *w, const struct tep_print_arg *a)
{
	if (!a || w->depth > MAX_DEPTH)
		return;
	w->depth++;
	walk_one(w, a);
	w->depth--;
	if (w->depth)
		return;
	for (a = a->next; a; a = a->next) {
		w->depth++;
		walk_one(w, a);
		w->depth--;
	}
}

void tp_value_names(const struct tp_format *f,
		    void (*visit)(void *ctx, const struct tp_value_name *n), void *ctx)
{
	struct walk w = { .visit = visit, .ctx = ctx };

	if (f->tep && !(f->tep->flags & TEP_EVENT_FL_FAILED))
		walk(&w, f->tep->print_fmt.args);
}
