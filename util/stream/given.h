/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STREAM_GIVEN_H
#define STREAM_GIVEN_H
/*
 * Call chains and last branches that samples have not recorded: somebody else knows them (a decoder
 * of traces), by the sample's time, thread and address. The attr of such an event says that its
 * samples have them, and event.given that their records do not. Filled by one thread before samples
 * are read; then any thread may look. Zeroed memory is empty.
 */
#include "util/base/arena.h"
#include "util/base/hash.h"
#include "util/wire/sample.h"

struct given_stacks { struct hmap by_sample; struct arena arena; };

void given_stacks_release(struct given_stacks *g);
/* Of a sample with time, thread and address, its chain and branch; both are copied. */
void given_stacks_add(struct given_stacks *g, const struct sample *s);
/* To a sample what its event has given of it; NULL: nothing is known. */
void given_stacks_fill(const struct given_stacks *g, struct sample *s, u64 given);

#endif
