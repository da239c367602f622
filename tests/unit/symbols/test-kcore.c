// SPDX-License-Identifier: GPL-2.0-or-later
/* Code and lines of the kernel and its modules: kcore files, made here, and modules that this
 * machine's compiler makes. */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/symbols/dso.h"
#include "util/symbols/module-file.h"

static void put(const char *dir, const char *path, const void *bytes, size_t n)
{
	char *full = xasprintf("%s/%s", dir, path), *slash = strrchr(full, '/');
	FILE *f;

	*slash = 0;
	CHECK_EQ(io_mkdirs(full, NULL), 0);
	*slash = '/';
	f = fopen(full, "w");
	CHECK(f != NULL);
	CHECK_EQ(fwrite(bytes, 1, n, f), n);
	CHECK_EQ(fclose(f), 0);
	free(full);
}

static void put_text(const char *dir, const char *path, const char *text)
{
	put(dir, path, text, strlen(text));
}

static const u8 id_a[20] = { 0x11, 0x22, 0x33 }, id_b[20] = { 0x44 };
#define ID_A_HEX "1122330000000000000000000000000000000000"

static void put_kernel_id(const char *dir, const u8 *id)
{
	char note[36] = { 4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0 };

	memcpy(note + 16, id, 20);
	put(dir, "sys/kernel/notes", note, sizeof(note));
}

/* A core file with kernel text and module text; each byte tells the low byte of its address,
 * plus mark. */
#define TEXT_VA 0xffffffff81000000ULL
#define MODULE_VA 0xffffffffc0001000ULL

static void put_kcore(const char *dir, const char *path, u64 text_va, u8 mark)
{
	struct { Elf64_Ehdr h; Elf64_Phdr p[2]; u8 text[512], module[256]; } c = {
		.h = { .e_ident = ELFMAG "\2\1\1", .e_type = ET_CORE, .e_machine = EM_X86_64,
		       .e_version = 1, .e_phoff = sizeof(Elf64_Ehdr),
		       .e_ehsize = sizeof(Elf64_Ehdr), .e_phentsize = sizeof(Elf64_Phdr),
		       .e_phnum = 2 },
	};

	c.p[0] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_flags = 7,
			       .p_offset = offsetof(typeof(c), text), .p_vaddr = text_va,
			       .p_filesz = sizeof(c.text), .p_memsz = sizeof(c.text) };
	c.p[1] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_flags = 7,
			       .p_offset = offsetof(typeof(c), module), .p_vaddr = MODULE_VA,
			       .p_filesz = sizeof(c.module), .p_memsz = sizeof(c.module) };
	for (size_t i = 0; i < sizeof(c.text); i++)
		c.text[i] = (u8)(i + mark);
	for (size_t i = 0; i < sizeof(c.module); i++)
		c.module[i] = (u8)(0x80 + i + mark);
	put(dir, path, &c, sizeof(c));
}

static const char kallsyms[] =
	"ffffffff81000000 T _text\n"
	"ffffffff81000100 T second\n"
	"ffffffffc0001000 t mod_a\t[ext9]\n"
	"ffffffffc0001040 T mod_b\t[ext9]\n";
static const char kallsyms_moved[] =
	"ffffffff91000000 T _text\n"
	"ffffffff91000100 T second_of_another_boot\n";

struct fixture { struct os os; struct symbols_opts opts; struct dso_store *store; };

static void setup(struct fixture *f, const char *dir)
{
	memset(f, 0, sizeof(*f));
	os_init_root(&f->os, dir);
	f->opts.buildid_dir = "";
	f->store = dso_store_new(&f->os, &f->opts);
}

static void teardown(struct fixture *f)
{
	dso_store_free(f->store);
	os_release(&f->os);
}

static struct dso *get(struct fixture *f, enum dso_kind kind, const char *path, const u8 *id,
		       u64 reloc_va, const char *ref)
{
	struct dso_key k = { .kind = kind, .path = path };
	struct dso *d;

	if (id) {
		k.id.n = 20;
		memcpy(k.id.bytes, id, 20);
	}
	d = dso_get(f->store, &k);
	dso_set_kernel_reloc(d, reloc_va, ref);
	return d;
}

