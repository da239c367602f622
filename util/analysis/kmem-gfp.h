/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_KMEM_GFP_H
#define ANALYSIS_KMEM_GFP_H
/*
 * Flags of allocations (GFP_KERNEL|__GFP_ZERO) in short (K|Z). Any thread.
 */
#include "util/base/str.h"

/* Names with | between, in short; those without a short name as they are. */
void gfp_shorten(const char *flags, struct str *out);

#endif
