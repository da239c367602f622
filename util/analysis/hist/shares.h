/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_HIST_SHARES_H
#define ANALYSIS_HIST_SHARES_H
/*
 * Accesses to memory in classes: of what kind they were, which cache or memory had the data, what
 * snooping and the TLB said. Of each part a sample is in one class; a part is a column of shares.
 * Pure.
 */
#include "util/base/types.h"

enum share_part { SHARE_OP, SHARE_CACHE, SHARE_MEMORY, SHARE_SNOOP, SHARE_DTLB, N_SHARE_PARTS };

#define N_SHARES 29		/* classes of all parts, one after the other */

struct share_class { const char *title, *key; };
/* The classes of a part; the first one's number among all. */
const struct share_class *share_classes(enum share_part part, unsigned *n, unsigned *first);
/* The numbers of the classes that the access is of, by part. */
void shares_of(u64 data_src, unsigned classes[N_SHARE_PARTS]);

#endif
