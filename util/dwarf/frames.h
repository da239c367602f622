/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DWARF_FRAMES_H
#define DWARF_FRAMES_H
/*
 * For who reads a file by libdw: the unwind tables as libdw tells them, and relocatable files (a
 * kernel module's), whose sections libdwfl lays out and relocates. One owner. Zeroed all are
 * closed.
 */
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "util/elf/elf.h"

struct dwarf_relocatable { Dwfl *dwfl; Dwfl_Module *mod; };

/* NULL: it has no DWARF; its symbols are there nevertheless. The Dwarf ends with r. */
Dwarf *dwarf_relocatable_open(struct dwarf_relocatable *r, const char *path);
/* Calls fn for each named symbol of a section, at its address in that layout. */
void dwarf_relocatable_symbols(struct dwarf_relocatable *r,
			       void (*fn)(void *ctx, const struct elf_symbol *s), void *ctx);
void dwarf_relocatable_close(struct dwarf_relocatable *r);

struct dwarf_frames {
	Dwarf_CFI *eh, *debug;
	Elf *elf;		/* of eh */
	int fd;
};

/* Of the running file (NULL: it is not there) and of what its DWARF says; or of a relocatable
 * file. */
void dwarf_frames_open(struct dwarf_frames *f, const struct elf *main, Dwarf *dw);
void dwarf_frames_of(struct dwarf_frames *f, struct dwarf_relocatable *r);
/* NULL: none; the caller frees */
Dwarf_Frame *dwarf_frames_at(const struct dwarf_frames *f, u64 rva);
void dwarf_frames_close(struct dwarf_frames *f);

#endif
