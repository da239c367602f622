/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COUNT_FILE_H
#define COUNT_FILE_H
/*
 * Counts in a perf.data: "perf stat record" writes each read of each counter, "perf stat report"
 * makes the rows of them again.
 */
#include "util/count/section.h"

struct data_reader;

struct count_file_opts {
	const char *path;		/* NULL: perf.data */
	const char *version;
	int argc;			/* the command line, for the header */
	const char *const *argv;
};

/* Written through count_opts.file. */
/* NULL: failed */
struct count_file *count_file_new(const struct count_file_opts *o, struct err *err);
/* Events of perf's own get ids. */
int count_file_begin(struct count_file *f, struct event_list *l, struct os *os,
		     const struct count_opts *o,
		     struct err *err);
void count_file_value(struct count_file *f, const struct event *e, int thread, int cpu,
		      const struct event_count *c);
void count_file_round(struct count_file *f, u64 time_ns, bool last);
/* Completes the file; the first error of any write. */
int count_file_finish(struct count_file *f, const struct event_list *l, struct os *os,
		      struct err *err);
/* Removes it: nothing was counted. */
void count_file_abort(struct count_file *f);
void count_file_free(struct count_file *f);

/* Reads such a file, record by record: intervals go to o->on_interval, the total to res, whose
 * rows borrow from the reader's events and from m. aggr < 0: as it was recorded. */
struct count_replay *count_replay_new(struct data_reader *r, int aggr, struct count_opts *o,
				      const struct count_metrics_of *m, struct count_result *res);
int count_replay_record(struct count_replay *p, const struct perf_event_header *rec, u64 off,
			struct err *err);
/* After the last one. title gets the recorded command line, or "pipe" of a stream without one. */
int count_replay_end(struct count_replay *p, struct str *title, struct err *err);
void count_replay_free(struct count_replay *p);

#endif
