// SPDX-License-Identifier: GPL-2.0-or-later
// Writing and reading whole recordings: files, pipe mode, directories, compression.
#include "tests/unit/data/fixture.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const struct data_writer_opts plain;

static void check_whole(const char *path, int n)
{
	struct data_reader r;
	struct data_cursor c;
	struct fix_seen seen = { 0 };
	struct err err = ERR_INIT;

	CHECK_EQ(data_open(&r, path, 0, &err), 0);
	CHECK_EQ(r.events.events.n, 2);
	CHECK_STR(r.events.events.v[0]->name, "cpu-clock");
	CHECK_STR(r.events.events.v[1]->name, "page-faults");
	CHECK_EQ(r.events.events.v[0]->n_ids, 2);
	data_cursor_init(&c, &r);
	CHECK_EQ(fix_walk(&r, &c, &seen, &err), 0);
	data_cursor_release(&c);
	CHECK_EQ(seen.samples, n);
	CHECK_EQ(seen.unknown, 0);
	CHECK_EQ(seen.comms, 1);
	CHECK_EQ(seen.maps, 1);
	CHECK_EQ(seen.last_ns, FIX_FIRST_NS + (u64)(n - 1) * 1000);
	CHECK_EQ(r.warnings.n, 0);
	CHECK_STR(r.feat.hostname, "testhost");
	CHECK_EQ(r.feat.cmdline.n, 4);
	CHECK_STR(r.feat.cmdline.v[2], "it's");
	CHECK_EQ(r.feat.build_ids.n, 1);
	CHECK_STR(r.feat.build_ids.v[0].path, "/usr/bin/worker");
	CHECK_EQ(r.feat.build_ids.v[0].bytes, 20);
	data_close(&r);
}

TEST(write_and_read)
{
	char *path = fix_path("a.data");
	struct str s = STR_INIT;
	struct stat st;
	u64 words[13], section[2], end = 0;

	CHECK_EQ(fix_write(path, 10, &plain, NULL), 0);
	check_whole(path, 10);
	CHECK_EQ(stat(path, &st), 0);
	CHECK_EQ(st.st_mode & 0777, 0600);
	fix_slurp(path, &s);
	memcpy(words, s.buf, sizeof(words));
	CHECK_MEM(words, "PERFILE2", 8);
	CHECK_EQ(words[1], 104);
	CHECK_EQ(words[3] + words[4], words[5]);	/* attrs, then the data */
	for (u64 at = words[5] + words[6]; at < s.len; at += 16) {
		memcpy(section, s.buf + at, sizeof(section));
		if (section[0] + section[1] > s.len)
			break;
		end = section[0] + section[1];
		if (end == s.len)
			break;
	}
	CHECK_EQ(end, s.len);		/* nothing behind the last section */
	str_release(&s);
	free(path);
}

/* Read, write what was read: the same bytes. */
TEST(rewriting_gives_the_same_bytes)
{
	char *a = fix_path("a.data"), *b = fix_path("b.data");
	struct str x = STR_INIT, y = STR_INIT;
	struct data_reader r;
	struct data_cursor c;
	struct data_record rec;
	struct data_writer w;

	fix_write(a, 50, &plain, NULL);
	CHECK_EQ(data_open(&r, a, 0, NULL), 0);
	CHECK_EQ(data_writer_open(&w, b, &plain, NULL), 0);
	CHECK_EQ(data_writer_events(&w, &r.events, (struct span){ NULL, 0 }, NULL), 0);
	data_cursor_init(&c, &r);
	while (data_cursor_next(&c, &rec, NULL) > 0)
		CHECK_EQ(data_write(&w, rec.hdr, rec.hdr->size, NULL), 0);
	data_cursor_release(&c);
	CHECK_EQ(data_writer_finish(&w, &r.feat, &r.events, NULL), 0);
	data_writer_release(&w);
	data_close(&r);
	fix_slurp(a, &x);
	fix_slurp(b, &y);
	CHECK_EQ(x.len, y.len);
	CHECK_MEM(x.buf, y.buf, x.len);
	str_release(&x);
	str_release(&y);
	free(a);
	free(b);
}

