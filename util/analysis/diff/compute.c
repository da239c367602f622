// SPDX-License-Identifier: GPL-2.0-or-later
// What is computed of a pair of rows.
#include "util/analysis/diff/diff-priv.h"

static double share(const struct diff_side *s, u64 total)
{
	return total ? (double)s->period * 100 / (double)total : 0;
}

double diff_base_pct(const struct diffing *d, const struct diff_row *r)
{
	return share(&r->sides[0], d->shown.period);
}

bool diff_value(const struct diffing *d, const struct diff_row *r, size_t file, double *out)
{
	const struct diff_side *base = &r->sides[0], *s = &r->sides[file];

	*out = 0;
	if (!s->has)
		return false;
	switch (d->o->compute) {
	case DIFF_DELTA_ABS:
	case DIFF_DELTA:
		*out = share(s, d->total[file].period) - share(base, d->total[0].period);
		return true;
	case DIFF_RATIO:
		*out = base->period ? (double)s->period / (double)base->period : 0;
		return base->has;
	case DIFF_CYCLES:	/* blocks are in order already */
		return false;
	case DIFF_WDIFF:
		*out = (double)(s64)s->period * (double)d->o->weight -
			(double)(s64)base->period * (double)d->o->weight_base;
		return base->has;
	}
	return false;
}

bool diff_is_chance(const struct diffing *d, const struct diff_row *r, size_t file)
{
	const double n0 = (double)r->sides[0].n, n1 = (double)r->sides[file].n;
	const double all0 = (double)d->total[0].n, all1 = (double)d->total[file].n;
	double difference, variance;

	if (d->o->compute > DIFF_DELTA || all0 < 1 || all1 < 1) {
		difference = n1 - n0;	/* of counts */
		variance = n1 + n0;
	} else {
		const double p = (n0 + n1) / (all0 + all1);

		difference = n1 / all1 - n0 / all0;	/* of shares */
		variance = p * (1 - p) * (1 / all0 + 1 / all1);
	}
	return difference * difference <=
		DIFF_CHANCE_DEVIATIONS * DIFF_CHANCE_DEVIATIONS * variance;
}
