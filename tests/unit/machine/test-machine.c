// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stories told by side-band records, with the exact answer to "who, where" at each time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"
#include "util/machine/machine.h"

struct fixture {
	struct os os;
	struct symbols_opts so;
	struct dso_store *store;
	struct machine *m;
};

static void setup(struct fixture *f)
{
	static char none[] = "/nonexistent";
	struct machine_opts mo = { .arch = arch_by_name("x86_64") };

	memset(f, 0, sizeof(*f));
	f->os.proc = f->os.sys = none;
	f->store = dso_store_new(&f->os, &f->so);
	f->m = machine_new(f->store, &mo);
}

static void teardown(struct fixture *f)
{
	machine_free(f->m);
	dso_store_free(f->store);
}

static void apply(struct fixture *f, const void *rec, int size, u64 t)
{
	const char *reason = NULL;

	CHECK(size > 0);
	CHECK_EQ(machine_apply(f->m, rec, t, &reason), 0);
}

static void do_mmap(struct fixture *f, u64 t, u32 pid, u64 start, u64 bytes, u64 off,
		    const char *path)
{
	struct wire_mmap mm = { .pid = pid, .tid = pid, .start_va = start, .bytes = bytes,
				.off = off, .prot = 5, .path = path };
	u64 buf[64];

	apply(f, buf, wire_encode_mmap2(NULL, &mm, PERF_RECORD_MISC_USER, NULL, buf, sizeof(buf)),
	      t);
}

static void do_kmap(struct fixture *f, u64 start, u64 bytes, u64 off, const char *path)
{
	struct wire_mmap mm = { .pid = -1, .tid = 0, .start_va = start, .bytes = bytes, .off = off,
				.prot = 5, .path = path };
	u64 buf[64];

	apply(f, buf, wire_encode_mmap2(NULL, &mm, PERF_RECORD_MISC_KERNEL, NULL, buf, sizeof(buf)),
	      0);
}

static void do_ksymbol(struct fixture *f, const struct wire_ksymbol *k, u64 t)
{
	u64 buf[64];

	apply(f, buf, wire_encode_ksymbol(NULL, k, NULL, buf, sizeof(buf)), t);
}

static void do_comm(struct fixture *f, u64 t, u32 pid, u32 tid, const char *name, bool exec)
{
	struct wire_comm c = { .pid = pid, .tid = tid, .exec = exec, .comm = name };
	u64 buf[16];

	apply(f, buf, wire_encode_comm(NULL, &c, NULL, buf, sizeof(buf)), t);
}

static void do_task(struct fixture *f, u64 t, u32 type, u32 pid, u32 tid, u32 ppid, u32 ptid)
{
	struct wire_task k = { .pid = pid, .tid = tid, .ppid = ppid, .ptid = ptid, .time_ns = t };
	u64 buf[16];

	apply(f, buf, wire_encode_task(NULL, type, &k, NULL, buf, sizeof(buf)), t);
}

static void do_fork(struct fixture *f, u64 t, u32 pid, u32 ppid)
{
	do_task(f, t, PERF_RECORD_FORK, pid, pid, ppid, ppid);
}

static const char *comm_at(struct fixture *f, u32 pid, u32 tid, u64 t)
{
	return thread_comm_at(machine_thread_at(f->m, pid, tid, t), t)->name;
}

/* "path+offset in the file" of what is mapped at va at time t, or "-". */
static const char *at(struct fixture *f, u32 pid, u64 va, u64 t)
{
	static char text[8][96];
	static int turn;
	char *out = text[turn++ % 8];
	const struct mapping *map = space_find(thread_space_at(machine_thread_at(f->m, pid, pid, t),
							       t), va, t);

	if (!map)
		return "-";
	CHECK(map->start_va <= va && va < map->end_va);
	snprintf(out, sizeof(text[0]), "%s+%llx", map->dso->path,
		 (unsigned long long)(va - map->start_va + map->off));
	return out;
}

