// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"
#include "util/stream/frame.h"

static const char *reason(struct location l)
{
	return frame_unnamed_text(frame_unnamed(&l));
}

TEST(why_a_frame_has_no_name)
{
	struct inline_frame nameless = { .name = NULL }, named = { .name = "inlined" };
	struct symbol sym = { .name = "f" };

	CHECK(!reason((struct location){ .sym = &sym }));
	CHECK(!reason((struct location){ .inl = &named, .inline_depth = 1 }));
	CHECK_STR(reason((struct location){ .broken = 1 }),
		  "the chain does not tell the callers");
	CHECK_STR(reason((struct location){ .va = 1 }), "nothing is mapped there");
	CHECK_STR(reason((struct location){ .sym = &sym, .inl = &nameless, .inline_depth = 1 }),
		  "the inlined function has no name");
}
