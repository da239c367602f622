/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_FUTEX_PRIV_H
#define ANALYSIS_FUTEX_PRIV_H
/*
 * The model of waits for futexes: futex.c fills it from sums, futex-events.c from events,
 * futex-rows.c has what they fill, futex-table.c makes tables of it.
 */
#include "util/analysis/futex.h"
#include "util/analysis/ns-hist.h"
#include "util/base/arena.h"
#include "util/base/hash.h"
#include "util/base/words.h"
#include "util/event/per-event.h"

/* What one thread did with one stack. */
struct futex_part {
	u64 n, total_ns, max_ns;
	u32 side, tid;			/* side: enum futexrec_side */
	const char *comm;		/* NULL: nobody knows who */
	struct location *frames;	/* innermost first */
	u32 n_frames;
	struct futex_part *next;
};

struct futex_row {
	u64 n, total_ns, max_ns, min_ns, n_timeouts;
	u64 addr;
	u32 pid, tid;
	const char *comm;
	const char *type;		/* NULL: as yet unknown; then by kind */
	u32 kind;			/* enum futexrec_kind */
	const char *symbol, *dso;	/* NULL: none */
	struct futex_part *parts;
	size_t n_parts, order;
	struct ns_hist hist;
};

struct futex_wait;
struct futex_lock;
struct futex_model {
	struct futex_opts opts;
	struct sink sink;
	struct futex_stats stats;
	bool swap;
	struct per_event events;
	struct hmap waits;		/* of a thread: its struct futex_wait */
	struct hmap waited_for;		/* of a process and an address: its struct futex_lock */
	word_list types, locks;
	struct hmap by_key, parts;	/* of rows; of parts, by row and what they are */
	VEC(struct futex_row *) rows;
	struct arena arena;
};

/* What it is called. */
const char *futex_type(const struct futex_row *r);

bool futex_is_type(const char *name);

/* --- futex-rows.c. data: of the lock's address; NULL: nothing is known */
struct futex_row *futex_row(struct futex_model *m, const struct futexrec_key *k,
			    const struct location *data);
/* tid 0: nobody knows who. */
struct futex_part *futex_part(struct futex_model *m, struct futex_row *row, u32 side, u32 tid,
			      const struct resolved *res);
/* The name and the type that the row does not have yet. */
void futex_note(struct futex_row *row, const struct resolved *res, u32 kind);

/* --- futex-events.c. false: it is none of these events */
void futex_events_init(struct futex_model *m);
void futex_events_end(struct futex_model *m);	/* counts those without an end */
bool futex_event(struct futex_model *m, const struct sink_item *item);
void futex_events_release(struct futex_model *m);

#endif
