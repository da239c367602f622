// SPDX-License-Identifier: GPL-2.0-or-later
// Damaged and foreign input: a clear message or what can be salvaged; never a crash (this runs
// under ASan too).
#include "tests/unit/data/fixture.h"

#include <sys/stat.h>

static const struct data_writer_opts plain;

/* Opens and reads a file in all ways; the number of samples, -1 when it does not open. */
static int try_file(const char *path, struct err *err, size_t *n_warnings)
{
	struct data_reader r;
	struct data_cursor c;
	struct fix_seen seen = { 0 };
	data_chunks ch = { 0 };
	struct str text = STR_INIT;
	int n = -1;

	*n_warnings = 0;
	if (data_open(&r, path, 0, err) == 0) {
		data_cursor_init(&c, &r);
		fix_walk(&r, &c, &seen, NULL);
		data_cursor_release(&c);
		n = seen.samples;
		if (!data_split(&r, 3, &ch, NULL))
			for vec_each(chunk, &ch) {
				struct data_record recs[16];

				data_cursor_chunk(&c, &r, chunk);
				while (data_cursor_batch(&c, recs, 16, NULL) > 0)
					;
				data_cursor_release(&c);
			}
		data_print_header(&r, true, &text);
		*n_warnings = r.warnings.n;
	}
	str_release(&text);
	vec_free(&ch);
	data_close(&r);
	return n;
}

static void truncated(const char *name, const struct data_writer_opts *o)
{
	char *whole = fix_path(name), *path = fix_path("cut.data");
	struct str s = STR_INIT;
	int before = 0;

	CHECK_EQ(fix_write(whole, 5, o, NULL), 0);
	fix_slurp(whole, &s);
	for (size_t len = 0; len < s.len; len++) {
		struct err err = ERR_INIT;
		size_t warnings;
		int n;

		fix_spit(path, s.buf, len);
		n = try_file(path, &err, &warnings);
		if (n < 0) {
			CHECK(err.msg != NULL);
			CHECK(strstr(err.msg, "cut.data") != NULL);
			CHECK_EQ(before, 0);
		} else {
			CHECK(n >= before);	/* a longer file never shows less */
			CHECK(n <= 5);
			/* in pipe mode a cut between records shows nowhere */
			CHECK(warnings > 0 || o->pipe);
			before = n;
		}
		err_release(&err);
	}
	CHECK_EQ(before, 5);
	str_release(&s);
	free(whole);
	free(path);
}

TEST(file_cut_at_every_byte)
{
	truncated("w.data", &plain);
}

TEST(pipe_file_cut_at_every_byte)
{
	static const struct data_writer_opts o = { .pipe = true };

	truncated("w.data", &o);
}

/* One byte after the other turned over, and set to 0 and 255. */
TEST(flipped_bytes)
{
	static const u8 masks[] = { 0xff, 0x80, 0x01 };
	char *whole = fix_path("w.data"), *path = fix_path("bad.data");

	for (int pipe = 0; pipe < 2; pipe++) {
		struct data_writer_opts o = { .pipe = pipe };
		struct str s = STR_INIT;

		CHECK_EQ(fix_write(whole, 3, &o, NULL), 0);
		fix_slurp(whole, &s);
		for (size_t i = 0; i < s.len; i++) {
			struct err err = ERR_INIT;
			size_t warnings;
			char was = s.buf[i];

			s.buf[i] = (char)(s.buf[i] ^ masks[i % 3]);
			fix_spit(path, s.buf, s.len);
			if (try_file(path, &err, &warnings) < 0)
				CHECK(err.msg != NULL);
			err_release(&err);
			s.buf[i] = was;
		}
		str_release(&s);
	}
	free(whole);
	free(path);
}

TEST(lying_header)
{
	static const u64 lies[] = { 0, 1, 7, 8, 15, 103, 105, 1 << 20, 1ULL << 31, 1ULL << 32,
				    1ULL << 40, 1ULL << 63, ~0ULL, ~0ULL - 7 };
	char *whole = fix_path("w.data"), *path = fix_path("lie.data");
	struct str s = STR_INIT;

	CHECK_EQ(fix_write(whole, 3, &plain, NULL), 0);
	fix_slurp(whole, &s);
	for (size_t at = 8; at < 104 + 24 + 160; at += 8)
		for (size_t i = 0; i < ARRAY_SIZE(lies); i++) {
			struct err err = ERR_INIT;
			size_t warnings;
			u64 was;

			memcpy(&was, s.buf + at, 8);
			memcpy(s.buf + at, &lies[i], 8);
			fix_spit(path, s.buf, s.len);
			try_file(path, &err, &warnings);
			err_release(&err);
			memcpy(s.buf + at, &was, 8);
		}
	str_release(&s);
	free(whole);
	free(path);
}

