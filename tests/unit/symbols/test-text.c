// SPDX-License-Identifier: GPL-2.0-or-later
/* Symbols from text: kallsyms and perf maps, over made-up /proc and /sys trees; demangling;
 * build-ids. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "util/base/hash.h"
#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/elf/demangle.h"
#include "util/os/procfs.h"
#include "util/symbols/dso.h"
#include "util/symbols/kallsyms.h"
#include "util/symbols/perf-map.h"

static char *put(const char *dir, const char *path, const char *text, size_t n)
{
	char *full = xasprintf("%s/%s", dir, path), *slash = strrchr(full, '/');
	FILE *f;

	*slash = 0;
	CHECK_EQ(io_mkdirs(full, NULL), 0);
	*slash = '/';
	f = fopen(full, "w");
	CHECK(f != NULL);
	CHECK_EQ(fwrite(text, 1, n, f), n);
	CHECK_EQ(fclose(f), 0);
	return full;
}

static void put_text(const char *dir, const char *path, const char *text)
{
	free(put(dir, path, text, strlen(text)));
}

static const char id_a[20] = { 0x11, 0x22, 0x33 }, id_b[20] = { 0x44 };

static void put_kernel_id(const char *dir, const char *id)
{
	char note[36] = { 4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0 };

	memcpy(note + 16, id, 20);
	free(put(dir, "sys/kernel/notes", note, sizeof(note)));
}

static struct dso *get(struct dso_store *s, enum dso_kind kind, const char *path, const char *id)
{
	struct dso_key k = { .kind = kind, .path = path };

	if (id) {
		k.id.n = 20;
		memcpy(k.id.bytes, id, 20);
	}
	return dso_get(s, &k);
}

static const char *name_at(struct dso *d, u64 rva)
{
	const struct symbol *s = dso_find(d, rva);

	return s ? s->name : "-";
}

static const char kallsyms[] =
	"ffffffff81000000 T _text\n"
	"ffffffff81000000 t hidden\n"
	"ffffffff81000100 W weak_one\n"
	"ffffffff81000100 T strong_one\n"
	"ffffffff81000200 t local_one\n"
	"0000000000012345 A absolute\n"
	"this is no symbol\n"
	"ffffffffc0001000 t mod_a\t[ext9]\n"
	"ffffffffc0001040 T mod_b\t[ext9]\n"
	"ffffffffc0002000 t other\t[else]\n";

struct fixture { struct os os; struct symbols_opts opts; struct dso_store *store; };

static void setup(struct fixture *f, const char *dir)
{
	memset(f, 0, sizeof(*f));
	os_init_root(&f->os, dir);
	f->store = dso_store_new(&f->os, &f->opts);
}

static void teardown(struct fixture *f)
{
	dso_store_free(f->store);
	os_release(&f->os);
}

TEST(kallsyms_of_this_kernel)
{
	const char *dir = unit_tmpdir();
	struct fixture f;

	put_text(dir, "proc/kallsyms", kallsyms);
	put_text(dir, "proc/modules", "ext9 4096 0 - Live 0xffffffffc0001000\n");
	put_kernel_id(dir, id_a);
	setup(&f, dir);
	struct dso *k = get(f.store, DSO_KERNEL, "[kernel.kallsyms]", id_a);

	CHECK_STR(name_at(k, 0xffffffff81000000), "_text");
	CHECK_STR(name_at(k, 0xffffffff810000ff), "_text");
	CHECK_STR(name_at(k, 0xffffffff81000150), "strong_one");
	CHECK_STR(name_at(k, 0xffffffff81000200), "local_one");
	CHECK_STR(name_at(k, 0xffffffff80ffffff), "-");
	CHECK_STR(name_at(k, 0x12345), "-");
	CHECK(dso_reason(k) == NULL);
	CHECK_EQ(dso_find_name(k, "strong_one")->start_rva, 0xffffffff81000100);
	struct dso *m = get(f.store, DSO_MODULE, "[ext9]", NULL);

	CHECK_STR(name_at(m, 0xffffffffc0001008), "mod_a");
	CHECK_STR(name_at(m, 0xffffffffc0001044), "mod_b");
	CHECK_STR(name_at(m, 0xffffffffc0002000), "-");
	struct dso *gone = get(f.store, DSO_MODULE, "[gone]", NULL);

	CHECK_STR(name_at(gone, 0xffffffffc0001008), "-");
	CHECK_STR(dso_reason(gone), "module 'gone' is not loaded now");
	CHECK_STR(name_at(get(f.store, DSO_KERNEL, "[guest.kernel.kallsyms]", id_a),
			  0xffffffff81000200), "local_one");
	teardown(&f);
}

TEST(kallsyms_moved_since)
{
	const char *dir = unit_tmpdir();
	struct fixture f;

	put_text(dir, "proc/kallsyms", kallsyms);
	put_text(dir, "proc/modules", "ext9 4096 0 - Live 0xffffffffc0001000\n");
	put_kernel_id(dir, id_a);
	setup(&f, dir);
	struct dso *k = get(f.store, DSO_KERNEL, "[kernel.kallsyms]", id_a);

	dso_set_kernel_reloc(k, 0xffffffff82000000, "_text");
	CHECK_STR(name_at(k, 0xffffffff82000201), "local_one");
	CHECK_STR(name_at(k, 0xffffffff81000201), "-");
	struct dso *m = get(f.store, DSO_MODULE, "[ext9]", NULL);

	CHECK_EQ(dso_set_module_reloc(m, 0xffffffffc0101000), 0xffffffffc0101000);
	/* loaded again */
	CHECK_EQ(dso_set_module_reloc(m, 0xffffffffc0909000), 0xffffffffc0101000);
	CHECK_STR(name_at(m, 0xffffffffc0101041), "mod_b");
	teardown(&f);
}

