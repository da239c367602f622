// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The browser of perf report over a histogram that is made by hand: a script of keys, and what is
 * on the screen then.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"
#include "util/analysis/top.h"
#include "util/os/os.h"
#include "util/os/run.h"
#include "util/view/tui/report.h"

enum { N_SYMS = 6 };

struct world {
	struct os os;
	struct symbols_opts no_opts;
	struct dso_store *dsos;
	struct dso *prog, *lib;
	struct symbol syms[N_SYMS];
	struct thread thread;
	struct comm comms[2];
	struct event_list events;
	struct hist_keys keys;
	struct hist *h;
	struct report_tui_opts o;
	struct str printed;
	struct sink *sink;	/* that samples are fed to */
	struct top top;		/* of what happens now: the sink before the hist */
	const char *const *turns;	/* stacks that come before each refresh */
};

static const char *const names[N_SYMS] = { "main", "run", "work", "copy", "sum", "bad\033[2Jname" };

static struct dso *file(struct world *w, const char *path)
{
	return dso_get(w->dsos, &(struct dso_key){ .kind = DSO_FILE, .path = path });
}

static void add_event(struct world *w, const char *name, bool chains)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr) };

	attr.sample_type = chains ? PERF_SAMPLE_CALLCHAIN : 0;
	event_list_add(&w->events, &attr, name);
}

static void world_init(struct world *w, bool children, bool chains, unsigned n_events)
{
	static const char *const event_names[] = { "cpu-clock", "page-faults" };
	struct keys_spec spec = { .children = children };
	struct hist_opts opts = { .children = children, .callgraph = chains, .caller = children,
				  .no_inline = true, .events = &w->events, .keys = &w->keys };
	struct err err = ERR_INIT;

	memset(w, 0, sizeof(*w));
	os_init(&w->os);
	w->dsos = dso_store_new(&w->os, &w->no_opts);
	w->prog = file(w, "/bin/prog");
	w->lib = file(w, "/lib/lib.so");
	for (unsigned i = 0; i < N_SYMS; i++)
		w->syms[i] = (struct symbol){ .start_rva = 0x1000 * (i + 1),
					      .end_rva = 0x1000 * (i + 1) + 0x800,
					      .name = names[i], .mangled = names[i] };
	w->thread = (struct thread){ .pid = 1, .tid = 1 };
	w->comms[0] = (struct comm){ .name = "prog" };
	w->comms[1] = (struct comm){ .name = "other" };
	event_list_init(&w->events);
	for (unsigned i = 0; i < n_events; i++)
		add_event(w, event_names[i], chains);
	CHECK_EQ(hist_keys_init(&w->keys, &spec, &w->events, &err), 0);
	w->h = hist_new(&opts, &err);
	CHECK(w->h);
	w->sink = hist_sink(w->h);
	w->o = (struct report_tui_opts){
		.hist = w->h, .keys = &w->keys, .events = &w->events, .tip = "none",
		.view.chain = { .mode = chains ? CHAIN_GRAPH : CHAIN_NONE, .min_pct = 0.5,
				.caller = children },
	};
}

static void world_release(struct world *w)
{
	hist_free(w->h);
	hist_keys_release(&w->keys);
	event_list_release(&w->events);
	dso_store_free(w->dsos);
	os_release(&w->os);
	str_release(&w->printed);
}

/* n samples; stack: numbers of names, outermost first. "copy" and "sum" are in the library. */
static void feed(struct world *w, unsigned event, const char *stack, u64 n, unsigned comm)
{
	struct location frames[16];
	struct sample s = { .present = PERF_SAMPLE_PERIOD | PERF_SAMPLE_IP, .period = n * 1000,
			    .event = w->events.events.v[event], .pid = 1, .tid = 1,
			    .cpumode = PERF_RECORD_MISC_USER };
	struct resolved r = { .thread = &w->thread, .comm = &w->comms[comm], .frames = frames };
	struct sink_item item = { .sample = &s, .res = &r };

	r.n_frames = (u32)strlen(stack);
	for (u32 i = 0; i < r.n_frames; i++) {
		const unsigned k = (unsigned)(stack[r.n_frames - 1 - i] - '0');

		frames[i] = (struct location){ .cpumode = PERF_RECORD_MISC_USER,
					       .dso = k >= 3 ? w->lib : w->prog,
					       .sym = &w->syms[k],
					       .va = w->syms[k].start_rva + 4,
					       .rva = w->syms[k].start_rva + 4 };
	}
	r.leaf = frames[0];
	w->sink->samples(w->sink, &item, 1);
}

static void feed_usual(struct world *w)
{
	feed(w, 0, "012", 60, 0);	/* main run work */
	feed(w, 0, "0123", 25, 0);	/* ... copy */
	feed(w, 0, "0124", 5, 0);
	feed(w, 0, "04", 8, 0);
	feed(w, 0, "5", 2, 1);
	hist_finish(w->h);
}

/* Plays the script; what was shown is kept until the test ends. */
static const char *play(struct world *w, int rows, int cols, const char *script)
{
	struct screen *s = screen_grid_new(rows, cols, true, script);
	char *text;

	report_tui(s, &w->o);
	text = xstrdup(screen_grid_shots(s));
	screen_free(s);
	return unit_keep(text);
}

static void header(void *ctx, struct str *out)
{
	(void)ctx;
	str_add(out, "# hostname : here\n# nrcpus : 2\n");
}

static void print(void *ctx, const struct str *text, struct str *said)
{
	struct world *w = ctx;

	str_add(&w->printed, str_cstr(text));
	str_add(said, "perf.hist.0 written!");
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

/* ---- what happens now: each <timeout> is a refresh ---- */

/* "60:012 25:0123" */
static void feed_turn(struct world *w, const char *text)
{
	unsigned n;
	char stack[16];
	int used;

	while (sscanf(text, "%u:%15[0-9]%n", &n, stack, &used) == 2) {
		while (n--)
			feed(w, 0, stack, 1, 0);
		text += used;
	}
}

static void live_refresh(void *ctx)
{
	struct world *w = ctx;

	if (*w->turns)
		feed_turn(w, *w->turns++);
	top_turn(&w->top);
}

static void live_title(void *ctx, struct str *out)
{
	str_addf(out, " lost: 0/0%s", ((struct world *)ctx)->top.o.zero ? " [z]" : "");
}

static bool live_key(void *ctx, u32 code, struct str *said)
{
	struct world *w = ctx;

	if (code != 'z')
		return false;
	w->top.o.zero = !w->top.o.zero;
	str_add(said, "each refresh begins anew");
	return true;
}

static void live_init(struct world *w, bool chains, const char *const *turns)
{
	world_init(w, chains, chains, 1);
	w->events.events.v[0]->attr.freq = 1;
	w->events.events.v[0]->attr.sample_freq = 4000;
	top_init_pending(&w->top, w->h, &(struct top_opts){ .zero = false }, NULL);
	w->sink = &w->top.sink;
	w->turns = turns;
	w->o.live = (struct report_tui_live){ w, live_refresh, live_title, live_key,
					      "z             Toggle zeroing of samples\n" };
	live_refresh(w);
}

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
		  "              26.32% copy                                            ▒\n"
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
