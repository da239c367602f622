/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_SCHED_SELECT_H
#define ANALYSIS_SCHED_SELECT_H
/*
 * What of a user's selection a recording does not have: an empty table alone does not tell a quiet
 * task from a wrong number.
 */
#include "util/analysis/sched.h"
#include "util/base/num.h"

/* Lists with commas, each may be NULL. Damaged lists of numbers select nothing. */
struct sched_selection {
	const char *cpus, *pids, *tids;
	const char *names;	/* of tasks */
	const char *any;	/* names, pids or tids */
	bool fuzzy;		/* a part of a name is enough */
};

/* comm is in the list of names. */
bool sched_name_listed(const char *names, const char *comm, bool fuzzy);
/* The task's name, pid or tid is in the list. */
bool sched_task_listed(const char *any, const struct sched_task *task);

/* "START,STOP" in seconds, each may be left out: what it is then stays as it was. -EINVAL. */
int sched_parse_window(const char *text, u64 *from_ns, u64 *to_ns, struct err *err);

typedef VEC(char *) sched_texts;
/* After sched_close(): a sentence for each part of the selection that is not in the recording,
 * and for CPUs that went offline. Owned by the caller: sched_texts_release(). */
void sched_unseen(const struct sched *s, const struct sched_selection *sel, sched_texts *out);
void sched_texts_release(sched_texts *t);

#endif
