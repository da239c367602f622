// SPDX-License-Identifier: GPL-2.0-or-later
// Objects by address: what lies at an offset of a type, and how types go by their names.
#include "tests/unit/unit.h"
#include "util/analysis/types/flow.h"
#include "util/analysis/types/usage.h"

static const struct datatype number = { .kind = DATATYPE_SCALAR, .name = "long int", .bytes = 8 };
static const struct datatype bytes = { .kind = DATATYPE_OTHER, .name = "void" };

TEST(numbers_may_be_one_of_many)
{
	struct held h = { &number, 24 };

	CHECK_EQ(held_resolve(NULL, &h), ACCESS_KNOWN);
	CHECK_EQ(h.off, 0);
	h.off = -12;
	CHECK_EQ(held_resolve(NULL, &h), ACCESS_KNOWN);
	CHECK_EQ(h.off, 4);
}

TEST(what_is_unknown)
{
	struct held h = { NULL, 0 };

	CHECK_EQ(held_resolve(NULL, &h), ACCESS_NO_VARIABLE);
	h.type = &bytes;
	CHECK_EQ(held_resolve(NULL, &h), ACCESS_NO_TYPE);
	CHECK(!held_pointer(NULL, &number).type);
}

TEST(names_with_and_without_their_kind)
{
	const struct datatype node = { .kind = DATATYPE_STRUCT, .name = "struct node" };

	CHECK(datatype_is_named(&node, "node") && datatype_is_named(&node, "struct node"));
	CHECK(!datatype_is_named(&node, "union node") && !datatype_is_named(&node, "nod"));
	CHECK(datatype_is_named(&number, "long int"));
}

TEST(parts_of_a_type)
{
	struct type_usage t = { .type = &number };
	const struct type_part parts[] = { { 0, 0, { 2, 20 } }, { 4, 0, { 1, 5 } },
					   { 0, 1, { 7, 70 } } };

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		vec_push(&t.parts, parts[i]);
	CHECK_EQ(type_usage_total(&t, 0).period, 25);
	CHECK_EQ(type_usage_sum(&t, 0, 4, 4).n, 1);
	CHECK_EQ(type_usage_sum(&t, 1, 0, 4).period, 70);
	vec_free(&t.parts);
}
