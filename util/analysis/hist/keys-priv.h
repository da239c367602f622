/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_HIST_KEYS_PRIV_H
#define ANALYSIS_HIST_KEYS_PRIV_H
/*
 * The tables of column definitions, and what their files share.
 */
#include "util/analysis/hist/hist.h"

const struct key_def *key_defs_sample(size_t *n);	/* keys.c */
const struct key_def *key_defs_value(size_t *n);	/* keys-value.c */
const struct key_def *key_defs_branch(size_t *n);	/* keys-branch.c */
const struct key_def *key_defs_mem(size_t *n);		/* keys-mem.c */
const struct key_def *key_defs_type(size_t *n);		/* keys-type.c */
void hist_keys_free_types(struct hist_keys *k);

int key_cmp_text(u64 a, u64 b);
void key_cell_page(const struct key *k, u64 w, struct table *t, struct cell *out);
void key_cell_text(const struct key *k, u64 w, struct table *t, struct cell *out);
void key_cell_field(const struct key *k, u64 w, struct table *t, struct cell *out);
u64 key_field_word(const struct key_ctx *c, const struct key *k);

/* Whether what columns of types need is built in. */
int keys_check_types(const struct hist_keys *k, struct err *err);

#endif
