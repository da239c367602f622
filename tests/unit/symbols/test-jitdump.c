// SPDX-License-Identifier: GPL-2.0-or-later
/* jitdump files, good and hostile, in both byte orders; and the ELF files made of their code,
 * read back. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"
#include "util/base/xalloc.h"
#include "util/elf/elf-write.h"
#include "util/symbols/dso.h"
#include "util/symbols/jitdump.h"

struct bytes { struct str s; bool swap; };

static void w32(struct bytes *b, u32 v)
{
	v = b->swap ? __builtin_bswap32(v) : v;
	str_addn(&b->s, &v, 4);
}

static void w64(struct bytes *b, u64 v)
{
	v = b->swap ? __builtin_bswap64(v) : v;
	str_addn(&b->s, &v, 8);
}

static void head(struct bytes *b, u32 version, u32 size)
{
	w32(b, 0x4A695444);
	w32(b, version);
	w32(b, size);
	w32(b, EM_X86_64);
	w32(b, 0);
	w32(b, 1234);
	w64(b, 1000);
	w64(b, 0);
}

static void record(struct bytes *b, u32 id, u32 body, u64 time)
{
	w32(b, id);
	w32(b, 16 + body);
	w64(b, time);
}

static void load(struct bytes *b, const char *name, u64 va, u64 said_bytes, const char *code,
		 size_t n)
{
	record(b, JIT_CODE_LOAD, 40 + (u32)strlen(name) + 1 + (u32)n, 2000);
	w32(b, 1234);
	w32(b, 1235);
	w64(b, va);
	w64(b, va);
	w64(b, said_bytes);
	w64(b, 7);
	str_addn(&b->s, name, strlen(name) + 1);
	str_addn(&b->s, code, n);
}

static void good(struct bytes *b)
{
	head(b, 1, 40);
	record(b, JIT_CODE_DEBUG, 16 + 16 + 4 + 16 + 2, 1500);
	w64(b, 0x5000);
	w64(b, 2);
	w64(b, 0x5000);
	w32(b, 3);
	w32(b, 0);
	str_addn(&b->s, "a.x", 4);
	w64(b, 0x5002);
	w32(b, 4);
	w32(b, 0);
	str_addn(&b->s, "\xff", 2);
	record(b, JIT_CODE_UNWIND, 24 + 16, 1600);
	w64(b, 16);
	w64(b, 4);
	w64(b, 16);
	str_addn(&b->s, "0123456789ab\1\x1b\3\x3b", 16);
	load(b, "made", 0x5000, 4, "\x90\x90\x90\xc3", 4);
	record(b, JIT_CODE_MOVE, 48, 3000);
	w32(b, 1234);
	w32(b, 1235);
	w64(b, 0x6000);
	w64(b, 0x5000);
	w64(b, 0x6000);
	w64(b, 4);
	w64(b, 7);
	record(b, JIT_CODE_CLOSE, 0, 4000);
}

static void check_good(bool swap)
{
	struct bytes b = { .swap = swap };
	struct jitdump d;
	struct jit_record r;
	struct jit_line l;
	const char *prev = "";

	good(&b);
	CHECK_EQ(jitdump_init(&d, b.s.buf, b.s.len, NULL), 0);
	CHECK_EQ(d.swap, swap);
	CHECK_EQ(d.pid, 1234);
	CHECK_EQ(d.machine, EM_X86_64);
	CHECK_EQ(d.time_ns, 1000);
	CHECK_EQ(jitdump_next(&d, &r), 1);
	CHECK_EQ(r.id, JIT_CODE_DEBUG);
	CHECK_EQ(r.va, 0x5000);
	CHECK(jitdump_line(&r.lines, &prev, &l));
	CHECK_EQ(l.line, 3);
	CHECK_STR(l.file, "a.x");
	CHECK(jitdump_line(&r.lines, &prev, &l));
	CHECK_EQ(l.va, 0x5002);
	CHECK_STR(l.file, "a.x");
	CHECK(!jitdump_line(&r.lines, &prev, &l));
	CHECK_EQ(jitdump_next(&d, &r), 1);
	CHECK_EQ(r.id, JIT_CODE_UNWIND);
	CHECK_EQ(r.unwind.len, 16);
	CHECK_EQ(r.unwind_hdr_bytes, 4);
	CHECK_EQ(jitdump_next(&d, &r), 1);
	CHECK_EQ(r.id, JIT_CODE_LOAD);
	CHECK_STR(r.name, "made");
	CHECK_EQ(r.tid, 1235);
	CHECK_EQ(r.time, 2000);
	CHECK_EQ(r.code.len, 4);
	CHECK_EQ(r.code.ptr[3], 0xc3);
	CHECK_EQ(r.index, 7);
	CHECK_EQ(jitdump_next(&d, &r), 1);
	CHECK_EQ(r.id, JIT_CODE_MOVE);
	CHECK_EQ(r.old_va, 0x5000);
	CHECK_EQ(r.va, 0x6000);
	CHECK_EQ(jitdump_next(&d, &r), 1);
	CHECK_EQ(r.id, JIT_CODE_CLOSE);
	CHECK_EQ(jitdump_next(&d, &r), 0);
	CHECK(!d.cut);
	CHECK_EQ(d.n_bad, 0);
	str_release(&b.s);
}

TEST(jitdump_good)
{
	check_good(false);
	check_good(true);
}

/* Cut anywhere: never a read beyond the end (the copy ends where its memory does), and what came
 * whole is handed out. */
