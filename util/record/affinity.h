/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_AFFINITY_H
#define RECORD_AFFINITY_H
/*
 * The recorder goes to the rings (--affinity): before it reads one, it moves to the CPU that wrote
 * it, or to that CPU's node, so that records are read from a near memory. One owner, whose thread
 * is moved.
 */
#include "util/os/os.h"

/* In the order of --affinity sys|node|cpu. */
enum record_affinity { RECORD_ANYWHERE, RECORD_NEAR_NODE, RECORD_NEAR_CPU };

struct affinity;

/* NULL: nothing is moved (RECORD_ANYWHERE, or the topology is unknown). */
struct affinity *affinity_new(enum record_affinity how, const struct os *os);
/* Before a ring of that CPU is read; -1: of no CPU. Where the kernel refuses, all stays as it
 * is. */
void affinity_follow(struct affinity *a, int cpu);
/* Back to where the thread was at the beginning; a NULL is nothing. */
void affinity_free(struct affinity *a);

#endif
