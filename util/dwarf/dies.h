/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DWARF_DIES_H
#define DWARF_DIES_H
/*
 * Entries as libdw gives them: names, places, scopes, types. One owner of the Dwarf; strings live
 * as long as it does.
 */
#include <elfutils/libdw.h>

#include "util/base/str.h"
#include "util/base/vec.h"

typedef VEC(Dwarf_Die) die_vec;

bool die_entry(Dwarf_Die *die, u64 *entry);		/* the first address of its code */
char *die_qualified_name(Dwarf_Die *die);		/* "ns::C::f"; the caller frees */
const char *die_linkage_name(Dwarf_Die *die);
const char *die_decl_file(Dwarf_Die *die);
/* of an attribute that is a number of a file */
const char *die_file_of(Dwarf_Die *die, unsigned at);
bool die_follow(Dwarf_Die *die, unsigned at, Dwarf_Die *out);	/* to what an attribute refers to */
bool die_is_scope(int tag);				/* functions have its name before theirs */
/* below such an entry there may be inlined copies */
bool die_holds_copies(int tag);
/* Entries with code around addr, beginning with the innermost; fn, the subprogram, is the last. */
void die_scopes(Dwarf_Die *fn, u64 addr, die_vec *out);
/* when the subprogram is not known */
void die_scopes_below(Dwarf_Die *top, u64 addr, die_vec *out);
bool file_matches(const char *path, const char *wanted);	/* the same last components */

/* --- types (types.c) */
bool type_of(Dwarf_Die *die, Dwarf_Die *out);			/* DW_AT_type */
/* without typedef, const, volatile... */
bool type_strip(Dwarf_Die *type, Dwarf_Die *out);
void type_name(Dwarf_Die *type, struct str *out);		/* as -V prints */
u64 type_bytes(Dwarf_Die *type);				/* 0: unknown */
bool type_is_char(Dwarf_Die *type);
bool type_is_struct(Dwarf_Die *type);				/* struct, class, union */
/* bytes from the start of its struct */
u64 type_member_offset(Dwarf_Die *m);
bool die_const(Dwarf_Die *d, unsigned at, u64 *v);
/* The member, also of anonymous members and base classes; its offset is added to *off. depth: 0. */
bool type_member(Dwarf_Die *type, const char *name, Dwarf_Die *out, u64 *off, int depth);
/* elements of a dimension, 0 the first; 0: unknown */
u64 array_count(Dwarf_Die *array, int dim);
/* Bytes of an element once "dims" subscripts of the array are taken; *n_dims: how many it has. */
u64 array_element_bytes(Dwarf_Die *array, int dims, int *n_dims);

#endif
