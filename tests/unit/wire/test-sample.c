// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "include/abi/perf_event.h"
#include "util/wire/wire.h"

#define ALL_BITS ((u64)PERF_SAMPLE_MAX - 1)

static const u64 chain[] = { PERF_CONTEXT_KERNEL, 0xffffffff81000001, PERF_CONTEXT_USER, 0x401000 };
static const u64 regs[] = { 1, 2, 3 };
static const u64 iregs[] = { 7 };
static const u8 stack[24] = "the stack of a thread..";
static const u64 read_words[] = { 2, 100, 90, 1000, 11, 5, 2000, 12, 6 };
static struct perf_branch_entry branches[2];
static const u64 counters[] = { 3, 4 };

static struct perf_event_attr full_attr(u64 type)
{
	struct perf_event_attr a = {
		.size = sizeof(a), .sample_type = type, .sample_id_all = 1,
			.sample_regs_user = 0x70, .sample_regs_intr = 1,
		.sample_stack_user = sizeof(stack),
		.branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX | ABI_SAMPLE_BRANCH_COUNTERS,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST |
		PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	return a;
}

static struct sample full_sample(void)
{
	static struct sample s;

	branches[0] = (struct perf_branch_entry){ .from = 0x1000, .to = 0x2000, .mispred = 1,
						  .cycles = 0x1234, .type = 5 };
	branches[1] = (struct perf_branch_entry){ .from = 0x3000, .to = 0x4000, .predicted = 1,
						  .abort = 1, .cycles = 1 };
	s = (struct sample){
		.id = 77, .stream_id = 78, .time_ns = 123456789, .ip = 0x401000, .addr = 0xdead,
			.period = 10000,
		.weight = 5, .ins_lat = 6, .p_stage_cyc = 7, .data_src = 0x12345,
		.phys_addr = 0x7000, .transaction = 9,
		.cgroup = 33, .data_page_bytes = 4096, .code_page_bytes = 2 << 20, .pid = 10,
		.tid = 11, .cpu = 1, .misc = 2,
		.chain = chain, .chain_n = 4, .raw = { (const u8 *)"raw!bytes+12", 12 },
		.read = { (const u8 *)read_words, sizeof(read_words) },
		.branch = { 2, true, 42, branches, counters }, .user_regs = { 2, 0x70, regs },
		.intr_regs = { 2, 1, iregs },
		.stack = { stack, sizeof(stack) }, .stack_dyn_bytes = sizeof(stack),
		.aux = { stack, 16 },
	};
	return s;
}

static void check_equal(const struct sample *a, const struct sample *b, u64 type)
{
#define SAME(bit, f) do { if (type & (bit)) CHECK_EQ(a->f, b->f); } while (0)
	SAME(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID, id);
	SAME(PERF_SAMPLE_IP, ip);
	SAME(PERF_SAMPLE_TID, pid);
	SAME(PERF_SAMPLE_TID, tid);
	SAME(PERF_SAMPLE_TIME, time_ns);
	SAME(PERF_SAMPLE_ADDR, addr);
	SAME(PERF_SAMPLE_STREAM_ID, stream_id);
	SAME(PERF_SAMPLE_CPU, cpu);
	SAME(PERF_SAMPLE_PERIOD, period);
	SAME(PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, weight);
	SAME(PERF_SAMPLE_WEIGHT_STRUCT, ins_lat);
	SAME(PERF_SAMPLE_WEIGHT_STRUCT, p_stage_cyc);
	SAME(PERF_SAMPLE_DATA_SRC, data_src);
	SAME(PERF_SAMPLE_TRANSACTION, transaction);
	SAME(PERF_SAMPLE_PHYS_ADDR, phys_addr);
	SAME(PERF_SAMPLE_CGROUP, cgroup);
	SAME(PERF_SAMPLE_DATA_PAGE_SIZE, data_page_bytes);
	SAME(PERF_SAMPLE_CODE_PAGE_SIZE, code_page_bytes);
	CHECK_EQ(a->misc, b->misc);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		CHECK_EQ(a->chain_n, b->chain_n);
		CHECK_MEM(a->chain, b->chain, a->chain_n * 8);
	}
	if (type & PERF_SAMPLE_RAW) {
		CHECK_EQ(a->raw.len, b->raw.len);
		CHECK_MEM(a->raw.ptr, b->raw.ptr, a->raw.len);
	}
	if (type & PERF_SAMPLE_READ) {
		CHECK_EQ(a->read.len, b->read.len);
		CHECK_MEM(a->read.ptr, b->read.ptr, a->read.len);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK) {
		CHECK_EQ(a->branch.n, b->branch.n);
		CHECK_EQ(a->branch.hw_idx, b->branch.hw_idx);
		CHECK_MEM(a->branch.entries, b->branch.entries,
			  a->branch.n * sizeof(*a->branch.entries));
		CHECK_MEM(a->branch.counters, b->branch.counters, a->branch.n * 8);
	}
	if (type & PERF_SAMPLE_REGS_USER) {
		CHECK_EQ(b->user_regs.abi, 2);
		CHECK_EQ(b->user_regs.mask, 0x70);
		CHECK_MEM(a->user_regs.regs, b->user_regs.regs, sizeof(regs));
	}
	if (type & PERF_SAMPLE_REGS_INTR)
		CHECK_EQ(b->intr_regs.regs[0], 7);
	if (type & PERF_SAMPLE_STACK_USER) {
		CHECK_EQ(a->stack.len, b->stack.len);
		CHECK_MEM(a->stack.ptr, b->stack.ptr, a->stack.len);
	}
	if (type & PERF_SAMPLE_AUX)
		CHECK_EQ(a->aux.len, b->aux.len);
}

