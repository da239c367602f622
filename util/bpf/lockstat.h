/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BPF_LOCKSTAT_H
#define BPF_LOCKSTAT_H
/*
 * The BPF programs that sum up waits for the kernel's locks (lockstat.bpf.c): whom they watch, and
 * the sums. One owner. Where they cannot work, opening fails with the reason.
 */
#include "util/base/err.h"
#include "util/bpf/scope.h"
#include "util/os/os.h"
#include "util/wire/latencyrec.h"
#include "util/wire/lockrec.h"

struct lockstat_opts {
	u32 parts;		/* enum lockrec_part */
	u64 types;		/* a bit for each value of flags, 0 to 63, that counts */
	u32 n_frames;		/* of a stack, with those of the program itself */
	u32 n_entries;		/* of each table; a power of two; 0: the default */
	struct scope_opts scope;
};

struct lockstat;
/* Nothing is counted yet: see lockstat_switch(). */
int lockstat_open(struct lockstat **out, const struct lockstat_opts *o, const struct os *os,
		  struct err *err);
void lockstat_close(struct lockstat *c);		/* NULL is fine */
void lockstat_switch(struct lockstat *c, bool on);
void lockstat_stop(struct lockstat *c);			/* for good: the sums stay as they are */

struct lockstat_sum {
	struct lockrec rec;
	const u64 *frames;		/* innermost first */
	u32 n_frames;
	const struct ns_hist *hist;	/* with LOCKREC_TIMES; or NULL */
};
/* < 0 ends it and is returned. */
typedef int (*lockstat_fn)(void *ctx, const struct lockstat_sum *s);
int lockstat_each(struct lockstat *c, lockstat_fn fn, void *ctx);

struct lockstat_missing {
	struct lockrec_lost lost;
	u64 n_unended;		/* waits that go on; after lockstat_stop() */
	u64 n_missed;		/* begins or ends within one that was being counted */
	u64 n_unwatched;	/* threads that are to be watched, but are not: no room */
};
void lockstat_missing(const struct lockstat *c, struct lockstat_missing *out);

#endif
