// SPDX-License-Identifier: GPL-2.0-or-later
// Definitions as data: what is read of the kernel's lists, and what each dialect prints of it.
#include <errno.h>
#include <string.h>

#include "tests/unit/unit.h"
#include "util/base/xalloc.h"
#include "util/probe/probe.h"

/* Reads text, and prints it again as want. */
static void round_trip(const char *text, bool kernel, const char *want)
{
	struct str s = STR_INIT;
	struct probe_def d;

	CHECK_EQ(probe_def_parse(text, kernel, &d), text[0]);
	probe_def_text(&d, &s);
	CHECK_STR(str_cstr(&s), want);
	str_release(&s);
	probe_def_release(&d);
}

TEST(round_trips)
{
	static const char *const user[] = {
		"p:probe_x/leaf /usr/bin/x:0x1280",
		"r:probe_x/leaf__return /usr/bin/x:0x1280 r=$retval:s32",
		"p:sdt_a/b /lib/a:b.so:0x10(0x4018) arg1=-20(%bp):u64 arg2=\\5:s8",
		"p:a/b /x:0x0 n=+8(-0x10(+u0(%di))):string",
		"p:a/b /x:0x4 %di a=@+0x4010 $arg1:u8 f=%si:b4@3/32 s=\\\"text",
	};
	static const char *const kernel[] = {
		"p:probe/vfs_read vfs_read+4 n=@jiffies+8:u64 $arg*",
			"r:probe/x nf_nat:nf_nat_init+0 r=$retval",
		"p:probe/abs_ffffffff81000123 0xffffffff81000123", "p:probe/twice _text+768",
	};

	for (size_t i = 0; i < ARRAY_SIZE(user); i++)
		round_trip(user[i], false, user[i]);
	for (size_t i = 0; i < ARRAY_SIZE(kernel); i++)
		round_trip(kernel[i], true, kernel[i]);
	/* as the kernel lists them */
	round_trip("p:a/b /x:0x0000000000001280  n=%di", false, "p:a/b /x:0x1280 n=%di");
	round_trip("r16:a/b vfs_read", true, "r:a/b vfs_read+0");
	round_trip("f8:a/b vfs_read%return r=$retval", true, "f:a/b vfs_read%return r=$retval");
	/* brackets that do not agree are nobody's */
	round_trip("p:a/b /x:0x0 n=+8(+4(%di) m=+8 k=+(", false,
		   "p:a/b /x:0x0 n=+8(+4(%di) m=+8 k=+(");
}

TEST(fields)
{
	struct probe_def d;

	CHECK_EQ(probe_def_parse("p:g/e mod:fn+12 n=+8(-4(%di)):s32", true, &d), 'p');
	CHECK_STR(d.group, "g");
	CHECK_STR(d.event, "e");
	CHECK_STR(d.at.module, "mod");
	CHECK_STR(d.at.symbol, "fn");
	CHECK(!d.at.path && !d.at.ret && d.kernel && !d.fprobe);
	CHECK_EQ(d.at.off, 12);
	CHECK_EQ(d.args.n, 1);
	CHECK_STR(d.args.v[0].name, "n");
	CHECK_STR(d.args.v[0].base, "%di");
	CHECK_STR(d.args.v[0].type, "s32");
	CHECK_EQ(d.args.v[0].refs.n, 2);
	CHECK_STR(d.args.v[0].refs.v[0], "-4");
	CHECK_STR(d.args.v[0].refs.v[1], "+8");
	probe_def_release(&d);

	CHECK_EQ(probe_def_parse("p:g/e /a:b:0x20(0x30)", false, &d), 'p');
	CHECK_STR(d.at.path, "/a:b");
	CHECK_EQ(d.at.off, 0x20);
	CHECK_EQ(d.at.ref_ctr_off, 0x30);
	probe_def_release(&d);
}

TEST(no_definitions)
{
	static const char *const texts[] = { "", "p", "p:", "p:a", "p:a/b", "p /x:0", "a/b c",
					     "p a/b:c d" };
	struct probe_def d;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		CHECK_EQ(probe_def_parse(texts[i], i & 1, &d), 0);
}

