// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "util/analysis/sys-select.h"
#include "util/analysis/sys.h"
#include "util/view/sys.h"

struct fixture {
	struct syscall_set set;
	struct sys_lines lines;
	struct view_sys view;
	struct str out;
};

static void on_line(void *ctx, const struct sys_line *l)
{
	struct fixture *f = ctx;

	view_sys_line(&f->view, l, &f->out);
}

static struct fixture *fixture(void)
{
	struct fixture *f = xnew(struct fixture);

	syscall_set_init(&f->set, arch_by_name("x86_64"));
	sys_lines_init(&f->lines, &f->set, on_line, f);
	return f;
}

static void release(struct fixture *f)
{
	sys_lines_release(&f->lines);
	str_release(&f->out);
	free(f);
}

/* nr 0 is read, 24 sched_yield, 39 getpid, 231 exit_group */
static void call(struct fixture *f, u16 type, u16 flags, u32 tid, u32 nr, u64 enter_us, u64 exit_us, s64 ret)
{
	const struct sysrec r = { .type = type, .flags = flags, .tid = tid, .tgid = tid, .exit_tid = tid, .nr = nr,
			.enter_ns = enter_us * 1000,
				  .exit_ns = exit_us * 1000, .ret = ret, .comm = "prog", .ustack = -1, .kstack = -1 };

	sys_lines_record(&f->lines, &r, sizeof(r));
}

#define PAD "                                                             "

TEST(whole_lines)
{
	struct fixture *f = fixture();

	call(f, SYSREC_CALL, 0, 7, 39, 1000000, 1000005, 7);
	call(f, SYSREC_CALL, SYSREC_F_NO_ENTER, 8, 24, 0, 1000100, 0);
	call(f, SYSREC_ENTER, SYSREC_F_NO_RETURN, 7, 231, 1001500, 0, 0);
	CHECK_STR(str_cstr(&f->out),
		  "     0.000 ( 0.005 ms): prog/7 getpid()" PAD " = 7\n"
		  "         ? (         ): prog/8  ... [continued]: sched_yield())                                      = 0\n"
		  "     1.500 (         ): prog/7 exit_group(error_code: 0)                                             = ?\n");
	release(f);
}

TEST(call_that_sleeps)
{
	struct fixture *f = fixture();

	/* nothing between: one line */
	call(f, SYSREC_ENTER, 0, 7, 24, 1000, 0, 0);
	call(f, SYSREC_CALL, SYSREC_F_ENTERED, 7, 24, 1000, 3000, 0);
	CHECK_STR(str_cstr(&f->out), "     0.000 ( 2.000 ms): prog/7 sched_yield()                                     "
			"                    = 0\n");
	str_reset(&f->out);
	/* another thread between: two */
	call(f, SYSREC_ENTER, 0, 7, 24, 4000, 0, 0);
	call(f, SYSREC_CALL, 0, 8, 39, 5000, 5001, 8);
	call(f, SYSREC_CALL, SYSREC_F_ENTERED, 7, 24, 4000, 6000, 0);
	CHECK_STR(str_cstr(&f->out),
		  "     3.000 (         ): prog/7 sched_yield()                                                      ...\n"
		  "     4.000 ( 0.001 ms): prog/8 getpid()" PAD " = 8\n"
		  "     3.000 ( 2.000 ms): prog/7  ... [continued]: sched_yield())                                      = 0\n");
	str_reset(&f->out);
	/* death in it */
	call(f, SYSREC_ENTER, 0, 7, 24, 7000, 0, 0);
	call(f, SYSREC_ENTER, SYSREC_F_CUT | SYSREC_F_ENTERED, 7, 24, 7000, 8000, 0);
	CHECK_STR(str_cstr(&f->out), "     6.000 (         ): prog/7 sched_yield()                                     "
			"                    = ?\n");
	release(f);
}

TEST(lost_records_are_told)
{
	struct fixture *f = fixture();
	const struct sysrec r = { .type = SYSREC_CALL, .tid = 7, .nr = 39, .enter_ns = 1000, .exit_ns = 2000, .ret = 7,
			.lost_before = 5, .comm = "p" };

	sys_lines_record(&f->lines, &r, sizeof(r));
	CHECK(!strncmp(str_cstr(&f->out), "LOST 5 records of 7!\n", 21));
	release(f);
}

TEST(damaged_records)
{
	struct fixture *f = fixture();
	struct sysrec r = { .type = SYSREC_CALL, .len = 100 };

	sys_lines_record(&f->lines, &r, 1);
	sys_lines_record(&f->lines, &r, sizeof(r));
	r.type = 77;
	r.len = 0;
	sys_lines_record(&f->lines, &r, sizeof(r));
	r.type = SYSREC_NAME;
	sys_lines_record(&f->lines, &r, 8);
	CHECK_EQ(f->out.len, 0);
	release(f);
}

static const char *name(u32 magic, const char *parts, size_t n, bool gone)
{
	static struct str s;
	const struct sysname h = { .magic = magic, .ino = 42, .unlinked = gone };

	str_reset(&s);
	sys_file_name(&h, (struct span){ (const u8 *)parts, n }, &s);
	return str_cstr(&s);
}

