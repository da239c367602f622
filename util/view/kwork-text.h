/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_KWORK_TEXT_H
#define VIEW_KWORK_TEXT_H
/*
 * The kernel's work as upstream perf prints it: tables of kwork_table(), and each run. Any thread.
 */
#include "util/analysis/kwork-top.h"
#include "util/analysis/kwork.h"
#include "util/base/str.h"

struct kwork_view {
	bool latency;		/* the rows are of delays */
	bool summary;
	u64 n_records;		/* of the recording */
};

void kwork_add_table(struct str *out, const struct table *t, const struct kwork_stats *st,
		     const struct kwork_view *v);
void kwork_add_runs_head(struct str *out);
void kwork_add_run(struct str *out, const struct kwork_run *r);
void kwork_add_top(struct str *out, const struct kwork_top_tables *t);

#endif