TEST(groups_come_back)
{
	char *path = fix_path("a.data");
	struct data_reader r;

	fix_write(path, 1, &plain, NULL);
	CHECK_EQ(data_open(&r, path, 0, NULL), 0);
	CHECK_EQ(r.events.events.v[0]->n_members, 2);
	CHECK(r.events.events.v[1]->leader == r.events.events.v[0]);
	data_close(&r);
	free(path);
}

TEST(pipe_mode_in_a_file)
{
	char *path = fix_path("pipe.data");
	struct data_writer_opts o = { .pipe = true };

	CHECK_EQ(fix_write(path, 100, &o, NULL), 0);
	check_whole(path, 100);
	free(path);
}

TEST(stream_through_a_fifo)
{
	char *path = fix_path("fifo"), *file = fix_path("pipe.data");
	struct data_writer_opts o = { .pipe = true };
	struct data_reader r;
	struct data_cursor c;
	struct fix_seen seen = { 0 };
	int status;
	pid_t pid;

	CHECK_EQ(mkfifo(path, 0600), 0);
	pid = fork();
	CHECK(pid >= 0);
	if (!pid)
		_exit(fix_write(path, 20000, &o, NULL) ? 1 : 0);
	CHECK_EQ(data_open(&r, path, 0, NULL), 0);
	CHECK(r.stream);
	CHECK_EQ(r.events.events.n, 2);
	CHECK_STR(r.events.events.v[1]->name, "page-faults");
	data_cursor_init(&c, &r);
	CHECK_EQ(fix_walk(&r, &c, &seen, NULL), 0);
	data_cursor_release(&c);
	CHECK_EQ(seen.samples, 20000);
	CHECK_EQ(seen.unknown, 0);
	CHECK_EQ(r.feat.build_ids.n, 1);	/* came at the end */
	CHECK_STR(r.feat.hostname, "testhost");
	CHECK_EQ(r.warnings.n, 0);
	data_close(&r);
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK_EQ(status, 0);
	free(path);
	free(file);
}

TEST(compressed)
{
	static const struct data_writer_opts opts[] =
		{ { .comp_level = 1 }, { .comp_level = 3, .comp2 = true } };
	char *path = fix_path("z.data");

	for (int i = 0; i < 2; i++) {
		struct err err = ERR_INIT;
		int ret = fix_write(path, 5000, &opts[i], &err);
		struct stat st;

		if (ret == -95)		/* ENOTSUP */
			SKIP("built without zstd");
		CHECK_EQ(ret, 0);
		check_whole(path, 5000);
		CHECK_EQ(stat(path, &st), 0);
		CHECK(st.st_size < 5000 * 20);
	}
	free(path);
}

/* What a program printed after the recording it wrote to a pipe is no record; what was unpacked
 * before stays as it was. */
TEST(text_behind_a_compressed_stream)
{
	static const char text[] = "[ perf record: Woken up 1 times to write data ]\n";
	static struct data_record recs[64];
	struct data_writer_opts o = { .pipe = true, .comp_level = 1, .comp2 = true };
	char *path = fix_path("z.pipe");
	struct data_reader r;
	struct data_cursor c;
	int fd, ret = fix_write(path, 20, &o, NULL), n, samples = 0;

	if (ret == -95)		/* ENOTSUP */
		SKIP("built without zstd");
	CHECK_EQ(ret, 0);
	fd = open(path, O_WRONLY | O_APPEND);
	CHECK_EQ(write(fd, text, sizeof(text) - 1), (ssize_t)sizeof(text) - 1);
	close(fd);
	CHECK_EQ(data_open(&r, path, 0, NULL), 0);
	data_cursor_init(&c, &r);
	while ((n = data_cursor_batch(&c, recs, ARRAY_SIZE(recs), NULL)) > 0) {
		for (int i = 0; i < n; i++) {
			CHECK(wire_type_name(recs[i].hdr->type) != NULL);
			samples += recs[i].hdr->type == PERF_RECORD_SAMPLE;
		}
	}
	CHECK_EQ(n, 0);
	CHECK_EQ(samples, 20);
	CHECK_EQ(r.warnings.n, 1);
	data_cursor_release(&c);
	data_close(&r);
	free(path);
}

