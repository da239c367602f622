/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_SYNTH_PRIV_H
#define RECORD_SYNTH_PRIV_H
/*
 * Between the files of the synthesis.
 */
#include "util/record/synth.h"

/* The members of a trailing id that a synthetic record fills (zero where it knows nothing better). */
#define SYNTH_ID_BITS (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | \
		       PERF_SAMPLE_IDENTIFIER)

/* size: what a wire_encode_*() returned. */
int synth_put(struct synth *s, const void *rec, int size);

#endif
