// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <errno.h>

#include "util/event/sample-filter.h"

/* An event whose samples have everything. */
static void init(struct event *e, const char *filter)
{
	*e = (struct event){ .name = (char *)"e", .filter = (char *)filter };
	e->attr.sample_type = ~0ULL;
}

static bool holds(const struct filterrec_term *t, const u64 *words)
{
	u64 v = words[t->word] >> t->shift;

	if (t->bits < 64)
		v &= (1ULL << t->bits) - 1;
	switch (t->op) {
	case FILTERREC_EQ:	return v == t->value;
	case FILTERREC_NE:	return v != t->value;
	case FILTERREC_GT:	return v > t->value;
	case FILTERREC_GE:	return v >= t->value;
	case FILTERREC_LT:	return v < t->value;
	case FILTERREC_LE:	return v <= t->value;
	default:		return v & t->value;
	}
}

/* As the BPF program does it. */
static bool passes(const char *filter, const u64 *words)
{
	struct event e;
	struct filterrec f;
	u32 at = 0;

	init(&e, filter);
	CHECK_EQ(sample_filter_make(&e, NULL, &f, NULL), 0);
	CHECK(f.n_terms > 0 && f.n_terms <= FILTERREC_TERMS);
	while (at < f.n_terms) {
		const struct filterrec_term *t = &f.terms[at];

		CHECK(t->yes > at && t->no > at);
		at = holds(t, words) ? t->yes : t->no;
	}
	CHECK(at == FILTERREC_YES || at == FILTERREC_NO);
	return at == FILTERREC_YES;
}

static const char *refused(const char *filter)
{
	struct err err = ERR_INIT;
	char *text;

	CHECK_EQ(sample_filter_check(filter, NULL, &err), -EINVAL);
	text = xstrdup(err.msg ? err.msg : "");
	err_release(&err);
	return unit_keep(text);
}

TEST(all_combinations_of_four_comparisons)
{
	for (unsigned i = 0; i < 16; i++) {
		const bool a = i & 1, b = i & 2, c = i & 4, d = i & 8;
		u64 w[FILTERREC_WORD_NR] = { [FILTERREC_IP] = a, [FILTERREC_PID] = b,
					     [FILTERREC_TID] = c, [FILTERREC_PERIOD] = d };

		CHECK_EQ(passes("ip==1,pid==1,tid==1,period==1", w), a && b && c && d);
		CHECK_EQ(passes("ip==1 || pid==1, tid==1 || period==1", w),
			 (a || b) && (c || d));
		CHECK_EQ(passes("ip==1, pid==1 || tid==1, period==1", w), a && (b || c) && d);
		CHECK_EQ(passes("ip==1 && pid==1 || tid==1 && period==1", w),
			 (a && b) || (c && d));
		CHECK_EQ(passes("ip==1 || pid==1 && tid==1, period==1", w),
			 (a || (b && c)) && d);
		CHECK_EQ(passes("(ip==1 , pid==1) || (tid==1 , period==1)", w),
			 (a && b) || (c && d));
		CHECK_EQ(passes("ip==1 && (pid==1 || (tid==1, period==1))", w),
			 a && (b || (c && d)));
		CHECK_EQ(passes("(((ip==1 || pid==1) && tid==1) || period==1)", w),
			 ((a || b) && c) || d);
	}
}

TEST(all_operators)
{
	static const struct { const char *op; bool less, equal, greater; } ops[] = {
		{ "==", false, true, false }, { "!=", true, false, true },
		{ ">", false, false, true }, { ">=", false, true, true },
		{ "<", true, false, false }, { "<=", true, true, false },
	};
	u64 w[FILTERREC_WORD_NR] = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(ops); i++) {
		char *text = xasprintf("addr %s 0x8000000000000000", ops[i].op);

		w[FILTERREC_ADDR] = 0x7fffffffffffffff;
		CHECK_EQ(passes(text, w), ops[i].less);
		w[FILTERREC_ADDR] = 0x8000000000000000;
		CHECK_EQ(passes(text, w), ops[i].equal);
		w[FILTERREC_ADDR] = 0x8000000000000001;
		CHECK_EQ(passes(text, w), ops[i].greater);
		free(text);
	}
	w[FILTERREC_CPU] = 6;
	CHECK(passes("cpu & 2", w) && passes("cpu&4&&cpu&2", w) && !passes("cpu & 9", w));
}