static void round_trip(u64 type)
{
	_Alignas(8) u8 buf[2048];
	struct perf_event_attr a = full_attr(type);
	struct sample in = full_sample(), out;
	const char *reason = NULL;
	int n = wire_encode_sample(&a, &in, buf, sizeof(buf));
	struct perf_event_header *rec = (struct perf_event_header *)(void *)buf;

	CHECK(n >= 8);
	CHECK_EQ(n, rec->size);
	CHECK_EQ(wire_decode_sample(&a, rec, &out, &reason), 0);
	CHECK_EQ(out.present, type);
	check_equal(&in, &out, type);
}

TEST(each_field_comes_back)
{
	for (int bit = 0; bit < 25; bit++)
		round_trip(1ULL << bit);
}

TEST(all_fields_together_come_back)
{
	round_trip(ALL_BITS & ~(u64)PERF_SAMPLE_WEIGHT);
	round_trip(ALL_BITS & ~(u64)PERF_SAMPLE_WEIGHT_STRUCT);
}

/* Any shorter record must be refused, or (cut in padding) decode to the same; never read beyond
 * its end (ASan). */
TEST(short_records_are_refused)
{
	u8 buf[2048];
	struct perf_event_attr a = full_attr(ALL_BITS & ~(u64)PERF_SAMPLE_WEIGHT);
	struct sample in = full_sample(), out;
	int n = wire_encode_sample(&a, &in, buf, sizeof(buf));

	for (int size = 0; size < n; size++) {
		struct perf_event_header *rec = malloc((size_t)n);
		const char *reason = NULL;

		memcpy(rec, buf, (size_t)n);
		rec->size = (u16)size;
		rec = realloc(rec, size < 8 ? 8 : (size_t)size);
		CHECK_EQ(wire_decode_sample(&a, rec, &out, &reason), -22);
		CHECK(reason);
		free(rec);
	}
	CHECK_EQ(wire_encode_sample(&a, &in, buf, (size_t)n - 8), -28);
}

TEST(lying_counts_are_refused)
{
	static const u64 bits[] = { PERF_SAMPLE_CALLCHAIN, PERF_SAMPLE_BRANCH_STACK,
				    PERF_SAMPLE_STACK_USER,
				    PERF_SAMPLE_AUX, PERF_SAMPLE_READ, PERF_SAMPLE_RAW };
	static const u64 lies[] = { 5, 1ULL << 32, 1ULL << 61, ~0ULL, ~0ULL - 6 };

	for (size_t i = 0; i < ARRAY_SIZE(bits); i++)
		for (size_t k = 0; k < ARRAY_SIZE(lies); k++) {
			struct perf_event_attr a = full_attr(bits[i]);
			u64 rec[4] = { PERF_RECORD_SAMPLE | 32ULL << 48, lies[k] | 64, 0, 0 };
			const char *reason = NULL;
			struct sample out;

			CHECK_EQ(wire_decode_sample(&a, (void *)rec, &out, &reason), -22);
		}
}

TEST(stack_is_cut_to_what_the_kernel_copied)
{
	struct perf_event_attr a = full_attr(PERF_SAMPLE_STACK_USER);
	struct sample in = full_sample(), out;
	u64 buf[64];
	const char *reason;

	in.stack_dyn_bytes = 8;
	wire_encode_sample(&a, &in, buf, sizeof(buf));
	CHECK_EQ(wire_decode_sample(&a, (void *)buf, &out, &reason), 0);
	CHECK_EQ(out.stack.len, 8);
	CHECK(out.stack_short);
	in.stack_dyn_bytes = in.stack.len;
	wire_encode_sample(&a, &in, buf, sizeof(buf));
	CHECK_EQ(wire_decode_sample(&a, (void *)buf, &out, &reason), 0);
	CHECK(!out.stack_short);
}

