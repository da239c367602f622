/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_ANNOTATE_PRIV_H
#define VIEW_ANNOTATE_PRIV_H
/*
 * What both layouts of a listing share.
 */
#include "util/view/annotate-text.h"

/* The numbers of an instruction, each in width columns; zero: NULL blanks them, else text.
 * between: of two of them. */
struct annotate_cells { int width; bool blank_zero; const char *between; };
void annotate_add_cells(struct str *out, const struct annotate_view *v, u32 insn,
			const struct annotate_cells *how);
void annotate_add_bytes(struct str *out, const struct insn *i);
/* Of data, if it is asked for and known. */
void annotate_add_type(struct str *out, const struct annotate_view *v,
		       const struct listing_insn *it);
/* --stdio, behind an instruction: "+20.00%", branches that came to it, of how often the instruction
 * that ran most did; "-40.00% (p:90.00%)", how often it was a branch that was taken, of how often
 * it ran, and of these how often the CPU expected it. */
void annotate_add_branches(struct str *out, const struct annotate_view *v, u32 insn);
bool annotate_counts(const struct annotate_view *v, u32 insn);	/* some number is not zero */
void annotate_indented(struct str *out, const char *text);	/* a line of source, safe */

#endif
