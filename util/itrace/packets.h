/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ITRACE_PACKETS_H
#define ITRACE_PACKETS_H
/*
 * Traces that a CPU writes by itself into the AUX area: the packets that they are made of, by the
 * manuals (Intel SDM volume 3, "Intel Processor Trace"; Arm ARM, "Statistical Profiling Extension
 * Sample Record Specification"), and as text. What packets mean is not known here. Pure functions;
 * bytes are untrusted.
 */
#include "util/base/str.h"
#include "util/base/types.h"

/* Of AUXTRACE_INFO. */
enum itrace_kind { ITRACE_INTEL_PT = 1, ITRACE_INTEL_BTS, ITRACE_CORESIGHT, ITRACE_ARM_SPE };

enum pt_type {
	PT_BAD, PT_PAD, PT_TNT, PT_TIP, PT_TIP_PGE, PT_TIP_PGD, PT_FUP, PT_TSC, PT_TMA, PT_MTC,
	PT_CYC, PT_CBR, PT_MODE_EXEC, PT_MODE_TSX, PT_PIP, PT_VMCS, PT_OVF, PT_PSB, PT_PSBEND,
	PT_STOP, PT_MNT, PT_PTW, PT_EXSTOP, PT_MWAIT, PT_PWRE, PT_PWRX, PT_BBP, PT_BIP, PT_BEP,
	PT_CFE, PT_EVD,
};

struct pt_packet {
	enum pt_type type;
	u8 bytes;			/* of the packet */
	/* TNT: number of branches; IPs: IPBytes, 0: none; BIP: the identifier; CFE, EVD: the type;
	 * TMA: the fast counter in high */
	u8 count;
	u16 high;
	bool with_ip;			/* a FUP follows */
	u64 v;				/* TNT: the oldest is the highest bit */
};

/* Blocks of BIP packets, which look like others elsewhere. */
enum pt_block { PT_NO_BLOCK, PT_BLOCK_4, PT_BLOCK_8 };

/* The packet at p, of n bytes; out->bytes is 1 and the type PT_BAD where there is none. block: 0
 * first, then as it was left. */
void pt_packet_get(const u8 *p, size_t n, enum pt_block *block, struct pt_packet *out);
void pt_packet_text(const struct pt_packet *p, struct str *out);

enum spe_type {
	SPE_BAD, SPE_PAD, SPE_END, SPE_TIMESTAMP, SPE_EVENTS, SPE_SOURCE, SPE_CONTEXT, SPE_OP,
	SPE_ADDRESS, SPE_COUNTER,
};

enum spe_address { SPE_PC, SPE_TARGET, SPE_VA, SPE_PA, SPE_PREVIOUS };
enum spe_counter { SPE_TOTAL, SPE_ISSUE, SPE_TRANSLATION };
enum spe_class { SPE_OTHER, SPE_LDST, SPE_BRANCH };

struct spe_packet {
	enum spe_type type;
	u8 bytes;			/* of the packet */
	u8 index;			/* of addresses, counters, contexts; an operation's class */
	u8 size;			/* of v, in the packet */
	u64 v;
};

/* As pt_packet_get(). at: where in the trace p is, for paddings that align. */
void spe_packet_get(const u8 *p, size_t n, u64 at, struct spe_packet *out);
void spe_packet_text(const struct spe_packet *p, struct str *out);

/* What AUXTRACE_INFO says of the trace, as lines; words: its n_bytes behind the kind. */
void itrace_add_info(u32 kind, const u8 *words, size_t n_bytes, struct str *out);

/* A trace as text, a packet a line. False: packets of this kind are not known. */
bool itrace_add_packets(u32 kind, const u8 *p, size_t n, struct str *out);

#endif
