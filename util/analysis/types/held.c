// SPDX-License-Identifier: GPL-2.0-or-later
// Objects by address: which part of a type lies where.
#include "util/analysis/types/flow.h"

#define MAX_NESTING 32

static s64 wrap(s64 off, u64 bytes)
{
	const s64 n = (s64)bytes, rest = off % n;

	return rest < 0 ? rest + n : rest;
}

/* An array without a length is the last member, and all that follows. */
static bool in_flexible_array(const struct datatype *t, s64 off)
{
	const struct datatype_field *last = t->n_fields ? &t->fields[t->n_fields - 1] : NULL;

	return last && last->type && last->type->kind == DATATYPE_ARRAY && !last->bytes &&
		off >= (s64)last->off;
}

enum access_why held_resolve(struct datatypes *t, struct held *h)
{
	for (int i = 0; h->type && h->type->kind == DATATYPE_ARRAY; i++) {
		const struct datatype *el = datatype_target(t, h->type);

		if (!el || !el->bytes || i == MAX_NESTING)
			return ACCESS_NO_TYPE;
		*h = (struct held){ el, wrap(h->off, el->bytes) };
	}
	if (!h->type)
		return ACCESS_NO_VARIABLE;
	datatype_complete(t, h->type);
	if (h->type->kind == DATATYPE_OTHER || !h->type->bytes)
		return ACCESS_NO_TYPE;
	if (h->type->kind != DATATYPE_STRUCT)	/* it may be one of many */
		h->off = wrap(h->off, h->type->bytes);
	else if (h->off < 0 || ((u64)h->off >= h->type->bytes &&
				!in_flexible_array(h->type, h->off)))
		return ACCESS_OUTSIDE;
	return ACCESS_KNOWN;
}

struct held held_pointer(struct datatypes *t, const struct datatype *pointer)
{
	return pointer && pointer->kind == DATATYPE_POINTER ?
		(struct held){ datatype_target(t, pointer), 0 } : (struct held){ NULL, 0 };
}

/* NULL: none, or several (of a union). */
static const struct datatype_field *only_field(const struct datatype *t, u64 off)
{
	const struct datatype_field *found = NULL;

	for (size_t i = 0; i < t->n_fields; i++) {
		const struct datatype_field *f = &t->fields[i];

		if (off < f->off || off - f->off >= f->bytes)
			continue;
		if (found)
			return NULL;
		found = f;
	}
	return found;
}

struct held held_loaded(struct datatypes *t, struct held h)
{
	for (int i = 0; i < MAX_NESTING && held_resolve(t, &h) == ACCESS_KNOWN; i++) {
		const struct datatype_field *f;

		if (h.type->kind != DATATYPE_STRUCT)
			return h.off ? (struct held){ NULL, 0 } : held_pointer(t, h.type);
		f = only_field(h.type, (u64)h.off);
		if (!f || !f->type)
			break;
		h = (struct held){ f->type, h.off - (s64)f->off };
	}
	return (struct held){ NULL, 0 };
}
