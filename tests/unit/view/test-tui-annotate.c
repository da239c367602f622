// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The browser of perf annotate over a listing and counts that are made by hand: a script of keys,
 * and what is on the screen then.
 */
#include <string.h>

#include "tests/unit/unit.h"
#include "util/os/os.h"
#include "util/view/tui/annotate-symbols.h"

enum { N_SYMS = 2, N_INSNS = 5, BASE = 0x1000 };

struct world {
	struct os os;
	struct symbols_opts no_opts;
	struct dso_store *dsos;
	struct dso *prog;
	struct symbol syms[N_SYMS];
	struct event_list events;
	struct annotate *counts;
	struct listing l;
	struct annotate_tui_opts o;
};

enum { RUNS_AT = 0x55500000 };	/* how far from where the file says */

static const char *const names[N_SYMS] = { "loop", "bad\033[2Jname" };
static const char *const event_names[] = { "cpu-clock", "page-faults" };

/* for (...) { sum += *p; } */
static const struct insn insns[N_INSNS] = {
	{ .rva = BASE, .length = 1, .bytes = { 0x55 }, .mnemonic = "push", .operands = "%rbp" },
	{ .rva = BASE + 1, .length = 3, .bytes = { 0x48, 0x8b, 0x07 }, .mnemonic = "mov",
	  .operands = "(%rdi),%rax" },
	{ .rva = BASE + 4, .length = 3, .bytes = { 0x48, 0x01, 0xc2 }, .mnemonic = "add",
	  .operands = "%rax,%rdx" },
	{ .rva = BASE + 7, .length = 2, .bytes = { 0x75, 0xf8 }, .mnemonic = "jne",
	  .operands = "1001", .kind = INSN_COND_JUMP, .has_target = true, .target_rva = BASE + 1 },
	{ .rva = BASE + 9, .length = 1, .bytes = { 0xc3 }, .mnemonic = "ret", .operands = "",
	  .kind = INSN_RET },
};

static void add_line(struct listing *l, enum listing_kind kind, u32 insn, const char *text)
{
	vec_push(&l->lines, ((struct listing_line){ .kind = (u8)kind, .insn = insn, .text = text,
						    .line = 7, .file = "/src/prog.c" }));
}

static void make_listing(struct world *w)
{
	struct listing *l = &w->l;

	l->dso = w->prog;
	l->sym = &w->syms[0];
	l->has_source = true;
	for (u32 i = 0; i < N_INSNS; i++) {
		if (i == 1)
			add_line(l, LISTING_SOURCE, i, "for (; p < end; p++)");
		if (i == 2)
			add_line(l, LISTING_SOURCE, i, "\tsum += *p;");
		vec_push(&l->insns, ((struct listing_insn){ .i = insns[i],
							    .at_line = (u32)l->lines.n,
							    .target = i == 3 ? 1 : LISTING_NONE,
							    .n_jumps_here = i == 1 }));
		add_line(l, LISTING_INSN, i, NULL);
	}
}

static void feed(struct world *w, unsigned event, unsigned sym, u64 rva, u64 n, u64 period)
{
	struct sink *sink = annotate_sink(w->counts);
	struct location at = { .cpumode = PERF_RECORD_MISC_USER, .dso = w->prog,
			       .sym = &w->syms[sym], .va = rva + RUNS_AT, .rva = rva };
	struct sample s = { .present = PERF_SAMPLE_PERIOD | PERF_SAMPLE_IP, .period = period,
			    .event = w->events.events.v[event], .pid = 1, .tid = 1,
			    .cpumode = PERF_RECORD_MISC_USER };
	struct resolved r = { .frames = &at, .n_frames = 1, .leaf = at };
	struct sink_item item = { .sample = &s, .res = &r };

	while (n--)
		sink->samples(sink, &item, 1);
}

