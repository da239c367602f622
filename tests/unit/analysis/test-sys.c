// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "util/analysis/sys-pairs.h"
#include "util/analysis/sys-select.h"
#include "util/analysis/sys.h"
#include "util/view/sys-memo.h"
#include "util/view/sys-sum.h"
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
	view_sys_release(&f->view);
	str_release(&f->out);
	free(f);
}

/* nr 0 is read, 24 sched_yield, 39 getpid, 231 exit_group */
static void call(struct fixture *f, u16 type, u16 flags, u32 tid, u32 nr, u64 enter_us, u64 exit_us,
		 s64 ret)
{
	const struct sysrec r = { .type = type, .flags = flags, .tid = tid, .tgid = tid,
				  .exit_tid = tid, .nr = nr,
			.enter_ns = enter_us * 1000,
				  .exit_ns = exit_us * 1000, .ret = ret, .comm = "prog",
				  .ustack = -1, .kstack = -1 };

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
		  "         ? (         ): prog/8  ... [continued]: "
		  "sched_yield())                                      = 0\n"
		  "     1.500 (         ): prog/7 exit_group(error_code: "
		  "0)                                             = ?\n");
	release(f);
}

TEST(call_that_sleeps)
{
	struct fixture *f = fixture();

	/* nothing between: one line */
	call(f, SYSREC_ENTER, 0, 7, 24, 1000, 0, 0);
	call(f, SYSREC_CALL, SYSREC_F_ENTERED, 7, 24, 1000, 3000, 0);
	CHECK_STR(str_cstr(&f->out), "     0.000 ( 2.000 ms): prog/7 "
				     "sched_yield()                                     "
			"                    = 0\n");
	str_reset(&f->out);
	/* another thread between: two */
	call(f, SYSREC_ENTER, 0, 7, 24, 4000, 0, 0);
	call(f, SYSREC_CALL, 0, 8, 39, 5000, 5001, 8);
	call(f, SYSREC_CALL, SYSREC_F_ENTERED, 7, 24, 4000, 6000, 0);
	CHECK_STR(str_cstr(&f->out),
		  "     3.000 (         ): prog/7 "
		  "sched_yield()                                                      ...\n"
		  "     4.000 ( 0.001 ms): prog/8 getpid()" PAD " = 8\n"
		  "     3.000 ( 2.000 ms): prog/7  ... [continued]: "
		  "sched_yield())                                      = 0\n");
	str_reset(&f->out);
	/* death in it */
	call(f, SYSREC_ENTER, 0, 7, 24, 7000, 0, 0);
	call(f, SYSREC_ENTER, SYSREC_F_CUT | SYSREC_F_ENTERED, 7, 24, 7000, 8000, 0);
	CHECK_STR(str_cstr(&f->out), "     6.000 (         ): prog/7 "
				     "sched_yield()                                     "
			"                    = ?\n");
	release(f);
}

