/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MACHINE_RUNNING_H
#define MACHINE_RUNNING_H
/*
 * How many threads run at a time, by context switches: a part of struct machine, whose rules hold
 * (one owner before machine_freeze(), any thread after it). Times are ns of the recording.
 */
#include "util/machine/machine.h"

/* From now on it is known. */
void machine_count_running(struct machine *m);
/* A SWITCH, SWITCH_CPU_WIDE, COMM, FORK or EXIT record; others are ignored. tid: of its trailing id.
 * off: its place in the recording, which decides where times are equal. In the order of time. */
void machine_note_running(struct machine *m, const struct perf_event_header *rec, u32 tid,
			  u64 time_ns, u64 off);
/* For who knows it otherwise: by threads more (fewer: < 0) from then on, in the order of time. */
void machine_step_running(struct machine *m, u64 time_ns, s32 by);
/* At a sample's time and place; at least 1. After machine_freeze(), or in the order of time. */
u32 machine_running_at(const struct machine *m, u64 time_ns, u64 off);

#endif
