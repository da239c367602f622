/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_PROBE_TEXT_H
#define VIEW_PROBE_TEXT_H
/*
 * The tables of "perf probe" (util/probe/probe.h) as text: -F, -L, -V and -l.
 */
#include "util/base/str.h"
#include "util/base/table.h"

void probe_text_funcs(struct str *out, const struct table *t);
void probe_text_lines(struct str *out, const struct table *t);
/* point: as the user wrote it */
void probe_text_vars(struct str *out, const struct table *t, const char *point);
void probe_text_events(struct str *out, const struct table *t);

#endif