TEST(kallsyms_of_another_kernel)
{
	const char *dir = unit_tmpdir();
	struct fixture f;

	put_text(dir, "proc/kallsyms", kallsyms);
	put_kernel_id(dir, id_b);
	setup(&f, dir);
	struct dso *k = get(f.store, DSO_KERNEL, "[kernel.kallsyms]", id_a);

	CHECK_STR(name_at(k, 0xffffffff81000000), "-");
	CHECK(strstr(dso_reason(k), "recorded on another kernel") != NULL);
	/* a module of that recording is no better off */
	struct dso *m = get(f.store, DSO_MODULE, "[ext9]", NULL);

	CHECK_STR(name_at(m, 0xffffffffc0001008), "-");
	teardown(&f);
	/* without an id nothing says that it was this one, wherever the kernel lies */
	setup(&f, dir);
	k = get(f.store, DSO_KERNEL, "[kernel.kallsyms]", NULL);
	dso_set_kernel_reloc(k, 0xffffffff82000000, "_text");
	CHECK_STR(name_at(k, 0xffffffff82000201), "-");
	CHECK(strstr(dso_reason(k), "does not say which kernel") != NULL);
	teardown(&f);
	setup(&f, dir);
	k = get(f.store, DSO_KERNEL, "[kernel.kallsyms]", NULL);
	dso_set_kernel_reloc(k, 0xffffffff81000000, "_text");
	CHECK_STR(name_at(k, 0xffffffff81000201), "-");
	m = get(f.store, DSO_MODULE, "[ext9]", NULL);
	CHECK_STR(name_at(m, 0xffffffffc0001008), "-");
	CHECK(strstr(dso_reason(m), "does not say which kernel") != NULL);
	teardown(&f);
	/* the table of build-ids has modules as part of the kernel: their ids are not its own */
	setup(&f, dir);
	struct build_id id = { .n = 20 };

	memcpy(id.bytes, id_a, 20);
	dso_store_set_build_id(f.store, "/lib/modules/6.1/ext4.ko.xz", true, &id);
	k = get(f.store, DSO_KERNEL, "[kernel.kallsyms]", NULL);
	CHECK_EQ(k->id.n, 0);
	memcpy(id.bytes, id_b, 20);
	dso_store_set_build_id(f.store, "[kernel.kallsyms]", true, &id);
	memcpy(id.bytes, id_a, 20);
	dso_store_set_build_id(f.store, "[ext9]", true, &id);
	CHECK_STR(name_at(k, 0xffffffff81000201), "local_one");
	teardown(&f);
}

