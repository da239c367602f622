// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "util/event/tracepoint.h"

static const char *const switch_format =
	"name: sched_switch\nID: 372\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n\n"
	"print fmt: \"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s\", REC->prev_comm, REC->prev_pid, REC->prev_prio, "
	"(REC->prev_state & 0xff) ? __print_flags(REC->prev_state & 0xff, \"|\", { 1, \"S\" }, { 2, \"D\" }) : \"R\", "
	"REC->prev_state & 0x100 ? \"+\" : \"\"\n";

static const char *const name_format =
	"name: made\nID: 7\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:__data_loc char[] name;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:u64 value;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:u8 kind;\toffset:24;\tsize:1;\tsigned:0;\n\n"
	"print fmt: \"name=%s value=%#lx kind=%s\", __get_str(name), (unsigned long)REC->value, "
	"__print_symbolic(REC->kind, { 0, \"zero\" }, { 1, \"one\" })\n";

static void fill_switch(u8 raw[40])
{
	memset(raw, 0, 40);
	raw[0] = 372 & 0xff;
	raw[1] = 372 >> 8;
	memcpy(raw + 8, "bash", 5);
	memcpy(raw + 24, &(s32){ 4242 }, 4);
	memcpy(raw + 28, &(s32){ -5 }, 4);
	memcpy(raw + 32, &(s64){ 0x101 }, 8);
}

TEST(fields_are_read)
{
	struct tp_table *t = tp_table_new();
	const struct tp_format *f;
	u8 raw[40];
	struct span span = { raw, sizeof(raw) };
	size_t len;

	CHECK_EQ(tp_table_add(t, "sched", switch_format, strlen(switch_format), NULL), 0);
	f = tp_by_id(t, 372);
	CHECK(f);
	CHECK(f == tp_by_name(t, "sched", "sched_switch"));
	CHECK_STR(tp_system(f), "sched");
	CHECK_EQ(tp_n_fields(f), 8);
	CHECK_STR(tp_field_at(f, 0)->name, "common_type");
	CHECK(!tp_field(f, "nosuch"));
	fill_switch(raw);
	CHECK_EQ(tp_read_u64(tp_field(f, "common_type"), span, false), 372);
	CHECK_EQ((s64)tp_read_u64(tp_field(f, "prev_prio"), span, false), -5);
	CHECK_EQ(tp_read_u64(tp_field(f, "prev_pid"), span, true), 0xffffffff92100000ULL);
	CHECK(tp_field(f, "prev_comm")->is_string);
	CHECK_MEM(tp_read_str(tp_field(f, "prev_comm"), span, false, &len), "bash", 4);
	CHECK_EQ(len, 4);
	span.len = 30;				/* cut off: no read beyond */
	CHECK_EQ(tp_read_u64(tp_field(f, "prev_state"), span, false), 0);
	span.len = 12;
	CHECK(!tp_read_str(tp_field(f, "prev_comm"), span, false, &len));
	tp_table_free(t);
}

static char *text_of(const struct tp_format *f, const u8 *raw, size_t n)
{
	struct str s = STR_INIT;

	tp_print(f, (struct span){ raw, n }, false, 0, 0, &s);
	return str_detach(&s);
}

TEST(print_formats_are_applied)
{
	struct tp_table *t = tp_table_new();
	u8 raw[40];

	CHECK_EQ(tp_table_add(t, "sched", switch_format, strlen(switch_format), NULL), 0);
	fill_switch(raw);
	CHECK_STR(text_of(tp_by_id(t, 372), raw, 40), "prev_comm=bash prev_pid=4242 prev_prio=-5 prev_state=S+");
	memset(raw + 32, 0, 8);
	CHECK_STR(text_of(tp_by_id(t, 372), raw, 40), "prev_comm=bash prev_pid=4242 prev_prio=-5 prev_state=R");
	CHECK_STR(text_of(tp_by_id(t, 372), raw, 20), "[data of 20 bytes is cut off]");
	tp_table_free(t);
}

TEST(dynamic_strings)
{
	struct tp_table *t = tp_table_new();
	u8 raw[40] = { 7 };
	u32 loc = 6 << 16 | 28;
	const struct tp_format *f;
	size_t len;

	CHECK_EQ(tp_table_add(t, "x", name_format, strlen(name_format), NULL), 0);
	f = tp_by_id(t, 7);
	memcpy(raw + 8, &loc, 4);
	memcpy(raw + 16, &(u64){ 0xabc }, 8);
	raw[24] = 1;
	memcpy(raw + 28, "hello", 6);
	CHECK_STR(text_of(f, raw, 40), "name=hello value=0xabc kind=one");
	CHECK_MEM(tp_read_str(tp_field(f, "name"), (struct span){ raw, 40 }, false, &len), "hello", 5);
	CHECK_EQ(len, 5);
	raw[24] = 9;
	CHECK_STR(text_of(f, raw, 40), "name=hello value=0xabc kind=0x9");
	loc = 6 << 16 | 500;			/* points outside */
	memcpy(raw + 8, &loc, 4);
	CHECK(!tp_read_str(tp_field(f, "name"), (struct span){ raw, 40 }, false, &len));
	CHECK_STR(text_of(f, raw, 40), "[data of 40 bytes is cut off]");
	tp_table_free(t);
}

TEST(section_round_trip)
{
	struct os os;
	struct event_list l;
	struct tp_table *t = tp_table_new();
	struct str s = STR_INIT;
	struct err err = ERR_INIT;
	size_t fields = 0;

	os_init_root(&os, "tests/roots/vm");
	event_list_init(&l);
	CHECK_EQ(event_parse(&l, "sched:*,syscalls:sys_enter_openat,sched:sched_switch", &os, NULL, NULL), 0);
	CHECK_EQ(tp_table_write_section(&os, &l, &s, &err), 0);
	CHECK_MEM(s.buf, "\x17\x08" "Dtracing0.6", 14);
	CHECK_EQ(tp_table_parse_section(t, (struct span){ (u8 *)s.buf, s.len }, &err), 0);
	for (size_t i = 0; i < l.events.n; i++) {
		const struct tp_format *f = tp_by_id(t, l.events.v[i]->attr.config);

		CHECK(f);
		CHECK_STR(tp_name(f), l.events.v[i]->tp_name);
		fields += tp_n_fields(f);
	}
	CHECK(fields > 30);
	tp_table_free(t);
	/* cut anywhere: an error or fewer formats, never a crash */
	for (size_t n = 0; n < s.len; n += 37) {
		u8 *copy = xmemdup(s.buf, MAX(n, (size_t)1));

		t = tp_table_new();
		tp_table_parse_section(t, (struct span){ copy, n }, NULL);
		tp_table_free(t);
		free(copy);
	}
	event_list_release(&l);
	os_release(&os);
	str_release(&s);
}

TEST(unknown_tracepoint_gets_a_hint)
{
	struct os os;
	struct tp_table *t = tp_table_new();
	const struct tp_format *f;
	struct err err = ERR_INIT;

	os_init_root(&os, "tests/roots/vm");
	CHECK_EQ(tp_table_load(t, &os, "sched", "sched_switch", &f, &err), 0);
	CHECK_STR(tp_name(f), "sched_switch");
	CHECK_EQ(tp_table_load(t, &os, "sched", "sched_swtch", &f, &err), -2);
	CHECK_STR(err.msg, "unknown tracepoint 'sched:sched_swtch'");
	CHECK_STR(err.hint, "did you mean 'sched:sched_switch'?");
	err_release(&err);
	tp_table_free(t);
	os_release(&os);
}
