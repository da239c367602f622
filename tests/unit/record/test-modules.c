// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/record/modules.h"

static void put(const char *path, const char *text, size_t n)
{
	char *full = xasprintf("%s/%s", unit_tmpdir(), path), *slash = strrchr(full, '/');
	FILE *f;

	*slash = '\0';
	CHECK(io_mkdirs(full, NULL) == 0);
	*slash = '/';
	f = fopen(full, "w");
	CHECK(f != NULL);
	fwrite(text, 1, n, f);
	fclose(f);
	free(full);
}

static void put_modules(const char *text)
{
	put("proc/modules", text, strlen(text));
}

/* As the kernel shows a build-id: an ELF note of type 3 named GNU. */
static void put_note(const char *name, u8 first)
{
	u8 note[16 + 20] = { 4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0 };
	char *path = xasprintf("sys/module/%s/notes/.note.gnu.build-id", name);

	memset(note + 16, first, 20);
	put(path, (const char *)note, sizeof(note));
	free(path);
}

static const struct perf_event_attr attr = {
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
		.sample_id_all = 1,
};

static int note(void *ctx, const struct perf_event_header *rec)
{
	struct str *out = ctx;
	struct wire_mmap m;
	struct wire_ksymbol k;
	struct sample_id id;
	const char *reason;

	CHECK_EQ(wire_decode_id(&attr, rec, &id, &reason), 0);
	if (rec->type == PERF_RECORD_KSYMBOL) {
		CHECK_EQ(wire_decode_ksymbol(rec, &k, &reason), 0);
		str_addf(out, "%llu: %llx+%x is %s%s\n", (unsigned long long)id.time_ns,
			 (unsigned long long)k.va, k.bytes, k.name,
			 k.type == PERF_RECORD_KSYMBOL_TYPE_OOL ? "" : " (bpf)");
		return 0;
	}
	CHECK_EQ(wire_decode_mmap(rec, &m, &reason), 0);
	CHECK_EQ(rec->misc & PERF_RECORD_MISC_CPUMODE_MASK, PERF_RECORD_MISC_KERNEL);
	str_addf(out, "%llu: %llx+%llx %s", (unsigned long long)id.time_ns,
		 (unsigned long long)m.start_va,
		 (unsigned long long)m.bytes, m.path);
	str_addf(out, m.build_id_bytes ? " id %02x\n" : "\n", m.build_id[0]);
	return 0;
}

/* A machine that has these modules when the watch begins. */
struct watch { struct os os; struct modules *m; };

static void start(struct watch *w, const char *modules)
{
	os_init_root(&w->os, unit_tmpdir());
	put_modules(modules);
	w->m = modules_new(&w->os);
	CHECK(w->m != NULL);
}

static void stop(struct watch *w)
{
	modules_free(w->m);
	os_release(&w->os);
}

/* What a look writes. */
static void check_look(struct watch *w, u64 now_ns, const char *want)
{
	struct str out = STR_INIT;
	struct synth y = { .os = &w->os, .attr = &attr, .emit = note, .ctx = &out,
			   .build_ids = true };

	CHECK_EQ(modules_update(w->m, &y, now_ns), 0);
	CHECK_STR(str_cstr(&out), want);
	synth_release(&y);
	str_release(&out);
}

#define EXT4 "ext4 4096 1 - Live 0xffffffffc0a00000\n"
#define BTRFS "btrfs 8192 0 - Live 0xffffffffc0b00000\n"

TEST(modules_that_come_later)
{
	struct watch w;

	put_note("btrfs", 0xab);
	start(&w, EXT4);
	CHECK_EQ(modules_fd(w.m), -1);		/* nothing is heard from a fake tree */
	CHECK(!modules_changed(w.m, 1000));
	CHECK(!modules_changed(w.m, 2000));
	check_look(&w, 2500, "");
	CHECK(!modules_changed(w.m, 3000));
	CHECK(!modules_changed(w.m, 2900));	/* time never goes back */
	put_modules("dm_mod 12288 0 - Loading 0xffffffffc0c00000 (OE)\n" BTRFS EXT4);
	/* without the init part, which lies elsewhere */
	put("sys/module/dm_mod/coresize", "4096\n", 5);
	check_look(&w, 9000, "3001: ffffffffc0b00000+2000 [btrfs] id ab\n3001: "
			     "ffffffffc0c00000+1000 [dm_mod]\n");
	check_look(&w, 9500, "");
	stop(&w);
}

