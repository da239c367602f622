/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DWARF_LINES_H
#define DWARF_LINES_H
/*
 * Source lines and inlined functions of a file, answered once for each address and kept. Answers
 * live as long as the lines. Any thread, once it is open.
 */
#include "util/base/types.h"

struct elf;
struct dwarf_where;

struct srcline { const char *file; u32 line, column; };		/* file NULL: unknown. Full path */
/* at: where execution is within that function; {0} where only names were asked for */
struct inline_frame { const char *name; struct srcline at; };

struct lines;
/* Of the open file from, whose one owner is the caller; it may be closed afterwards. NULL: it
 * has no DWARF. */
struct lines *lines_open(struct elf *from, const struct dwarf_where *w, bool no_demangle);
void lines_free(struct lines *l);	/* NULL is fine */
struct srcline lines_at(struct lines *l, u64 rva);
/* Innermost first; the last one is the concrete (symbol's) function itself. 0: no inlining
 * known. */
size_t lines_inlines(struct lines *l, u64 rva, const struct inline_frame **out);
/* The same without their at, or with it: tables of lines, which are large, are not read for it. */
size_t lines_inline_names(struct lines *l, u64 rva, const struct inline_frame **out);

#endif
