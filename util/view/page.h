/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_PAGE_H
#define VIEW_PAGE_H
/*
 * Pages that page.sh made: parts, ended by NUL, with data between them.
 */
#include "util/base/str.h"

const char *page_part(const char *part, struct str *out);	/* adds it; the next one */
/* Within an element of HTML: no text in it may end that, or begin a comment. */
void page_json(struct str *out, const struct str *json);

#endif