static void check_open_fails(const char *path, unsigned flags, const char *msg)
{
	struct data_reader r;
	struct err err = ERR_INIT;
	char *full = xasprintf(msg, path);

	CHECK(data_open(&r, path, flags, &err) < 0);
	CHECK_STR(err.msg, full);
	data_close(&r);
	err_release(&err);
	free(full);
}

TEST(messages)
{
	char *path = fix_path("x.data");
	struct data_reader r;
	struct err err = ERR_INIT;

	check_open_fails(path, 0, "failed to open %s: No such file or directory");
	check_open_fails(unit_tmpdir(), 0, "%s: a directory without a recording: it has no file "
					   "\"data\"");
	fix_spit(path, "", 0);
	check_open_fails(path, 0, "zero-sized data (%s), nothing to do");
	fix_spit(path, "hello\n", 6);
	check_open_fails(path, 0, "%s: incompatible file format: 6 bytes are no perf.data");
	fix_spit(path, "hello world, this is no recording", 33);
	check_open_fails(path, 0, "%s: incompatible file format: it begins with \"hello wo\", not "
				  "with PERFILE2");
	fix_spit(path, "\033[31mevilevilevilevil", 21);
	check_open_fails(path, 0, "%s: incompatible file format: it begins with \"\\x1b[31mevi\", "
				  "not with PERFILE2");
	fix_spit(path, "PERFILE2\150\0\0\0\0\0\0\0", 16);
	check_open_fails(path, 0, "%s: cut off inside its header: 16 of 104 bytes");
	CHECK(data_open(&r, "nosuchfile", 0, &err) < 0);
	CHECK(strstr(err.hint, "perf record") != NULL);
	data_close(&r);
	err_release(&err);
	free(path);
}

TEST(owner)
{
	char *path = fix_path("x.data");
	struct data_reader r;

	fix_write(path, 1, &plain, NULL);
	if (chown(path, 12345, 12345))
		SKIP("needs the right to give files away");
	check_open_fails(path, 0, "'%s' belongs to user 12345, neither to you nor to root");
	CHECK_EQ(data_open(&r, path, DATA_FORCE, NULL), 0);
	data_close(&r);
	free(path);
}

/* Attrs of a newer kernel are longer; the rest is unknown and does no harm. */
TEST(longer_attrs)
{
	char *path = fix_path("n.data");
	const size_t attr_bytes = sizeof(struct perf_event_attr), more = 64;
	struct str s = STR_INIT, out = STR_INIT;
	u64 h[13], ids[2][2];
	size_t warnings, attrs;

	fix_write(path, 4, &plain, NULL);
	fix_slurp(path, &s);
	memcpy(h, s.buf, sizeof(h));
	attrs = h[3];
	h[2] += more;
	h[4] += 2 * more;
	h[5] += 2 * more;
	memset(&h[9], 0, 32);		/* no features: their offsets would have to move */
	str_addn(&out, h, sizeof(h));
	str_addn(&out, s.buf + 104, attrs - 104);
	for (int i = 0; i < 2; i++) {
		struct perf_event_attr a;
		const char *at = s.buf + attrs + (size_t)i * (attr_bytes + 16);

		memcpy(&a, at, sizeof(a));
		memcpy(ids[i], at + sizeof(a), 16);
		a.size = (u32)(attr_bytes + more);
		str_addn(&out, &a, sizeof(a));
		str_addchn(&out, '\177', more);
		str_addn(&out, ids[i], 16);
	}
	str_addn(&out, s.buf + attrs + 2 * (attr_bytes + 16), h[6]);
	fix_spit(path, out.buf, out.len);
	CHECK_EQ(try_file(path, NULL, &warnings), 4);
	CHECK_EQ(warnings, 0);
	str_release(&s);
	str_release(&out);
	free(path);
}

/* A recording as a big-endian machine writes it. All u64 and u32 pairs of these records are
 * turned by hand. */
