// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The text of perf script, field by field, over a synthesized recording; the expected text is what
 * upstream perf 7.2 prints for it.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "util/base/io.h"
#include "util/data/reader.h"
#include "util/data/writer.h"
#include "util/export/perf-script.h"
#include "util/stream/stream.h"

#define SAMPLE_TYPE (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
		     PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_ADDR | \
		     PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC | \
		     PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP | PERF_SAMPLE_REGS_INTR | \
		     PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE)

enum { REG_AX = 0, REG_SP = 7, REG_IP = 8 };

static const struct perf_event_attr attr = {
	.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS, .size = sizeof(attr),
		.sample_type = SAMPLE_TYPE,
	.sample_id_all = 1, .sample_period = 1, .branch_sample_type = PERF_SAMPLE_BRANCH_ANY,
	.sample_regs_intr = 1 << REG_AX | 1 << REG_SP | 1 << REG_IP,
};

static void add(struct data_writer *w, const void *rec, int bytes)
{
	CHECK(bytes > 0);
	CHECK_EQ(data_write(w, rec, bytes, NULL), 0);
}

static void add_tasks(struct data_writer *w)
{
	struct sample_id id = { .present = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
				PERF_SAMPLE_IDENTIFIER,
				.pid = 10, .tid = 10, .id = 100, .time_ns = 0 };
	struct wire_mmap m = { .pid = 10, .tid = 10, .start_va = 0x400000, .bytes = 0x100000,
			       .off = 0x1000, .maj = 8, .min = 1,
			       .ino = 77, .prot = 5, .flags = 2, .path = "/nowhere/with blank" };
	struct wire_comm c = { 10, 10, false, "my \x1b[1m task" },
		d = { 10, 11, false, "worker 3" };
	struct wire_task f = { .pid = 10, .tid = 11, .ppid = 10, .ptid = 10, .time_ns = 900 };
	struct wire_cgroup cg = { 5, "/machine.slice/x" };
	u64 buf[64];

	add(w, buf, wire_encode_comm(&attr, &c, &id, buf, sizeof(buf)));
	add(w, buf, wire_encode_mmap2(&attr, &m, PERF_RECORD_MISC_USER, &id, buf, sizeof(buf)));
	add(w, buf, wire_encode_cgroup(&attr, &cg, &id, buf, sizeof(buf)));
	id.time_ns = 900;
	add(w, buf, wire_encode_task(&attr, PERF_RECORD_FORK, &f, &id, buf, sizeof(buf)));
	id.time_ns = 1000;
	id.tid = 11;
	add(w, buf, wire_encode_comm(&attr, &d, &id, buf, sizeof(buf)));
}

static void add_samples(struct data_writer *w)
{
	struct perf_branch_entry br[3] = {
		{ .from = 0x401010, .to = 0x402000, .predicted = 1, .cycles = 7,
		  .type = PERF_BR_CALL },
		{ .from = 0x401000, .to = 0x401008, .mispred = 1, .in_tx = 1, .abort = 1,
		  .type = PERF_BR_COND },
		{ .from = 0x7fff00000000, .to = 0x401000 },
	};
	u64 regs[3] = { 0x1234, 0x7ffe00001000, 0x401010 }, buf[128];
	union perf_mem_data_src src = { .mem_op = PERF_MEM_OP_LOAD, .mem_lvl = PERF_MEM_LVL_L1 |
					PERF_MEM_LVL_HIT,
					.mem_snoop = PERF_MEM_SNOOP_NONE, .mem_dtlb =
					PERF_MEM_TLB_L1 | PERF_MEM_TLB_L2 |
					PERF_MEM_TLB_HIT, .mem_lock = PERF_MEM_LOCK_NA,
					.mem_blk = PERF_MEM_BLK_NA };
	struct sample s = { .present = SAMPLE_TYPE, .id = 100, .time_ns = 1234567891,
			    .ip = 0x401010, .pid = 10, .tid = 10,
			    .cpu = 3, .period = 20, .misc = PERF_RECORD_MISC_USER, .addr = 0x403000,
			    .weight = 33,
			    .ins_lat = 4, .p_stage_cyc = 5, .data_src = src.val,
			    .phys_addr = 0xabc000, .cgroup = 5,
			    .data_page_bytes = 4096, .code_page_bytes = 2 << 20,
			    .branch = { .n = 3, .entries = br },
			    .intr_regs = { .abi = PERF_SAMPLE_REGS_ABI_64,
					   .mask = attr.sample_regs_intr, .regs = regs } };

	add(w, buf, wire_encode_sample(&attr, &s, buf, sizeof(buf)));
	s.time_ns += 1000;
	s.tid = 11;
	s.ip = s.addr = 0x7fff00000000;
	s.branch.n = 0;
	s.cgroup = 6;
	s.data_page_bytes = 0;
	add(w, buf, wire_encode_sample(&attr, &s, buf, sizeof(buf)));
}

