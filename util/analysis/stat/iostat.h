/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_STAT_IOSTAT_H
#define ANALYSIS_STAT_IOSTAT_H
/*
 * What went through PCIe root ports: the rows of their counters (event/iio.h), put together.
 */
#include "util/analysis/stat/stat.h"
#include "util/event/iio.h"

struct iostat_row {
	const char *port;		/* "0000:3a"; borrowed from the ports */
	double mb[IIO_COUNTS];		/* 2^20 bytes; NaN: was not counted */
};
typedef VEC(struct iostat_row) iostat_rows;

/* Of a list that has the events of these ports and no others, in their order; rows may lack. */
void iostat_from_stat(const struct stat_row *rows, size_t n, const iio_port_vec *ports,
		      iostat_rows *out);

#endif
