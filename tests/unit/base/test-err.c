// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <errno.h>

#include "util/base/err.h"

TEST(set_and_replace)
{
	struct err err = ERR_INIT;

	CHECK_EQ(err_set(&err, ENOENT, "cannot open '%s'", "x"), -ENOENT);
	CHECK_EQ(err.code, ENOENT);
	CHECK_STR(err.msg, "cannot open 'x'");
	CHECK(!err.hint);
	err_hint(&err, "try %d", 1);
	err_hint(&err, "try %d", 2);
	CHECK_STR(err.hint, "try 2");
	CHECK_EQ(err_set(&err, EPERM, "again: %s", err.msg), -EPERM);
	CHECK_STR(err.msg, "again: cannot open 'x'");
	CHECK(!err.hint);
	err_release(&err);
	CHECK(!err.msg && !err.code);
	err_release(&err);
}

TEST(system_reason)
{
	struct err err = ERR_INIT;

	CHECK_EQ(err_sys(&err, ENOENT, "cannot open '%s'", "x"), -ENOENT);
	CHECK_STR(err.msg, "cannot open 'x': No such file or directory");
	CHECK_EQ(err_prefix(&err, "file %d", 3), -ENOENT);
	CHECK_STR(err.msg, "file 3: cannot open 'x': No such file or directory");
	err_release(&err);
}

TEST(without_a_receiver)
{
	struct err err = ERR_INIT;

	CHECK_EQ(err_set(NULL, EIO, "x"), -EIO);
	CHECK_EQ(err_sys(NULL, EIO, "x"), -EIO);
	err_hint(NULL, "x");
	CHECK(err_prefix(NULL, "x") < 0);
	CHECK_EQ(err_set(&err, 0, "no code"), -EINVAL);
	CHECK_EQ(err_set(&err, -EIO, "negative"), -EINVAL);
	err_release(&err);
	err_hint(&err, "nothing is set");
	CHECK(!err.hint);
}