TEST(chunks_cover_all_records_once)
{
	char *path = fix_path("big.data");
	struct data_reader r;
	struct fix_seen all = { 0 };
	data_chunks ch = { 0 };
	u64 pos = 0;

	CHECK_EQ(fix_write(path, 100000, &plain, NULL), 0);	/* 4.8 MB */
	CHECK_EQ(data_open(&r, path, 0, NULL), 0);
	CHECK_EQ(data_split(&r, 4, &ch, NULL), 0);
	CHECK(ch.n >= 3 && ch.n <= 5);
	for vec_each(chunk, &ch) {
		struct data_cursor c;

		CHECK(chunk->pos >= pos);
		pos = chunk->pos;
		data_cursor_chunk(&c, &r, chunk);
		CHECK_EQ(fix_walk(&r, &c, &all, NULL), 0);
		data_cursor_release(&c);
	}
	CHECK_EQ(all.samples, 100000);
	CHECK_EQ(all.comms, 1);
	CHECK_EQ(all.others, 1);
	CHECK_EQ(all.unknown, 0);
	vec_free(&ch);
	data_close(&r);
	free(path);
}

/* Records of a batch stay valid together; types can be left out. */
TEST(batches_and_type_filter)
{
	char *path = fix_path("a.data");
	static struct data_record recs[1000];
	struct data_reader r;
	struct data_cursor c;
	u64 total = 0;
	int n;

	fix_write(path, 20000, &plain, NULL);
	CHECK_EQ(data_open(&r, path, 0, NULL), 0);
	data_cursor_init(&c, &r);
	c.want_kernel = 1ULL << PERF_RECORD_SAMPLE;
	c.want_user = 0;
	while ((n = data_cursor_batch(&c, recs, 1000, NULL)) > 0)
		for (int i = 0; i < n; i++) {
			struct sample s;
			const char *reason;

			CHECK_EQ(recs[i].hdr->type, PERF_RECORD_SAMPLE);
			CHECK_EQ(wire_decode_sample(&event_of_record(&r.events, recs[i].hdr)->attr,
						    recs[i].hdr, &s, &reason), 0);
			CHECK_EQ(s.time_ns, FIX_FIRST_NS + total * 1000);
			total++;
		}
	CHECK_EQ(n, 0);
	CHECK_EQ(total, 20000);
	CHECK_EQ(c.n_skipped, 3);
	data_cursor_release(&c);
	data_close(&r);
	free(path);
}

/* Walked over in the buffer, as far as records reach, some at a time; what is left comes as a
 * batch. The boundaries are noted. */
TEST(peeked_as_batches)
{
	char *path = fix_path("a.data");
	static struct data_record recs[7];
	struct perf_event_header none = { 0 };
	u64 samples = 0, n_peeked = 0, pos = 0;
	data_chunks ch = { 0 };
	struct data_reader r;
	struct data_cursor c;
	int n = 1;

	fix_write(path, 100000, &plain, NULL);
	CHECK_EQ(data_open(&r, path, 0, NULL), 0);
	data_cursor_init(&c, &r);
	for (unsigned most = 1; n > 0; most = most * 3 % 1000 + 1) {
		u64 off, k = 0;
		struct span s = data_cursor_peek(&c, &off);
		const u8 *from = s.ptr;

		for (; k < most && s.len >= sizeof(none); k++) {
			const struct perf_event_header *h = (const void *)s.ptr;

			if (h->type != PERF_RECORD_SAMPLE || h->size > s.len)
				break;
			CHECK_EQ(event_of_record(&r.events, h) != NULL, true);
			CHECK_EQ(pread(r.files.v[0].fd, &none, sizeof(none),
				       (off_t)(off + (u64)(s.ptr - from))), (ssize_t)sizeof(none));
			CHECK_EQ(none.type, PERF_RECORD_SAMPLE);
			CHECK_EQ(none.size, h->size);
			s.ptr += h->size;
			s.len -= h->size;
		}
		samples += k;
		n_peeked += k;
		data_cursor_skip(&c, (size_t)(s.ptr - from), k);
		n = data_cursor_batch(&c, recs, (int)(most % ARRAY_SIZE(recs)) + 1, NULL);
		for (int i = 0; i < n; i++) {
			samples += recs[i].hdr->type == PERF_RECORD_SAMPLE;
			CHECK(i == 0 || recs[i].pos > recs[i - 1].pos);
			CHECK(recs[i].pos >= pos);
			pos = recs[i].pos;
		}
	}
	CHECK_EQ(n, 0);
	CHECK_EQ(samples, 100000);
	CHECK(n_peeked > 90000);
	CHECK_EQ(c.n_records, 100003);
	CHECK_EQ(data_split(&r, 4, &ch, NULL), 0);
	CHECK(ch.n >= 3 && ch.n <= 5);
	vec_free(&ch);
	data_cursor_release(&c);
	data_close(&r);
	free(path);
}

