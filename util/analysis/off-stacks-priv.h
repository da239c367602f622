/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_OFF_STACKS_PRIV_H
#define ANALYSIS_OFF_STACKS_PRIV_H
/*
 * Between off-stacks.c (absences come) and off-stacks-table.c (tables are made of them).
 */
#include "util/analysis/ns-hist.h"
#include "util/analysis/off-stacks.h"
#include "util/analysis/stack-set.h"

/* How a wait is shown: the states of an absence, and ready after a wake-up. */
enum { OFF_RUNNABLE = ABSENCE_N_STATES, OFF_N_STATES };
extern const char *const off_state_names[OFF_N_STATES];

struct off_sum { u64 ns, n, max_ns; };

struct off_row {
	struct off_sum sum;
	struct ns_hist *hist;		/* owned */
	u32 first;			/* of its entries, linked by next; U32_MAX: none */
};

/* Of a row: one stack. waker: a task's id + 1, 0: unknown; waker_node: where it did it. */
struct off_entry { struct off_sum sum; u32 node, waker, waker_node, next; };

/* What was found last: most waits are like one shortly before. */
enum { OFF_CACHE = 256 };
struct off_known_task { const struct comm *comm; u32 tid, pid, id; };
struct off_known_entry { u32 task, state, node, waker, waker_node, row, entry; bool set; };

struct off_stacks {
	struct off_stacks_opts opts;
	enum off_key keys[OFF_N_KEYS];
	int n_keys;
	struct absences *absences;
	struct stack_set stacks;
	struct idset tasks;		/* comm, pid, tid */
	VEC(bool) waited;		/* by task; others only woke some */
	struct idset row_ids;		/* a word for each of enum off_key, 0: no key */
	VEC(struct off_row) rows;
	struct idset entry_ids;		/* row, node, waker, waker's node */
	VEC(struct off_entry) entries;
	u64 total_ns, n_waits;
	struct off_known_task known_tasks[OFF_CACHE];
	struct off_known_entry known_entries[OFF_CACHE];
};

#define OFF_NO_ENTRY UINT32_MAX

#endif
