// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recordings rewritten: what is added, where it stands, and what is refused.
 */
#include <errno.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "tests/unit/data/fixture.h"
#include "util/elf/elf-write.h"
#include "util/inject/inject.h"
#include "util/symbols/jitdump.h"

#define JIT_PID 1234

static const struct data_writer_opts plain = { 0 };

struct notes { struct str text; int n_warnings; };

static void say(void *ctx, enum inject_say kind, const char *text)
{
	struct notes *n = ctx;

	if (kind != INJECT_WARNING)
		return;
	n->n_warnings++;
	str_addf(&n->text, "%s\n", text);
}

static char *path_of(const char *name)
{
	return unit_keep(fix_path(name));
}

/* All of o but its say is the caller's. */
static int run(struct inject_opts *o, struct inject_result *res, struct notes *notes,
	       struct err *err)
{
	struct stream_stats stats = { 0 };
	struct source src;
	struct os os;
	int ret;

	o->stats = &stats;
	os_init_root(&os, "tests/roots/vm");
	CHECK_EQ(source_open_file(&src, o->input, 0, NULL), 0);
	*notes = (struct notes){ .text = STR_INIT };
	o->say = say;
	o->say_ctx = notes;
	ret = inject_run(o, &src, &os, res, err);
	source_close(&src);
	os_release(&os);
	unit_keep(notes->text.buf);
	return ret;
}

static void seen_in(const char *path, struct data_reader *r, struct fix_seen *seen)
{
	struct data_cursor c;

	*seen = (struct fix_seen){ 0 };
	CHECK_EQ(data_open(r, path, 0, NULL), 0);
	data_cursor_init(&c, r);
	CHECK_EQ(fix_walk(r, &c, seen, NULL), 0);
	data_cursor_release(&c);
}

TEST(nothing_asked_for_changes_nothing)
{
	struct inject_opts o = { .input = path_of("in"), .output = path_of("out") };
	struct inject_result res;
	struct fix_seen in, out;
	struct data_reader a, b;
	struct notes n;

	CHECK_EQ(fix_write(o.input, 9, &plain, NULL), 0);
	CHECK_EQ(run(&o, &res, &n, NULL), 0);
	seen_in(o.input, &a, &in);
	seen_in(o.output, &b, &out);
	CHECK_MEM(&in, &out, sizeof(in));
	CHECK_EQ(out.samples, 9);
	CHECK_EQ(res.n_records, 12);	/* with a name, a mapping, and the end of a round */
	CHECK_EQ(n.n_warnings, 0);
	CHECK_EQ(b.feat.build_ids.n, 1);
	CHECK_EQ(b.events.events.n, 2);
	CHECK_EQ(b.events.events.v[0]->n_ids, 2);
	CHECK_EQ(b.events.events.v[1]->ids[0], 21);
	CHECK(b.events.events.v[1]->leader == b.events.events.v[0]);
	CHECK_STR(b.feat.hostname, "testhost");
	data_close(&a);
	data_close(&b);
}

TEST(not_onto_itself)
{
	struct inject_opts o = { .input = path_of("in"), .output = path_of("link") };
	struct inject_result res;
	struct err err = ERR_INIT;
	struct notes n;

	CHECK_EQ(fix_write(o.input, 3, &plain, NULL), 0);
	CHECK_EQ(symlink(o.input, o.output), 0);
	CHECK_EQ(run(&o, &res, &n, &err), -EINVAL);
	CHECK(strstr(err.msg, "cannot be read and written at the same time"));
	err_release(&err);
}

/* --- binaries */

static const struct elf_function leaf = {
	.machine = 62, .name = "leaf", .code = { (const u8 *)"\xc3", 1 }, .bytes = 1,
};

/* An ELF file with a build-id. */
static void write_elf(const char *path, struct build_id *id)
{
	struct str file = STR_INIT;

	elf_write_function(&leaf, &file, id);
	fix_spit(path, file.buf, file.len);
	str_release(&file);
}

