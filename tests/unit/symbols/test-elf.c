// SPDX-License-Identifier: GPL-2.0-or-later
/* Symbols, identity and debug files of ELF files that the compiler of this machine makes;
 * skipped without one. */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/symbols/cfi.h"
#include "util/symbols/dso.h"

struct fixture { struct os os; struct symbols_opts opts; struct dso_store *store; };

static void setup_cache(struct fixture *f, const char *dir)
{
	memset(f, 0, sizeof(*f));
	os_init(&f->os);
	f->opts.buildid_dir = dir;
	f->store = dso_store_new(&f->os, &f->opts);
}

static void setup(struct fixture *f)
{
	setup_cache(f, "");
}

static void teardown(struct fixture *f)
{
	dso_store_free(f->store);
	os_release(&f->os);
}

static struct dso *get(struct fixture *f, const char *path, const struct build_id *id, u64 ino)
{
	struct dso_key k = { .kind = DSO_FILE, .path = path, .ino = ino };

	if (id)
		k.id = *id;
	return dso_get(f->store, &k);
}

static const char *name_at(struct dso *d, u64 rva)
{
	const struct symbol *s = dso_find(d, rva);

	return s ? s->name : "-";
}

static const char source[] =
	"#include <stdlib.h>\n"
	"int data_object[4] = { 1 };\n"
	"__attribute__((noinline)) int global_one(int x) { return x * data_object[x & 3]; }\n"
	"__attribute__((noinline)) static int local_one(int x) { return global_one(x) + 1; }\n"
	"int global_alias(int x) __attribute__((alias(\"global_one\")));\n"
	"int __weak_alias(int x) __attribute__((weak, alias(\"global_one\")));\n"
	"int main(int argc, char **argv) { (void)argv; return local_one(argc) + (malloc(argc) != "
	"NULL); }\n"
	"__asm__(\".text\\nzero_sized:\\n.Lhidden:\\nnop\\nnop\\n.type "
	"zero_sized,@function\\n.globl zero_sized\\nret\\n\");\n";

/* Compiles source in the test's directory; runs more commands there. The result's path is the
 * caller's. */
static char *build(const char *flags, const char *more)
{
	const char *dir = unit_tmpdir();
	char *cmd;

	if (system("cc --version >/dev/null 2>&1") || system("objcopy --version >/dev/null 2>&1"))
		SKIP("no compiler or objcopy here");
	cmd = xasprintf("cd '%s' && cat >x.c <<'END'\n%sEND\ncc -Wl,--build-id %s -o x x.c 2>&1 && "
			"{ %s ; }", dir, source, flags,
			more ? more : "true");
	CHECK_EQ(system(cmd), 0);
	free(cmd);
	return xasprintf("%s/x", dir);
}

static void check_symbols(struct dso *d, bool full)
{
	const struct symbol *g = dso_find_name(d, "global_alias");

	CHECK(dso_reason(d) == NULL);
	CHECK(dso_find_name(d, "__weak_alias") == NULL);
	CHECK(g != NULL);		/* of equals the longer name */
	CHECK(g->end_rva > g->start_rva);
	CHECK_STR(name_at(d, g->end_rva - 1), "global_alias");
	if (!full)
		return;
	CHECK(dso_find_name(d, "local_one") != NULL);
	const struct symbol *z = dso_find_name(d, "zero_sized"),
		*o = dso_find_name(d, "data_object");

	CHECK(z != NULL && o != NULL);
	CHECK(z->end_rva >= z->start_rva + 3);
	CHECK_EQ(o->end_rva - o->start_rva, 16);
	CHECK(dso_find_name(d, ".Lhidden") == NULL);
	CHECK(dso_find_name(d, "malloc@plt") != NULL);
}

TEST(symtab_pie)
{
	struct fixture f;
	char *path = build("-O1 -fPIE -pie", NULL), *exec;
	u8 code[4], want[4];

	setup(&f);
	struct dso *d = get(&f, path, NULL, 0);

	check_symbols(d, true);
	CHECK_STR(dso_file(d), path);
	CHECK_EQ(d->id.n, 20);
	/* file offsets, rva and bytes agree */
	const struct symbol *m = dso_find_name(d, "main");
	u64 off = dso_rva_to_off(d, m->start_rva);
	FILE *file = fopen(path, "r");

	CHECK_EQ(dso_off_to_rva(d, off), m->start_rva);
	CHECK_EQ(fseek(file, off, SEEK_SET), 0);
	CHECK_EQ(fread(want, 1, 4, file), 4);
	CHECK_EQ(dso_read(d, m->start_rva, code, 4), 4);
	CHECK_MEM(code, want, 4);
	fclose(file);
	teardown(&f);
	free(path);
	exec = build("-O1 -no-pie -fno-pie", NULL);
	setup(&f);
	check_symbols(get(&f, exec, NULL, 0), true);
	teardown(&f);
	free(exec);
}

