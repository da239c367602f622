/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_BLOCK_CYCLES_H
#define ANALYSIS_BLOCK_CYCLES_H
/*
 * Which blocks of code took the cycles that branch stacks tell of: a row for each branch that
 * blocks end with, the most cycles first. Pure function; the table borrows from dsos and symbols.
 */
#include "util/analysis/annotate/blocks.h"
#include "util/base/table.h"

void block_cycles_table(const struct code_blocks *b, struct table *out);

#endif
