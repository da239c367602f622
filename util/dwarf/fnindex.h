/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DWARF_FNINDEX_H
#define DWARF_FNINDEX_H
/*
 * Where functions of a large file are defined, kept by build-id in a file of its own. Read-only
 * once it is open: any thread.
 */
#include "util/base/vec.h"
#include "util/dwarf/file.h"
#include "util/dwarf/fnscan.h"

struct fnindex;
/* Made when it is not there. NULL: none for this file, or it cannot be kept below index_dir. */
struct fnindex *fnindex_open(const struct dwarf_file *f, const struct build_id *id,
			     const char *index_dir);
void fnindex_free(struct fnindex *x);		/* NULL is fine */

typedef VEC(u32) fnindex_numbers;
/* Numbers of the units; false: the name is not there. */
bool fnindex_units(const struct fnindex *x, const char *name, fnindex_numbers *out);
/* The units by number; *linked: they refer to each other. */
size_t fnindex_table(const struct fnindex *x, const struct fnunit **units, bool *linked);

#endif
