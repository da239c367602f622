// SPDX-License-Identifier: GPL-2.0-or-later
// The browser of perf top: rows that are made again with each refresh.
#include "tests/unit/view/report-world.h"

TEST(live_rows_move_and_fade)
{
	static const char *const turns[] = { "80:1 20:2", "30:2", "10:3", "1:4", NULL };
	struct world w;

	live_init(&w, false, turns);
	CHECK_STR(play(&w, 7, 90, "<shot><timeout><shot>"),
		  "Samples: 100  of event 'cpu-clock', 4000 Hz, Event count (approx.): 100000"
		  " lost: 0/0\n"
		  "Overhead  Command  Shared Object  Symbol\n"
		  "  80.00%  prog     prog           [.] run\n"
		  "  20.00%  prog     prog           [.] work\n\n\n"
		  "Tip: none\n"
		  "----\n"
		  "Samples: 117  of event 'cpu-clock', 4000 Hz, Event count (approx.): 117500"
		  " lost: 0/0\n"
		  "Overhead  Command  Shared Object  Symbol\n"
		  "  59.57%  prog     prog           [.] run\n"
		  "  40.43%  prog     prog           [.] work\n\n\n"
		  "Tip: none\n"
		  "----\n");
	world_release(&w);
}

TEST(live_cursor_follows_its_row)
{
	static const char *const turns[] = { "80:1 20:2 5:3", "900:3", "9000:2", "20000:4", NULL };
	struct world w;

	live_init(&w, false, turns);
	CHECK_STR(play(&w, 7, 90, "<down><colors><timeout><colors><shot><timeout><colors>"
		       "<home><timeout><colors><shot>"),
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR"
		  "RRRRRRRRRRRRRRRR\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR"
		  "RRRRRRRRRRRRRRRR\n"
		  "..tttttt\n"
		  "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS"
		  "SSSSSSSSSSSSSSSS\n"
		  "...mmmmm\n\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR"
		  "RRRRRRRRRRRRRRRR\n"
		  "----\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR"
		  "RRRRRRRRRRRRRRRR\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR"
		  "RRRRRRRRRRRRRRRR\n"
		  "..tttttt\n"
		  "...ttttt\n"
		  "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS"
		  "SSSSSSSSSSSSSSSS\n\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR"
		  "RRRRRRRRRRRRRRRR\n"
		  "----\n"
		  "Samples: 991  of event 'cpu-clock', 4000 Hz, Event count (approx.): 991875"
		  " lost: 0/0\n"
		  "Overhead  Command  Shared Object  Symbol\n"
		  "  91.18%  prog     lib.so         [.] copy\n"
		  "   7.06%  prog     prog           [.] run\n"
		  "   1.76%  prog     prog           [.] work\n\n"
		  "Tip: none\n"
		  "----\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR"
		  "RRRRRRRRRRRRRRRR\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR"
		  "RRRRRRRRRRRRRRRR\n"
		  "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS"
		  "SSSSSSSSSSSSSSSS\n"
		  "...ttttt\n"
		  "...mmmmm\n\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR"
		  "RRRRRRRRRRRRRRRR\n"
		  "----\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR"
		  "RRRRRRRRRRRRRRRR\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR"
		  "RRRRRRRRRRRRRRRR\n"
		  "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS"
		  "SSSSSSSSSSSSSSSS\n"
		  "..tttttt\n"
		  "...mmmmm\n\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR"
		  "RRRRRRRRRRRRRRRR\n"
		  "----\n"
		  "Samples: 28K of event 'cpu-clock', 4000 Hz, Event count (approx.): 2863440"
		  "3 lost: 0/0\n"
		  "Overhead  Command  Shared Object  Symbol\n"
		  "  69.85%  prog     lib.so         [.] sum\n"
		  "  27.55%  prog     prog           [.] work\n"
		  "   2.42%  prog     lib.so         [.] copy\n"
		  "   0.19%  prog     prog           [.] run\n"
		  "Tip: none\n"
		  "----\n");
	world_release(&w);
}