struct maker { struct event_list l; struct str recs; struct data_features f; };

static void make_begin(struct maker *m)
{
	struct event *e;

	*m = (struct maker){ .recs = STR_INIT };
	fix_events(&m->l);
	for vec_each(p, &m->l.events) {
		e = *p;
		e->attr.use_clockid = 1;
		e->attr.clockid = CLOCK_MONOTONIC;
	}
	data_features_init(&m->f);
}

static void add_map(struct maker *m, u32 pid, u64 va, const char *path, u64 ns)
{
	struct sample_id id = { .pid = pid, .tid = pid, .time_ns = ns, .id = 11 };
	struct wire_mmap map = { .pid = pid, .tid = pid, .start_va = va, .bytes = 0x1000,
				 .prot = 5, .flags = 2, .path = path };
	u64 buf[128];
	struct stat st;

	if (!stat(path, &st)) {
		map.ino = st.st_ino;
		map.maj = major(st.st_dev);
		map.min = minor(st.st_dev);
	}
	str_addn(&m->recs, buf, (size_t)wire_encode_mmap2(&m->l.events.v[0]->attr, &map,
							  PERF_RECORD_MISC_USER, &id, buf,
							  sizeof(buf)));
}

static void add_sample(struct maker *m, u32 pid, u64 ip, u64 ns)
{
	struct sample s = { .ip = ip, .pid = pid, .tid = pid, .time_ns = ns, .period = 1, .id = 11,
			    .misc = PERF_RECORD_MISC_USER };
	u64 buf[64];

	str_addn(&m->recs, buf, (size_t)wire_encode_sample(&m->l.events.v[0]->attr, &s, buf,
							   sizeof(buf)));
}

static void make_end(struct maker *m, const char *path)
{
	struct data_writer w;

	CHECK_EQ(data_writer_open(&w, path, &plain, NULL), 0);
	CHECK_EQ(data_writer_events(&w, &m->l, (struct span){ NULL, 0 }, NULL), 0);
	CHECK_EQ(data_write(&w, m->recs.buf, m->recs.len, NULL), 0);
	CHECK_EQ(data_writer_finish(&w, &m->f, &m->l, NULL), 0);
	data_writer_release(&w);
	data_features_release(&m->f);
	event_list_release(&m->l);
	str_release(&m->recs);
}

/* The records of a file as "SAMPLE 1000", "MMAP2 2000 a.so+id", in order. */
static void records_text(const char *path, struct str *out)
{
	struct data_reader r;
	struct data_cursor c;
	struct data_record rec;
	const char *reason;

	CHECK_EQ(data_open(&r, path, 0, NULL), 0);
	data_cursor_init(&c, &r);
	while (data_cursor_next(&c, &rec, NULL) > 0) {
		const struct event *e = event_of_record(&r.events, rec.hdr);
		struct sample_id id;
		struct sample s;
		struct wire_mmap m;

		if (rec.hdr->type == PERF_RECORD_SAMPLE) {
			CHECK_EQ(wire_decode_sample(&e->attr, rec.hdr, &s, &reason), 0);
			str_addf(out, "SAMPLE %llu\n", (unsigned long long)s.time_ns);
		} else if (!wire_decode_mmap(rec.hdr, &m, &reason)) {
			CHECK_EQ(wire_decode_id(&e->attr, rec.hdr, &id, &reason), 0);
			str_addf(out, "MMAP2 %llu %s%s @%llx\n", (unsigned long long)id.time_ns,
				 strrchr(m.path, '/') + 1, m.build_id_bytes ? "+id" : "",
				 (unsigned long long)m.start_va);
		}
	}
	data_cursor_release(&c);
	data_close(&r);
}

static void check_records(const char *path, const char *want)
{
	struct str s = STR_INIT;

	records_text(path, &s);
	CHECK_STR(str_cstr(&s), want);
	str_release(&s);
}