static const char *name_at(struct dso *d, u64 rva)
{
	const struct symbol *s = dso_find(d, rva);

	return s ? s->name : "-";
}

static void check_bytes(struct dso *d, u64 rva, size_t n, u8 first)
{
	u8 got[16] = { 0 };

	CHECK_EQ(dso_read(d, rva, got, n), n);
	for (size_t i = 0; i < n; i++)
		CHECK_EQ(got[i], (u8)(first + i));
}

TEST(kcore_of_this_kernel)
{
	const char *dir = unit_tmpdir();
	struct fixture f;
	u8 byte;

	put_text(dir, "proc/kallsyms", kallsyms);
	put_text(dir, "proc/modules", "ext9 4096 0 - Live 0xffffffffc0001000\n");
	put_kernel_id(dir, id_a);
	put_kcore(dir, "proc/kcore", TEXT_VA, 0);
	setup(&f, dir);
	struct dso *k = get(&f, DSO_KERNEL, "[kernel.kallsyms]", id_a, TEXT_VA, "_text");

	check_bytes(k, TEXT_VA + 0x104, 8, 0x04);
	CHECK_EQ(dso_read(k, TEXT_VA + 510, &byte, 1), 1);
	CHECK_EQ(dso_read(k, TEXT_VA + 512, &byte, 1), 0);
	CHECK_STR(name_at(k, TEXT_VA + 0x104), "second");
	struct dso *m = get(&f, DSO_MODULE, "[ext9]", NULL, MODULE_VA, NULL);

	check_bytes(m, MODULE_VA + 0x40, 8, 0xc0);
	/* recorded at another place: the same machine, before it was booted again */
	struct dso *old = get(&f, DSO_KERNEL, "[guest.kernel.kallsyms]", id_a, TEXT_VA + 0x7000000,
			      "_text");

	CHECK_STR(name_at(old, TEXT_VA + 0x7000104), "second");
	check_bytes(old, TEXT_VA + 0x7000104, 8, 0x04);
	/* of another kernel nothing is read */
	struct dso *other = get(&f, DSO_KERNEL, "[kernel]", id_b, TEXT_VA, "_text");

	CHECK_EQ(dso_read(other, TEXT_VA, &byte, 1), 0);
	teardown(&f);
}

/* The boots that were kept: the one of the recording is chosen, not the newest. */
TEST(kcore_kept)
{
	const char *dir = unit_tmpdir();
	char *cache = xasprintf("%s/cache", dir);
	struct fixture f;

	put_text(dir, "proc/kallsyms", kallsyms);
	put_kernel_id(dir, id_b);
	put_kcore(dir, "cache/[kernel.kcore]/" ID_A_HEX "/2026010100000000/kcore", TEXT_VA, 1);
	put_text(dir, "cache/[kernel.kcore]/" ID_A_HEX "/2026010100000000/kallsyms", kallsyms);
	put_kcore(dir, "cache/[kernel.kcore]/" ID_A_HEX "/2026020200000000/kcore",
		  TEXT_VA + 0x10000000, 2);
	put_text(dir, "cache/[kernel.kcore]/" ID_A_HEX "/2026020200000000/kallsyms",
		 kallsyms_moved);
	setup(&f, dir);
	dso_store_free(f.store);
	f.opts.buildid_dir = cache;
	f.store = dso_store_new(&f.os, &f.opts);
	struct dso *k = get(&f, DSO_KERNEL, "[kernel.kallsyms]", id_a, TEXT_VA, "_text");

	CHECK_STR(name_at(k, TEXT_VA + 0x110), "second");
	check_bytes(k, TEXT_VA + 0x110, 8, 0x11);
	struct dso *m = get(&f, DSO_MODULE, "[ext9]", NULL, MODULE_VA, NULL);

	/* the newest boot that was kept had no such module */
	CHECK_STR(name_at(m, MODULE_VA + 0x41), "mod_b");
	/* recorded in a boot that was not kept: the newest one, moved */
	struct dso *g = get(&f, DSO_KERNEL, "[guest.kernel.kallsyms]", id_a, TEXT_VA + 0x20000000,
			    "_text");

	CHECK_STR(name_at(g, TEXT_VA + 0x20000110), "second_of_another_boot");
	check_bytes(g, TEXT_VA + 0x20000110, 8, 0x12);
	teardown(&f);
	free(cache);
}

