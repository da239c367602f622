// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The browser of call stacks over samples that are made by hand: a script of keys, and what is on
 * the screen then.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"
#include "util/os/os.h"
#include "util/stream/frame.h"
#include "util/view/tui/flame.h"
#include "util/view/tui/icicle.h"

enum { N_SYMS = 7 };

struct world {
	struct os os;
	struct symbols_opts no_opts;
	struct dso_store *dsos;
	struct symbol syms[N_SYMS];
	struct thread thread;
	struct comm comm;
	struct event_list events;
	struct flame *flame;
	struct flame_tui_opts o;
	struct dso *prog;
	bool mono, ascii, quit;
};

static const char *const names[N_SYMS] = { "main", "run", "work", "copy", "sum", "bad\033[2Jname",
					   "größe" };

static void world_init(struct world *w)
{
	static const char *const event_names[] = { "cpu-clock", "page-faults" };

	memset(w, 0, sizeof(*w));
	os_init(&w->os);
	w->dsos = dso_store_new(&w->os, &w->no_opts);
	w->prog = dso_get(w->dsos, &(struct dso_key){ .kind = DSO_FILE, .path = "/bin/prog" });
	for (unsigned i = 0; i < N_SYMS; i++)
		w->syms[i] = (struct symbol){ .start_rva = 0x1000 * (i + 1),
					      .end_rva = 0x1000 * (i + 1) + 0x800,
					      .name = names[i], .mangled = names[i] };
	w->thread = (struct thread){ .pid = 1, .tid = 1 };
	w->comm = (struct comm){ .name = "prog" };
	event_list_init(&w->events);
	for (unsigned i = 0; i < ARRAY_SIZE(event_names); i++) {
		struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
						.sample_type = PERF_SAMPLE_CALLCHAIN };

		event_list_add(&w->events, &attr, event_names[i]);
	}
	w->flame = flame_new(&(struct flame_opts){ .no_inline = true });
}

static void world_release(struct world *w)
{
	flame_free(w->flame);
	event_list_release(&w->events);
	dso_store_free(w->dsos);
	os_release(&w->os);
}

/* A sample that weighs n; stack: numbers of names, outermost first. */
static void feed(struct world *w, unsigned event, const char *stack, u64 n)
{
	struct location frames[64];
	struct sample s = { .present = PERF_SAMPLE_PERIOD | PERF_SAMPLE_IP, .period = n * 1000,
			    .event = w->events.events.v[event], .pid = 1, .tid = 1,
			    .cpumode = PERF_RECORD_MISC_USER };
	struct resolved r = { .thread = &w->thread, .comm = &w->comm, .frames = frames };
	struct sink_item item = { .sample = &s, .res = &r };
	struct sink *sink = flame_sink(w->flame);

	r.n_frames = (u32)strlen(stack);
	for (u32 i = 0; i < r.n_frames; i++) {
		const unsigned k = (unsigned)(stack[r.n_frames - 1 - i] - '0');

		frames[i] = (struct location){ .cpumode = PERF_RECORD_MISC_USER, .dso = w->prog,
					       .sym = &w->syms[k],
					       .va = w->syms[k].start_rva + 4 + i,
					       .rva = w->syms[k].start_rva + 4 + i };
	}
	r.leaf = frames[0];
	sink->samples(sink, &item, 1);
}

static void ready(struct world *w)
{
	struct flame_tree *t = flame_finish(w->flame);

	for vec_each(f, &t->frames) {
		f->of = NULL;		/* no file is looked into */
		if (!strcmp(f->name, "copy"))
			f->kind = FLAME_KERNEL;
		if (!strcmp(f->name, "sum"))
			f->kind = FLAME_INLINED;
		if (!strcmp(f->name, "run"))
			f->kind = FLAME_JIT;
		if (!strcmp(f->name, "work")) {
			f->file = "/src/work\033.c";
			f->line = 12;
		}
	}
	w->o = (struct flame_tui_opts){ .tree = t, .events = &w->events,
					.event = w->events.events.v[0] };
}

static void feed_usual(struct world *w)
{
	feed(w, 0, "012", 60);		/* main run work */
	feed(w, 0, "0123", 25);		/* ... copy */
	feed(w, 0, "0124", 5);
	feed(w, 0, "04", 8);
	feed(w, 0, "5", 2);
	feed(w, 1, "03", 4);
	ready(w);
}

static const char *play(struct world *w, int rows, int cols, const char *script)
{
	struct screen *s = screen_grid_new(rows, cols, !w->ascii, script);
	char *text;

	s->mono = w->mono;
	w->quit = flame_tui(s, &w->o);
	text = xstrdup(screen_grid_shots(s));
	screen_free(s);
	return unit_keep(text);
}