static void turn64(char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		u64 v;

		memcpy(&v, p + i * 8, 8);
		v = __builtin_bswap64(v);
		memcpy(p + i * 8, &v, 8);
	}
}

static void turn32(char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		u32 v;

		memcpy(&v, p + i * 4, 4);
		v = __builtin_bswap32(v);
		memcpy(p + i * 4, &v, 4);
	}
}

static void turn_record(char *p)
{
	struct perf_event_header h;

	memcpy(&h, p, sizeof(h));
	if (h.type == PERF_RECORD_SAMPLE) {	/* identifier ip, pid tid, time period */
		turn64(p + 8, 2);
		turn32(p + 24, 2);
		turn64(p + 32, 2);
	} else if (h.type < 64) {
		turn32(p + 8, 2);
		if (h.type == PERF_RECORD_MMAP2) {
			turn64(p + 16, 3);
			turn32(p + 40, 2);
			turn64(p + 48, 2);
			turn32(p + 64, 2);
		}
		turn32(p + h.size - 24, 2);
		turn64(p + h.size - 16, 2);
	}
	h = (struct perf_event_header){ __builtin_bswap32(h.type), __builtin_bswap16(h.misc),
					__builtin_bswap16(h.size) };
	memcpy(p, &h, sizeof(h));
}

TEST(other_byte_order)
{
	char *path = fix_path("be.data");
	struct str s = STR_INIT;
	struct data_reader r;
	struct data_cursor c;
	struct fix_seen seen = { 0 };
	u64 h[13];

	fix_write(path, 100, &plain, NULL);
	fix_slurp(path, &s);
	memcpy(h, s.buf, sizeof(h));
	for (u64 at = h[5]; at < h[5] + h[6];) {
		u16 size;

		memcpy(&size, s.buf + at + 6, 2);
		turn_record(s.buf + at);
		at += size;
	}
	turn64(s.buf + 104, 3);
	for (int i = 0; i < 2; i++) {
		struct perf_event_attr a;
		char *at = s.buf + h[3] + (size_t)i * (sizeof(a) + 16);

		memcpy(&a, at, sizeof(a));
		wire_swap_attr(&a);	/* with precise_ip 0 it is its own inverse */
		memcpy(at, &a, sizeof(a));
		turn64(at + sizeof(a), 2);
	}
	h[9] = h[10] = h[11] = h[12] = 0;
	memcpy(s.buf, h, sizeof(h));
	turn64(s.buf, 13);
	memcpy(s.buf, "2ELIFREP", 8);
	fix_spit(path, s.buf, h[5] + h[6]);
	CHECK_EQ(data_open(&r, path, 0, NULL), 0);
	CHECK(r.swap);
	CHECK_EQ(r.events.events.n, 2);
	CHECK_EQ(r.events.events.v[0]->attr.freq + 0, 1);
	CHECK_EQ(r.events.events.v[0]->attr.sample_id_all + 0, 1);
	CHECK_EQ(r.events.events.v[1]->ids[0], 21);
	data_cursor_init(&c, &r);
	CHECK_EQ(fix_walk(&r, &c, &seen, NULL), 0);
	data_cursor_release(&c);
	CHECK_EQ(seen.samples, 100);
	CHECK_EQ(seen.unknown, 0);
	CHECK_EQ(seen.comms, 1);
	CHECK_EQ(seen.maps, 1);
	CHECK_EQ(seen.last_ns, FIX_FIRST_NS + 99 * 1000);
	data_close(&r);
	str_release(&s);
	free(path);
}

TEST(ids_of_no_event)
{
	char *path = fix_path("x.data");
	struct data_reader r;
	u64 w[8] = { PERF_RECORD_SAMPLE | 48ULL << 48, 999 };

	fix_write(path, 1, &plain, NULL);
	CHECK_EQ(data_open(&r, path, 0, NULL), 0);
	CHECK(event_of_record(&r.events, (void *)w) == NULL);
	w[1] = 21;
	CHECK(event_of_record(&r.events, (void *)w) == r.events.events.v[1]);
	w[1] = 0;
	CHECK(event_of_record(&r.events, (void *)w) == r.events.events.v[0]);
	w[0] = PERF_RECORD_SAMPLE | 8ULL << 48;		/* too short for an id */
	CHECK(event_of_record(&r.events, (void *)w) == r.events.events.v[0]);
	data_close(&r);
	free(path);
}
