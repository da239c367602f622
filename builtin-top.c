// SPDX-License-Identifier: GPL-2.0-or-later
// perf top: what runs now, as a table that is shown again and again.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "builtin-top.h"
#include "util/cli/error.h"
#include "util/cli/pager.h"
#include "util/event/tracepoint.h"
#include "util/os/terminal-keys.h"
#include "util/view/top-text.h"

#define RING_BYTES (2u << 20)		/* seconds of samples at the usual frequencies */
#define STACK_RING_BYTES (16u << 20)
#define CLEAR "\033[H\033[2J"

/* ---- showing ---- */

/* The number of lines that it takes. */
static size_t add_title(struct top_cmd_run *r, size_t columns)
{
	const size_t before = r->out.len;
	const struct top_title t = top_next_title(r);

	top_title_text(&r->out, &t, columns - 1);
	return 3 + (strcspn(str_cstr(&r->out) + before, "\n") - 1) / columns;
}

static void add_rows(struct top_cmd_run *r, size_t lines, size_t columns, struct str *out)
{
	const struct top_look *k = &r->c->look;
	struct hist_view_opts view = top_view(k);
	struct text_opts text = {
		.color = cli_color_on(CLI_COLOR_AUTO, STDOUT_FILENO), .widths = k->widths.v,
		.n_widths = k->widths.n, .columns = r->screen ? columns : 0, .chain = &k->chain,
		.skip_first = !r->c->rows.keys.fields && r->c->rows.keys.sort &&
			      str_has_prefix(r->c->rows.keys.sort, "sym"),
	};

	view.max_rows = view.max_rows ? view.max_rows : lines;
	text.min_pct = view.min_pct;
	text.min_n = view.min_n;
	top_rows_text(out, r->hist, top_shown_event(r->c), &view, &text);
	if (r->screen && !k->entries)
		str_cut_lines(out, lines);
}

static void show(struct top_cmd_run *r)
{
	fwrite(str_cstr(&r->out), 1, r->out.len, stdout);
	if (fflush(stdout))
		r->live.done = true;	/* main() says why, unless the reader had enough */
	str_reset(&r->out);
}

static void draw(struct top_cmd_run *r)
{
	const struct top_look *k = &r->c->look;
	unsigned lines = TOP_LINES, columns = 80;
	struct str rows = STR_INIT;

	if (r->screen)
		terminal_keys_size(STDOUT_FILENO, &lines, &columns);
	lines = lines < 8 ? TOP_LINES : lines;
	columns = columns < 20 ? 80 : columns;
	lines -= MIN(add_title(r, columns) + 1, (size_t)lines - 1);
	if (r->code)
		top_code_show(r, k->entries > 0 ? (size_t)k->entries : lines, &rows);
	else
		add_rows(r, lines, columns, &rows);
	str_addn(&r->out, str_cstr(&rows), rows.len);
	str_release(&rows);
	if (!r->screen)
		str_addch(&r->out, '\n');
}

static void keep_threads(void *ctx, struct hmap *kept)
{
	const struct top_cmd_run *r = ctx;

	hist_threads(r->hist, kept);
}

static void show_now(struct top_cmd_run *r)
{
	top_refresh(&r->top);
	top_code_follow(r);
	if (r->screen)
		str_add(&r->out, CLEAR);
	draw(r);
	show(r);
}

/* While somebody types an answer all stays as it is. */
static void on_tick(void *ctx)
{
	struct top_cmd_run *r = ctx;
	const u64 began = os_now_ns();

	if (r->tui) {
		top_tui_tick(r->tui);
		return;
	}
	terminal_keys_again(&r->terminal);
	if (r->prompt.key || r->prompt.menu)
		return;
	show_now(r);
	top_step(&r->top);
	top_code_step(r->code, r->top.o.zero);
	r->live.o.tick_ns = top_refresh_ns(r, os_now_ns() - began);
}

static bool on_input(void *ctx)
{
	struct top_cmd_run *r = ctx;
	enum top_did did = TOP_NOTHING;
	char keys[64];
	ssize_t n;

	if (r->tui)
		return true;	/* the browser reads them */
	n = terminal_keys_read(&r->terminal, keys, sizeof(keys));
	for (ssize_t i = 0; i < n && did != TOP_QUIT; i++)
		did = top_key(&r->prompt, keys[i], &r->c->look, &r->top.o, &r->c->list, &r->out);
	r->live.done |= did == TOP_QUIT;
	if (did == TOP_CHANGED)
		r->live.o.tick_ns = r->c->look.delay_ns;
	show(r);
	return n >= 0;
}

/* ---- beginning ---- */

/* Before there is a browser, and then in it. */
static void say_changes(const struct top_cmd_run *r)
{
	const struct open_report *rep = &r->live.rings.live.opened;

	for vec_each(c, &rep->changes) {
		if (r->c->common.quiet || c->what == OPEN_DROPPED_FLAG ||
		    c->what == OPEN_THREAD_GONE)
			continue;
		if (r->tui)
			top_tui_say(r->tui, c->detail);
		else
			fprintf(stderr, "%s\n", c->detail);
	}
}

static bool needs_addr(const struct hist_keys *k)
{
	for vec_each(col, &k->cols)
		if (col->def->needs_addr)
			return true;
	return false;
}

