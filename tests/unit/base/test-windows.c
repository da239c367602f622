// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdlib.h>

#include "util/base/windows.h"

TEST(windows_turn_on_and_off_in_turn)
{
	window_vec all = { NULL, 0, 0 };
	struct windows w = { .all = &all };

	CHECK_EQ(windows_parse(&all, "10-20,30-40", NULL), 0);
	CHECK_EQ(all.n, 2);
	CHECK_EQ(windows_due_ns(&w), 10000000);
	windows_step(&w);
	CHECK(w.on);
	CHECK_EQ(windows_due_ns(&w), 20000000);
	windows_step(&w);
	CHECK(!w.on);
	CHECK_EQ(windows_due_ns(&w), 30000000);
	windows_step(&w);
	windows_step(&w);
	CHECK(!w.on);
	CHECK_EQ(windows_due_ns(&w), UINT64_MAX);
	vec_free(&all);
}

TEST(windows_a_delay_has_no_end)
{
	window_vec all = { NULL, 0, 0 };
	struct windows w = { .all = &all };

	CHECK_EQ(windows_parse(&all, "100", NULL), 0);
	CHECK_EQ(windows_due_ns(&w), 100000000);
	windows_step(&w);
	CHECK_EQ(windows_due_ns(&w), UINT64_MAX);
	CHECK_EQ(windows_parse(&all, "0", NULL), 0);
	CHECK_EQ(all.n, 0);
	CHECK_EQ(windows_due_ns(&(struct windows){ .all = &all }), UINT64_MAX);
	CHECK_EQ(windows_due_ns(&(struct windows){ .all = NULL }), UINT64_MAX);
	vec_free(&all);
}

TEST(windows_that_cannot_be)
{
	window_vec all = { NULL, 0, 0 };
	struct err err = ERR_INIT;

	CHECK_EQ(windows_parse(&all, "20-10", &err), -EINVAL);
	CHECK_STR(err.msg, "'20-10' is not a delay: use milliseconds (100) or ranges of them "
			      "(10-20,30-40)");
	err_release(&err);
	CHECK_EQ(windows_parse(&all, "10-20,15-30", &err), -EINVAL);
	CHECK_STR(err.msg, "the ranges of -D must follow one another: '15-30' begins too early");
	err_release(&err);
	CHECK_EQ(windows_parse(&all, "10,15-30", NULL), -EINVAL);	/* the first has no end */
	CHECK_EQ(windows_parse(&all, "soon", NULL), -EINVAL);
	vec_free(&all);
}
