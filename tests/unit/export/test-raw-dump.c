// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include "util/export/raw-dump.h"
#include "util/wire/user.h"

static void setup(struct event_list *l, struct raw_dump *d, u64 sample_type)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(a),
				     .sample_type = sample_type, .sample_id_all = 1 };

	event_list_init(l);
	event_list_add(l, &a, "cpu-clock");
	raw_dump_init(d, "x.data", l, NULL, -1);
}

TEST(a_sample)
{
	static const char want[] =
		"\n0x100@x.data [0x48]: event: 9\n.\n. ... raw event: size 72 bytes\n"
		".  0000:  09 00 00 00 02 00 48 00 00 10 40 00 00 00 00 00  ......H...@.....\n"
		".  0010:  05 00 00 00 06 00 00 00 d2 04 00 00 00 00 00 00  ................\n"
		".  0020:  01 00 00 00 00 00 00 00 fa 00 00 00 00 00 00 00  ................\n"
		".  0030:  02 00 00 00 00 00 00 00 00 fe ff ff ff ff ff ff  ................\n"
		".  0040:  00 10 40 00 00 00 00 00                          ..@.....        \n\n"
		"1 1234 0x100 [0x48]: PERF_RECORD_SAMPLE(IP, 0x2): 5/6: 0x401000 period: 250 addr: "
		"0\n"
		"... FP chain: nr:2\n.....  0: fffffffffffffe00 (PERF_CONTEXT_USER)\n.....  1: "
		"0000000000401000\n"
		" ... thread: sh:6\n ...... dso: <not found>\n";
	static const u64 chain[] = { PERF_CONTEXT_USER, 0x401000 };
	struct sample in = { .ip = 0x401000, .pid = 5, .tid = 6, .time_ns = 1234, .cpu = 1,
			     .period = 250, .misc = 2, .chain = chain,
			     .chain_n = 2 }, s;
	struct event_list l;
	struct raw_dump d;
	struct str out = STR_INIT;
	u64 buf[32];
	const char *reason;

	setup(&l, &d, PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
	      PERF_SAMPLE_PERIOD |
	      PERF_SAMPLE_CALLCHAIN);
	wire_encode_sample(&l.events.v[0]->attr, &in, buf, sizeof(buf));
	CHECK_EQ(wire_decode_sample(&l.events.v[0]->attr, (void *)buf, &s, &reason), 0);
	s.event = l.events.v[0];
	raw_dump_record(&d, 0x100, (void *)buf, &s, NULL, &out);
	raw_dump_location("sh", 6, NULL, &out);
	CHECK_STR(str_cstr(&out), want);
	str_release(&out);
	event_list_release(&l);
}

/* The words after the hex dump. */
static void check_words(struct raw_dump *d, const struct str *rec, const char *want)
{
	struct str out = STR_INIT;
	struct perf_event_header *copy = xmemdup(rec->buf, rec->len);
	const char *end;

	raw_dump_record(d, 0x10, copy, NULL, NULL, &out);
	end = strstr(str_cstr(&out), "\n\n");
	CHECK(end != NULL);
	CHECK_STR(end + 2, want);
	str_release(&out);
	free(copy);
}

TEST(user_records)
{
	struct wire_id_index x = { 579, 0, 0, 25535 };
	struct wire_thread t = { 25535, "sh" };
	struct wire_stat st = { 8916, 0, 0, 101826114, 2, 3 };
	static const int cpus[] = { 0, 1 };
	struct event_list l;
	struct raw_dump d;
	struct str s = STR_INIT;

	setup(&l, &d, PERF_SAMPLE_TIME);
	wire_add_id_index(&s, &x, 1);
	check_words(&d, &s, "0 0x10 [0x30]: PERF_RECORD_ID_INDEX nr: 1\n ... id: 579  idx: 0  cpu: "
			    "0  tid: 25535\n");
	str_reset(&s);
	wire_add_thread_map(&s, &t, 1);
	check_words(&d, &s, "0 0x10 [0x28]: PERF_RECORD_THREAD_MAP nr: 1 thread: 25535\n");
	str_reset(&s);
	wire_add_cpu_map(&s, cpus, 2);
	check_words(&d, &s, "0 0x10 [0x10]: PERF_RECORD_CPU_MAP: 0-1\n");
	str_reset(&s);
	wire_add_event_update_scale(&s, 579, 1e-6);
	check_words(&d, &s, "0 0x10 [0x20]: PERF_RECORD_EVENT_UPDATE\n... id:    579\n... scale: "
			    "0.000001\n");
	str_reset(&s);
	wire_add_event_update_text(&s, WIRE_UPDATE_UNIT, 579, "msec");
	check_words(&d, &s, "0 0x10 [0x20]: PERF_RECORD_EVENT_UPDATE\n... id:    579\n... unit:  "
			    "msec\n");
	str_reset(&s);
	wire_add_finished_init(&s);
	check_words(&d, &s, "0 0x10 [0x8]: PERF_RECORD_FINISHED_INIT: unhandled!\n");
	str_reset(&s);
	wire_add_finished_round(&s);
	check_words(&d, &s, "0 0x10 [0x8]: PERF_RECORD_FINISHED_ROUND\n");
	str_reset(&s);
	d.id_all = false;
	wire_add_stat(&s, &st);
	check_words(&d, &s, "-1 -1 0x10 [0x30]: PERF_RECORD_STAT\n... id 8916, cpu 0, thread 0\n"
		    "... value 101826114, enabled 2, running 3\n");
	str_release(&s);
	event_list_release(&l);
}

/* Records of any type and size: no crash, always a line. */
TEST(any_bytes)
{
	struct event_list l;
	struct raw_dump d;

	setup(&l, &d, PERF_SAMPLE_TIME | PERF_SAMPLE_CPU);
	for (u32 type = 1; type < 100; type++)
		for (u16 size = 8; size < 120; size += 8) {
			struct perf_event_header *r = malloc(size);
			struct str out = STR_INIT;

			memset(r, type & 1 ? 0xff : 1, size);
			*r = (struct perf_event_header){ type, 0xffff, size };
			raw_dump_record(&d, 1, r, NULL, NULL, &out);
			CHECK(strstr(str_cstr(&out), type == 9 ? "cannot be decoded" :
				     "PERF_RECORD") != NULL);
			str_release(&out);
			free(r);
		}
	event_list_release(&l);
}
