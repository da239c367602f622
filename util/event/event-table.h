/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EVENT_EVENT_TABLE_H
#define EVENT_EVENT_TABLE_H
/*
 * Events as rows, with what their attr asks for. Columns: "name"; "group" (the leader's index,
 * absent outside of groups) and "group_name" (where it has one); "type" and "config" as the kernel
 * numbers them; "sample_freq" or "sample_period"; "precise_ip"; "sample_type", "read_format" and
 * "flags" (lists); "trace_fields" (a list; absent: not a tracepoint; none: its format is not
 * known); "attr", for text only. Texts are copied.
 */
#include "util/base/table.h"
#include "util/event/event.h"

void event_table_begin(struct table *t);
void event_table_add(struct table *t, const struct event *e);

#endif
