// SPDX-License-Identifier: GPL-2.0-or-later
// Names and command lines of sessions, which come from files, and rows of answers.
#include "tests/unit/unit.h"

#include <errno.h>

#include "util/base/str.h"
#include "util/daemon/plan.h"
#include "util/daemon/talk.h"

static void check_words(const char *run, const char *want)
{
	daemon_words words = { 0 };
	struct str got = STR_INIT;
	struct err err = ERR_INIT;

	if (daemon_words_split(&words, run, &err))
		str_add(&got, err.msg);
	else
		for vec_each(w, &words)
			str_addf(&got, "<%s>", *w);
	CHECK_STR(str_cstr(&got), want);
	CHECK(err.code || !words.v[words.n]);
	daemon_words_release(&words);
	str_release(&got);
	err_release(&err);
}

TEST(words_are_those_of_a_shell)
{
	check_words("", "");
	check_words(" \t ", "");
	check_words("-a -e cpu-clock", "<-a><-e><cpu-clock>");
	check_words("  -o\t'a b'  x ", "<-o><a b><x>");
	check_words("-o\"a 'b'\"c '' \"\"", "<-oa 'b'c><><>");
	check_words("a\\ b 'c\\d' \"e\\\"f\"", "<a b><c\\d><e\"f>");
	check_words("a\\", "<a\\>");
	check_words("'a", "a quote (') is not closed in 'run'");
	check_words("b \"a c", "a quote (\") is not closed in 'run'");
}

static int add(struct daemon_plan *p, const char *name, const char *run)
{
	return daemon_plan_add(p, name, run, NULL);
}

TEST(names_stay_below_the_base)
{
	static const char *const bad[] = { "", ".", "..", ".x", "a/b", "/", "../x", "a b", "a\n",
					   "\033[2J", "a;b", "$x", "\xc3\xa4" };
	struct daemon_plan p = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK_EQ(add(&p, bad[i], "-a"), -EINVAL);
	CHECK_EQ(p.sessions.n, 0);
	CHECK_EQ(add(&p, "a.b-c_d+e@f", "-a"), 0);
	CHECK_EQ(add(&p, "x", "-a"), 0);
	CHECK_EQ(add(&p, "x", "-a -g"), 0);	/* the later one wins */
	CHECK_EQ(p.sessions.n, 2);
	CHECK_STR(daemon_plan_find(&p, "x")->run, "-a -g");
	CHECK(!daemon_plan_find(&p, "y"));
	daemon_plan_release(&p);
}

TEST(lines_that_cannot_be_run)
{
	struct daemon_plan p = { 0 };

	CHECK_EQ(add(&p, "x", " "), -EINVAL);
	CHECK_EQ(add(&p, "x", "-a --control=fd:3"), -EINVAL);
	CHECK_EQ(add(&p, "x", "-a --control fd:3"), -EINVAL);
	CHECK_EQ(add(&p, "x", "-a 'b"), -EINVAL);
	CHECK_EQ(add(&p, "x", "-a -- cmd --control=x"), 0);
	daemon_plan_release(&p);
}

TEST(rows_have_five_texts)
{
	struct str s = STR_INIT;

	daemon_add_row(&s, &(struct daemon_row){ "k", "1", NULL, "n", "" });
	CHECK_EQ(s.len, 8);
	CHECK_MEM(s.buf, "k\0001\000\000n\000", 8);
	str_release(&s);
}