static int open_events(struct top_cmd_run *r, struct err *err)
{
	struct top_cmd *c = r->c;
	struct record_opts *ro = &c->sampling.record;
	const bool stacks = ro->stacks.callgraph == RECORD_CHAIN_DWARF;
	int ret;

	event_list_load_formats(&c->list, &c->os, NULL);	/* for columns of their fields */
	ret = hist_keys_init(&r->keys, &c->rows.keys, &c->list, err);

	ro->sampling.addr = needs_addr(&r->keys);
	ro->buffers.most_bytes = stacks ? STACK_RING_BYTES : RING_BYTES;
	if (!ret)
		ret = live_session_events(&r->live,
					  &(struct live_events){ .list = &c->list, .sampling = ro,
								 .maps = true },
					  &c->stream, err);
	if (!ret)
		ret = top_find_switches(&c->filter, &c->list, c->rows.on, c->rows.off, err);
	return ret;
}

/* A name that is shown for the kernel's image is one to ask for, too. */
static const char *kernel_dsos(const char *dsos, struct str *all)
{
	if (!dsos || !strstr(dsos, "[kernel]"))
		return dsos;
	str_addf(all, "%s,[kernel.kallsyms]", dsos);
	return str_cstr(all);
}

static int make_hist(struct top_cmd_run *r, const char *dsos, struct err *err)
{
	const struct top_rows *rows = &r->c->rows;
	const bool chains = r->c->sampling.record.stacks.callgraph != RECORD_CHAIN_NONE;
	const struct hist_opts h = {
		.events = &r->c->list, .machine = stream_machine(r->live.stream),
		.keys = &r->keys,
		.filter = { .comms = rows->comms, .dsos = dsos, .symbols = rows->symbols },
		.ignore_callees = rows->ignore_callees, .children = rows->children,
		.callgraph = chains && r->c->look.chain.mode != CHAIN_NONE,
		.chain_key = r->c->look.chain.key, .caller = r->c->look.chain.caller,
		.no_inline = r->c->stream.no_inline, .relative = rows->relative, .threads = 1,
	};

	r->hist = hist_new(&h, err);
	if (!r->hist)
		return -EINVAL;
	r->tui = top_tui_begin(r);
	if (r->tui)
		top_init_pending(&r->top, r->hist, &r->c->filter, top_tui_sink(r->tui));
	else
		top_init(&r->top, r->hist, &r->c->filter);
	if (r->c->look.code_of || (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)))
		r->top.sink.wants |= SINK_SYMBOLS;	/* a key may ask for code */
	top_code_follow(r);
	return 0;
}

static int run_text(struct top_cmd_run *r, struct err *err)
{
	const char *term = getenv("TERM");
	struct sink *sink = &r->top.sink;
	int ret;

	if (r->c->look.min_n < 0)
		r->c->look.min_n = TOP_TEXT_MIN_N;
	r->screen = isatty(STDOUT_FILENO) && term && strcmp(term, "dumb");
	if (!isatty(STDOUT_FILENO) || !terminal_keys_begin(&r->terminal, STDIN_FILENO))
		r->live.o.on_input = NULL;	/* the keys are those of who reads the pipe */
	ret = live_session_run(&r->live, &sink, 1, err);
	terminal_keys_end(&r->terminal);
	if (!ret && !r->live.done && !r->live.waiter.signal && r->top.now.n)
		show_now(r);		/* all who were watched have ended */
	if (r->screen)
		fputc('\n', stdout);
	return ret;
}

static void warn(void *ctx, const char *text)
{
	top_tui_say(((struct top_cmd_run *)ctx)->tui, text);
}

static int run(struct top_cmd_run *r, struct err *err)
{
	struct sink *sink = &r->top.sink;
	int ret;

	top_target_text(&r->c->sampling, r->c->list.cpus.n, &r->target);
	r->shown_ns = os_now_ns();
	r->own_ns = os_own_cpu_ns();
	if (!r->tui)
		return run_text(r, err);
	r->live.o.drive = top_tui_drive;
	r->live.o.on_warning = warn;
	ret = live_session_run(&r->live, &sink, 1, err);
	top_tui_end(r->tui);
	return ret;
}

static int top(struct top_cmd_run *r, struct err *err)
{
	struct top_cmd *c = r->c;
	const struct live_session_opts o = {
		.target = c->sampling.target, .cgroup = c->sampling.cgroup,
		.no_inherit = c->sampling.record.scope.no_inherit,
		.rt_prio = c->sampling.record.buffers.rt_prio,
		.tick_ns = c->look.delay_ns, .on_tick = on_tick, .on_keep = keep_threads,
		.warn_hidden = !c->common.quiet,
		.input_fd = STDIN_FILENO, .on_input = on_input, .ctx = r,
	};
	struct str all_dsos = STR_INIT;
	int ret = live_session_open(&r->live, &o, err);

	if (!ret)
		ret = open_events(r, err);
	if (!ret) {
		say_changes(r);
		ret = make_hist(r, kernel_dsos(c->rows.dsos, &all_dsos), err);
		if (r->tui)
			say_changes(r);
	}
	if (!ret)
		ret = run(r, err);
	top_code_free(r->code);
	hist_free(r->hist);
	hist_keys_release(&r->keys);
	live_session_close(&r->live);
	str_release(&all_dsos);
	return ret;
}

int cmd_top(int argc, const char **argv)
{
	struct top_cmd c;
	struct top_cmd_run *r = xnew(struct top_cmd_run);
	struct err err = ERR_INIT;
	int status = 0;

	xalloc_give_back();
	top_cmd_init(&c);
	r->c = &c;
	if (!top_parse(&c, argc, argv, &status) && top(r, &err))
		status = cli_error(&err);
	str_release(&r->prompt.line);
	str_release(&r->target);
	str_release(&r->out);
	free(r);
	err_release(&err);
	top_cmd_release(&c);
	return status;
}
