// SPDX-License-Identifier: GPL-2.0-or-later
// The browser of perf report: a script of keys, and what is on the screen then.
#include <string.h>

#include "tests/unit/view/report-world.h"
#include "util/os/run.h"

static void header(void *ctx, struct str *out)
{
	(void)ctx;
	str_add(out, "# hostname : here\n# nrcpus : 2\n");
}

/* Events' samples without chains. */
static void feed_flat(struct world *w)
{
	feed(w, 0, "2", 60, 0);
	feed(w, 0, "3", 40, 0);
	feed(w, 1, "1", 3, 0);
	feed(w, 1, "4", 1, 1);
	hist_finish(w->h);
}

TEST(rows_and_colours)
{
	struct world w;

	world_init(&w, true, true, 1);
	feed_usual(&w);
	CHECK_STR(play(&w, 12, 66, "<shot><colors><down><down><colors>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+   98.00%     0.00%  prog     prog           [.] main\n"
		  "+   90.00%    60.00%  prog     prog           [.] work\n"
		  "+   90.00%     0.00%  prog     prog           [.] run\n"
		  "+   25.00%    25.00%  prog     lib.so         [.] copy\n"
		  "+   13.00%    13.00%  prog     lib.so         [.] sum\n"
		  "+    2.00%     2.00%  other    lib.so         [.] bad\\x1b[2Jname\n\n\n\n"
		  "Tip: none\n----\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS\n"
		  "....tttttt....tttttt\n"
		  "....tttttt\n"
		  "....tttttt....tttttt\n"
		  "....tttttt....tttttt\n"
		  ".....mmmmm.....mmmmm\n\n\n\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n----\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "....tttttt\n"
		  "....tttttt....tttttt\n"
		  "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS\n"
		  "....tttttt....tttttt\n"
		  "....tttttt....tttttt\n"
		  ".....mmmmm.....mmmmm\n\n\n\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n----\n");
	world_release(&w);
}

TEST(opens_and_closes_call_trees)
{
	struct world w;

	world_init(&w, true, true, 1);
	feed_usual(&w);
	CHECK_STR(play(&w, 12, 66, "+<shot><down>+<shot>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "-   98.00%     0.00%  prog     prog           [.] main\n"
		  "   + main\n"
		  "+   90.00%    60.00%  prog     prog           [.] work\n"
		  "+   90.00%     0.00%  prog     prog           [.] run\n"
		  "+   25.00%    25.00%  prog     lib.so         [.] copy\n"
		  "+   13.00%    13.00%  prog     lib.so         [.] sum\n"
		  "+    2.00%     2.00%  other    lib.so         [.] bad\\x1b[2Jname\n\n\n"
		  "Tip: none\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "-   98.00%     0.00%  prog     prog           [.] main\n"
		  "   - main\n"
		  "      + 90.00% run\n"
		  "        8.00% sum\n"
		  "+   90.00%    60.00%  prog     prog           [.] work\n"
		  "+   90.00%     0.00%  prog     prog           [.] run\n"
		  "+   25.00%    25.00%  prog     lib.so         [.] copy\n"
		  "+   13.00%    13.00%  prog     lib.so         [.] sum\n"
		  "+    2.00%     2.00%  other    lib.so         [.] bad\\x1b[2Jname\n"
		  "Tip: none\n----\n");
	CHECK_STR(play(&w, 12, 66, "e<shot><down><down><down><down>+<shot><click 3,1><click 3,1>"
		       "<shot>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "-   98.00%     0.00%  prog     prog           [.] main           ◆\n"
		  "   - main                                                        ▒\n"
		  "      - 90.00% run                                               ▒\n"
		  "         - work                                                  ▒\n"
		  "              25.00% copy                                        ▒\n"
		  "              5.00% sum                                          ▒\n"
		  "        8.00% sum                                                ▒\n"
		  "+   90.00%    60.00%  prog     prog           [.] work           ▒\n"
		  "+   90.00%     0.00%  prog     prog           [.] run            ▒\n"
		  "Tip: none\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "-   98.00%     0.00%  prog     prog           [.] main           ◆\n"
		  "   - main                                                        ▒\n"
		  "      - 90.00% run                                               ▒\n"
		  "         - work                                                  ▒\n"
		  "              25.00% copy                                        ▒\n"
		  "              5.00% sum                                          ▒\n"
		  "        8.00% sum                                                ▒\n"
		  "+   90.00%    60.00%  prog     prog           [.] work           ▒\n"
		  "+   90.00%     0.00%  prog     prog           [.] run            ▒\n"
		  "Tip: none\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "-   98.00%     0.00%  prog     prog           [.] main\n"
		  "   + main\n"
		  "+   90.00%    60.00%  prog     prog           [.] work\n"
		  "+   90.00%     0.00%  prog     prog           [.] run\n"
		  "+   25.00%    25.00%  prog     lib.so         [.] copy\n"
		  "+   13.00%    13.00%  prog     lib.so         [.] sum\n"
		  "+    2.00%     2.00%  other    lib.so         [.] bad\\x1b[2Jname\n\n\n"
		  "Tip: none\n----\n");
	CHECK_STR(play(&w, 12, 66, "E<shot>c<shot>C<shot>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "-   98.00%     0.00%  prog     prog           [.] main           ◆\n"
		  "   - main                                                        ▒\n"
		  "      - 90.00% run                                               ▒\n"
		  "         - work                                                  ▒\n"
		  "              25.00% copy                                        ▒\n"
		  "              5.00% sum                                          ▒\n"
		  "        8.00% sum                                                ▒\n"
		  "-   90.00%    60.00%  prog     prog           [.] work           ▒\n"
		  "   - 60.00% main                                                 ▒\n"
		  "Tip: none\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+   98.00%     0.00%  prog     prog           [.] main           ◆\n"
		  "-   90.00%    60.00%  prog     prog           [.] work           ▒\n"
		  "   - 60.00% main                                                 ▒\n"
		  "        run                                                      ▒\n"
		  "        work                                                     ▒\n"
		  "   - 30.00% work                                                 ▒\n"
		  "        25.00% copy                                              ▒\n"
		  "        5.00% sum                                                ▒\n"
		  "-   90.00%     0.00%  prog     prog           [.] run            ▒\n"
		  "Tip: none\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+   98.00%     0.00%  prog     prog           [.] main\n"
		  "+   90.00%    60.00%  prog     prog           [.] work\n"
		  "+   90.00%     0.00%  prog     prog           [.] run\n"
		  "+   25.00%    25.00%  prog     lib.so         [.] copy\n"
		  "+   13.00%    13.00%  prog     lib.so         [.] sum\n"
		  "+    2.00%     2.00%  other    lib.so         [.] bad\\x1b[2Jname\n\n\n\n"
		  "Tip: none\n----\n");
	world_release(&w);
}

TEST(callees)
{
	struct world w;

	world_init(&w, false, true, 1);
	feed_usual(&w);
	CHECK_STR(play(&w, 12, 60, "+<down><shot>E<shot>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100\n"
		  "  Overhead  Command  Shared Object  Symbol\n"
		  "-   60.00%  prog     prog           [.] work\n"
		  "     work\n"
		  "     run\n"
		  "     main\n"
		  "+   25.00%  prog     lib.so         [.] copy\n"
		  "+   13.00%  prog     lib.so         [.] sum\n"
		  "+    2.00%  other    lib.so         [.] bad\\x1b[2Jname\n\n\n"
		  "Tip: none\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100\n"
		  "  Overhead  Command  Shared Object  Symbol\n"
		  "-   60.00%  prog     prog           [.] work               ◆\n"
		  "     work                                                  ▒\n"
		  "     run                                                   ▒\n"
		  "     main                                                  ▒\n"
		  "-   25.00%  prog     lib.so         [.] copy               ▒\n"
		  "     copy                                                  ▒\n"
		  "     work                                                  ▒\n"
		  "     run                                                   ▒\n"
		  "     main                                                  ▒\n"
		  "Tip: none\n----\n");
	world_release(&w);
}

TEST(stacks_one_by_one)
{
	struct world w;

	world_init(&w, false, true, 1);
	feed(&w, 0, "012", 60, 0);
	feed(&w, 0, "02", 30, 0);
	feed(&w, 0, "2", 10, 0);
	hist_finish(w.h);
	w.o.view.chain.mode = CHAIN_FLAT;
	CHECK_STR(play(&w, 12, 60, "+<shot><down>+<shot>C<home>nmain<enter><shot>n<shot>E<shot>"),
		  "Samples: 3  of event 'cpu-clock', Event count (approx.): 100\n"
		  "  Overhead  Command  Shared Object  Symbol\n"
		  "-  100.00%  prog     prog           [.] work\n"
		  "   + 60.00% work\n"
		  "   + 30.00% work\n"
		  "     10.00% work\n\n\n\n\n\n"
		  "Tip: none\n----\n"
		  "Samples: 3  of event 'cpu-clock', Event count (approx.): 100\n"
		  "  Overhead  Command  Shared Object  Symbol\n"
		  "-  100.00%  prog     prog           [.] work\n"
		  "   - 60.00% work\n"
		  "        run\n"
		  "        main\n"
		  "   + 30.00% work\n"
		  "     10.00% work\n\n\n\n"
		  "Tip: none\n----\n"
		  "Samples: 3  of event 'cpu-clock', Event count (approx.): 100\n"
		  "  Overhead  Command  Shared Object  Symbol\n"
		  "-  100.00%  prog     prog           [.] work\n"
		  "   - 60.00% work\n"
		  "        run\n"
		  "        main\n"
		  "   + 30.00% work\n"
		  "     10.00% work\n\n\n\n"
		  "Tip: none\n----\n"
		  "Samples: 3  of event 'cpu-clock', Event count (approx.): 100\n"
		  "  Overhead  Command  Shared Object  Symbol\n"
		  "-  100.00%  prog     prog           [.] work\n"
		  "   - 60.00% work\n"
		  "        run\n"
		  "        main\n"
		  "   - 30.00% work\n"
		  "        main\n"
		  "     10.00% work\n\n\n"
		  "Tip: none\n----\n"
		  "Samples: 3  of event 'cpu-clock', Event count (approx.): 100\n"
		  "  Overhead  Command  Shared Object  Symbol\n"
		  "-  100.00%  prog     prog           [.] work\n"
		  "   - 60.00% work\n"
		  "        run\n"
		  "        main\n"
		  "   - 30.00% work\n"
		  "        main\n"
		  "     10.00% work\n\n\n"
		  "Tip: none\n----\n");
	w.o.view.chain.mode = CHAIN_FOLDED;
	w.o.view.chain.value = CHAIN_COUNT;
	CHECK_STR(play(&w, 8, 60, "+<shot><down>+<shot>V<shot>C<home>nmain<enter><shot>"),
		  "Samples: 3  of event 'cpu-clock', Event count (approx.): 100\n"
		  "  Overhead  Command  Shared Object  Symbol\n"
		  "-  100.00%  prog     prog           [.] work\n"
		  "     1 work;run;main\n"
		  "     1 work;main\n"
		  "     1 work\n\n"
		  "Tip: none\n----\n"
		  "Samples: 3  of event 'cpu-clock', Event count (approx.): 100\n"
		  "  Overhead  Command  Shared Object  Symbol\n"
		  "-  100.00%  prog     prog           [.] work\n"
		  "     1 work;run;main\n"
		  "     1 work;main\n"
		  "     1 work\n\n"
		  "Tip: none\n----\n"
		  "Samples: 3  of event 'cpu-clock', Event count (approx.): 100\n"
		  "  Overhead  Command  Shared Object  Symbol\n"
		  "-  100.00%  prog     prog           [.] work\n"
		  "     1 work;run;main prog\n"
		  "     1 work;main prog\n"
		  "     1 work prog\n\n"
		  "Tip: none\n----\n"
		  "Samples: 3  of event 'cpu-clock', Event count (approx.): 100\n"
		  "  Overhead  Command  Shared Object  Symbol\n"
		  "-  100.00%  prog     prog           [.] work\n"
		  "     1 work;run;main prog\n"
		  "     1 work;main prog\n"
		  "     1 work prog\n\n"
		  "Tip: none\n----\n");
	w.o.view.chain.print_limit = 1;
	CHECK_STR(play(&w, 8, 60, "E<shot>"),
		  "Samples: 3  of event 'cpu-clock', Event count (approx.): 100\n"
		  "  Overhead  Command  Shared Object  Symbol\n"
		  "-  100.00%  prog     prog           [.] work\n"
		  "     1 work;run;main\n\n\n\n"
		  "Tip: none\n----\n");
	world_release(&w);
}

TEST(zooms_and_goes_back)
{
	struct world w;

	world_init(&w, true, true, 1);
	feed_usual(&w);
	CHECK_STR(play(&w, 9, 90, "<down>d<shot>t<shot>F<shot><esc><shot><left><shot>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000, DSO: prog\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+   98.00%     0.00%  prog     prog           [.] main\n"
		  "+   90.00%    60.00%  prog     prog           [.] work\n"
		  "+   90.00%     0.00%  prog     prog           [.] run\n\n\n\n"
		  "Tip: none\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000, DSO: prog, Thre"
		  "ad: prog\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+   98.00%     0.00%  prog     prog           [.] main\n"
		  "+   90.00%    60.00%  prog     prog           [.] work\n"
		  "+   90.00%     0.00%  prog     prog           [.] run\n\n\n\n"
		  "Tip: none\n----\n"
		  "Samples: 4  of event 'cpu-clock', Event count (approx.): 98000, DSO: prog, Threa"
		  "d: prog\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+  100.00%     0.00%  prog     prog           [.] main\n"
		  "+   91.84%    61.22%  prog     prog           [.] work\n"
		  "+   91.84%     0.00%  prog     prog           [.] run\n\n\n\n"
		  "percentages are of what is shown\n----\n"
		  "Samples: 4  of event 'cpu-clock', Event count (approx.): 98000, DSO: prog\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+  100.00%     0.00%  prog     prog           [.] main\n"
		  "+   91.84%    61.22%  prog     prog           [.] work\n"
		  "+   91.84%     0.00%  prog     prog           [.] run\n\n\n\n"
		  "Tip: none\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+   98.00%     0.00%  prog     prog           [.] main\n"
		  "+   90.00%    60.00%  prog     prog           [.] work\n"
		  "+   90.00%     0.00%  prog     prog           [.] run\n"
		  "+   25.00%    25.00%  prog     lib.so         [.] copy\n"
		  "+   13.00%    13.00%  prog     lib.so         [.] sum\n"
		  "+    2.00%     2.00%  other    lib.so         [.] bad\\x1b[2Jname\n"
		  "Tip: none\n----\n");
	CHECK_STR(play(&w, 9, 90, "k<shot>S<shot><down><down><down>d<shot>F<shot>d<shot>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+   98.00%     0.00%  prog     prog           [.] main\n"
		  "+   90.00%    60.00%  prog     prog           [.] work\n"
		  "+   90.00%     0.00%  prog     prog           [.] run\n"
		  "+   25.00%    25.00%  prog     lib.so         [.] copy\n"
		  "+   13.00%    13.00%  prog     lib.so         [.] sum\n"
		  "+    2.00%     2.00%  other    lib.so         [.] bad\\x1b[2Jname\n"
		  "no row is of the kernel\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+   98.00%     0.00%  prog     prog           [.] main\n"
		  "+   90.00%    60.00%  prog     prog           [.] work\n"
		  "+   90.00%     0.00%  prog     prog           [.] run\n"
		  "+   25.00%    25.00%  prog     lib.so         [.] copy\n"
		  "+   13.00%    13.00%  prog     lib.so         [.] sum\n"
		  "+    2.00%     2.00%  other    lib.so         [.] bad\\x1b[2Jname\n"
		  "there is no column of sockets (--sort socket) to zoom by\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000, DSO: lib.so\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+   25.00%    25.00%  prog     lib.so         [.] copy\n"
		  "+   13.00%    13.00%  prog     lib.so         [.] sum\n"
		  "+    2.00%     2.00%  other    lib.so         [.] bad\\x1b[2Jname\n\n\n\n"
		  "Tip: none\n----\n"
		  "Samples: 4  of event 'cpu-clock', Event count (approx.): 40000, DSO: lib.so\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+   62.50%    62.50%  prog     lib.so         [.] copy\n"
		  "+   32.50%    32.50%  prog     lib.so         [.] sum\n"
		  "+    5.00%     5.00%  other    lib.so         [.] bad\\x1b[2Jname\n\n\n\n"
		  "percentages are of what is shown\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+   98.00%     0.00%  prog     prog           [.] main\n"
		  "+   90.00%    60.00%  prog     prog           [.] work\n"
		  "+   90.00%     0.00%  prog     prog           [.] run\n"
		  "+   25.00%    25.00%  prog     lib.so         [.] copy\n"
		  "+   13.00%    13.00%  prog     lib.so         [.] sum\n"
		  "+    2.00%     2.00%  other    lib.so         [.] bad\\x1b[2Jname\n"
		  "Tip: none\n----\n");
	world_release(&w);
}

TEST(filters_by_name)
{
	struct world w;

	world_init(&w, true, true, 1);
	feed_usual(&w);
	CHECK_STR(play(&w, 12, 70, "/<shot>or<enter><shot>/zzz<enter><shot>+ed<down><esc><shot>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+   ┌─Symbol to show─────────────────────────────────────────────┐\n"
		  "+   │Please enter the name of symbol you want to see.            │\n"
		  "+   │To remove the filter later, press / + ENTER.                │\n"
		  "+   │                                                            │\n"
		  "+   │_                                                           │\n"
		  "+   │                                                            │\n"
		  "    │ENTER: OK, ESC: Cancel                                      │\n"
		  "    └────────────────────────────────────────────────────────────┘\n\n"
		  "Tip: none\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000, Symbo\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+   90.00%    60.00%  prog     prog           [.] work\n\n\n\n\n\n\n\n\n"
		  "Tip: none\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000, Symbo\n"
		  "  Children      Self  Command  Shared Object  Symbol\n\n\n\n\n\n\n\n\n\n"
		  "Tip: none\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+   98.00%     0.00%  prog     prog           [.] main\n"
		  "+   90.00%    60.00%  prog     prog           [.] work\n"
		  "+   90.00%     0.00%  prog     prog           [.] run\n"
		  "+   25.00%    25.00%  prog     lib.so         [.] copy\n"
		  "+   13.00%    13.00%  prog     lib.so         [.] sum\n"
		  "+    2.00%     2.00%  other    lib.so         [.] bad\\x1b[2Jname\n\n\n\n"
		  "Tip: none\n----\n");
	world_release(&w);
}

TEST(limits)
{
	struct world w;

	world_init(&w, true, true, 1);
	feed_usual(&w);
	CHECK_STR(play(&w, 12, 70, "L50<enter><shot>L101<enter><shot>L0<enter>L<esc><shot>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+   98.00%     0.00%  prog     prog           [.] main\n"
		  "+   90.00%    60.00%  prog     prog           [.] work\n"
		  "+   90.00%     0.00%  prog     prog           [.] run\n\n\n\n\n\n\n"
		  "Tip: none\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+   98.00%     0.00%  prog     prog           [.] main\n"
		  "+   90.00%    60.00%  prog     prog           [.] work\n"
		  "+   90.00%     0.00%  prog     prog           [.] run\n\n\n\n\n\n\n"
		  "not a percentage: '101'\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+   98.00%     0.00%  prog     prog           [.] main\n"
		  "+   90.00%    60.00%  prog     prog           [.] work\n"
		  "+   90.00%     0.00%  prog     prog           [.] run\n"
		  "+   25.00%    25.00%  prog     lib.so         [.] copy\n"
		  "+   13.00%    13.00%  prog     lib.so         [.] sum\n"
		  "+    2.00%     2.00%  other    lib.so         [.] bad\\x1b[2Jname\n\n\n\n"
		  "Tip: none\n----\n");
	world_release(&w);
}

TEST(finds_what_is_closed)
{
	struct world w;

	world_init(&w, true, true, 1);
	feed_usual(&w);
	CHECK_STR(play(&w, 12, 66, "ncop<enter><shot>n<shot>NN<shot>fnone<enter><shot>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "-   98.00%     0.00%  prog     prog           [.] main           ◆\n"
		  "   - main                                                        ▒\n"
		  "      - 90.00% run                                               ▒\n"
		  "         - work                                                  ▒\n"
		  "              25.00% copy                                        ▒\n"
		  "              5.00% sum                                          ▒\n"
		  "        8.00% sum                                                ▒\n"
		  "+   90.00%    60.00%  prog     prog           [.] work           ▒\n"
		  "+   90.00%     0.00%  prog     prog           [.] run            ▒\n"
		  "Tip: none\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "      - 90.00% run                                               ◆\n"
		  "         - work                                                  ▒\n"
		  "              25.00% copy                                        ▒\n"
		  "              5.00% sum                                          ▒\n"
		  "        8.00% sum                                                ▒\n"
		  "-   90.00%    60.00%  prog     prog           [.] work           ▒\n"
		  "   + 60.00% main                                                 ▒\n"
		  "   - 30.00% work                                                 ▒\n"
		  "        25.00% copy                                              ▒\n"
		  "Tip: none\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "   - 30.00% work                                                 ▒\n"
		  "        25.00% copy                                              ◆\n"
		  "        5.00% sum                                                ▒\n"
		  "+   90.00%     0.00%  prog     prog           [.] run            ▒\n"
		  "-   25.00%    25.00%  prog     lib.so         [.] copy           ▒\n"
		  "     main                                                        ▒\n"
		  "     run                                                         ▒\n"
		  "     work                                                        ▒\n"
		  "     copy                                                        ▒\n"
		  "Tip: none\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "   - 30.00% work                                                 ▒\n"
		  "        25.00% copy                                              ◆\n"
		  "        5.00% sum                                                ▒\n"
		  "+   90.00%     0.00%  prog     prog           [.] run            ▒\n"
		  "-   25.00%    25.00%  prog     lib.so         [.] copy           ▒\n"
		  "     main                                                        ▒\n"
		  "     run                                                         ▒\n"
		  "     work                                                        ▒\n"
		  "     copy                                                        ▒\n"
		  "not found: 'none'\n----\n");
	CHECK_STR(play(&w, 12, 66, "nbad<enter><shot>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+   98.00%     0.00%  prog     prog           [.] main\n"
		  "+   90.00%    60.00%  prog     prog           [.] work\n"
		  "+   90.00%     0.00%  prog     prog           [.] run\n"
		  "+   25.00%    25.00%  prog     lib.so         [.] copy\n"
		  "+   13.00%    13.00%  prog     lib.so         [.] sum\n"
		  "+    2.00%     2.00%  other    lib.so         [.] bad\\x1b[2Jname\n\n\n\n"
		  "Tip: none\n----\n");
	world_release(&w);
}

TEST(menu)
{
	struct world w;

	world_init(&w, true, true, 1);
	feed_usual(&w);
	CHECK_STR(play(&w, 12, 90, "<enter><shot><down><down><enter><shot><down>m<shot><esc>"
		       "m<end><enter><shot>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "┌──────────────────────────────────────────────────────────────────────────────"
		  "──────────┐\n"
		  "│Zoom into prog thread                                                         "
		  "          │\n"
		  "│Zoom into prog DSO (use the 'k' hotkey to zoom directly into the kernel)      "
		  "          │\n"
		  "│Expand [main] callchain (one level, same as '+' hotkey, use 'e'/'c' for the wh"
		  "ole main l│\n"
		  "│Show the rows as a tree, a level for each sort key                            "
		  "          │\n"
		  "│Exit                                                                          "
		  "          │\n"
		  "└──────────────────────────────────────────────────────────────────────────────"
		  "──────────┘\n\n\n"
		  "Tip: none\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "-   98.00%     0.00%  prog     prog           [.] main\n"
		  "   + main\n"
		  "+   90.00%    60.00%  prog     prog           [.] work\n"
		  "+   90.00%     0.00%  prog     prog           [.] run\n"
		  "+   25.00%    25.00%  prog     lib.so         [.] copy\n"
		  "+   13.00%    13.00%  prog     lib.so         [.] sum\n"
		  "+    2.00%     2.00%  other    lib.so         [.] bad\\x1b[2Jname\n\n\n"
		  "Tip: none\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "┌──────────────────────────────────────────────────────────────────────────────"
		  "──────────┐\n"
		  "│Zoom into prog thread                                                         "
		  "          │\n"
		  "│Zoom into prog DSO (use the 'k' hotkey to zoom directly into the kernel)      "
		  "          │\n"
		  "│Expand [main] callchain (one level, same as '+' hotkey, use 'e'/'c' for the wh"
		  "ole main l│\n"
		  "│Show the rows as a tree, a level for each sort key                            "
		  "          │\n"
		  "│Exit                                                                          "
		  "          │\n"
		  "└──────────────────────────────────────────────────────────────────────────────"
		  "──────────┘\n\n\n"
		  "Tip: none\n----\n");
	world_release(&w);
}

static void script(void *ctx, struct screen *s, const char *const *options, struct str *said)
{
	struct run_opts o = { .argv = options };
	struct err err = ERR_INIT;

	(void)ctx;
	screen_run(s, &o, false, &err);
	str_add(said, "shown");
}

TEST(samples_as_text)
{
	struct world w;

	world_init(&w, true, true, 1);
	feed_usual(&w);
	w.o.calls.script = script;
	CHECK_STR(play(&w, 14, 60, "r<shot><enter>r<down><enter>r<down><down><enter>"
		       "r<down><down><down><enter>r<end><up><enter>r<end><enter>-C 0  -F ip<enter>"
		       "r<esc><end>r<enter><home>dr<end><enter>x<enter><shot>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+   98.00%     0.00%  prog     prog           [.] main\n"
		  "+  ┌─Samples as text───────────────────────────────────┐\n"
		  "+  │Show individual samples of symbol [main]           │\n"
		  "+  │Show individual samples of thread [prog]           │\n"
		  "+  │Show individual samples of DSO [prog]              │\n"
		  "+  │Show all individual samples                        │b[2J\n"
		  "   │Show all individual samples with their source lines│\n"
		  "   │Show samples with custom perf script arguments     │\n"
		  "   └───────────────────────────────────────────────────┘\n\n\n"
		  "Tip: none\n----\n"
		  "run: '--symbols' 'main'\n"
		  "run: '--comms' 'prog'\n"
		  "run: '--dsos' 'prog'\n"
		  "run:\n"
		  "run: '-F' '+srcline'\n"
		  "run: '-C' '0' '-F' 'ip'\n"
		  "run: '--symbols' 'bad\033[2Jname'\n"
		  "run: '--dsos' 'prog' 'x'\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+   98.00%     0.00%  prog     prog           [.] main\n"
		  "+   90.00%    60.00%  prog     prog           [.] work\n"
		  "+   90.00%     0.00%  prog     prog           [.] run\n\n\n\n\n\n\n\n\n"
		  "shown\n----\n");
	world_release(&w);
}

TEST(help_and_header)
{
	struct world w;

	world_init(&w, true, true, 1);
	feed_usual(&w);
	w.o.calls = (struct report_tui_calls){ .ctx = &w, .header = header, .print = print };
	CHECK_STR(play(&w, 40, 70, "h<timeout><shot>xi<shot>"),
		  "Sam┌─Help────────────────────────────────────────────────────────┐\n"
		  "  C│h/?/F1        Show this window                               │\n"
		  "+  │UP/DOWN/PGUP                                                 │\n"
		  "+  │PGDN/SPACE    Navigate                                       │\n"
		  "+  │q/ESC/CTRL+C  Exit browser or go back to previous screen     │\n"
		  "+  │                                                             │\n"
		  "+  │For multiple event sessions:                                 │\n"
		  "+  │                                                             │\n"
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
		  "   │f             Find another text                              │\n"
		  "   │l             Show the call stacks as an icicle (flame graph)│\n"
		  "Tip└─────────────────────────────────────────────────────────────┘\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "+   98.00%     0.00%  prog     prog           [.] main\n"
		  "+   90.00%    60.00%  prog     prog           [.] work\n"
		  "+   90.00%     0.00%  prog     prog           [.] run\n"
		  "+   25.00%    25.00%  prog     lib.so         [.] copy\n"
		  "+   13.00%    13.00%  prog     lib.so         [.] sum\n"
		  "+    2.00%     2.00%  other    lib.so         [.] bad\\x1b[2Jname"
		  "\n\n\n\n\n\n\n\n\n\n\n"
		  "                        ┌─Header information─┐\n"
		  "                        │# hostname : here   │\n"
		  "                        │# nrcpus : 2        │\n"
		  "                        └────────────────────┘"
		  "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
		  "Tip: none\n----\n");
	world_release(&w);
}

TEST(prints_what_is_open)
{
	struct world w;

	world_init(&w, true, true, 1);
	feed_usual(&w);
	w.o.calls = (struct report_tui_calls){ .ctx = &w, .header = header, .print = print };
	CHECK_STR(play(&w, 12, 66, "eP<shot>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "-   98.00%     0.00%  prog     prog           [.] main           ◆\n"
		  "   - main                                                        ▒\n"
		  "      - 90.00% run                                               ▒\n"
		  "         - work                                                  ▒\n"
		  "              25.00% copy                                        ▒\n"
		  "              5.00% sum                                          ▒\n"
		  "        8.00% sum                                                ▒\n"
		  "+   90.00%    60.00%  prog     prog           [.] work           ▒\n"
		  "+   90.00%     0.00%  prog     prog           [.] run            ▒\n"
		  "perf.hist.0 written!\n----\n");
	CHECK_STR(str_cstr(&w.printed),
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "-   98.00%     0.00%  prog     prog           [.] main\n"
		  "   - main\n"
		  "      - 90.00% run\n"
		  "         - work\n"
		  "              25.00% copy\n"
		  "              5.00% sum\n"
		  "        8.00% sum\n"
		  "+   90.00%    60.00%  prog     prog           [.] work\n"
		  "+   90.00%     0.00%  prog     prog           [.] run\n"
		  "+   25.00%    25.00%  prog     lib.so         [.] copy\n"
		  "+   13.00%    13.00%  prog     lib.so         [.] sum\n"
		  "+    2.00%     2.00%  other    lib.so         [.] bad\\x1b[2Jname\n");
	world_release(&w);
}

TEST(heads_and_verbose)
{
	struct world w;

	world_init(&w, true, true, 1);
	feed_usual(&w);
	CHECK_STR(play(&w, 12, 66, "VeH<shot>>><shot>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "-   98.00%     0.00%  prog     prog           [.] main           ◆\n"
		  "   - main prog                                                   ▒\n"
		  "      - 90.00% run prog                                          ▒\n"
		  "         - work prog                                             ▒\n"
		  "              25.00% copy lib.so                                 ▒\n"
		  "              5.00% sum lib.so                                   ▒\n"
		  "        8.00% sum lib.so                                         ▒\n"
		  "+   90.00%    60.00%  prog     prog           [.] work           ▒\n"
		  "+   90.00%     0.00%  prog     prog           [.] run            ▒\n"
		  "+   25.00%    25.00%  prog     lib.so         [.] copy           ▒\n"
		  "Tip: none\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  ".00%  prog     prog           [.] main                           ◆\n"
		  "                                                                 ▒\n"
		  "un prog                                                          ▒\n"
		  "prog                                                             ▒\n"
		  ".00% copy lib.so                                                 ▒\n"
		  "00% sum lib.so                                                   ▒\n"
		  "m lib.so                                                         ▒\n"
		  ".00%  prog     prog           [.] work                           ▒\n"
		  ".00%  prog     prog           [.] run                            ▒\n"
		  ".00%  prog     lib.so         [.] copy                           ▒\n"
		  "Tip: none\n----\n");
	world_release(&w);
}

TEST(small_and_large)
{
	struct world w;

	world_init(&w, true, true, 1);
	feed_usual(&w);
	CHECK_STR(play(&w, 12, 66, "E<resize 5x20><shot><pgdn><pgdn><shot>h<shot><esc>"
		       "<resize 2x8><shot><resize 100x300><down><shot>"),
		  "Samples: 5  of event\n"
		  "  Children      Self\n"
		  "-   98.00%     0.00◆\n"
		  "   - main          ▒\n"
		  "Tip: none\n----\n"
		  "Samples: 5  of event\n"
		  "  Children      Self\n"
		  "              25.00◆\n"
		  "              5.00%▒\n"
		  "Tip: none\n----\n"
		  "┌─Help─────────────┐\n"
		  "│h/?/F1        Show│\n"
		  "│UP/DOWN/PGUP      │\n"
		  "│PGDN/SPACE    Navi│\n"
		  "└──────────────────┘\n----\n"
		  "Samples:\n"
		  "Tip: non\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Self  Command  Shared Object  Symbol\n"
		  "-   98.00%     0.00%  prog     prog           [.] main\n"
		  "   - main\n"
		  "      - 90.00% run\n"
		  "         - work\n"
		  "              25.00% copy\n"
		  "              5.00% sum\n"
		  "        8.00% sum\n"
		  "-   90.00%    60.00%  prog     prog           [.] work\n"
		  "   - 60.00% main\n"
		  "        run\n"
		  "        work\n"
		  "   - 30.00% work\n"
		  "        25.00% copy\n"
		  "        5.00% sum\n"
		  "-   90.00%     0.00%  prog     prog           [.] run\n"
		  "     run\n"
		  "   - work\n"
		  "        25.00% copy\n"
		  "        5.00% sum\n"
		  "-   25.00%    25.00%  prog     lib.so         [.] copy\n"
		  "     main\n"
		  "     run\n"
		  "     work\n"
		  "     copy\n"
		  "-   13.00%    13.00%  prog     lib.so         [.] sum\n"
		  "   - main\n"
		  "        8.00% sum\n"
		  "      - 5.00% run\n"
		  "           work\n"
		  "           sum\n"
		  "-    2.00%     2.00%  other    lib.so         [.] bad\\x1b[2Jname\n"
		  "     bad\\x1b[2Jname\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
		  "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
		  "Tip: none\n----\n");
	world_release(&w);
}

TEST(two_events)
{
	struct world w;

	world_init(&w, false, false, 2);
	feed_flat(&w);
	CHECK_STR(play(&w, 8, 70, "<shot><down><enter><shot><tab><shot><backtab><esc><shot>"
		       "<esc><shot><enter>"),
		  "Available samples\n"
		  "2 cpu-clock\n"
		  "2 page-faults\n\n\n\n\n"
		  "ESC: exit, ENTER|->: Browse histograms\n----\n"
		  "Samples: 2  of event 'page-faults', Event count (approx.): 4000\n"
		  "Overhead  Command  Shared Object  Symbol\n"
		  "  75.00%  prog     prog           [.] run\n"
		  "  25.00%  other    lib.so         [.] sum\n\n\n\n"
		  "Tip: none\n----\n"
		  "Samples: 2  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "Overhead  Command  Shared Object  Symbol\n"
		  "  60.00%  prog     prog           [.] work\n"
		  "  40.00%  prog     lib.so         [.] copy\n\n\n\n"
		  "Tip: none\n----\n"
		  "Available samples\n"
		  "2 cpu-clock\n"
		  "2 page-faults\n\n\n\n\n"
		  "ESC: exit, ENTER|->: Browse histograms\n----\n"
		  "Available samples\n"
		  "2 cpu-clock         ┌───────────────────────────┐\n"
		  "2 page-faults       │Do you really want to exit?│\n"
		  "                    │                           │\n"
		  "                    │Enter: Yes, ESC: No        │\n"
		  "                    └───────────────────────────┘\n\n"
		  "ESC: exit, ENTER|->: Browse histograms\n----\n");
	CHECK_STR(play(&w, 8, 70, "<enter><down>d<shot><tab><shot>q"),
		  "Samples: 2  of event 'cpu-clock', Event count (approx.): 100000, DSO:\n"
		  "Overhead  Command  Shared Object  Symbol\n"
		  "  40.00%  prog     lib.so         [.] copy\n\n\n\n\n"
		  "Tip: none\n----\n"
		  "Samples: 2  of event 'page-faults', Event count (approx.): 4000\n"
		  "Overhead  Command  Shared Object  Symbol\n"
		  "  75.00%  prog     prog           [.] run\n"
		  "  25.00%  other    lib.so         [.] sum\n\n\n\n"
		  "Tip: none\n----\n");
	world_release(&w);
}

TEST(sorted_by_an_event_of_the_group)
{
	struct world w;

	world_init(&w, false, false, 2);
	feed(&w, 0, "2", 60, 0);
	feed(&w, 0, "3", 40, 0);
	feed(&w, 1, "3", 3, 0);
	feed(&w, 1, "2", 1, 0);
	feed(&w, 1, "4", 4, 0);
	hist_finish(w.h);
	CHECK_STR(play(&w, 7, 72, "<enter>1<shot>"),
		  "Samples: 2  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "Overhead  Command  Shared Object  Symbol\n"
		  "  60.00%  prog     prog           [.] work\n"
		  "  40.00%  prog     lib.so         [.] copy\n\n\n"
		  "rows are sorted by an event of a group, and this is none\n----\n");
	event_list_group_to_show(&w.events);
	w.o.group = true;
	CHECK_STR(play(&w, 7, 72, "1<shot>0<shot>5<shot>"),
		  "Samples: 5  of events 'cpu-clock, page-faults', Event count (approx.): 1\n"
		  "        Overhead  Command  Shared Object  Symbol\n"
		  "   0.00%  50.00%  prog     lib.so         [.] sum\n"
		  "  40.00%  37.50%  prog     lib.so         [.] copy\n"
		  "  60.00%  12.50%  prog     prog           [.] work\n\n"
		  "Tip: none\n----\n"
		  "Samples: 5  of events 'cpu-clock, page-faults', Event count (approx.): 1\n"
		  "        Overhead  Command  Shared Object  Symbol\n"
		  "  60.00%  12.50%  prog     prog           [.] work\n"
		  "  40.00%  37.50%  prog     lib.so         [.] copy\n"
		  "   0.00%  50.00%  prog     lib.so         [.] sum\n\n"
		  "Tip: none\n----\n"
		  "Samples: 5  of events 'cpu-clock, page-faults', Event count (approx.): 1\n"
		  "        Overhead  Command  Shared Object  Symbol\n"
		  "  60.00%  12.50%  prog     prog           [.] work\n"
		  "  40.00%  37.50%  prog     lib.so         [.] copy\n"
		  "   0.00%  50.00%  prog     lib.so         [.] sum\n\n"
		  "the group has 2 events: 0 to 1\n----\n");
	world_release(&w);
}

TEST(exit_is_asked)
{
	struct world w;

	world_init(&w, true, true, 1);
	feed_usual(&w);
	CHECK_STR(play(&w, 8, 66, "<left><esc><shot><esc>q<shot>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  "  Children      Se┌───────────────────────────┐ymbol\n"
		  "+   98.00%     0.0│Do you really want to exit?│.] main           ◆\n"
		  "+   90.00%    60.0│                           │.] work           ▒\n"
		  "+   90.00%     0.0│Enter: Yes, ESC: No        │.] run            ▒\n"
		  "+   25.00%    25.0└───────────────────────────┘.] copy           ▒\n"
		  "+   13.00%    13.00%  prog     lib.so         [.] sum            ▒\n"
		  "Tip: none\n----\n");
	world_release(&w);
}

/* A recording without samples: it returns at once. */
TEST(nothing_to_show)
{
	struct world w;

	world_init(&w, true, true, 1);
	hist_finish(w.h);
	CHECK_STR(play(&w, 6, 60, "<shot>"), "");
	world_release(&w);
}