TEST(widths_are_shares)
{
	struct world w;

	world_init(&w);
	feed_usual(&w);
	CHECK_STR(play(&w, 9, 70, "<shot><colors>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "││main 98.00%\n"
		  " │run 90.00%                                                    │sum..\n"
		  " │work 90.00%\n"
		  " │copy 25.00%      │su\n\n"
		  "all: total 100.00%, self 0.00%, 5 samples\n----\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "uuuuuu.kkkkkkkk.iiiiiiiii.JJJJJ\n"
		  "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS\n"
		  "uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu\n"
		  ".JJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJiiiiii\n"
		  ".uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu\n"
		  ".kkkkkkkkkkkkkkkkkkiii\n\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n----\n");
	world_release(&w);
}

TEST(moves)
{
	struct world w;

	world_init(&w);
	feed_usual(&w);
	CHECK_STR(play(&w, 9, 70, "<down><shot><down><shot><right><shot><left><down><down><shot>"
		       "<up><shot><home><right><shot><end><shot>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "││main 98.00%\n"
		  " │run 90.00%                                                    │sum..\n"
		  " │work 90.00%\n"
		  " │copy 25.00%      │su\n\n"
		  "main: total 98.00%, self 0.00%, 4 samples, prog\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "││main 98.00%\n"
		  " │run 90.00%                                                    │sum..\n"
		  " │work 90.00%\n"
		  " │copy 25.00%      │su\n\n"
		  "run: total 90.00%, self 0.00%, 3 samples, JIT, prog\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "││main 98.00%\n"
		  " │run 90.00%                                                    │sum..\n"
		  " │work 90.00%\n"
		  " │copy 25.00%      │su\n\n"
		  "sum: total 8.00%, self 8.00%, 1 sample, inlined, prog\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "││main 98.00%\n"
		  " │run 90.00%                                                    │sum..\n"
		  " │work 90.00%\n"
		  " │copy 25.00%      │su\n\n"
		  "copy: total 25.00%, self 25.00%, 1 sample, kernel, prog\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "││main 98.00%\n"
		  " │run 90.00%                                                    │sum..\n"
		  " │work 90.00%\n"
		  " │copy 25.00%      │su\n\n"
		  "work: total 90.00%, self 60.00%, 3 samples, prog, work\\x1b.c:12\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "││main 98.00%\n"
		  " │run 90.00%                                                    │sum..\n"
		  " │work 90.00%\n"
		  " │copy 25.00%      │su\n\n"
		  "all: total 100.00%, self 0.00%, 5 samples\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "││main 98.00%\n"
		  " │run 90.00%                                                    │sum..\n"
		  " │work 90.00%\n"
		  " │copy 25.00%      │su\n\n"
		  "copy: total 25.00%, self 25.00%, 1 sample, kernel, prog\n----\n");
	world_release(&w);
}

TEST(zooms_and_goes_back)
{
	struct world w;

	world_init(&w);
	feed_usual(&w);
	CHECK_STR(play(&w, 9, 70, "<down><down><enter><shot><down><down><enter><shot><esc><shot>"
		       "<up><up><shot><down><down><left><shot><esc>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "│main 98.00%\n"
		  "│run 90.00%\n"
		  "│work 90.00%\n"
		  "│copy 25.00%       │sum\n\n"
		  "run: total 90.00%, self 0.00%, 3 samples, JIT, prog\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "│main 98.00%\n"
		  "│run 90.00%\n"
		  "│work 90.00%\n"
		  "│copy 25.00%\n\n"
		  "copy: total 25.00%, self 25.00%, 1 sample, kernel, prog\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "│main 98.00%\n"
		  "│run 90.00%\n"
		  "│work 90.00%\n"
		  "│copy 25.00%       │sum\n\n"
		  "copy: total 25.00%, self 25.00%, 1 sample, kernel, prog\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "│main 98.00%\n"
		  "│run 90.00%\n"
		  "│work 90.00%\n"
		  "│copy 25.00%       │sum\n\n"
		  "run: total 90.00%, self 0.00%, 3 samples, JIT, prog\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "││main 98.00%\n"
		  " │run 90.00%                                                    │sum..\n"
		  " │work 90.00%\n"
		  " │copy 25.00%      │su\n\n"
		  "run: total 90.00%, self 0.00%, 3 samples, JIT, prog\n----\n");
	CHECK(!w.quit);
	CHECK_STR(play(&w, 9, 70, "<click 4,10><click 4,10><shot><click 3,3><shot><click 8,3>"
		       "<wheeldown><shot><ctrl-c>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "│main 98.00%\n"
		  "│run 90.00%\n"
		  "│work 90.00%\n"
		  "│copy 25.00%       │sum\n\n"
		  "run: total 90.00%, self 0.00%, 3 samples, JIT, prog\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "│main 98.00%\n"
		  "│run 90.00%\n"
		  "│work 90.00%\n"
		  "│copy 25.00%       │sum\n\n"
		  "main: total 98.00%, self 0.00%, 4 samples, prog\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "│main 98.00%\n"
		  "│run 90.00%\n"
		  "│work 90.00%\n"
		  "│copy 25.00%       │sum\n\n"
		  "copy: total 25.00%, self 25.00%, 1 sample, kernel, prog\n----\n");
	CHECK(w.quit);
	world_release(&w);
}

TEST(marks)
{
	struct world w;

	world_init(&w);
	feed_usual(&w);
	CHECK_STR(play(&w, 9, 70, "/SUM<enter><shot><colors>n<shot>nN<shot>/<bs><bs><bs><enter>"
		       "<shot>n<shot>/nosuch<enter>n<shot>"
		       "<down><down><down><enter>/<bs><bs><bs><bs><bs><bs>BAD<enter>n<shot>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT   SUM matched: 13.00%\n"
		  "│all 100.00%\n"
		  "││main 98.00%\n"
		  " │run 90.00%                                                    │sum..\n"
		  " │work 90.00%\n"
		  " │copy 25.00%      │su\n\n"
		  "all: total 100.00%, self 0.00%, 5 samples\n----\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "uuuuuu.kkkkkkkk.iiiiiiiii.JJJJJ.MMMMMMMMMMMMMMMMMMMMM\n"
		  "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS\n"
		  "uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu\n"
		  ".JJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJJMMMMMM\n"
		  ".uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu\n"
		  ".kkkkkkkkkkkkkkkkkkMMM\n\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT   SUM matched: 13.00%\n"
		  "│all 100.00%\n"
		  "││main 98.00%\n"
		  " │run 90.00%                                                    │sum..\n"
		  " │work 90.00%\n"
		  " │copy 25.00%      │su\n\n"
		  "sum: total 5.00%, self 5.00%, 1 sample, inlined, prog\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT   SUM matched: 13.00%\n"
		  "│all 100.00%\n"
		  "││main 98.00%\n"
		  " │run 90.00%                                                    │sum..\n"
		  " │work 90.00%\n"
		  " │copy 25.00%      │su\n\n"
		  "sum: total 5.00%, self 5.00%, 1 sample, inlined, prog\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "││main 98.00%\n"
		  " │run 90.00%                                                    │sum..\n"
		  " │work 90.00%\n"
		  " │copy 25.00%      │su\n\n"
		  "sum: total 5.00%, self 5.00%, 1 sample, inlined, prog\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "││main 98.00%\n"
		  " │run 90.00%                                                    │sum..\n"
		  " │work 90.00%\n"
		  " │copy 25.00%      │su\n\n"
		  "nothing is marked: / marks functions\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT   nosuch matched: 0.00%\n"
		  "│all 100.00%\n"
		  "││main 98.00%\n"
		  " │run 90.00%                                                    │sum..\n"
		  " │work 90.00%\n"
		  " │copy 25.00%      │su\n\n"
		  "no function's name contains 'nosuch'\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT   BAD matched: 2.00%\n"
		  "│all 100.00%\n"
		  "││main 98.00%\n"
		  " │run 90.00%                                                    │sum..\n"
		  " │work 90.00%\n"
		  " │copy 25.00%      │su\n\n"
		  "bad\\x1b[2Jname: total 2.00%, self 2.00%, 1 sample, prog\n----\n");
	world_release(&w);
}

TEST(inverts)
{
	struct world w;

	world_init(&w);
	feed_usual(&w);
	CHECK_STR(play(&w, 9, 70, "i<shot><down><down><shot>i<shot>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT   inverted\n"
		  "│all 100.00%\n"
		  "││copy 25.00%      │sum 13..│work 60.00%\n"
		  " │work 25.00%      │mai..│wo│run 60.00%\n"
		  " │run 25.00%             │ru│main 60.00%\n"
		  " │main 25.00%            │ma\n\n"
		  "all: total 100.00%, self 0.00%, 5 samples\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT   inverted\n"
		  "│all 100.00%\n"
		  "││copy 25.00%      │sum 13..│work 60.00%\n"
		  " │work 25.00%      │mai..│wo│run 60.00%\n"
		  " │run 25.00%             │ru│main 60.00%\n"
		  " │main 25.00%            │ma\n\n"
		  "run: total 60.00%, self 0.00%, 1 sample, JIT, prog\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "││main 98.00%\n"
		  " │run 90.00%                                                    │sum..\n"
		  " │work 90.00%\n"
		  " │copy 25.00%      │su\n\n"
		  "all: total 100.00%, self 0.00%, 5 samples\n----\n");
	world_release(&w);
}

TEST(events)
{
	struct world w;

	world_init(&w);
	feed_usual(&w);
	CHECK_STR(play(&w, 7, 70, "<down><enter><tab><shot><tab><shot><backtab><shot>"),
		  "Samples: 1  of event 'page-faults', Event count (approx.): 4000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "│main 100.00%\n"
		  "│copy 100.00%\n\n"
		  "all: total 100.00%, self 0.00%, 1 sample\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "││main 98.00%\n"
		  " │run 90.00%                                                    │sum..\n"
		  " │work 90.00%\n"
		  "all: total 100.00%, self 0.00%, 5 samples\n----\n"
		  "Samples: 1  of event 'page-faults', Event count (approx.): 4000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "│main 100.00%\n"
		  "│copy 100.00%\n\n"
		  "all: total 100.00%, self 0.00%, 1 sample\n----\n");
	world_release(&w);
}

TEST(monochrome_ascii_and_small)
{
	struct world w;
	struct str text = STR_INIT;

	world_init(&w);
	feed_usual(&w);
	w.mono = w.ascii = true;
	CHECK_STR(play(&w, 9, 70, "<shot><resize 5x20><shot><down><down><down><shot>"
		       "<resize 1x1><shot><resize 100x300><shot><resize 9x40><shot>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   [k] kernel   [i] inlined   [j] JIT\n"
		  "|all 100.00%\n"
		  "||main 98.00%\n"
		  " |[j] run 90.00%                                                |[i]..\n"
		  " |work 90.00%\n"
		  " |[k] copy 25.00%  |[i\n\n"
		  "all: total 100.00%, self 0.00%, 5 samples\n----\n"
		  "Samples: 5  of event\n"
		  " user   [k] kernel\n"
		  "|all 100.00%\n"
		  "|main 98.00%\n"
		  "all: total 100.00%,\n----\n"
		  "Samples: 5  of event\n"
		  " user   [k] kernel\n"
		  "|[j] run 90.00%   |[\n"
		  "|work 90.00%\n"
		  "work: total 90.00%,\n----\n"
		  ":\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   [k] kernel   [i] inlined   [j] JIT\n"
		  "|all 100.00%\n"
		  "|bad..|main 98.00%\n"
		  "      |[j] run 90.00%                                                     "
		  "                                                                          "
		  "                                                                          "
		  "                                                      |[i] sum 8.00%\n"
		  "      |work 90.00%\n"
		  "      |[k] copy 25.00%                                                    "
		  "       |[i] sum 5.00%\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
		  "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
		  "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
		  "work: total 90.00%, self 60.00%, 3 samples, prog, work\\x1b.c:12\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event\n"
		  " user   [k] kernel   [i] inlined   [j] J\n"
		  "|all 100.00%\n"
		  "||main 98.00%\n"
		  " |[j] run 90.00%                     |[i\n"
		  " |work 90.00%\n"
		  " |[k] cop..|[\n\n"
		  "work: total 90.00%, self 60.00%, 3 sampl\n----\n");
	icicle_text(w.o.tree, w.o.event, 70, &text);
	CHECK_STR(str_cstr(&text),
		  "|all 100.00%\n"
		  "||main 98.00%\n"
		  " |[j] run 90.00%                                                |[i]..\n"
		  " |work 90.00%\n"
		  " |[k] copy 25.00%  |[i\n");
	str_release(&text);
	world_release(&w);
}

TEST(deep_stacks_scroll)
{
	struct world w;

	world_init(&w);
	feed(&w, 0, "0120120120120120123", 5);
	feed(&w, 0, "0120120120126", 5);
	ready(&w);
	CHECK_STR(play(&w, 8, 40, "<end><shot><pgup><shot><pgdn><pgdn><pgdn><shot><home><shot>"),
		  "Samples: 2  of event 'cpu-clock', Event\n"
		  " user   kernel   inlined   JIT\n"
		  "│work 100.00%\n"
		  "│main 100.00%\n"
		  "│run 100.00%\n"
		  "│work 100.00%\n"
		  "│größe 50.00%       │main 50.00%\n"
		  "größe: total 50.00%, self 50.00%, 1 samp\n----\n"
		  "Samples: 2  of event 'cpu-clock', Event\n"
		  " user   kernel   inlined   JIT\n"
		  "│run 100.00%\n"
		  "│work 100.00%\n"
		  "│main 100.00%\n"
		  "│run 100.00%\n"
		  "│work 100.00%\n"
		  "run: total 100.00%, self 0.00%, 2 sample\n----\n"
		  "Samples: 2  of event 'cpu-clock', Event\n"
		  " user   kernel   inlined   JIT\n"
		  "│work 100.00%\n"
		  "│main 100.00%\n"
		  "│run 100.00%\n"
		  "│work 100.00%\n"
		  "│größe 50.00%       │main 50.00%\n"
		  "größe: total 50.00%, self 50.00%, 1 samp\n----\n"
		  "Samples: 2  of event 'cpu-clock', Event\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "│main 100.00%\n"
		  "│run 100.00%\n"
		  "│work 100.00%\n"
		  "│main 100.00%\n"
		  "all: total 100.00%, self 0.00%, 2 sample\n----\n");
	world_release(&w);
}

TEST(help_and_leaving)
{
	struct world w;

	world_init(&w);
	feed_usual(&w);
	w.o.whole = true;
	w.o.part = "a part";
	CHECK_STR(play(&w, 24, 74, "<shot>?<shot>x<esc><shot><esc>z<shot><esc><enter>"),
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "││main 98.00%\n"
		  " │run 90.00%                                                        │sum..\n"
		  " │work 90.00%\n"
		  " │copy 25.00%       │sum\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
		  "a part\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│a┌─Help───────────────────────────────────────────────────────────────┐\n"
		  "│││A frame is as wide as its share, its callees are below it.          │\n"
		  " ││                                                                    │..\n"
		  " ││h/?/F1        Show this window                                      │\n"
		  " ││UP            The caller                                            │\n"
		  "  │DOWN          The callee with the largest share                     │\n"
		  "  │LEFT/RIGHT    The frame beside it; LEFT at the border: back         │\n"
		  "  │PGUP/PGDN     A page of callers, callees                            │\n"
		  "  │HOME/END      The outermost frame; the end of the hottest path      │\n"
		  "  │ENTER         Zoom: this frame gets the whole width                 │\n"
		  "  │ESC           Back to the last zoom, then out                       │\n"
		  "  │/             Mark the functions whose names contain a text         │\n"
		  "  │n/N           Next, previous marked frame                           │\n"
		  "  │i             Invert: the innermost frames first                    │\n"
		  "  │TAB/UNTAB     Switch events                                         │\n"
		  "  │Mouse         A click selects, a second one zooms; the wheel scrolls│\n"
		  "  │q             Back                                                  │\n"
		  "  │CTRL+C        Exit                                                  │\n"
		  "  └────────────────────────────────────────────────────────────────────┘\n\n\n"
		  "a part\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "││main 98.00%\n"
		  " │run 90.00%                                                        │sum..\n"
		  " │work 90.00%\n"
		  " │copy 25.00%       │sum\n\n\n"
		  "                      ┌───────────────────────────┐\n"
		  "                      │Do you really want to exit?│\n"
		  "                      │                           │\n"
		  "                      │Enter: Yes, ESC: No        │\n"
		  "                      └───────────────────────────┘\n\n\n\n\n\n\n\n\n\n"
		  "all: total 100.00%, self 0.00%, 5 samples\n----\n"
		  "Samples: 5  of event 'cpu-clock', Event count (approx.): 100000\n"
		  " user   kernel   inlined   JIT\n"
		  "│all 100.00%\n"
		  "││main 98.00%\n"
		  " │run 90.00%                                                        │sum..\n"
		  " │work 90.00%\n"
		  " │copy 25.00%       │sum\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
		  "all: total 100.00%, self 0.00%, 5 samples\n----\n");
	CHECK(!w.quit);
	world_release(&w);
}

/* All of a tree has no weight. */
TEST(nothing_to_show)
{
	struct world w;

	world_init(&w);
	feed(&w, 0, "01", 0);
	ready(&w);
	CHECK_STR(play(&w, 6, 40, "<down><right><enter><left>i<end>n<shot><click 2,3>q"),
		  "Samples: 1  of event 'cpu-clock', Event\n"
		  " user   kernel   inlined   JIT   inverte\n\n\n\n"
		  "nothing is marked: / marks functions\n----\n");
	world_release(&w);
}