TEST(kallsyms_restricted)
{
	const char *dir = unit_tmpdir();
	struct fixture f;

	put_text(dir, "proc/kallsyms", "0000000000000000 T _text\n0000000000000000 T "
				       "start_kernel\n");
	put_text(dir, "proc/sys/kernel/kptr_restrict", "2\n");
	put_kernel_id(dir, id_a);
	setup(&f, dir);
	struct dso *k = get(f.store, DSO_KERNEL, "[kernel.kallsyms]", id_a);

	CHECK_STR(name_at(k, 0), "-");
	CHECK(strstr(dso_reason(k), "kptr_restrict") != NULL);
	teardown(&f);
}

TEST(kallsyms_given)
{
	const char *dir = unit_tmpdir();
	char *path = xasprintf("%s/given", dir);
	struct fixture f;

	put_text(dir, "given", kallsyms);
	put_kernel_id(dir, id_b);
	setup(&f, dir);
	f.opts.kallsyms = path;
	struct dso *k = get(f.store, DSO_KERNEL, "[kernel.kallsyms]", id_a);

	CHECK_STR(name_at(k, 0xffffffff81000150), "strong_one");
	CHECK_STR(dso_file(k), path);
	teardown(&f);
	free(path);
}

static int count(void *ctx, const struct kallsym *s UNUSED)
{
	++*(int *)ctx;
	return 0;
}

TEST(kallsyms_lines)
{
	static const char *const bad[] = { "xyz T a", "12", "12 ", "12 T", "12 T ", "12T a b",
					   "12345678901234567 T a",
					   "12 T a\t[]" };
	u64 n_bad = 0;
	int n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		char buf[64];

		snprintf(buf, sizeof(buf), "%s", bad[i]);
		kallsyms_parse(buf, strlen(buf), count, &n, &n_bad);
		CHECK_EQ(n, 0);
		CHECK_EQ(n_bad, i + 1);
	}
}

/* --- perf maps */

static void put_process(const char *dir, int pid, unsigned uid)
{
	char path[64], text[256];

	snprintf(path, sizeof(path), "proc/%d/status", pid);
	snprintf(text, sizeof(text), "Name:\tjit\nState:\tS "
				     "(sleeping)\nTgid:\t%d\nPid:\t%d\nPPid:\t1\n"
				     "Uid:\t%u\t%u\t%u\t%u\n"
		 "NSpid:\t%d\t7\n", pid, pid, uid, uid, uid, uid, pid);
	put_text(dir, path, text);
	snprintf(path, sizeof(path), "proc/%d/stat", pid);
	snprintf(text, sizeof(text), "%d (jit) S 1 %d %d 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 100 0 0 "
				     "0\n", pid, pid, pid);
	put_text(dir, path, text);
}

static const char map_text[] =
	"1000 100 first\n"
	"2000 100 second with blanks\n"
	"1080 40 reused\n"
	"0x3000 0x10 prefixed\n"
	"nonsense\n"
	"4000 0 stub\n"
	"5000\t8 tabs\r\n"
	"6000 8\n"
	"ffffffffffffff00 ffff wraps\n";

static struct dso *perf_map_dso(struct fixture *f, int pid)
{
	struct dso_key k = { .kind = DSO_PERF_MAP, .path = "/tmp/perf-50.map", .pid = pid };

	if (procfs_open_in_root(&f->os, pid, "/") == -ENOSYS)
		SKIP("needs openat2 (Linux 5.6), which emulators of one program may lack");
	dso_store_set_this_machine(f->store);
	return dso_get(f->store, &k);
}

