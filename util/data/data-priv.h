/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DATA_PRIV_H
#define DATA_PRIV_H
/*
 * What the files of this room share: the file header, attrs of other sizes, the walk over records,
 * compression.
 */
#include <pthread.h>

#include "util/base/hash.h"
#include "util/base/rd.h"
#include "util/data/reader.h"
#include "util/wire/user.h"

#define DATA_HEADER_BYTES	104	/* what we write and PERFILE2 has had since Linux 3.6 */
#define DATA_PIPE_HEADER_BYTES	16
/* Measured: of small records, pread into 256 KB that stays in the cache beats mmap 6 times. */
#define DATA_BUFFER_BYTES	(256 << 10)
#define DATA_DROP_BYTES		(4 << 20)	/* of a mapping after a cursor, when it goes on */
#define DATA_BATCH_BYTES	(2 << 20)	/* of a mapping that are handed out at once */
#define DATA_MARK_BYTES		(1 << 20)	/* a chunk boundary is noted about this often */

/* An attr of that many bytes in the file: padded or cut to ours; attr->size keeps the file's
 * number (64 for 0). */
void data_take_attr(struct rd *r, u32 bytes, struct perf_event_attr *attr);
/* The name from the file; splits "sys:name" of tracepoints. */
void data_rename_event(struct event *e, const char *name);

struct data_mark { u32 file; u64 off; u64 pos; };
struct data_section { u64 off, bytes; };

struct data_aux {
	/* records that were counted, by file and offset: a recording is read more than once */
	struct hmap seen;
	u32 kind;			/* of AUXTRACE_INFO, if known */
	bool reported, decoded;
	u64 bytes;
	size_t warning;			/* its place in r->warnings, plus one */
};

struct data_reader_priv {
	struct data_section sections[FEAT_MAX];	/* of the features present in the file */
	pthread_mutex_t lock;			/* warnings */
	VEC(struct data_mark) marks;		/* of a complete walk */
	bool marks_done;
	/* A stream: what was read while opening, the cursor's first bytes. Header records in it
	 * are applied already. */
	struct str head;
	u64 applied_to;				/* offset in the stream up to which they are */
	bool stream_taken;
	/* one warning says already that the end is missing */
	bool cut_reported;
	bool map_tried;
	u64 ids_bytes;				/* of all attrs */
	size_t n_attrs;				/* HEADER_ATTR records applied */
	struct data_aux aux;
};

/* Adds a warning, unless the same text is there. Any thread. */

/* aux.c. what: of AUXTRACE_INFO the kind, of AUXTRACE how many bytes of AUX data follow. Any
 * thread. */
void data_note_aux(struct data_reader *r, u32 file, u64 off, u32 type, u64 what);
bool data_has_aux_samples(const struct data_reader *r);

/* map.c. Maps the files, when that is the better way to read them; by the owner, before the
 * first cursor walks. */
void data_map(struct data_reader *r);
void data_unmap(struct data_file *f);
/* What lies between these offsets is not needed for now, nor what is shortly before them. Any
 * thread. */
void data_map_drop(const struct data_file *f, u64 from, u64 to);

/* Whether a record of this type only describes the recording (pipe mode). */
bool data_is_header(u32 type);
/* HEADER_* records of pipe mode: takes one in (attr, update, tracing data, build-id, feature).
 * payload: what stands after TRACING_DATA. The record is in host order. */
int data_apply_header(struct data_reader *r, const struct perf_event_header *rec,
		      struct span payload, struct err *err);
/* Groups from GROUP_DESC into leaders, the id index: after all attrs are known. */
void data_settle_events(struct data_reader *r);
/* The formats of feat.tracing_data into the list's table and the events. */
void data_settle_tracing(struct data_reader *r);

/* Pipe mode in a file: one walk that takes in all header records (and notes chunk boundaries). */
int data_walk_headers(struct data_reader *r, struct err *err);
/* A stream: reads and applies the header records at its begin, up to the first other record. */
int data_stream_head(struct data_reader *r, struct err *err);
/* After that: whether AUXTRACE_INFO stands among the next records of user space. */
bool data_head_has_trace(struct data_reader *r);
/* A stream goes into a file without a name in TMPDIR, from its first byte on, which takes its place
 * in r->files; what was read of it so far is forgotten. */
int data_head_to_file(struct data_reader *r, struct err *err);

/* Writing behind, for who cannot wait for a disk: async-writer.c. One owner; a thread of its own
 * writes once there is much. */
struct data_async_writer;
/* n_sharers: of the memory that may wait to be written, 1 or more. */
struct data_async_writer *data_async_new(int fd, unsigned n_sharers);
/* Copies the bytes; waits only when 512 MB (or an eighth of the memory) are not written yet.
 * -errno of a write that failed meanwhile. *written: what reached the file so far. */
int data_async_put(struct data_async_writer *b, const void *bytes, size_t n, u64 *written);
/* lets what was put be written soon */
int data_async_push(struct data_async_writer *b, u64 *written);
/* waits until all is written, or cannot be */
int data_async_drain(struct data_async_writer *b, u64 *written);
void data_async_free(struct data_async_writer *b);			/* drains; NULL is fine */

/* Stream decompression, in order. zstd.c, or its stub that says which package is missing. */
struct data_zstd;
struct data_zstd *data_zstd_new(void);		/* NULL: not built in */
void data_zstd_free(struct data_zstd *z);
/* Appends what the bytes unpack to. */
int data_zstd_unpack(struct data_zstd *z, struct span in, struct str *out, struct err *err);
/* Packs into a frame of its own per call, so that each record unpacks alone. Appends to out. */
int data_zstd_pack(struct data_zstd *z, int level, struct span in, struct str *out,
		   struct err *err);
bool data_zstd_built(void);

#endif
