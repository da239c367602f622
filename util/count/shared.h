/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COUNT_SHARED_H
#define COUNT_SHARED_H
/*
 * Events of whole CPUs whose counters are shared with other processes (bpf/sharecount.h): those of
 * the list that are to be (event.bpf), and can be. One owner.
 */
#include "util/bpf/sharecount.h"
#include "util/count/count.h"

struct count_shared;
/* Before the list is opened: what others count already is not opened (event.elsewhere). cpus: those
 * that will be opened. On failure, with the reason, the list is as it was. */
int count_shared_begin(struct count_shared **out, struct event_list *l, const char *table,
		       const int_vec *cpus, const struct os *os, struct err *err);
/* After it was opened: the counters of the others are given to all, and are switched on. What
 * cannot be given stays the list's own; that is an error, and counting can go on. */
int count_shared_give(struct count_shared *s, struct event_list *l, const struct os *os,
		      struct err *err);
/* This session's events are on, or off, from now on. */
void count_shared_switch(struct count_shared *s, bool on);
void count_shared_read(struct count_shared *s, struct stat *to);
/* The list can be opened again. NULL is fine. */
void count_shared_close(struct count_shared *s, struct event_list *l);

#endif
