/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_KMEM_H
#define BUILTIN_KMEM_H
/*
 * What the parts of perf kmem share: the options, which stand before and after the sub-command
 * (builtin-kmem-options.c), the models and their tables (builtin-kmem-tables.c); and the
 * sub-commands stat and live (builtin-kmem-stat.c, builtin-kmem-live.c).
 */
#include "util/analysis/kmem.h"
#include "util/analysis/kmem-page.h"
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
/* "kmem:kmalloc": those that there are, of the allocators that were asked for. */
int kmem_find_events(const struct kmem_cmd *c, struct os *os, word_list *names,
		     struct err *err);

struct kmem_pass {
	const struct kmem_cmd *c;
	struct kmem *slab;		/* NULL: not asked for */
	struct kmem_page *page;
	int_vec nodes;			/* of each CPU of the recorded machine; the caller's */
};
/* All but the number borrowed, until kmem_pass_end(). */
struct kmem_input {
	const struct event_list *events;
	bool swap;
	struct machine *machine;
	u64 page_bytes;
};
/* Into sinks, of which there are two at most; returns how many. */
size_t kmem_pass_begin(struct kmem_pass *p, const struct kmem_input *in, struct sink **sinks);
void kmem_pass_show(const struct kmem_pass *p, struct str *out);
u64 kmem_pass_n_bad(const struct kmem_pass *p);	/* events without the needed fields */
void kmem_pass_end(struct kmem_pass *p);

/* For cli_run_sub(). */
int kmem_stat(int argc, const char **argv, void *in);
int kmem_live(int argc, const char **argv, void *in);

#endif