static void world_init(struct world *w)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr) };

	memset(w, 0, sizeof(*w));
	os_init(&w->os);
	w->dsos = dso_store_new(&w->os, &w->no_opts);
	w->prog = dso_get(w->dsos, &(struct dso_key){ .kind = DSO_FILE, .path = "/bin/prog" });
	for (unsigned i = 0; i < N_SYMS; i++)
		w->syms[i] = (struct symbol){ .start_rva = BASE * (i + 1),
					      .end_rva = BASE * (i + 1) + 10,
					      .name = names[i], .mangled = names[i] };
	event_list_init(&w->events);
	for (unsigned i = 0; i < ARRAY_SIZE(event_names); i++)
		event_list_add(&w->events, &attr, event_names[i]);
	w->counts = annotate_new(NULL);
	make_listing(w);
	feed(w, 0, 0, BASE + 1, 2, 1000);
	feed(w, 0, 0, BASE + 4, 6, 1000);
	feed(w, 0, 0, BASE + 7, 1, 2000);
	feed(w, 0, 1, 2 * BASE, 10, 1000);
	feed(w, 1, 0, BASE, 3, 1);
	annotate_finish(w->counts);
	w->o = (struct annotate_tui_opts){ .counts = w->counts, .events = &w->events,
					   .event = w->events.events.v[0], .look.source = true };
}

static void world_release(struct world *w)
{
	annotate_free(w->counts);
	vec_free(&w->l.lines);
	vec_free(&w->l.insns);
	event_list_release(&w->events);
	dso_store_free(w->dsos);
	os_release(&w->os);
}

static const char *kept(struct screen *s)
{
	char *text = xstrdup(screen_grid_shots(s));

	screen_free(s);
	return unit_keep(text);
}

/* What the keys show of the code; kept until the test ends. */
static const char *play(struct world *w, int rows, int cols, const char *script)
{
	struct screen *s = screen_grid_new(rows, cols, true, script);

	annotate_tui_listing(s, &w->o, annotate_find(w->counts, &w->syms[0]), &w->l);
	return kept(s);
}

static const char *play_list(struct world *w, int rows, int cols, const char *script)
{
	struct screen *s = screen_grid_new(rows, cols, true, script);
	const struct disasm_opts d = { .arch = arch_host() };
	struct err err = ERR_INIT;
	struct annotate_symbols_opts o = { .code = w->o };

	o.code.listing.disasm = disasm_new(&d, &err);
	if (!o.code.listing.disasm)
		unit_skip("needs libcapstone");
	annotate_tui_symbols(s, &o);
	disasm_free(o.code.listing.disasm);
	return kept(s);
}

