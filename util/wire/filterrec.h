/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WIRE_FILTERREC_H
#define WIRE_FILTERREC_H
/*
 * A filter of samples, as the BPF program that applies it reads it. Shared by the program
 * (util/bpf/filter.bpf.c) and the recorder, so only kernel types.
 *
 * Comparisons are made in a row, beginning with the first; each says which one is next, and that
 * is always one behind it. The program is pinned for everybody, so nothing in here says where to
 * read.
 */
#include <linux/types.h>

#define FILTERREC_TERMS 64
/* instead of a next comparison: the sample is written, or is not */
#define FILTERREC_YES 254
#define FILTERREC_NO 255

/* Of what the kernel has prepared for a sample. */
enum filterrec_word {
	FILTERREC_IP, FILTERREC_ID, FILTERREC_PID, FILTERREC_TID, FILTERREC_CPU, FILTERREC_TIME,
	FILTERREC_ADDR, FILTERREC_PERIOD, FILTERREC_TXN, FILTERREC_WEIGHT, FILTERREC_PHYS_ADDR,
	FILTERREC_CODE_PAGE, FILTERREC_DATA_PAGE, FILTERREC_DATA_SRC, FILTERREC_CGROUP,
	FILTERREC_UID, FILTERREC_GID, FILTERREC_WORD_NR,
};

enum filterrec_op { FILTERREC_EQ, FILTERREC_NE, FILTERREC_GT, FILTERREC_GE, FILTERREC_LT,
		    FILTERREC_LE, FILTERREC_AND };

struct filterrec_term {
	__u8 word, op;
	__u8 yes, no;		/* the next comparison */
	__u8 shift, bits;	/* what of the word is compared; bits 64: all of it */
	__u8 pad[2];
	__u64 value;
};
_Static_assert(sizeof(struct filterrec_term) == 16, "no gaps");

/* Whose filter: the recorder's process, and its number there. */
struct filterrec_key {
	__u32 pid, n;
};

struct filterrec {
	__u32 n_terms, pad;
	__u64 n_dropped;
	struct filterrec_term terms[FILTERREC_TERMS];
};

#endif
