// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/record/output.h"
#include "util/record/pinned-files.h"

static const struct perf_event_attr attr = {
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME, .sample_id_all = 1,
};

static void add(struct str *s, const void *rec, int size)
{
	CHECK(size > 0);
	str_addn(s, rec, (size_t)size);
}

static void add_sample(struct str *s, u64 time_ns)
{
	const struct sample x = { .present = attr.sample_type, .ip = 1, .pid = 2, .tid = 3,
				  .time_ns = time_ns };
	u64 buf[64];

	add(s, buf, wire_encode_sample(&attr, &x, buf, sizeof(buf)));
}

static void add_map(struct str *s, const char *path, u64 ino, bool data)
{
	const struct wire_mmap m = { .pid = 5, .tid = 5, .start_va = 4096, .bytes = 4096,
				     .ino = ino, .path = path, .data = data };
	u64 buf[64];

	add(s, buf, wire_encode_mmap2(&attr, &m, PERF_RECORD_MISC_USER, NULL, buf, sizeof(buf)));
}

static void build(struct str *s)
{
	const struct wire_lost lost = { .id = 1, .lost = 40 };
	u64 buf[64];

	add_sample(s, 500);
	add_map(s, "/bin/a", 7, false);
	add_map(s, "/bin/a", 7, false);
	add_map(s, "/bin/a", 8, false);		/* replaced meanwhile */
	add_map(s, "/usr/share/data", 9, true);
	add_sample(s, 300);
	add(s, buf, wire_encode_lost(&attr, &lost, NULL, buf, sizeof(buf)));
	add_sample(s, 900);
}

static void check(const struct output_scan *s)
{
	CHECK_EQ(s->n_samples, 3);
	CHECK_EQ(s->first_ns, 300);
	CHECK_EQ(s->last_ns, 900);
	CHECK_EQ(s->n_lost_records, 1);
	CHECK_EQ(s->n_lost, 40);
	CHECK_EQ(s->dsos.n, 2);
	CHECK_STR(s->dsos.v[0]->path, "/bin/a");
	CHECK_EQ(s->dsos.v[0]->ino, 7);
	CHECK_EQ(s->dsos.v[1]->ino, 8);
}

TEST(counts_and_notes)
{
	struct str all = STR_INIT;
	struct output_scan s;

	build(&all);
	output_scan_init(&s, &attr, NULL);
	CHECK(output_scan_spans(&s, (struct span){ (u8 *)all.buf, all.len },
				(struct span){ NULL, 0 }));
	check(&s);
	output_scan_release(&s);
	str_release(&all);
}

static void add_module(struct str *s, u64 start_va, u8 id, const char *path)
{
	struct wire_mmap m = { .pid = (u32)-1, .start_va = start_va, .bytes = 4096, .path = path,
			       .build_id_bytes = 20 };
	u64 buf[64];

	memset(m.build_id, id, sizeof(m.build_id));
	add(s, buf, wire_encode_mmap2(&attr, &m, PERF_RECORD_MISC_KERNEL, NULL, buf, sizeof(buf)));
}

/* A sample in a module's init code hits the module's file. */
TEST(init_code_is_the_modules)
{
	const struct sample x = { .present = attr.sample_type, .ip = 0xffffffffc0d00010, .pid = 2,
				  .tid = 3, .time_ns = 1 };
	struct output_scan s;
	struct str bytes = STR_INIT;
	u64 buf[64];

	add_module(&bytes, 0xffffffffc0a00000, 1, "/lib/modules/6/a.ko");
	add_module(&bytes, 0xffffffffc0b00000, 2, "[b]");
	add_module(&bytes, 0xffffffffc0c00000, 1, "[a.init.text]");
	add_module(&bytes, 0xffffffffc0d00000, 2, "[b.init.text]");
	/* of what was never mapped */
	add_module(&bytes, 0xffffffffc0e00000, 3, "[c.init.text]");
	add(&bytes, buf, wire_encode_sample(&attr, &x, buf, sizeof(buf)));
	output_scan_init(&s, &attr, NULL);
	CHECK(output_scan_spans(&s, (struct span){ (u8 *)bytes.buf, bytes.len },
				(struct span){ NULL, 0 }));
	output_scan_hits(&s);
	CHECK_EQ(s.dsos.n, 2);
	CHECK_STR(s.dsos.v[0]->path, "/lib/modules/6/a.ko");
	CHECK(!s.dsos.v[0]->hit);
	CHECK_STR(s.dsos.v[1]->path, "[b]");
	CHECK(s.dsos.v[1]->hit);
	output_scan_release(&s);
	str_release(&bytes);
}

