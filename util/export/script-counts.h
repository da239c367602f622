/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_SCRIPT_COUNTS_H
#define EXPORT_SCRIPT_COUNTS_H
/*
 * "perf script" of what "perf stat record" wrote: a line a counter and round. A sink, beside that
 * of the samples.
 */
#include "util/base/str.h"
#include "util/stream/sink.h"

struct script_counts;
/* Lines are added by put(ctx, ...) as they come. events is borrowed, and may grow. */
struct script_counts *script_counts_new(const struct event_list *events,
					void (*put)(void *ctx, const char *text, size_t n),
					void *ctx);
void script_counts_free(struct script_counts *c);
struct sink *script_counts_sink(struct script_counts *c);

#endif
