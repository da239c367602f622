/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_SCHED_TIMEHIST_PRIV_H
#define ANALYSIS_SCHED_TIMEHIST_PRIV_H
/*
 * What timehist has counted: sched-timehist.c counts, sched-timehist-table.c makes tables of it.
 */
#include "util/analysis/sched-timehist.h"
#include "util/base/num.h"

struct run_stats {		/* of a task's shown runs; also of idle times that a task caused */
	u64 n, sum_ns, min_ns, max_ns;
	double mean, m2;	/* Welford's */
	/* Before these runs: off the CPU, by how the task had left it (the delay after the
	 * wake-up is in it), and ready to run. */
	u64 slept_ns, blocked_ns, preempted_ns, delay_ns;
};

struct cpu_idle { u64 ns, n; bool busy; };	/* busy: a task ran there */

struct idle_chain { char *text; u64 ns, count; int cpu; };

struct timehist {
	struct sched *sched;
	struct timehist_opts o;
	struct timehist_shown shown;
	int_vec pids, tids, cpus, prios;
	u64 from_ns, to_ns;
	VEC(struct run_stats) runs;		/* by task index */
	VEC(struct run_stats) idles;		/* by the task that left the CPU idle */
	VEC(const struct sched_task *) last;	/* by CPU: the task before idle */
	VEC(char *) last_chain;			/* by CPU */
	VEC(struct cpu_idle) idle;		/* by CPU */
	VEC(struct idle_chain) chains;
	/* switches within the window, of all CPUs and tasks */
	u64 first_ns, last_ns;
	bool skipped;				/* a run of a task that is not asked for */
	bool counts;				/* there will be sums */
	bool all_times;				/* no window */
};

#define slot(vec, i) ({ \
	while ((vec)->n <= (size_t)(i)) \
		(void)vec_add(vec); \
	&(vec)->v[i]; })

bool timehist_cpu_wanted(const struct timehist *t, int cpu);

#endif
