// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/view/report-world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void world_init(struct world *w, bool children, bool chains, unsigned n_events)
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

void world_release(struct world *w)
{
	hist_free(w->h);
	hist_keys_release(&w->keys);
	event_list_release(&w->events);
	dso_store_free(w->dsos);
	os_release(&w->os);
	str_release(&w->printed);
}

void feed(struct world *w, unsigned event, const char *stack, u64 n, unsigned comm)
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

void feed_usual(struct world *w)
{
	feed(w, 0, "012", 60, 0);	/* main run work */
	feed(w, 0, "0123", 25, 0);	/* ... copy */
	feed(w, 0, "0124", 5, 0);
	feed(w, 0, "04", 8, 0);
	feed(w, 0, "5", 2, 1);
	hist_finish(w->h);
}

const char *play(struct world *w, int rows, int cols, const char *script)
{
	struct screen *s = screen_grid_new(rows, cols, true, script);
	char *text;

	report_tui(s, &w->o);
	text = xstrdup(screen_grid_shots(s));
	screen_free(s);
	return unit_keep(text);
}

void print(void *ctx, const struct str *text, struct str *said)
{
	struct world *w = ctx;

	str_add(&w->printed, str_cstr(text));
	str_add(said, "perf.hist.0 written!");
}

/* ---- what happens now ---- */

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

void live_init(struct world *w, bool chains, const char *const *turns)
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
