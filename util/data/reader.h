/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DATA_READER_H
#define DATA_READER_H
/*
 * Reading perf.data: a file, a directory, a pipe-mode file, or a stream (FIFO, standard input).
 *
 *	struct data_reader r;
 *	if (data_open(&r, "perf.data", 0, &err) == 0) {
 *		struct data_cursor c;
 *		struct data_record rec;
 *		data_cursor_init(&c, &r);			// everything, in file order
 *		while ((ret = data_cursor_next(&c, &rec, &err)) > 0)
 *			...
 *		data_cursor_release(&c);
 *	}
 *	data_close(&r);						// always safe
 *
 * Parallel: data_split() once (one owner), then each chunk gets a cursor of its own in any thread.
 * Cursors read with pread into a reused buffer, or from a mapping (recordings with stack dumps);
 * records arrive in host byte order and decompressed. After data_open() the reader's events and
 * features are read-only, except on a stream (r.stream), where the one cursor adds what arrives in
 * HEADER_* records.
 */
#include "util/data/features.h"
#include "util/data/warning.h"
#include "util/wire/wire.h"

enum data_open_flags {
	DATA_FORCE = 1,		/* -f: do not check the owner */
	/* do not look at the data section (evlist, buildid-list, --header-only) */
	DATA_HEADER_ONLY = 2,
	/* a stream with traces of CPUs is copied into a file first: who decodes them reads them
	 * more than once */
	DATA_KEEP_TRACES = 4,
};

struct data_file {		/* 0: the file itself or dir/data; 1..: dir/data.0 ... */
	char *path;
	int fd;
	u64 from, to;		/* range of records */
	const u8 *map;		/* all of it up to "to", where records are large; or NULL */
	size_t map_bytes;
	bool decoded;		/* not of the recording: data_add_records() added it */
};

struct data_reader {
	char *path;			/* as given; "-": standard input */
	struct event_list events;	/* names of EVENT_DESC, ids, groups, tracepoint formats */
	struct data_features feat;
	/* the file has the other byte order (tracepoint raw data is never swapped: pass this on) */
	bool swap;
	bool pipe_mode;			/* written by "record -o -" */
	bool stream;			/* cannot seek: one cursor, one pass */
	bool dir;
	bool version1;			/* PERFFILE of 2009 to 2012 */
	bool compressed;		/* has COMPRESSED records */
	u64 mtime_s;			/* "captured on"; 0 for a stream */
	u64 header_bytes, attr_bytes;	/* as the file says (104 today) */
	/* as the header says; data_bytes after repair when it was cut */
	u64 data_off, data_bytes, feat_off;
	u64 file_bytes;
	VEC(struct data_file) files;
	data_warnings warnings;		/* each text once */
	/* Of a stream, may be set after data_open: called in the cursor's thread when the next
	 * bytes are not there yet. */
	void (*on_wait)(void *ctx);
	void *on_wait_ctx;
	struct data_reader_priv *priv;
};

struct data_names { char **v; size_t n, cap; };

/* path NULL: "perf.data" in the current directory. Failure: one message that names file (and
 * offset), with a hint. */
int data_open(struct data_reader *r, const char *path, unsigned flags, struct err *err);
void data_close(struct data_reader *r);
/* A stream may tell of more events and of its machine at any time: reads it to its end, for them
 * alone. Of a file all is known. */
