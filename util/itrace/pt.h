/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ITRACE_PT_H
#define ITRACE_PT_H
/*
 * What an Intel PT trace means: the packets say how each branch that is not certain went; the
 * program's own code says the rest. Sources: Intel SDM volume 3, "Intel Processor Trace" (packets,
 * "Packet generation scenarios"), volume 2 for instructions.
 *
 *	struct pt_decoder *d = pt_decoder_new(&setup, &env);
 *	pt_decode(d, bytes, n, offset);		// of one CPU or thread, all up to a gap
 *	pt_decode(d, more, n_more, offset2);	// behind the gap
 *	pt_decoder_free(d);
 *
 * It knows no files, tasks and times but the trace's own ticks: env says what code is at an
 * address, and takes what happened. Bytes are untrusted. One owner, any thread.
 */
#include "util/itrace/packets.h"

/* Of a branch, in the order of the letters "bcrosyiABExghDt" of perf script's flags. */
enum pt_flag {
	PT_F_BRANCH = 1, PT_F_CALL = 1 << 1, PT_F_RETURN = 1 << 2, PT_F_CONDITIONAL = 1 << 3,
	PT_F_SYSTEM = 1 << 4, PT_F_ASYNC = 1 << 5, PT_F_INTERRUPT = 1 << 6,
	PT_F_TX_ABORT = 1 << 7, PT_F_BEGIN = 1 << 8, PT_F_END = 1 << 9, PT_F_IN_TX = 1 << 10,
	PT_F_VMENTRY = 1 << 11, PT_F_VMEXIT = 1 << 12,
	/* not letters: of traces that sample branches */
	PT_F_NOT_TAKEN = 1 << 16, PT_F_MISPREDICTED = 1 << 17,
};

/* How an instruction goes on. */
enum pt_flow {
	PT_NEXT, PT_JUMP, PT_CALL, PT_COND,		/* where to is in the code */
	PT_JUMP_TO, PT_CALL_TO, PT_RETURN, PT_FAR,	/* is in the trace */
	PT_WRITE,					/* ptwrite: goes on with the next */
};

#define PT_INSN_BYTES 16
struct pt_insn {
	u8 bytes;		/* never 0 */
	u8 flow;		/* enum pt_flow */
	u16 flags;		/* enum pt_flag of the branch that it makes */
	s32 rel;		/* of PT_JUMP, PT_CALL, PT_COND: counted from its end */
	u8 code[PT_INSN_BYTES];
};
/* The instruction that n bytes begin with; bits: 16, 32, 64. False: none. */
bool pt_insn_get(const u8 *p, size_t n, unsigned bits, struct pt_insn *out);

/* As they are counted in AUXTRACE_ERROR. */
enum pt_error {
	PT_E_BAD_PACKET = 3, PT_E_NO_CODE = 5, PT_E_MISMATCH = 6, PT_E_OVERFLOW = 7, PT_E_LOST = 8,
	PT_E_LOOP = 10,
};
const char *pt_error_text(int code);

enum pt_what {
	PT_IS_BRANCH, PT_IS_INSN, PT_IS_TX, PT_IS_ERROR, PT_IS_PTWRITE, PT_IS_CBR, PT_IS_MWAIT,
	PT_IS_PWRE, PT_IS_EXSTOP, PT_IS_PWRX, PT_IS_PSB, PT_IS_CONTROL,
};

/* Of an event of control flow (interrupts, exits of guests): EVD packets, what goes with it. */
enum { PT_MOST_DATA = 16 };
struct pt_datum { u64 type, v; };

/* from: where it happened; to: of branches. insn NULL: none. */
struct pt_event {
	enum pt_what what;
	u32 flags;
	u64 tsc;			/* when; 0: not known */
	u64 tsc_after;			/* not later than then: of the last packet of time */
	u64 from, to;
	const struct pt_insn *insn;
	u64 n_insns, n_cycles;		/* of the trace so far */
	bool timed;			/* at this instruction the trace said how late it is */
	bool with_ip;			/* the trace itself said from */
	/* payload, ratio, offset of the PSB; PT_IS_ERROR: the code; PT_IS_CONTROL: type, and the
	 * vector from bit 8 on */
	u64 v;
	const struct pt_datum *data;	/* of PT_IS_CONTROL */
	u32 n_data;
};

struct pt_env {
	/* 0; -ENOENT: nothing is there; -ENODATA: the code is missing, which is no event.
	 * out stays until the next call. */
	int (*insn)(void *code, u64 ip, unsigned bits, const struct pt_insn **out);
	/* Called before the first insn() and put() of another time. */
	void (*at)(void *code, u64 tsc);
	/* < 0: no more is wanted. */
	int (*put)(void *ctx, const struct pt_event *e);
	void *code, *ctx;
	/* NULL, or each packet, before it is taken, with the paddings behind it */
	void (*packet)(void *log, u64 at, struct span bytes, const struct pt_packet *k);
	void *log;
};

struct pt_setup {
	u32 ctc_num, ctc_den;	/* ticks of the TSC in one of the crystal clock; 0: no MTC */
	u8 mtc_shift;		/* an MTC each 2^n ticks of the crystal clock */
	u8 max_ratio;		/* non-turbo: the ratio of TSC to bus; 0: unknown */
	bool every_insn;	/* PT_IS_INSN is wanted */
	/* 1: no code is looked at, only where packets say that the program is; 2: only what stands
	 * behind a PSB */
	u8 quick;
	u32 max_jumps;		/* so many that the trace does not show are an endless loop */
};

struct pt_decoder;
struct pt_decoder *pt_decoder_new(const struct pt_setup *setup, const struct pt_env *env);
void pt_decoder_free(struct pt_decoder *d);	/* NULL is fine */
/* A trace, or what of it is without a gap; offset: where in the whole it is. < 0: put() said so. */
int pt_decode(struct pt_decoder *d, const u8 *p, size_t n, u64 offset);

#endif