TEST(comm_history)
{
	struct fixture f;

	setup(&f);
	do_comm(&f, 0, 10, 10, "sh", false);
	do_comm(&f, 100, 10, 10, "make", true);
	do_comm(&f, 200, 10, 10, "worker 3", false);
	do_task(&f, 300, PERF_RECORD_EXIT, 10, 10, 1, 1);
	do_task(&f, 302, PERF_RECORD_EXIT, 10, 10, 1, 1);	/* reported twice */
	do_mmap(&f, 20, 20, 0x1000, 0x1000, 0, "/a");
	do_comm(&f, 100, 20, 20, "named late", false);
	do_comm(&f, 150, 20, 20, "and once more", false);
	do_fork(&f, 50, 21, 77);
	do_comm(&f, 100, 21, 21, "program", true);
	machine_freeze(f.m);
	CHECK_STR(comm_at(&f, 10, 10, 0), "sh");
	CHECK_STR(comm_at(&f, 10, 10, 99), "sh");
	CHECK_STR(comm_at(&f, 10, 10, 100), "make");
	CHECK_STR(comm_at(&f, 10, 10, 250), "worker 3");
	CHECK_STR(comm_at(&f, 10, 10, 400), "worker 3");	/* kept after the exit */
	CHECK_STR(comm_at(&f, 20, 20, 5), "named late");
	CHECK_STR(comm_at(&f, 20, 20, 200), "and once more");
	CHECK_STR(comm_at(&f, 21, 21, 60), "program");
	CHECK_STR(comm_at(&f, 0, 0, 5), "swapper");
	CHECK_STR(comm_at(&f, 77, 78, 5), ":78");
	CHECK_STR(comm_at(&f, -1, -1, 5), ":-1");
	CHECK_EQ(machine_thread_at(f.m, 77, 78, 5), machine_thread_at(f.m, 77, 78, 500));
	/* one string for one name */
	CHECK(comm_at(&f, 10, 10, 0) == comm_at(&f, 10, 10, 99));
	teardown(&f);
}

TEST(overlap_splits_older)
{
	struct fixture f;

	setup(&f);
	do_mmap(&f, 10, 5, 0x10000, 0x10000, 0x2000, "/lib/a.so");
	do_mmap(&f, 20, 5, 0x14000, 0x4000, 0, "/lib/b.so");
	do_mmap(&f, 30, 5, 0x0f000, 0x6000, 0x100, "/lib/c.so");
	for (int frozen = 0; frozen < 2; frozen++) {
		CHECK_STR(at(&f, 5, 0x14000, 9), "-");
		CHECK_STR(at(&f, 5, 0x14000, 10), "/lib/a.so+6000");
		CHECK_STR(at(&f, 5, 0x14000, 19), "/lib/a.so+6000");
		CHECK_STR(at(&f, 5, 0x14000, 20), "/lib/b.so+0");
		CHECK_STR(at(&f, 5, 0x13fff, 25), "/lib/a.so+5fff");
		CHECK_STR(at(&f, 5, 0x17fff, 25), "/lib/b.so+3fff");
		CHECK_STR(at(&f, 5, 0x18000, 25), "/lib/a.so+a000");
		CHECK_STR(at(&f, 5, 0x1ffff, 25), "/lib/a.so+11fff");
		CHECK_STR(at(&f, 5, 0x20000, 25), "-");
		CHECK_STR(at(&f, 5, 0x0f000, 29), "-");
		CHECK_STR(at(&f, 5, 0x14fff, 30), "/lib/c.so+60ff");
		CHECK_STR(at(&f, 5, 0x15000, 30), "/lib/b.so+1000");
		CHECK_STR(at(&f, 5, 0x18000, 1000), "/lib/a.so+a000");
		machine_freeze(f.m);
	}
	teardown(&f);
}

TEST(fork_shares_then_parts)
{
	struct fixture f;

	setup(&f);
	do_comm(&f, 0, 1, 1, "parent", false);
	do_mmap(&f, 0, 1, 0x10000, 0x1000, 0, "/a");
	do_fork(&f, 50, 2, 1);
	do_mmap(&f, 60, 1, 0x20000, 0x1000, 0, "/only-parent");
	do_mmap(&f, 70, 2, 0x30000, 0x1000, 0, "/only-child");
	do_mmap(&f, 80, 2, 0x10000, 0x800, 0, "/over");
	machine_freeze(f.m);
	CHECK_STR(comm_at(&f, 2, 2, 55), "parent");
	CHECK_STR(at(&f, 2, 0x10000, 50), "/a+0");
	CHECK_STR(at(&f, 2, 0x10000, 80), "/over+0");
	CHECK_STR(at(&f, 2, 0x10800, 80), "/a+800");
	CHECK_STR(at(&f, 1, 0x10000, 80), "/a+0");
	CHECK_STR(at(&f, 2, 0x20000, 90), "-");
	CHECK_STR(at(&f, 1, 0x20000, 90), "/only-parent+0");
	CHECK_STR(at(&f, 1, 0x30000, 90), "-");
	CHECK_STR(at(&f, 2, 0x30000, 90), "/only-child+0");
	teardown(&f);
}