TEST(jitdump_cut)
{
	struct bytes b = { .swap = false };

	good(&b);
	for (size_t n = 0; n < b.s.len; n++) {
		u8 *copy = xmemdup(b.s.buf, n ? n : 1);
		struct jitdump d;
		struct jit_record r;
		int whole = 0;

		if (n < 40) {
			CHECK(jitdump_init(&d, copy, n, NULL) < 0);
		} else {
			CHECK_EQ(jitdump_init(&d, copy, n, NULL), 0);
			while (jitdump_next(&d, &r) > 0)
				whole++;
			CHECK(whole < 5);
			CHECK(d.cut || whole || n == 40);
		}
		free(copy);
	}
	str_release(&b.s);
}

TEST(jitdump_hostile)
{
	struct bytes b = { .swap = false };
	struct jitdump d;
	struct jit_record r;

	CHECK(jitdump_init(&d, "DTiJxxxx", 8, NULL) < 0);
	head(&b, 2, 40);
	CHECK(jitdump_init(&d, b.s.buf, b.s.len, NULL) < 0);
	str_reset(&b.s);
	head(&b, 1, 4000);
	CHECK(jitdump_init(&d, b.s.buf, b.s.len, NULL) < 0);
	str_reset(&b.s);
	head(&b, 1, 40);
	load(&b, "zero", 0x1000, 0, "", 0);
	load(&b, "wraps", ~0ULL - 2, 16, "", 0);
	load(&b, "huge", 0x1000, 1ULL << 40, "", 0);
	load(&b, "short", 0x1000, 100, "1234", 4);
	record(&b, JIT_CODE_UNWIND, 24, 1);
	w64(&b, 1ULL << 60);
	w64(&b, 0);
	w64(&b, 0);
	record(&b, JIT_CODE_UNWIND, 24 + 4, 1);
	w64(&b, 4);
	w64(&b, 5);
	w64(&b, 0);
	str_addn(&b.s, "abcd", 4);
	record(&b, JIT_CODE_MOVE, 4, 1);
	w32(&b, 0);
	record(&b, 99, 0, 1);
	load(&b, "undumped", 0x1000, 100, "", 0);
	CHECK_EQ(jitdump_init(&d, b.s.buf, b.s.len, NULL), 0);
	CHECK_EQ(jitdump_next(&d, &r), 1);	/* all but the last are left out */
	CHECK_STR(r.name, "undumped");
	CHECK_EQ(r.code.len, 0);
	CHECK_EQ(d.n_bad, 8);
	CHECK_EQ(jitdump_next(&d, &r), 0);
	str_release(&b.s);
}

TEST(jitdump_elf_read_back)
{
	const struct elf_line lines[] = { { 0, 10, "made.x" }, { 4, 12, "made.x" },
					  { 6, 3, "/other.x" } };
	struct elf_function f = { .machine = EM_X86_64, .name = "made_up",
				  .code = { (const u8 *)"12345678", 8 }, .bytes = 8,
				  .lines = lines, .n_lines = 3 };
	struct symbols_opts opts = { .buildid_dir = "" };
	struct build_id id, again, its;
	struct str out = STR_INIT, out2 = STR_INIT;
	struct srcline at;
	char *path = xasprintf("%s/made.so", unit_tmpdir()), code[8];
	struct os os;
	FILE *fp;

	elf_write_function(&f, &out, &id);
	elf_write_function(&f, &out2, &again);
	CHECK(build_id_equal(&id, &again));
	CHECK_EQ(out.len, out2.len);
	fp = fopen(path, "w");
	CHECK(fp != NULL);
	CHECK_EQ(fwrite(out.buf, 1, out.len, fp), out.len);
	CHECK_EQ(fclose(fp), 0);
	CHECK_EQ(build_id_of_file(path, &its, NULL), 0);
	CHECK(build_id_equal(&id, &its));
	os_init(&os);
	struct dso_store *store = dso_store_new(&os, &opts);
	struct dso_key k = { .kind = DSO_FILE, .path = path, .id = id };
	struct dso *d = dso_get(store, &k);
	const u64 rva = dso_off_to_rva(d, ELF_FUNCTION_TEXT_OFF);
	const struct symbol *s = dso_find(d, rva + 7);

	CHECK(s != NULL);
	CHECK_STR(s->name, "made_up");
	CHECK(!dso_find(d, rva + 8));
	CHECK_EQ(dso_read(d, rva, code, 8), 8);
	CHECK(!memcmp(code, "12345678", 8));
	CHECK(dso_srcline(d, rva + 5, &at));
	CHECK_EQ(at.line, 12);
	CHECK(strstr(at.file, "made.x") != NULL);
	CHECK(dso_srcline(d, rva + 6, &at));
	CHECK_STR(at.file, "/other.x");
	CHECK_EQ(at.line, 3);
	dso_store_free(store);
	os_release(&os);
	f.name = "other";
	str_reset(&out2);
	elf_write_function(&f, &out2, &again);
	CHECK(!build_id_equal(&id, &again));
	str_release(&out);
	str_release(&out2);
	free(path);
}
