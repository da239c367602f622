/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EVENT_EVENT_PRIV_H
#define EVENT_EVENT_PRIV_H
/*
 * Shared by the files of this room: name tables, the PMU database's inside, the pieces of the
 * parser and of opening.
 */
#include "util/event/event.h"

struct event_generic { const char *name, *macro; u64 config; };
extern const struct event_generic event_hw_names[], event_sw_names[];	/* end with a NULL name */
extern const char *const event_cache_names[7][5], *const event_cache_op_names[3][4],
	*const event_cache_result_names[2][4];
extern const u8 event_cache_valid_ops[7];

const char *event_generic_name(const struct event_generic *t, u64 config);
bool event_cache_name(u64 config, struct str *out);
bool event_config_name(const struct perf_event_attr *attr, struct str *out);

#endif