/* Two binaries, of which samples hit one, and one that is gone. */
static void binaries(const char *path, struct build_id *hit)
{
	char *a = path_of("a.so"), *b = path_of("b.so"), *gone = path_of("gone.so");
	struct build_id other;
	struct maker m;

	write_elf(a, hit);
	write_elf(b, &other);
	make_begin(&m);
	add_map(&m, 7, 0x10000, a, 1000);
	add_map(&m, 7, 0x20000, b, 1001);
	add_map(&m, 7, 0x30000, gone, 1002);
	add_sample(&m, 7, 0x10010, 1100);
	add_sample(&m, 7, 0x30010, 1101);
	make_end(&m, path);
}

TEST(build_ids_of_what_was_hit_or_of_all)
{
	struct inject_opts o = { .input = path_of("in"), .output = path_of("out"),
				 .build_ids = true };
	struct inject_result res;
	struct build_id hit;
	struct data_reader r;
	struct notes n;

	binaries(o.input, &hit);
	CHECK_EQ(run(&o, &res, &n, NULL), 0);
	CHECK_EQ(res.n_build_ids, 1);
	CHECK_EQ(data_open(&r, o.output, 0, NULL), 0);
	CHECK_EQ(r.feat.build_ids.n, 1);
	CHECK_EQ(r.feat.build_ids.v[0].bytes, hit.n);
	CHECK_MEM(r.feat.build_ids.v[0].id, hit.bytes, hit.n);
	CHECK(str_has_suffix(r.feat.build_ids.v[0].path, "/a.so"));
	data_close(&r);

	o.build_ids = false;
	o.buildid_all = true;
	CHECK_EQ(run(&o, &res, &n, NULL), 0);
	CHECK_EQ(res.n_build_ids, 2);		/* what is gone has none */
	CHECK_EQ(res.n_records, 5);
}

TEST(build_ids_in_the_mappings)
{
	struct inject_opts o = { .input = path_of("in"), .output = path_of("out"),
				 .mmap2_ids = true, .mmap2_all = true };
	struct inject_result res;
	struct build_id hit;
	struct notes n;

	binaries(o.input, &hit);
	CHECK_EQ(run(&o, &res, &n, NULL), 0);
	check_records(o.output, "MMAP2 1000 a.so+id @10000\nMMAP2 1001 b.so+id @20000\n"
			     "MMAP2 1002 gone.so @30000\nSAMPLE 1100\nSAMPLE 1101\n");
	o.mmap2_all = false;	/* without those of no sample */
	CHECK_EQ(run(&o, &res, &n, NULL), 0);
	check_records(o.output, "MMAP2 1000 a.so+id @10000\nMMAP2 1002 gone.so @30000\n"
			     "SAMPLE 1100\nSAMPLE 1101\n");
	CHECK_EQ(res.n_build_ids, 1);
}

/* --- code of JIT compilers */

static void w32(struct str *s, u32 v) { str_addn(s, &v, 4); }
static void w64(struct str *s, u64 v) { str_addn(s, &v, 8); }

static void dump_head(struct str *s, u64 flags)
{
	const u32 words[] = { 0x4A695444, 1, 40, 62, 0, JIT_PID };

	str_addn(s, words, sizeof(words));
	w64(s, 900);
	w64(s, flags);
}

static void record_head(struct str *s, u32 id, u32 body, u64 time)
{
	w32(s, id);
	w32(s, 16 + body);
	w64(s, time);
}

static void dump_load(struct str *s, const char *name, u64 va, u64 index, u64 time)
{
	record_head(s, JIT_CODE_LOAD, 40 + (u32)strlen(name) + 1 + 4, time);
	w32(s, JIT_PID);
	w32(s, JIT_PID);
	w64(s, va);
	w64(s, va);
	w64(s, 4);
	w64(s, index);
	str_addn(s, name, strlen(name) + 1);
	str_addn(s, "\x90\x90\x90\xc3", 4);
}

