// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <string.h>

#include "util/base/library.h"

struct math { double (*cosine)(double); double (*none)(double); };

TEST(functions)
{
	static const struct library_function one[] = {
		{ "cos", offsetof(struct math, cosine), NULL },
	};
	struct math m = { NULL, NULL };
	char why[100] = "";

	CHECK(library_load("libm.so.6", one, 1, &m, why, sizeof(why)));
	CHECK(m.cosine && m.cosine(0) == 1);
	CHECK_STR(why, "");
}

TEST(missing)
{
	static const struct library_function two[] = {
		{ "cos", offsetof(struct math, cosine), NULL },
		{ "no_such_function", offsetof(struct math, none), NULL },
	};
	struct math m = { NULL, NULL };
	char why[100] = "";

	CHECK(!library_load("libm.so.6", two, 2, &m, why, sizeof(why)));
	CHECK(strstr(why, "no_such_function"));
	CHECK(!library_load("libnone.so.0", two, 2, &m, why, sizeof(why)));
	CHECK(strstr(why, "libnone.so.0"));
}