/* What was not in memory comes later: no line has an address instead. */
TEST(arguments_that_come_later)
{
	struct fixture *f = fixture();
	struct { struct sysrec r; struct __attribute__((packed)) { struct syschunk head;
								   char text[4]; } s; } c = {
		.r = { .type = SYSREC_ENTER, .flags = SYSREC_F_MISSING, .tid = 7, .tgid = 7,
		       .exit_tid = 7, .nr = 76 /* truncate */,
		       .enter_ns = 1000000, .args = { 0x5555 }, .comm = "prog", .ustack = -1,
		       .kstack = -1 },
		.s = { { .arg = 0, .kind = SYSCHUNK_STR, .len = 4 }, { 'n', 'a', 'm', 'e' } } };
	const size_t whole = sizeof(c.r) + sizeof(c.s);

	/* with the call's end */
	sys_lines_record(&f->lines, &c, sizeof(c.r));
	call(f, SYSREC_CALL, 0, 8, 39, 1000, 1001, 8);
	CHECK(!strstr(str_cstr(&f->out), "truncate"));
	c.r.type = SYSREC_CALL, c.r.flags = SYSREC_F_ENTERED, c.r.exit_ns = 2000000,
		c.r.len = sizeof(c.s);
	sys_lines_record(&f->lines, &c, whole);
	CHECK(strstr(str_cstr(&f->out), "     0.000 ( 1.000 ms): prog/7 truncate(path: \"name\", "
					"length: 0)"));
	str_reset(&f->out);
	/* before it */
	c.r.type = SYSREC_ENTER, c.r.flags = SYSREC_F_MISSING, c.r.enter_ns = 3000000,
		c.r.exit_ns = 0, c.r.len = 0;
	sys_lines_record(&f->lines, &c, sizeof(c.r));
	call(f, SYSREC_CALL, 0, 8, 39, 3000, 3001, 8);
	c.r.flags = 0, c.r.len = sizeof(c.s);
	sys_lines_record(&f->lines, &c, whole);
	call(f, SYSREC_CALL, 0, 8, 39, 4000, 4001, 8);
	CHECK(strstr(str_cstr(&f->out), "     2.000 (         ): prog/7 truncate(path: \"name\", "
					"length: 0)"));
	call(f, SYSREC_CALL, SYSREC_F_ENTERED, 7, 76, 3000, 5000, 0);
	CHECK(strstr(str_cstr(&f->out), "prog/7  ... [continued]: truncate())"));
	str_reset(&f->out);
	/* never: as far as it is known */
	c.r.flags = SYSREC_F_MISSING, c.r.enter_ns = 6000000, c.r.len = 0;
	sys_lines_record(&f->lines, &c, sizeof(c.r));
	sys_lines_flush(&f->lines);
	CHECK_EQ(f->out.len, 0);
	sys_lines_end(&f->lines);
	CHECK(strstr(str_cstr(&f->out), "prog/7 truncate(path: 0x5555, length: 0)"));
	release(f);
}

