// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/stat/iostat.h"

#include <math.h>

void iostat_from_stat(const struct stat_row *rows, size_t n, const iio_port_vec *ports,
		      iostat_rows *out)
{
	vec_clear(out);
	for vec_each(p, ports)
		vec_push(out, ((struct iostat_row){ p->name, { NAN, NAN, NAN, NAN } }));
	for (size_t i = 0; i < n; i++) {
		const size_t at = (size_t)rows[i].event->index;

		if (rows[i].state == STAT_COUNTED && at / IIO_COUNTS < out->n)
			out->v[at / IIO_COUNTS].mb[at % IIO_COUNTS] = rows[i].value;
	}
}
