/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef INJECT_ITRACE_H
#define INJECT_ITRACE_H
/*
 * Traces of Intel PT in a recording become samples of it: two passes. The first collects what is
 * known of tasks, mappings and buffers; then each buffer's trace is followed through the code that
 * ran, and what is wanted of it is written as records, which the reader then has as one more file.
 * That file has no name, and goes with the reader. Errors are records (AUXTRACE_ERROR), in time
 * order like all.
 */
#include "util/data/reader.h"
#include "util/itrace/opts.h"
#include "util/stream/given.h"
#include "util/symbols/dso.h"

struct inject_traces {
	bool found;				/* a trace that can be decoded */
	u64 n_samples, n_errors, bytes;		/* that came of it */
	struct given_stacks given;		/* of --itrace=G and L; the caller releases it */
};

/* Whether there is a trace of a kind that is decoded, in a recording that can be read twice. */
bool inject_has_traces(const struct data_reader *r);
/* The events for what o asks are added to the reader's, and its samples. -errno and err: the
 * recording stays as it was. */
int inject_decode_traces(struct data_reader *r, const struct os *os, const struct itrace_opts *o,
			 const struct symbols_opts *symbols, struct inject_traces *out,
			 struct err *err);

#endif
