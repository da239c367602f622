/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_LINES_PRIV_H
#define SYMBOLS_LINES_PRIV_H
#include <elfutils/libdw.h>

#include "util/symbols/dso.h"

struct elf;
struct lines;
void lines_free(struct lines *l);	/* NULL is fine */

/* Whether libdw cannot read the debug sections of the file as they are. */
bool dwarf_needs_image(const struct elf *e);
/* Appends an ELF file of the debug sections alone, unpacked, and relocated by the addresses in e->secs. One owner of e. */
void dwarf_image(struct elf *e, struct str *image);

/* The supplementary file of dwz, when there is one that libdw does not take by itself; NULL: none. Given to dw as well, so close
 * it after dw has ended. Under the lock of d. */
struct dwarf_alt;
struct dwarf_alt *dwarf_alt_open(struct dso *d, struct elf *from, Dwarf *dw);
void dwarf_alt_close(struct dwarf_alt *a);	/* NULL is fine */
/* The attribute's string in that file; NULL: it is none. a may be NULL. */
const char *dwarf_alt_string(const struct dwarf_alt *a, Dwarf_Attribute *attr);

#endif