TEST(exec_begins_new_space)
{
	struct fixture f;

	setup(&f);
	do_comm(&f, 0, 1, 1, "sh", false);
	do_mmap(&f, 0, 1, 0x400000, 0x1000, 0, "/bin/sh");
	do_mmap(&f, 0, 1, 0x7000000, 0x1000, 0, "/lib/old-libc");
	do_fork(&f, 10, 2, 1);
	do_comm(&f, 20, 2, 2, "ls", true);
	do_mmap(&f, 21, 2, 0x400000, 0x1000, 0, "/bin/ls");
	do_mmap(&f, 22, 2, 0x7f00000, 0x1000, 0, "[vdso]");
	do_mmap(&f, 30, 2, 0x8000000, 0x1000, 0, "/lib/new-libc");
	machine_freeze(f.m);
	CHECK_STR(at(&f, 2, 0x400000, 15), "/bin/sh+0");
	CHECK_STR(at(&f, 2, 0x400000, 21), "/bin/ls+0");
	CHECK_STR(at(&f, 2, 0x7000000, 25), "/lib/old-libc+0");	/* still inside execve() */
	CHECK_STR(at(&f, 2, 0x7000000, 30), "-");
	CHECK_STR(at(&f, 2, 0x8000000, 30), "/lib/new-libc+0");
	CHECK_STR(at(&f, 1, 0x400000, 100), "/bin/sh+0");
	CHECK(thread_space_at(machine_thread_at(f.m, 2, 2, 19), 19) !=
	      thread_space_at(machine_thread_at(f.m, 2, 2, 20), 20));
	teardown(&f);
}

TEST(pid_reuse)
{
	struct fixture f;
	struct thread *a, *b;

	setup(&f);
	do_comm(&f, 0, 1, 1, "init", false);
	do_fork(&f, 10, 7, 1);
	do_comm(&f, 11, 7, 7, "first", true);
	do_mmap(&f, 12, 7, 0x1000, 0x1000, 0, "/first");
	do_task(&f, 20, PERF_RECORD_EXIT, 7, 7, 1, 1);
	do_fork(&f, 30, 7, 1);
	do_comm(&f, 31, 7, 7, "second", true);
	do_mmap(&f, 32, 7, 0x1000, 0x1000, 0, "/second");
	do_fork(&f, 40, 7, 1);		/* the exit of the second was lost */
	do_comm(&f, 41, 7, 7, "third", true);
	machine_freeze(f.m);
	a = machine_thread_at(f.m, 7, 7, 25);
	b = machine_thread_at(f.m, 7, 7, 35);
	CHECK(a != b);
	CHECK_EQ(a->end_ns, 20);
	CHECK_EQ(b->end_ns, 40);
	CHECK_STR(comm_at(&f, 7, 7, 25), "first");
	CHECK_STR(comm_at(&f, 7, 7, 30), "init");
	CHECK_STR(comm_at(&f, 7, 7, 39), "second");
	CHECK_STR(comm_at(&f, 7, 7, 99), "third");
	CHECK_STR(at(&f, 7, 0x1000, 25), "/first+0");
	CHECK_STR(at(&f, 7, 0x1000, 31), "-");
	CHECK_STR(at(&f, 7, 0x1000, 32), "/second+0");
	CHECK_STR(at(&f, 7, 0x1000, 50), "-");
	teardown(&f);
}

