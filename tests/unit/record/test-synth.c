// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "util/base/io.h"
#include "util/record/synth.h"

static void put(const char *root, const char *path, const char *text)
{
	char *full = xasprintf("%s/%s", root, path), *slash = strrchr(full, '/');
	FILE *f;

	*slash = '\0';
	CHECK(io_mkdirs(full, NULL) == 0);
	*slash = '/';
	f = fopen(full, "w");
	CHECK(f != NULL);
	fputs(text, f);
	fclose(f);
	free(full);
}

static void put_dir(const char *root, const char *path)
{
	char *full = xasprintf("%s/%s", root, path);

	CHECK(io_mkdirs(full, NULL) == 0);
	free(full);
}

static void put_task(const char *root, int pid, int tid, int ppid, const char *comm)
{
	char path[128], text[512];

	for (int i = 0; i < 2; i++) {
		const int at = i ? tid : pid;

		if (!i && pid != tid)
			continue;
		snprintf(path, sizeof(path), i ? "proc/%d/task/%d/comm" : "proc/%d/comm", pid, at);
		snprintf(text, sizeof(text), "%s\n", comm);
		put(root, path, text);
		snprintf(path, sizeof(path), i ? "proc/%d/task/%d/status" : "proc/%d/status", pid,
			 at);
		snprintf(text, sizeof(text), "Name:\t%s\nState:\tS "
					     "(sleeping)\nTgid:\t%d\nPid:\t%d\nPPid:\t%d\n"
					     "Uid:\t0\t0\t0\t0\n",
			 comm, pid, at, ppid);
		put(root, path, text);
		snprintf(path, sizeof(path), i ? "proc/%d/task/%d/stat" : "proc/%d/stat", pid, at);
		snprintf(text, sizeof(text), "%d (%s) S %d 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 2 0 "
					     "1234 0 0\n", at, comm, ppid);
		put(root, path, text);
	}
}

/* The records as lines of text. */
static int note(void *ctx, const struct perf_event_header *rec)
{
	struct str *out = ctx;
	struct wire_mmap m;
	struct wire_comm c;
	struct wire_task t;
	const char *reason;

	CHECK_EQ(rec->size % 8, 0);
	if (rec->type == PERF_RECORD_MMAP2 || rec->type == PERF_RECORD_MMAP) {
		CHECK_EQ(wire_decode_mmap(rec, &m, &reason), 0);
		str_addf(out, "mmap %d/%d %llx+%llx @%llx %u:%u:%llu %s%s%s\n", (int)m.pid,
			 (int)m.tid,
			 (unsigned long long)m.start_va, (unsigned long long)m.bytes,
			 (unsigned long long)m.off, m.maj, m.min,
			 (unsigned long long)m.ino, m.path, (rec->misc & 7) ==
			 PERF_RECORD_MISC_KERNEL ? " k" : "",
			 m.data ? " data" : "");
	} else if (rec->type == PERF_RECORD_COMM) {
		CHECK_EQ(wire_decode_comm(rec, &c, &reason), 0);
		str_addf(out, "comm %u/%u %s\n", c.pid, c.tid, c.comm);
	} else {
		CHECK_EQ(rec->type, PERF_RECORD_FORK);
		CHECK_EQ(wire_decode_task(rec, &t, &reason), 0);
		str_addf(out, "fork %u/%u of %u/%u\n", t.pid, t.tid, t.ppid, t.ptid);
	}
	return 0;
}

static const struct perf_event_attr attr = {
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER,
		.sample_id_all = 1,
};

static struct synth start(struct os *os, struct str *out)
{
	os_init_root(os, unit_tmpdir());
	return (struct synth){ .os = os, .attr = &attr, .emit = note, .ctx = out };
}

#define MAPS "00400000-00402000 r--p 00000000 fe:01 77   /bin/one two\n" \
	     "00402000-00410000 r-xp 00002000 fe:01 77   /bin/one two\n" \
	     "7f0000000000-7f0000001000 rwxp 00000000 00:00 0 \n" \
	     "7f0000002000-7f0000004000 r-xp 00000000 00:00 0    [vdso]\n"

