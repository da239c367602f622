/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RECORD_THREADS_H
#define RECORD_THREADS_H
/*
 * Which threads read the rings (--threads): each has its CPUs, and CPUs that it may run on itself.
 * Pure but for the topology, which os tells.
 */
#include "util/os/os.h"

struct record_thread {
	int_vec cpus, may_run;	/* sorted; may_run: of the thread itself */
};

struct record_threads {
	VEC(struct record_thread) v;	/* empty: nobody beside the session's own thread */
};

/* "cpu" (also NULL and ""), "core", "package", "numa": one thread for each of the machine's.
 * "0,2-3/0-3:1/1": for each thread its CPUs, and those that it may run on. What t held before is
 * forgotten. Failure: -EINVAL, nothing is in t. */
int record_parse_threads(struct record_threads *t, const char *text, const struct os *os,
			 struct err *err);
void record_threads_release(struct record_threads *t);	/* safe on zero */

#endif
