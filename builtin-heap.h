/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_HEAP_H
#define BUILTIN_HEAP_H
/*
 * The parts of perf heap: builtin-heap.c has record and report, builtin-heap-live.c live,
 * builtin-heap-options.c what they have in common.
 */
#include "builtin-picture.h"
#include "builtin-record.h"
#include "util/cli/groups.h"
#include "util/view/heap-text.h"

struct heap_input {
	const char *path;
	bool force, dump;
	struct stream_opts stream;
	struct cli_common common;
};

struct heap_recording { struct record_heap heap; struct cli_common common; };

struct heap_cmd {
	struct heap_input in;
	struct heap_opts opts;
	struct heap_view view;
	const char *flame;
};

extern const struct option_def heap_record_options[];	/* of a struct heap_recording */
extern const struct option_def heap_view_options[];	/* of a struct heap_cmd */

/* perf record with what heaps need. output: of -o; NULL: as always. The exit status. */
int heap_run_record(const struct heap_recording *h, const struct picture_record *r,
		    const char *output, int n, const char **argv);
void heap_add(struct heap_cmd *c, struct heap_model *m, struct str *out);	/* its tables */
int heap_live(int argc, const char **argv, void *in);	/* as cli_run_sub() starts it */

#endif
