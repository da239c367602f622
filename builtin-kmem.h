/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_KMEM_H
#define BUILTIN_KMEM_H
/*
 * What the parts of perf kmem share: the options, which stand before and after the sub-command
 * (builtin-kmem-options.c), and stat (builtin-kmem-stat.c).
 */
#include "util/analysis/kmem.h"
#include "util/base/table.h"
#include "util/cli/common.h"
#include "util/stream/stream.h"

/* One of the two tables: --caller, --alloc. */
struct kmem_rows {
	bool shown;
	int rows;		/* -l; < 0: all */
	const char *keys;	/* -s, of each that is given for it; NULL: the default */
};

struct kmem_cmd {
	const char *path, *keys;	/* keys: -s before any table, for both */
	bool force, slab, page, live, raw_ip;
	struct kmem_rows callers, memory;
	struct kmem_rows *last;		/* that was asked for; NULL: none yet */
	struct table_output data;
	struct stream_opts stream;
	struct cli_common common;
};

extern const struct option_def kmem_options[];
/* Which allocator; < 0: what cannot be is said. */
int kmem_check(struct kmem_cmd *c);
/* For cli_run_sub(). */
int kmem_stat(int argc, const char **argv, void *in);

#endif