static void write_file(const char *path)
{
	struct data_writer w;
	struct data_writer_opts wo = { 0 };
	struct data_features feat;
	struct event_list l;
	u64 id = 100;

	event_list_init(&l);
	event_add_ids(event_list_add(&l, &attr, "page-faults"), &id, 1);
	event_list_index(&l);
	CHECK_EQ(data_writer_open(&w, path, &wo, NULL), 0);
	CHECK_EQ(data_writer_events(&w, &l, (struct span){ NULL, 0 }, NULL), 0);
	add_tasks(&w);
	add_samples(&w);
	data_features_init(&feat);
	data_set_str(&feat, FEAT_ARCH, "x86_64");
	CHECK_EQ(data_writer_finish(&w, &feat, &l, NULL), 0);
	data_writer_release(&w);
	data_features_release(&feat);
	event_list_release(&l);
}

static const char *print(const char *fields, unsigned show)
{
	static char none[] = "/nonexistent";
	static struct str out;
	struct os os = { .proc = none, .sys = none };
	struct stream_opts so = { .threads = 1 };
	struct script_opts o = { .show = show };
	struct script_sink *sink;
	struct sink *one;
	struct data_reader r;
	struct source src;
	struct stream *st;
	char path[256], to[256];
	int fd;

	snprintf(path, sizeof(path), "%s/data", unit_tmpdir());
	snprintf(to, sizeof(to), "%s/text", unit_tmpdir());
	write_file(path);
	CHECK_EQ(data_open(&r, path, 0, NULL), 0);
	script_fields_init(&o.fields);
	if (fields)
		CHECK_EQ(script_fields_parse(&o.fields, fields, NULL), 0);
	CHECK_EQ(script_fields_check(&o.fields, &r.events, true, false, NULL), 0);
	src = source_of_reader(&r);
	st = stream_new(&src, &os, &so, NULL);
	CHECK(st != NULL);
	fd = open(to, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	sink = script_sink_new(&o, &r.events, stream_machine(st), fd);
	one = script_sink(sink);
	CHECK_EQ(stream_run(st, &one, 1, NULL), 0);
	CHECK_EQ(script_sink_finish(sink, NULL, NULL), 0);
	script_sink_free(sink);
	stream_free(st);
	data_close(&r);
	close(fd);
	str_reset(&out);
	CHECK_EQ(io_read_file(to, 1 << 20, &out, NULL), 0);
	return str_cstr(&out);
}

#define DSO "(/nowhere/with\\x20blank)"
#define FIRST "    my \\x1b[1m task      10 [003]     1.234567:         20 page-faults: "
#define SECOND "        worker 3      11 [003]     1.234568:         20 page-faults: "
#define IP_FIRST "           401010 [unknown] " DSO
#define IP_SECOND "     7fff00000000 [unknown] ([unknown])"

TEST(the_default)
{
	CHECK_STR(print(NULL, 0), FIRST IP_FIRST "\n" SECOND IP_SECOND "\n");
}

TEST(before_the_address)
{
	CHECK_STR(print("+addr", 0), FIRST "          403000 [unknown] " DSO IP_FIRST "\n"
			SECOND "    7fff00000000 [unknown] ([unknown])" IP_SECOND "\n");
	CHECK_STR(print("+weight,+ins_lat,+retire_lat", 0),
		  FIRST "              33               4               5" IP_FIRST "\n"
		  SECOND "              33               4               5" IP_SECOND "\n");
#define SRC "     10069100142 |OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK N/A|BLK  N/A"
	CHECK_STR(print("+data_src", 0), FIRST SRC IP_FIRST "\n" SECOND SRC IP_SECOND "\n");
	CHECK_STR(print("+cgroup", 0), FIRST " /machine.slice/x" IP_FIRST "\n" SECOND " unknown"
		  IP_SECOND "\n");
}

TEST(behind_the_address)
{
#define REGS " ABI:2    AX:0x1234    SP:0x7ffe00001000    IP:0x401010 "
	CHECK_STR(print("+iregs", 0), FIRST IP_FIRST REGS "\n" SECOND IP_SECOND REGS "\n");
	CHECK_STR(print("+phys_addr,+data_page_size,+code_page_size", 0),
		  FIRST IP_FIRST "          abc000 4K 2M\n"
		  SECOND IP_SECOND "          abc000 N/A 2M\n");
	CHECK_STR(print("ip,sym,dso,dsoff", 0),
		  "           401010 [unknown] (/nowhere/with\\x20blank+0x2010)\n" IP_SECOND "\n");
}

TEST(branch_stacks)
{
	CHECK_STR(print("brstack", 0), " 0x401010/0x402000/P/-/-/7/CALL/-  "
				       "0x401000/0x401008/M/X/A/0/COND/-  "
				       "0x7fff00000000/0x401000/-/-/-/0//- \n\n");
	CHECK_STR(print("brstackoff", 0), " 0x2010/0x3000/P/-/-/7/CALL/-  "
					  "0x2000/0x2008/M/X/A/0/COND/-  "
					  "0x7fff00000000/0x2000/-/-/-/0//- \n\n");
	CHECK_STR(print("brstacksym,dso", 0), "[unknown] " DSO "/[unknown] "
		  DSO "/P/-/-/7/CALL/- [unknown] " DSO "/[unknown] " DSO
		  "/M/X/A/0/COND/- [unknown] ([unknown])/[unknown] " DSO "/-/-/-/0//- \n\n");
}

TEST(tasks)
{
	CHECK_STR(print("comm,pid,tid", 0), "    my \\x1b[1m task      10/10      \n        worker "
					    "3      10/11      \n");
	CHECK_STR(print("pid", 0), "     10 \n     10 \n");
	CHECK_STR(print("tid,misc", 0), "     10 U     \n     11 U     \n");
}

TEST(other_records)
{
	CHECK_STR(print("comm,tid,cpu,time", SHOW_TASK | SHOW_MMAP | SHOW_CGROUP),
		  "    my \\x1b[1m task      10 [000]     0.000000: PERF_RECORD_COMM: my \\x1b[1m "
		  "task:10/10\n"
		  "    my \\x1b[1m task      10 [000]     0.000000: PERF_RECORD_MMAP2 10/10: "
		  "[0x400000(0x100000) @ 0x1000 08:01 77 0]: "
		  "r-xp /nowhere/with blank\n"
		  "    my \\x1b[1m task      10 [000]     0.000000: PERF_RECORD_CGROUP cgroup: 5 "
		  "/machine.slice/x\n"
		  "    my \\x1b[1m task      10 [000]     0.000000: "
		  "PERF_RECORD_FORK(10:11):(10:10)\n"
		  "        worker 3      11 [000]     0.000001: PERF_RECORD_COMM: worker 3:10/11\n"
		  "    my \\x1b[1m task      10 [003]     1.234567: \n"
		  "        worker 3      11 [003]     1.234568: \n");
}

TEST(wrong_fields)
{
	static const struct { const char *fields, *msg; } bad[] = {
		{ "nosuch", "there is no field 'nosuch'" },
		{ "", "-F names no field, and no type of events whose samples are to be left out" },
		{ "xx:comm", "there is no type of events 'xx' for -F" },
		{ "comm,-ip", "-F chooses fields or changes the default ones (+FIELD, -FIELD), not "
			      "both at once" },
		{ "metric", "the field 'metric' is not supported here" },
	};
	struct script_fields f;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct err err = ERR_INIT;

		script_fields_init(&f);
		CHECK(script_fields_parse(&f, bad[i].fields, &err) < 0);
		CHECK_STR(err.msg, bad[i].msg);
		err_release(&err);
	}
}