TEST(lost_records_are_reported)
{
	struct fixture *f = fixture();
	const struct sysrec r = { .type = SYSREC_CALL, .tid = 7, .nr = 39, .enter_ns = 1000,
				  .exit_ns = 2000, .ret = 7,
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
	sys_file_name(&h, (struct span){ (const u8 *)parts, n }, false, &s);
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

static u32 number_of(const char *call)
{
	static struct syscall_set set;

	syscall_set_init(&set, arch_by_name("x86_64"));
	for (u32 i = 0; i < SYSPLAN_NRS; i++)
		if (set.e[i].name && !strcmp(set.e[i].name, call))
			return i;
	return SYSPLAN_NRS;
}

static struct sys_pairs *pairs(struct fixture *f, const struct sys_pairs_opts *more)
{
	struct sys_pairs_opts o = *more;

	o.lines = &f->lines;
	return sys_pairs_new(&o);
}

static void enter(struct sys_pairs *p, u32 tid, u64 time_ns, const char *call, u64 arg)
{
	struct sysrec r = { .tid = tid, .tgid = 5, .nr = number_of(call), .enter_ns = time_ns,
			    .args = { arg }, .comm = "cat" };

	sys_pairs_enter(p, &r);
}

static bool leave(struct sys_pairs *p, u32 tid, u64 time_ns, const char *call, s64 ret)
{
	struct sysrec r = { .tid = tid, .tgid = 5, .nr = call ? number_of(call) : -1U,
			    .exit_ns = time_ns, .ret = ret, .comm = "cat" };

	return sys_pairs_exit(p, &r);
}

TEST(pairs)
{
	struct fixture *f = fixture();
	struct sys_pairs *p = pairs(f, &(struct sys_pairs_opts){ .only_failed = false });

	CHECK(leave(p, 5, 900000, "close", -9));
	enter(p, 5, 1000000, "close", 3);
	CHECK(leave(p, 5, 1001000, "close", 0));
	sys_pairs_born(p, 6);
	CHECK(!leave(p, 6, 1002000, "clone", 0));
	enter(p, 6, 1003000, "close", 4);
	CHECK(leave(p, 6, 1004000, "dup", 5));	/* records are missing: not the end of close */
	enter(p, 6, 1005000, "rt_sigreturn", 0);
	CHECK(leave(p, 6, 1006000, NULL, 0));
	CHECK_STR(str_cstr(&f->out),
		  "         ? (         ): cat/5  ... [continued]: "
		  "close())                                            = -1 EBADF (Bad "
		  "file descriptor)\n"
		  "     0.000 ( 0.001 ms): cat/5 close(fd: "
		  "3)                                                          = 0\n"
		  "         ? (         ): cat/6  ... [continued]: "
		  "dup())                                              = 5\n"
		  "     0.005 ( 0.001 ms): cat/6 "
		  "rt_sigreturn()                                                        = 0\n");
	sys_pairs_free(p);
	release(f);
}

TEST(pairs_that_go_on)
{
	struct fixture *f = fixture();
	struct sys_pairs *p = pairs(f, &(struct sys_pairs_opts){ .held = 7 });

	/* of the tool's own child: nothing counts before the exec that succeeds */
	enter(p, 7, 1000000, "execve", 0);
	CHECK(!leave(p, 7, 1001000, "execve", -2));
	enter(p, 7, 1002000, "close", 3);
	CHECK(!leave(p, 7, 1003000, "close", 0));
	enter(p, 7, 1004000, "execve", 0);
	CHECK(leave(p, 7, 1005000, "execve", 0));
	str_reset(&f->out);
	enter(p, 7, 2000000, "close", 3);
	enter(p, 8, 2900000, "close", 4);
	CHECK_EQ(f->out.len, 0);
	enter(p, 9, 3100000, "close", 5);	/* a millisecond: the first one is told */
	sys_lines_flush(&f->lines);
	CHECK_STR(str_cstr(&f->out),
		  "     0.996 (         ): cat/7 close(fd: "
		  "3)                                                       ...\n");
	leave(p, 8, 3100000, "close", 0);
	leave(p, 7, 3200000, "close", 0);
	CHECK(strstr(str_cstr(&f->out), "cat/7  ... [continued]: close())"));
	sys_pairs_event(p, 9);
	sys_lines_flush(&f->lines);
	CHECK(strstr(str_cstr(&f->out), "cat/9 close(fd: 5)  "));
	enter(p, 8, 3300000, "close", 6);
	str_reset(&f->out);
	sys_pairs_died(p, 8, 3400000);
	CHECK(strstr(str_cstr(&f->out), "cat/8 close(fd: 6)") &&
	      strstr(str_cstr(&f->out), "= ?\n"));
	str_reset(&f->out);
	enter(p, 7, 3500000, "exit_group", 1);
	CHECK(strstr(str_cstr(&f->out), "exit_group(error_code: 1)") &&
	      strstr(str_cstr(&f->out), "= ?\n"));
	str_reset(&f->out);
	sys_pairs_lost(p, 12);
	CHECK_EQ(f->lines.n_lost, 12);
	CHECK_STR(str_cstr(&f->out), "LOST 12 events!\n");
	sys_pairs_free(p);
	release(f);
}

TEST(pairs_exec_of_another_thread)
{
	struct fixture *f = fixture();
	struct sys_pairs *p = pairs(f, &(struct sys_pairs_opts){ .held = 0 });

	enter(p, 5, 1000000, "pause", 0);
	enter(p, 6, 1100000, "execve", 1);
	sys_pairs_path(p, 6, (struct span){ (const u8 *)"/bin/x", 6 });
	sys_pairs_died(p, 5, 1200000);
	CHECK(leave(p, 5, 1300000, "execve", 0));
	CHECK(strstr(str_cstr(&f->out), "execve(filename: \"/bin/x\""));
	sys_pairs_free(p);
	release(f);
}

TEST(summary)
{
	struct fixture *f = fixture();
	struct sys_summary s = { .events = 0 };
	const struct sys_sums_opts o = { .by = SYS_SUMS_THREAD, .errnos = true };
	struct sys_tables t = { .groups = { NULL, 0, 0 } };

	sys_summary_add(&s, 7, 0, false, 1000000, 5);
	sys_summary_add(&s, 7, 0, false, 3000000, -4);
	sys_summary_add(&s, 7, 39, false, 500000, 7);
	sys_summary_add(&s, 8, 39, false, 1000, 8);
	sys_summary_group(&s, 7)->label = xstrdup("prog");
	sys_summary_sort(&s);
	sys_summary_tables(&s, &o, &f->set, &t);
	view_sys_summary(&t, &(struct table_output){ 0 }, &f->out);
	CHECK_STR(str_cstr(&f->out),
		  "\n Summary of events:\n\n prog (7), 6 events, 75.0%\n\n"
		  "   syscall            calls  errors  total       min       avg       max       "
		  "stddev\n"
		  "                                     (msec)    (msec)    (msec)    "
		  "(msec)        (%)\n"
		  "   --------------- --------  ------ -------- --------- --------- ---------     "
		  "------\n"
		  "   read                   2      1     4.000     1.000     2.000     3.000     "
		  "50.00%\n"
		  "\t\t\t\tEINTR: 1\n"
		  "   getpid                 1      0     0.500     0.500     0.500     0.500      "
		  "0.00%\n"
		  "\n\n :8 (8), 2 events, 25.0%\n\n"
		  "   syscall            calls  errors  total       min       avg       max       "
		  "stddev\n"
		  "                                     (msec)    (msec)    (msec)    "
		  "(msec)        (%)\n"
		  "   --------------- --------  ------ -------- --------- --------- ---------     "
		  "------\n"
		  "   getpid                 1      0     0.001     0.001     0.001     0.001      "
		  "0.00%\n\n\n");
	str_reset(&f->out);
	view_sys_summary(&t, &(struct table_output){ .sep = "," }, &f->out);
	CHECK_STR(str_cstr(&f->out),
		  "comm,tid,events,events_pct,syscall,nr,calls,errors,total_ns,min_ns,max_ns,"
		  "stddev_pct,errnos\n"
		  "prog,7,6,75.0000,read,0,2,1,4000000,1000000,3000000,50.0000,EINTR=1\n"
		  "prog,7,6,75.0000,getpid,39,1,0,500000,500000,500000,0.0000,\n"
		  ",8,2,25.0000,getpid,39,1,0,1000,1000,1000,0.0000,\n");
	str_reset(&f->out);
	t.groups.n = 1;
	t.groups.v[0].calls.rows.n = 1;
	view_sys_summary(&t, &(struct table_output){ .json = true }, &f->out);
	CHECK_STR(str_cstr(&f->out),
		  "{\"type\":\"summary\",\"comm\":\"prog\",\"tid\":7,\"events\":6,"
		  "\"events_pct\":75.0000,\"syscall\":\"read\",\"nr\":0,\"calls\":2,"
		  "\"errors\":1,\"total_ns\":4000000,\"min_ns\":1000000,\"max_ns\":3000000,"
		  "\"stddev_pct\":50.0000,\"errnos\":{\"EINTR\":1}}\n");
	t.groups.n = 2;
	t.groups.v[0].calls.rows.n = 2;
	sys_tables_release(&t);
	sys_summary_release(&s);
	release(f);
}

static unsigned chosen(const struct fixture *f, const char *text, const char *also,
		       struct sys_select *s)
{
	unsigned n = 0;

	sys_select_release(s);
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
	struct sys_select s = { 0 };
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
	CHECK_EQ(chosen(f, "sched:*", NULL, &s), 0);
	CHECK(!s.any);
	sys_select_release(&s);
	sys_select_init(&s);
	CHECK(sys_select_add(&s, "!nosuch", &f->set, NULL) < 0);
	CHECK(sys_select_add(&s, "%nosuch", &f->set, NULL) < 0);
	CHECK(sys_select_add(&s, "/(", &f->set, NULL) < 0);
	CHECK(sys_select_add(&s, "signal=INT", &f->set, NULL) < 0);
	sys_select_release(&s);
	CHECK_STR(sys_select_nearest(&f->set, "opennat"), "openat");
	release(f);
}

static void one_call(struct fixture *f, u32 nr, u64 us, s64 ret, u64 arg0, const char *text)
{
	struct {
		struct sysrec r;
		u8 chunk[32];
	} rec = { .r = { .type = SYSREC_CALL, .tid = 7, .tgid = 7, .exit_tid = 7, .nr = nr,
			 .enter_ns = us * 1000,
			 .exit_ns = us * 1000 + 1000, .ret = ret, .args = { arg0, 0x1000, 3 },
			 .comm = "prog",
			 .ustack = -1, .kstack = -1 } };

	rec.chunk[0] = 1;
	rec.chunk[1] = SYSCHUNK_MEM;
	rec.chunk[2] = strlen(text);
	memcpy(rec.chunk + 4, text, strlen(text));
	rec.r.len = 4 + strlen(text);
	sys_lines_record(&f->lines, &rec, sizeof(rec.r) + rec.r.len);
}

/* 1 is write, 61 wait4 */
static void many_calls(struct fixture *f)
{
	for (int i = 0; i < 8; i++)
		one_call(f, 1, 100 + i, 3, 1, "abc");
	/* only the last byte, the descriptor, the result, the comm of a process differs */
	for (int i = 0; i < 4; i++) {
		one_call(f, 1, 200 + i, 3, 1, "abd");
		one_call(f, 1, 200 + i, 3, 2, "abc");
		one_call(f, 1, 200 + i, 2, 1, "abc");
		one_call(f, 1, 200 + i, -9, 1, "abc");
		sys_lines_note(&f->lines, 5, i & 1 ? "one" : "other");
		one_call(f, 61, 200 + i, 5, 5, "");
	}
}

static const char *comm_of(void *ctx, int pid)
{
	struct fixture *f = ctx;

	return sys_lines_comm(&f->lines, pid);
}

TEST(repeated_calls_have_the_text_of_single_ones)
{
	struct fixture *f = fixture(), *g = fixture();

	f->view.style = (struct syscall_style){ .comm = comm_of, .ctx = f };
	g->view.style = (struct syscall_style){ .comm = comm_of, .ctx = g };
	g->view.memo = sys_memo_new();
	many_calls(f);
	many_calls(g);
	CHECK_STR(str_cstr(&g->out), str_cstr(&f->out));
	CHECK(strstr(str_cstr(&g->out), "(other)") && strstr(str_cstr(&g->out), "(one)"));
	CHECK(strstr(str_cstr(&g->out), "\"abc\", count: 3") &&
	      strstr(str_cstr(&g->out), "\"abd\", count: 3"));
	sys_memo_free(g->view.memo);
	release(f);
	release(g);
}

TEST(memo_keeps_what_came_twice_until_it_is_cleared)
{
	const struct sys_memo_key a = { .what = 1 }, b = { .what = 2 };
	const struct span chunks = { (const u8 *)"xyz", 3 }, other = { (const u8 *)"xyw", 3 },
		text = { (const u8 *)"text\n", 5 };
	struct sys_memo *m = sys_memo_new();
	u64 hash = sys_memo_hash(&a, chunks);
	struct span got = { NULL, 0 };

	CHECK(!sys_memo_again(m, hash));
	CHECK(sys_memo_again(m, hash));
	CHECK(!sys_memo_get(m, hash, &a, chunks, &got));
	sys_memo_put(m, hash, &a, chunks, text);
	CHECK(sys_memo_get(m, hash, &a, chunks, &got));
	CHECK_EQ(got.len, 5);
	CHECK(!memcmp(got.ptr, "text\n", 5));
	/* were the hashes equal: the bytes count */
	CHECK(!sys_memo_get(m, hash, &b, chunks, &got));
	CHECK(!sys_memo_get(m, hash, &a, other, &got));
	sys_memo_clear(m);
	CHECK(!sys_memo_get(m, hash, &a, chunks, &got));
	sys_memo_free(m);
}