TEST(dynsym_only)
{
	struct fixture f;
	char *path = build("-O1 -rdynamic", "strip x");

	setup(&f);
	check_symbols(get(&f, path, NULL, 0), false);
	teardown(&f);
	free(path);
}

TEST(debuglink)
{
	struct fixture f;
	char *path = build("-O1 -g", "mkdir -p .debug && objcopy --only-keep-debug x "
				     ".debug/x.debug && strip x && "
			   "objcopy --add-gnu-debuglink=.debug/x.debug x");
	struct srcline line;

	setup(&f);
	struct dso *d = get(&f, path, NULL, 0);

	check_symbols(d, true);
	CHECK(dso_srcline(d, dso_find_name(d, "main")->start_rva, &line));
	CHECK(str_has_suffix(line.file, "/x.c"));
	CHECK_EQ(line.line, 7);
	teardown(&f);
	free(path);
}

TEST(debuglink_of_another_build)
{
	struct fixture f;
	char *path = build("-O1 -g -Wl,--build-id=none",
			   "objcopy --only-keep-debug x x.debug && strip x && "
			   "objcopy --add-gnu-debuglink=x.debug x && echo >>x.debug");

	setup(&f);
	struct dso *d = get(&f, path, NULL, 0);

	CHECK(dso_find_name(d, "local_one") == NULL);
	teardown(&f);
	free(path);
}

TEST(minidebuginfo)
{
	struct fixture f;

	if (system("xz --version >/dev/null 2>&1"))
		SKIP("no xz here");
	char *path = build("-O1", "objcopy --only-keep-debug x mini && xz mini && strip x && "
			   "objcopy --add-section .gnu_debugdata=mini.xz x");

	setup(&f);
	check_symbols(get(&f, path, NULL, 0), true);
	teardown(&f);
	free(path);
}

TEST(compressed_sections)
{
	struct fixture f;
	char *path = build("-O1 -g -gz=zlib", NULL);
	struct srcline line;

	setup(&f);
	struct dso *d = get(&f, path, NULL, 0);

	CHECK(dso_srcline(d, dso_find_name(d, "main")->start_rva, &line));
	CHECK_EQ(line.line, 7);
	teardown(&f);
	free(path);
}

TEST(identity)
{
	struct fixture f;
	char *path = build("-O1", NULL);
	struct build_id id, other = { .n = 20, .bytes = { 1, 2, 3 } };
	struct stat st;

	CHECK_EQ(build_id_of_file(path, &id, NULL), 0);
	CHECK_EQ(stat(path, &st), 0);
	setup(&f);
	CHECK(dso_find_name(get(&f, path, &id, 0), "main") != NULL);
	struct dso *d = get(&f, path, &other, 0);

	CHECK(dso_find_name(d, "main") == NULL);
	CHECK(dso_file(d) == NULL);
	CHECK(strstr(dso_reason(d), "its build-id is ") != NULL);
	CHECK(dso_find_name(get(&f, path, NULL, st.st_ino), "main") != NULL);
	d = get(&f, path, NULL, st.st_ino + 1);
	CHECK(strstr(dso_reason(d), "its inode is ") != NULL);
	/* deleted: the file of that name now may be another */
	char *gone = xasprintf("%s (deleted)", path);

	d = get(&f, gone, NULL, 0);
	CHECK(dso_find_name(d, "main") == NULL);
	CHECK(strstr(dso_reason(d), "was deleted") != NULL);
	CHECK(dso_find_name(get(&f, gone, &id, 0), "main") != NULL);
	free(gone);
	teardown(&f);
	free(path);
}

/* A kernel image that was linked elsewhere than it ran. */
TEST(vmlinux)
{
	struct fixture f;
	char *path = build("-O1 -g -no-pie -fno-pie", NULL);
	struct srcline line;
	u8 code[4], want[4];
	struct build_id id, other = { .n = 20, .bytes = { 1 } };
	struct dso_key k = { .kind = DSO_KERNEL, .path = "[kernel.kallsyms]" };
	u64 ref, local;

	CHECK_EQ(build_id_of_file(path, &id, NULL), 0);
	setup(&f);
	ref = dso_find_name(get(&f, path, NULL, 0), "main")->start_rva;
	local = dso_find_name(get(&f, path, NULL, 0), "local_one")->start_rva;
	f.opts.vmlinux = path;
	k.id = id;
	struct dso *d = dso_get(f.store, &k);

	dso_set_kernel_reloc(d, ref + 0xffffffff12000000, "main");
	CHECK_STR(name_at(d, local + 0xffffffff12000000), "local_one");
	CHECK_STR(name_at(d, local), "-");
	CHECK_STR(dso_file(d), path);
	CHECK_EQ(dso_read(d, local + 0xffffffff12000000, code, 4), 4);
	CHECK_EQ(dso_read(get(&f, path, NULL, 0), local, want, 4), 4);
	CHECK_MEM(code, want, 4);
	CHECK(dso_srcline(d, local + 0xffffffff12000000, &line));
	CHECK_EQ(line.line, 4);
	k.id = other;
	d = dso_get(f.store, &k);
	CHECK(dso_find_name(d, "main") == NULL);
	CHECK(strstr(dso_reason(d), "has another build-id than the recorded kernel") != NULL);
	teardown(&f);
	free(path);
}

