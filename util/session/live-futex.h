/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SESSION_LIVE_FUTEX_H
#define SESSION_LIVE_FUTEX_H
/*
 * A live session whose events are only side-band (who maps what), and whose samples are the sums of
 * waits for futexes that BPF programs made, when it ends: for the sinks of live_session_run(). User
 * stacks are unwound by the stream as those of any other sample. One owner.
 *
 *	live_session_open(&s, ... .on_pass: calls live_futex_pass(&l, bound_ns))
 *	live_futex_open(&l, &s, &o, err)
 *	live_futex_run(&l, sinks, n, err)
 *	... l.missing ...
 *	live_session_close(&s); live_futex_close(&l);
 */
#include "util/bpf/futexstat.h"
#include "util/session/live-whom.h"

struct live_futex_opts {
	bool times;
	enum futexrec_rows rows;
	u32 n_entries;			/* as in struct futexstat_opts */
	const char *cgroups;		/* a comma list; NULL: any */
	struct stream_opts stream;
};

struct live_futex {
	struct live_session *s;		/* borrowed */
	struct event_list list;
	struct futexstat *stat;
	struct hmap threads;		/* that the machine knows, when it ends */
	struct futexstat_missing missing;
};

/* live_futex_close() is due in any case. */
int live_futex_open(struct live_futex *l, struct live_session *s, const struct live_futex_opts *o,
		    struct err *err);
int live_futex_run(struct live_futex *l, struct sink *const *sinks, size_t n, struct err *err);
void live_futex_pass(struct live_futex *l, u64 bound_ns);
void live_futex_close(struct live_futex *l);

#endif
