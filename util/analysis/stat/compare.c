// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/stat/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/vec.h"

/* From so many pairs on the normal distribution is near enough. */
#define EXACT_MAX 100

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(const double *v, size_t n)
{
	double *copy = xmemdup(v, n * sizeof(*v)), m;

	qsort(copy, n, sizeof(*copy), by_size);
	m = n % 2 ? copy[n / 2] : (copy[n / 2 - 1] + copy[n / 2]) / 2;
	free(copy);
	return m;
}

/* The largest k for which a rank sum below k has at most half of what may be wrong: the interval
 * begins with the k-th smallest mean; 0: there is none. */
static size_t exact_bound(size_t n, double wrong)
{
	const size_t max = n * (n + 1) / 2;
	double *p = xcalloc(max + 1, sizeof(*p)), sum = 0;
	size_t k = 0;

	p[0] = 1;
	for (size_t rank = 1; rank <= n; rank++)
		for (size_t s = max + 1; s-- > 0;)
			p[s] = (p[s] + (s >= rank ? p[s - rank] : 0)) / 2;
	while (k <= max && sum + p[k] <= wrong / 2)
		sum += p[k++];
	free(p);
	return k;
}

static size_t bound(size_t n, double wrong)
{
	const double mean = (double)n * ((double)n + 1) / 4;
	const double deviation = sqrt(mean * (2 * (double)n + 1) / 6);
	const double z = 2.5758;	/* 1 of 200 on each side */

	if (n <= EXACT_MAX)
		return exact_bound(n, wrong);
	return (size_t)(mean - z * deviation);
}

/* Means of all pairs of them, each with itself too, sorted. */
static double *means_of_pairs(const double *v, size_t n, size_t *n_means)
{
	double *m = xcalloc(n * (n + 1) / 2 + 1, sizeof(*m));

	*n_means = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t k = i; k < n; k++)
			m[(*n_means)++] = (v[i] + v[k]) / 2;
	qsort(m, *n_means, sizeof(*m), by_size);
	return m;
}

void stat_compare(const double *a, const double *b, size_t n, struct stat_comparison *out)
{
	double *logs = xcalloc(n, sizeof(*logs)), *means;
	size_t n_means, k = bound(n, 1 - STAT_CONFIDENCE_PCT / 100.0);

	*out = (struct stat_comparison){ .median_a = median(a, n), .median_b = median(b, n),
					 .ratio = NAN, .low = NAN, .high = NAN,
					 .verdict = STAT_NO_RATIO };
	for (size_t i = 0; i < n; i++) {
		if (!(a[i] > 0) || !(b[i] > 0)) {
			free(logs);
			return;
		}
		logs[i] = log(b[i] / a[i]);
	}
	means = means_of_pairs(logs, n, &n_means);
	out->ratio = exp(median(means, n_means));
	out->low = k ? exp(means[k - 1]) : 0;
	out->high = k ? exp(means[n_means - k]) : INFINITY;
	out->verdict = out->low > 1 ? STAT_MORE : out->high < 1 ? STAT_LESS : STAT_NO_DIFFERENCE;
	free(means);
	free(logs);
}
