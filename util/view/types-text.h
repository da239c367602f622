/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_TYPES_TEXT_H
#define VIEW_TYPES_TEXT_H
/*
 * Samples by type of data as text, in the layouts that upstream's users know. Appends to a struct
 * str; any thread.
 */
#include "util/analysis/types/usage.h"
#include "util/base/str.h"

enum types_numbers { TYPES_PERCENT, TYPES_SAMPLES, TYPES_PERIOD };
struct types_look {
	enum types_numbers numbers;
	const struct event *const *events;
	bool by_hits;			/* percentages are of samples, not of periods */
};

/* A type with its members, and what each used. */
void types_text(struct str *out, const struct types_usage *u, const struct type_usage *t,
		const struct types_look *look);
/* For how many addresses a type is known, and why not for the others. */
void types_why_text(struct str *out, const struct types_usage *u);
/* The same by instruction. */
void types_insn_text(struct str *out, const struct types_usage *u);

#endif
