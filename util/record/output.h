/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_OUTPUT_H
#define RECORD_OUTPUT_H
/*
 * Where the records go: one file, or one after the other (--switch-output), or a pipe. On the way
 * each record's header is looked at: samples and losses are counted, the times of samples and the
 * mapped files are noted for the features.
 */
#include "util/base/hash.h"
#include "util/record/pinned-files.h"
#include "util/record/record.h"
#include "util/wire/wire.h"

#define RECORD_BAD_RING "the kernel's ring buffer holds a record with an impossible size"

struct output_dso {	/* a file that was mapped executable */
	char *path;
	struct build_id id;	/* as the kernel recorded it, n 0: not */
	u32 maj, min;
	u64 ino;
	pid_t pid;		/* one of the processes that mapped it */
	bool kernel;
	bool hit;		/* samples are in it: after output_scan_hits() */
	int fd;			/* held open; -1: not */
	u8 n_tries;		/* to hold it */
	u64 look_ns;		/* for a perf map again, not before */
	bool is_map;		/* code made at run time: path is that of a perf map */
	bool is_dump;		/* a jitdump that nobody finds by its name here */
	/* a binary without a build-id that is not to be found by its name here (any more) */
	bool is_bare;
	/* the contents of these three, once they were read; id is of that */
	struct str map;
};

/* ended: the process has */
struct output_range { u64 start_va, end_va; struct output_dso *dso; pid_t pid; bool ended; };

/* Who is shown records of tasks and mappings, whole. */
struct output_tap {
	void (*fn)(void *ctx, const struct perf_event_header *rec);	/* NULL: nobody */
	void *ctx;
	/* they go there for another scan; NULL: they are looked at */
	struct str *records;
};

struct output_scan {
	size_t time_off;	/* of the time in a sample record, bytes */
	size_t ip_off;		/* of the address, 0: none */
	size_t chain_off;	/* of the call chain, 0: none, or its place varies */
	/* sampled addresses >> PAGE_SHIFT, + 1; older: before output_scan_compact() */
	struct hmap pages, older_pages;
	u64 recent_pages[64];		/* that are in pages: chains come back to few of them */
	VEC(struct output_range) ranges;
	size_t compact_at;	/* so many ranges */
	u64 n_samples, n_lost_records, n_lost, n_maps;
	u64 first_ns, last_ns;	/* of samples; first U64_MAX: none */
	/* of the time in other records' trailing id: bytes from their end, 0: none */
	size_t id_time_back;
	u64 newest_ns;		/* of all records */
	struct strmap seen;	/* identity -> struct output_dso * */
	VEC(struct output_dso *) dsos;
	u8 *split;		/* a record that wraps around a ring's end */
	struct pinned_files *held;	/* NULL: files are not held */
	size_t n_maps_due;	/* perf maps that may still appear */
	bool snapshot;		/* these records tell what was there before */
	struct output_tap tap;
};

/* held is borrowed until the release. */
void output_scan_init(struct output_scan *s, const struct perf_event_attr *attr,
		      struct pinned_files *held);
void output_scan_release(struct output_scan *s);
/* Whole records in two pieces (b may be empty; only a record's body may be split). false: a size
 * that cannot be. */
bool output_scan_spans(struct output_scan *s, struct span a, struct span b);
/* The time of the record at an offset of such pieces, if it is a sample, else 0; size: of the
 * record, at least that of a header. */
u64 output_sample_time(const struct output_scan *s, struct span a, struct span b, size_t off,
		       size_t *size);
/* A record that is still in its ring: the file of a mapping is opened now, before its process may
 * be gone. */
void output_scan_hold(struct output_scan *s, const struct perf_event_header *rec);
/* One record, or of a sample what may be in files that were not hit yet: for
 * output_write_seen(). */
void output_scan_record(struct output_scan *s, const struct perf_event_header *h);
void output_scan_sample(struct output_scan *s, u64 time_ns, const u64 *addresses_va, size_t n);
void output_scan_address(struct output_scan *s, u64 va);	/* that a sample has been at */
/* Marks the files that samples fell into. Processes are not reported apart, so now and then one
 * too many. */
void output_scan_hits(struct output_scan *s);
/* What from has counted, and with pages the addresses that it has seen, go to "to"; it goes on
 * from nothing. */
void output_scan_fold(struct output_scan *to, struct output_scan *from, bool pages);
/* Its time to be compacted, together with what is in other_pages. */
bool output_scan_is_full(const struct output_scan *s, size_t other_pages);
/* Looks again for the perf maps that programs in other mount namespaces have not written yet:
 * often at first. */
void output_scan_maps(struct output_scan *s, u64 now_ns);
/* Between two passes over the rings: forgets, when there are many, mappings that cannot tell
 * anything new. */
void output_scan_compact(struct output_scan *s, const struct os *os);

struct output {
	const struct record_output *o;
	int clockid;
	const struct record_listener *listener;
	const struct os *os;
	const struct event_list *list;		/* as written: names, ids, attrs of the file */
	const char *path;			/* of the file that is being written */
	struct data_writer w;
	/* NULL: nothing will be kept in the cache */
	struct pinned_files *held;
	bool open, failed;
	struct output_scan scan;
	struct output_tap tap;			/* of the scan of each file */
	u64 final_bytes;			/* data in the file that was finished last */
	u64 final_unpacked_bytes;		/* the same before compression */
	u64 raw_bytes;				/* accepted since the file was opened */
	u64 opened_ns;
	int n_files;
	/* files of --switch-output that are finished, oldest first */
	VEC(char *) done;
	u64 clock_tod_ns, clock_ns;		/* the same moment on the wall clock and on -k's */
	/* the TRACING_DATA section; empty: no tracepoints */
	struct str tracing;
};

/* o, os and list are borrowed; clockid: of the events. */
void output_init(struct output *out, const struct record_output *o, int clockid,
		 const struct record_listener *listener, const struct os *os,
		 const struct event_list *list);
void output_release(struct output *out);
/* Who is shown records of tasks and mappings, whole, as they pass by. */
void output_observe(struct output *out, void (*fn)(void *ctx, const struct perf_event_header *rec),
		    void *ctx);
int output_open(struct output *out, struct err *err);
/* Whole records. After a failure all further writes fail silently with the same code: err is set
 * by the first. */
int output_write(struct output *out, struct span a, struct span b, struct err *err);
/* The same, but the scan has them. */
int output_write_seen(struct output *out, struct span a, struct span b, struct err *err);
int output_round(struct output *out, struct err *err);
/* Features and header; with --switch-output or --timestamp-filename the file gets its final name
 * (*name, owned by out). */
int output_finish(struct output *out, const char **name, struct err *err);
void output_abort(struct output *out);	/* no file is left */

/* --- cache.c: keeps the files that samples hit, by build-id, for the time when they are
 * replaced or their container is gone. What cannot be kept is left out: the recording is complete
 * without it. */
void output_fill_cache(struct output *out);

/* The build-id of a mapped file; false: none is known. */
bool output_build_id(const struct output *out, const struct output_dso *d, struct build_id *id);
/* Its path; of a jitdump that only its process can see, the one that a kept copy has. The caller
 * frees. */
char *output_dso_name(const struct output_dso *d);
/* The features of a recording that is finished now. */
void output_features(struct output *out, struct data_features *f);

#endif