int data_read_headers(struct data_reader *r, struct err *err);
/* Adds a warning: something of it cannot be used. Each text once; hint may be NULL. Any thread. */
void data_warn(struct data_reader *r, const char *hint, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* The trace is decoded: no warning about it. One owner. */
void data_aux_is_decoded(struct data_reader *r);
/* One more file of nothing but records of this byte order, bytes from its beginning on; what was
 * split before is not valid any more. fd is taken. Before cursors walk; its events are in the list
 * already, which is indexed again. */
void data_add_records(struct data_reader *r, int fd, u64 bytes);
/* The kind of its traces, as AUXTRACE_INFO has it, once that was met (in pipe mode while it was
 * opened); 0: not known. */
u32 data_aux_kind(const struct data_reader *r);
/* For who does not read the records: the warning about AUX data, by the index of the file. */
void data_count_aux(struct data_reader *r);

struct data_record {
	/* host order, whole; 8-byte aligned; valid until the next call on the cursor */
	const struct perf_event_header *hdr;
	/* offset in its file of the record, or of the COMPRESSED record around it: for messages,
	 * -D */
	u64 off;
	/* place in the whole recording: grows with each record of a chunk, and from chunk to
	 * chunk */
	u64 pos;
	u32 file;		/* index in r->files */
	/* Bytes after the record that its size does not count (AUXTRACE, and TRACING_DATA in
	 * pipe mode): in the file, readable by data_read_payload(). On a stream they are skipped.
	 */
	u64 payload_off, payload_bytes;
	bool stays;		/* hdr lies in the file's mapping: valid until data_close() */
};

/* file offsets; COMPRESSED data is one chunk a file */
struct data_chunk { u32 file; u64 from, to, pos; };
typedef VEC(struct data_chunk) data_chunks;

struct data_cursor {
	struct data_reader *r;
	/* type bits: 0..63 and 64..127; others are stepped over. Default all */
	u64 want_kernel, want_user;
	u64 n_records, n_skipped;	/* handed out; stepped over because not wanted */
	u64 n_compressed, n_compressed2;	/* COMPRESSED records unpacked on the way */
	u64 bytes_done;
	/* for progress (base/progress.h): of a cursor over everything; NULL: silent */
	const char *what;
	/* so much of a mapping after the cursor is still looked at */
	u64 keep_bytes;
	struct data_cursor_priv *priv;
};

/* A cursor over everything, file after file; on a stream the only one. */
void data_cursor_init(struct data_cursor *c, struct data_reader *r);
/* A cursor over one chunk. Any thread. */
void data_cursor_chunk(struct data_cursor *c, struct data_reader *r,
		       const struct data_chunk *chunk);
void data_cursor_release(struct data_cursor *c);
/* 1: a record; 0: the end; < 0: error (file and offset in the message). A cut file ends with 0
 * and a warning in r. */
int data_cursor_next(struct data_cursor *c, struct data_record *out, struct err *err);
/* Up to max records that are all valid together until the next call: what one buffer (256 KB) or
 * the mapping holds. n > 0, 0 or < 0. */
int data_cursor_batch(struct data_cursor *c, struct data_record *out, int max, struct err *err);
/* The bytes that come next where they lie, from a record's beginning on, aligned and in host
 * order: for a loop over small records that checks each for itself. It says then how far it came,
 * and goes on with data_cursor_batch(), whatever it met. Empty: so at once. off: of the first byte
 * in its file. */
struct span data_cursor_peek(struct data_cursor *c, u64 *off);
void data_cursor_skip(struct data_cursor *c, size_t bytes, u64 n_records);

/* Of a mapped file: what lies between is not looked at for now, so it need not stay mapped.
 * Large parts go, the rest waits: returns up to where. Nobody may look at those bytes meanwhile. */
u64 data_let_go(const struct data_file *f, u64 from, u64 to);

/* Cuts the data into about n chunks at record boundaries, in order. It walks the headers, unless
 * a complete cursor with want_* at any setting came by before (that one notes the boundaries): so
 * do the side-band scan first. One owner. */
int data_split(struct data_reader *r, unsigned n, data_chunks *out, struct err *err);

int data_read_payload(const struct data_reader *r, const struct data_record *rec, struct str *out,
		      struct err *err);

/* The text of "report --header" (full: -I), lines beginning with '#', as upstream perf 7.2
 * prints it. */
void data_print_header(const struct data_reader *r, bool full, struct str *out);

/* The names of the files in the directory that begin as recordings do, sorted; each owned. */
void data_find_recordings(const char *dir, struct data_names *out);

#endif
