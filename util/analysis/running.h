/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_RUNNING_H
#define ANALYSIS_RUNNING_H
/*
 * How many threads ran at a time, judged by samples: for recordings without context switches. A
 * thread ran around each of its samples, for as long as it is usually from one to the next, and
 * between two that are no further apart than twice that.
 *
 *	struct running_guess *g = running_guess_new();
 *	rc = session_run(s, (struct sink *[]){ running_guess_sink(g) }, 1);	// rc == 0
 *	running_guess_apply(g, machine);
 *	running_guess_free(g);
 *
 * The result does not depend on the number of threads. One owner.
 */
#include "util/stream/sink.h"

struct running_guess;
struct running_guess *running_guess_new(void);
void running_guess_free(struct running_guess *g);	/* NULL is fine */
struct sink *running_guess_sink(struct running_guess *g);
/* Tells m, for machine_running_at(): of the event with the most samples that say thread and time.
 * Yields how far its samples usually are apart in a thread, in ns; 0: nothing is known. */
u64 running_guess_apply(struct running_guess *g, struct machine *m);

#endif
