/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_SYS_H
#define ANALYSIS_SYS_H
/*
 * System calls in the order in which a reader wants them: the records of the capture
 * (wire/sysrec.h), or pairs of raw tracepoints, become lines; and their summary. No I/O. One owner.
 *
 * A call that slept comes as two records. As long as nothing else came between them they are one
 * line; otherwise the first record is a line of its own (SYS_LINE_BEGIN) and the second one its
 * continuation.
 */
#include "util/base/hash.h"
#include "util/base/str.h"
#include "util/base/vec.h"
#include "util/syscalls/syscalls.h"
#include "util/wire/sysrec.h"

enum sys_line_kind {
	SYS_LINE_WHOLE,		/* call and result */
	SYS_LINE_BEGIN,		/* still in the call */
	/* the result of a call that had a SYS_LINE_BEGIN, or began before the trace */
	SYS_LINE_REST,
	SYS_LINE_NO_RETURN,	/* exit and exit_group; the result is "?" */
	SYS_LINE_CUT,		/* death in the call */
	SYS_LINE_SIGNAL,	/* a signal that the thread takes: code and info */
	SYS_LINE_EXIT,		/* its end: code as wait(2) has it */
	/* n_lost records are missing here, of tid, or (-1) of nobody knows whom */
	SYS_LINE_LOST,
};

struct sys_line {			/* all borrowed until the callback returns */
	enum sys_line_kind kind;
	u64 start_ns;			/* 0: unknown */
	u64 end_ns;			/* of the record: lines come in this order, or nearly */
	u64 dur_ns;
	bool has_dur;
	bool begun;			/* CUT: its beginning was a line of its own */
	const char *comm;
	u32 tid, tgid, cpu, nr;
	bool compat;
	const char *name;		/* of the call */
	struct syscall_values values;
	s32 ustack, kstack;
	u64 n_lost;
	s32 code;
	struct span info;		/* the beginning of siginfo_t */
};
typedef void (*sys_line_fn)(void *ctx, const struct sys_line *line);

struct sys_pending;
struct sys_known {		/* a thread whose comm was noted not long ago */
	u32 tid;
	char comm[16];
};
struct sys_lines {
	const struct syscall_set *set;	/* borrowed */
	sys_line_fn fn;
	void *ctx;
	struct hmap pending;		/* tid -> struct sys_pending */
	struct sys_pending *deferred;	/* its line is not out yet */
	/* a call that had a SYS_LINE_BEGIN ends in a SYS_LINE_WHOLE all the same */
	bool whole;
	/* names of devices have their numbers: "/dev/null<char 1:3>" */
	bool devices;
	bool resumed;			/* the line being made belongs to a SYS_LINE_BEGIN */
	struct hmap names;		/* key of a file -> its name */
	u64 n_renamed;			/* how often a key got another name than it had */
	struct hmap comms;		/* tid -> comm, of the threads seen */
	struct sys_known known[16];	/* by tid */
	struct str scratch;
	u64 n_lost;			/* records that lines said to be missing */
	char unknown[24];
};

void sys_lines_init(struct sys_lines *l, const struct syscall_set *set, sys_line_fn fn, void *ctx);
void sys_lines_release(struct sys_lines *l);
/* One record of the capture; others than SYSREC_* and short ones are ignored. */
void sys_lines_record(struct sys_lines *l, const void *record, size_t bytes);
/* Something else is about to be written: the deferred call must be reported first, if all its
 * arguments are known. */
void sys_lines_flush(struct sys_lines *l);
/* No record follows: what still is in a call is reported. */
void sys_lines_end(struct sys_lines *l);
/* n records are missing, nobody knows of which thread. */
void sys_lines_lost(struct sys_lines *l, u64 n);
const char *sys_lines_file(const struct sys_lines *l, u64 key);	/* NULL: not known */
const char *sys_lines_comm(const struct sys_lines *l, u32 tid);
/* what is known of a thread from elsewhere */
void sys_lines_note(struct sys_lines *l, u32 tid, const char *comm);
/* The text for a file ("/etc/passwd", "socket:[849]", "TCP:[127.0.0.1:80->127.0.0.1:4711]");
 * strace: sockets without addresses have their protocol ("UNIX-STREAM:[849->850]"). */
void sys_file_name(const struct sysname *n, struct span text, bool strace, struct str *out);

/* ---- summary ---- */
enum sys_sums_by { SYS_SUMS_THREAD, SYS_SUMS_TOTAL, SYS_SUMS_CGROUP };	/* its groups */
struct sys_errno { u32 code; u64 n; };
struct sys_sum_row {
	u32 nr;
	bool compat;
	u64 count, errors, total_ns, min_ns, max_ns;
	double squares;			/* sum of ns^2 */
	VEC(struct sys_errno) errnos;
};
struct sys_sum_group {			/* a thread, a cgroup, or all */
	u64 id;
	char *label;			/* comm or path; owned */
	u64 events;			/* beginnings and ends */
	u64 runtime_ns;			/* on a CPU; only if somebody adds it */
	struct hmap by_call;		/* nr and ABI -> index + 1 */
	VEC(struct sys_sum_row) rows;
};
struct sys_summary {
	struct hmap by_id;		/* -> index + 1 */
	VEC(struct sys_sum_group) groups;
	u64 events;
};
void sys_summary_release(struct sys_summary *s);
/* made when missing; borrowed until the next one */
struct sys_sum_group *sys_summary_group(struct sys_summary *s, u64 id);
void sys_summary_add(struct sys_summary *s, u64 group, u32 nr, bool compat, u64 ns, s64 ret);
void sys_summary_add_sum(struct sys_summary *s, u64 group, u32 nr, bool compat,
			 const struct syssum *sum);
void sys_summary_add_errno(struct sys_summary *s, u64 group, u32 nr, bool compat, u32 code, u64 n);
/* Groups by events, rows by total time, both descending; ties by number. Nothing may be added
 * afterwards. */
void sys_summary_sort(struct sys_summary *s);
double sys_sum_stddev_pct(const struct sys_sum_row *r);	/* of the mean */

#endif
