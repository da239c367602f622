/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef INJECT_INJECT_H
#define INJECT_INJECT_H
/*
 * A recording, rewritten: build-ids of its binaries and the code of JIT compilers are added.
 * Records keep their order; what is added stands before the first record that is not older, so that
 * readers that sort by rounds find it in time.
 */
#include "util/base/err.h"
#include "util/os/os.h"
#include "util/stream/stream.h"
#include "util/symbols/dso.h"

enum inject_say { INJECT_DETAIL, INJECT_WARNING };

struct inject_opts {
	const char *input, *output;	/* "-": standard input, output (pipe mode) */
	bool force;			/* whose jitdump files they are does not matter */
	bool build_ids;			/* of the binaries that samples hit */
	bool buildid_all;		/* of all that are mapped */
	/* into the mappings' records; those of binaries without samples are left out */
	bool mmap2_ids;
	bool mmap2_all;			/* into all of them */
	bool jit;			/* jitdump files */
	bool chains;			/* stack dumps become call chains */
	/* Traces: src has what was made of them (inject_decode_traces()), which takes their place;
	 * else they stay as they are. */
	bool decoded;
	bool strip;			/* and the samples of the other events go */
	struct symbols_opts symbols;
	struct stream_stats *stats;	/* gets what was lost of the recording, or is unknown */
	/* what was done (for -v), and what could not be; may be NULL */
	void (*say)(void *ctx, enum inject_say kind, const char *text);
	void *say_ctx;
};

struct inject_result {
	u64 n_records;			/* copied */
	u64 n_build_ids;		/* known at the end */
	u64 n_dumps, n_loads, n_moves, n_bad;	/* jitdump files, and records of them */
	u64 n_stacks;			/* dumps that became chains */
	u64 n_decoded;			/* samples that were made of traces */
	u64 bytes;			/* of the output's data */
};

/* src is a file or a pipe, opened from o->input; it is borrowed. */
int inject_run(const struct inject_opts *o, const struct source *src, const struct os *os,
	       struct inject_result *res, struct err *err);

#endif