/* As /sys tells it of a module that is there, until it goes. */
static void put_init(const char *module, const char *va, const char *bytes)
{
	char *path = xasprintf("sys/module/%s/sections/.init.text", module),
		*size = xasprintf("sys/module/%s/initsize", module);

	put(path, va, strlen(va));
	put(size, bytes, strlen(bytes));
	free(path);
	free(size);
}

/* The init function runs: kallsyms has the names. */
TEST(init_code_of_a_module_that_is_being_loaded)
{
	static const char syms[] = "ffffffffc0c00000 t dm_work\t[dm_mod]\nffffffffc0c00010 D "
				   "dm_data\t[dm_mod]\n"
		"ffffffffc0d00140 t dm_init\t[dm_mod]\nffffffffc0d00000 t "
		"first\t[dm_mod]\nffffffffc0d00140 T init_module\t[dm_mod]\n"
		"ffffffffc0d00020 T other\t[btrfs]\nffffffffc0d02fff d "
		"table\t[dm_mod]\nffffffffc0d03000 t beyond\t[dm_mod]\n";
	struct watch w;

	start(&w, EXT4);
	put_init("dm_mod", "0xffffffffc0d00000\n", "12288\n");
	put("proc/kallsyms", syms, strlen(syms));
	put_modules("dm_mod 4096 0 - Loading 0xffffffffc0c00000\n" EXT4);
	check_look(&w, 9000, "0: ffffffffc0c00000+1000 [dm_mod]\n"
		   "0: ffffffffc0d00000+1000 [dm_mod.init.text]\n"
		   "0: ffffffffc0d00000+140 is first\n0: ffffffffc0d00140+ec0 is dm_init\n");
	put_modules("dm_mod 4096 0 - Live 0xffffffffc0c00000\n" EXT4);
	check_look(&w, 9500, "");
	stop(&w);
}

/* It has run: /sys still tells where that was, and nothing has its names but the module's file. */
TEST(init_code_of_a_module_that_is_loaded)
{
	struct watch w;

	start(&w, EXT4);
	put_init("dm_mod", "0xffffffffc0d00ff0\n", "0\n");
	put_init("hidden", "0x0000000000000000\n", "0\n");
	put_init("liar", "no number\n", "0\n");
	put_modules("end 4096 0 - Live 0xffffffffc0ff0000\nliar 4096 0 - Live 0xffffffffc0f00000\n"
		    "hidden 4096 0 - Live 0xffffffffc0e00000\ndm_mod 4096 0 - Live "
		    "0xffffffffc0c00000\n" EXT4);
	put_init("end", "0xffffffffffffff00\n", "0\n");
	check_look(&w, 9000, "0: ffffffffc0c00000+1000 [dm_mod]\n0: ffffffffc0d00ff0+10 "
			     "[dm_mod.init.text]\n"
		   "0: ffffffffc0e00000+1000 [hidden]\n0: ffffffffc0f00000+1000 [liar]\n0: "
		   "ffffffffc0ff0000+1000 [end]\n");
	stop(&w);
}

/* One that is being loaded when the recording begins is in the first mappings; of the others
 * that code is gone. */
TEST(init_code_when_the_recording_begins)
{
	static const char syms[] = "ffffffff81000000 T _text\nffffffff81200000 T _etext\n";
	struct str out = STR_INIT;
	struct os os;
	struct synth y = { .os = &os, .attr = &attr, .emit = note, .ctx = &out };

	os_init_root(&os, unit_tmpdir());
	put("proc/kallsyms", syms, strlen(syms));
	put_modules("dm_mod 4096 0 - Loading 0xffffffffc0c00000\n" EXT4);
	put_init("dm_mod", "0xffffffffc0d00000\n", "0\n");
	put_init("ext4", "0xffffffffc0d00000\n", "0\n");
	CHECK_EQ(synth_kernel(&y), 0);
	CHECK_STR(str_cstr(&out), "0: ffffffff81000000+200000 [kernel.kallsyms]_text\n0: "
				  "ffffffffc0c00000+1000 [dm_mod]\n"
		  "0: ffffffffc0d00000+1000 [dm_mod.init.text]\n0: ffffffffc0a00000+1000 [ext4]\n");
	synth_release(&y);
	str_release(&out);
	os_release(&os);
}

