/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SESSION_LIVE_H
#define SESSION_LIVE_H
/*
 * A session of what happens now: who is watched, by which sources, until when.
 *
 *	struct live_session s;
 *	int ret = live_session_open(&s, &(struct live_session_opts){ .target = o.target,
 *				    .argv = argv }, &err);
 *
 *	if (!ret)
 *		ret = live_session_events(&s, &(struct live_events){ .list = &list,
 *					    .sampling = &ro }, &so, &err);
 *	if (!ret) {
 *		sinks[0] = foo_sink_new(...);
 *		ret = live_session_run(&s, sinks, 1, &err);
 *	}
 *	... shows the result ...
 *	foo_free(...);
 *	status = live_session_close(&s);
 *
 * Two sources: rings of events, whose samples go through a stream to the sinks in the order of
 * time, and the capture of system calls by BPF, whose records come in the order of time among them.
 * The session has the command, the signals that end it, the delay, the limit, CPUs that come, and
 * its own priority. It prints what is not watched from some moment on, unless somebody else does,
 * and nothing else. One owner, one thread; one at a time in a process.
 */
#include "util/analysis/sys.h"
#include "util/bpf/syscapture.h"
#include "util/os/wait-set.h"
#include "util/os/workload.h"
#include "util/record/live.h"
#include "util/stream/source.h"
#include "util/stream/stream.h"

struct live_session_opts {
	/* texts in it are borrowed. Nobody: the command; without one, everybody */
	struct target target;
	const char *cgroup;		/* only its tasks; NULL: any */
	/* numbers of processes and threads that are left out; NULL: none */
	const char *excluded;
	/* the command, whose end is the end; with a target it says no more than that. NULL: none */
	const char *const *argv;
	bool no_inherit;
	/* perf and who shows its output are not left out of what tracepoints tell: their events
	 * are of the task that an interrupt happened to meet */
	bool with_own;
	int rt_prio;			/* SCHED_FIFO priority; 0: as first as is allowed */
	u64 ring_bytes;			/* 0: a default */
	u64 delay_ns;			/* begins so long after the start */
	u64 limit_ns;			/* ends so long after the start; 0: does not */
	/* on_tick() comes so often, between two passes; 0: never. May be changed at any time. */
	u64 tick_ns;
	void (*on_tick)(void *ctx);
	/* All that is older than bound_ns was handed out; at the end UINT64_MAX. NULL: nobody
	 * asks. */
	void (*on_pass)(void *ctx, u64 bound_ns);
	/* For runs that may last for weeks: tasks that ended are forgotten, but for the threads
	 * that it adds as keys (stream_trim()). NULL: none is. */
	void (*on_keep)(void *ctx, struct hmap *kept);
	/* There is something on input_fd, or nobody at its other end any more (false: it is not
	 * looked at again). NULL: nobody asks. */
	int input_fd;
	bool (*on_input)(void *ctx);
	/* Who does more than to wait: it is called once instead of the passes, and makes them with
	 * live_session_pass(). NULL: nobody does. */
	int (*drive)(void *ctx, struct err *err);
	/* What is not watched from some moment on; NULL: it is printed. */
	void (*on_warning)(void *ctx, const char *text);
	/* That the kernel's addresses are hidden, where samples may be of it, is a warning, too. */
	bool warn_hidden;
	void *ctx;
};

/* The rings of these events, as a source. */
struct live_rings {
	struct source source;
	struct live live;
	bool open, maps;
	bool chains;			/* samples have call chains */
	size_t n_early;
};

/* records of the capture that wait for the events between them */
struct live_captured {
	/* now_ns: the time up to which all else is known. False: not yet, something of it is
	 * still to come. */
	bool (*take)(void *ctx, const struct sysrec *r, size_t bytes, u64 now_ns);
	struct str spool;
	size_t at;
};

struct live_session {
	struct live_session_opts o;
	struct os os;
	struct workload work;
	struct waiter waiter;
	int_vec excluded;
	bool everybody;			/* not only tasks that were named, or the command */
	bool done;			/* set by the owner: enough was seen */
	bool ended;			/* all who are watched have, or the limit is reached */
	bool paused, stopped;
	u64 started_ns, next_tick_ns;
	u64 trimmed_exits;		/* of the machine's, when it was trimmed last */
	struct live_rings rings;
	struct stream *stream;		/* NULL: no events */
	struct sink *const *sinks;
	struct syscapture *capture;	/* NULL: none */
	struct live_captured captured;
};

/* o is copied. The command is held before its exec. live_session_close() is due in any case. */
int live_session_open(struct live_session *s, const struct live_session_opts *o, struct err *err);

/* Captures calls: o says which and what of them; whom, the session knows. Where this kernel has
 * no way for it s->capture stays NULL and why says so. Failure: the request itself is wrong. */
int live_session_capture(struct live_session *s, const struct syscapture_opts *o,
			 bool (*take)(void *ctx, const struct sysrec *r, size_t bytes, u64 now_ns),
			 struct err *reason, struct err *err);
/* Everything captured before this time is handed out: for a sink that puts events among the
 * calls. */
void live_session_feed(struct live_session *s, u64 time_ns);

struct live_events {
	struct event_list *list;	/* borrowed */
	/* what a sample holds; whom, when and the rings are the session's */
	const struct record_opts *sampling;
	/* the first events count from the start, not from the command's exec on */
	size_t n_early;
	bool maps;			/* what is mapped already is wanted, too */
};
/* Opens them, for s->stream; nothing is enabled. Unless the command alone is watched, perf
 * itself and (where everybody is) those that show its output are filtered out of what tracepoints
 * tell. -EACCES, -EPERM: not allowed. */
int live_session_events(struct live_session *s, const struct live_events *e,
			const struct stream_opts *so, struct err *err);

/* Until the command ends, all who are watched have ended, a signal comes, the limit is reached,
 * or s->done. */
int live_session_run(struct live_session *s, struct sink *const *sinks, size_t n, struct err *err);
/* For o.drive(): waits, 0.1 s at most, or until there is input, and takes what came. False: the end
 * (s->done, s->waiter.signal, *ret says why), or all who were watched have ended. Then further
 * calls only wait, for input and signals. */
bool live_session_pass(struct live_session *s, int *ret, struct err *err);
/* The sums that the kernel kept of captured calls, with labels of the groups. */
void live_session_sums(const struct live_session *s, enum sys_sums_by by, struct sys_summary *out);
/* Records that the buffers had no room for, so far. */
u64 live_session_lost(const struct live_session *s);
/* The exit status of the command; 0 without one, or when it goes on. */
int live_session_close(struct live_session *s);

#endif
