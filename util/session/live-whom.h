/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SESSION_LIVE_WHOM_H
#define SESSION_LIVE_WHOM_H
/*
 * Whom BPF programs of a live session watch that sum up, and the stream that their sums go through
 * to a model, with symbols as in all commands. One owner.
 */
#include "util/bpf/scope.h"
#include "util/session/live.h"

struct live_whom {
	int_vec tids;			/* unless everyone */
	int_vec cpus, cgroup_fds;	/* empty: any */
	bool everyone;
	pid_t held;			/* the command, before its exec; 0: it is not watched */
};

/* cgroups: a comma list, of version 2; NULL: any. live_whom_release() is due in any case. */
int live_whom_find(const struct live_session *s, const char *cgroups, struct live_whom *out,
		   struct err *err);
/* Borrowed from w. */
struct scope_opts live_whom_scope(const struct live_whom *w);
void live_whom_release(struct live_whom *w);

/* Sums of the kernel as samples: of one event, with raw data and a chain of kernel frames. */
struct live_sums {
	struct event_list list;
	struct source source;
	struct stream *stream;
	struct sink *sink;		/* borrowed */
};

/* The stream begins, and knows the kernel and its modules. live_sums_close() is due in any case. */
int live_sums_open(struct live_sums *l, const char *event, const struct os *os,
		   const struct stream_opts *so, struct sink *sink, struct err *err);
/* raw: at most 4 KiB. frames: innermost first, at most 256 of n are used. */
int live_sums_put(struct live_sums *l, struct span raw, const u64 *frames, u32 n);
void live_sums_close(struct live_sums *l);	/* the sink has what it gets */

#endif
