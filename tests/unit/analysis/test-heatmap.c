// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Cells and percentiles of pairs, and where samples fall within their seconds.
 */
#include "tests/unit/unit.h"
#include "util/analysis/heatmap/heatmap.h"

#define MS 1000000ULL

static void check_cell(const struct heatmap *h, size_t i, u32 col, u32 row, u64 n)
{
	CHECK(i < h->cells.n);
	CHECK_EQ(h->cells.v[i].col, col);
	CHECK_EQ(h->cells.v[i].row, row);
	CHECK_EQ(h->cells.v[i].n, n);
}

TEST(no_pairs)
{
	struct heatmap h;

	heat_of_pairs(NULL, 0, &(struct heat_axes){ 0 }, &h);
	CHECK_EQ(h.cells.n, 0);
	CHECK_EQ(h.n_cols, 0);
	CHECK_EQ(h.all.n, 0);
	CHECK_EQ(h.all.max_ns, 0);
	heatmap_release(&h);
}

TEST(rows_double)
{
	const struct heat_pair v[] = { { 25 * MS, 0 }, { 25 * MS, 1 }, { 12 * MS, 2 },
				       { 12 * MS, 3 }, { 12 * MS, 1023 }, { 12 * MS, 1024 },
				       { 39 * MS, UINT64_MAX } };
	struct heatmap h;

	heat_of_pairs(v, ARRAY_SIZE(v), &(struct heat_axes){ .col_ns = 10 * MS }, &h);
	CHECK_EQ(h.scale, HEAT_LOG2);
	CHECK_EQ(h.from_ns, 10 * MS);
	CHECK_EQ(h.n_cols, 3);
	CHECK_EQ(h.n_rows, 64);
	check_cell(&h, 0, 0, 1, 2);
	check_cell(&h, 1, 0, 9, 1);
	check_cell(&h, 2, 0, 10, 1);
	check_cell(&h, 3, 1, 0, 2);
	check_cell(&h, 4, 2, 63, 1);
	CHECK_EQ(h.cells.n, 5);
	CHECK_EQ(h.cols.n, 3);
	CHECK_EQ(h.cols.v[0].n, 4);
	CHECK_EQ(h.cols.v[0].pct[0], 3);
	CHECK_EQ(h.cols.v[0].max_ns, 1024);
	CHECK_EQ(h.all.max_ns, UINT64_MAX);
	CHECK_EQ(heat_row_from_ns(&h, 0), 0);
	CHECK_EQ(heat_row_from_ns(&h, 10), 1024);
	CHECK_EQ(heat_max(&h), 2);
	heatmap_release(&h);
}

TEST(percentiles_are_times_that_were)
{
	struct heat_pair v[1000];
	struct heatmap h;

	for (u64 i = 0; i < 1000; i++)
		v[i] = (struct heat_pair){ MS, (i * 7 + 1) % 1000 + 1 };	/* 1 to 1000 */
	heat_of_pairs(v, 1000, &(struct heat_axes){ .row_ns = UINT64_MAX }, &h);
	CHECK_EQ(h.all.pct[0], 500);
	CHECK_EQ(h.all.pct[1], 900);
	CHECK_EQ(h.all.pct[2], 990);
	CHECK_EQ(h.all.pct[3], 999);
	CHECK_EQ(h.all.max_ns, 1000);
	CHECK_EQ(h.scale, HEAT_LINEAR);
	CHECK_EQ(h.row_ns, 100);
	CHECK_EQ(h.n_rows, 11);
	heatmap_release(&h);
	heat_of_pairs(v, 1, &(struct heat_axes){ 0 }, &h);
	for (size_t i = 0; i < HEAT_N_PCT; i++)
		CHECK_EQ(h.all.pct[i], v[0].ns);
	heatmap_release(&h);
}

/* What would be millions of rows or columns are as many as a picture has. */
TEST(maps_are_bounded)
{
	const struct heat_pair v[] = { { 1, 1 }, { 1ULL << 62, 1ULL << 61 } };
	struct heatmap h;

	heat_of_pairs(v, 2, &(struct heat_axes){ .col_ns = 1, .row_ns = 1 }, &h);
	CHECK(h.n_cols <= (1U << 16) + 1);
	CHECK(h.n_rows <= 513);
	CHECK_EQ(h.cells.n, 2);
	heatmap_release(&h);
	heat_of_pairs(v, 2, &(struct heat_axes){ 0 }, &h);
	CHECK(h.n_cols <= 101);
	heatmap_release(&h);
}

TEST(samples_within_their_seconds)
{
	struct flame_tree t = { .first_ns = 5990 * MS, .last_ns = 7005 * MS,
				.slice_ns = 20 * MS };
	struct heatmap h, coarse;

	vec_push(&t.sums, ((struct flame_sum){ .slice = 0, .n = 3 }));	/* 5.98 s */
	vec_push(&t.sums, ((struct flame_sum){ .slice = 1, .n = 2 }));	/* 6.00 s */
	vec_push(&t.sums, ((struct flame_sum){ .slice = 51, .n = 1 }));	/* 7.00 s */
	vec_push(&t.sums, ((struct flame_sum){ .slice = 1, .n = 4 }));
	heat_of_samples(&t, NULL, &h);
	CHECK_EQ(h.from_ns, 5000 * MS);
	CHECK_EQ(h.n_rows, 50);
	CHECK_EQ(h.n_cols, 3);
	CHECK_EQ(h.all.n, 10);
	check_cell(&h, 0, 0, 49, 3);
	check_cell(&h, 1, 1, 0, 6);
	check_cell(&h, 2, 2, 0, 1);
	heat_coarse(&h, 2, 25, &coarse);
	CHECK_EQ(coarse.n_cols, 2);
	CHECK_EQ(coarse.n_rows, 25);
	CHECK_EQ(coarse.row_ns, 40 * MS);
	check_cell(&coarse, 0, 0, 0, 6);
	check_cell(&coarse, 1, 0, 24, 3);
	check_cell(&coarse, 2, 1, 0, 1);
	heatmap_release(&coarse);
	heatmap_release(&h);
	vec_free(&t.sums);
}