TEST(perf_map_of_a_container)
{
	const char *dir = unit_tmpdir();
	struct fixture f;

	put_process(dir, 50, geteuid());
	put_text(dir, "proc/50/root/tmp/perf-7.map", map_text);
	setup(&f, dir);
	struct dso *d = perf_map_dso(&f, 50);

	CHECK_STR(name_at(d, 0x1000), "first");
	CHECK_STR(name_at(d, 0x107f), "first");
	CHECK_STR(name_at(d, 0x1080), "reused");
	CHECK_STR(name_at(d, 0x10c0), "first");
	CHECK_STR(name_at(d, 0x1100), "-");
	CHECK_STR(name_at(d, 0x20ff), "second with blanks");
	CHECK_STR(name_at(d, 0x3008), "prefixed");
	CHECK_STR(name_at(d, 0xffffffffffffff10), "-");
	CHECK_STR(name_at(d, 0x4000), "stub");
	CHECK_STR(name_at(d, 0x4001), "-");
	CHECK_STR(name_at(d, 0x5007), "tabs");
	CHECK(strstr(dso_reason(d), "3 lines of") != NULL);
	teardown(&f);
}

/* What process 50 wrote is looked for only when the recording proves to be of this machine, of
 * this kernel, and not older than the process. */
static const char *name_if(const char *host, const char *kernel, u64 until_s)
{
	const char *dir = unit_tmpdir();
	struct fixture f;
	static char name[64];
	struct build_id id = { .n = 20 };

	put_process(dir, 50, geteuid());
	put_text(dir, "proc/stat", "cpu 1 2 3\nbtime 5000\n");
	put_text(dir, "proc/50/root/tmp/perf-7.map", map_text);
	put_kernel_id(dir, id_a);
	setup(&f, dir);
	f.opts.recorded_until_s = until_s;
	struct dso *d = perf_map_dso(&f, 50);

	if (kernel) {
		memcpy(id.bytes, kernel, 20);
		dso_store_set_build_id(f.store, "[kernel.kallsyms]", true, &id);
	}
	if (host)
		dso_store_set_machine(f.store, host, "1.2");
	snprintf(name, sizeof(name), "%s", name_at(d, 0x1000));
	if (!strcmp(name, "-"))
		CHECK_STR(dso_reason(d), "no perf map of process 50 was found");
	teardown(&f);
	return name;
}

TEST(perf_map_of_another_machine)
{
	CHECK_STR(name_if(NULL, NULL, 0), "first");
	CHECK_STR(name_if(NULL, id_a, 0), "first");
	CHECK_STR(name_if(NULL, id_b, 0), "-");		/* another kernel */
	CHECK_STR(name_if("there", NULL, 0), "-");
	CHECK_STR(name_if(NULL, NULL, 4000), "-");	/* another boot */
	CHECK_STR(name_if(NULL, NULL, 6000), "first");
}

/* Entries of any size in any order; what a later one covers is its own, and the rest stays. */
TEST(perf_map_written_over)
{
	static const char text[] =
		"500000000 10 late\n"
		"1000 200000000 huge\n"
		"100 10 early\n"
		"1000 ffffffff nearly_huge\n"
		"2000 100 old\n"
		"2010 10 young\n"
		"1f00 120 younger\n"
		"200001000 fffffffd00000000 rest\n"
		"300000000 8 in_the_rest\n";
	static const struct { u64 va; const char *name; } want[] = {
		{ 0xff, "-" }, { 0x100, "early" }, { 0x10f, "early" }, { 0x110, "-" },
			{ 0xfff, "-" }, { 0x1000, "nearly_huge" },
		{ 0x1eff, "nearly_huge" }, { 0x1f00, "younger" }, { 0x201f, "younger" },
		{ 0x2020, "old" }, { 0x20ff, "old" },
		{ 0x2100, "nearly_huge" }, { 0x100000ffe, "nearly_huge" }, { 0x100000fff, "huge" },
		{ 0x200000fff, "huge" },
		{ 0x200001000, "rest" }, { 0x2ffffffff, "rest" }, { 0x300000007, "in_the_rest" },
		{ 0x300000008, "rest" },
		{ 0x500000000, "rest" }, { 0xffffffff00000000, "rest" },
	};
	struct fixture f;
	const char *dir = unit_tmpdir();

	put_process(dir, 50, geteuid());
	put_text(dir, "proc/50/root/tmp/perf-7.map", text);
	setup(&f, dir);
	struct dso *d = perf_map_dso(&f, 50);

	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		CHECK_STR(name_at(d, want[i].va), want[i].name);
	teardown(&f);
}

