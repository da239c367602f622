/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_IO_H
#define BUILTIN_IO_H
/*
 * perf io: builtin-io.c has the requests to devices, builtin-io-cache.c the page cache,
 * builtin-io-reading.c what both have in common.
 */
#include "util/cli/common.h"
#include "util/session/session.h"

struct io_input {
	const char *path;
	bool force, dump;
	struct stream_opts stream;
	struct cli_common common;
};
extern const struct option_def io_input_options[];	/* of a struct io_input */
/* need: 0, or < 0 and why the recording is of no use. < 0: s->err says why. */
typedef int (*io_need_fn)(const struct event_list *events, const char *path, struct err *err);
int io_open_recording(struct session *s, const struct io_input *in, io_need_fn need);

int io_cache(int argc, const char **argv, void *in);	/* in: a struct io_input */

#endif
