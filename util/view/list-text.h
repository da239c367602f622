/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_LIST_TEXT_H
#define VIEW_LIST_TEXT_H
/*
 * The text of "perf list": the table of util/event/catalog.h.
 */
#include "util/base/str.h"
#include "util/base/table.h"

struct list_text_opts {
	bool desc, details;
	bool names_only;	/* separated by blanks */
};

void list_text(struct str *out, const struct table *t, const struct list_text_opts *o);

#endif
