/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_KMEM_PAGE_H
#define ANALYSIS_KMEM_PAGE_H
/*
 * What the kernel's page allocator was asked for: kmem:mm_page_alloc and mm_page_free, by the code
 * that asked (the first function of the call chain that is not the allocator's) or by the first of
 * the pages. One owner, one thread.
 */
#include "util/analysis/kmem.h"

enum { KMEM_N_ORDERS = 32, KMEM_N_MIGRATE_TYPES = 5 };

struct kmem_page_opts {
	struct kmem_sort callers, pages;
	u64 page_bytes;
	bool live;		/* only what is not freed again */
};

struct kmem_sum { u64 n, bytes; };

struct kmem_page_totals {
	/* alloc includes failed; freed: both ends were seen */
	struct kmem_sum alloc, free, freed, free_only, failed;
	/* by order and type: unmovable, reclaimable, movable, reserved, CMA or isolated */
	u64 orders[KMEM_N_ORDERS][KMEM_N_MIGRATE_TYPES];
	u64 n_bad;		/* events without the needed fields, or without sense */
};

/*
 * callers: address, function; pages: pfn, then both: bytes, hits, order, migrate_type, gfp_flags,
 * gfp (the flags in short), and pages also have address and function of who asked last. gfp: value,
 * gfp, gfp_flags of each set of flags that was seen.
 */
struct kmem_page_tables { struct table callers, pages, gfp; };

struct kmem_page;
/* Borrowed: events; machine, whose kernel names the callers. */
struct kmem_page *kmem_page_new(const struct kmem_page_opts *opts, const struct event_list *events,
				bool swap, struct machine *machine);
void kmem_page_free(struct kmem_page *k);		/* NULL is fine */
struct sink *kmem_page_sink(struct kmem_page *k);	/* borrowed */
const struct kmem_page_totals *kmem_page_totals(const struct kmem_page *k);
/* After the pass; out is zeroed. */
void kmem_page_tables(struct kmem_page *k, struct kmem_page_tables *out);
void kmem_page_tables_release(struct kmem_page_tables *t);
/* 0, or -ENOENT: the recording has no such events; the hint says how to get some. */
int kmem_page_need_events(const struct event_list *events, const char *path, struct err *err);

#endif
