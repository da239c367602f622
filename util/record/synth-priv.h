/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_SYNTH_PRIV_H
#define RECORD_SYNTH_PRIV_H
/*
 * Between the files of the synthesis.
 */
#include "util/record/synth.h"
#include "util/symbols/dso.h"

/* The members of a trailing id that a synthetic record fills (zero where it knows nothing
 * better). */
#define SYNTH_ID_BITS (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | \
		       PERF_SAMPLE_STREAM_ID | \
		       PERF_SAMPLE_CPU | \
		       PERF_SAMPLE_IDENTIFIER)

/* size: what a wire_encode_*() returned. */
int synth_put(struct synth *s, const void *rec, int size);

/* A mapping of the kernel or a module, from s->time_ns on. id may be NULL. */
int synth_put_kernel_map(struct synth *s, u64 start, u64 end, const char *path,
			 const struct build_id *id);
/* type: PERF_RECORD_KSYMBOL_TYPE_*. A name that no kernel has is left out. */
int synth_put_ksymbol(struct synth *s, u64 va, u64 bytes, unsigned type, const char *name);
/* The modules' mappings, and those of code that is being loaded. */
int synth_modules(struct synth *s);
/* The path of a module's file, false if modules.dep has none, and its build-id (n 0: unknown, or
 * not wanted). */
bool synth_module_identity(struct synth *s, const char *name, struct str *path,
			   struct build_id *id);

#endif