TEST(parts_of_words)
{
	union perf_mem_data_src d = { .mem_op = PERF_MEM_OP_STORE,
				      .mem_lvl_num = PERF_MEM_LVLNUM_L3,
				      .mem_snoop = PERF_MEM_SNOOP_HITM, .mem_snoopx = 2,
				      .mem_lock = PERF_MEM_LOCK_LOCKED, .mem_remote = 1,
				      .mem_dtlb = PERF_MEM_TLB_L2 | PERF_MEM_TLB_MISS,
				      .mem_blk = PERF_MEM_BLK_ADDR, .mem_hops = 3 };
	const u64 w[FILTERREC_WORD_NR] = { [FILTERREC_DATA_SRC] = d.val,
					   [FILTERREC_WEIGHT] = 0x0003000200000001 };
	static const char *const yes[] = {
		"mem_op == store", "mem_op & 6", "mem_lvl > l2", "mem_lvl == 3",
		"mem_snoop == hitm",
		"mem_snoop == peer", "mem_lock == locked", "mem_locked == locked",
		"mem_remote == remote", "mem_dtlb == l2_miss", "mem_blk == by_addr",
		"mem_hops == hops2", "weight == 1", "weight1 == 1", "weight2 == 2", "ins_lat == 2",
		"weight3 == 3", "retire_lat == 3", "p_stage_cyc == 3",
	}, *const no[] = {
		"mem_op == load", "mem_lvl == l1", "mem_snoop == fwd", "mem_snoop == na",
		"mem_dtlb == l2_hit", "mem_hops == hops0", "weight > 1",
	};

	for (size_t i = 0; i < ARRAY_SIZE(yes); i++)
		CHECK(passes(yes[i], w));
	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		CHECK(!passes(no[i], w));
}

TEST(what_samples_must_have)
{
	struct filterrec f;
	struct event e;
	u64 fields = 0;

	CHECK_EQ(sample_filter_check("cpu > 1, mem_op == load || weight > 3", &fields, NULL), 0);
	CHECK_EQ(fields, PERF_SAMPLE_CPU | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT_STRUCT);
	init(&e, "ip > 0 || weight > 3");
	e.attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_WEIGHT;
	CHECK_EQ(sample_filter_make(&e, NULL, &f, NULL), 0);
	CHECK_EQ(f.terms[1].bits, 64);
	e.attr.sample_type = PERF_SAMPLE_IP;
	CHECK_EQ(sample_filter_make(&e, NULL, &f, NULL), -EINVAL);
	CHECK_EQ(sample_filter_check("uid == 0, period > 1, id == 2", &fields, NULL), 0);
	CHECK_EQ(fields, 0);
}

TEST(what_is_no_filter)
{
	static const char *const bad[] = {
		"", " ", "ip", "ip ==", "ip = 1", "== 1", "ip == 1 ||", "ip == 1,", ",ip == 1",
		"ip == 1 & pid == 2", "(ip == 1", "ip == 1)", "()", "ip == -1", "ip == 0x",
		"ip == 99999999999999999999", "ip == 1 pid == 2", "ip == l1", "mem_lvl == load",
		"cgroup == x", "IP == 1", "ip === 1", "!ip == 1",
	};
	struct str deep = STR_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK(strstr(refused(bad[i]), "filter syntax error: '"));
	for (int i = 0; i < 10000; i++)
		str_addch(&deep, '(');
	CHECK(strstr(refused(str_cstr(&deep)), "nested too deep"));
	str_reset(&deep);
	for (int i = 0; i < FILTERREC_TERMS; i++)
		str_addf(&deep, "%sip == %d", i ? "||" : "", i);
	CHECK_EQ(sample_filter_check(str_cstr(&deep), NULL, NULL), 0);
	str_add(&deep, ",ip == 1");
	CHECK(strstr(refused(str_cstr(&deep)), "more than 64 comparisons"));
	str_release(&deep);
}