static void tell(struct watch *w, bool gone, const char *name, u64 time_ns)
{
	struct os_module_event e = { .gone = gone, .time_ns = time_ns };

	snprintf(e.name, sizeof(e.name), "%s", name);
	modules_note(w->m, &e);
}

/* One gets the memory that the init code of the other lay in; with the times that the watch
 * tells, a single look is enough. */
TEST(memory_of_init_code_is_given_again)
{
	struct watch w;

	start(&w, EXT4);
	CHECK(!modules_changed(w.m, 1000));
	put_init("first", "0xffffffffc0d00000\n", "0\n");
	put_init("second", "0xffffffffc0d00000\n", "0\n");
	put_modules("third 4096 0 - Live 0xffffffffc0d00000\nsecond 4096 0 - Live "
		    "0xffffffffc0e00000\n"
		    "first 4096 0 - Live 0xffffffffc0c00000\n" EXT4);
	tell(&w, false, "first", 2000000);
	tell(&w, false, "second", 3000000);
	tell(&w, false, "third", 4000000);
	check_look(&w, 9000000, "1001: ffffffffc0c00000+1000 [first]\n1001: ffffffffc0d00000+1000 "
				"[first.init.text]\n"
		   "1001: ffffffffc0e00000+1000 [second]\n2800001: ffffffffc0d00000+1000 "
		   "[second.init.text]\n"
		   "3800001: ffffffffc0d00000+1000 [third]\n");
	/* nobody told when it came: it was not there at the look before */
	put_modules("fourth 4096 0 - Live 0xffffffffc0d00000\n" EXT4);
	check_look(&w, 9500000, "9500001: ffffffffc0d00000+1000 [fourth]\n");
	stop(&w);
}

/* In the list, not told yet: only then is it known when it came. */
TEST(a_module_is_in_the_list_before_it_is_reported)
{
	struct watch w;

	start(&w, EXT4);
	tell(&w, false, "other", 1);
	put_modules("second 4096 0 - Loading 0xffffffffc0e00000\nthird 4096 0 - Live "
		    "0xffffffffc0f00000\n" EXT4);
	check_look(&w, 1000, "0: ffffffffc0f00000+1000 [third]\n");
	tell(&w, false, "second", 2000);
	check_look(&w, 3000, "1001: ffffffffc0e00000+1000 [second]\n");
	check_look(&w, 4000, "");
	stop(&w);
}

/* Gone and back within a look. */
TEST(a_module_comes_back_to_its_place)
{
	struct watch w;

	put_init("ext4", "0xffffffffc0d00000\n", "0\n");
	start(&w, EXT4);
	CHECK(!modules_changed(w.m, 1000));
	check_look(&w, 2000, "");
	tell(&w, true, "ext4", 3000);
	tell(&w, false, "ext4", 900000);
	tell(&w, true, "never", 900001);
	tell(&w, false, "failed", 900002);
	tell(&w, true, "failed", 900003);
	check_look(&w, 1000000, "3001: ffffffffc0a00000+1000 [ext4]\n2001: ffffffffc0d00000+1000 "
				"[ext4.init.text]\n");
	check_look(&w, 1000001, "");
	stop(&w);
}

/* Told by kallsyms only, which is long: read where something is traced or probed. */
TEST(code_that_the_kernel_made)
{
	static const char syms[] = "ffffffff81000000 T _text\nffffffffc0a00000 t "
				   "ext4_init\t[ext4]\n"
		"ffffffffc0275000 t ftrace_trampoline\t[__builtin__ftrace]\nffffffffc0273040 t "
		"kprobe_insn_page\t[__builtin__kprobes]\n"
		"ffffffffc0280000 t bpf_trampoline_64\t[bpf]\nffffffffc0280800 t "
		"bpf_prog_0011_x\t[bpf]\n"
		"0000000000000000 t bpf_trampoline_0\t[bpf]\n";
	static const struct { const char *file, *text; bool read; } cases[] = {
		{ "sys/kernel/debug/kprobes/list", "", false },
		{ "sys/kernel/tracing/enabled_functions", "", false },
		{ "sys/kernel/debug/kprobes/list", "ffffffff81000000  k  _text+0x0\n", true },
		{ "sys/kernel/tracing/enabled_functions", "_text (1)\n", true },
	};
	struct os os;

	put("proc/kallsyms", syms, sizeof(syms) - 1);
	os_init_root(&os, unit_tmpdir());
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct str out = STR_INIT;
		struct synth y = { .os = &os, .attr = &attr, .emit = note, .ctx = &out };

		put(cases[i].file, cases[i].text, strlen(cases[i].text));
		CHECK_EQ(synth_trampolines(&y), 0);
		CHECK_STR(str_cstr(&out), cases[i].read ?
			  "0: ffffffffc0273040+fc0 is kprobe_insn_page\n"
			  "0: ffffffffc0275000+1000 is ftrace_trampoline\n0: ffffffffc0280000+800 "
			  "is bpf_trampoline_64 (bpf)\n" : "");
		str_release(&out);
		put(cases[i].file, "", 0);
	}
	os_release(&os);
}