TEST(perf_map_of_a_stranger)
{
	const char *dir = unit_tmpdir();
	struct fixture f;

	put_process(dir, 50, 4711);
	put_text(dir, "proc/50/root/tmp/perf-7.map", map_text);
	if (geteuid() == 0) {	/* root's own would be trusted */
		char *path = xasprintf("%s/proc/50/root/tmp/perf-7.map", dir);

		CHECK_EQ(chown(path, 4712, 4712), 0);
		free(path);
	}
	setup(&f, dir);
	struct dso *d = perf_map_dso(&f, 50);

	CHECK_STR(name_at(d, 0x1000), "-");
	CHECK(strstr(dso_reason(d), "neither to root nor to user 4711") != NULL);
	teardown(&f);
}

TEST(perf_map_is_no_file)
{
	const char *dir = unit_tmpdir();
	struct fixture f;
	char *path;

	put_process(dir, 50, geteuid());
	put_text(dir, "proc/50/root/tmp/x", "");
	path = xasprintf("%s/proc/50/root/tmp/perf-7.map", dir);
	CHECK_EQ(mkfifo(path, 0600), 0);
	setup(&f, dir);
	CHECK_STR(name_at(perf_map_dso(&f, 50), 0x1000), "-");
	CHECK(strstr(dso_reason(perf_map_dso(&f, 50)), "is not a regular file") != NULL);
	teardown(&f);
	free(path);
}

/* --- names */

static bool can_demangle(void)
{
	char *s = demangle("_Z3foov");
	bool can = s != NULL;

	free(s);
	return can;
}

TEST(demangle)
{
	static const struct { const char *in, *out; } t[] = {
		{ "_Z3foov", "foo()" },
		{ "_ZN3foo3barEi", "foo::bar(int)" },
		{ "_Z3recIlET_S0_", "long rec<long>(long)" },
		{ "_ZNSt6vectorIiSaIiEE9push_backEOi",
		  "std::vector<int, std::allocator<int> >::push_back(int&&)" },
		{ "_Z3foov.cold", "foo() [clone .cold]" },
		{ "_Z3foov@plt", "foo()@plt" },
		{ "_ZN5alloc5slice10merge_sort17h0123456789abcdefE", "alloc::slice::merge_sort" },
		{ "_RNvCskwGfYPst2Cb_3foo16example_function", "foo::example_function" },
		{ "_D8demangle4testFZv", "demangle.test()" },
		{ "_D4core6memory2GC7collectFNbZv", "core.memory.GC.collect()" },
		{ "_ZL3barv.part.0", "bar() [clone .part.0]" },
		{ "_ZN1A1bEv.isra.0.cold", "A::b() [clone .isra.0] [clone .cold]" },
		{ "_ZN1A1bEv.constprop.0", "A::b() [clone .constprop.0]" },
		{ "_Z3foov@@V1", "foo()@@V1" },
		{ "_Z3foov@V0.9", "foo()@V0.9" },
		{ "_ZGVZ4mainE1x", "guard variable for main::x" },
		{ "_ZTv0_n24_N1A1fEv", "virtual thunk to A::f()" },
		{ "_ZZ4mainENKUlvE_clEv", "main::{lambda()#1}::operator()() const" },
		{ "_ZN3fooILi3EE3barEv.llvm.1234", "foo<3>::bar() [clone .llvm.1234]" },
		{ "_ZN5alloc5slice10merge_sort17h0123456789abcdefE.llvm.1234",
		  "alloc::slice::merge_sort" },
		{ "_ZN4core3ptr42drop_in_place$LT$alloc..string..String$GT$17h0123456789abcdefE",
		  "core::ptr::drop_in_place<alloc::string::String>" },
		{ "_RNvC6_123foo3bar", "123foo::bar" },
		{ "_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>" },
		{ "_ZN5alloc5slice10merge_sort17h0123456789abcdefE.cold",
		  "alloc::slice::merge_sort.cold" },
		{ "_ZN5alloc5slice10merge_sort17h0123456789abcdefE.llvm.12.cold",
		  "alloc::slice::merge_sort.llvm.12.cold" },
		{ "_RNvCskwGfYPst2Cb_3foo16example_function.llvm.1234", "foo::example_function" },
		{ "_RNvCskwGfYPst2Cb_3foo16example_function.cold", "foo::example_function.cold" },
		{ "_GLOBAL__I__Z2fnv", "global constructors keyed to fn()" },
		{ "_GLOBAL__D_main", "global destructors keyed to main" },
		{ "camlStdlib__List__map_123", "Stdlib.List.map_123" },
		{ "camlM__$2b$2b_9", "M.++_9" },
		{ "camlM__f$0a_1$", "M.f$0a_1$" },
	};
	/* C, Go, versions; Swift, which libiberty does not know */
	static const char *const plain[] = { "main", "", "_", "_Z", "__libc_start_main", "_ZZZZ",
					     "printf@plt", "main.(*T).Run",
		"caml_alloc", "camlidl", "memcpy@@GLIBC_2.14", "memcpy@GLIBC_2.2.5",
		"kernel_fn.isra.0", "f.cold",
		"$s4main3fooyyF", "_$s4main3fooyyF", "_RXX", "_D4", "_GLOBAL__sub_I_main",
		"_GLOBAL_OFFSET_TABLE_" };

	if (!can_demangle())
		SKIP("built without libiberty");
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char *s = demangle(t[i].in);

		CHECK_STR(s ? s : t[i].in, t[i].out);
		free(s);
	}
	for (size_t i = 0; i < ARRAY_SIZE(plain); i++)
		CHECK(demangle(plain[i]) == NULL);
}

