// SPDX-License-Identifier: GPL-2.0-or-later
// The browser of perf report with rows that hold others (--hierarchy).
#include "tests/unit/view/report-world.h"
#include "util/view/top-text.h"

/* Two commands, and several functions in each file. */
static void feed_nested(struct world *w)
{
	feed(w, 0, "012", 60, 0);
	feed(w, 0, "0123", 25, 0);
	feed(w, 0, "0124", 5, 1);
	feed(w, 0, "0134", 8, 1);
	feed(w, 0, "5", 2, 1);
	hist_finish(w->h);
	w->o.view.nested = true;
}

TEST(rows_that_hold_others)
{
	struct world w;

	world_init(&w, false, true, 1);
	feed_nested(&w);
	CHECK_STR(play(&w, 11, 56, "<shot>+<down>+<down>+<shot>C<shot>E<home><shot>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.):\n"
		  "  Overhead        Command / Shared Object / Symbol\n"
		  "+   85.00%        prog\n"
		  "+   15.00%        other\n\n\n\n\n\n\n"
		  "Tip: none\n"
		  "----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.):\n"
		  "  Overhead        Command / Shared Object / Symbol\n"
		  "-   85.00%        prog\n"
		  "   -   60.00%        prog\n"
		  "      -   60.00%        [.] work\n"
		  "           work\n"
		  "           run\n"
		  "           main\n"
		  "   +   25.00%        lib.so\n"
		  "+   15.00%        other\n"
		  "Tip: none\n"
		  "----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.):\n"
		  "  Overhead        Command / Shared Object / Symbol\n"
		  "+   85.00%        prog\n"
		  "+   15.00%        other\n\n\n\n\n\n\n"
		  "Tip: none\n"
		  "----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.):\n"
		  "  Overhead        Command / Shared Object / Symbol\n"
		  "-   85.00%        prog                                 ◆\n"
		  "   -   60.00%        prog                              ▒\n"
		  "      -   60.00%        [.] work                       ▒\n"
		  "           work                                        ▒\n"
		  "           run                                         ▒\n"
		  "           main                                        ▒\n"
		  "   -   25.00%        lib.so                            ▒\n"
		  "      -   25.00%        [.] copy                       ▒\n"
		  "Tip: none\n"
		  "----\n");
	world_release(&w);
}

/* "work" calls what is in the library, and is called by what is in its own file: a stack counts
 * once in the file, the command and all. */
TEST(rows_that_hold_others_count_stacks_once)
{
	struct world w;

	world_init(&w, true, true, 1);
	feed_nested(&w);
	CHECK_STR(play(&w, 12, 66, "E<home>ccC+<down>+<down><down><down><down>+<shot>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self        Command / Shared Object / Symbol\n"
		  "-   85.00%    85.00%        prog\n"
		  "   -   85.00%    60.00%        prog\n"
		  "      +   85.00%    60.00%        [.] work\n"
		  "      +   85.00%     0.00%        [.] main\n"
		  "      +   85.00%     0.00%        [.] run\n"
		  "   -   25.00%    25.00%        lib.so\n"
		  "      +   25.00%    25.00%        [.] copy\n"
		  "+   15.00%    15.00%        other\n\n"
		  "Tip: none\n"
		  "----\n");
	world_release(&w);
}

TEST(rows_that_hold_others_zoom_find_and_back)
{
	struct world w;

	world_init(&w, false, false, 1);
	feed_nested(&w);
	w.o.calls.ctx = &w;
	w.o.calls.print = print;
	CHECK_STR(play(&w, 10, 66, "nsum<enter><shot>d<shot>F<shot><esc><home>d<shot>TT<shot>"
		       "m<shot><esc>/copy<enter>E<shot>P"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Overhead        Command / Shared Object / Symbol\n"
		  "+   85.00%        prog\n"
		  "-   15.00%        other\n"
		  "   -   15.00%        lib.so\n"
		  "          13.00%        [.] sum\n"
		  "           2.00%        [.] bad\\x1b[2Jname\n\n\n"
		  "Tip: none\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000, D\n"
		  "  Overhead        Command / Shared Object / Symbol\n"
		  "+   25.00%        prog\n"
		  "-   15.00%        other\n"
		  "   -   15.00%        lib.so\n"
		  "          13.00%        [.] sum\n"
		  "           2.00%        [.] bad\\x1b[2Jname\n\n\n"
		  "Tip: none\n----\n"
		  "Samples: 4  of event 'cpu-clock', Event count (approx.): 40000, DS\n"
		  "  Overhead        Command / Shared Object / Symbol\n"
		  "+   62.50%        prog\n"
		  "-   37.50%        other\n"
		  "   -   37.50%        lib.so\n"
		  "          32.50%        [.] sum\n"
		  "           5.00%        [.] bad\\x1b[2Jname\n\n\n"
		  "percentages are of what is shown\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Overhead        Command / Shared Object / Symbol\n"
		  "+   85.00%        prog\n"
		  "-   15.00%        other\n"
		  "   -   15.00%        lib.so\n"
		  "          13.00%        [.] sum\n"
		  "           2.00%        [.] bad\\x1b[2Jname\n\n\n"
		  "this row holds several of them: open it (+), and go to one\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Overhead        Command / Shared Object / Symbol\n"
		  "+   85.00%        prog\n"
		  "+   15.00%        other\n\n\n\n\n\n"
		  "rows are a tree, a level for each sort key\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Overhead        Command / Shared Object / Symbol\n"
		  "+   85.0┌───────────────────────────────────────────────┐\n"
		  "+   15.0│Zoom into prog thread                          │\n"
		  "        │Expand this row (one level, same as '+' hotkey)│\n"
		  "        │Show the rows as a list                        │\n"
		  "        │Exit                                           │\n"
		  "        └───────────────────────────────────────────────┘\n\n"
		  "rows are a tree, a level for each sort key\n----\n"
		  "Samples: 1  of event 'cpu-clock', Event count (approx.): 25000, Sy\n"
		  "  Overhead        Command / Shared Object / Symbol\n"
		  "-  100.00%        prog\n"
		  "   -  100.00%        lib.so\n"
		  "         100.00%        [.] copy\n\n\n\n\n"
		  "Tip: none\n----\n");
	CHECK_STR(str_cstr(&w.printed),
		  "  Overhead        Command / Shared Object / Symbol\n"
		  "-  100.00%        prog\n"
		  "   -  100.00%        lib.so\n"
		  "         100.00%        [.] copy\n");
	world_release(&w);
}

/* What is open stays so with each refresh, and rows are where they belong then. */
TEST(rows_that_hold_others_live)
{
	static const char *const turns[] = { "60:2 30:3 10:4", "50:4 5:1", "900:1", NULL };
	struct world w;

	live_init(&w, false, turns);
	w.o.view.nested = true;
	CHECK_STR(play(&w, 10, 66, "<shot>E<down><down><timeout><shot><down>+<timeout><shot>"
		       "T<shot>"),
		  "Samples: 100  of event 'cpu-clock', 4000 Hz, Event count (approx.)\n"
		  "  Overhead        Command / Shared Object / Symbol\n"
		  "+  100.00%        prog\n\n\n\n\n\n\n"
		  "Tip: none\n----\n"
		  "Samples: 142  of event 'cpu-clock', 4000 Hz, Event count (approx.)\n"
		  "  Overhead        Command / Shared Object / Symbol\n"
		  "-  100.00%        prog\n"
		  "   -   59.65%        lib.so\n"
		  "          41.23%        [.] sum\n"
		  "          18.42%        [.] copy\n"
		  "   -   40.35%        prog\n"
		  "          36.84%        [.] work\n"
		  "           3.51%        [.] run\n"
		  "Tip: none\n----\n"
		  "Samples: 1K of event 'cpu-clock', 4000 Hz, Event count (approx.):\n"
		  "  Overhead        Command / Shared Object / Symbol\n"
		  "-  100.00%        prog\n"
		  "   -   92.74%        prog\n"
		  "          88.26%        [.] run\n"
		  "           4.48%        [.] work\n"
		  "   -    7.26%        lib.so\n"
		  "           5.02%        [.] sum\n"
		  "           2.24%        [.] copy\n"
		  "Tip: none\n----\n"
		  "Samples: 1K of event 'cpu-clock', 4000 Hz, Event count (approx.):\n"
		  "Overhead  Command  Shared Object  Symbol\n"
		  "  88.26%  prog     prog           [.] run\n"
		  "   5.02%  prog     lib.so         [.] sum\n"
		  "   4.48%  prog     prog           [.] work\n"
		  "   2.24%  prog     lib.so         [.] copy\n\n\n\n"
		  "rows are a list\n----\n");
	world_release(&w);
}

/* As perf top --stdio shows them: so many rows, and of how many samples. */
TEST(first_rows_that_hold_others_as_text)
{
	const struct hist_view_opts all[] = {
		{ .nested = true, .max_rows = 2 }, { .nested = true, .max_rows = 5, .min_pct = 30 },
		{ .nested = true, .min_n = 2 },
	};
	struct str out = STR_INIT;
	struct world w;

	world_init(&w, false, false, 1);
	feed_nested(&w);
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		struct text_opts text = { .no_titles = true, .min_pct = all[i].min_pct,
					  .min_n = all[i].min_n };

		top_rows_text(&out, w.h, w.events.events.v[0], &all[i], &text);
		str_add(&out, "----\n");
	}
	CHECK_STR(str_cstr(&out),
		  "    85.00%        prog   \n"
		  "       60.00%        prog         \n----\n"
		  "    85.00%        prog   \n"
		  "       60.00%        prog         \n"
		  "          60.00%        [.] work\n----\n"
		  "    85.00%        prog   \n"
		  "                     no entry of 2 samples or more\n"
		  "    15.00%        other  \n"
		  "       15.00%        lib.so       \n"
		  "          13.00%        [.] sum\n----\n");
	str_release(&out);
	world_release(&w);
}