TEST(directory)
{
	char *dir = fix_path("d"), *main_file = fix_path("d/data"), *part = fix_path("d/data.0");
	struct data_reader r;
	struct data_cursor c;
	struct fix_seen seen = { 0 };
	struct event_list l;
	struct str recs = STR_INIT;
	data_chunks ch = { 0 };

	CHECK_EQ(mkdir(dir, 0700), 0);
	fix_write(main_file, 10, &plain, NULL);
	fix_events(&l);
	fix_records(&l, 7, &recs);
	fix_spit(part, recs.buf, recs.len);
	CHECK_EQ(data_open(&r, dir, 0, NULL), 0);
	CHECK(r.dir);
	CHECK_EQ(r.files.n, 2);
	data_cursor_init(&c, &r);
	CHECK_EQ(fix_walk(&r, &c, &seen, NULL), 0);
	data_cursor_release(&c);
	CHECK_EQ(seen.samples, 17);
	CHECK_EQ(seen.comms, 2);
	CHECK_EQ(data_split(&r, 8, &ch, NULL), 0);
	CHECK_EQ(ch.n, 2);
	CHECK(ch.v[1].pos > ch.v[0].pos);
	vec_free(&ch);
	data_close(&r);
	event_list_release(&l);
	str_release(&recs);
	free(dir);
	free(main_file);
	free(part);
}

TEST(old_file_is_kept_and_comes_back)
{
	struct data_writer_opts o = { .keep_old = true };
	char *path = fix_path("perf.data"), *old = fix_path("perf.data.old");
	struct data_writer w;

	CHECK_EQ(fix_write(path, 3, &o, NULL), 0);
	CHECK(access(old, F_OK) != 0);
	CHECK_EQ(fix_write(path, 4, &o, NULL), 0);
	check_whole(path, 4);
	check_whole(old, 3);
	CHECK_EQ(data_writer_open(&w, path, &o, NULL), 0);
	data_writer_abort(&w);
	/* what was there before the recording that did not happen */
	check_whole(path, 4);
	CHECK_EQ(unlink(path), 0);
	CHECK_EQ(data_writer_open(&w, path, &o, NULL), 0);
	data_writer_abort(&w);
	CHECK(access(path, F_OK) != 0);
	free(path);
	free(old);
}

TEST(killed_writer)
{
	char *path = fix_path("killed.data");
	struct event_list l;
	struct str recs = STR_INIT;
	struct data_writer w;
	struct data_reader r;
	struct data_cursor c;
	struct fix_seen seen = { 0 };

	fix_events(&l);
	fix_records(&l, 10, &recs);
	CHECK_EQ(data_writer_open(&w, path, &plain, NULL), 0);
	CHECK_EQ(data_writer_events(&w, &l, (struct span){ NULL, 0 }, NULL), 0);
	CHECK_EQ(data_write(&w, recs.buf, recs.len, NULL), 0);
	data_writer_release(&w);	/* without finish: as after SIGKILL */
	CHECK_EQ(truncate(path, (off_t)(104 + 3 * 8 + 2 * (sizeof(struct perf_event_attr) + 16) +
					recs.len - 8 - 5)), 0);
	CHECK_EQ(data_open(&r, path, 0, NULL), 0);
	data_cursor_init(&c, &r);
	CHECK_EQ(fix_walk(&r, &c, &seen, NULL), 0);
	data_cursor_release(&c);
	CHECK_EQ(seen.samples, 9);
	CHECK_EQ(r.warnings.n, 1);	/* the record that is cut off is part of it */
	CHECK(strstr(r.warnings.v[0].text, "killed.data: its header was never completed"));
	CHECK(r.warnings.v[0].hint != NULL);
	data_close(&r);
	event_list_release(&l);
	str_release(&recs);
	free(path);
}

