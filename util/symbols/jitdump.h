/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_JITDUMP_H
#define SYMBOLS_JITDUMP_H
/*
 * A jitdump file (jit-PID.dump) as untrusted bytes: what a JIT compiler loaded where and when, with
 * its code, source lines and unwind tables. Both byte orders. Format: "jitdump-specification" of
 * the kernel's documentation, version 1.
 *
 *	if (jitdump_init(&d, bytes, n, &err) == 0)
 *		while ((ret = jitdump_next(&d, &rec)) > 0)
 *			...
 *
 * Everything in a record is borrowed from the bytes. One owner.
 */
#include "util/base/err.h"
#include "util/base/rd.h"

#define JITDUMP_MAGIC 0x4A695444U	/* "JiTD" */

enum jit_record_id { JIT_CODE_LOAD = 0, JIT_CODE_MOVE = 1, JIT_CODE_DEBUG = 2, JIT_CODE_CLOSE = 3,
		     JIT_CODE_UNWIND = 4 };

struct jitdump {
	struct rd r;
	bool swap;		/* written on a machine of the other byte order */
	u32 machine, pid;	/* EM_*; pid as its own namespace has it */
	u64 time_ns;		/* when it was begun */
	bool arch_time;		/* times are of the processor's counter, not CLOCK_MONOTONIC */
	u64 n_bad;		/* records that were left out because they lie */
	bool cut;		/* the last record is not whole */
};

struct jit_record {
	u32 id;			/* enum jit_record_id */
	u64 time;		/* ns, or counts of arch_time */
	u32 pid, tid;		/* LOAD, MOVE */
	u64 va;			/* LOAD, MOVE (the new one), DEBUG: the code's address */
	u64 old_va;		/* MOVE */
	u64 bytes, index;	/* LOAD, MOVE: of the code; which code */
	const char *name;	/* LOAD */
	/* LOAD: may be empty although bytes is not (code that was not dumped) */
	struct span code;
	u64 n_lines;		/* DEBUG */
	struct rd lines;	/* DEBUG: for jitdump_line() */
	struct span unwind;	/* UNWIND: .eh_frame and .eh_frame_hdr */
	u64 unwind_hdr_bytes, unwind_mapped_bytes;
};

/* Whether a mapped file of this path is one, by the convention of its name: ".../jit-PID.dump". */
bool jitdump_is_name(const char *path);
/* Whether a dump tells unwind tables, by its first piece of code: -EAGAIN: it has none yet. */
int jitdump_tells_unwinding(struct jitdump d);
/* The path that a kept dump of a process has which it wrote in a root of its own; the caller
 * frees. */
char *jitdump_kept_name(u32 pid, const char *path);
/* -EINVAL: no jitdump, or of an unknown version. */
int jitdump_init(struct jitdump *d, const void *bytes, size_t n, struct err *err);
/* 1: a record (of a known kind); 0: the end. Records that are damaged or unknown are counted and
 * stepped over. */
int jitdump_next(struct jitdump *d, struct jit_record *out);

struct jit_line { u64 va; u32 line, discriminator; const char *file; };
/* The next line of a DEBUG record's lines; prev keeps the last file ("" at first). false: the
 * end, or damage. */
bool jitdump_line(struct rd *lines, const char **prev, struct jit_line *out);

#endif