TEST(code_with_shares_source_and_jumps)
{
	struct world w;

	world_init(&w);
	CHECK_STR(play(&w, 12, 60, "<shot><colors>"),
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │     push %rbp\n"
		  "       │   for (; p < end; p++)\n"
		  " 20.00 │1:   mov  (%rdi),%rax\n"
		  "       │           sum += *p;\n"
		  " 60.00 │     add  %rax,%rdx\n"
		  " 20.00 │   ↑ jne  1\n"
		  "       │   ← ret\n\n\n"
		  "Press 'h' for help on key bindings\n"
		  "----\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "......jj\n"
		  "......jj\n"
		  "ttttttjj\n"
		  "......jj\n"
		  "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS\n"
		  "ttttttjj\n"
		  "......jj\n\n\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "----\n");
	world_release(&w);
}

TEST(hottest_next_hottest_and_back)
{
	struct world w;

	world_init(&w);
	CHECK_STR(play(&w, 12, 40, "<end>H<colors><tab><colors><tab><colors><backtab><colors>"),
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "......jj\n"
		  "......jj\n"
		  "ttttttjj\n"
		  "......jj\n"
		  "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS\n"
		  "ttttttjj\n"
		  "......jj\n\n\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n----\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "......jj\n"
		  "......jj\n"
		  "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS\n"
		  "......jj\n"
		  "ttttttjj\n"
		  "ttttttjj\n"
		  "......jj\n\n\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n----\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "......jj\n"
		  "......jj\n"
		  "ttttttjj..jjj\n"
		  "......jj..j\n"
		  "ttttttjj..j\n"
		  "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS\n"
		  "......jj\n\n\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n----\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "......jj\n"
		  "......jj\n"
		  "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS\n"
		  "......jj\n"
		  "ttttttjj\n"
		  "ttttttjj\n"
		  "......jj\n\n\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n----\n");
	world_release(&w);
}

TEST(jumps_are_followed)
{
	struct world w;

	world_init(&w);
	CHECK_STR(play(&w, 12, 40, "<down><enter><colors><enter><shot>"),
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "......jj\n"
		  "......jj\n"
		  "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS\n"
		  "......jj\n"
		  "ttttttjj\n"
		  "ttttttjj\n"
		  "......jj\n\n\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "----\n"
		  "Samples: 19  of event 'cpu-clock', Event\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │     push %rbp\n"
		  "       │   for (; p < end; p++)\n"
		  " 20.00 │1:   mov  (%rdi),%rax\n"
		  "       │           sum += *p;\n"
		  " 60.00 │     add  %rax,%rdx\n"
		  " 20.00 │   ↑ jne  1\n"
		  "       │   ← ret\n\n\n"
		  "not a jump within this function\n"
		  "----\n");
	world_release(&w);
}

TEST(text_is_found_again_and_backwards)
{
	struct world w;

	world_init(&w);
	CHECK_STR(play(&w, 12, 40, "<home>/ra<shot>x<enter><colors>nn<colors>N<colors>"
		       "/<bs><bs><bs>zz<enter><shot>"),
		  "Samples: 19  of event 'cpu-clock', Event\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "┌─Search───────────────────────────────┐\n"
		  "│String:                               │\n"
		  "│                                      │\n"
		  "│ra_                                   │\n"
		  "│                                      │\n"
		  "│ENTER: OK, ESC: Cancel                │\n"
		  "└──────────────────────────────────────┘\n\n\n"
		  "Press 'h' for help on key bindings\n"
		  "----\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "......jj\n"
		  "......jj\n"
		  "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS\n"
		  "......jj\n"
		  "ttttttjj\n"
		  "ttttttjj\n"
		  "......jj\n\n\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "----\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "......jj\n"
		  "......jj\n"
		  "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS\n"
		  "......jj\n"
		  "ttttttjj\n"
		  "ttttttjj\n"
		  "......jj\n\n\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "----\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "......jj\n"
		  "......jj\n"
		  "ttttttjj\n"
		  "......jj\n"
		  "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS\n"
		  "ttttttjj\n"
		  "......jj\n\n\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "----\n"
		  "Samples: 19  of event 'cpu-clock', Event\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │     push %rbp\n"
		  "       │   for (; p < end; p++)\n"
		  " 20.00 │1:   mov  (%rdi),%rax\n"
		  "       │           sum += *p;\n"
		  " 60.00 │     add  %rax,%rdx\n"
		  " 20.00 │   ↑ jne  1\n"
		  "       │   ← ret\n\n\n"
		  "not found: 'zz'\n"
		  "----\n");
	world_release(&w);
}

TEST(toggles)
{
	struct world w;

	world_init(&w);
	CHECK_STR(play(&w, 12, 60, "s<shot>x<shot>"),
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │     push %rbp\n"
		  " 20.00 │1:   mov  (%rdi),%rax\n"
		  " 60.00 │     add  %rax,%rdx\n"
		  " 20.00 │   ↑ jne  1\n"
		  "       │   ← ret\n\n\n\n\n"
		  "Press 'h' for help on key bindings\n"
		  "----\n"
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │     55                     push %rbp\n"
		  " 20.00 │1:   48 8b 07               mov  (%rdi),%rax\n"
		  " 60.00 │     48 01 c2               add  %rax,%rdx\n"
		  " 20.00 │   ↑ 75 f8                  jne  1\n"
		  "       │   ← c3                     ret\n\n\n\n\n"
		  "Press 'h' for help on key bindings\n"
		  "----\n");
	CHECK_STR(play(&w, 12, 60, "st<shot>t<shot>t<shot>"),
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20\n"
		  "loop  /bin/prog [Period: local period]\n"
		  "           │     push %rbp\n"
		  "      2000 │1:   mov  (%rdi),%rax\n"
		  "      6000 │     add  %rax,%rdx\n"
		  "      2000 │   ↑ jne  1\n"
		  "           │   ← ret\n\n\n\n\n"
		  "Press 'h' for help on key bindings\n"
		  "----\n"
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20\n"
		  "loop  /bin/prog [Samples: local period]\n"
		  "       │     push %rbp\n"
		  "     2 │1:   mov  (%rdi),%rax\n"
		  "     6 │     add  %rax,%rdx\n"
		  "     1 │   ↑ jne  1\n"
		  "       │   ← ret\n\n\n\n\n"
		  "Press 'h' for help on key bindings\n"
		  "----\n"
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │     push %rbp\n"
		  " 20.00 │1:   mov  (%rdi),%rax\n"
		  " 60.00 │     add  %rax,%rdx\n"
		  " 20.00 │   ↑ jne  1\n"
		  "       │   ← ret\n\n\n\n\n"
		  "Press 'h' for help on key bindings\n"
		  "----\n");
	CHECK_STR(play(&w, 12, 60, "sb<shot>p<shot>b<shot>p<shot>"),
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20\n"
		  "loop  /bin/prog [Percent: local hits]\n"
		  "       │     push %rbp\n"
		  " 22.22 │1:   mov  (%rdi),%rax\n"
		  " 66.67 │     add  %rax,%rdx\n"
		  " 11.11 │   ↑ jne  1\n"
		  "       │   ← ret\n\n\n\n\n"
		  "Press 'h' for help on key bindings\n"
		  "----\n"
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20\n"
		  "loop  /bin/prog [Percent: global hits]\n"
		  "       │     push %rbp\n"
		  " 10.53 │1:   mov  (%rdi),%rax\n"
		  " 31.58 │     add  %rax,%rdx\n"
		  "  5.26 │   ↑ jne  1\n"
		  "       │   ← ret\n\n\n\n\n"
		  "Press 'h' for help on key bindings\n"
		  "----\n"
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20\n"
		  "loop  /bin/prog [Percent: global period]\n"
		  "       │     push %rbp\n"
		  " 10.00 │1:   mov  (%rdi),%rax\n"
		  " 30.00 │     add  %rax,%rdx\n"
		  " 10.00 │   ↑ jne  1\n"
		  "       │   ← ret\n\n\n\n\n"
		  "Press 'h' for help on key bindings\n"
		  "----\n"
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │     push %rbp\n"
		  " 20.00 │1:   mov  (%rdi),%rax\n"
		  " 60.00 │     add  %rax,%rdx\n"
		  " 20.00 │   ↑ jne  1\n"
		  "       │   ← ret\n\n\n\n\n"
		  "Press 'h' for help on key bindings\n"
		  "----\n");
	world_release(&w);
}

/* From the jump at the cursor to its target; the disassembler's output, where it ran; names. */
TEST(arrows_addresses_and_names)
{
	struct world w;
	struct screen *s;

	world_init(&w);
	w.syms[0].mangled = "_Z4loopv";
	CHECK_STR(play(&w, 12, 56, "<end><up><shot>j<shot>js<shot>J<shot>"),
		  "Samples: 19  of event 'cpu-clock', Event count (approx.)\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │     push %rbp\n"
		  "       │   for (; p < end; p++)\n"
		  " 20.00 │1:┌─→mov  (%rdi),%rax\n"
		  "       │  │        sum += *p;\n"
		  " 60.00 │  │  add  %rax,%rdx\n"
		  " 20.00 │  └──jne  1\n"
		  "       │   ← ret\n\n\n"
		  "Press 'h' for help on key bindings\n----\n"
		  "Samples: 19  of event 'cpu-clock', Event count (approx.)\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │     push %rbp\n"
		  "       │   for (; p < end; p++)\n"
		  " 20.00 │1:   mov  (%rdi),%rax\n"
		  "       │           sum += *p;\n"
		  " 60.00 │     add  %rax,%rdx\n"
		  " 20.00 │   ↑ jne  1\n"
		  "       │   ← ret\n\n\n"
		  "Press 'h' for help on key bindings\n----\n"
		  "Samples: 19  of event 'cpu-clock', Event count (approx.)\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │     push %rbp\n"
		  " 20.00 │1:┌─→mov  (%rdi),%rax\n"
		  " 60.00 │  │  add  %rax,%rdx\n"
		  " 20.00 │  └──jne  1\n"
		  "       │   ← ret\n\n\n\n\n"
		  "Press 'h' for help on key bindings\n----\n"
		  "Samples: 19  of event 'cpu-clock', Event count (approx.)\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │       push %rbp\n"
		  " 20.00 │1 1:┌─→mov  (%rdi),%rax\n"
		  " 60.00 │    │  add  %rax,%rdx\n"
		  " 20.00 │    └──jne  1\n"
		  "       │     ← ret\n\n\n\n\n"
		  "Press 'h' for help on key bindings\n----\n");
	CHECK_STR(play(&w, 9, 56, "so<shot>f<shot>of<shot>fd<shot>c<shot>x<shot>"),
		  "Samples: 19  of event 'cpu-clock', Event count (approx.)\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │1000:   push %rbp\n"
		  " 20.00 │1001:   mov  (%rdi),%rax\n"
		  " 60.00 │1004:   add  %rax,%rdx\n"
		  " 20.00 │1007: ↑ jne  1001\n"
		  "       │1009: ← ret\n\n"
		  "Press 'h' for help on key bindings\n----\n"
		  "Samples: 19  of event 'cpu-clock', Event count (approx.)\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │55501000:   push %rbp\n"
		  " 20.00 │55501001:   mov  (%rdi),%rax\n"
		  " 60.00 │55501004:   add  %rax,%rdx\n"
		  " 20.00 │55501007: ↑ jne  1001\n"
		  "       │55501009: ← ret\n\n"
		  "Press 'h' for help on key bindings\n----\n"
		  "Samples: 19  of event 'cpu-clock', Event count (approx.)\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │     push %rbp\n"
		  " 20.00 │1:   mov  (%rdi),%rax\n"
		  " 60.00 │     add  %rax,%rdx\n"
		  " 20.00 │   ↑ jne  1\n"
		  "       │   ← ret\n\n"
		  "addresses are shown with o\n----\n"
		  "Samples: 19  of event 'cpu-clock', Event count (approx.)\n"
		  "_Z4loopv  /bin/prog [Percent: local period]\n"
		  "       │     push %rbp\n"
		  " 20.00 │1:   mov  (%rdi),%rax\n"
		  " 60.00 │     add  %rax,%rdx\n"
		  " 20.00 │   ↑ jne  1\n"
		  "       │   ← ret\n\n"
		  "names are as the linker has them\n----\n"
		  "Samples: 19  of event 'cpu-clock', Event count (approx.)\n"
		  "_Z4loopv  /bin/prog [Percent: local period]\n"
		  "       │     push %rbp\n"
		  " 20.00 │1:   mov  (%rdi),%rax\n"
		  " 60.00 │     add  %rax,%rdx\n"
		  " 20.00 │   ↑ jne  1\n"
		  "       │   ← ret\n\n"
		  "no cycles of branches were recorded here (perf record -b\n----\n"
		  "Samples: 19  of event 'cpu-clock', Event count (approx.)\n"
		  "_Z4loopv  /bin/prog [Percent: local period]\n"
		  "       │     55                     push %rbp\n"
		  " 20.00 │1:   48 8b 07               mov  (%rdi),%rax\n"
		  " 60.00 │     48 01 c2               add  %rax,%rdx\n"
		  " 20.00 │   ↑ 75 f8                  jne  1\n"
		  "       │   ← c3                     ret\n\n"
		  "Press 'h' for help on key bindings\n----\n");
	/* without UTF-8 */
	s = screen_grid_new(9, 40, false, "s<end><up><shot><colors>");
	annotate_tui_listing(s, &w.o, annotate_find(w.counts, &w.syms[0]), &w.l);
	CHECK_STR(kept(s),
		  "Samples: 19  of event 'cpu-clock', Event\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       |     push %rbp\n"
		  " 20.00 |1:+->mov  (%rdi),%rax\n"
		  " 60.00 |  |  add  %rax,%rdx\n"
		  " 20.00 |  +--jne  1\n"
		  "       |   ? ret\n\n"
		  "Press 'h' for help on key bindings\n----\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "......jj\n"
		  "ttttttjj..jjj\n"
		  "ttttttjj..j\n"
		  "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS\n"
		  "......jj\n\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n----\n");
	world_release(&w);
}

static struct str printed;

static void print(const char *symbol, const struct str *text, struct str *said)
{
	str_add(&printed, strchr(str_cstr(text), '\n') + 1);
	str_addf(said, "%s.annotation written!", symbol);
}

TEST(offsets_jumps_lines_and_printing)
{
	struct world w;

	world_init(&w);
	w.o.print = print;
	CHECK_STR(play(&w, 14, 60, "O<shot>O<shot>J<shot>k<shot>s<shot>OJks"),
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │     push %rbp\n"
		  "       │   for (; p < end; p++)\n"
		  " 20.00 │1:   mov  (%rdi),%rax\n"
		  "       │           sum += *p;\n"
		  " 60.00 │     add  %rax,%rdx\n"
		  " 20.00 │   ↑ jne  1\n"
		  "       │   ← ret\n\n\n\n\n"
		  "Press 'h' for help on key bindings\n----\n"
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │0:   push %rbp\n"
		  "       │   for (; p < end; p++)\n"
		  " 20.00 │1:   mov  (%rdi),%rax\n"
		  "       │           sum += *p;\n"
		  " 60.00 │4:   add  %rax,%rdx\n"
		  " 20.00 │7: ↑ jne  1\n"
		  "       │9: ← ret\n\n\n\n\n"
		  "Press 'h' for help on key bindings\n----\n"
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │  0:   push %rbp\n"
		  "       │     for (; p < end; p++)\n"
		  " 20.00 │1 1:   mov  (%rdi),%rax\n"
		  "       │             sum += *p;\n"
		  " 60.00 │  4:   add  %rax,%rdx\n"
		  " 20.00 │  7: ↑ jne  1\n"
		  "       │  9: ← ret\n\n\n\n\n"
		  "Press 'h' for help on key bindings\n----\n"
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │  0:   push %rbp\n"
		  "       │7    for (; p < end; p++)\n"
		  " 20.00 │1 1:   mov  (%rdi),%rax\n"
		  "       │7            sum += *p;\n"
		  " 60.00 │  4:   add  %rax,%rdx\n"
		  " 20.00 │  7: ↑ jne  1\n"
		  "       │  9: ← ret\n\n\n\n\n"
		  "Press 'h' for help on key bindings\n----\n"
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │  0:   push %rbp\n"
		  " 20.00 │1 1:   mov  (%rdi),%rax\n"
		  " 60.00 │  4:   add  %rax,%rdx\n"
		  " 20.00 │  7: ↑ jne  1\n"
		  "       │  9: ← ret\n\n\n\n\n\n\n"
		  "Press 'h' for help on key bindings\n----\n");
	CHECK_STR(play(&w, 14, 60, "l<shot><home>?test<enter><shot>P<shot>h<shot>"),
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │     push %rbp\n"
		  "       │   for (; p < end; p++)\n"
		  " 20.00 │1:   mov  (%rdi),%rax\n"
		  "       │           sum += *p;\n"
		  " 60.00 │     add  %rax,%rdx\n"
		  " 20.00 │   ↑ jne  1\n"
		  "       │   ← ret\n\n\n\n\n"
		  "/src/prog.c:7\n----\n"
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │     push %rbp\n"
		  "       │   for (; p < end; p++)\n"
		  " 20.00 │1:   mov  (%rdi),%rax\n"
		  "       │           sum += *p;\n"
		  " 60.00 │     add  %rax,%rdx\n"
		  " 20.00 │   ↑ jne  1\n"
		  "       │   ← ret\n\n\n\n\n"
		  "not found: 'test'\n----\n"
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │     push %rbp\n"
		  "       │   for (; p < end; p++)\n"
		  " 20.00 │1:   mov  (%rdi),%rax\n"
		  "       │           sum += *p;\n"
		  " 60.00 │     add  %rax,%rdx\n"
		  " 20.00 │   ↑ jne  1\n"
		  "       │   ← ret\n\n\n\n\n"
		  "loop.annotation written!\n----\n"
		  "┌─Help─────────────────────────────────────────────────────┐\n"
		  "│UP/DOWN/PGUP                                              │\n"
		  "│PGDN/SPACE    Navigate                                    │\n"
		  "│q/ESC/CTRL+C  Exit, or go back                            │\n"
		  "│                                                          │\n"
		  "│ENTER         Go to the target of a jump                  │\n"
		  "│j             Toggle the arrow from a jump to its target  │\n"
		  "│H             Go to the hottest instruction               │\n"
		  "│TAB/UNTAB     Go to the next hottest instruction, or back │\n"
		  "│/?            Find a text, forwards or backwards          │\n"
		  "│n/N           Find it again: next, previous               │\n"
		  "│s             Toggle source code                          │\n"
		  "│k             Toggle line numbers of source               │\n"
		  "└──────────────────────────────────────────────────────────┘\n----\n");
	CHECK_STR(str_cstr(&printed),
		  "loop() /bin/prog\n"
		  "Percent\n\n"
		  "            0000000000001000 <loop>:\n"
		  "              push %rbp\n"
		  "            for (; p < end; p++)\n"
		  "  20.00  1:   mov  (%rdi),%rax\n"
		  "                    sum += *p;\n"
		  "  60.00       add  %rax,%rdx\n"
		  "  20.00     ↑ jne  1\n"
		  "            ← ret\n");
	str_release(&printed);
	world_release(&w);
}

TEST(types_of_data)
{
	struct world w;

	world_init(&w);
	w.l.insns.v[1].data_type = "struct \033 +0x8 (b)";
	CHECK_STR(play(&w, 8, 60, "T<shot>"),
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │     push %rbp                                     ◆\n"
		  "       │   for (; p < end; p++)                            ▒\n"
		  " 20.00 │1:   mov  (%rdi),%rax  # data-type: struct \\x1b +0x▒\n"
		  "       │           sum += *p;                              ▒\n"
		  " 60.00 │     add  %rax,%rdx                                ▒\n"
		  "types of data need libcapstone, without which this perf was\n----\n");
	w.o.look.types = true;
	CHECK_STR(play(&w, 8, 60, "<shot>T<shot>"),
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │     push %rbp                                     ◆\n"
		  "       │   for (; p < end; p++)                            ▒\n"
		  " 20.00 │1:   mov  (%rdi),%rax  # data-type: struct \\x1b +0x▒\n"
		  "       │           sum += *p;                              ▒\n"
		  " 60.00 │     add  %rax,%rdx                                ▒\n"
		  "Press 'h' for help on key bindings\n----\n"
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │     push %rbp                                     ◆\n"
		  "       │   for (; p < end; p++)                            ▒\n"
		  " 20.00 │1:   mov  (%rdi),%rax                              ▒\n"
		  "       │           sum += *p;                              ▒\n"
		  " 60.00 │     add  %rax,%rdx                                ▒\n"
		  "types of data need libcapstone, without which this perf was\n----\n");
	world_release(&w);
}

/* n times a stack of the jump (at 7) back to the mov (at 1), in that many cycles, after the same in
 * 3; and before both one that came from elsewhere. */
static void feed_branches(struct world *w, unsigned n, u16 n_cycles)
{
	struct perf_branch_entry e[] = { { .cycles = n_cycles, .predicted = 1 },
					 { .cycles = 3, .mispred = 1 }, { .cycles = 1 } };
	struct location ends[6] = { { 0 } };
	struct resolved r = { .branches = ends };
	struct sample s = { .event = w->events.events.v[0], .branch = { .n = 3, .entries = e } };
	struct sink_item item = { .sample = &s, .res = &r };
	struct sink *sink = annotate_sink(w->counts);

	for (unsigned i = 0; i < 4; i++)
		ends[i] = (struct location){ .dso = w->prog, .sym = &w->syms[0],
					     .rva = BASE + (i % 2 ? 1 : 7) };
	ends[5] = (struct location){ .dso = w->prog, .sym = &w->syms[0], .rva = BASE };
	while (n--)
		sink->samples(sink, &item, 1);
}

TEST(cycles_of_branch_stacks)
{
	struct world w;

	world_init(&w);
	annotate_want_branches(w.counts, NULL);
	feed_branches(&w, 2, 6);
	feed_branches(&w, 1, 60000);
	annotate_finish(w.counts);
	CHECK_STR(play(&w, 9, 56, "s<shot>c<shot><home>J<shot><end><shot>cB<shot>"),
		  "Samples: 22  of event 'cpu-clock', Event count (approx.)\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │ IPC Cycle       push %rbp\n"
		  " 20.00 │            1:   mov  (%rdi),%rax\n"
		  " 60.00 │                 add  %rax,%rdx\n"
		  " 20.00 │1.33 10003     ↑ jne  1\n"
		  "       │               ← ret\n\n"
		  "Press 'h' for help on key bindings\n----\n"
		  "Samples: 22  of event 'cpu-clock', Event count (approx.)\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │ IPC     Cycle(min/max)       push %rbp\n"
		  " 20.00 │                         1:   mov  (%rdi),%rax\n"
		  " 60.00 │                              add  %rax,%rdx\n"
		  " 20.00 │1.33     10003(3/60000)     ↑ jne  1\n"
		  "       │                            ← ret\n\n"
		  "Press 'h' for help on key bindings\n----\n"
		  "Samples: 22  of event 'cpu-clock', Event count (approx.)\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │ IPC     Cycle(min/max)         push %rbp\n"
		  " 20.00 │                         1 1:   mov  (%rdi),%rax\n"
		  " 60.00 │                                add  %rax,%rdx\n"
		  " 20.00 │1.33     10003(3/60000)       ↑ jne  1\n"
		  "       │                              ← ret\n\n"
		  "Press 'h' for help on key bindings\n----\n"
		  "Samples: 22  of event 'cpu-clock', Event count (approx.)\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │ IPC     Cycle(min/max)         push %rbp\n"
		  " 20.00 │                         1 1:   mov  (%rdi),%rax\n"
		  " 60.00 │                                add  %rax,%rdx\n"
		  " 20.00 │1.33     10003(3/60000)       ↑ jne  1\n"
		  "       │                              ← ret\n\n"
		  "Press 'h' for help on key bindings\n----\n"
		  "Samples: 22  of event 'cpu-clock', Event count (approx.)\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │ IPC Cycle         push %rbp\n"
		  " 20.00 │            1 1:   mov  (%rdi),%rax\n"
		  " 60.00 │                   add  %rax,%rdx\n"
		  " 20.00 │1.33 10003       ↑ jne  1\n"
		  "       │                 ← ret\n\n"
		  "no counters of branches were recorded here (perf record\n----\n");
	world_release(&w);
}

TEST(sizes)
{
	struct world w;

	world_init(&w);
	CHECK_STR(play(&w, 12, 60, "<resize 5x20><shot><resize 1x1><resize 100x300><shot>"),
		  "Samples: 19  of even\n"
		  "loop  /bin/prog [Per\n"
		  "       │           ◆\n"
		  " 60.00 │     add  %▒\n"
		  "Press 'h' for help o\n----\n"
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20000\n"
		  "loop  /bin/prog [Percent: local period]\n"
		  "       │     push %rbp\n"
		  "       │   for (; p < end; p++)\n"
		  " 20.00 │1:   mov  (%rdi),%rax\n"
		  "       │           sum += *p;\n"
		  " 60.00 │     add  %rax,%rdx\n"
		  " 20.00 │   ↑ jne  1\n"
		  "       │   ← ret\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
		  "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
		  "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
		  "Press 'h' for help on key bindings\n----\n");
	world_release(&w);
}

TEST(functions_of_each_event)
{
	struct world w;

	world_init(&w);
	CHECK_STR(play_list(&w, 6, 70, "<shot><down><enter><shot><tab><shot>"
			    "<tab>/loop<enter><colors>q"),
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20000\n"
		  " Percent  Shared Object  Symbol\n"
		  "  50.00%  prog           bad\\x1b[2Jname\n"
		  "  50.00%  prog           loop\n\n"
		  "ENTER: show the code, h: help on key bindings\n"
		  "----\n"
		  "Samples: 19  of event 'cpu-clock', Event count (approx.): 20000\n"
		  " Percent  Shared Object  Symbol\n"
		  "  50.00%  prog           bad\\x1b[2Jname\n"
		  "  50.00%  prog           loop\n\n"
		  "the code of 'loop' cannot be shown: its code cannot be read\n"
		  "----\n"
		  "Samples: 3  of event 'page-faults', Event count (approx.): 3\n"
		  " Percent  Shared Object  Symbol\n"
		  " 100.00%  prog           loop\n\n\n"
		  "ENTER: show the code, h: help on key bindings\n"
		  "----\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "tttttttt\n"
		  "SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS\n\n"
		  "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\n"
		  "----\n");
	world_release(&w);
}