TEST(written_asynchronously_are_the_same_bytes)
{
	const struct data_writer_opts behind = { .async = true };
	char *a = fix_path("a.data"), *b = fix_path("b.data");
	struct str x = STR_INIT, y = STR_INIT;

	for (int n = 1; n <= 100000; n *= 100) {	/* less than a chunk, and several */
		CHECK_EQ(fix_write(a, n, &plain, NULL), 0);
		CHECK_EQ(fix_write(b, n, &behind, NULL), 0);
		fix_slurp(a, &x);
		fix_slurp(b, &y);
		CHECK_EQ(x.len, y.len);
		CHECK_MEM(x.buf, y.buf, x.len);
		str_reset(&x);
		str_reset(&y);
	}
	str_release(&x);
	str_release(&y);
	free(a);
	free(b);
}

/* The error comes with a later write, or at the end; the file is cut to whole records all the
 * same. */
TEST(full_disk_written_behind)
{
	const struct data_writer_opts behind = { .async = true };
	char *path = fix_path("full.data");
	struct rlimit lim = { 5000000, 5000000 };
	struct data_reader r;
	struct data_cursor c;
	struct fix_seen seen = { 0 };
	struct err err = ERR_INIT;

	signal(SIGXFSZ, SIG_IGN);
	CHECK_EQ(setrlimit(RLIMIT_FSIZE, &lim), 0);
	CHECK(fix_write(path, 200000, &behind, &err) < 0);
	CHECK(strstr(err.msg, "failed to write to"));
	CHECK_EQ(data_open(&r, path, 0, NULL), 0);
	data_cursor_init(&c, &r);
	CHECK_EQ(fix_walk(&r, &c, &seen, NULL), 0);
	data_cursor_release(&c);
	CHECK(seen.samples > 20000);
	CHECK_EQ(seen.unknown, 0);
	data_close(&r);
	err_release(&err);
	free(path);
}

/* A file that may not grow stands for the full disk. */
TEST(full_disk)
{
	char *path = fix_path("full.data");
	struct rlimit lim = { 200000, 200000 };
	struct event_list l;
	struct data_features f;
	struct data_writer w;
	struct data_reader r;
	struct data_cursor c;
	struct fix_seen seen = { 0 };
	struct str recs = STR_INIT;
	struct err err = ERR_INIT;
	int ret = 0;

	signal(SIGXFSZ, SIG_IGN);
	CHECK_EQ(setrlimit(RLIMIT_FSIZE, &lim), 0);
	fix_events(&l);
	fix_features(&f);
	fix_records(&l, 100, &recs);
	CHECK_EQ(data_writer_open(&w, path, &plain, NULL), 0);
	CHECK_EQ(data_writer_events(&w, &l, (struct span){ NULL, 0 }, NULL), 0);
	for (int i = 0; i < 1000 && !ret; i++)
		ret = data_write(&w, recs.buf, recs.len, &err);
	CHECK(ret < 0);
	CHECK(strstr(err.msg, "failed to write to"));
	CHECK(strstr(err.msg, "full.data"));
	CHECK_EQ(data_write(&w, recs.buf, recs.len, NULL), ret);
	CHECK_EQ(data_writer_finish(&w, &f, &l, NULL), ret);
	data_writer_release(&w);
	CHECK_EQ(data_open(&r, path, 0, NULL), 0);
	data_cursor_init(&c, &r);
	CHECK_EQ(fix_walk(&r, &c, &seen, NULL), 0);
	data_cursor_release(&c);
	CHECK(seen.samples > 2000);
	CHECK_EQ(seen.unknown, 0);
	data_close(&r);
	err_release(&err);
	event_list_release(&l);
	data_features_release(&f);
	str_release(&recs);
	free(path);
}

TEST(no_room_names_file_and_advice)
{
	struct data_writer w;
	struct event_list l;
	struct err err = ERR_INIT;

	if (access("/dev/full", W_OK))
		SKIP("needs /dev/full");
	fix_events(&l);
	CHECK_EQ(data_writer_open(&w, "/dev/full", &plain, NULL), 0);
	CHECK(data_writer_events(&w, &l, (struct span){ NULL, 0 }, &err) < 0);
	CHECK_STR(err.msg, "failed to write to /dev/full at offset 0: No space left on device");
	CHECK(strstr(err.hint, "-o FILE"));
	data_writer_release(&w);
	err_release(&err);
	CHECK_EQ(data_writer_open(&w, unit_tmpdir(), &plain, &err), -21);
	CHECK(strstr(err.msg, "it is a directory"));
	data_writer_release(&w);
	err_release(&err);
	event_list_release(&l);
}

