/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_FILE_TEXT_H
#define VIEW_FILE_TEXT_H
/*
 * The texts of "report --stats" and "report --tasks".
 */
#include "util/analysis/tasks.h"

void text_stats(struct str *out, const struct stream_stats *st, const struct event_list *events,
		const struct sample_counts *samples);
void text_tasks(struct str *out, const struct machine *m);

#endif
