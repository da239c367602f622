/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WIRE_SYNTHREC_H
#define WIRE_SYNTHREC_H
/*
 * Samples that were made of a trace (event.decoded): the last bytes of their raw data are what no
 * sample of the kernel has. They never leave this process.
 */
#include "util/wire/sample.h"

struct wire_synth {
	u32 flags;		/* enum pt_flag of util/itrace/pt.h */
	u16 depth;		/* of branches: calls that it is in */
	u16 n_code;		/* bytes of code[]; 0: no instruction */
	u64 n_insns, n_cycles;	/* since the last sample of this event that had both */
	u8 code[16];
};
_Static_assert(sizeof(struct wire_synth) == 40, "it is not whole words");

/* Events that a decoder makes have ids above this, and those of the kernel below. */
#define WIRE_SYNTH_ID_BASE 1000000000ULL

/* attr.type of events that only a decoder makes, and their attr.config */
#define WIRE_TYPE_SYNTH 0x80000000U
enum wire_synth_config {
	WIRE_SYNTH_PTWRITE, WIRE_SYNTH_MWAIT, WIRE_SYNTH_PWRE, WIRE_SYNTH_EXSTOP, WIRE_SYNTH_PWRX,
	WIRE_SYNTH_CBR, WIRE_SYNTH_PSB, WIRE_SYNTH_CONTROL,
};

/* Takes it off the raw data; NULL: there is none. */
static inline const struct wire_synth *wire_take_synth(struct sample *s)
{
	const struct wire_synth *t;

	if (s->raw.len < sizeof(*t))
		return NULL;
	s->raw.len -= sizeof(*t);
	return (const void *)(s->raw.ptr + s->raw.len);
}

/* AUXTRACE_ERROR, of format 1: where a trace could not be followed. */
struct wire_trace_error {
	u32 type, code, cpu, pid, tid, format;
	u64 ip, time_ns;
	char text[64];
};
int wire_decode_trace_error(const struct perf_event_header *rec, struct wire_trace_error *out,
			    const char **reason);
/* Its record, in buf (8-byte aligned); its size, or -ENOSPC. */
int wire_encode_trace_error(const struct wire_trace_error *e, void *buf, size_t cap);

#endif
