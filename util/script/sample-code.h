/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCRIPT_SAMPLE_CODE_H
#define SCRIPT_SAMPLE_CODE_H
/*
 * What scripts and filters ask of the code that a sample is about.
 */
#include "util/disasm/disasm.h"
#include "util/stream/sink.h"

/* The instruction at l. *x is made when it is first needed, for code of arch; disasm_free() is the
 * caller's. false: its bytes are not there. */
bool insn_at(struct disasm **x, const struct arch_info *arch, const struct location *l,
	     struct insn *out);

#endif