static void dump_move(struct str *s, u64 from, u64 to, u64 index, u64 time)
{
	record_head(s, JIT_CODE_MOVE, 48, time);
	w32(s, JIT_PID);
	w32(s, JIT_PID);
	w64(s, from);
	w64(s, from);
	w64(s, to);
	w64(s, 4);
	w64(s, index);
}

/* A recording that names the dump dir/NAME, with samples at 1000 and 3000. */
static void jit_recording(const char *path, const char *const *dumps, size_t n)
{
	struct maker m;

	make_begin(&m);
	for (size_t i = 0; i < n; i++)
		add_map(&m, JIT_PID, 0x70000 + i * 0x1000, dumps[i], 950);
	add_sample(&m, JIT_PID, 0x5000, 1000);
	add_sample(&m, JIT_PID, 0x5000, 3000);
	make_end(&m, path);
}

/* A dump with one function. */
static void one_dump(const char *path, u64 flags)
{
	struct str s = STR_INIT;

	dump_head(&s, flags);
	dump_load(&s, "f", 0x5000, 1, 2000);
	fix_spit(path, s.buf, s.len);
	str_release(&s);
}

TEST(code_stands_where_it_came)
{
	struct inject_opts o = { .input = path_of("in"), .output = path_of("out"), .jit = true };
	const char *dump = path_of("jit-1234.dump");
	char *made = path_of("jitted-1234-7.so");
	struct inject_result res;
	struct str s = STR_INIT;
	struct stat st;
	struct notes n;

	dump_head(&s, 0);
	dump_load(&s, "late", 0x9000, 8, 3000);		/* as old as a sample: before it */
	dump_load(&s, "f\nlines", 0x5000, 7, 2000);	/* not in the order of time */
	dump_move(&s, 0x5000, 0x6000, 7, 2500);
	dump_move(&s, 0x5000, 0x6000, 99, 2600);	/* of nothing */
	fix_spit(dump, s.buf, s.len);
	jit_recording(o.input, &dump, 1);
	CHECK_EQ(run(&o, &res, &n, NULL), 0);
	check_records(o.output, "MMAP2 950 jit-1234.dump @70000\nSAMPLE 1000\n"
			     "MMAP2 2000 jitted-1234-7.so+id @5000\n"
			     "MMAP2 2500 jitted-1234-7.so+id @6000\n"
			     "MMAP2 3000 jitted-1234-8.so+id @9000\nSAMPLE 3000\n");
	CHECK_EQ(res.n_dumps, 1);
	CHECK_EQ(res.n_loads, 2);
	CHECK_EQ(res.n_moves, 1);
	CHECK_EQ(res.n_bad, 1);
	CHECK_EQ(n.n_warnings, 0);
	CHECK_EQ(stat(made, &st), 0);
	CHECK_EQ(st.st_mode & 0777, 0644 & ~umask(022));
	str_release(&s);
}

/* What a stopped program left: up to its last whole record. */
TEST(cut_dump)
{
	struct inject_opts o = { .input = path_of("in"), .output = path_of("out"), .jit = true };
	const char *dump = path_of("jit-1234.dump");
	struct inject_result res;
	struct str s = STR_INIT;
	struct notes n;

	dump_head(&s, 0);
	dump_load(&s, "f", 0x5000, 1, 2000);
	dump_load(&s, "g", 0x6000, 2, 2001);
	fix_spit(dump, s.buf, s.len - 3);
	jit_recording(o.input, &dump, 1);
	CHECK_EQ(run(&o, &res, &n, NULL), 0);
	CHECK_EQ(res.n_loads, 1);
	CHECK_EQ(n.n_warnings, 1);
	CHECK(strstr(str_cstr(&n.text), "ends within a record"));
	str_release(&s);
}

