// SPDX-License-Identifier: GPL-2.0-or-later
// Formats out of a damaged or made-up recording: what libtraceevent does not survive never
// reaches it.
#include "tests/unit/unit.h"

#include <string.h>

#include "util/event/tracepoint.h"

#define HEAD "name: x\nID: %d\nformat:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n" \
	"\tfield:int pid;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: %s\n"

static void print_with(int id, const char *fmt, struct str *out)
{
	struct tp_table *t = tp_table_new();
	char *text = xasprintf(HEAD, id, fmt);
	u32 raw[4] = { (u32)id, 0, 1000, 0 };
	const struct tp_format *f;

	CHECK_EQ(tp_table_add(t, "sys", text, strlen(text), NULL), 0);
	f = tp_by_id(t, (u64)id);
	CHECK(f != NULL);
	CHECK(tp_field(f, "pid") != NULL);
	tp_print(f, (struct span){ (const u8 *)raw, sizeof(raw) }, false, 0, 0, out);
	tp_table_free(t);
	free(text);
}

TEST(division_by_zero)
{
	static const char *const fmts[] = { "\"%d\", R%C->pid", "\"%d\", REC->pid / 0",
					    "\"%d\", 1 % 0", "\"%d\", (5 / (0))",
					    "\"%d\", __print_flags(REC->pid, \"|\", { 1 / X, \"a\" "
					    "})",
					    "\"%s\", __print_symbolic(REC->pid, { 4 % (1 - 1), "
					    "\"b\" })", "\"%d\", 3 / (int)0" };

	for (size_t i = 0; i < ARRAY_SIZE(fmts); i++) {
		struct str out = STR_INIT;

		print_with(300 + (int)i, fmts[i], &out);
		str_release(&out);
	}
}

TEST(division_by_something)
{
	static const char *const fmts[] = { "\"%d\", REC->pid / 100", "\"%d\", REC->pid / 100L" };

	for (size_t i = 0; i < ARRAY_SIZE(fmts); i++) {
		struct str out = STR_INIT;

		print_with(400 + (int)i, fmts[i], &out);
		CHECK_STR(str_cstr(&out), "10");
		str_release(&out);
	}
}