TEST(threads_share_space)
{
	struct fixture f;
	struct thread *t;

	setup(&f);
	do_comm(&f, 0, 100, 100, "app", false);
	do_task(&f, 5, PERF_RECORD_FORK, 100, 101, 100, 100);
	do_comm(&f, 6, 100, 101, "io", false);
	do_mmap(&f, 7, 100, 0x1000, 0x1000, 0, "/plugin.so");
	machine_freeze(f.m);
	t = machine_thread_at(f.m, 100, 101, 8);
	CHECK_EQ(t->process, machine_thread_at(f.m, 100, 100, 8)->process);
	CHECK(space_find(thread_space_at(t, 8), 0x1800, 8) != NULL);
	CHECK_STR(comm_at(&f, 100, 101, 5), "app");
	CHECK_STR(comm_at(&f, 100, 101, 6), "io");
	CHECK_STR(comm_at(&f, 100, 100, 6), "app");
	/* a thread that no record told of, in a known process */
	t = machine_thread_at(f.m, 100, 150, 8);
	CHECK(space_find(thread_space_at(t, 8), 0x1800, 8) != NULL);
	CHECK_STR(comm_at(&f, 100, 150, 8), ":150");
	teardown(&f);
}

TEST(synthesized_fork_copies_nothing)
{
	struct fixture f;
	struct wire_task k = { .pid = 3, .tid = 3, .ppid = 2, .ptid = 2 };
	u64 buf[16];
	int n = wire_encode_task(NULL, PERF_RECORD_FORK, &k, NULL, buf, sizeof(buf));

	setup(&f);
	do_comm(&f, 0, 2, 2, "parent", false);
	do_mmap(&f, 0, 2, 0x1000, 0x1000, 0, "/parent");
	do_comm(&f, 0, 3, 3, "daemon", false);
	((struct perf_event_header *)buf)->misc |= PERF_RECORD_MISC_COMM_EXEC;
	apply(&f, buf, n, 0);
	do_mmap(&f, 0, 3, 0x5000, 0x1000, 0, "/daemon");
	machine_freeze(f.m);
	CHECK_STR(comm_at(&f, 3, 3, 10), "daemon");
	CHECK_STR(at(&f, 3, 0x1000, 10), "-");
	CHECK_STR(at(&f, 3, 0x5000, 10), "/daemon+0");
	teardown(&f);
}

/* A recording without times: everything is at 0, the order of application counts, also while it
 * is not frozen. */
TEST(no_times)
{
	struct fixture f;

	setup(&f);
	do_mmap(&f, 0, 4, 0x1000, 0x1000, 0, "/one");
	CHECK_STR(at(&f, 4, 0x1000, 0), "/one+0");
	do_mmap(&f, 0, 4, 0x1000, 0x2000, 0, "/two");
	CHECK_STR(at(&f, 4, 0x1000, 0), "/two+0");
	do_fork(&f, 0, 5, 4);
	do_mmap(&f, 0, 4, 0x1000, 0x2000, 0, "/three");
	CHECK_STR(at(&f, 5, 0x1000, 0), "/two+0");
	CHECK_STR(at(&f, 4, 0x1000, 0), "/three+0");
	do_comm(&f, 0, 5, 5, "x", true);
	CHECK_STR(comm_at(&f, 5, 5, 0), "x");
	teardown(&f);
}

TEST(kinds_of_mappings)
{
	struct fixture f;
	const struct mapping *map;
	struct thread *t;

	setup(&f);
	do_mmap(&f, 0, 9, 0x10000, 0x1000, 0, "//anon");
	do_mmap(&f, 0, 9, 0x20000, 0x1000, 0, "[heap]");
	do_mmap(&f, 0, 9, 0x30000, 0x1000, 0, "[vdso]");
	do_kmap(&f, 0xffffffff81000000, 0x1000000, 0xffffffff81000000, "[kernel.kallsyms]_text");
	do_kmap(&f, 0xffffffffc0000000, 0x5000, 0,
		"/lib/modules/6.1.0/kernel/fs/ext4/my-ext4.ko.xz");
	machine_freeze(f.m);
	t = machine_thread_at(f.m, 9, 9, 0);
	map = space_find(thread_space_at(t, 0), 0x10010, 0);
	CHECK_EQ(map->dso->kind, DSO_PERF_MAP);
	CHECK_STR(map->dso->path, "/tmp/perf-9.map");
	CHECK_EQ(map->dso->pid, 9);
	CHECK_EQ(map->off, 0x10000);
	CHECK_EQ(space_find(thread_space_at(t, 0), 0x20000, 0)->dso->kind, DSO_ANON);
	CHECK_EQ(space_find(thread_space_at(t, 0), 0x30000, 0)->dso->kind, DSO_VDSO);
	map = space_find(machine_kernel_space(f.m), 0xffffffff81000123, 0);
	CHECK_STR(map->dso->path, "[kernel.kallsyms]");
	CHECK_EQ(mapping_rva(map, 0xffffffff81000123), 0xffffffff81000123);
	map = space_find(machine_kernel_space(f.m), 0xffffffffc0000123, 0);
	CHECK_STR(map->dso->short_name, "[my_ext4]");
	CHECK_EQ(map->dso->kind, DSO_MODULE);
	CHECK(machine_is_kernel_va(f.m, 0xffffffff81000123));
	CHECK(!machine_is_kernel_va(f.m, 0x7fffffffffff));
	CHECK_STR(machine_vsyscall(f.m, 0xffffffffff600400)->dso->path, "[vsyscall]");
	CHECK(machine_vsyscall(f.m, 0xffffffffff601000) == NULL);
	teardown(&f);
}

