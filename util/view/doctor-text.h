/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_DOCTOR_TEXT_H
#define VIEW_DOCTOR_TEXT_H
/*
 * Findings for people: a line each, and below it what helps. As data they are a table as any other
 * (view/draw.h).
 */
#include "util/analysis/findings.h"
#include "util/base/str.h"

void findings_show(struct str *out, const struct table *findings);
/* Of a recording: what it is, in a line; and a table of its quality with a title, if it has
 * rows: the first ones, at most so many, and how many more there are. */
void facts_show(struct str *out, const struct table *facts);
void quality_show(struct str *out, const struct table *t, size_t most);

#endif