TEST(read_values)
{
	struct wire_value v[4];
	u64 n, en, run;
	struct span s = { (const u8 *)read_words, sizeof(read_words) };

	CHECK_EQ(wire_read_values(full_attr(0).read_format, s, v, 4, &n, &en, &run), 0);
	CHECK_EQ(n, 2);
	CHECK_EQ(en, 100);
	CHECK_EQ(run, 90);
	CHECK_EQ(v[1].value, 2000);
	CHECK_EQ(v[1].id, 12);
	CHECK_EQ(v[1].lost, 6);
	s.len -= 8;
	CHECK_EQ(wire_read_values(full_attr(0).read_format, s, v, 4, &n, &en, &run), -22);
	s.len = 0;
	CHECK_EQ(wire_read_values(0, s, v, 4, &n, &en, &run), -22);
	s.len = 16;
	CHECK_EQ(wire_read_values(PERF_FORMAT_ID, s, v, 4, &n, &en, &run), 0);
	CHECK_EQ(v[0].value, 2);
	CHECK_EQ(v[0].id, 100);
}

TEST(ids_and_their_places)
{
	struct perf_event_attr a = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				     PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
				     PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD, .sample_id_all = 1 };
	struct sample_id in = { .id = 5, .time_ns = 6, .pid = 1, .tid = 2, .cpu = 3 }, out;
	struct wire_comm c = { 1, 2, true, "worker 3" };
	u64 buf[32];
	const char *reason;
	int n = wire_encode_comm(&a, &c, &in, buf, sizeof(buf));

	CHECK_EQ(wire_sample_id_pos(&a), 3);
	CHECK_EQ(wire_record_id_pos(&a), 2);
	CHECK_EQ(buf[n / 8 - 2], 5);
	CHECK_EQ(wire_sample_time_pos(&a), 2);
	CHECK_EQ(wire_record_time_pos(&a), 3);
	CHECK_EQ(buf[n / 8 - 3], 6);
	CHECK_EQ(wire_decode_id(&a, (void *)buf, &out, &reason), 0);
	CHECK_EQ(out.id, 5);
	CHECK_EQ(out.time_ns, 6);
	CHECK_EQ(out.tid, 2);
	CHECK_EQ(out.cpu, 3);
	a.sample_type |= PERF_SAMPLE_IDENTIFIER;
	CHECK_EQ(wire_sample_id_pos(&a), 0);
	CHECK_EQ(wire_record_id_pos(&a), 1);
	CHECK_EQ(wire_sample_time_pos(&a), 3);
	CHECK_EQ(wire_record_time_pos(&a), 4);
	a.sample_type = PERF_SAMPLE_IP;
	CHECK_EQ(wire_sample_id_pos(&a), -1);
	CHECK_EQ(wire_record_id_pos(&a), -1);
	CHECK_EQ(wire_sample_time_pos(&a), -1);
	CHECK_EQ(wire_record_time_pos(&a), -1);
	a.sample_id_all = 0;
	CHECK_EQ(wire_decode_id(&a, (void *)buf, &out, &reason), 0);
	CHECK_EQ(out.present, 0);
}

/* A sample as a big-endian machine would have written it: all words and halves the other way,
 * bit fields from the top. */
TEST(swap_of_a_sample)
{
	struct perf_event_attr a = full_attr(ALL_BITS & ~(u64)PERF_SAMPLE_WEIGHT);
	struct sample in = full_sample(), out;
	u64 buf[256], be[256];
	const char *reason = NULL;
	int n = wire_encode_sample(&a, &in, buf, sizeof(buf));
	size_t w = 0;

	for (int i = 0; i < n / 8; i++)
		be[i] = __builtin_bswap64(buf[i]);
#define HALVES(i) (be[i] = be[i] << 32 | be[i] >> 32)	/* two u32 keep their order */
	be[0] = (u64)__builtin_bswap32(PERF_RECORD_SAMPLE) | (u64)__builtin_bswap16(2) << 32 |
		(u64)__builtin_bswap16((u16)n) << 48;
	HALVES(3);			/* identifier ip pid/tid */
	HALVES(8);			/* time addr id stream cpu */
	w = 10 + 9 + 1 + 4;		/* period read chain */
	memcpy(&be[w], &buf[w], 16);
	*(u32 *)&be[w] = __builtin_bswap32(12);
	w += 2 + 2;			/* raw, branch n, hw_idx */
	for (size_t i = 0; i < 2; i++) {
		u64 f = 0;

		f |= (u64)branches[i].mispred << 63 | (u64)branches[i].predicted << 62 |
			(u64)branches[i].abort << 60;
		f |= (u64)branches[i].cycles << 44 | (u64)branches[i].type << 40;
		be[w + i * 3 + 2] = __builtin_bswap64(f);
	}
	w += 6 + 2 + 4 + 1;		/* entries counters regs stack size */
	memcpy(&be[w], &buf[w], 24);
	/* stack dyn, weight data_src transaction, intr, phys cgroup pages, aux size */
	w += 3 + 1 + 3 + 2 + 4 + 1;
	memcpy(&be[w], &buf[w], 16);
	CHECK_EQ((w + 2) * 8, n);
	CHECK_EQ(wire_swap((void *)be, &a, &reason), 0);
	CHECK_MEM(be, buf, (size_t)n);
	CHECK_EQ(wire_decode_sample(&a, (void *)be, &out, &reason), 0);
	check_equal(&in, &out, a.sample_type);
}