/* The code that a module runs while it is loaded is the module's, and its names stand in the
 * recording. */
TEST(init_code_of_modules)
{
	const u64 core = 0xffffffffc0000000, init = 0xffffffffc0800000;
	const struct wire_ksymbol k = { .va = init + 0x140, .bytes = 0x20,
					.type = PERF_RECORD_KSYMBOL_TYPE_OOL, .name = "ext4_init" },
			      past = { .va = init + 0x2f0, .bytes = 0x20,
				       .type = PERF_RECORD_KSYMBOL_TYPE_OOL, .name = "elsewhere" };
	struct wire_ksymbol later = { .bytes = 0x20, .type = PERF_RECORD_KSYMBOL_TYPE_OOL,
				      .name = "kprobe_insn_page" };
	const struct mapping *map, *again;
	struct fixture f;

	setup(&f);
	do_kmap(&f, core, 0x5000, 0, "/lib/modules/6.1.0/kernel/fs/ext4/my-ext4.ko.xz");
	do_kmap(&f, init, 0x300, 0, "[my_ext4.init.text]");
	do_ksymbol(&f, &k, 0);
	do_kmap(&f, init, 0x300, 0, "[my_ext4.init.text]");	/* once more, at the same place */
	do_ksymbol(&f, &k, 0);
	do_ksymbol(&f, &past, 0);
	do_kmap(&f, core + 0x100000, 0x5000, 0, "/lib/modules/6.1.0/kernel/fs/ext4/my-ext4.ko.xz");
	do_kmap(&f, init + 0x100000, 0x300, 0, "[my_ext4.init.text]");
	do_kmap(&f, init + 0x200000, 0x300, 0, "[other.init.text]");
	do_kmap(&f, init + 0x300000, 0x300, 0, "[.init.text]");
	later.va = init + 0x100010;
	do_ksymbol(&f, &later, 100);
	machine_freeze(f.m);
	map = space_find(machine_kernel_space(f.m), init + 0x150, 0);
	CHECK(map->dso == space_find(machine_kernel_space(f.m), core, 0)->dso);
	CHECK_STR(map->dso->short_name, "[my_ext4]");
	CHECK_EQ(mapping_rva(map, init + 0x150), init + 0x150);
	/* elsewhere, the same code */
	again = space_find(machine_kernel_space(f.m), init + 0x100150, 0);
	CHECK(again->dso == map->dso);
	CHECK_EQ(mapping_rva(again, init + 0x100150), init + 0x150);
	CHECK_EQ(map->dso->kind, DSO_MODULE);
	CHECK_STR(dso_find(map->dso, init + 0x150)->name, "ext4_init");
	CHECK_EQ(space_find(machine_kernel_space(f.m), init + 0x305, 0)->dso->kind, DSO_BPF);
	CHECK(space_find(machine_kernel_space(f.m), init + 0x100010, 99)->dso == map->dso);
	CHECK_STR(space_find(machine_kernel_space(f.m), init + 0x100010, 100)->dso->path,
		  "kprobe_insn_page");
	CHECK_STR(space_find(machine_kernel_space(f.m), init + 0x200000, 0)->dso->short_name,
		  "[other]");
	CHECK_STR(space_find(machine_kernel_space(f.m), init + 0x300000, 0)->dso->short_name,
		  "[.init.text]");
	teardown(&f);
}

