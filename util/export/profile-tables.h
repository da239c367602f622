/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPORT_PROFILE_TABLES_H
#define EXPORT_PROFILE_TABLES_H
/*
 * The numbers that pprof's format and those made after it give to texts, binaries and functions, so
 * that each is written once. One owner.
 */
#include "util/analysis/hist/stacks.h"
#include "util/base/hash.h"

struct profile_mapping { const struct dso *dso; u64 limit; };	/* limit: above each address seen */

struct profile_tables {
	struct strmap strings, functions;	/* -> number + 1, number */
	struct hmap mapping_of;			/* dso -> number */
	u64 n_strings, n_functions;
	VEC(struct profile_mapping) mappings;	/* number 1 is the first */
};

void profile_tables_release(struct profile_tables *t);
/* From 0 on; fresh: it was not known before. */
u64 profile_string(struct profile_tables *t, const char *s, bool *fresh);
/* From 1 on; 0: nothing is mapped there. */
u64 profile_mapping(struct profile_tables *t, const struct stack_frame *f);
/* From 1 on; fresh as above. */
u64 profile_function(struct profile_tables *t, const struct stack_frame *f, bool *fresh);

#endif
