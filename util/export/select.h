/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_SELECT_H
#define EXPORT_SELECT_H
/*
 * A sink before another one: counts samples, and hands on those of some events. One owner.
 */
#include "util/base/err.h"
#include "util/stream/sink.h"

struct event_list;
struct export_select;

/* names, each of an event or a pattern (sched:*), and to are borrowed; n 0: all events. */
struct export_select *export_select_new(const char *const *names, size_t n, struct sink *to);
void export_select_free(struct export_select *s);	/* NULL is fine */
struct sink *export_select_sink(struct export_select *s);
u64 export_select_count(const struct export_select *s);	/* handed on so far */
/* After the stream: -ENOENT when a name is of no event of the recording at path. */
int export_select_check(const struct export_select *s, const struct event_list *events,
			const char *path, struct err *err);

#endif
