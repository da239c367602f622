// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The value columns of rows.
 */
#include "util/analysis/hist/keys-priv.h"
#include "util/analysis/hist/shares.h"

static struct cell pct(const struct row_values *v, u64 part)
{
	return cell_pct(v->total ? (double)part * 100 / (double)v->total : 0);
}

static double self_value(const struct row_values *v) { return (double)v->row->self; }
static void self_cell(const struct row_values *v, struct cell *out) { *out = pct(v, v->row->self); }
static double sum_value(const struct row_values *v) { return (double)v->row->sum; }
static void sum_cell(const struct row_values *v, struct cell *out) { *out = pct(v, v->row->sum); }
static double count_value(const struct row_values *v) { return (double)v->row->self_n; }
static void count_cell(const struct row_values *v, struct cell *out) { *out =
								       cell_count(v->row->self_n); }
static void period_cell(const struct row_values *v, struct cell *out) { *out =
									cell_count(v->row->self); }
static double sys_value(const struct row_values *v) { return (double)v->row->by_mode[0]; }
static void sys_cell(const struct row_values *v, struct cell *out) { *out =
								     pct(v, v->row->by_mode[0]); }
static double us_value(const struct row_values *v) { return (double)v->row->by_mode[1]; }
static void us_cell(const struct row_values *v, struct cell *out) { *out =
								    pct(v, v->row->by_mode[1]); }
static double gsys_value(const struct row_values *v) { return (double)v->row->by_mode[2]; }
static void gsys_cell(const struct row_values *v, struct cell *out) { *out =
								      pct(v, v->row->by_mode[2]); }
static double gus_value(const struct row_values *v) { return (double)v->row->by_mode[3]; }
static void gus_cell(const struct row_values *v, struct cell *out) { *out =
								     pct(v, v->row->by_mode[3]); }

static double latency_pct(const struct row_values *v, u128 part)
{
	return v->latency_total ? (double)part * 100 / (double)v->latency_total : 0;
}

static double lat_value(const struct row_values *v) { return (double)v->row->latency; }
static void lat_cell(const struct row_values *v, struct cell *out)
{
	*out = cell_pct(latency_pct(v, v->row->latency));
}

static double lat_sum_value(const struct row_values *v) { return (double)v->row->latency_sum; }
static void lat_sum_cell(const struct row_values *v, struct cell *out)
{
	*out = cell_pct(latency_pct(v, v->row->latency_sum));
}

static double average(const struct row_values *v, int i)
{
	return v->row->self_n ? v->row->weights[i] / (double)v->row->self_n : 0;
}

static void average_cell(const struct row_values *v, int i, struct cell *out)
{
	*out = cell_num(average(v, i), 4);
}

static double w1_value(const struct row_values *v) { return average(v, 0); }
static void w1_cell(const struct row_values *v, struct cell *out) { average_cell(v, 0, out); }
static double w2_value(const struct row_values *v) { return average(v, 1); }
static void w2_cell(const struct row_values *v, struct cell *out) { average_cell(v, 1, out); }
static double w3_value(const struct row_values *v) { return average(v, 2); }
static void w3_cell(const struct row_values *v, struct cell *out) { average_cell(v, 2, out); }

/* Of branches in call chains, and shares: they do not order. */
static double no_value(const struct row_values *v UNUSED) { return 0; }

static void predicted_cell(const struct row_values *v, struct cell *out)
{
	const struct branch_counts *b = v->row->branches;

	if (b && b->targets)
		*out = cell_pct((double)b->predicted * 100 / (double)b->targets);
}

static void aborts_cell(const struct row_values *v, struct cell *out)
{
	if (v->row->branches)
		*out = cell_count(v->row->branches->aborts);
}

static void cycles_cell(const struct row_values *v, struct cell *out)
{
	const struct branch_counts *b = v->row->branches;

	if (b && b->sources)
		*out = cell_count(b->cycles / b->sources);
}

#define SHARES(part) .level = KEY_VALUE, .value = no_value, .special = (part) + 1
#define OF_CHAIN .level = KEY_VALUE, .value = no_value, .special = KEY_OF_HISTORY
#define VALUE .level = KEY_VALUE, .fixed = true, .right = true
static const struct key_def defs[] = {
	{ .name = "overhead", .title = "Overhead", VALUE, .value = self_value,
	  .value_cell = self_cell, .width = 8 },
	{ .name = "latency", .title = "Latency", VALUE, .value = lat_value, .value_cell = lat_cell,
	  .width = 8, .needs_running = true },
	{ .name = "latency_children", .title = "Latency", VALUE, .value = lat_sum_value,
	  .value_cell = lat_sum_cell, .width = 7, .deep_first = true, .needs_running = true },
	{ .name = "overhead_children", .title = "Children", VALUE, .value = sum_value,
	  .value_cell = sum_cell, .width = 8,
	  .deep_first = true },
	{ .name = "overhead_sys", .title = "sys", VALUE, .value = sys_value, .value_cell = sys_cell,
	  .width = 8, .needs_extra = true },
	{ .name = "overhead_us", .title = "usr", VALUE, .value = us_value, .value_cell = us_cell,
	  .width = 8, .needs_extra = true },
	{ .name = "overhead_guest_sys", .title = "guest sys", VALUE, .value = gsys_value,
	  .value_cell = gsys_cell, .width = 9,
	  .needs_extra = true },
	{ .name = "overhead_guest_us", .title = "guest usr", VALUE, .value = gus_value,
	  .value_cell = gus_cell, .width = 9,
	  .needs_extra = true },
	{ .name = "sample", .title = "Samples", VALUE, .value = count_value,
	  .value_cell = count_cell, .width = 12, .alias = "nr_samples" },
	{ .name = "period", .title = "Period", VALUE, .value = self_value,
	  .value_cell = period_cell, .width = 12 },
	{ .name = "callchain_branch_predicted", .title = "Predicted", OF_CHAIN, .decimals = 1,
	  .value_cell = predicted_cell, .form = COL_WORD },
	{ .name = "callchain_branch_abort", .title = "Abort", OF_CHAIN,
	  .value_cell = aborts_cell, .form = COL_WORD },
	{ .name = "callchain_branch_cycles", .title = "Cycles", OF_CHAIN,
	  .value_cell = cycles_cell, .form = COL_WORD },
	{ .name = "op", .title = "Mem Op", SHARES(SHARE_OP) },
	{ .name = "cache", .title = "Cache", SHARES(SHARE_CACHE) },
	{ .name = "memory", .title = "Memory", SHARES(SHARE_MEMORY) },
	{ .name = "snoops", .title = "Snoop", SHARES(SHARE_SNOOP) },
	{ .name = "dtlb", .title = "D-TLB", SHARES(SHARE_DTLB) },
	{ .name = "weight1", .title = "Weight1", VALUE, .decimals = 1, .value = w1_value,
	  .value_cell = w1_cell, .width = 8,
	  .needs_extra = true },
	{ .name = "weight2", .title = "Weight2", VALUE, .decimals = 1, .value = w2_value,
	  .value_cell = w2_cell, .width = 8,
	  .needs_extra = true },
	{ .name = "weight3", .title = "Weight3", VALUE, .decimals = 1, .value = w3_value,
	  .value_cell = w3_cell, .width = 8,
	  .needs_extra = true },
};

const struct key_def *key_defs_value(size_t *n)
{
	*n = ARRAY_SIZE(defs);
	return defs;
}
