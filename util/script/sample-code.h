/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCRIPT_SAMPLE_CODE_H
#define SCRIPT_SAMPLE_CODE_H
/*
 * What scripts and filters ask of the code that a sample is about.
 */
#include "util/disasm/disasm.h"
#include "util/stream/sink.h"
#include "util/wire/synthrec.h"

/* The instruction at l. *x is made when it is first needed, for code of arch; disasm_free() is the
 * caller's. false: its bytes are not there. */
bool insn_at(struct disasm **x, const struct arch_info *arch, const struct location *l,
	     struct insn *out);

/* Its place as upstream perf counts it: in the file. */
static inline struct symbol symbol_in_file(struct dso *d, const struct symbol *s)
{
	struct symbol at = *s;

	at.start_rva = dso_rva_to_off(d, s->start_rva);
	at.end_rva = at.start_rva + (s->end_rva - s->start_rva);
	return at;
}

/* What upstream perf has for samples that do not say it: those that were made of a trace have
 * zeros, and their id as the one of their stream. */
#define SAMPLE_NO_DATA_SRC 0x1e05080021ULL	/* "N/A" of all kinds */
static inline u64 sample_data_src(const struct sample *s)
{
	return s->present & PERF_SAMPLE_DATA_SRC ? s->data_src :
		s->event->decoded ? 0 : SAMPLE_NO_DATA_SRC;
}

static inline u64 sample_stream_id(const struct sample *s)
{
	return s->present & PERF_SAMPLE_STREAM_ID ? s->stream_id :
		s->event->decoded ? s->id : ~0ULL;
}

static inline bool sample_has_weight(const struct sample *s)
{
	return s->present & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT);
}

#endif
