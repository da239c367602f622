// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <stdio.h>

#include "util/analysis/sys-stacks.h"

static void put(struct sys_stacks *s, u32 tid, u64 time_ns, u32 nr, s64 ret, const char *text)
{
	const struct sample end = { .tid = tid, .time_ns = time_ns };
	struct str t = STR_INIT;

	str_add(&t, text);
	sys_stacks_put(s, &end, nr, ret, 1, &t);
	CHECK_EQ(t.len, 0);		/* taken over */
}

/* What the call of a thread from 'from' to 'to' gets; "" none. */
static const char *taken(struct sys_stacks *s, u32 tid, u64 from, u64 to, u32 nr, s64 ret)
{
	const struct sysrec r = { .type = SYSREC_CALL, .tid = tid, .enter_ns = from, .exit_ns = to,
				  .nr = nr, .ret = ret };
	static char text[64];
	struct str out = STR_INIT;
	unsigned n = 0;

	text[0] = '\0';
	if (sys_stacks_take(s, &r, &n, &out))
		snprintf(text, sizeof(text), "%s", str_cstr(&out));
	str_release(&out);
	return text;
}

TEST(sys_stacks_go_to_their_calls)
{
	struct sys_stacks *s = sys_stacks_new();

	put(s, 1, 110, 7, 0, "a");
	put(s, 1, 210, 8, -2, "b");
	put(s, 2, 115, 7, 0, "c");
	CHECK_STR(taken(s, 3, 100, 110, 7, 0), "");
	CHECK_STR(taken(s, 2, 100, 114, 7, 0), "c");
	CHECK_STR(taken(s, 2, 100, 114, 7, 0), "");
	CHECK_STR(taken(s, 1, 100, 109, 7, 0), "a");
	CHECK_STR(taken(s, 1, 200, 209, 8, 0), "");		/* another result: not its own */
	CHECK_STR(taken(s, 1, 200, 209, 8, -2), "b");
	sys_stacks_free(s);
}

TEST(sys_stacks_of_calls_without_a_line_are_passed)
{
	struct sys_stacks *s = sys_stacks_new();

	put(s, 1, 110, 7, 0, "old");
	put(s, 1, 210, 7, 0, "new");
	CHECK_STR(taken(s, 1, 200, 209, 7, 0), "new");
	put(s, 1, 310 + SYS_STACK_LATE_NS, 7, 0, "of a later call");
	CHECK_STR(taken(s, 1, 300, 309, 7, 0), "");
	sys_stacks_free(s);
}

TEST(sys_stacks_keep_a_few_of_each_thread)
{
	struct sys_stacks *s = sys_stacks_new();

	for (u64 i = 0; i < 1000; i++)
		put(s, 1, 1000 + i, 7, (s64)i, "x");
	CHECK_STR(taken(s, 1, 1000, 1000, 7, 0), "");
	CHECK_STR(taken(s, 1, 1999, 1999, 7, 999), "x");
	sys_stacks_free(s);
}
