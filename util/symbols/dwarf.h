/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_DWARF_H
#define SYMBOLS_DWARF_H
/*
 * The debug information of a dso for who reads it by libdw.
 */
#include "util/dwarf/file.h"
#include "util/symbols/dso.h"

/* Finds it, in the same order as dso_srcline() does; -ENOENT: there is none that libdw can read.
 * Any thread. */
int dso_dwarf(struct dso *d, struct dwarf_file *f);

#endif