TEST(bpf_programs_come_and_go)
{
	struct fixture f;
	struct wire_ksymbol k = { .va = 0xffffffffc0100000, .bytes = 0x100, .type = 1,
				  .name = "bpf_prog_x" };
	struct space *s;
	u64 buf[64];

	setup(&f);
	do_kmap(&f, 0xffffffff81000000, 0x7f000000, 0xffffffff81000000, "[kernel.kallsyms]_text");
	apply(&f, buf, wire_encode_ksymbol(NULL, &k, NULL, buf, sizeof(buf)), 10);
	k.flags = 1;
	apply(&f, buf, wire_encode_ksymbol(NULL, &k, NULL, buf, sizeof(buf)), 20);
	machine_freeze(f.m);
	s = machine_kernel_space(f.m);
	CHECK_STR(space_find(s, 0xffffffffc0100010, 9)->dso->path, "[kernel.kallsyms]");
	CHECK_STR(space_find(s, 0xffffffffc0100010, 10)->dso->path, "bpf_prog_x");
	CHECK_EQ(mapping_rva(space_find(s, 0xffffffffc0100010, 10), 0xffffffffc0100010), 0x10);
	CHECK(space_find(s, 0xffffffffc0100010, 20) == NULL);
	teardown(&f);
}

TEST(versions_change_with_lookups)
{
	struct fixture f;
	struct space *s;

	setup(&f);
	do_mmap(&f, 10, 4, 0x1000, 0x1000, 0, "/one");
	do_mmap(&f, 20, 4, 0x1000, 0x1000, 0, "/two");
	do_mmap(&f, 30, 4, 0x1000, 0x1000, 0, "/two");	/* the same again changes nothing */
	machine_freeze(f.m);
	s = thread_space_at(machine_thread_at(f.m, 4, 4, 0), 0);
	CHECK_EQ(space_version(s, 0), 0);
	CHECK_EQ(space_version(s, 10), space_version(s, 19));
	CHECK(space_version(s, 19) != space_version(s, 20));
	CHECK_EQ(space_version(s, 20), space_version(s, 1000));
	CHECK(space_id(s) != space_id(machine_kernel_space(f.m)));
	teardown(&f);
}

/* The reference: every mapping kept, the last applied one that covers va at t wins. */
struct ref { u64 t, start, end, off; int file; };

static u32 next_random(u32 *x)
{
	*x = *x * 1664525 + 1013904223;
	return *x >> 8;
}

TEST(random_against_reference)
{
	static struct ref refs[2000];
	struct fixture f;
	u32 rnd = 12345;
	char path[32];

	setup(&f);
	for (int i = 0; i < 2000; i++) {
		struct ref *r = &refs[i];

		r->t = i / 3;		/* several changes at one time */
		r->start = (next_random(&rnd) % 4096) << 12;
		r->end = r->start + ((1 + next_random(&rnd) % (i % 50 ? 20 : 2000)) << 12);
		r->file = next_random(&rnd) % 30;
		r->off = (u64)(next_random(&rnd) % 100) << 12;
		snprintf(path, sizeof(path), "/f%d", r->file);
		do_mmap(&f, r->t, 1, r->start, r->end - r->start, r->off, path);
	}
	machine_freeze(f.m);
	for (int i = 0; i < 20000; i++) {
		u64 va = (u64)(next_random(&rnd) % (6200 << 4)) << 8, t = next_random(&rnd) % 700;
		const struct ref *best = NULL;
		char want[64] = "-";

		for (int k = 0; k < 2000 && refs[k].t <= t; k++) {
			if (refs[k].start <= va && va < refs[k].end)
				best = &refs[k];
		}
		if (best)
			snprintf(want, sizeof(want), "/f%d+%llx", best->file,
				 (unsigned long long)(va - best->start + best->off));
		CHECK_STR(at(&f, 1, va, t), want);
	}
	teardown(&f);
}