TEST(process_with_threads)
{
	struct str out = STR_INIT;
	struct os os;
	struct synth s;

	put_task(unit_tmpdir(), 7, 7, 1, "lead (x)");
	put_task(unit_tmpdir(), 7, 9, 1, "worker\n2");
	put(unit_tmpdir(), "proc/7/maps", MAPS);
	s = start(&os, &out);
	CHECK_EQ(synth_process(&s, 7, NULL), 0);
	CHECK_STR(str_cstr(&out),
		  "fork 7/7 of 1/1\n"
		  "comm 7/7 lead (x)\n"
		  "mmap 7/7 402000+e000 @2000 254:1:77 /bin/one two\n"
		  "mmap 7/7 7f0000000000+1000 @0 0:0:0 //anon\n"
		  "mmap 7/7 7f0000002000+2000 @0 0:0:0 [vdso]\n"
		  "fork 7/9 of 7/7\n"
		  "comm 7/9 worker\n2\n");
	CHECK_EQ(s.n_tasks, 2);
	CHECK_EQ(s.n_records, 7);
	str_release(&out);
	os_release(&os);
}

TEST(data_maps_are_marked)
{
	struct str out = STR_INIT;
	struct os os;
	struct synth s;

	put_task(unit_tmpdir(), 7, 7, 1, "a");
	put(unit_tmpdir(), "proc/7/maps", MAPS);
	s = start(&os, &out);
	s.data_maps = true;
	CHECK_EQ(synth_process(&s, 7, NULL), 0);
	CHECK(strstr(str_cstr(&out), "mmap 7/7 400000+2000 @0 254:1:77 /bin/one two data\n") !=
	      NULL);
	CHECK_EQ(s.n_records, 6);
	str_release(&out);
	os_release(&os);
}

TEST(all_tasks_in_order_and_the_gone_are_counted)
{
	struct str out = STR_INIT;
	struct os os;
	struct synth s;

	put_task(unit_tmpdir(), 12, 12, 1, "b");
	put_task(unit_tmpdir(), 2, 2, 0, "a");
	put(unit_tmpdir(), "proc/2/maps", "");
	put_dir(unit_tmpdir(), "proc/5");	/* nothing in it: it has just ended */
	s = start(&os, &out);
	CHECK_EQ(synth_tasks(&s, NULL), 0);
	CHECK_STR(str_cstr(&out), "fork 2/2 of 0/0\ncomm 2/2 a\nfork 12/12 of 1/1\ncomm 12/12 b\n");
	CHECK_EQ(s.n_gone, 1);
	CHECK_EQ(s.n_tasks, 2);
	str_release(&out);
	os_release(&os);
}

TEST(kernel_from_the_first_lines_and_iomem)
{
	struct str out = STR_INIT;
	struct os os;
	struct synth s;

	put(unit_tmpdir(), "proc/kallsyms", "ffffffff81000000 T _stext\nffffffff81000000 T "
					    "_text\nffffffff81000040 t x\n");
	put(unit_tmpdir(), "proc/iomem",
	    "00000000-00000fff : Reserved\n  01000000-02276507 : Kernel code\n  02400000-02e0cfff "
	    ": Kernel rodata\n");
	put(unit_tmpdir(), "proc/modules", "ext4 933888 1 - Live 0xffffffffc0a00000\nkvm_intel "
					   "4096 0 - Live 0xffffffffc0b00000 (E)\n");
	s = start(&os, &out);
	CHECK_EQ(synth_kernel(&s), 0);
	CHECK_STR(str_cstr(&out),
		  "mmap -1/0 ffffffff81000000+1276508 @ffffffff81000000 0:0:0 "
		  "[kernel.kallsyms]_text k\n"
		  "mmap -1/0 ffffffffc0a00000+e4000 @ffffffffc0a00000 0:0:0 [ext4] k\n"
		  "mmap -1/0 ffffffffc0b00000+1000 @ffffffffc0b00000 0:0:0 [kvm_intel] k\n");
	CHECK(!s.kernel_hidden);
	str_release(&out);
	os_release(&os);
}