/* A link that somebody left where the code goes is not followed. */
TEST(links_are_replaced)
{
	struct inject_opts o = { .input = path_of("in"), .output = path_of("out"), .jit = true };
	const char *dump = path_of("jit-1234.dump");
	char *made = path_of("jitted-1234-1.so"), *victim = path_of("victim");
	struct inject_result res;
	struct str kept = STR_INIT;
	struct stat st;
	struct notes n;

	fix_spit(victim, "mine", 4);
	CHECK_EQ(symlink(victim, made), 0);
	one_dump(dump, 0);
	jit_recording(o.input, &dump, 1);
	CHECK_EQ(run(&o, &res, &n, NULL), 0);
	fix_slurp(victim, &kept);
	CHECK_STR(str_cstr(&kept), "mine");
	CHECK_EQ(lstat(made, &st), 0);
	CHECK(S_ISREG(st.st_mode));
	str_release(&kept);
}

/* One dump that is none does not spoil another; alone it is the error. */
TEST(dumps_that_are_none)
{
	struct inject_opts o = { .input = path_of("in"), .output = path_of("out"), .jit = true };
	const char *dumps[] = { path_of("jit-1.dump"), path_of("jit-1234.dump") };
	struct inject_result res;
	struct err err = ERR_INIT;
	struct notes n;

	fix_spit(dumps[0], "no dump at all, but long enough for a header of one", 51);
	one_dump(dumps[1], 0);
	jit_recording(o.input, dumps, 2);
	CHECK_EQ(run(&o, &res, &n, NULL), 0);
	CHECK_EQ(res.n_loads, 1);
	CHECK_EQ(n.n_warnings, 1);
	CHECK(strstr(str_cstr(&n.text), "jit-1.dump' cannot be used"));

	jit_recording(o.input, dumps, 1);
	CHECK(run(&o, &res, &n, &err) < 0);
	CHECK(strstr(err.msg, "jit-1.dump' cannot be used"));
	err_release(&err);
	CHECK_EQ(unlink(dumps[0]), 0);
	CHECK_EQ(run(&o, &res, &n, &err), -ENOENT);
	CHECK(strstr(err.msg, "which process 1234 wrote"));
	err_release(&err);
}

/* Its name is there, too, but it is not the one that was recorded; -f takes it. */
TEST(dumps_of_another_machine)
{
	struct inject_opts o = { .input = path_of("in"), .output = path_of("out"), .jit = true };
	const char *dump = path_of("jit-1234.dump");
	struct inject_result res;
	struct err err = ERR_INIT;
	struct notes n;

	jit_recording(o.input, &dump, 1);	/* before there is one: without its number */
	one_dump(dump, 0);
	CHECK_EQ(run(&o, &res, &n, &err), -EPERM);
	CHECK(strstr(err.msg, "jit-1234.dump' is of this machine"));
	CHECK_EQ(access(path_of("jitted-1234-1.so"), F_OK), -1);
	err_release(&err);
	o.force = true;
	CHECK_EQ(run(&o, &res, &n, NULL), 0);
	CHECK_EQ(res.n_loads, 1);
}

/* Times of the processor's counter need the recording's word on how long a tick is. */
TEST(counter_times_without_conversion)
{
	struct inject_opts o = { .input = path_of("in"), .output = path_of("out"), .jit = true };
	const char *dump = path_of("jit-1234.dump");
	struct inject_result res;
	struct err err = ERR_INIT;
	struct notes n;

	one_dump(dump, 1);
	jit_recording(o.input, &dump, 1);
	CHECK_EQ(run(&o, &res, &n, &err), -ENOTSUP);
	CHECK(strstr(err.msg, "times of the processor's counter"));
	err_release(&err);
}

TEST(no_dump_is_said)
{
	struct inject_opts o = { .input = path_of("in"), .output = path_of("out"), .jit = true };
	struct inject_result res;
	struct notes n;

	CHECK_EQ(fix_write(o.input, 3, &plain, NULL), 0);
	CHECK_EQ(run(&o, &res, &n, NULL), 0);
	CHECK_EQ(n.n_warnings, 1);
	CHECK(str_has_prefix(str_cstr(&n.text),
			     "no process of the recording mapped a jitdump file"));
}
