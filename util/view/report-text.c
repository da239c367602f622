// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/report-text.h"

#include "util/analysis/block-cycles.h"
#include "util/analysis/hist/by-time.h"
#include "util/view/draw.h"
#include "util/view/event-title.h"

enum { HAS_CHAINS = 1, NO_CHAINS = 2, SEVERAL_EVENTS = 4, TEXTS = 8 };	/* what a tip is for */

static const struct tip { const char *text; unsigned needs; } tips[] = {
	{ "Sort by several keys: perf report --sort comm,dso,symbol", 0 },
	{ "Self time only, as a flat list: perf report --no-children -g none", HAS_CHAINS },
	{ "Who calls what is slow: perf report --no-children -g callee", HAS_CHAINS },
	{ "One line a stack: perf report --no-children -g folded", HAS_CHAINS },
	{ "Only what is worth looking at: perf report --percent-limit 1", 0 },
	{ "By source line: perf report --sort srcline --no-children", 0 },
	{ "By thread: perf report --sort pid,symbol", 0 },
	{ "For a spreadsheet: perf report -t, --no-children -g none", 0 },
	{ "Part of the run: perf report --time 10%-20%", 0 },
	{ "How the file was made, and where: perf report --header-only", 0 },
	{ "Short-lived children are seen better system-wide: perf record -a", 0 },
	{ "Who calls this: perf record -g", NO_CHAINS },
	{ "Programs without frame pointers: perf record --call-graph dwarf", 0 },
	{ "How many samples a row stands for: perf report -n", 0 },
	{ "Only one program: perf report --comms NAME", 0 },
	{ "Events side by side: perf report --group", SEVERAL_EVENTS },
	{ "Rows by the samples' texts: perf report --sort trace", HAS_CHAINS | TEXTS },
	{ "By a field of the tracepoint: perf report --sort trace_fields", TEXTS },
};

static struct hist_total total_of(const struct hist *h, const struct event *e, bool relative)
{
	return relative ? hist_filtered_total(h, e) : hist_total(h, e);
}

struct hist_total report_event_total(const struct hist *h, const struct event_list *l,
				     const struct event *e, bool relative, bool group)
{
	struct hist_total sum = total_of(h, e, relative);

	for (size_t i = 0; group && i < l->events.n; i++) {
		struct hist_total m = total_of(h, l->events.v[i], relative);

		if (l->events.v[i] == e || l->events.v[i]->leader != e)
			continue;
		sum.n += m.n;
		sum.period += m.period;
	}
	return sum;
}

bool report_event_shown(const struct hist *h, const struct event_list *l, const struct event *e,
			bool group)
{
	return !e->dummy && !(group && e->leader && e->leader != e) &&
		report_event_total(h, l, e, false, group).n;
}

static void add_sum(struct str *out, u64 period, const struct report_text_opts *o)
{
	str_addf(out, o->weight_keys ? "\n# Total weight : %llu\n" :
		 "\n# Event count (approx.): %llu\n", (unsigned long long)period);
	if (o->weight_keys && *o->weight_keys) {
		str_add(out, "# Sort order   : ");
		str_add_safe(out, o->weight_keys);
		str_add(out, "\n");
	}
	if (o->socket)
		str_addf(out, "# Processor Socket: %d\n", *o->socket);
	str_add(out, "#\n");
}

static void make_table(struct hist *h, const struct event *e, const struct hist_view_opts *view,
		       const struct report_text_opts *o, struct table *t)
{
	if (o->blocks)
		block_cycles_table(o->blocks, t);
	else if (o->by_time)
		hist_by_time(h, e, o->by_time, t);
	else
		hist_table(h, e, view, t);
}