/* "S_", "S0_", ... */
static void add_seq(struct str *s, int nr)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	str_addch(s, 'S');
	if (nr > 36)
		str_addch(s, digits[(nr - 1) / 36]);
	if (nr > 0)
		str_addch(s, digits[(nr - 1) % 36]);
	str_addch(s, '_');
}

static void add_base62(struct str *s, size_t n)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	if (n > 62)
		str_addch(s, digits[(n - 1) / 62 % 62]);
	if (n)
		str_addch(s, digits[(n - 1) % 62]);
	str_addch(s, '_');
}

/* f(p<int, int>, p<p<int, int>, p<int, int> >, ...) */
static void grow_arguments(struct str *s, int n)
{
	str_add(s, "_Z1f1pIiiE");
	for (int k = 0; k < n; k++) {
		str_add(s, "S_I");
		add_seq(s, k + 1);
		add_seq(s, k + 1);
		str_addch(s, 'E');
	}
}

/* The same as the pattern of a pack, which is walked before anything is printed. */
static void grow_pattern(struct str *s, int n)
{
	str_add(s, "_Z1fIJiEEvT_Dp1pI");
	for (int k = 1; k < n; k++)
		str_add(s, "S1_I");
	str_add(s, "iiE");
	for (int k = 1; k < n; k++) {
		add_seq(s, k + 2);
		str_addch(s, 'E');
	}
}

/* Template arguments that are parsed twice, on each level. */
static void grow_parsing(struct str *s, int n)
{
	str_add(s, "_Z");
	for (int k = 0; k < n; k++)
		str_add(s, "cvT_IL_Z");
	str_add(s, "1fv");
	for (int k = 0; k < n; k++)
		str_add(s, "EE");
	str_addch(s, 'v');
}

/* Rust: tuples of two references to the one before. */
static void grow_tuples(struct str *s, int n)
{
	size_t last;

	str_add(s, "_RINvC1c1f");
	last = s->len - 2;
	str_add(s, "TmmE");
	for (int k = 0; k < n; k++) {
		size_t here = s->len - 2;

		str_add(s, "TB");
		add_base62(s, last);
		str_addch(s, 'B');
		add_base62(s, last);
		str_addch(s, 'E');
		last = here;
	}
	str_addch(s, 'E');
}