TEST(names_of_files)
{
	CHECK_STR(name(0, "passwd\0etc\0", 11, false), "/etc/passwd");
	CHECK_STR(name(0, "", 0, false), "/");
	CHECK_STR(name(0, "x\0tmp\0", 6, true), "/tmp/x (deleted)");
	CHECK_STR(name(0x50495045, "", 0, false), "pipe:[42]");
	CHECK_STR(name(0x09041934, "[eventpoll]\0", 12, true), "anon_inode:[eventpoll]");
	CHECK_STR(name(0x534F434B, "", 0, true), "socket:[42]");
	CHECK_STR(name(0, "nonul", 5, false), "/nonu");
}

TEST(pairs)
{
	struct sys_pairs p = { 0 };
	const u64 args[6] = { 1, 2, 3, 4, 5, 6 };
	struct sysrec r;

	CHECK(!sys_pairs_exit(&p, 5, 5, 100, 3, -9, &r));
	CHECK_EQ(r.flags & SYSREC_F_NO_ENTER, SYSREC_F_NO_ENTER);
	sys_pairs_enter(&p, 5, 5, 200, 3, args);
	CHECK(sys_pairs_exit(&p, 5, 5, 300, 3, -9, &r));
	CHECK_EQ(r.enter_ns, 200);
	CHECK_EQ(r.exit_ns, 300);
	CHECK_EQ(r.args[5], 6);
	CHECK(!sys_pairs_exit(&p, 5, 5, 400, 3, 0, &r));
	sys_pairs_release(&p);
}

TEST(summary)
{
	struct fixture *f = fixture();
	struct sys_summary s = { .events = 0 };
	const struct view_sys_sum v = { .group = VIEW_SYS_THREAD, .errnos = true };

	sys_summary_add(&s, 7, 0, false, 1000000, 5);
	sys_summary_add(&s, 7, 0, false, 3000000, -4);
	sys_summary_add(&s, 7, 39, false, 500000, 7);
	sys_summary_add(&s, 8, 39, false, 1000, 8);
	sys_summary_group(&s, 7)->label = xstrdup("prog");
	sys_summary_sort(&s);
	view_sys_summary(&v, &s, &f->set, &f->out);
	CHECK_STR(str_cstr(&f->out),
		  "\n Summary of events:\n\n prog (7), 6 events, 75.0%\n\n"
		  "   syscall            calls  errors  total       min       avg       max       stddev\n"
		  "                                     (msec)    (msec)    (msec)    (msec)        (%)\n"
		  "   --------------- --------  ------ -------- --------- --------- ---------     ------\n"
		  "   read                   2      1     4.000     1.000     2.000     3.000     50.00%\n"
		  "\t\t\t\tEINTR: 1\n"
		  "   getpid                 1      0     0.500     0.500     0.500     0.500      0.00%\n"
		  "\n\n :8 (8), 2 events, 25.0%\n\n"
		  "   syscall            calls  errors  total       min       avg       max       stddev\n"
		  "                                     (msec)    (msec)    (msec)    (msec)        (%)\n"
		  "   --------------- --------  ------ -------- --------- --------- ---------     ------\n"
		  "   getpid                 1      0     0.001     0.001     0.001     0.001      0.00%\n\n\n");
	sys_summary_release(&s);
	release(f);
}

static unsigned chosen(const struct fixture *f, const char *text, const char *also, struct sys_select *s)
{
	unsigned n = 0;

	sys_select_init(s);
	CHECK_EQ(sys_select_add(s, text, &f->set, NULL), 0);
	if (also)
		CHECK_EQ(sys_select_add(s, also, &f->set, NULL), 0);
	for (int i = 0; i < SYSPLAN_NRS; i++)
		n += s->wanted[i];
	return n;
}

TEST(selection)
{
	struct fixture *f = fixture();
	struct sys_select s;
	unsigned all;

	CHECK_EQ(chosen(f, "read,getpid", NULL, &s), 2);
	CHECK(s.any && s.wanted[0] && s.wanted[39] && s.wanted[SYSPLAN_NRS + 3]);
	CHECK_EQ(chosen(f, "trace=read", "getpid", &s), 2);
	CHECK_EQ(chosen(f, "none", NULL, &s), 0);
	CHECK(s.any);
	all = chosen(f, "all", NULL, &s);
	CHECK(all > 300);
	CHECK_EQ(chosen(f, "!read,getpid", NULL, &s), all - 2);
	CHECK_EQ(chosen(f, "all", "!read", &s), all - 1);
	CHECK_EQ(chosen(f, "/^get[pg]id$", NULL, &s), 2);
	CHECK(chosen(f, "open*", NULL, &s) >= 4);
	CHECK(chosen(f, "file", NULL, &s) == chosen(f, "%file", NULL, &s));
	CHECK_EQ(chosen(f, "read,sched:sched_switch,cpu/event=1,umask=2/,{a:b,c:d}", NULL, &s), 1);
	CHECK_STR(str_cstr(&s.events), "sched:sched_switch,cpu/event=1,umask=2/,{a:b,c:d}");
	sys_select_release(&s);
	CHECK_EQ(chosen(f, "sched:*", NULL, &s), 0);
	CHECK(!s.any);
	sys_select_release(&s);
	sys_select_init(&s);
	CHECK(sys_select_add(&s, "!nosuch", &f->set, NULL) < 0);
	CHECK(sys_select_add(&s, "%nosuch", &f->set, NULL) < 0);
	CHECK(sys_select_add(&s, "/(", &f->set, NULL) < 0);
	CHECK(sys_select_add(&s, "signal=none", &f->set, NULL) < 0);
	CHECK_STR(sys_select_nearest(&f->set, "opennat"), "openat");
	release(f);
}
