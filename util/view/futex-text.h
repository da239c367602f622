/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_FUTEX_TEXT_H
#define VIEW_FUTEX_TEXT_H
/*
 * Waits for futexes, by the rules of lock contention. Any thread.
 */
#include "util/analysis/futex.h"
#include "util/view/lock-text.h"

struct futex_view {
	enum futexrec_rows by;
	struct lock_view columns;	/* fields, n_fields and no_head of it */
	bool percentiles;
	bool stacks;			/* below each row who waited and who had it, with stacks */
	struct table_output output;
};

void futex_show(struct str *out, const struct futex_tables *t, const struct futex_view *v);

#endif
