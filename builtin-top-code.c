// SPDX-License-Identifier: GPL-2.0-or-later
// perf top --stdio: the code of one function, with counts that fade as rows do.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin-top.h"
#include "util/cli/pager.h"
#include "util/view/top-code.h"

#define MOST_ADDRESSES (1u << 17)

struct top_code {
	char *name;
	struct annotate *counts;	/* of functions with this name alone */
	struct disasm *disasm;
	struct source_files files;
	struct listing *listing;	/* of the one that had samples; NULL: none so far */
	struct str why;			/* it cannot be shown */
};

void top_code_free(struct top_code *code)
{
	if (!code)
		return;
	listing_free(code->listing);
	annotate_free(code->counts);
	disasm_free(code->disasm);
	source_files_release(&code->files);
	str_release(&code->why);
	free(code->name);
	free(code);
}

static struct top_code *code_new(const struct top_cmd_run *r, const char *name)
{
	const struct code_opts *o = &r->c->code;
	const struct disasm_opts d = { .arch = machine_arch(stream_machine(r->live.stream)),
				       .objdump = o->objdump, .style = o->style };
	struct top_code *code = xcalloc(1, sizeof(*code));

	code->name = xstrdup(name);
	code->counts = annotate_new(code->name);
	code->disasm = disasm_new(&d, NULL);	/* the options were checked */
	code->files = browser_code_files(o);
	return code;
}

void top_code_follow(struct top_cmd_run *r)
{
	const char *name = r->c->look.code_of;

	if (r->code && (!name || strcmp(name, r->code->name))) {
		r->top.also = NULL;
		top_code_free(r->code);
		r->code = NULL;
	}
	if (name && !r->code) {
		r->code = code_new(r, name);
		r->top.also = annotate_sink(r->code->counts);
	}
}

/* The function with most of the samples, once there are some. */
static const struct annotate_symbol *open_listing(struct top_cmd_run *r, const struct event *e)
{
	struct top_code *code = r->code;
	const struct listing_opts lo = { .disasm = code->disasm, .source = r->c->code.source,
					 .inlines = r->c->code.source && !r->c->stream.no_inline,
					 .files = &code->files };
	struct err err = ERR_INIT;
	annotate_symbols order = { 0 };

	annotate_order(code->counts, &e, 1, &order);
	if (!code->listing && order.n) {
		code->listing = listing_new(order.v[0]->dso, order.v[0]->sym, &lo, &err);
		str_reset(&code->why);
		if (!code->listing)
			str_add_safe(&code->why, err.msg);
	}
	vec_free(&order);
	err_release(&err);
	return code->listing ? annotate_find(code->counts, code->listing->sym) : NULL;
}

static void show_listing(struct top_cmd_run *r, const struct annotate_symbol *sym, size_t lines,
			 struct str *out)
{
	const struct event *e = top_shown_event(r->c);
	const struct listing *l = r->code->listing;
	const struct annotate_symbol none = { .dso = l->dso, .sym = l->sym };
	struct annotate_view v = { .l = l, .events = &r->c->list, .event = e,
				   .path = l->dso->path, .look = browser_code_look(&r->c->code) };
	struct annotate_members m = { 0 };

	v.look.show_n = r->c->look.show_n;
	v.look.show_period = r->c->look.show_period;
	v.look.color = cli_color_on(CLI_COLOR_AUTO, STDOUT_FILENO);
	annotate_members_find(&m, r->code->counts, &r->c->list, e, false);
	annotate_members_count(&m, l, sym ? sym : &none);
	v.counts = annotate_members_counts(&m, r->c->code.percent);
	top_code_text(out, &v, r->c->look.min_pct, lines);
	annotate_members_release(&m);
}

void top_code_show(struct top_cmd_run *r, size_t lines, struct str *out)
{
	const struct event *e = top_shown_event(r->c);
	const struct annotate_symbol *sym;

	annotate_finish(r->code->counts);
	sym = open_listing(r, e);
	str_add(out, "Showing ");
	str_add_safe(out, e->name);
	str_add(out, " for ");
	str_add_safe(out, r->code->name);
	str_add(out, "\n");
	if (r->code->listing)
		show_listing(r, sym, lines > 1 ? lines - 1 : 1, out);
	else if (r->code->why.len)
		str_addf(out, "Its code cannot be shown: %s\n", str_cstr(&r->code->why));
	else
		str_add(out, "No sample was taken in a function with this name so far.\n");
}

void top_code_step(struct top_code *code, bool zero)
{
	if (!code)
		return;
	if (zero)
		annotate_decay(code->counts, 0, 1, 0);
	else
		annotate_decay(code->counts, TOP_KEEP, TOP_KEEP_OF, MOST_ADDRESSES);
}
