/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_TOP_CODE_H
#define VIEW_TOP_CODE_H
/*
 * The code of a function within the lines that a terminal has: all of it, where it fits, else the
 * lines with the largest shares, in their order.
 */
#include "util/view/annotate-text.h"

/* min_pct: instructions with a smaller share are left out, unless all fits. */
void top_code_text(struct str *out, const struct annotate_view *v, double min_pct, size_t lines);

#endif
