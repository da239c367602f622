/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EVENT_OPEN_PRIV_H
#define EVENT_OPEN_PRIV_H
/*
 * Between the open loop (open.c), closing (close.c), the table of kernel features (features.c) and
 * the advice for failures (advice.c).
 */
#include "util/event/event.h"

/* Descriptors that an event has room for, and closing them. */
size_t event_n_fds(const struct event *e);
void event_close_fds(struct event *e);

/* Removes from the attr what this kernel is known not to have; the names of what was removed are
 * added to *what. */
void open_features_apply(struct os *os, struct perf_event_attr *attr, struct str *what);
/* After EINVAL or E2BIG: drops attr bits, newest first, until perf_event_open() answers
 * otherwise: the fd or that other error; else the error of the untouched attr. What it learns is
 * kept in os. */
int open_features_probe(struct os *os, struct perf_event_attr *attr, pid_t pid, int cpu,
			int group_fd, unsigned long flags,
			int error, struct str *what);
/* Fills message and hint for a failed perf_event_open(). */
int open_advice(const struct event *e, const struct open_policy *p, const struct os *os, pid_t tid,
		int cpu, int code,
		struct err *err);

#endif
