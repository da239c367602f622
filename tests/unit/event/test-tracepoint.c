// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <stdio.h>
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
	"print fmt: \"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s\", REC->prev_comm, "
	"REC->prev_pid, REC->prev_prio, "
	"(REC->prev_state & 0xff) ? __print_flags(REC->prev_state & 0xff, \"|\", { 1, \"S\" }, { "
	"2, \"D\" }) : \"R\", "
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
	return unit_keep(str_detach(&s));
}

TEST(print_formats_are_applied)
{
	struct tp_table *t = tp_table_new();
	u8 raw[40];

	CHECK_EQ(tp_table_add(t, "sched", switch_format, strlen(switch_format), NULL), 0);
	fill_switch(raw);
	CHECK_STR(text_of(tp_by_id(t, 372), raw, 40),
		  "prev_comm=bash prev_pid=4242 prev_prio=-5 prev_state=S+");
	memset(raw + 32, 0, 8);
	CHECK_STR(text_of(tp_by_id(t, 372), raw, 40),
		  "prev_comm=bash prev_pid=4242 prev_prio=-5 prev_state=R");
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
	CHECK_MEM(tp_read_str(tp_field(f, "name"), (struct span){ raw, 40 }, false, &len), "hello",
		  5);
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
	CHECK_EQ(event_parse(&l, "sched:*,syscalls:sys_enter_openat,sched:sched_switch", &os, NULL,
			     NULL), 0);
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

/* Each of these brings libtraceevent 1.7 down when it sees it. */
TEST(damaged_formats_do_not_reach_libtraceevent)
{
	static const char *const prints[] = {
		"\"%s\", __print_symbolic(REC->nosuch, { 0, \"a\" })",
			"\"%s\", __print_flags(REC->v|x, \"|\", { 1, \"a\" }",
		"\"%d\", REC->v, ((", "\"%d\", )", "\"%d\", REC->v ? 1", "\"%s\", __print_flags(",
		"\"%d\" REC->v", "%d", "",
	};

	for (size_t i = 0; i < ARRAY_SIZE(prints); i++) {
		char *text = xasprintf("name: odd\nID: 9\nformat:\n"
			"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
			"\tfield:u64 v;\toffset:8;\tsize:8;\tsigned:0;\n\nprint fmt: %s\n",
			prints[i]);
		struct tp_table *t = tp_table_new();
		u8 raw[16] = { 9 };
		struct str s = STR_INIT;

		raw[8] = 77;
		CHECK_EQ(tp_table_add(t, "x", text, strlen(text), NULL), 0);
		CHECK_EQ(tp_read_u64(tp_field(tp_by_id(t, 9), "v"), (struct span){ raw, 16 },
				     false), 77);
		tp_print(tp_by_id(t, 9), (struct span){ raw, 16 }, false, 0, 0, &s);
		CHECK(strstr(str_cstr(&s), "v=77") || strstr(str_cstr(&s), "v=0x4d"));
		str_release(&s);
		tp_table_free(t);
		free(text);
	}
}

/* Reproducible bytes; small numbers often, as real records have them. */
static u64 next_random(u64 *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return *state >> 33;
}

static void fill_random(const struct tp_format *f, u8 *raw, size_t n, u64 *seed)
{
	memset(raw, 0, n);
	for (size_t i = 0; i < tp_n_fields(f); i++) {
		const struct tp_field *x = tp_field_at(f, i);
		u64 v = next_random(seed) % 4 ? next_random(seed) % 300 :
			next_random(seed) << 31 ^ next_random(seed);
		u32 loc = 8u << 16 | (u32)(n - 16);

		if (x->is_dynamic) {
			loc -= x->is_relative ? x->off + x->bytes : 0;
			memcpy(raw + x->off, &loc, MIN(x->bytes, 4u));
		} else if (x->is_string && x->is_array) {
			for (u32 k = 0; k < x->bytes && k < 7 && k <= v % 7; k++)
				raw[x->off + k] = (u8)('a' + next_random(seed) % 26);
		} else {
			memcpy(raw + x->off, &v, MIN(x->bytes, 8u));
		}
	}
	raw[0] = (u8)tp_id(f);
	raw[1] = (u8)(tp_id(f) >> 8);
	memcpy(raw + n - 16, "dynamic", 8);
}

static void compare_both(const struct tp_format *f, u64 *seed)
{
	size_t n = 32;
	u8 *raw;

	for (size_t i = 0; i < tp_n_fields(f); i++)
		n = MAX(n, (size_t)tp_field_at(f, i)->off + tp_field_at(f, i)->bytes + 32);
	raw = xzalloc(n);
	for (int round = 0; round < 20; round++) {
		struct str fast = STR_INIT, slow = STR_INIT;

		fill_random(f, raw, n, seed);
		tp_print(f, (struct span){ raw, n }, false, 1, 5, &fast);
		tp_print_slow(f, (struct span){ raw, n }, false, 1, 5, &slow);
		if (getenv("TP_SHOW") && strcmp(str_cstr(&fast), str_cstr(&slow))) {
			printf("%s:%s\n  %s\n  %s\n", tp_system(f), tp_name(f), str_cstr(&fast),
			       str_cstr(&slow));
			break;
		}
		CHECK_STR(str_cstr(&fast), str_cstr(&slow));
		str_release(&fast);
		str_release(&slow);
	}
	free(raw);
}

TEST(odd_flags_as_libtraceevent_prints_them)
{
	static const char *const prints[] = {
		"\"%s\", __print_flags(REC->v, \"|\", { 0, \"zero\" }, { 1, \"one\" }, { 6, "
		"\"six\" })",
		"\"%s\", __print_flags(REC->v, \"\", { 1, \"one\" }, { 0, \"zero\" })",
		"\"%s\", __print_symbolic(REC->v, { 0, \"zero\" }, { -1, \"minus\" }, { 3, "
		"\"three\" })",
		"\"%5d|%-4x|%08llx|%hd|%hhu|%lu|%X\", REC->v, REC->v, REC->v, REC->v, REC->v, "
		"REC->v, REC->v",
		"\"%d%% %s\", REC->v >> 2, REC->v == 3 ? \"is three\" : \"is not\"",
		"\"%u %d\", (u32)REC->v, (int)(REC->v & 0xffff) - 5",
	};
	static const u64 values[] = { 0, 1, 2, 3, 6, 7, 8, 255, 65535, 0x80000000, 0xffffffff,
				      ~0ULL, 1ULL << 63 };

	for (size_t i = 0; i < ARRAY_SIZE(prints); i++) {
		char *text = xasprintf("name: odd\nID: 9\nformat:\n"
			"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
			"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\t"
			"signed:0;\n"
			"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
			"\tfield:u64 v;\toffset:8;\tsize:8;\tsigned:0;\n\nprint fmt: %s\n",
			prints[i]);
		struct tp_table *t = tp_table_new();

		CHECK_EQ(tp_table_add(t, "x", text, strlen(text), NULL), 0);
		CHECK(tp_is_compiled(tp_by_id(t, 9)));
		for (size_t k = 0; k < ARRAY_SIZE(values); k++) {
			u8 raw[16] = { 9 };
			struct str fast = STR_INIT, slow = STR_INIT;

			memcpy(raw + 8, &values[k], 8);
			tp_print(tp_by_id(t, 9), (struct span){ raw, 16 }, false, 0, 0, &fast);
			tp_print_slow(tp_by_id(t, 9), (struct span){ raw, 16 }, false, 0, 0, &slow);
			CHECK_STR(str_cstr(&fast), str_cstr(&slow));
			str_release(&fast);
			str_release(&slow);
		}
		tp_table_free(t);
		free(text);
	}
}

/* The formats of the fake tree; with TP_LIVE=1 in the environment every format of this kernel,
 * and TP_SHOW=1 prints the differences. */
TEST(compiled_text_equals_libtraceevent)
{
	struct os os;
	struct tp_table *t = tp_table_new();
	os_names systems = { 0 };
	u64 seed = 1;
	int compiled = 0, all = 0;

	os_init(&os);
	if (!getenv("TP_LIVE") || os_tracefs(&os, NULL) ||
	    os_list_dir(&os, "tracing:events", &systems, NULL)) {
		os_release(&os);
		os_init_root(&os, "tests/roots/vm");
		CHECK_EQ(os_tracefs(&os, NULL), 0);
		CHECK_EQ(os_list_dir(&os, "tracing:events", &systems, NULL), 0);
	}
	for (size_t i = 0; i < systems.n; i++) {
		char *dir = xasprintf("tracing:events/%s", systems.v[i]);
		os_names names = { 0 };

		if (strcmp(systems.v[i], "ftrace"))
			os_list_dir(&os, dir, &names, NULL);	/* a plain file has none */
		for (size_t k = 0; k < names.n; k++) {
			const struct tp_format *f;

			if (tp_table_load(t, &os, systems.v[i], names.v[k], &f, NULL))
				continue;
			all++;
			if (!tp_is_compiled(f))
				continue;
			compiled++;
			compare_both(f, &seed);
		}
		os_names_release(&names);
		free(dir);
	}
	CHECK(all >= 5);
	CHECK(compiled * 3 >= all);	/* otherwise it is not worth its code */
	if (getenv("TP_SHOW"))
		CHECK_EQ(compiled, all);
	os_names_release(&systems);
	tp_table_free(t);
	os_release(&os);
}