/* --kallsyms FILE and -k KCORE with its neighbour. */
TEST(kcore_given)
{
	const char *dir = unit_tmpdir();
	char *file = xasprintf("%s/given/kallsyms", dir), *core = xasprintf("%s/given/kcore", dir);
	struct fixture f;

	put_text(dir, "given/kallsyms", kallsyms);
	put_kcore(dir, "given/kcore", TEXT_VA, 3);
	put_kernel_id(dir, id_b);
	setup(&f, dir);
	f.opts.kallsyms = file;
	struct dso *k = get(&f, DSO_KERNEL, "[kernel.kallsyms]", id_a, TEXT_VA, "_text");

	CHECK_STR(name_at(k, TEXT_VA + 0x110), "second");
	CHECK_STR(dso_file(k), file);
	check_bytes(k, TEXT_VA + 0x110, 8, 0x13);
	struct dso *m = get(&f, DSO_MODULE, "[ext9]", NULL, MODULE_VA, NULL);

	CHECK_STR(name_at(m, MODULE_VA + 0x41), "mod_b");
	check_bytes(m, MODULE_VA + 0x40, 4, 0xc3);
	struct dso *none = get(&f, DSO_MODULE, "[ext8]", NULL, MODULE_VA, NULL);
	char *reason = xasprintf("'%s' has no symbols of module 'ext8'", file);

	CHECK_STR(name_at(none, MODULE_VA), "-");
	CHECK_STR(dso_reason(none), reason);
	f.opts.kallsyms = NULL;
	f.opts.vmlinux = core;
	k = get(&f, DSO_KERNEL, "[guest.kernel.kallsyms]", id_a, TEXT_VA, "_text");
	CHECK_STR(name_at(k, TEXT_VA + 0x110), "second");
	check_bytes(k, TEXT_VA + 0x110, 8, 0x13);
	CHECK_EQ(unlink(file), 0);
	k = get(&f, DSO_KERNEL, "[kernel]", id_a, TEXT_VA, "_text");
	free(reason);
	reason = xasprintf("cannot open '%s': No such file or directory", file);
	CHECK_STR(name_at(k, TEXT_VA), "-");
	CHECK_STR(dso_reason(k), reason);
	teardown(&f);
	free(reason);
	free(file);
	free(core);
}

static const char module_source[] =
	"volatile int sink;\n"
	"static inline __attribute__((always_inline)) void inner(int x)\n"
	"{ sink += x; }\n"
	"__attribute__((section(\".init.text\"))) void starting(void) { sink = 1; }"
	"__attribute__((section(\".init.text\"))) static int begin(void) { return sink = 5; }"
	"int init_module(void) __attribute__((alias(\"begin\")));\n"
	"__attribute__((noinline)) int first(int x) { sink = x; return x + 1; }\n"
	"__attribute__((section(\".exit.text\"))) int leaving(void) { return sink = 2; }\n"
	"__attribute__((section(\".text.unlikely\"))) int second(int x) { inner(x); return 3; }\n";

struct packing { const char *suffix, *command; };

static bool can_make_module(void)
{
	return arch_host()->elf_machine == EM_X86_64 &&
		!system("cc --version >/dev/null 2>&1 && ld --version >/dev/null 2>&1");
}

/* Of module_source: its path, which the caller frees. */
static char *make_module(const char *dir, struct build_id *id)
{
	char *cmd = xasprintf("cd '%s' && cat >m.c <<'END'\n%sEND\ncc -O1 -g -fno-pie "
			      "-ffreestanding -c m.c && "
			      "ld -r --build-id=sha1 -o ext8.ko m.o", dir, module_source);
	char *path = xasprintf("%s/ext8.ko", dir);

	CHECK_EQ(system(cmd), 0);
	CHECK_EQ(build_id_of_file(path, id, NULL), 0);
	free(cmd);
	return path;
}

/* Symbols, code and lines of a module that is not loaded, by its file as the kernel would have
 * laid it out. */
