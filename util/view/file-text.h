/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_FILE_TEXT_H
#define VIEW_FILE_TEXT_H
/*
 * "report --stats" and "report --tasks": the texts that upstream perf has, or data.
 */
#include "util/analysis/tasks.h"

void file_counts_show(struct str *out, const struct file_counts *f, const struct table_output *o);
void tasks_show(struct str *out, const struct table *tasks, const struct table_output *o);
/* The same, with what each task had mapped below it; as data only that. */
void tasks_maps_show(struct str *out, const struct table *tasks, const struct table *maps,
		     const struct table_output *o);

#endif
