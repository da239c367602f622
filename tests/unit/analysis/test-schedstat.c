// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * /proc/schedstat of all versions, there and back, and what is made of two of them.
 */
#include "tests/unit/unit.h"
#include "util/analysis/schedstat.h"

static void add_domain_line(struct str *text, u16 version, int domain, u64 base)
{
	str_addf(text, "domain%d ", domain);
	str_addf(text, version == 17 ? "SMT 3" : "00000000,00000003");
	for (size_t i = 0; i < schedstat_n_fields(version, true); i++)
		str_addf(text, " %llu", (unsigned long long)(base + i));
	str_addch(text, '\n');
}

static struct str make_text(u16 version, u64 jiffies, u64 base)
{
	struct str text = STR_INIT;

	str_addf(&text, "version %u\ntimestamp %llu\n", version, (unsigned long long)jiffies);
	for (int cpu = 0; cpu < 2; cpu++) {
		str_addf(&text, "cpu%d", cpu);
		for (u64 i = 0; i < SCHEDSTAT_CPU_FIELDS; i++)
			str_addf(&text, " %llu", (unsigned long long)(base + 100 * (u64)cpu + i));
		str_addch(&text, '\n');
		add_domain_line(&text, version, 0, base + 1000);
	}
	return text;
}

static void check_version(u16 version)
{
	struct str a = make_text(version, 500, 10), b = make_text(version, 530, 30),
		bytes = STR_INIT;
	schedstat_rows rows = { 0 }, back = { 0 }, delta = { 0 }, average = { 0 };
	struct err err = ERR_INIT;
	u64 elapsed = 0;
	size_t at = 0;

	CHECK_EQ(schedstat_parse(a.buf, &rows, &err), 0);
	CHECK_EQ(schedstat_parse(b.buf, &rows, &err), 0);
	CHECK_EQ(rows.n, 8);
	for vec_each(row, &rows)
		schedstat_encode(row, &bytes);
	while (at < bytes.len) {
		const struct perf_event_header *hdr = (const void *)(bytes.buf + at);

		CHECK_EQ(schedstat_decode(hdr, &back), 1);
		at += hdr->size;
	}
	CHECK_EQ(back.n, rows.n);
	CHECK(!memcmp(back.v, rows.v, rows.n * sizeof(*rows.v)));
	schedstat_delta(&back, &delta, &elapsed);
	CHECK_EQ(elapsed, 30);
	CHECK_EQ(delta.n, 4);
	for vec_each(row, &delta) {
		for (size_t i = 0; i < schedstat_n_fields(version, row->domain >= 0); i++)
			CHECK_EQ(row->v[i], 20);
	}
	schedstat_average(&delta, &average);
	CHECK_EQ(average.n, 2);
	CHECK_EQ(average.v[1].v[3], 20);
	vec_free(&rows);
	vec_free(&back);
	vec_free(&delta);
	vec_free(&average);
	str_release(&a);
	str_release(&b);
	str_release(&bytes);
	err_release(&err);
}

TEST(schedstat_of_all_versions)
{
	char buf[64];

	for (u16 version = 15; version <= 17; version++)
		check_version(version);
	CHECK_STR(schedstat_field(15, true, 0, buf), "idle_lb_count");
	CHECK_STR(schedstat_field(16, true, 0, buf), "busy_lb_count");
	CHECK_STR(schedstat_field(17, true, 6, buf), "busy_lb_imbalance_misfit");
	CHECK_STR(schedstat_field(17, true, 44, buf), "ttwu_move_balance");
	CHECK_STR(schedstat_field(15, true, 35, buf), "ttwu_move_balance");
	CHECK_STR(schedstat_field(15, false, 7, buf), "run_delay");
}

TEST(schedstat_that_cannot_be_understood)
{
	static const char *const bad[] = {
		"", "version 14\ntimestamp 1\ncpu0 0 0 0 0 0 0 0 0 0\n", "version 18\n",
			"version 15\ntimestamp 1\ncpu0 0 0 0\n",
		"version 15\ntimestamp 1\ndomain0 3 0 0\n",
		"version 15\ntimestamp 1\ncpu0 0 0 0 0 0 0 0 0 0\ndomain0 3 1 2 3\n",
		"cpu0 0 0 0 0 0 0 0 0 0\n",
	};
	struct perf_event_header cut = { .type = WIRE_SCHEDSTAT_CPU, .size = sizeof(cut) };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		schedstat_rows rows = { 0 };
		struct err err = ERR_INIT;

		CHECK(schedstat_parse(bad[i], &rows, &err) < 0);
		CHECK(err.msg != NULL);
		CHECK(schedstat_decode(&cut, &rows) < 0);
		err_release(&err);
		vec_free(&rows);
	}
}
