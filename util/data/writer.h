/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DATA_WRITER_H
#define DATA_WRITER_H
/*
 * Writing perf.data: header, attrs and ids first, then record bytes as they come, then the features
 * at the end. A file whose writer was killed in between has data size 0 in its header and is read
 * to its last whole record.
 *
 *	data_writer_open(&w, "perf.data", &opts, &err);
 *	data_writer_events(&w, &list, &err);		// after event_list_open(): ids are known
 *	data_write(&w, bytes, n, &err);			// whole records, any number of times
 *	data_writer_finish(&w, &features, &list, &err);
 *	data_writer_release(&w);			// always; unfinished: closes what there is
 *
 * In a recording that is a directory DIR/data is such a file; DIR/data.0, data.1 ... hold nothing
 * but records (opts.records): data_writer_open(), data_write(), data_writer_end(), release. Each
 * file has one owner at a time.
 */
#include "util/data/features.h"

struct data_writer_opts {
	/* an existing file becomes FILE.old (default of record); else it is overwritten */
	bool keep_old;
	/* the user did not name path: it is not meant to be a FIFO or a device */
	bool by_default;
	/* the recording that is read meanwhile, never to be written over; 0: none */
	int input_fd;
	bool pipe;		/* pipe mode: path "-" is standard output */
	/* 0: plain; 1..22: zstd, COMPRESSED (81) records; -ENOTSUP without the library */
	int comp_level;
	/* a write never waits for a disk, as long as memory lasts: errors come later. Not for
	 * pipes */
	bool async;
	/* so many writers work at a time, and share the memory for that; 0: one */
	unsigned n_sharers;
	/* no header, no features: the file begins with the first record */
	bool records;
	bool comp2;		/* COMPRESSED2 (83) instead: older readers stumble over it */
};

struct data_writer {
	char *path;
	int fd;
	bool pipe;
	u64 data_off;		/* where the data section begins */
	u64 data_bytes;		/* accepted so far, as written (compressed) */
	u64 file_bytes;		/* total after finish */
	u64 raw_bytes;		/* before compression */
	struct data_writer_priv *priv;
};

/* Creates the file with mode 0600, as util/base/outfile.h has it: links of others, directories
 * and disks are refused, a FIFO's reader is waited for (signals end that). */
int data_writer_open(struct data_writer *w, const char *path, const struct data_writer_opts *opts,
		     struct err *err);
/* Pipe mode: one HEADER_ATTR record per event, its name and unit as EVENT_UPDATE, and
 * TRACING_DATA. tracing: the section of tp_table_write_section(), or empty; in file mode it is
 * written at finish. */
int data_writer_events(struct data_writer *w, const struct event_list *l, struct span tracing,
		       struct err *err);
/* Appends whole records. Buffered (64 KB; larger pieces go straight to the file). -ENOSPC and
 * the like name file and reason; after an error the file is still to be finished: what was written
 * stays readable, further writes fail with the same error. */
int data_write(struct data_writer *w, const void *bytes, size_t n, struct err *err);
/* two pieces of a ring */
int data_writev(struct data_writer *w, struct span a, struct span b, struct err *err);
/* A FINISHED_ROUND record. */
int data_write_round(struct data_writer *w, struct err *err);
/* Everything out of the buffer (before a fork, or to let a reader follow). */
int data_writer_flush(struct data_writer *w, struct err *err);
/* The same without waiting, where it writes behind. */
int data_writer_push(struct data_writer *w, struct err *err);
/* Pipe mode, any time: a feature as HEADER_FEATURE record. */
int data_write_feature(struct data_writer *w, const struct data_features *f, int feature,
		       const struct event_list *l,
		       struct err *err);
/* The features and the final header. Sections that are in f->present are written in ascending
 * order; EVENT_DESC, GROUP_DESC (with groups) and TRACING_DATA (with tracing data) are added from
 * the list. */
int data_writer_finish(struct data_writer *w, const struct data_features *f,
		       const struct event_list *l, struct err *err);
/* The end of a file that has but records. After a failed write it ends with a whole record, and
 * spare_bytes before what was written, or a quarter of that: room for the features of DIR/data. */
int data_writer_end(struct data_writer *w, u64 spare_bytes, struct err *err);
void data_writer_release(struct data_writer *w);
/* Of a finished file of this byte order that is open (not a pipe's, not a stream): the section
 * becomes one of its features, in place; one that it has is replaced. r itself stays as it was
 * read. Where that fails, the file is as before, as far as it can be written to. */
struct data_reader;
int data_set_section(const struct data_reader *r, int feature, struct span bytes, struct err *err);
/* Removes the file and puts FILE.old back: for a workload that could not be started. */
void data_writer_abort(struct data_writer *w);

#endif
