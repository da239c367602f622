/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_MEM_SAMPLES_H
#define EXPORT_MEM_SAMPLES_H
/*
 * The text of "perf mem report -D": one line a sample, "PID TID IP ADDR ... SYMBOL".
 */
#include <stdio.h>

#include "util/stream/sink.h"

struct mem_samples_opts {
	FILE *out;			/* borrowed */
	const char *sep;		/* between fields; NULL: a blank */
	bool phys, page_size;		/* show these, too */
	bool hide_unresolved;		/* of functions with a name only */
	bool loads, stores;		/* only these; neither: all */
};

struct mem_samples;
/* o is copied. */
struct mem_samples *mem_samples_new(const struct mem_samples_opts *o);
struct sink *mem_samples_sink(struct mem_samples *m);
void mem_samples_header(const struct mem_samples *m);
void mem_samples_free(struct mem_samples *m);

#endif
