// SPDX-License-Identifier: GPL-2.0-or-later
// Types as plain structs, made of entries when they are met.
#include <dwarf.h>
#include <stdlib.h>

#include "util/base/str.h"
#include "util/base/xalloc.h"
#include "util/dwarf/datatypes-priv.h"
#include "util/dwarf/dies.h"

struct datatypes *datatypes_open(struct dwarf_file *f)
{
	struct datatypes *t = xcalloc(1, sizeof(*t));

	t->file = *f;
	*f = (struct dwarf_file){ .fd = -1 };
	if (dwarf_getaranges(t->file.dw, &t->aranges, NULL))
		t->aranges = NULL;
	return t;
}

void datatypes_close(struct datatypes *t)
{
	if (!t)
		return;
	hmap_release(&t->types);
	arena_release(&t->arena);
	vec_free(&t->units);
	vec_free(&t->globals);
	vec_free(&t->thread_locals);
	strmap_release(&t->thread_symbols);
	dwarf_file_close(&t->file);
	free(t);
}

static enum datatype_kind kind_of(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return DATATYPE_POINTER;
	case DW_TAG_array_type:
		return DATATYPE_ARRAY;
	case DW_TAG_base_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_ptr_to_member_type:
		return DATATYPE_SCALAR;
	default:
		return type_is_struct(die) && !dwarf_hasattr(die, DW_AT_declaration) ?
			DATATYPE_STRUCT : DATATYPE_OTHER;
	}
}

/* A struct without a name goes by that of its typedef. */
static const char *name_of(struct datatypes *t, Dwarf_Die *whole, Dwarf_Die *bare)
{
	struct str s = STR_INIT;
	const char *copy;
	Dwarf_Die d = *whole;

	for (int i = 0; i < 32 && type_is_struct(bare) && !dwarf_diename(bare) &&
	     dwarf_tag(&d) != DW_TAG_typedef && type_of(&d, &d); i++)
		;
	type_name(dwarf_tag(&d) == DW_TAG_typedef && type_is_struct(bare) && !dwarf_diename(bare) ?
		  &d : bare, &s);
	copy = arena_strdup(&t->arena, str_cstr(&s));
	str_release(&s);
	return copy;
}

/* What no program has is not computed with. */
static u64 sane(u64 bytes) { return bytes <= DATATYPE_MAX_BYTES ? bytes : 0; }

static const struct datatype *known(struct datatypes *t, Dwarf_Die *whole)
{
	struct known_type *k;
	Dwarf_Die bare;

	if (!type_strip(whole, &bare) || !bare.addr)
		return NULL;
	k = hmap_get(&t->types, (u64)(uintptr_t)bare.addr);
	if (k)
		return &k->shown;
	k = arena_alloc(&t->arena, sizeof(*k));
	k->die = bare;
	k->shown.kind = kind_of(&bare);
	k->shown.name = name_of(t, whole, &bare);
	k->shown.bytes = k->shown.kind == DATATYPE_OTHER ? 0 : sane(type_bytes(&bare));
	hmap_put(&t->types, (u64)(uintptr_t)bare.addr, k);
	return &k->shown;
}

const struct datatype *datatype_of_entry(struct datatypes *t, Dwarf_Die *die)
{
	Dwarf_Die type;

	return type_of(die, &type) ? known(t, &type) : NULL;
}

const struct datatype *datatype_target(struct datatypes *t, const struct datatype *d)
{
	struct known_type *k = (struct known_type *)d;

	if (!d || (d->kind != DATATYPE_POINTER && d->kind != DATATYPE_ARRAY))
		return NULL;
	if (!k->has_target) {
		k->has_target = true;
		k->target = datatype_of_entry(t, &k->die);
	}
	return k->target;
}

static bool is_member(Dwarf_Die *d)
{
	const int tag = dwarf_tag(d);

	return (tag == DW_TAG_member && !dwarf_hasattr(d, DW_AT_external)) ||
		tag == DW_TAG_inheritance;
}

static void read_bits(Dwarf_Die *m, struct datatype_field *f)
{
	u64 bit;

	if (die_const(m, DW_AT_data_bit_offset, &bit))
		f->off = bit / 8 / (f->bytes ? f->bytes : 1) * (f->bytes ? f->bytes : 1);
}

const struct datatype *datatype_complete(struct datatypes *t, const struct datatype *d)
{
	struct known_type *k = (struct known_type *)d;
	VEC(struct datatype_field) fields = { 0 };
	Dwarf_Die m;

	if (!d || d->kind != DATATYPE_STRUCT || k->has_fields)
		return d;
	k->has_fields = true;
	if (!dwarf_child(&k->die, &m))
		do {
			const char *name = dwarf_diename(&m);
			struct str safe = STR_INIT;
			struct datatype_field f = { .off = type_member_offset(&m) };

			if (!is_member(&m))
				continue;
			f.off = sane(f.off);
			f.type = datatype_of_entry(t, &m);
			f.bytes = f.type ? f.type->bytes : 0;
			read_bits(&m, &f);
			str_add_safe(&safe, name && dwarf_tag(&m) == DW_TAG_member ? name : "");
			f.name = arena_strdup(&t->arena, str_cstr(&safe));
			str_release(&safe);
			vec_push(&fields, f);
		} while (!dwarf_siblingof(&m, &m));
	k->shown.fields = fields.n ?
		arena_dup(&t->arena, fields.v, fields.n * sizeof(*fields.v)) : NULL;
	k->shown.n_fields = fields.n;
	vec_free(&fields);
	return d;
}
