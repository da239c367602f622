/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STREAM_STREAM_H
#define STREAM_STREAM_H
/*
 * source -> order -> apply -> resolve -> sinks. Counts everything that was lost, skipped or
 * undecodable; prints nothing.
 */
#include "util/data/warning.h"
#include "util/stream/guests.h"
#include "util/stream/sink.h"
#include "util/stream/source.h"

/* what every reading command offers; NULL or 0: no filter */
struct stream_filter {
	/* comma lists; symbols: also addresses in hex, of a symbol's start or of a sample */
	const char *comms, *dsos, *symbols;
	int addr_range;				/* bytes from such an address on; 0: it alone */
	const char *pids, *tids, *cpus;
	/* "start,stop", in s of the recording's clock; also "10%-20%" and "10%/2" */
	const char *time;
	const char *symbol_substr;		/* --symbol-filter */
	const char *where;			/* an expression: where.h */
};

/* Branch stacks as parts of call chains, beside the frames that they had: before these, the newest
 * branch first, or after them, the oldest one outermost. The source of a branch is outside of its
 * target, or inside where the oldest is outermost. Both together have no more branches and frames
 * than the recorded chain has words, but all branches; the innermost frames stay, or the outermost.
 */
enum stream_branches {
	STREAM_BRANCHES_APART, STREAM_BRANCHES_INNERMOST, STREAM_BRANCHES_OUTERMOST,
};

struct stream_opts {
	unsigned threads;			/* 0: one per CPU */
	int max_frames;				/* 0: all; chains longer are cut */
	const char *unwind_engine;		/* NULL: default */
	bool no_inline;
	bool count_broken;			/* recorded chains that break are counted */
	/* and end where they run into what is no code, in one frame marked so */
	bool cut_broken;
	enum stream_branches branches;
	int max_branches;			/* of a stack, with branches; 0: all */
	bool stitch_lbr;			/* see stitch.h */
	bool count_running;			/* machine_running_at() will be asked */
	struct symbols_opts symbols;
	struct stream_guests guests;
	struct stream_filter filter;
};

/* Where recorded chains broke: in code of this dso, or (NULL) elsewhere than in the first that
 * were met. */
struct broken_at { const struct dso *dso; u64 n; };

struct stream_stats {
	u64 n_records, n_samples, n_lost, n_lost_records, n_lost_samples, n_unordered,
		n_undecodable, n_unknown_id, n_unknown_type,
	    n_filtered, n_throttled, n_no_map, n_switches;
	u64 first_ns, last_ns;			/* of samples; first U64_MAX without any */
	u64 by_type[96];			/* number of records by type */
	u64 unwind_ended[16];			/* by enum unwind_end */
	/* with count_broken: chains by frame pointers with user frames; those that break; of one
	 * frame without a name, which may */
	u64 n_user_chains, n_broken_chains, n_unsure_chains;
	struct broken_at broken_at[16];
	/* stitch_lbr has no effect: there are no call stacks of the CPU, or it is not known how
	 * many branches that keeps */
	enum stream_unstitched { STREAM_STITCHED, STREAM_NO_STACKS,
				 STREAM_NO_REGISTERS } unstitched;
	/* "MMAP2 (10) at offset 0x1234: reason" of the first undecodable record; owned */
	char *first_bad;
};

/* What progress of running the stream is called: samples come to the sinks. */
#define STREAM_PROGRESS "Processing events"

struct stream;
/* What the source points to is borrowed, and must outlive the stream. */
struct stream *stream_new(const struct source *source, const struct os *os,
			  const struct stream_opts *opts, struct err *err);
void stream_free(struct stream *s);
struct machine *stream_machine(struct stream *s);
struct dso_store *stream_dsos(struct stream *s);
/* Runs everything once through the sinks (all in the same pass; the mode is the strictest that
 * any wants). */
int stream_run(struct stream *s, struct sink *const *sinks, size_t n_sinks, struct err *err);
/* The same for a live source, piece by piece: begin, any number of puts of records that are in the
 * order of time already, end. false: no sink wants more. The records are borrowed for the call. */
void stream_begin(struct stream *s, struct sink *const *sinks, size_t n_sinks);
bool stream_put(struct stream *s, const struct wire_timed *recs, size_t n);
void stream_end(struct stream *s);
/* Between two puts, of a run that may last for weeks: tasks and mappings that ended before are
 * forgotten, but for the threads that are keys of kept (NULL: none). What the machine handed out of
 * the others is gone. */
void stream_trim(struct stream *s, u64 before_ns, const struct hmap *kept);
const struct stream_stats *stream_get_stats(const struct stream *s);

/* Counts a record that no stream looks at; of a loss also how much. first_bad is kept. */
void stream_stats_count(struct stream_stats *st, const struct perf_event_header *hdr, u64 off);
void stream_stats_release(struct stream_stats *st);
/* Out of a stream that goes on to live for its binaries. */
void stream_move_stats(struct stream *s, struct stream_stats *out);
/* What was lost, undecodable, unknown, unordered: adds a warning for each. */
void stream_warnings(const struct stream_stats *st, data_warnings *out);

#endif