/* 10,000 forks of a process with 500 mappings, in generations that map something each. */
TEST(many_forks_are_cheap)
{
	struct fixture f;
	char path[32];

	setup(&f);
	for (int i = 0; i < 500; i++) {
		snprintf(path, sizeof(path), "/lib/%d", i);
		do_mmap(&f, 0, 1, 0x100000 + i * 0x1000, 0x1000, 0, path);
	}
	for (u32 i = 0; i < 10000; i++) {
		/* chains of 100 generations */
		u32 pid = 2 + i, parent = i % 100 ? pid - 1 : 1;

		do_fork(&f, 10 + i, pid, parent);
		if (i % 100 < 20)
			do_mmap(&f, 10 + i, pid, 0x10000000 + i * 0x1000, 0x1000, 0, "/own");
	}
	machine_freeze(f.m);
	CHECK_STR(at(&f, 2 + 9999, 0x100000 + 499 * 0x1000, 20000), "/lib/499+0");
	CHECK_STR(at(&f, 2 + 9919, 0x10000000 + 9900 * 0x1000, 20000), "/own+0");
	CHECK_STR(at(&f, 2 + 9919, 0x10000000 + 9899 * 0x1000, 20000), "-");
	CHECK_STR(at(&f, 1, 0x10000000, 20000), "-");
	teardown(&f);
}

TEST(trim_forgets_the_ended)
{
	struct fixture f;
	struct thread *const *list;

	setup(&f);
	do_comm(&f, 0, 1, 1, "init", false);
	do_mmap(&f, 0, 1, 0x1000, 0x1000, 0, "/init");
	for (u32 i = 0; i < 100; i++) {
		do_fork(&f, 10 + i, 100 + i, i ? 100 + i - 1 : 1);
		do_mmap(&f, 10 + i, 100 + i, 0x2000, 0x1000, 0, "/x");
		if (i)
			do_task(&f, 10 + i, PERF_RECORD_EXIT, 100 + i - 1, 100 + i - 1, 1, 1);
		do_comm(&f, 10 + i, 100 + i, 100 + i, "y", true);
	}
	machine_trim(f.m, 105, NULL);
	CHECK_EQ(machine_threads(f.m, &list), 2 + 100 - 94);
	/* in execve(), before its own mappings */
	CHECK_STR(at(&f, 199, 0x2000, 200), "/x+0");
	do_mmap(&f, 250, 199, 0x5000, 0x1000, 0, "/y");
	do_fork(&f, 300, 100, 199);
	CHECK_STR(at(&f, 100, 0x5000, 301), "/y+0");
	CHECK_STR(at(&f, 1, 0x1000, 301), "/init+0");
	teardown(&f);
}

TEST(trim_keeps_who_is_asked_for)
{
	struct hmap kept = { 0 };
	struct fixture f;
	struct thread *const *list;
	struct thread *th;

	setup(&f);
	for (u32 i = 0; i < 4; i++) {
		do_fork(&f, 10, 100 + i, 1);
		do_comm(&f, 11, 100 + i, 100 + i, "y", false);
		do_task(&f, 20, PERF_RECORD_EXIT, 100 + i, 100 + i, 1, 1);
	}
	th = machine_thread_at(f.m, 102, 102, 15);
	hmap_put(&kept, (uintptr_t)th, th);
	machine_trim(f.m, 100, &kept);
	CHECK_EQ(machine_threads(f.m, &list), 2);	/* it, and its parent, which runs */
	CHECK(machine_thread_at(f.m, 102, 102, 15) == th);
	CHECK_STR(thread_comm_at(th, 15)->name, "y");
	machine_trim(f.m, 100, NULL);
	CHECK_EQ(machine_threads(f.m, &list), 1);
	hmap_release(&kept);
	teardown(&f);
}

/* A recorder that runs for days: what it knows is bounded by what runs, not by what ran. */
TEST(trim_keeps_up_with_forks)
{
	enum { FORKS = 200000, STEP = 4096 };
	struct machine_stats st;
	u64 most = 0, most_p = 0;
	struct fixture f;

	setup(&f);
	do_comm(&f, 0, 1, 1, "sh", false);
	do_mmap(&f, 0, 1, 0x1000, 0x1000, 0, "/sh");
	for (u32 i = 1; i <= FORKS; i++) {
		const u32 pid = 2 + i % 100000;		/* pids are used again */

		do_fork(&f, i * 10, pid, 1);
		do_comm(&f, i * 10 + 1, pid, pid, "x", true);
		do_mmap(&f, i * 10 + 2, pid, 0x2000, 0x1000, 0, "/x");
		CHECK_STR(at(&f, pid, 0x2000, i * 10 + 3), "/x+0");
		do_task(&f, i * 10 + 4, PERF_RECORD_EXIT, pid, pid, 1, 1);
		if (i % STEP == 0)
			machine_trim(f.m, (i - 10) * 10, NULL);
		machine_get_stats(f.m, &st);
		most = MAX(most, st.threads);
		most_p = MAX(most_p, st.processes);
	}
	CHECK(most <= STEP + 20);
	CHECK(most_p <= STEP + 20);
	CHECK_STR(at(&f, 1, 0x1000, FORKS * 10 + 5), "/sh+0");
	teardown(&f);
}

