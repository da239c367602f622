/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ITRACE_OPTS_H
#define ITRACE_OPTS_H
/*
 * --itrace: what is made of a trace. Letters, as perf script's page has them: events ("i", "b",
 * "e" ...), how often ("i100us"), and what they carry ("g16", "l64").
 */
#include "util/base/err.h"
#include "util/base/types.h"

enum itrace_unit { ITRACE_NS, ITRACE_INSNS, ITRACE_TICKS };

/* Errors that are not reported: e-o, e-l. */
enum itrace_quiet { ITRACE_QUIET_OVERFLOW = 1, ITRACE_QUIET_LOST = 2 };

/* Of accesses to memory, which ARM SPE samples. */
struct itrace_accesses { bool l1, llc, tlb, remote, memory; };

struct itrace_extra {
	bool interrupts;		/* and other events of control flow */
	bool chain_all, last_all;	/* chains, last branches of samples of all other events */
	/* a log of packets and instructions; only around errors, to the standard output */
	bool log, log_errors, log_stdout;
};

struct itrace_opts {
	bool set;			/* --itrace stands there, or another option that means it */
	bool none;			/* --no-itrace */
	bool insns, cycles, branches, calls, returns, transactions, ptwrites, power, errors;
	struct itrace_accesses access;
	bool all;			/* no letter was typed */
	bool unit_typed;		/* of the period */
	bool chain;			/* call chains of insns and transactions */
	bool last;			/* and their last branches, last_max at most */
	bool approx_ipc;
	struct itrace_extra extra;
	u8 quick;			/* q, qq */
	unsigned quiet;			/* enum itrace_quiet */
	unsigned chain_max, last_max;
	enum itrace_unit unit;
	u64 period;			/* of insns and cycles; 0: each instruction */
	u64 skip;			/* that many are left out first */
};

/* What a command decodes without --itrace; report: histograms, else text. */
void itrace_opts_default(struct itrace_opts *o, bool report);
/* text NULL or "": --itrace alone. -EINVAL: an unknown letter; -ENOTSUP: one that is not made. */
int itrace_opts_parse(struct itrace_opts *o, const char *text, bool report, struct err *err);

#endif