TEST(live_trees_stay_open)
{
	static const char *const turns[] = { "60:012 25:0123 10:04", "60:012 25:0124", "500:4",
					     "400:5", NULL };
	struct world w;

	live_init(&w, true, turns);
	CHECK_STR(play(&w, 12, 70, "e<shot><down><down><timeout><shot><colors><timeout><shot>"
		       "<pgdn><timeout><shot>"),
		  "Samples: 95  of event 'cpu-clock', 4000 Hz, Event count (approx.): 950\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "-  100.00%     0.00%  prog     prog           [.] main               ◆\n"
		  "   - main                                                            ▒\n"
		  "      - 89.47% run                                                   ▒\n"
		  "         - work                                                      ▒\n"
		  "              copy                                                   ▒\n"
		  "        10.53% sum                                                   ▒\n"
		  "+   89.47%    63.16%  prog     prog           [.] work               ▒\n"
		  "+   89.47%     0.00%  prog     prog           [.] run                ▒\n"
		  "+   26.32%    26.32%  prog     lib.so         [.] copy               ▒\n"
		  "Tip: none\n"
		  "----\n"
		  "Samples: 168  of event 'cpu-clock', 4000 Hz, Event count (approx.): 16\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "-  100.00%     0.00%  prog     prog           [.] main               ◆\n"
		  "   - main                                                            ▒\n"
		  "      - 94.80% run                                                   ▒\n"
		  "         - work                                                      ▒\n"
		  "              14.87% sum                                             ▒\n"
		  "              13.01% copy                                            ▒\n"
		  "        5.20% sum                                                    ▒\n"
		  "+   94.80%    66.91%  prog     prog           [.] work               ▒\n"
		  "+   94.80%     0.00%  prog     prog           [.] run                ▒\n"
		  "Tip: none\n"
		  "----\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "...ttttttt\n\n"
		  "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS"
		  "\n\n\n\n\n"
		  "....tttttt....tttttt\n"
		  "....tttttt\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "----\n"
		  "Samples: 647  of event 'cpu-clock', 4000 Hz, Event count (approx.): 64\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+   81.83%    81.83%  prog     lib.so         [.] sum                ◆\n"
		  "-   22.73%     0.00%  prog     prog           [.] main               ▒\n"
		  "   - main                                                            ▒\n"
		  "      - 21.55% run                                                   ▒\n"
		  "         - work                                                      ▒\n"
		  "              3.38% sum                                              ▒\n"
		  "              2.96% copy                                             ▒\n"
		  "        1.18% sum                                                    ▒\n"
		  "+   21.55%    15.21%  prog     prog           [.] work               ▒\n"
		  "Tip: none\n"
		  "----\n"
		  "Samples: 966  of event 'cpu-clock', 4000 Hz, Event count (approx.): 96\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "   - main                                                            ▒\n"
		  "      - 12.63% run                                                   ▒\n"
		  "         - work                                                      ▒\n"
		  "              1.98% sum                                              ◆\n"
		  "              1.73% copy                                             ▒\n"
		  "        0.69% sum                                                    ▒\n"
		  "+   12.63%     8.91%  prog     prog           [.] work               ▒\n"
		  "+   12.63%     0.00%  prog     prog           [.] run                ▒\n"
		  "+    1.73%     1.73%  prog     lib.so         [.] copy               ▒\n"
		  "Tip: none\n"
		  "----\n");
	world_release(&w);
}

