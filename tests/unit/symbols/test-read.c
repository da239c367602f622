// SPDX-License-Identifier: GPL-2.0-or-later
/* The bytes that were running: of a file in the cache, of one that was replaced or deleted, of
 * the vdso. */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/symbols/dso.h"

struct fixture { struct os os; struct symbols_opts opts; struct dso_store *store; };

static void setup(struct fixture *f, const char *cache)
{
	memset(f, 0, sizeof(*f));
	os_init(&f->os);
	f->opts.buildid_dir = cache;
	f->opts.live = true;
	f->store = dso_store_new(&f->os, &f->opts);
}

static void teardown(struct fixture *f)
{
	dso_store_free(f->store);
	os_release(&f->os);
}

/* A program whose answer() returns n: its first bytes are b8 n 0 0 0 (mov $n,%eax), in memory as
 * in the file. */
static char *make(const char *name, int n)
{
	const char *dir = unit_tmpdir();
	char *cmd = xasprintf("cd '%s' && printf 'int answer(void) { return %d; }\\nint main(void) "
			      "{ return answer(); }\\n' >%s.c && "
			      "cc -O1 -fno-inline -fcf-protection=none -Wl,--build-id -o %s.new "
			      "%s.c 2>&1 && "
			      "mv %s.new %s", dir, n, name, name, name, name, name);

	if (arch_host()->elf_machine != EM_X86_64 || system("cc --version >/dev/null 2>&1"))
		SKIP("needs a compiler for x86-64");
	CHECK_EQ(system(cmd), 0);
	free(cmd);
	return xasprintf("%s/%s", dir, name);
}

static struct dso *get(struct fixture *f, const char *path, const struct build_id *id, u64 ino,
		       pid_t pid)
{
	struct dso_key k = { .kind = DSO_FILE, .path = path, .ino = ino, .pid = pid };

	if (id)
		k.id = *id;
	return dso_get(f->store, &k);
}

static void check_answer(struct dso *d, u8 n)
{
	const struct symbol *s = dso_find_name(d, "answer");
	u8 got[5] = { 0 }, want[5] = { 0xb8, n, 0, 0, 0 };

	CHECK(s != NULL);
	CHECK_EQ(dso_read(d, s->start_rva, got, 5), 5);
	CHECK_MEM(got, want, 5);
}

TEST(by_build_id)
{
	char *path = make("x", 17), *cache = xasprintf("%s/cache", unit_tmpdir()), *cmd;
	struct build_id old, new;
	struct str hex = STR_INIT;
	struct fixture f;
	u8 byte;

	CHECK_EQ(build_id_of_file(path, &old, NULL), 0);
	build_id_add(&hex, &old);
	cmd = xasprintf("cd '%s' && d=$(echo %s | sed 's:^..:cache/.build-id/&/:') && mkdir -p $d "
			"&& cp x $d/elf", unit_tmpdir(),
			str_cstr(&hex));
	CHECK_EQ(system(cmd), 0);
	free(path);
	path = make("x", 18);
	CHECK_EQ(build_id_of_file(path, &new, NULL), 0);
	setup(&f, cache);
	check_answer(get(&f, path, &old, 0, 0), 17);
	check_answer(get(&f, path, &new, 0, 0), 18);
	old.bytes[3] ^= 1;
	CHECK_EQ(dso_read(get(&f, path, &old, 0, 0), 0x1000, &byte, 1), 0);
	teardown(&f);
	str_release(&hex);
	free(cmd);
	free(cache);
	free(path);
}

/* It has no name any more, but a process has it mapped: this one. */
TEST(deleted)
{
	char *path = make("gone", 19), *shown = xasprintf("%s (deleted)", path);
	struct build_id id;
	struct fixture f;
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	u8 byte;

	CHECK(fd >= 0);
	CHECK_EQ(fstat(fd, &st), 0);
	CHECK_EQ(build_id_of_file(path, &id, NULL), 0);
	void *held = mmap(NULL, st.st_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	char *link = xasprintf("/proc/self/map_files/%lx-%lx", (unsigned long)held,
			       ((unsigned long)held + st.st_size + 4095) & ~4095UL);

	CHECK(held != MAP_FAILED);
	close(fd);
	CHECK_EQ(unlink(path), 0);
	fd = open(link, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		SKIP("/proc/PID/map_files may not be opened here");
	close(fd);
	free(make("gone", 20));		/* another one of that name */
	setup(&f, "");
	check_answer(get(&f, shown, &id, 0, getpid()), 19);
	check_answer(get(&f, path, &id, 0, getpid()), 19);
	/* nobody has it any more */
	munmap(held, st.st_size);
	CHECK_EQ(dso_read(get(&f, shown, &id, st.st_ino, getpid()), 0x1000, &byte, 1), 0);
	teardown(&f);
	free(link);
	free(shown);
	free(path);
}

TEST(vdso)
{
	const u8 *base = (const u8 *)getauxval(AT_SYSINFO_EHDR);
	struct dso_key k = { .kind = DSO_VDSO, .path = "[vdso]" };
	struct fixture f;
	u8 got[256];

	if (!base)
		SKIP("no vdso here");
	setup(&f, "");
	struct dso *d = dso_get(f.store, &k);
	const struct symbol *syms;
	size_t n = dso_symbols(d, &syms), checked = 0;

	CHECK(n > 0);
	for (size_t i = 0; i < n; i++) {
		u64 bytes = MIN(syms[i].end_rva - syms[i].start_rva, sizeof(got));

		if (syms[i].type != STT_FUNC)
			continue;
		CHECK_EQ(dso_read(d, syms[i].start_rva, got, bytes), bytes);
		CHECK_MEM(got, base + syms[i].start_rva, bytes);
		checked++;
	}
	CHECK(checked > 0);
	teardown(&f);
}

/* After the file's part of a segment memory is zero; after the segment there is none. */
TEST(edges)
{
	char *path = make("e", 21);
	struct fixture f;
	u8 got[8];

	setup(&f, "");
	struct dso *d = get(&f, path, NULL, 0, 0);
	const struct symbol *s = dso_find_name(d, "answer");

	CHECK(s != NULL);
	CHECK_EQ(dso_read(d, UINT64_MAX - 3, got, 8), 0);
	CHECK_EQ(dso_read(d, 1ULL << 40, got, 8), 0);
	CHECK_EQ(dso_read(d, s->start_rva, got, 0), 0);
	CHECK_EQ(truncate(path, 700), 0);
	CHECK_EQ(dso_read(d, s->start_rva, got, 8), 0);
	teardown(&f);
	free(path);
}
