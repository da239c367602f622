/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WIRE_DATA_SRC_H
#define WIRE_DATA_SRC_H
/*
 * What PERF_SAMPLE_DATA_SRC says of an access to memory, in the words of upstream perf. Each adds its
 * text to out; v: the value as recorded, or its bits of that part alone. Pure; any thread.
 */
#include "util/base/str.h"
#include "util/base/types.h"

void data_src_add_op(struct str *out, u64 v);		/* "LOAD|STORE", "No" */
void data_src_add_level(struct str *out, u64 v);	/* "L3 hit", "Remote RAM hit", "N/A" */
void data_src_add_snoop(struct str *out, u64 v);	/* "Hit or Miss", "N/A" */
void data_src_add_tlb(struct str *out, u64 v);		/* "L1 or L2 hit", "N/A" */
void data_src_add_lock(struct str *out, u64 v);		/* "Yes", "No", "N/A" */
void data_src_add_blocked(struct str *out, u64 v);	/* " Data Addr", " N/A" */

/* The bits that each of these texts is made of. */
u64 data_src_level_bits(u64 v);
u64 data_src_snoop_bits(u64 v);
u64 data_src_tlb_bits(u64 v);
u64 data_src_lock_bits(u64 v);
u64 data_src_blocked_bits(u64 v);

#endif