/* Unwind tables that only the separate debug file has. */
TEST(debug_frame_of_debug_file)
{
	struct fixture f;
	char *path = build("-O1 -g -fno-asynchronous-unwind-tables -fno-unwind-tables",
			   "objcopy --only-keep-debug x x.debug && "
			   "strip -R .eh_frame x && objcopy --add-gnu-debuglink=x.debug x");
	struct cfi_rule r;

	setup(&f);
	struct dso *d = get(&f, path, NULL, 0);
	const struct symbol *s = dso_find_name(d, "global_alias");

	CHECK(s != NULL);
	if (dso_cfi(d, s->start_rva, &r) == -ENOENT && arch_host()->elf_machine != EM_X86_64)
		SKIP("this machine's compiler writes none");
	CHECK_EQ(dso_cfi(d, s->start_rva, &r), 0);
	CHECK(s->start_rva >= r.start_rva && s->start_rva < r.end_rva);
	CHECK_EQ(r.cfa_how, CFI_REG);
	CHECK_EQ(dso_cfi(d, UINT64_MAX - 1, &r), -ENOENT);
	teardown(&f);
	free(path);
}

TEST(symfs_and_missing)
{
	struct fixture f;
	char *path = build("-O1", "mkdir -p root/opt && cp x root/opt/x"),
		*root = xasprintf("%s/root", unit_tmpdir());

	setup(&f);
	f.opts.symfs = root;
	CHECK(dso_find_name(get(&f, "/opt/x", NULL, 0), "main") != NULL);
	struct dso *d = get(&f, "/opt/y", NULL, 0);

	CHECK(strstr(dso_reason(d), "/root/opt/y' does not exist") != NULL);
	teardown(&f);
	free(root);
	free(path);
}

TEST(cache_by_build_id)
{
	struct fixture f;
	struct build_id id;
	struct str hex = STR_INIT;
	char *path = build("-O1", NULL), *cmd, *cache = xasprintf("%s/cache", unit_tmpdir());

	CHECK_EQ(build_id_of_file(path, &id, NULL), 0);
	build_id_add(&hex, &id);
	cmd = xasprintf("cd '%s' && d=$(echo %s | sed 's:^..:cache/.build-id/&/:') && mkdir -p $d "
			"&& mv x $d/elf", unit_tmpdir(),
			str_cstr(&hex));
	CHECK_EQ(system(cmd), 0);
	setup_cache(&f, cache);
	CHECK(dso_find_name(get(&f, path, &id, 0), "main") != NULL);
	teardown(&f);
	free(cmd);
	free(cache);
	free(path);
	str_release(&hex);
}

TEST(not_elf)
{
	struct fixture f;
	char *path = xasprintf("%s/text", unit_tmpdir()), *reason;
	FILE *file = fopen(path, "w");

	fputs("#!/bin/sh\n", file);
	fclose(file);
	setup(&f);
	struct dso *d = get(&f, path, NULL, 0);

	reason = xasprintf("'%s' is not a usable ELF file: it has no ELF header", path);
	CHECK_STR(dso_reason(d), reason);
	CHECK_STR(dso_reason(get(&f, unit_tmpdir(), NULL, 0)) ? "refused" : "", "refused");
	free(reason);
	teardown(&f);
	free(path);
}

TEST(vdso)
{
	struct fixture f;

	if (!getauxval(AT_SYSINFO_EHDR))
		SKIP("no vdso here");
	setup(&f);
	f.opts.live = true;
	struct dso_key k = { .kind = DSO_VDSO, .path = "[vdso]" };
	struct dso *d = dso_get(f.store, &k);
	const struct symbol *s = dso_find_name(d, "__vdso_clock_gettime");

	if (arch_host()->elf_machine != EM_X86_64)
		SKIP("names of x86-64");
	/* versions are not part of names in dynamic symbol tables */
	if (!s)
		s = dso_find_name(d, "clock_gettime");
	CHECK(s != NULL);
	CHECK(dso_find(d, s->start_rva) == s);
	/* of another kernel: not ours */
	k.id = (struct build_id){ .n = 20, .bytes = { 9 } };
	d = dso_get(f.store, &k);
	CHECK(dso_find_name(d, s->name) == NULL);
	CHECK(dso_reason(d) != NULL);
	teardown(&f);
}
