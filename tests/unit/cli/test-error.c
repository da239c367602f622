// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "tests/unit/unit.h"
#include "util/cli/error.h"

TEST(texts)
{
	struct err err = ERR_INIT;
	struct str s = STR_INIT;

	err_set(&err, EINVAL, "bad name '%s'", "a\033[2Jb");
	cli_error_text(&err, &s);
	CHECK_STR(str_cstr(&s), "Error: bad name 'a\\x1b[2Jb'\n");
	err_hint(&err, "do this\nor that");
	str_reset(&s);
	cli_error_text(&err, &s);
	CHECK_STR(str_cstr(&s), "Error: bad name 'a\\x1b[2Jb'\nHint: do this\n      or that\n");
	err_set(&err, EINVAL, "syntax error: 'x'\n\t\\___ here");
	str_reset(&s);
	cli_error_text(&err, &s);
	CHECK_STR(str_cstr(&s), "syntax error: 'x'\n\t\\___ here\n");
	err_release(&err);
	str_release(&s);
}