TEST(before_anything_was_read_a_module_has_no_time)
{
	struct watch w;

	start(&w, "");
	put_modules(EXT4);
	check_look(&w, 0, "0: ffffffffc0a00000+1000 [ext4]\n");
	stop(&w);
}

TEST(a_module_in_the_place_of_another_one)
{
	struct watch w;

	start(&w, EXT4 BTRFS);
	CHECK(!modules_changed(w.m, 1000));
	put_modules(BTRFS);
	check_look(&w, 5000, "");		/* gone at 5000 */
	put_modules(BTRFS "xfs 16384 0 - Live 0xffffffffc09ff000\n"
		    "ntfs 4096 0 - Live 0xffffffffc0d00000\n");
	check_look(&w, 7000, "5001: ffffffffc0d00000+1000 [ntfs]\n5001: ffffffffc09ff000+4000 "
			     "[xfs]\n");
	CHECK(!modules_changed(w.m, 8000));
	/* between two looks: what was read until now is the older one's */
	put_modules(BTRFS "xfs 16384 0 - Live 0xffffffffc09ff000\n"
		    "fat 4096 0 - Live 0xffffffffc0d00000\n");
	check_look(&w, 9000, "9001: ffffffffc0d00000+1000 [fat]\n");
	/* the same one again, elsewhere */
	put_modules(BTRFS "xfs 16384 0 - Live 0xffffffffc0f00000\n"
		    "fat 4096 0 - Live 0xffffffffc0d00000\n");
	check_look(&w, 9100, "9001: ffffffffc0f00000+4000 [xfs]\n");
	stop(&w);
}

TEST(sizes_that_count_data_elsewhere_are_clipped)
{
	struct watch w;

	start(&w, "b 65536 0 - Live 0xffffffffc0a04000\na 65536 0 - Live 0xffffffffc0a00000\n");
	put_modules("c 65536 0 - Live 0xffffffffc0a02000\nb 65536 0 - Live 0xffffffffc0a04000\na "
		    "65536 0 - Live 0xffffffffc0a00000\n");
	check_look(&w, 10, "0: ffffffffc0a02000+2000 [c]\n");
	stop(&w);
}

TEST(directories_that_come_and_go_are_counted)
{
	struct watch w;
	struct stat before, after;
	char *dir = xasprintf("%s/sys/module", unit_tmpdir());

	put_note("ext4", 1);
	start(&w, EXT4);
	CHECK(!modules_changed(w.m, 1));
	CHECK_EQ(stat(dir, &before), 0);
	put_note("btrfs", 2);
	CHECK_EQ(stat(dir, &after), 0);
	/* as sysfs does; a file system whose directories have always one link can tell nothing */
	CHECK_EQ(modules_changed(w.m, 1), after.st_nlink != before.st_nlink);
	CHECK(!modules_changed(w.m, 1));
	stop(&w);
	free(dir);
}

TEST(nothing_to_watch)
{
	struct os os;

	os_init_root(&os, unit_tmpdir());
	CHECK(modules_new(&os) == NULL);	/* no such file: a kernel without modules */
	put_modules("ext4 4096 1 - Live 0x0000000000000000\n");
	CHECK(modules_new(&os) == NULL);	/* kptr_restrict */
	modules_free(NULL);
	os_release(&os);
}

TEST(lines_that_are_none)
{
	struct watch w;

	start(&w, EXT4 "\n\ngarbage\nx y z\n"
	      "big 99999999999999999999 0 - Live 0xffffffffc0e00000\n" "cut 12");
	put_modules("");
	check_look(&w, 10, "");
	stop(&w);
}