TEST(live_zero_zoom_and_help)
{
	static const char *const turns[] = { "60:1 40:3", "10:3", NULL };
	struct world w;

	live_init(&w, false, turns);
	CHECK_STR(play(&w, 6, 90, "z<shot><timeout><shot><timeout><shot>"),
		  "Samples: 100  of event 'cpu-clock', 4000 Hz, Event count (approx.): 100000"
		  " lost: 0/0 [z]\n"
		  "Overhead  Command  Shared Object  Symbol\n"
		  "  60.00%  prog     prog           [.] run\n"
		  "  40.00%  prog     lib.so         [.] copy\n\n"
		  "each refresh begins anew\n"
		  "----\n"
		  "Samples: 10  of event 'cpu-clock', 4000 Hz, Event count (approx.): 10000 l"
		  "ost: 0/0 [z]\n"
		  "Overhead  Command  Shared Object  Symbol\n"
		  " 100.00%  prog     lib.so         [.] copy\n\n\n"
		  "each refresh begins anew\n"
		  "----\n"
		  "Samples: 0  of event 'cpu-clock', 4000 Hz, Event count (approx.): 0 lost: "
		  "0/0 [z]\n"
		  "Overhead  Command  Shared Object  Symbol\n\n\n\n"
		  "each refresh begins anew\n"
		  "----\n");
	world_release(&w);
	live_init(&w, false, turns);
	CHECK_STR(play(&w, 6, 90, "d<timeout><shot>"),
		  "Samples: 97  of event 'cpu-clock', 4000 Hz, Event count (approx.): 97500, "
		  "DSO: prog lost:\n"
		  "Overhead  Command  Shared Object  Symbol\n"
		  "  53.85%  prog     prog           [.] run\n\n\n"
		  "Tip: none\n----\n");
	CHECK_STR(play(&w, 50, 70, "h<shot>"),
		  "Samples: 97  of event 'cpu-clock', 4000 Hz, Event count (approx.): 975\n"
		  "Overhead  Command  Shared Object  Symbol\n"
		  "  53.85%  prog     prog           [.] run\n"
		  "  46.15%  prog     lib.so         [.] copy\n\n"
		  "   ┌─Help────────────────────────────────────────────────────────┐\n"
		  "   │h/?/F1        Show this window                               │\n"
		  "   │UP/DOWN/PGUP                                                 │\n"
		  "   │PGDN/SPACE    Navigate                                       │\n"
		  "   │q/ESC/CTRL+C  Exit browser or go back to previous screen     │\n"
		  "   │                                                             │\n"
		  "   │For multiple event sessions:                                 │\n"
		  "   │                                                             │\n"
		  "   │TAB/UNTAB     Switch events                                  │\n"
		  "   │                                                             │\n"
		  "   │For symbolic views (--sort has sym):                         │\n"
		  "   │                                                             │\n"
		  "   │ENTER         Zoom into DSO/Threads & Annotate current symbol│\n"
		  "   │ESC           Zoom out                                       │\n"
		  "   │+             Expand/Collapse one callchain level            │\n"
		  "   │a             Annotate current symbol                        │\n"
		  "   │C             Collapse all callchains                        │\n"
		  "   │c             Collapse the entry's callchains                │\n"
		  "   │d             Zoom into current DSO                          │\n"
		  "   │e             Expand/Collapse main entry callchains          │\n"
		  "   │E             Expand all callchains                          │\n"
		  "   │F             Toggle percentage of filtered entries          │\n"
		  "   │H             Display column headers                         │\n"
		  "   │k             Zoom into the kernel map                       │\n"
		  "   │L             Change percent limit                           │\n"
		  "   │m             Display context menu                           │\n"
		  "   │n/N           Find a text, in callchains too: next, previous │\n"
		  "   │S             Zoom into current Processor Socket             │\n"
		  "   │i             Show header information                        │\n"
		  "   │P             Print histograms to perf.hist.N                │\n"
		  "   │r             Show samples as text (perf script)             │\n"
		  "   │t             Zoom into current Thread                       │\n"
		  "   │T             Rows as a tree (hierarchy), or as a list       │\n"
		  "   │V             Verbose (DSO names in callchains, etc)         │\n"
		  "   │/             Filter symbol by name                          │\n"
		  "   │0-9           Sort by event n in group                       │\n"
		  "   │</>           Move the columns                               │\n"
		  "   │z             Toggle zeroing of samples                      │\n"
		  "   └─────────────────────────────────────────────────────────────┘\n\n\n\n\n\n"
		  "Tip: none\n----\n");
	world_release(&w);
}

