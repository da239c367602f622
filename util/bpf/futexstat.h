/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BPF_FUTEXSTAT_H
#define BPF_FUTEXSTAT_H
/*
 * The BPF programs that sum up waits for futexes (futexstat.bpf.c): whom they watch, and the sums.
 * One owner. Where they cannot work, opening fails with the reason.
 */
#include "util/base/err.h"
#include "util/bpf/scope.h"
#include "util/os/os.h"
#include "util/wire/futexrec.h"

struct futexstat_opts {
	bool times;		/* FUTEXREC_TIMES, too */
	enum futexrec_rows rows;	/* what these are of */
	u32 n_entries;		/* of the tables of waits and sums; a power of two; 0: default */
	struct scope_opts scope;
};

struct futexstat;
/* Nothing is counted yet: see futexstat_switch(). */
int futexstat_open(struct futexstat **out, const struct futexstat_opts *o, const struct os *os,
		   struct err *err);
void futexstat_close(struct futexstat *c);		/* NULL is fine */
void futexstat_switch(struct futexstat *c, bool on);
void futexstat_stop(struct futexstat *c);		/* for good: the sums stay as they are */

/* stack: NULL: there is none. steps: of FUTEXREC_TIMES, else NULL. < 0 ends it and is returned. */
typedef int (*futexstat_fn)(void *ctx, const struct futexrec *r,
			    const struct futexrec_stack *stack, const u32 *steps);
int futexstat_each(struct futexstat *c, futexstat_fn fn, void *ctx);

struct futexstat_missing {
	struct futexrec_lost lost;
	u64 n_unended;		/* waits that go on; after futexstat_stop() */
	u64 n_missed;		/* calls that were not seen */
	u64 n_unwatched;	/* threads that are to be watched, but are not: no room */
};
void futexstat_missing(const struct futexstat *c, struct futexstat_missing *out);

#endif
