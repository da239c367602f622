/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_PAGE_CACHE_H
#define ANALYSIS_PAGE_CACHE_H
/*
 * The page cache: who put pages of files into it (what was not there had to be read, or was written
 * first), from whom they were taken out, who made them dirty, who wrote them back, and who had to
 * wait because too much was dirty. From the tracepoints filemap:mm_filemap_add_to_page_cache and
 * mm_filemap_delete_from_page_cache, writeback:writeback_dirty_folio (before Linux 5.18
 * writeback_dirty_page), writeback_single_inode and balance_dirty_pages; each counts for what it
 * says. One owner, one thread.
 */
#include "util/base/err.h"
#include "util/base/table.h"
#include "util/stream/sink.h"

struct page_cache_opts {
	/* "comm,device": of comm, pid, tid, device and inode; NULL: that. A device of write-backs
	 * is the disk, where that of pages may be a part of it */
	const char *keys;
	u64 page_bytes;		/* of the recorded machine */
};

extern const char *const page_cache_events[];	/* "system:name" up to NULL: all that there are */

struct page_cache;
/* NULL: a key that is none. opts: copied, keys is borrowed. */
struct page_cache *page_cache_new(const struct page_cache_opts *opts,
				  const struct event_list *events, bool swap, struct err *err);
void page_cache_free(struct page_cache *p);			/* NULL is fine */
struct sink *page_cache_sink(struct page_cache *p);		/* borrowed */
u64 page_cache_n_bad(const struct page_cache *p);	/* events without the needed fields */
/*
 * out: zeroed, texts are the model's. facts and rows have added, removed and written in bytes,
 * dirtied (how often a piece of memory became dirty) and throttled_ns; rows also a column for each
 * key, and are sorted by what was added and written, the most first.
 */
struct page_cache_tables { struct table facts, rows; };
void page_cache_tables(struct page_cache *p, struct page_cache_tables *out);
void page_cache_tables_release(struct page_cache_tables *t);
/* 0, or -ENOENT: the recording has no such events; the hint says how to get some. */
int page_cache_need_events(const struct event_list *events, const char *path, struct err *err);

#endif
