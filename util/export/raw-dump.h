/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_RAW_DUMP_H
#define EXPORT_RAW_DUMP_H
/*
 * The text of "report -D" and "script -D": each record as bytes and in words, as upstream perf 7.2
 * prints it. Appends to a str.
 */
#include "util/stream/sink.h"
#include "util/wire/wire.h"

struct raw_dump {
	/* what stands after '@': the path as given, "pipe" for a stream */
	const char *file;
	const struct arch_info *arch;	/* names of registers; NULL: numbers */
	/* of all events together: which of cpu and time stand in front */
	u64 sample_type;
	bool id_all;
	int data_fd;			/* AUX data is read from it; -1: it is not shown */
	u32 aux_kind;			/* of AUXTRACE_INFO, once it was seen */
	int fd;				/* where the sink writes to */
	int failed;			/* errno of a failed write */
	struct str out;
	struct sink sink;		/* wants order, records and locations; for stream_run() */
};

/* file is borrowed. arch may be NULL. Release with raw_dump_finish(). */
void raw_dump_init(struct raw_dump *d, const char *file, const struct event_list *events,
		   const struct arch_info *arch, int fd);
/* Packets of traces are shown, too, read from the file of the records. */
void raw_dump_with_aux(struct raw_dump *d, int data_fd);
/* Writes out what is left; -EPIPE: nobody reads any more, which is no error. */
int raw_dump_finish(struct raw_dump *d, struct err *err);

/* One record in host order. s: the decoded sample (its event set), NULL for other records; id:
 * theirs, may be NULL. */
void raw_dump_record(struct raw_dump *d, u64 file_off, const struct perf_event_header *rec,
		     const struct sample *s,
		     const struct sample_id *id, struct str *out);
/* What follows a sample once it is resolved: NULL is unknown. */
void raw_dump_location(const char *comm, u32 tid, const char *dso, struct str *out);

#endif