TEST(bootconfig)
{
	struct str s = STR_INIT;
	struct err err = ERR_INIT;
	struct probe_def d;

	CHECK_EQ(probe_def_parse("r:probe/out vfs_read+0 r=$retval:s64", true, &d), 'r');
	CHECK(!probe_def_bootconfig(&d, &s, NULL));
	CHECK_STR(str_cstr(&s), "ftrace.event.kprobes.out.probes = 'vfs_read+0%return "
				"r=$retval:s64'");
	str_release(&s);
	probe_def_release(&d);

	CHECK_EQ(probe_def_parse("p:probe_x/in /x:0x10", false, &d), 'p');
	CHECK_EQ(probe_def_bootconfig(&d, &s, &err), -EINVAL);
	CHECK_STR(err.msg, "'probe_x:in': the boot configuration knows kprobes of the kernel only");
	CHECK(!s.len);
	err_release(&err);
	probe_def_release(&d);
}

/* Places of one event take arguments of the same names and types, wherever these are; others get
 * a name of their own. */
TEST(shapes)
{
	static const char *const texts[] = {
		"p:g/e /x:0x10 n=%di:s32 m=%si", "p:g/e /x:0x20 n=+8(%sp):s32 m=\\0xdeade12d",
			"p:g/e /x:0x30 n=%di:u64 m=%si",
		"p:g/e /x:0x40 n=%cx:u64 m=%si", "p:g/e /x:0x50 n=%di:s32",
	};
	static const char *const events[] = { "e", "e", "e_1", "e_1", "e_2" };
	probe_events have = { 0 };
	probe_defs defs = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		CHECK_EQ(probe_def_parse(texts[i], false, vec_add(&defs)), 'p');
	CHECK(!probe_make_unique(&have, &defs, false, NULL));
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		CHECK_STR(defs.v[i].event, events[i]);
	probe_defs_release(&defs);
}

static void kernel_bootconfig(const char *text, const char *want)
{
	struct str s = STR_INIT;
	struct err err = ERR_INIT;
	struct probe_def d;

	CHECK(probe_def_parse(text, true, &d));
	if (probe_def_bootconfig(&d, &s, &err)) {
		CHECK_STR(err.msg, want);
		CHECK_EQ(s.len, 0);
	} else {
		CHECK_STR(str_cstr(&s), want);
	}
	str_release(&s);
	err_release(&err);
	probe_def_release(&d);
}

/* A value stands between quotes of one kind, and ends at the next of them. */
TEST(bootconfig_quotes)
{
	kernel_bootconfig("p:probe/f f+0 s=\\\"text\"",
			  "ftrace.event.kprobes.f.probes = 'f+0 s=\\\"text\"'");
	kernel_bootconfig("p:probe/f f+0 s=\\\'x",
			  "ftrace.event.kprobes.f.probes = \"f+0 s=\\'x\"");
	kernel_bootconfig("p:probe/f f+0 s=\\\"it's\"",
			  "'probe:f': the boot configuration has no value with both kinds of "
			  "quotes");
	kernel_bootconfig("f:probe/f f%return r=$retval",
			  "'probe:f': the boot configuration knows kprobes of the kernel only");
	/* a module and a place by address */
	kernel_bootconfig("p:probe/f nf_nat:nf_hook.isra.0+12 n=-8(+0(%sp)):x64",
			  "ftrace.event.kprobes.f.probes = 'nf_nat:nf_hook.isra.0+12 "
			  "n=-8(+0(%sp)):x64'");
	kernel_bootconfig("p:probe/abs 0xffffffff81000123",
			  "ftrace.event.kprobes.abs.probes = '0xffffffff81000123'");
}

/* Names that compilers make, and paths with what other parts of a definition are written with. */
TEST(odd_names)
{
	static const char *const user[] = {
		"p:probe_x/f /tmp/a:0x10:0x20", "p:probe_x/f /tmp/a(0x1):0x20(0x30)",
		"p:probe_x/f /tmp/%return:0x0 r=$retval",
		"p:probe_x/f /t\xc3\xa4:0xffffffffffffffff",
		"r:a__b/_ /x:0x1 _=$comm:string",
	};
	static const char *const kernel[] = {
		"p:probe/f foo.constprop.0.isra.1+0",
		"p:probe/f mod_a:_RNvCs123_4core3fmt+18446744073709551615",
		"f:probe/f vfs_read $arg*", "p:probe/f _ZN3foo3barEv+4 a=@sym+8 b=@-16 c=$stack3",
	};

	for (size_t i = 0; i < ARRAY_SIZE(user); i++)
		round_trip(user[i], false, user[i]);
	for (size_t i = 0; i < ARRAY_SIZE(kernel); i++)
		round_trip(kernel[i], true, kernel[i]);
}