static void add_event(struct str *out, struct hist *h, const struct event_list *l,
		      const struct event *e,
		      const struct report_text_opts *o)
{
	bool group = o->group && e->n_members > 1;
	struct hist_view_opts view = o->view;
	struct text_opts text = o->text;
	struct hist_total sum = report_event_total(h, l, e, o->relative, group);
	struct table t = { 0 };

	if (!o->quiet) {
		str_add(out, "# Samples: ");
		text_count_unit(out, sum.n);
		str_add(out, " of ");
		event_title_quoted(out, l, e, group);
		if (o->time_slices) {
			str_add(out, " (time slices: ");
			str_add_safe(out, o->time_slices);
			str_add(out, ")");
		}
		add_sum(out, sum.period, o);
	}
	view.group = group;
	text.total = total_of(h, e, o->relative).period;
	text.no_titles |= o->quiet;
	text.min_pct = view.min_pct;
	make_table(h, e, &view, o, &t);
	text_table(out, &t, &text);
	table_release(&t);
	str_add(out, "\n\n");
}

const char *report_tip(const struct hist *h, const struct event_list *events)
{
	unsigned facts = 0, n_shown = 0, n = 0;
	u64 pick = 0;

	for (size_t i = 0; i < events->events.n; i++) {
		const struct event *e = events->events.v[i];
		const struct hist_total all = hist_total(h, e);

		if (!all.n)
			continue;
		facts |= e->attr.sample_type & PERF_SAMPLE_CALLCHAIN ? HAS_CHAINS : 0;
		facts |= e->attr.type == PERF_TYPE_TRACEPOINT ? TEXTS : 0;
		n_shown++;
		pick += all.n + all.period;
	}
	facts |= (facts & HAS_CHAINS ? 0 : NO_CHAINS) | (n_shown > 1 ? SEVERAL_EVENTS : 0);
	for (size_t i = 0; i < ARRAY_SIZE(tips); i++)
		n += !(tips[i].needs & ~facts);
	pick %= n;
	for (size_t i = 0; ; i++)
		if (!(tips[i].needs & ~facts) && !pick--)
			return tips[i].text;
}

void report_text(struct str *out, struct hist *h, const struct event_list *events,
		 const struct report_text_opts *o)
{
	if (!o->quiet) {
		if (o->header)
			str_add(out, o->header);
		else
			str_add(out, "# To display the perf.data header info, please use "
				     "--header/--header-only options.\n#\n");
		str_addf(out, "%s#\n# Total Lost Samples: %llu\n#\n", o->notes,
			 (unsigned long long)o->lost);
	}
	for (size_t i = 0; i < events->events.n; i++)
		if (report_event_shown(h, events, events->events.v[i], o->group))
			add_event(out, h, events, events->events.v[i], o);
	if (!o->quiet && o->tip)
		str_addf(out, "#\n# (Tip: %s)\n#\n", report_tip(h, events));
}

static void add_event_data(struct draw *d, struct hist *h, const struct event *e,
			   const struct report_text_opts *o)
{
	const struct hist_total total = total_of(h, e, o->relative);
	struct hist_view_opts view = o->view;
	struct table name = { 0 }, t = { .key = "rows" };
	struct table_row *row;

	view.group = o->group && e->n_members > 1;
	table_add_column(&name, "name", "Event");
	table_add_column(&name, "samples", "Samples");
	table_add_column(&name, "period", "Event count");
	row = table_add_row(&name);
	row->cells[0] = cell_text(e->name);
	row->cells[1] = cell_count(total.n);
	row->cells[2] = cell_count(total.period);
	make_table(h, e, &view, o, &t);
	draw_group_begin(d, "events", &name);
	draw_table(d, &t);
	draw_group_end(d);
	table_release(&t);
	table_release(&name);
}

void report_data(struct str *out, struct hist *h, const struct event_list *events,
		 const struct report_text_opts *o)
{
	struct table facts = { 0 };
	struct draw d;

	table_add_column(&facts, "lost", "Lost samples");
	table_add_row(&facts)->cells[0] = cell_count(o->lost);
	draw_begin(&d, &(struct draw_opts){ .output.json = true }, out);
	draw_facts(&d, &facts);
	for vec_each(e, &events->events)
		if (report_event_shown(h, events, *e, o->group))
			add_event_data(&d, h, *e, o);
	draw_end(&d);
	table_release(&facts);
}
