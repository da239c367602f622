/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_FRAME_CELLS_H
#define ANALYSIS_FRAME_CELLS_H
/*
 * Call chains as cells of tables. What they refer to lives as long as the table.
 */
#include "util/base/table.h"
#include "util/stream/sink.h"

/* "vfs_write+0x15", as perf script has it: of callers, the return address. */
const char *frame_cell_text(struct table *t, const struct location *f);
/* A list of n functions with offsets, or of their addresses. */
struct cell frame_cells(struct table *t, const struct location *frames, u32 n, bool addresses);

#endif
