/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_KMEM_H
#define ANALYSIS_KMEM_H
/*
 * What the kernel's slab allocator was asked for: kmem:kmalloc, kmem_cache_alloc (before 6.3 also
 * _node) and the calls that free, by the code that asked or by the memory it got. One owner, one
 * thread.
 */
#include "util/base/err.h"
#include "util/base/table.h"
#include "util/stream/sink.h"

enum kmem_key { KMEM_PTR, KMEM_CALLSITE, KMEM_BYTES, KMEM_HIT, KMEM_PINGPONG, KMEM_FRAG,
		KMEM_PAGE, KMEM_ORDER, KMEM_MIGTYPE, KMEM_GFP,	/* of the page allocator */
		KMEM_N_KEYS };
extern const char *const kmem_key_names[KMEM_N_KEYS];
/* Has the slab allocator this key, or (pages) the page allocator? */
bool kmem_key_fits(enum kmem_key key, bool pages);

/* Rows begin with the largest. */
struct kmem_sort { enum kmem_key keys[KMEM_N_KEYS]; int n; };

struct kmem_opts {
	struct kmem_sort callers, memory;
	/* of the recorded machine, by CPU; empty: unknown. Borrowed */
	const int *nodes;
	size_t n_nodes;
};

struct kmem_totals {
	u64 n_allocs, n_frees, n_cross;	/* cross: on another node than the CPU's */
	/* bytes; freed: of memory that was seen allocated */
	u64 requested, allocated, freed;
	u64 n_bad;				/* events without the needed fields */
};

/*
 * callers: address, function, offset; memory: address. Then both: bytes_alloc, bytes_req, hits,
 * pingpong (how often it was freed on another CPU), frag (percent that nobody asked for).
 */
struct kmem_tables { struct table callers, memory; };

struct kmem;
/* Borrowed: events; machine, whose kernel names the callers. */
struct kmem *kmem_new(const struct kmem_opts *opts, const struct event_list *events, bool swap,
		      struct machine *machine);
void kmem_free(struct kmem *k);			/* NULL is fine */
struct sink *kmem_sink(struct kmem *k);		/* borrowed */
const struct kmem_totals *kmem_totals(const struct kmem *k);
void kmem_tables(struct kmem *k, struct kmem_tables *out);	/* after the pass; out is zeroed */
void kmem_tables_release(struct kmem_tables *t);
/* 0, or -ENOENT: the recording has no such events; the hint says how to get some. */
int kmem_need_events(const struct event_list *events, const char *path, struct err *err);

#endif
