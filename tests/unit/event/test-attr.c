// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include "util/event/event.h"

static const char *printed(const struct perf_event_attr *a)
{
	struct str s = STR_INIT;

	event_attr_name(a, &s);
	str_add(&s, ": ");
	event_attr_print(a, ": ", &s);
	return unit_keep(str_detach(&s));
}

/* Upstream perf 7.2's "evlist -v" of files made with these attrs. */
TEST(all_bits_as_the_upstream_prints_them)
{
	struct perf_event_attr a = { .type = 1, .size = 144, .sample_period = 5 };

	memset(&a.sample_type, 0xff, 3 * 8);	/* sample_type, read_format, flags */
	a.wakeup_events = 3;
	a.bp_type = 7;
	a.bp_addr = 0x11;
	a.bp_len = 0x22;
	a.branch_sample_type = ~0ULL;
	a.sample_regs_user = 0x33;
	a.sample_stack_user = 44;
	a.clockid = -5;
	a.sample_regs_intr = 0x55;
	a.aux_watermark = 66;
	a.sample_max_stack = 77;
	a.aux_sample_size = 88;
	memcpy((u8 *)&a + 120, &(u64){ 99 }, 8);
	CHECK_STR(printed(&a), "cpu-clock:ppp: type: 1 (PERF_TYPE_SOFTWARE), size: 144, config: 0 "
			       "(PERF_COUNT_SW_CPU_CLOCK), "
		"{ sample_period, sample_freq }: 5, sample_type: "
		"IP|TID|TIME|ADDR|READ|CALLCHAIN|ID|CPU|PERIOD|STREAM_ID|RAW|BRANCH_STACK|"
		"REGS_USER|STACK_USER|IDENTIFIER|REGS_INTR|DATA_SRC|WEIGHT|PHYS_ADDR|AUX|CGROUP|"
		"DATA_PAGE_SIZE|CODE_PAGE_SIZE|"
		"WEIGHT_STRUCT, read_format: TOTAL_TIME_ENABLED|TOTAL_TIME_RUNNING|ID|GROUP|LOST, "
		"disabled: 1, inherit: 1, pinned: 1, "
		"exclusive: 1, exclude_user: 1, exclude_kernel: 1, exclude_hv: 1, exclude_idle: 1, "
		"mmap: 1, comm: 1, freq: 1, "
		"inherit_stat: 1, enable_on_exec: 1, task: 1, watermark: 1, precise_ip: 3, "
		"mmap_data: 1, sample_id_all: 1, "
		"exclude_host: 1, exclude_guest: 1, exclude_callchain_kernel: 1, "
		"exclude_callchain_user: 1, mmap2: 1, comm_exec: 1, "
		"use_clockid: 1, context_switch: 1, write_backward: 1, namespaces: 1, ksymbol: 1, "
		"bpf_event: 1, aux_output: 1, cgroup: 1, "
		"text_poke: 1, build_id: 1, inherit_thread: 1, remove_on_exec: 1, sigtrap: 1, "
		"defer_callchain: 1, defer_output: 1, "
		"{ wakeup_events, wakeup_watermark }: 3, bp_type: 7, { bp_addr, config1 }: 0x11, { "
		"bp_len, config2 }: 0x22, "
		"branch_sample_type: USER|KERNEL|HV|ANY|ANY_CALL|ANY_RETURN|IND_CALL|ABORT_TX|"
		"IN_TX|NO_TX|COND|CALL_STACK|IND_JUMP|CALL|"
		"NO_FLAGS|NO_CYCLES|TYPE_SAVE|HW_INDEX|PRIV_SAVE|COUNTERS, sample_regs_user: 0x33, "
		"sample_stack_user: 44, clockid: -5, "
		"sample_regs_intr: 0x55, aux_watermark: 66, sample_max_stack: 77, aux_sample_size: "
		"88, sig_data: 99");
}

TEST(names_of_attrs)
{
	static const struct { u32 type; u64 config; const char *text; } t[] = {
		{ 0, 0, "cycles: type: 0 (PERF_TYPE_HARDWARE), size: 144, config: 0 "
			"(PERF_COUNT_HW_CPU_CYCLES)" },
		{ 0, 9, "ref-cycles: type: 0 (PERF_TYPE_HARDWARE), size: 144, config: 0x9 "
			"(PERF_COUNT_HW_REF_CPU_CYCLES)" },
		{ 0, 12, "unknown-hardware: type: 0 (PERF_TYPE_HARDWARE), size: 144, config: 0xc" },
		{ 0, 0x400000001, "cpu/instructions/: type: 0 (PERF_TYPE_HARDWARE), size: 144, "
				  "config: 0x400000001 "
				  "(cpu/PERF_COUNT_HW_INSTRUCTIONS/)" },
		{ 1, 3, "context-switches: type: 1 (PERF_TYPE_SOFTWARE), size: 144, config: 0x3 "
			"(PERF_COUNT_SW_CONTEXT_SWITCHES)" },
		{ 3, 0x10102, "LLC-store-misses: type: 3 (PERF_TYPE_HW_CACHE), size: 144, config: "
			      "0x10102 "
			      "(PERF_COUNT_HW_CACHE_RESULT_MISS | PERF_COUNT_HW_CACHE_OP_WRITE | "
			      "PERF_COUNT_HW_CACHE_LL)" },
		{ 3, 9, "unknown-ext-hardware-cache-type: type: 3 (PERF_TYPE_HW_CACHE), size: 144, "
			"config: 0x9" },
		{ 4, 0x1a8, "raw 0x1a8: type: 4 (cpu), size: 144, config: 0x1a8" },
		{ 77, 3, "unknown event PMU=77 config=0x3: type: 77, size: 144, config: 0x3" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct perf_event_attr a = { .type = t[i].type, .size = 144,
					     .config = t[i].config };

		CHECK_STR(printed(&a), t[i].text);
	}
}

TEST(modifiers_from_bits)
{
	static const struct { u64 flags; const char *name; } t[] = {
		{ 1 << 4, "cpu-clock:kh" }, { 1 << 5, "cpu-clock:uh" }, { 1 << 6, "cpu-clock:ku" },
			{ 3 << 5, "cpu-clock:u" },
		{ 1 << 19, "cpu-clock:G" }, { 1 << 20, "cpu-clock:H" }, { 3 << 19, "cpu-clock" },
		{ 1 << 16, "cpu-clock:pp" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct perf_event_attr a = { .type = 1, .size = 144 };
		struct str s = STR_INIT;

		memcpy((u8 *)&a + 40, &t[i].flags, 8);
		event_attr_name(&a, &s);
		CHECK_STR(s.buf, t[i].name);
		str_release(&s);
	}
}

TEST(names_cannot_command_the_terminal)
{
	struct event e = { .attr = { .type = 77, .size = 144 }, .pmu = (char *)"p\33mu" };
	struct str s = STR_INIT;

	event_print(&e, ": ", &s);
	CHECK_STR(str_cstr(&s), "type: 77 (p\\x1bmu), size: 144, config: 0");
	str_reset(&s);
	e = (struct event){ .attr = { .type = 2, .size = 144 }, .tp_system = (char *)"s\33",
			    .tp_name = (char *)"t\33" };
	event_print(&e, ": ", &s);
	CHECK_STR(str_cstr(&s), "type: 2 (PERF_TYPE_TRACEPOINT), size: 144, config: 0 "
				"(s\\x1b:t\\x1b)");
	str_release(&s);
}
