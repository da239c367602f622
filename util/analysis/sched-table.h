/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_SCHED_TABLE_H
#define ANALYSIS_SCHED_TABLE_H
/*
 * The scheduler model as tables. Filled after sched_close(), but for map; texts are those of the
 * model, which must outlive them. Released by the caller.
 */
#include "util/analysis/sched.h"
#include "util/base/table.h"

/* One row: switches, gaps, lost events, and what else a reader has to know of the recording.
 * n_records: of the recording. */
void sched_facts(const struct sched *s, u64 n_records, struct table *out);
/* What each CPU did: the parts add up to the time that was seen of it. */
void sched_cpu_rows(const struct sched *s, struct table *out);
/* In which states each task was: the same. */
void sched_timeline_rows(const struct sched *s, struct table *out);

/* Who comes, a row each switch: columns, and then rows. name: the task's in the map; copied. */
void sched_map_columns(struct table *t);
void sched_map_row(struct table *t, const struct sched_switch *sw, const char *name);

#endif