static struct dso *dso_of(struct fixture *f, u32 pid, u64 va, u64 t)
{
	return space_find(thread_space_at(machine_thread_at(f->m, pid, pid, t), t), va, t)->dso;
}

static void reuse_dsos(struct fixture *f)
{
	const size_t n = dso_count(f->store);
	bool *used = calloc(n + 1, sizeof(*used));

	machine_mark_dsos(f->m, used, n);
	dso_store_reuse(f->store, used, n);
	free(used);
}

/* Each process has a file and a perf map of its own, as builds and JITs make them. */
TEST(files_of_the_ended_give_their_place)
{
	enum { FORKS = 3000, STEP = 100 };
	struct dso *init, *asked;
	struct fixture f;
	char path[64];

	setup(&f);
	do_comm(&f, 0, 1, 1, "init", false);
	do_mmap(&f, 0, 1, 0x1000, 0x1000, 0, "/init");
	do_mmap(&f, 0, 1, 0x3000, 0x1000, 0, "/asked");
	init = dso_of(&f, 1, 0x1000, 1);
	asked = dso_of(&f, 1, 0x3000, 1);
	dso_find(asked, 0);
	do_mmap(&f, 5, 1, 0x3000, 0x1000, 0, "/over-it");
	for (u32 i = 1; i <= FORKS; i++) {
		const u32 pid = 1 + i;

		do_fork(&f, i * 10, pid, 1);
		do_comm(&f, i * 10 + 1, pid, pid, "x", true);
		snprintf(path, sizeof(path), "/tmp/%u", i);
		do_mmap(&f, i * 10 + 2, pid, 0x2000, 0x1000, 0, path);
		do_mmap(&f, i * 10 + 2, pid, 0x8000, 0x1000, 0, "//anon");
		CHECK_STR(dso_of(&f, pid, 0x2000, i * 10 + 3)->path, path);
		do_task(&f, i * 10 + 4, PERF_RECORD_EXIT, pid, pid, 1, 1);
		if (i % STEP)
			continue;
		machine_trim(f.m, (i - 10) * 10, NULL);
		reuse_dsos(&f);
	}
	CHECK(dso_count(f.store) <= 2 * STEP + 2 * 11 + 5);
	CHECK_STR(at(&f, 1, 0x1000, FORKS * 10 + 5), "/init+0");
	CHECK(dso_of(&f, 1, 0x1000, FORKS * 10 + 5) == init);
	CHECK_STR(asked->path, "/asked");	/* a row may show it */
	CHECK(dso_get(f.store, &(struct dso_key){ .kind = DSO_FILE, .path = "/asked",
						  .maj = asked->maj, .min = asked->min,
						  .ino = asked->ino }) == asked);
	for (size_t i = 0; i < dso_count(f.store); i++)
		CHECK_EQ(dso_at(f.store, i)->index, i);
	teardown(&f);
}

TEST(damaged_records_are_counted)
{
	struct fixture f;
	struct machine_stats st;
	struct wire_mmap mm = { .pid = 1, .start_va = UINT64_MAX - 10, .bytes = 0x1000,
				.path = "/x" };
	const char *reason = NULL;
	u64 buf[64];

	setup(&f);
	CHECK(wire_encode_mmap2(NULL, &mm, PERF_RECORD_MISC_USER, NULL, buf, sizeof(buf)) > 0);
	CHECK(machine_apply(f.m, (void *)buf, 0, &reason) < 0);
	CHECK(reason != NULL);
	((struct perf_event_header *)buf)->size = 16;
	CHECK(machine_apply(f.m, (void *)buf, 0, &reason) < 0);
	machine_get_stats(f.m, &st);
	CHECK_EQ(st.bad_records, 2);
	teardown(&f);
}