/* D: tables whose keys and values are the one before. */
static void grow_tables(struct str *s, int n)
{
	size_t last;

	str_add(s, "_D1a1fF");
	last = s->len;
	str_add(s, "Hii");
	for (int k = 0; k < n; k++) {
		size_t here = s->len;

		str_addch(s, 'H');
		for (int i = 0; i < 2; i++)
			str_addf(s, "Q%c", 'a' + (int)(s->len - last));
		last = here;
	}
	str_add(s, "Zv");
}

static void grow_pointers(struct str *s, int n)
{
	str_add(s, "_Z1f");
	for (int k = 0; k < n; k++)
		str_addch(s, 'P');
	str_addch(s, 'i');
}

static void grow_nests(struct str *s, int n)
{
	str_add(s, "_Z1f");
	for (int k = 0; k < n; k++)
		str_add(s, "1aI");
	str_addch(s, 'i');
	for (int k = 0; k < n; k++)
		str_addch(s, 'E');
}

static void grow_list(struct str *s, int n)
{
	str_add(s, "_Z1f");
	for (int k = 0; k < n; k++)
		str_addf(s, "7type%03d", k % 1000);
}

/* Small ones have a plain text; of those that would take hours, or all memory, the name itself
 * stays. */
TEST(demangle_hostile)
{
	static const struct { void (*grow)(struct str *s, int n); int small; size_t plain; int big;
			      bool big_is_plain; } t[] = {
		{ grow_arguments, 10, 34756, 60, false },
		{ grow_pattern, 10, 8721, 60, false },
		{ grow_parsing, 3, 106, 100, false },
		{ grow_tuples, 10, 28642, 60, false },
		{ grow_tables, 10, 20473, 60, false },
		{ grow_pointers, 900, 906, 32000, false },
		{ grow_nests, 100, 405, 8000, false },
		/* long, as names of templates may be: no limit of 1024 */
		{ grow_list, 100, 901, 900, true },
		{ grow_list, 1, 10, 120000, false },	/* 960,000 bytes */
	};

	if (!can_demangle())
		SKIP("built without libiberty");
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct str s = STR_INIT;

		t[i].grow(&s, t[i].small);
		char *p = demangle(str_cstr(&s));

		CHECK_EQ(p ? strlen(p) : 0, t[i].plain);
		free(p);
		str_reset(&s);
		t[i].grow(&s, t[i].big);
		p = demangle(str_cstr(&s));
		CHECK_EQ(p != NULL, t[i].big_is_plain);
		free(p);
		str_release(&s);
	}
}

TEST(build_ids)
{
	struct build_id a, b;
	struct str s = STR_INIT;

	CHECK(build_id_parse("0123456789abcdef0123456789ABCDEF01234567", &a));
	CHECK_EQ(a.n, 20);
	build_id_add(&s, &a);
	CHECK_STR(str_cstr(&s), "0123456789abcdef0123456789abcdef01234567");
	str_release(&s);
	CHECK(!build_id_parse("", &b));
	CHECK(!build_id_parse("123", &b));
	CHECK(!build_id_parse("12zz", &b));
	CHECK(!build_id_parse("0123456789abcdef0123456789ABCDEF0123456789", &b));
	/* an MD5 one, recorded with zeros after */
	CHECK(build_id_parse("00112233445566778899aabbccddeeff", &a));
	CHECK(build_id_parse("00112233445566778899aabbccddeeff00000000", &b));
	CHECK(build_id_equal(&a, &b));
	CHECK(build_id_parse("00112233445566778899aabbccddeeff00000001", &b));
	CHECK(!build_id_equal(&a, &b));
	b.n = 0;
	CHECK(!build_id_equal(&a, &b));
}

