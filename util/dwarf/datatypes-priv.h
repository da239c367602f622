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
	u64 thread_bytes;		/* of a thread's memory, up to where its pointer points */
	bool has_units, has_globals;
};

/* The type that an entry says it has (DW_AT_type); NULL: none. */
const struct datatype *datatype_of_entry(struct datatypes *t, Dwarf_Die *die);

#endif
