/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef INJECT_INJECT_PRIV_H
#define INJECT_INJECT_PRIV_H
/*
 * Between the files of the room.
 */
#include "util/base/arena.h"
#include "util/base/hash.h"
#include "util/base/vec.h"
#include "util/data/reader.h"
#include "util/data/writer.h"
#include "util/inject/inject.h"

struct added {		/* a mapping to be written in */
	u64 time_ns;
	u32 pid, tid;
	u64 va, bytes, off;
	u32 maj, min;
	u64 ino;
	struct build_id id;
	char *path;	/* owned */
};
typedef VEC(struct added) added_vec;

struct inject {
	const struct inject_opts *o;
	const struct os *os;
	struct inject_result *res;
	struct data_reader *r;
	struct data_writer w;
	added_vec added;	/* by time */
	size_t n_written;	/* of them */
	/* where build-ids are noted; NULL: in the reader's features */
	struct data_features *hits;
	struct strmap known;	/* build-ids by path: struct build_id *, n 0: it has none */
	bool counted;		/* a pass over the samples filled o->stats */
	struct inject_stacks *stacks;	/* NULL: stack dumps stay */
	struct inject_decoded *decoded;	/* NULL: traces stay */
	u64 latest_ns;		/* of the records that were copied */
	struct strmap used;	/* the paths of binaries with samples, where others are left out */
};

/* --- common.c */
void inject_say(const struct inject *in, enum inject_say kind, const char *fmt,
		...) PRINTF_LIKE(3, 4);
/* The time of a record; false: it has none. */
bool inject_record_time(const struct inject *in, const struct perf_event_header *hdr, u64 *ns);

/* --- jit.c: fills added */
int inject_collect_jit(struct inject *in, struct err *err);

/* --- build-ids.c: BUILD_ID features of the reader */
int inject_collect_build_ids(struct inject *in, struct err *err);
/* Fills used. */
int inject_collect_used(struct inject *in, struct err *err);
/* The build-id of a mapped file, remembered; NULL: none. */
const struct build_id *inject_build_id(struct inject *in, const char *path, u64 ino, pid_t pid,
				       bool kernel);
/* The binaries that samples hit, as entries of out->build_ids. */
int inject_hits(const struct inject_opts *o, const struct source *src, const struct os *os,
		struct data_features *out, struct err *err);
void inject_release_build_ids(struct inject *in);

/* --- stacks.c: unwinds all dumps; -ENOTSUP where samples have no place of their own. */
int inject_collect_stacks(struct inject *in, struct err *err);
/* The sample, with its chain instead of the dump. off: its place in the file. */
int inject_copy_sample(struct inject *in, const struct perf_event_header *hdr, u64 off,
		       struct err *err);
void inject_release_stacks(struct inject *in);

/* --- decoded.c: what was made of traces, to be written by time among the other records */
/* The attrs of their events become those of samples that leave this process. */
void inject_open_decoded(struct inject *in);
/* All that is older. */
int inject_put_decoded(struct inject *in, u64 before_ns, struct err *err);
/* Whether a record of the recording goes when its traces are decoded. */
bool inject_is_replaced(const struct inject *in, const struct perf_event_header *hdr);
void inject_release_decoded(struct inject *in);

/* --- archive.c: argv[0] is "tar". in_fd, out_fd: its standard input and output, out_fd for the
 * archive that it makes; -1: ours. It dies with us. */
int archive_run_tar(const char *const *argv, int in_fd, int out_fd, struct err *err);

#endif