/* A ring's end may cut a record after any 8 bytes. */
TEST(wherever_the_ring_ends)
{
	struct str all = STR_INIT;

	build(&all);
	for (size_t cut = 8; cut < all.len; cut += 8) {
		struct output_scan s;
		u8 *a = xmemdup(all.buf, cut), *b = xmemdup(all.buf + cut, all.len - cut);

		output_scan_init(&s, &attr, NULL);
		CHECK(output_scan_spans(&s, (struct span){ a, cut },
					(struct span){ b, all.len - cut }));
		check(&s);
		output_scan_release(&s);
		free(a);
		free(b);
	}
	str_release(&all);
}

TEST(impossible_sizes_are_refused)
{
	struct str all = STR_INIT;
	struct perf_event_header *h;
	struct output_scan s;

	build(&all);
	h = (void *)all.buf;
	output_scan_init(&s, &attr, NULL);
	h->size = 4;
	CHECK(!output_scan_spans(&s, (struct span){ (u8 *)all.buf, all.len },
				 (struct span){ NULL, 0 }));
	h->size = (u16)(all.len + 8);
	CHECK(!output_scan_spans(&s, (struct span){ (u8 *)all.buf, all.len },
				 (struct span){ NULL, 0 }));
	output_scan_release(&s);
	str_release(&all);
}

/* Mappings of processes that have ended, of files that no sample hit, and of files that are
 * known to be hit, are forgotten. */
TEST(what_can_tell_nothing_more_is_forgotten)
{
	enum { STEP = 65536, N = 5 * STEP };
	struct sample sample = { .present = attr.sample_type, .ip = 0x7000123 };
	struct output_scan s;
	size_t most = 0;
	struct os os;
	u64 buf[128];

	os_init(&os);
	output_scan_init(&s, &attr, NULL);
	for (u32 i = 0; i < N; i++) {
		struct wire_mmap m = { .pid = i % 3 ? 0x7ffffff0 : 1, .tid = 1,
				       .start_va = 0x100000 + (u64)i * 0x1000, .bytes = 0x1000,
				       .ino = i % 3 ? 5 : 6, .path = i % 3 ? "/never" : "/hit" };
		int size;

		if (i == 9)
			m.start_va = 0x7000000;
		size = wire_encode_mmap2(&attr, &m, PERF_RECORD_MISC_USER, NULL, buf, sizeof(buf));
		CHECK(output_scan_spans(&s, (struct span){ (u8 *)buf, (size_t)size },
					(struct span){ NULL, 0 }));
		if (i == 20) {
			size = wire_encode_sample(&attr, &sample, buf, sizeof(buf));
			CHECK(output_scan_spans(&s, (struct span){ (u8 *)buf, (size_t)size },
						(struct span){ NULL, 0 }));
		}
		if (i % 1000 == 0)
			output_scan_compact(&s, &os);
		most = MAX(most, s.ranges.n);
	}
	CHECK(most <= 3 * STEP);
	output_scan_hits(&s);
	CHECK_EQ(s.dsos.n, 2);
	CHECK(s.dsos.v[0]->hit);
	CHECK(!s.dsos.v[1]->hit);
	output_scan_release(&s);
	os_release(&os);
}

