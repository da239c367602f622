/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ITRACE_PT_PRIV_H
#define ITRACE_PT_PRIV_H
/*
 * Inside of the decoder: what packets mean in pt.c, the walk through code in pt-walk.c, what both
 * need in pt-events.c, time in pt-clock.c.
 */
#include "util/itrace/pt.h"

/* ---- pt-clock.c ---- */
/* From the last TMA packet on, MTC packets count the crystal clock; CYC packets count the core's
 * cycles since the last of all these. Without CYC packets the cycles are those that the core's
 * ratio makes of the time. */
struct pt_clock {
	u64 tsc;			/* now */
	u64 cycles;			/* so far */
	bool has_tsc, has_tma, has_cyc;
	u64 mtc_tsc;			/* at the last TMA or MTC; 0: none */
	u64 tma_tsc;			/* at the tick of the crystal clock that TMA names */
	s64 ctc_ticks;			/* since then */
	u8 last_mtc;
	u8 ratio;			/* of CBR: core to bus; 0: unknown */
	u64 cyc_tsc, cyc_cycles;	/* at the last packet that was no CYC */
};
/* Whether it was a packet of time. */
bool pt_clock_take(struct pt_clock *c, const struct pt_setup *s, const struct pt_packet *k);

/* ---- the state ---- */
enum { PT_STACK = 64 };

struct pt_trace { const u8 *p; size_t n, at; u64 offset; enum pt_block block; };

struct pt_walk {
	u64 ip;
	bool known;			/* where the program is */
	unsigned bits;			/* 16, 32, 64 */
	u64 stack[PT_STACK];		/* where calls return to, a ring */
	unsigned top, depth;
	u32 n_jumps;			/* since a packet was used */
	u64 n_insns;
	/* at the last instruction that a packet was about: a time in front of that packet is not
	 * that of the code before */
	u64 tsc, n_cycles;
	bool timed;			/* this is one */
};

/* What the IP of the next FUP is for. */
struct pt_pending {
	bool ptwrite, mwait, pwre, exstop, tx, other, control, in_tx;
	u64 ptwrite_v, mwait_v, pwre_v, control_v;
	u32 tx_flags;
	bool async;			/* a FUP came: where to is in the next packet */
	u32 async_flags;
};

struct pt_decoder {
	struct pt_setup setup;
	struct pt_env env;
	struct pt_trace t;
	struct pt_clock clock;
	struct pt_walk w;
	struct pt_pending pending;
	struct pt_datum data[PT_MOST_DATA];	/* for the next PT_CFE */
	u32 n_data;
	u64 shown_tsc;
	bool shown;
	u64 last_ip;
	bool has_last_ip;
	bool synced;			/* a PSB was met */
	bool in_tx;
	u64 shown_ratio;
	int stopped;			/* what put() said */
};

/* ---- pt-events.c ---- */
/* The next packet; false: the end. Those of time are taken on the way. */
bool pt_next(struct pt_decoder *d, struct pt_packet *k);
/* To env, if it is another one than before. */
void pt_show_time(struct pt_decoder *d);
void pt_put(struct pt_decoder *d, struct pt_event *e);
void pt_put_branch(struct pt_decoder *d, const struct pt_insn *insn, u64 to, u32 flags);
/* An instruction is at hand that the last packet is about: so is the time before it. */
static inline void pt_pass_time(struct pt_decoder *d)
{
	d->w.timed = true;
	d->w.tsc = d->clock.tsc;
	d->w.n_cycles = d->clock.cycles;
}
/* The full address of an IP packet; false: there is none, or it cannot be known. */
bool pt_take_ip(struct pt_decoder *d, const struct pt_packet *k, u64 *ip);

/* ---- pt-walk.c: 0, or enum pt_error, or -ENODATA: the code is missing ---- */
/* Up to this address. */
int pt_walk_to_ip(struct pt_decoder *d, u64 ip);
/* A branch that was taken or not; first: of its packet. */
int pt_walk_bit(struct pt_decoder *d, bool taken, bool first);
/* To the branch that goes there. */
int pt_walk_to_target(struct pt_decoder *d, u64 to);
/* To the branch that left what is traced; 0: not known where to. */
int pt_walk_to_end(struct pt_decoder *d, u64 to);

#endif
