/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STREAM_SINK_H
#define STREAM_SINK_H
/*
 * What a consumer of samples implements. The stream does no work that no sink wants, and picks its
 * mode by it: without SINK_ORDER, on a seekable file, side-band is scanned first, the machine
 * frozen, and chunks are resolved in parallel, each worker with a clone of the sink, merged in
 * chunk order. With it, records come by time, one after the other.
 */
#include "util/event/event.h"
#include "util/machine/machine.h"
#include "util/symbols/dso.h"
#include "util/wire/sample.h"

enum sink_wants {
	SINK_ORDER = 1,		/* samples and records in time order */
	SINK_SYMBOLS = 2,	/* leaf: mapping, dso, symbol */
	SINK_CHAIN = 4,		/* frames[] of the call chain (resolved like the leaf if SYMBOLS) */
	SINK_INLINE = 8,	/* frames expanded by inlined functions */
	SINK_SIDEBAND = 16,	/* record() is called for non-sample records too */
	SINK_ADDR = 32,		/* data address resolved */
	SINK_BRANCH = 64,	/* branch stack ends resolved */
	SINK_THREAD = 128,	/* thread and comm (implied by SYMBOLS, CHAIN, ADDR, BRANCH) */
	/* with ORDER and clone: slices of the order may go to clones in several threads at once,
	 * which are merged in order (a sink that only turns samples into text) */
	SINK_BATCHES = 256,
	/* with CHAIN and SYMBOLS: the function of the sample's own address is the innermost frame,
	 * also where the chain begins in another one (the chain of a precise event is taken a
	 * little later, that of user space alone has no kernel), as who counts functions has it */
	SINK_LEAF = 512,
};

struct location {
	u64 va;
	const struct mapping *map;	/* NULL: nothing mapped there */
	struct dso *dso;		/* NULL with map NULL */
	const struct symbol *sym;	/* NULL: no name */
	u64 rva;			/* in dso */
	u8 cpumode;			/* PERF_RECORD_MISC_USER, KERNEL, ... */
	/* how far before va rva is: 1 for callers of recorded chains */
	u8 back;
	/* no address, but what stands for callers that the chain does not tell */
	u8 broken;
	u8 added;	/* by SINK_LEAF: the chain does not have it */
	/* 0: the real frame; n: n-th inlined function around the address, innermost has the
	 * largest */
	u32 inline_depth;
	const struct inline_frame *inl;	/* of this inlined frame, or NULL */
};

/* A frame that is an end of a branch: stream_opts.branches. Rounds of a loop that were before it,
 * and are left out: how many, and their cycles. */
struct branch_end {
	const struct perf_branch_entry *branch;
	u64 round_cycles;
	u32 rounds;
	bool to;			/* where it went */
};

/* parallel to the sample; valid until the sink returns, what it points to is stable */
struct resolved {
	struct thread *thread;
	const struct comm *comm;
	struct location leaf;
	/* innermost first, without PERF_CONTEXT marks. va as recorded; rva and sym of callers are
	 * those of the call instruction (va - 1) */
	const struct location *frames;
	u32 n_frames;
	struct location data;		/* SINK_ADDR */
	const struct location *branches;	/* SINK_BRANCH: from, to pairs: 2 * branch.n */
	/* those of frames[first_end] and after it that are ends of branches */
	const struct branch_end *ends;
	u32 first_end, n_ends;
	u8 chain_end;			/* enum unwind_end of a DWARF stack */
};

struct sink_item { const struct sample *sample; const struct resolved *res; u64 file_off;
		   const struct perf_event_header *rec; };

struct sink {
	unsigned wants;
	void *ctx;
	/* n samples in file (or, with ORDER, time) order. */
	void (*samples)(struct sink *s, const struct sink_item *items, size_t n);
	/* A non-sample record, with SINK_SIDEBAND; id may have present == 0. */
	void (*record)(struct sink *s, const struct perf_event_header *rec,
		       const struct sample_id *id, u64 file_off);
	/* With ORDER: samples of which events it takes; NULL: of all. Samples that no sink takes
	 * are counted, but neither decoded nor put in order. Such sinks that want no threads do not
	 * look at the machine either: it may stay empty. */
	bool (*takes)(const struct sink *s, const struct event *ev);
	/* NULL, or: events came, or their formats, while a stream is read; it may want more from
	 * now on. Before samples of them. */
	void (*events)(struct sink *s);
	/* Parallel mode: an empty sink of the same kind; merge adds what "from" saw (its records
	 * are later in the file than everything merged before) and frees it. NULL clone: the sink
	 * runs in one thread. */
	struct sink *(*clone)(struct sink *s);
	void (*merge)(struct sink *s, struct sink *from);
	/* set by the sink, or by who shows progress: enough was seen */
	bool stop;
};

#endif
