/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_DIFF_STREAMS_H
#define VIEW_DIFF_STREAMS_H
/*
 * perf diff --stream as text: the paths that both recordings have side by side, then those of one.
 */
#include "util/analysis/diff/streams.h"
#include "util/base/str.h"

void diff_streams_text(struct str *out, const struct table *t);

#endif