TEST(kernel_end_from_etext_without_iomem)
{
	struct str out = STR_INIT, text = STR_INIT;
	struct os os;
	struct synth s;

	str_add(&text, "ffff800080000000 T _text\nffff800080010000 T _stext\n");
	for (int i = 0; i < 2000; i++)
		str_addf(&text, "ffff8000800%05x t some_symbol_%d\n", 0x10000 + i, i);
	str_add(&text, "ffff800081000000 D _etext\nffff800081000008 D _end\n");
	put(unit_tmpdir(), "proc/kallsyms", str_cstr(&text));
	s = start(&os, &out);
	CHECK_EQ(synth_kernel(&s), 0);
	CHECK_STR(str_cstr(&out), "mmap -1/0 ffff800080000000+1000000 @ffff800080000000 0:0:0 "
				  "[kernel.kallsyms]_text k\n");
	str_release(&out);
	str_release(&text);
	os_release(&os);
}

/* Older kernels list per-CPU symbols first; and a line must not cost what the rest of the file
 * is long. */
TEST(kernel_behind_per_cpu_symbols)
{
	struct str out = STR_INIT, text = STR_INIT;
	struct os os;
	struct synth s;

	for (int i = 0; i < 1000; i++)
		str_addf(&text, "%016x A per_cpu_symbol_%d\n", i * 64, i);
	str_add(&text, "ffffffff81000000 T _text\nffffffff81000000 T _stext\n");
	for (int i = 0; i < 200000; i++)
		str_addf(&text, "ffffffff81%06x t _symbol_%d\n", 0x10 + i, i);
	str_add(&text, "ffffffff82000000 T _etext\n");
	put(unit_tmpdir(), "proc/kallsyms", str_cstr(&text));
	s = start(&os, &out);
	CHECK_EQ(synth_kernel(&s), 0);
	CHECK_STR(str_cstr(&out), "mmap -1/0 ffffffff81000000+1000000 @ffffffff81000000 0:0:0 "
				  "[kernel.kallsyms]_text k\n");
	str_release(&out);
	str_release(&text);
	os_release(&os);
}

TEST(hidden_kernel_addresses_are_reported)
{
	struct str out = STR_INIT;
	struct os os;
	struct synth s;

	put(unit_tmpdir(), "proc/kallsyms", "0000000000000000 T _stext\n0000000000000000 T "
					    "_text\n");
	s = start(&os, &out);
	CHECK_EQ(synth_kernel(&s), 0);
	CHECK_EQ(out.len, 0);
	CHECK(s.kernel_hidden);
	os_release(&os);
}

static int stop_at_second(void *ctx, const struct perf_event_header *rec)
{
	int *n = ctx;

	(void)rec;
	return ++*n == 2 ? -ENOSPC : 0;
}

TEST(emit_may_stop)
{
	struct os os;
	struct synth s;
	int n = 0;

	put_task(unit_tmpdir(), 7, 7, 1, "a");
	put(unit_tmpdir(), "proc/7/maps", MAPS);
	s = start(&os, NULL);
	s.emit = stop_at_second;
	s.ctx = &n;
	CHECK_EQ(synth_tasks(&s, NULL), -ENOSPC);
	CHECK_EQ(n, 2);
	os_release(&os);
}

TEST(module_paths)
{
	static const char dep[] =
		"kernel/fs/ext4/ext4.ko.xz: kernel/fs/jbd2/jbd2.ko.xz kernel/fs/mbcache.ko.xz\n"
		"kernel/drivers/i2c/i2c-dev.ko:\n"
		"kernel/fs/ext4/ext4_test.ko:\n";
	struct str s = STR_INIT;

	CHECK(synth_module_path(dep, "ext4", &s));
	CHECK_STR(str_cstr(&s), "kernel/fs/ext4/ext4.ko.xz");
	str_reset(&s);
	CHECK(synth_module_path(dep, "i2c_dev", &s));
	CHECK_STR(str_cstr(&s), "kernel/drivers/i2c/i2c-dev.ko");
	str_reset(&s);
	CHECK(!synth_module_path(dep, "jbd2", &s));
	CHECK(!synth_module_path("", "jbd2", &s));
	CHECK(!synth_module_path("garbage", "garbage", &s));
	CHECK_EQ(s.len, 0);
	str_release(&s);
}