TEST(what_several_scans_saw_is_one)
{
	struct output_scan s, beside;
	struct str recs = STR_INIT, tasks = STR_INIT;

	build(&recs);
	output_scan_init(&s, &attr, NULL);
	output_scan_init(&beside, &attr, NULL);
	beside.tap.records = &tasks;
	CHECK(output_scan_spans(&beside, (struct span){ (const u8 *)recs.buf, recs.len },
				(struct span){ NULL, 0 }));
	CHECK_EQ(beside.dsos.n, 0);
	CHECK(beside.pages.n > 0);
	output_scan_fold(&s, &beside, false);
	CHECK_EQ(s.n_samples, 3);
	CHECK_EQ(s.pages.n, 0);
	output_scan_fold(&s, &beside, true);
	CHECK_EQ(s.n_samples, 3);
	CHECK_EQ(s.pages.n, 1);
	CHECK_EQ(beside.pages.n, 0);
	CHECK(output_scan_spans(&s, (struct span){ (const u8 *)tasks.buf, tasks.len },
				(struct span){ NULL, 0 }));
	check(&s);
	CHECK(!output_scan_is_full(&s, 0));
	CHECK(output_scan_is_full(&s, 1 << 20));
	output_scan_release(&s);
	output_scan_release(&beside);
	str_release(&recs);
	str_release(&tasks);
}

/* A new file of these contents; *ino: its number. */
static void make_file(const char *path, u64 *ino)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	struct stat st;

	CHECK(fd >= 0 && !fstat(fd, &st));
	*ino = st.st_ino;
	close(fd);
}

static void map_of(struct str *rec, const char *path, u64 ino, pid_t pid)
{
	const struct wire_mmap m = { .pid = (u32)pid, .tid = (u32)pid, .start_va = 4096,
				     .bytes = 4096, .ino = ino, .path = path };
	u64 buf[64];

	str_reset(rec);
	add(rec, buf, wire_encode_mmap2(&attr, &m, PERF_RECORD_MISC_USER, NULL, buf, sizeof(buf)));
}

static pid_t ended_process(void)
{
	const pid_t pid = fork();

	if (!pid)
		_exit(0);
	CHECK(waitpid(pid, NULL, 0) == pid);
	return pid;
}

TEST(a_file_is_held_from_the_first_look_at_its_mapping)
{
	char dir[] = "/tmp/perf-unit-hold.XXXXXX", *path;
	struct pinned_files *held;
	struct str rec = STR_INIT;
	struct output_scan s;
	struct os os;
	int fd;
	u64 ino;

	os_init(&os);
	held = pinned_files_new(&os);
	CHECK(mkdtemp(dir));
	path = xasprintf("%s/app", dir);
	make_file(path, &ino);
	output_scan_init(&s, &attr, held);

	/* its process is gone, and no name leads to it: another one may know the way */
	map_of(&rec, "/none/app", ino, ended_process());
	output_scan_hold(&s, (const void *)rec.buf);
	CHECK_EQ(s.dsos.n, 1);
	CHECK_EQ(s.dsos.v[0]->fd, -1);
	CHECK_EQ(s.dsos.v[0]->n_tries, 1);

	map_of(&rec, path, ino, getpid());
	output_scan_hold(&s, (const void *)rec.buf);
	CHECK_EQ(s.dsos.n, 2);
	CHECK_EQ(s.ranges.n, 0);
	fd = s.dsos.v[1]->fd;
	CHECK(fd >= 0);
	CHECK(!unlink(path));
	output_scan_record(&s, (const void *)rec.buf);
	CHECK_EQ(s.dsos.n, 2);
	CHECK_EQ(s.dsos.v[1]->fd, fd);
	CHECK_EQ(s.ranges.n, 1);

	output_scan_release(&s);
	pinned_files_free(held);
	os_release(&os);
	str_release(&rec);
	CHECK(!rmdir(dir));
	free(path);
}
