/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STREAM_STITCH_H
#define STREAM_STITCH_H
/*
 * Call stacks that the CPU kept (record --call-graph lbr), made longer: the registers for branches
 * are few, and of a deep stack only the newest calls are in them. What the oldest register of a
 * sample holds, the sample of its thread before it may have had in the same register, and then the
 * callers that it knew beyond that are those of this one, too. A sink in front of another one.
 */
#include "util/stream/sink.h"

struct stitch;
/* n_registers: of the CPU that was recorded; to is borrowed. max_frames: of a chain; 0: all. */
struct stitch *stitch_new(struct sink *to, u32 n_registers, u32 max_frames);
struct sink *stitch_sink(struct stitch *c);
void stitch_free(struct stitch *c);		/* NULL is fine */
/* Whether the event has such stacks. */
bool stitch_takes(const struct event *ev);

#endif