TEST(modules)
{
	static const struct packing packings[] = {
		{ "", "true" }, { ".xz", "xz -k ext8.ko" }, { ".zst", "zstd -q ext8.ko" },
			{ ".gz", "gzip -k ext8.ko" },
	};
	const char *dir = unit_tmpdir();
	struct build_id id;
	struct fixture f;

	if (!can_make_module())
		SKIP("needs a compiler for x86-64");
	char *path = make_module(dir, &id);
	for (size_t i = 0; i < ARRAY_SIZE(packings); i++) {
		char *pack = xasprintf("cd '%s' && %s 2>/dev/null", dir, packings[i].command);
		char *file = xasprintf("%s%s", path, packings[i].suffix);
		const struct inline_frame *fr;
		struct srcline line;
		u8 code[4], zero[4] = { 0 };

		if (system(pack) == 0) {
			memset(&f, 0, sizeof(f));
			os_init(&f.os);		/* the real machine: files may be opened */
			f.opts.buildid_dir = "";
			f.store = dso_store_new(&f.os, &f.opts);
			struct dso *m = get(&f, DSO_MODULE, file, id.bytes, MODULE_VA, NULL);
			const struct symbol *a = dso_find_name(m, "first"),
				*b = dso_find_name(m, "second");

			CHECK(a != NULL && b != NULL);
			CHECK_EQ(a->start_rva, MODULE_VA);
			CHECK(dso_find_name(m, "leaving") != NULL);
			CHECK(dso_find_name(m, "starting") == NULL);
			CHECK(b->start_rva > a->end_rva && b->start_rva < MODULE_VA + 256);
			CHECK(dso_srcline(m, a->start_rva, &line));
			CHECK_EQ(line.line, 5);
			CHECK_EQ(dso_inlines(m, b->start_rva, &fr), 2);
			CHECK_STR(fr[0].name, "inner");
			CHECK_EQ(fr[0].at.line, 3);
			CHECK_STR(fr[1].name, "second");
			CHECK_EQ(fr[1].at.line, 7);
			CHECK_EQ(dso_read(m, a->start_rva, code, 4), 4);
			CHECK(memcmp(code, zero, 4) != 0);
			teardown(&f);
		}
		free(file);
		free(pack);
	}
	free(path);
}

#define INIT_VA (MODULE_VA + 0x100000)

/* The module's code, and its init code that lay elsewhere: as its file has it, and as a recorder
 * reads that. */
static void check_init(struct dso *m)
{
	const struct symbol *s = dso_find(m, INIT_VA), *b = dso_find_name(m, "begin");
	struct srcline line;
	u8 code[4], zero[4] = { 0 };

	CHECK(s != NULL && b != NULL);
	CHECK_STR(s->name, "starting");
	CHECK_EQ(s->start_rva, INIT_VA);
	CHECK(b->start_rva >= s->end_rva && b->end_rva < INIT_VA + 256);
	CHECK_STR(dso_find(m, b->start_rva)->name, "begin");	/* not what all modules call it */
	CHECK(dso_find(m, INIT_VA - 1) == NULL || dso_find(m, INIT_VA - 1)->start_rva < INIT_VA -
	      0x1000);
	CHECK(dso_srcline(m, INIT_VA, &line));
	CHECK_EQ(line.line, 4);
	CHECK_EQ(dso_read(m, INIT_VA, code, 4), 4);
	CHECK(memcmp(code, zero, 4) != 0);
}

TEST(module_init_code)
{
	const char *dir = unit_tmpdir();
	struct build_id id, other = { { 1 }, 20 };
	struct module_init mi;
	struct fixture f = { 0 };

	if (!can_make_module())
		SKIP("needs a compiler for x86-64");
	char *path = make_module(dir, &id);
	os_init(&f.os);
	f.opts.buildid_dir = "";
	f.store = dso_store_new(&f.os, &f.opts);
	struct dso *m = get(&f, DSO_MODULE, path, id.bytes, MODULE_VA, NULL);

	CHECK_EQ(dso_set_module_init(m, INIT_VA, 64), INIT_VA);
	CHECK_EQ(dso_set_module_init(m, INIT_VA + 0x5000, 64), INIT_VA);	/* loaded again */
	check_init(m);
	CHECK_EQ(dso_find_name(m, "first")->start_rva, MODULE_VA);

	CHECK_EQ(module_init_read(path, &id, &mi), 0);
	CHECK_EQ(mi.functions.n, 2);
	CHECK_STR(mi.functions.v[0].name, "starting");
	CHECK_EQ(mi.functions.v[0].off, 0);
	CHECK_STR(mi.functions.v[1].name, "begin");
	CHECK(mi.functions.v[1].off + mi.functions.v[1].bytes <= mi.bytes && mi.bytes < 256);
	module_init_release(&mi);
	CHECK_EQ(module_init_read(path, &other, &mi), -ESTALE);
	CHECK_EQ(module_init_read(dir, &id, &mi) < 0, true);
	module_init_release(&mi);
	teardown(&f);
	free(path);
}

