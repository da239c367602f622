// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The list browser and dialogs on a screen in memory: a script of keys, and what is shown then.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"
#include "util/view/tui/dialog.h"
#include "util/view/tui/list.h"

struct rows { size_t n; u32 open; size_t asked; };	/* open: lines of each row with % 3 == 1 */

static size_t n_rows(void *ctx) { return ((struct rows *)ctx)->n; }

static u32 height(void *ctx, size_t row)
{
	struct rows *r = ctx;

	r->asked++;
	return row % 3 == 1 ? r->open : 1;
}

static void draw(void *ctx, struct list_pos at, struct line *out)
{
	(void)ctx;
	if (at.sub)
		line_addf(out, COLOR_NORMAL, "   line %u of %zu", at.sub, at.row);
	else
		line_addf(out, COLOR_TOP, "row %zu", at.row);
}

static const struct list_lines lines = { n_rows, height, draw };

/* Plays the script; the caller frees what it yields. */
static char *play(struct rows *r, int rows, int cols, const char *script)
{
	struct screen *s = screen_grid_new(rows, cols, true, script);
	const struct list_frame frame = { .title = "Title", .help = "Help" };
	struct screen_key k;
	struct list l;
	char *text;

	list_init(&l, s, &lines, r);
	do {
		list_draw(&l, &frame);
		k = screen_key(s, -1);
		list_key(&l, &k);
	} while (k.code != KEY_CLOSED);
	text = xstrdup(screen_grid_shots(s));
	screen_free(s);
	return unit_keep(text);
}

TEST(moves)
{
	struct rows r = { .n = 4, .open = 3 };

	CHECK_STR(play(&r, 6, 20, "<colors><down><down><shot><end><shot>"),
		  "RRRRRRRRRRRRRRRRRRRR\n"
		  "SSSSSSSSSSSSSSSSSSS\n"
		  "ttttt\n"
		  "\n"
		  "\n"
		  "RRRRRRRRRRRRRRRRRRRR\n----\n"
		  "Title\nrow 0              ◆\nrow 1              ▒\n   line 1 of 1     ▒\n"
		  "   line 2 of 1     ▒\nHelp\n----\n"
		  "Title\n   line 1 of 1     ▒\n   line 2 of 1     ◆\nrow 2              ▒\n"
		  "row 3              ▒\nHelp\n----\n");
}

/* What is not looked at is not asked for. */
TEST(a_million_rows)
{
	struct rows r = { .n = 1000000, .open = 1000 };

	CHECK_STR(play(&r, 5, 20, "<pgdn><pgdn><end><shot><up><home><shot>"),
		  "Title\n   line 999 of 9999▒\nrow 999998         ◆\nrow 999999         ▒\n"
		  "Help\n----\n"
		  "Title\nrow 0              ◆\nrow 1              ▒\n   line 1 of 1     ▒\n"
		  "Help\n----\n");
	CHECK(r.asked < 1000);
}
