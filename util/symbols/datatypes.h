/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_DATATYPES_H
#define SYMBOLS_DATATYPES_H
/*
 * Types of data and places of variables in a dso, by its DWARF.
 */
#include "util/dwarf/datatypes.h"
#include "util/symbols/dso.h"

/* The caller closes it; NULL: no debug information. Addresses there are rva - *delta. Any
 * thread. */
struct datatypes *dso_datatypes(struct dso *d, u64 *delta);

#endif
