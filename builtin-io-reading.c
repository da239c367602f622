// SPDX-License-Identifier: GPL-2.0-or-later
// What the sub-commands of perf io share that read a recording.
#include "builtin-dump.h"
#include "builtin-io.h"

const struct option_def io_input_options[] = {
	OPT_STRING('i', "input", struct io_input, path, "file",
		   "the recording to read (default: perf.data; -: standard input)"),
	OPT_FLAG('D', "dump-raw-trace", struct io_input, dump, "print all records of the file"),
	OPT_FLAG('f', "force", struct io_input, force,
		 "read a recording that belongs to another user"),
	OPT_END
};

int io_open_recording(struct session *s, const struct io_input *in, io_need_fn need)
{
	return open_for_events(s, &(struct session_opts){ .path = in->path, .force = in->force,
							  .quiet = in->common.quiet },
			       in->dump, need, &in->stream);
}
