/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_LINES_PRIV_H
#define SYMBOLS_LINES_PRIV_H
#include <elfutils/libdw.h>

#include "util/symbols/dso.h"
#include "util/symbols/dwarf.h"

struct elf;
struct lines;
void lines_free(struct lines *l);	/* NULL is fine */

/* dwarf-file.c: of the open file from, which has the debug information of d. Under the lock of d. */
int dwarf_file_open(struct dwarf_file *f, struct dso *d, struct elf *from);

/* dwarf-image.c: whether libdw cannot read the debug sections of the file as they are. */
bool dwarf_needs_image(const struct elf *e);
/* Appends an ELF file of the debug sections alone, unpacked, and relocated by the addresses in e->secs. tail: NULL, or a text that
 * stands, with a NUL, behind the strings of .debug_str and .debug_line_str. One owner of e. */
void dwarf_image(struct elf *e, const char *tail, struct str *image);
/* Appends an ELF file of these sections for the same machine as e. */
struct image_sec { const char *name; struct span data; };
void dwarf_image_of(const struct elf *e, const struct image_sec *secs, u32 n, struct str *image);

/* The supplementary file of dwz, when there is one that libdw does not take by itself; NULL: none. Given to dw as well, so close
 * it after dw has ended. Under the lock of d. */
struct dwarf_alt *dwarf_alt_open(struct dso *d, struct elf *from, Dwarf *dw);
/* Such a name of a pipe or a device must not reach libdw, which would open it and wait. The second: of a skeleton's full unit. */
bool dwarf_alt_is_no_file(struct elf *from);
bool dwarf_split_is_no_file(const Dwarf_Die *cu);
void dwarf_alt_close(struct dwarf_alt *a);	/* NULL is fine */
/* The attribute's string in that file; NULL: it is none. a may be NULL. */
const char *dwarf_alt_string(const struct dwarf_alt *a, Dwarf_Attribute *attr);

/* dwarf-pkg.c: the package (.dwp) with units of the file from; NULL: none. Under the lock of d. */
struct dwarf_pkg *dwarf_pkg_open(struct dso *d, struct elf *from);
void dwarf_pkg_close(struct dwarf_pkg *p);	/* NULL is fine */
const char *dwarf_pkg_link(const struct dwarf_pkg *p);	/* the path that its units have for libdw, one at a time */
/* Lets the skeletons of the image name that path. image was made with it as the tail. */
void dwarf_pkg_rename(struct dwarf_pkg *p, Elf *elf, struct str *image);
/* The full unit of a skeleton becomes that path's file, then libdw looks. Any thread. */
void dwarf_pkg_attach(struct dwarf_pkg *p, Dwarf_CU *skeleton);

#endif
