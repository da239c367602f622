/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DWARF_DWARF_PRIV_H
#define DWARF_DWARF_PRIV_H
/*
 * What makes a file's debug information readable for libdw, and the files that belong to it.
 */
#include <errno.h>
#include <gelf.h>

#include "util/base/str.h"
#include "util/dwarf/file.h"
#include "util/elf/elf.h"

/* Notes what opening a file gave: -errno. Any thread. */
static inline void dwarf_note_open(const struct dwarf_where *w, int ret)
{
	if (ret == -EMFILE || ret == -ENFILE)
		atomic_fetch_add_explicit(w->n_unopened, 1, memory_order_relaxed);
}

/* sections.c: the next section of that name after another one (NULL: the first); NULL: there is
 * none. elf may be NULL. */
Elf_Scn *dwarf_section_named(Elf *elf, const char *name, Elf_Scn *behind, GElf_Shdr *sh);

/* image.c: whether libdw cannot read the debug sections of the file as they are. */
bool dwarf_needs_image(const struct elf *e);
/* Appends an ELF file of the debug sections alone, unpacked, and relocated by the addresses in
 * e->secs. tail: NULL, or a text that stands, with a NUL, after the strings of .debug_str and
 * .debug_line_str. One owner of e. */
void dwarf_image(struct elf *e, const char *tail, struct str *image);
/* Appends an ELF file of these sections for the same machine as e. */
struct image_sec { const char *name; struct span data; };
void dwarf_image_of(const struct elf *e, const struct image_sec *secs, u32 n, struct str *image);

/* alt.c: the supplementary file of dwz, when there is one that libdw does not take by itself;
 * NULL: none. Given to dw as well, so close it after dw has ended. One owner of from. */
struct dwarf_alt *dwarf_alt_open(struct elf *from, const struct dwarf_where *w, Dwarf *dw);
/* Such a name of a pipe or a device must not reach libdw, which would open it and wait. */
bool dwarf_alt_is_no_file(struct elf *from);
void dwarf_alt_close(struct dwarf_alt *a);	/* NULL is fine */
/* The attribute's string in that file; NULL: it is none. a may be NULL. */
const char *dwarf_alt_string(const struct dwarf_alt *a, Dwarf_Attribute *attr);

/* dwo.c: a .dwo file that libdw reads, for a unit with that name, DW_AT_comp_dir (may be NULL)
 * and binary; -1: none. */
int dwarf_dwo_open(const char *dir, const char *name, const char *beside);
int dwarf_memory_file(const struct str *image);		/* -1: not possible */

/* package.c: where the full units of the file from are, in a package (.dwp) or in .dwo files;
 * NULL: it has none. One owner of from. */
struct dwarf_pkg *dwarf_pkg_open(struct elf *from, const struct dwarf_where *w);
void dwarf_pkg_close(struct dwarf_pkg *p);	/* NULL is fine */
/* the path that its units have for libdw, one at a time */
const char *dwarf_pkg_link(const struct dwarf_pkg *p);
/* Lets the skeletons of the image name that path. image was made with it as the tail. */
void dwarf_pkg_rename(struct dwarf_pkg *p, Elf *elf, struct str *image);
/* The full unit of a skeleton becomes that path's file, then libdw looks. Any thread. */
void dwarf_pkg_attach(struct dwarf_pkg *p, Dwarf_CU *skeleton);
/* the .dwo file's path as compiled; NULL: no skeleton */
char *dwarf_pkg_wanted(const struct dwarf_pkg *p, Dwarf_CU *skeleton);

#endif
