// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/diff-streams.h"

#define WIDTH 35		/* of a column */

enum which { BOTH, OLD, NEW };

static enum which which_of(const struct table_row *row)
{
	if (row->cells[STREAM_OLD_CYCLES].kind == CELL_NONE)
		return NEW;
	return row->cells[STREAM_NEW_CYCLES].kind == CELL_NONE ? OLD : BOTH;
}

static void add_right(struct str *out, const char *text)
{
	const size_t n = strlen(text);

	str_addchn(out, ' ', n < WIDTH ? WIDTH - n : 0);
	str_add_safe(out, text);
}

static void add_line(struct str *out, enum which w, const char *old, const char *new)
{
	add_right(out, w == NEW ? "" : old);
	if (w != OLD) {
		str_addch(out, '\t');
		add_right(out, new);
	}
	str_addch(out, '\n');
}

static void add_head(struct str *out, const struct cell *cells)
{
	str_reset(out);
	str_addf(out, "cycles: %llu, hits: %.2f%%", (unsigned long long)cells[0].u, cells[1].d);
}

static void add_stream(struct str *out, enum which w, const struct table_row *row)
{
	const char *rule = "--------------------------";
	struct str old = STR_INIT, new = STR_INIT;

	add_head(&old, &row->cells[STREAM_OLD_CYCLES]);
	add_head(&new, &row->cells[STREAM_NEW_CYCLES]);
	add_line(out, w, str_cstr(&old), str_cstr(&new));
	add_line(out, w, w == BOTH ? "---------------------------" : rule, rule);
	for vec_each(frame, &row->cells[STREAM_FRAMES].list->rows)
		add_line(out, w, frame->cells[0].text, frame->cells[0].text);
	str_release(&old);
	str_release(&new);
}

void diff_streams_text(struct str *out, const struct table *t)
{
	static const char *const titles[] = { [BOTH] = "Matched hot streams",
					      [OLD] = "Hot streams in old perf data only",
					      [NEW] = "Hot streams in new perf data only" };

	for (enum which w = BOTH; w <= NEW; w++) {
		unsigned n = 0;

		str_addf(out, "%s[ %s ]\n", w ? "\n" : "", titles[w]);
		for vec_each(row, &t->rows) {
			if (which_of(row) != w)
				continue;
			str_addf(out, "\nhot chain %s%u:\n", w == BOTH ? "pair " : "", ++n);
			add_stream(out, w, row);
		}
	}
}
