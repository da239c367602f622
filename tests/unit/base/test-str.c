// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "util/base/str.h"

TEST(empty_is_a_string)
{
	struct str s = STR_INIT;

	CHECK_STR(str_cstr(&s), "");
	str_add(&s, "");
	CHECK_STR(s.buf, "");
	CHECK_EQ(s.len, 0);
	str_release(&s);
}
