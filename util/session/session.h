/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H
/*
 * The life of a command that reads a recording (live.h: of one that watches what happens now):
 *
 *	struct session s = { 0 };
 *	int ret = session_open(&s, &(struct session_opts){ .path = o.input, .force = o.force });
 *
 *	if (!ret)
 *		ret = session_prepare(&s, &o.stream);	// machine, symbols and filters are there
 *	if (!ret) {
 *		sinks[0] = foo_sink_new(..., s.source->events);
 *		ret = session_run(&s, sinks, 1);
 *	}
 *	if (!ret)
 *		... shows the result ...
 *	foo_free(...);
 *	return session_close(&s, ret);			// warnings, error, exit status
 *
 * It alone says what is missing of a recording: once, on stderr, in the same words and with the
 * same exit status for each command. One owner, one thread.
 */
#include "util/analysis/annotate/blocks.h"
#include "util/base/num.h"
#include "util/cli/options.h"
#include "util/data/reader.h"
#include "util/itrace/opts.h"
#include "util/stream/given.h"
#include "util/os/os.h"
#include "util/stream/stream.h"

struct session_opts {
	const char *path;		/* NULL: perf.data; "-": standard input */
	bool force;			/* whose file it is does not matter */
	bool header_only;		/* the records are not looked at */
	bool quiet;			/* no warnings; the exit status stays */
	/* NULL: traces stay as they are. Else what is made of them, and where code is found */
	const struct itrace_opts *itrace;
	const struct symbols_opts *symbols;
	bool keep_traces;		/* where they are not decoded: they are copied */
};

struct session {
	struct os os;
	struct source *source;		/* events, what is known of the machine, the reader */
	struct source recording;	/* what source points to */
	struct stream *stream;		/* from session_prepare() on */
	struct given_stacks given;	/* what traces know of samples */
	bool traces_decoded;
	u64 trace_errors;		/* where traces could not be followed */
	struct stream_stats counted;	/* by others than the stream: reported with the rest */
	struct err err;			/* why a call returned < 0 */
	bool open, quiet, warned;
};

/* --tolerant, for the tables of all commands that read recordings. */
struct option_table session_group(void);

/* < 0: s->err says why. session_close() is due in any case. */
int session_open(struct session *s, const struct session_opts *o);
/* Makes the stream: machine, binaries, filters. o is copied, texts in it are borrowed. */
int session_prepare(struct session *s, const struct stream_opts *o);
/* All records through the sinks, once. Makes a stream of one thread if session_prepare() was not
 * called. */
int session_run(struct session *s, struct sink *const *sinks, size_t n);
/* What is missing of the recording, on stderr, after what was shown so far. Once: other calls do
 * nothing. */
void session_warn(struct session *s);
/* Warnings, if session_warn() was not called. ret < 0: the error of s->err (none for -EPIPE: who
 * read our output went away); > 0: an exit status whose reason was reported. Releases all; returns
 * the exit status. */
int session_close(struct session *s, int ret);

/* The socket of each CPU, -1 where the recording does not tell; n of them. The caller frees. */
int *session_sockets(const struct session *s, unsigned *n);
/* Counters of branches (branch type "counter"), as events and PMUs of the recording tell. */
struct branch_counters session_branch_counters(const struct session *s);
/* The NUMA node of each CPU, -1 where the recording does not tell. The caller frees. */
void session_nodes(const struct session *s, int_vec *nodes);

/* For main(), which decides: status, or 1 and a message where all went well with a recording
 * that is damaged. */
int session_status(int status);

#endif
