// SPDX-License-Identifier: GPL-2.0-or-later
// perf annotate on a terminal: the browser.
#include "builtin-annotate.h"
#include "util/view/tui/annotate-symbols.h"

/* What is asked for is a text, whoever reads it. */
static bool is_text(const struct annotate_opts *o)
{
	const struct annotate_look_opts *l = &o->look;

	return o->types.on || l->stdio || l->stdio2 || l->print_line || o->dump ||
		table_output_data(&l->as_data) || l->color != CLI_COLOR_AUTO;
}

bool annotate_wants_browser(const struct annotate_opts *o, bool once)
{
	return !is_text(o) && browser_wanted(&o->browser, once);
}

void annotate_browse(struct browser *b, const struct annotate_tui_in *in)
{
	const struct annotate_look_opts *look = &in->o->look;
	const struct stream_filter *f = &in->o->stream.filter;
	struct browser_script script = { in->o->input, in->o->force, f, f,
					 &in->o->stream.symbols };
	struct str part = STR_INIT;
	struct annotate_symbols_opts o = {
		.code = {
			.counts = in->counts, .events = in->session->source->events,
			.group = look->group, .listing = in->listing,
			.percent = in->o->code.percent, .print = browser_print_annotation,
			.look = browser_code_look(&in->o->code), .types = in->types,
			.script = browser_script, .script_ctx = &script,
		},
		.min_pct = in->o->min_pct, .one = in->o->symbol,
	};

	o.code.look.full_paths = look->full_paths;
	o.code.look.show_n = look->show_n;
	o.code.look.show_period = look->show_period;
	o.code.look.types = look->types;
	o.code.listing.source = true;	/* a key shows what the look hides */
	o.code.listing.inlines = !in->o->stream.no_inline;
	browser_loaded(b);
	browser_part_text(b, &part);
	if (part.len)
		o.part = str_cstr(&part);
	annotate_tui_symbols(b->screen, &o);
	str_release(&part);
}
