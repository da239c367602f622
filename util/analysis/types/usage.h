/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_TYPES_USAGE_H
#define ANALYSIS_TYPES_USAGE_H
/*
 * Samples by type of data: what the sampled instructions of "perf annotate" access, added up by
 * type and offset; and for how many of them a type is known. One owner; valid until the release,
 * and as long as the counts and the finder.
 */
#include "util/analysis/types/access.h"
#include "util/base/table.h"

/* event: its number among those asked for */
struct type_part { u64 off; u32 event; struct annotate_sum sum; };

struct type_usage {
	const struct dso *dso;
	const struct datatype *type;
	VEC(struct type_part) parts;
};

struct insn_stat { const char *mnemonic; u64 n_good, n_bad; };	/* addresses with samples */

struct types_usage {
	struct access_finder *finder;
	size_t n_events;
	VEC(struct type_usage) types;	/* by what they used of the first event, most first */
	VEC(struct insn_stat) insns;	/* by number, most first */
	u64 n_why[N_ACCESS_WHYS];	/* addresses with samples */
	struct annotate_sum why[N_ACCESS_WHYS];	/* samples of the first event */
};

void types_usage_init(struct types_usage *u, struct access_finder *finder,
		      const struct annotate *counts, const struct event *const *events, size_t n);
void types_usage_release(struct types_usage *u);

/* "node", "struct node", "long int" */
bool datatype_is_named(const struct datatype *d, const char *name);
/* samples of an event (number of those asked for) in [off, off + bytes) of the type */
struct annotate_sum type_usage_sum(const struct type_usage *t, u32 event, u64 off, u64 bytes);
struct annotate_sum type_usage_total(const struct type_usage *t, u32 event);

/* Lines of a type: itself, its members, theirs. */
struct type_line {
	const char *type, *name;
	u64 off, bytes;
	int depth;
	bool opens, closes;		/* "{"; "}" has nothing else */
};
typedef VEC(struct type_line) type_lines;
/* The caller frees the vector; texts are the finder's. */
void type_usage_lines(const struct types_usage *u, const struct type_usage *t, type_lines *out);

/* One row: the type, its file, the events' samples and periods; a row a line of it. */
void type_usage_facts(const struct type_usage *t, const struct event *e, struct table *out);
void type_usage_table(const struct types_usage *u, const struct type_usage *t, struct table *out);
void types_usage_why_table(const struct types_usage *u, struct table *out);
void types_usage_insn_table(const struct types_usage *u, struct table *out);

#endif
