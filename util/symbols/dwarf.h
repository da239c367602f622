/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_DWARF_H
#define SYMBOLS_DWARF_H
/*
 * The debug information of a dso as libdw wants it: found by the dso's identity, unpacked and relocated where libdw cannot do it,
 * with the supplementary file of dwz and the package of split units (.dwp) that belong to it.
 */
#include <elfutils/libdw.h>

#include "util/symbols/dso.h"

struct dwarf_alt;
struct dwarf_pkg;

/* One owner, but see dwarf_file_full_unit(). Zeroed it is closed. */
struct dwarf_file {
	Elf *elf;		/* what libdw reads; changed by nobody */
	Dwarf *dw;		/* the first reader */
	int fd;			/* of elf; -1: it is an image in memory */
	struct str image;
	struct dwarf_alt *alt;	/* NULL: libdw found it by itself, or there is none */
	struct dwarf_pkg *pkg;	/* NULL: it has no skeletons of split units */
	bool shares;		/* one reader at most: another file's Dwarf hangs on it */
};

/* Finds it, in the same order as dso_srcline() does; -ENOENT: there is none that libdw can read. Any thread. */
int dso_dwarf(struct dso *d, struct dwarf_file *f);
/* One more reader, which the caller ends before it closes the file; NULL: not possible. One at a time. */
Dwarf *dwarf_file_begin(struct dwarf_file *f);
void dwarf_file_close(struct dwarf_file *f);
/* The unit with the functions: of a skeleton that in the package or in a .dwo file, else (and where that is missing) cu itself.
 * True when it is another than cu. To be asked before anything else that looks for it (dwarf_get_units() with a subdie). Any thread
 * that owns the reader. */
bool dwarf_file_full_unit(struct dwarf_file *f, const Dwarf_Die *cu, Dwarf_Die *full);
/* Where the compiler put the full unit of a skeleton; NULL: it is none. The caller frees. */
char *dwarf_file_split_path(const struct dwarf_file *f, const Dwarf_Die *cu);

#endif
