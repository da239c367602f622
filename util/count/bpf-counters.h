/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COUNT_BPF_COUNTERS_H
#define COUNT_BPF_COUNTERS_H
/*
 * Counters of all tasks, of which BPF programs tell what was counted in each of many cgroups
 * (bpf/cgcount.h), or while other BPF programs ran (bpf/progcount.h). One owner.
 */
#include "util/bpf/cgcount.h"
#include "util/bpf/progcount.h"
#include "util/count/count.h"

/* The first events of the open list are all tasks' counters. On failure, with the reason, the list
 * is as it was. */
int count_cgroups_open(struct cgcount **out, struct event_list *l, const struct count_cgroups *g,
		       const struct os *os, struct err *err);
/* All events of all cgroups, until now. */
void count_cgroups_read(struct cgcount *c, const struct event_list *l,
			const struct count_cgroups *g, struct stat *to);
/* Closes the list and gives each event its own cgroup: it can be opened again. */
int count_cgroups_separate(struct event_list *l, struct os *os, struct err *err);

/* Of all events of the open list. */
int count_programs_open(struct progcount **out, const struct event_list *l,
			const int_vec *programs, const struct os *os, struct err *err);
void count_programs_read(const struct progcount *c, const struct event_list *l, struct stat *to);

#endif