TEST(live_small_and_large)
{
	static const char *const turns[] = { "60:012 25:0123 10:04", "60:012 25:0124", "5:4",
					     NULL };
	struct world w;

	live_init(&w, true, turns);
	CHECK_STR(play(&w, 12, 66, "E<resize 5x20><shot><timeout><pgdn><shot><resize 100x300>"
		       "<timeout><shot>"),
		  "Samples: 95  of even\n"
		  "  Children      Self\n"
		  "-  100.00%     0.00◆\n"
		  "   - main          ▒\n"
		  "Tip: none\n----\n"
		  "Samples: 168  of eve\n"
		  "  Children      Self\n"
		  "      - 94.80% run ◆\n"
		  "         - work    ▒\n"
		  "Tip: none\n----\n"
		  "Samples: 152  of event 'cpu-clock', 4000 Hz, Event count (approx.): 152108"
		  " lost: 0/0\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "-   96.71%     0.00%  prog     prog           [.] main\n"
		  "   - main\n"
		  "      - 91.68% run\n"
		  "         - work\n"
		  "              14.38% sum\n"
		  "              12.58% copy\n"
		  "        5.03% sum\n"
		  "-   91.68%    64.72%  prog     prog           [.] work\n"
		  "   - 64.72% main\n"
		  "        run\n"
		  "        work\n"
		  "   - 26.96% work\n"
		  "        14.38% sum\n"
		  "        12.58% copy\n"
		  "-   91.68%     0.00%  prog     prog           [.] run\n"
		  "     run\n"
		  "   - work\n"
		  "        14.38% sum\n"
		  "        12.58% copy\n"
		  "-   22.70%    22.70%  prog     lib.so         [.] sum\n"
		  "   - 19.41% main\n"
		  "      - 14.38% run\n"
		  "           work\n"
		  "           sum\n"
		  "        5.03% sum\n"
		  "     3.29% sum\n"
		  "-   12.58%    12.58%  prog     lib.so         [.] copy\n"
		  "     main\n"
		  "     run\n"
		  "     work\n"
		  "     copy\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
		  "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
		  "Tip: none\n----\n");
	world_release(&w);
}

/* Keys that would be about a row, and then a refresh with one. */
TEST(live_without_samples)
{
	static const char *const turns[] = { "", "1:012", NULL };
	struct world w;

	live_init(&w, true, turns);
	CHECK_STR(play(&w, 6, 60, "<shot>+eEcCadtkSVTlLnx<enter><esc>F<up><down><pgdn><end><home>"
		       "T<shot>m<shot><esc><timeout><shot>"),
		  "Samples: 0  of event 'cpu-clock', 4000 Hz, Event count (appr\n"
		  "  Children      Self  Command  Shared Object  Symbol\n\n\n\n"
		  "Tip: none\n----\n"
		  "Samples: 0  of ┌───────────────────────────┐vent count (appr\n"
		  "  Children     │Do you really want to exit?│ Object / Symbol\n"
		  "               │                           │\n"
		  "               │Enter: Yes, ESC: No        │\n"
		  "               └───────────────────────────┘\n"
		  "not a percentage: 'nx'\n----\n"
		  "Samples: 0  of ┌───────────────────────────┐vent count (appr\n"
		  "  Children     │Do you really want to exit?│ Object / Symbol\n"
		  "               │                           │\n"
		  "               │Enter: Yes, ESC: No        │\n"
		  "               └───────────────────────────┘\n"
		  "not a percentage: 'nx'\n----\n"
		  "Samples: 1  of event 'cpu-clock', 4000 Hz, Event count (appr\n"
		  "  Children      Self        Command / Shared Object / Symbol\n"
		  "+  100.00%   100.00%        prog\n\n\n"
		  "Tip: none\n----\n");
	world_release(&w);
}