TEST(store_by_identity)
{
	struct fixture f;

	setup(&f, unit_tmpdir());
	struct dso_key k = { .kind = DSO_FILE, .path = "/usr/bin/x", .maj = 8, .min = 1, .ino = 5,
			     .pid = 1 };
	struct dso *a = dso_get(f.store, &k);

	k.pid = 2;
	CHECK(dso_get(f.store, &k) == a);
	k.ino = 6;
	struct dso *b = dso_get(f.store, &k);

	CHECK(b != a);
	CHECK_STR(a->short_name, "x");
	k = (struct dso_key){ .kind = DSO_PERF_MAP, .path = "/tmp/perf-1.map", .pid = 1 };
	a = dso_get(f.store, &k);
	k.pid = 2;
	CHECK(dso_get(f.store, &k) != a);
	CHECK_EQ(dso_count(f.store), 4);
	CHECK(dso_at(f.store, 2) == a);
	struct build_id id = { .n = 20, .bytes = { 1 } };

	dso_store_set_build_id(f.store, "/usr/bin/y", false, &id);
	k = (struct dso_key){ .kind = DSO_FILE, .path = "/usr/bin/y" };
	CHECK(build_id_equal(&dso_get(f.store, &k)->id, &id));
	dso_store_set_build_id(f.store, "/usr/bin/x", false, &id);
	CHECK(build_id_equal(&b->id, &id));
	teardown(&f);
}

/* What a recording says of a BPF program. */
TEST(reported_symbols)
{
	struct fixture f;

	setup(&f, unit_tmpdir());
	struct dso *d = get(f.store, DSO_BPF, "bpf_prog_0123_x", NULL);

	dso_add_symbol(d, 0, 100, "bpf_prog_0123_x");
	CHECK_STR(name_at(d, 99), "bpf_prog_0123_x");
	CHECK_STR(name_at(d, 100), "-");
	CHECK_STR(dso_reason(get(f.store, DSO_ANON, "[heap]", NULL)),
		  "the recording names no symbols here");
	teardown(&f);
}

/* Ranges of 1 to 16 bytes, each at a distance from the one before: what is found at each of
 * their edges, and between them. */
static void check_ranges(struct fixture *f, const char *path, size_t n, u64 (*distance)(size_t i))
{
	struct dso *d = get(f->store, DSO_BPF, path, NULL);
	u64 at = 0x1000;
	char name[32];

	for (size_t i = 0; i < n; at += distance(i), i++) {
		snprintf(name, sizeof(name), "s%zu", i);
		dso_add_symbol(d, at, at + 1 + i % 16, name);
	}
	at = 0x1000;
	CHECK_STR(name_at(d, 0), "-");
	CHECK_STR(name_at(d, at - 1), "-");
	for (size_t i = 0; i < n; at += distance(i), i++) {
		const u64 end = at + 1 + i % 16;

		snprintf(name, sizeof(name), "s%zu", i);
		CHECK_STR(name_at(d, at), name);
		CHECK_STR(name_at(d, end - 1), name);
		if (i + 1 == n || end < at + distance(i))
			CHECK_STR(name_at(d, end), "-");
	}
	CHECK_STR(name_at(d, UINT64_MAX - 1), "-");
}

static u64 always_16(size_t i UNUSED)
{
	return 16;
}

static u64 scattered(size_t i)
{
	return 16 + hash_u64(i) % 4096;
}

/* All but a few in one place: most stretches of such a table are empty, and one has nearly all
 * ranges. */
static u64 clustered(size_t i)
{
	return i % 1000 == 999 ? 1ULL << 58 : 16 + i % 3;
}

TEST(lookup_in_tables)
{
	static const size_t sizes[] = { 1, 2, 3, 4, 5, 63, 64, 65, 5000 };
	struct fixture f;
	char path[32];

	setup(&f, unit_tmpdir());
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		snprintf(path, sizeof(path), "even-%zu", sizes[i]);
		check_ranges(&f, path, sizes[i], always_16);
		snprintf(path, sizeof(path), "scattered-%zu", sizes[i]);
		check_ranges(&f, path, sizes[i], scattered);
		snprintf(path, sizeof(path), "clustered-%zu", sizes[i]);
		check_ranges(&f, path, sizes[i], clustered);
	}
	teardown(&f);
}
