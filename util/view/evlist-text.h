/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_EVLIST_TEXT_H
#define VIEW_EVLIST_TEXT_H
/*
 * The text of "perf evlist": the table of util/event/event-table.h, one line an event or group.
 */
#include "util/base/str.h"
#include "util/base/table.h"

struct evlist_text_opts { bool freq, group, verbose, trace_fields; };

void evlist_text(struct str *out, const struct table *t, const struct evlist_text_opts *o);

#endif
