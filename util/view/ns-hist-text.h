/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_NS_HIST_TEXT_H
#define VIEW_NS_HIST_TEXT_H
/*
 * Times by powers of two as text: a line and a bar each.
 */
#include "util/base/str.h"
#include "util/base/table.h"

/* t: of ns_hist_table(); nothing without rows. title: "Delays of all tasks". */
void ns_hist_add_text(struct str *out, const char *title, const struct table *t);

#endif
