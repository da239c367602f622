// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include "util/base/vec.h"

TEST(push_add_pop)
{
	VEC(u64) v = { 0 };

	for vec_each(it, &v)
		CHECK(!"an element");
	for (u64 i = 0; i < 1000; i++) {
		if (i % 2)
			vec_push(&v, i);
		else
			*vec_add(&v) += i;	/* a new element is zero */
	}
	CHECK_EQ(v.n, 1000);
	u64 sum = 0;

	for vec_each(it, &v)
		sum += *it;
	CHECK_EQ(sum, 499500);
	CHECK_EQ(*vec_last(&v), 999);
	CHECK_EQ(vec_pop(&v), 999);
	CHECK_EQ(v.n, 999);
	vec_clear(&v);
	CHECK_EQ(*vec_add(&v), 0);
	vec_reserve(&v, 5000);
	CHECK(v.cap >= 5000);
	CHECK_EQ(v.n, 1);
	vec_free(&v);
	CHECK(!v.v && !v.n && !v.cap);
}

TEST(copies)
{
	char *p = xstrndup("abcdef", 3);

	CHECK_STR(p, "abc");
	free(p);
	p = xasprintf("%d-%s", 5, "x");
	CHECK_STR(p, "5-x");
	free(p);
	CHECK(!xstrdup(NULL));
	p = xcalloc(0, 8);
	CHECK(p != NULL);
	free(p);
	p = xrealloc(NULL, 0);
	CHECK(p != NULL);
	free(p);
}