/* No file: what the recording itself names. */
TEST(module_init_code_by_the_recording)
{
	struct fixture f = { 0 };

	os_init(&f.os);
	f.opts.buildid_dir = "";
	f.store = dso_store_new(&f.os, &f.opts);
	struct dso *m = get(&f, DSO_MODULE, "[ext8]", NULL, MODULE_VA, NULL);

	dso_set_module_init(m, INIT_VA, 64);
	dso_add_symbol(m, INIT_VA, INIT_VA + 16, "starting");
	CHECK_STR(name_at(m, INIT_VA + 15), "starting");
	CHECK(dso_find(m, INIT_VA + 16) == NULL);
	CHECK(dso_reason(m) != NULL);		/* the rest has no names */
	teardown(&f);
}

static const char object_source[] =
	"volatile int sink;\n"
	"static inline __attribute__((always_inline)) void inner(int x)\n"
	"{ sink += x; }\n"
	"int before(int x) { return x; }\n"
	"int first(int x) {\n"
	"inner(x); return 3; }\n";

/* Objects of other machines, big-endian ones among them: symbols, lines and inlined calls read
 * here. */
TEST(other_machines)
{
	static const struct { const char *target; u16 machine; } others[] = {
		{ "s390x-linux-gnu", EM_S390 }, { "powerpc64-linux-gnu", EM_PPC64 },
			{ "powerpc-linux-gnu", EM_PPC },
		{ "aarch64-linux-gnu", EM_AARCH64 }, { "aarch64_be-linux-gnu", EM_AARCH64 },
		{ "armv7-linux-gnueabihf", EM_ARM },
		{ "i386-linux-gnu", EM_386 }, { "x86_64-linux-gnu", EM_X86_64 },
	};
	const char *dir = unit_tmpdir();
	int done = 0;

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		char *cmd = xasprintf("cd '%s' && cat >o.c <<'END'\n%sEND\nclang --target=%s -O1 "
				      "-g -ffreestanding -fno-pic -c -o o.o o.c "
				      ">/dev/null 2>&1", dir, object_source, others[i].target);
		char *path = xasprintf("%s/o.o", dir);
		const struct inline_frame *fr;
		struct srcline line;
		struct fixture f;

		if (system(cmd) == 0) {
			memset(&f, 0, sizeof(f));
			os_init(&f.os);
			f.opts.buildid_dir = "";
			f.store = dso_store_new(&f.os, &f.opts);
			struct dso *d = get(&f, DSO_FILE, path, NULL, 0, NULL);
			const struct symbol *s = dso_find_name(d, "first");

			CHECK(s != NULL);
			CHECK(dso_srcline(d, s->start_rva, &line));
			/* instructions are mixed on some machines */
			CHECK(line.line == 3 || line.line == 5);
			CHECK(str_has_suffix(line.file, "/o.c"));
			size_t n = 0;

			for (u64 at = s->start_rva; at < s->end_rva && n == 0; at++)
				n = dso_inlines(d, at, &fr);
			CHECK_EQ(n, 2);
			CHECK_STR(fr[0].name, "inner");
			CHECK_EQ(fr[0].at.line, 3);
			CHECK_STR(fr[1].name, "first");
			CHECK_EQ(fr[1].at.line, 6);
			teardown(&f);
			done++;
		}
		free(cmd);
		free(path);
	}
	if (!done)
		SKIP("no clang here");
}
