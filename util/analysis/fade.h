/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_FADE_H
#define ANALYSIS_FADE_H
/*
 * How what was counted loses weight, for all that top counts: keep/of of it is left each time, and
 * nothing of what has less than half of a sample's period.
 */
#include "util/base/types.h"

#define FADE_LEAST 2	/* less than this part of a sample's period is nothing */

struct fade { u64 keep, of; };

static inline u64 fade_part(const struct fade *f, u64 v)
{
	return (u64)((unsigned __int128)v * f->keep / f->of);
}

/* Of a sum of n samples; mean: the period of one. */
static inline void fade_sum(const struct fade *f, u64 *period, u64 *n, u64 mean)
{
	const u64 left = fade_part(f, *period), least = MAX(mean / FADE_LEAST, (u64)1);

	*n = *n && left >= least ? MAX(fade_part(f, *n), (u64)1) : 0;
	*period = *n ? left : 0;
}

#endif
