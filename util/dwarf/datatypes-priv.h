/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DWARF_DATATYPES_PRIV_H
#define DWARF_DATATYPES_PRIV_H
/*
 * What types and variables share: the open file and the types that were met.
 */
#include <elfutils/libdw.h>

#include "util/base/arena.h"
#include "util/base/hash.h"
#include "util/dwarf/datatypes.h"
#include "util/dwarf/file.h"

struct known_type {
	struct datatype shown;		/* first: what is handed out */
	Dwarf_Die die;			/* without qualifiers and typedefs */
	const struct datatype *target;
	bool has_fields, has_target;
};

struct datatypes {
	struct dwarf_file file;
	struct hmap types;		/* address of the entry -> struct known_type */
	struct arena arena;
	Dwarf_Aranges *aranges;
	VEC(Dwarf_Die) units;
	variables globals;		/* by address */
	variables thread_locals;	/* by off */
	s64 thread_start;		/* of the file's part, from the thread's pointer */
	bool has_thread_start;
	struct strmap thread_symbols;	/* name -> place plus 1 */
	bool has_units, has_globals;
};

/* thread-locals.c: see datatypes_thread_start(). */
bool thread_part_start(struct datatypes *t, s64 *start);
void thread_symbols_read(struct datatypes *t, struct strmap *to);
/* Of a variable without a location: false: no symbol of its name, or several. */
bool thread_symbol_place(const struct strmap *symbols, Dwarf_Die *die, struct variable *v);
/* The type that an entry says it has (DW_AT_type); NULL: none. */
const struct datatype *datatype_of_entry(struct datatypes *t, Dwarf_Die *die);

#endif
