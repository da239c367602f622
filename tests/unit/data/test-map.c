// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recordings with stack dumps are read from a mapping: the same records, whatever stands between
 * them, and the usual warning when the file becomes shorter under the reader.
 */
#include "tests/unit/data/fixture.h"

enum { N = 300, STACK = 8192, BATCH = 64 };

static u8 byte_of(int i, int at)
{
	return (u8)(i * 7 + at);
}

/* N samples with stacks, each filled with bytes of its own; odd: an unknown record of 12 bytes
 * before the sample of this number. */
static void write_dumps(const char *path, int odd)
{
	static const u64 id = 31;
	struct perf_event_attr a = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(a), .config = PERF_COUNT_SW_CPU_CLOCK,
			.sample_freq = 4000, .freq = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME | PERF_SAMPLE_STACK_USER,
		.sample_stack_user = STACK,
		.sample_id_all = 1,
	};
	struct { struct perf_event_header h; u32 body; } small = { { 200, 0, 12 }, 0 };
	struct data_writer_opts o = { 0 };
	struct str recs = STR_INIT;
	struct data_features f;
	struct data_writer w;
	struct event_list l;

	event_list_init(&l);
	event_add_ids(event_list_add(&l, &a, "cpu-clock"), &id, 1);
	event_list_index(&l);
	data_features_init(&f);
	for (int i = 0; i < N; i++) {
		u64 head[4] = { 0, (u64)i, FIX_FIRST_NS + (u64)i, STACK }, used = STACK;
		struct perf_event_header h = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER,
					       sizeof(head) + STACK + sizeof(used) };

		if (i == odd)
			str_addn(&recs, &small, sizeof(small));
		memcpy(head, &h, sizeof(h));
		str_addn(&recs, head, sizeof(head));
		for (int k = 0; k < STACK; k++) {
			u8 b = byte_of(i, k);

			str_addn(&recs, &b, 1);
		}
		str_addn(&recs, &used, sizeof(used));
	}
	CHECK_EQ(data_writer_open(&w, path, &o, NULL), 0);
	CHECK_EQ(data_writer_events(&w, &l, (struct span){ NULL, 0 }, NULL), 0);
	CHECK_EQ(data_write(&w, recs.buf, recs.len, NULL), 0);
	CHECK_EQ(data_writer_finish(&w, &f, &l, NULL), 0);
	data_writer_release(&w);
	data_features_release(&f);
	event_list_release(&l);
	str_release(&recs);
}

/* The next sample must be number i, whole. */
static void check_sample(const struct data_reader *r, const struct data_record *rec, int i)
{
	struct sample s;
	const char *reason;

	CHECK_EQ(rec->hdr->type, PERF_RECORD_SAMPLE);
	CHECK_EQ((uintptr_t)rec->hdr % 8, 0);
	CHECK_EQ(wire_decode_sample(&event_of_record(&r->events, rec->hdr)->attr, rec->hdr, &s,
				    &reason), 0);
	CHECK_EQ(s.ip, (u64)i);
	CHECK_EQ(s.stack.len, STACK);
	for (int k = 0; k < STACK; k += 511)
		CHECK_EQ(((const u8 *)s.stack.ptr)[k], byte_of(i, k));
}

/* Samples up to the end; n_stay: how many of them stay where they are. */
static int walk(struct data_reader *r, int *n_stay)
{
	static struct data_record recs[BATCH];
	struct data_cursor c;
	int n, i = 0;

	data_cursor_init(&c, r);
	c.want_user = 0;
	while ((n = data_cursor_batch(&c, recs, BATCH, NULL)) > 0) {
		for (int k = 0; k < n; k++, i++) {
			check_sample(r, &recs[k], i);
			*n_stay += recs[k].stays;
		}
	}
	CHECK_EQ(n, 0);
	data_cursor_release(&c);
	return i;
}

TEST(all_from_the_mapping)
{
	char *path = fix_path("dumps.data");
	struct data_reader r;
	int n_stay = 0;

	write_dumps(path, -1);
	CHECK_EQ(data_open(&r, path, 0, NULL), 0);
	CHECK_EQ(walk(&r, &n_stay), N);
	CHECK_EQ(n_stay, N);
	CHECK_EQ(r.warnings.n, 0);
	data_close(&r);
	free(path);
}

/* After a record of 12 bytes nothing is aligned in the file: read into a buffer, as of files
 * that are not mapped. */
TEST(unaligned_from_there_on)
{
	char *path = fix_path("odd.data");
	struct data_reader r;
	int n_stay = 0;

	write_dumps(path, 100);
	CHECK_EQ(data_open(&r, path, 0, NULL), 0);
	CHECK_EQ(walk(&r, &n_stay), N);
	CHECK_EQ(n_stay, 100);
	CHECK_EQ(r.warnings.n, 0);
	data_close(&r);
	free(path);
}

TEST(shrinks_under_the_reader)
{
	char *path = fix_path("short.data");
	static struct data_record recs[BATCH];
	struct data_reader r;
	struct data_cursor c;
	int n, i = 0;

	write_dumps(path, -1);
	CHECK_EQ(data_open(&r, path, 0, NULL), 0);
	data_cursor_init(&c, &r);
	CHECK_EQ(data_cursor_batch(&c, recs, 10, NULL), 10);
	CHECK_EQ(truncate(path, 100 * STACK), 0);
	for (i = 10; (n = data_cursor_batch(&c, recs, 1, NULL)) > 0 && i < 90; i++)
		check_sample(&r, &recs[0], i);
	CHECK_EQ(i, 90);
	while (n > 0)		/* the one that was cut is there, with zeros at its end */
		n = data_cursor_batch(&c, recs, 1, NULL), i++;
	CHECK_EQ(n, 0);
	CHECK(i <= 101);
	CHECK_EQ(r.warnings.n, 1);
	CHECK(strstr(r.warnings.v[0].text, "no record at offset") != NULL);
	data_cursor_release(&c);
	data_close(&r);
	free(path);
}
