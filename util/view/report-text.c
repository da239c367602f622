// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/report-text.h"

#include "util/view/json.h"

static const char *const tips[] = {
	"Sort by several keys: perf report --sort comm,dso,symbol",
	"Self time only, as a flat list: perf report --no-children -g none",
	"Who calls what is slow: perf report --no-children -g callee",
	"One line a stack: perf report --no-children -g folded",
	"Only what is worth looking at: perf report --percent-limit 1",
	"By source line: perf report --sort srcline --no-children",
	"By thread: perf report --sort pid,symbol",
	"For a spreadsheet: perf report -t, --no-children -g none",
	"Part of the run: perf report --time 10%-20%",
	"How the file was made, and where: perf report --header-only",
	"Short-lived children are seen better system-wide: perf record -a",
	"Programs without frame pointers: perf record --call-graph dwarf",
	"How many samples a row stands for: perf report -n",
	"Only one program: perf report --comms NAME",
};

static struct hist_total total_of(const struct hist *h, const struct event *e, bool relative)
{
	return relative ? hist_filtered_total(h, e) : hist_total(h, e);
}

/* With group: of all members. */
static struct hist_total sum_of(const struct hist *h, const struct event_list *l, const struct event *e, bool relative, bool group)
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

static bool shown(const struct hist *h, const struct event_list *l, const struct event *e, bool group)
{
	return !e->dummy && !(group && e->leader && e->leader != e) && sum_of(h, l, e, false, group).n;
}

/* "event 'x'", or "events 'anon group { x, y }'", or "events 'x, y'" where the recording has no such group */
static void add_event_name(struct str *out, const struct event_list *l, const struct event *e, bool group)
{
	bool first = true;

	if (!group || e->n_members < 2) {
		str_add(out, "event '");
		str_add_safe(out, e->name);
		str_add(out, "'");
		return;
	}
	str_add(out, l->grouped_to_show ? "events '" : "events 'anon group { ");
	for (size_t i = 0; i < l->events.n; i++) {
		const struct event *m = l->events.v[i];

		if (m->leader != e)
			continue;
		if (!first)
			str_add(out, ", ");
		first = false;
		str_add_safe(out, m->name);
	}
	str_add(out, l->grouped_to_show ? "'" : " }'");
}

static void add_event(struct str *out, struct hist *h, const struct event_list *l, const struct event *e,
		      const struct report_text_opts *o)
{
	bool group = o->group && e->n_members > 1;
	struct hist_view_opts view = o->view;
	struct text_opts text = o->text;
	struct hist_total sum = sum_of(h, l, e, o->relative, group);
	struct table t = { 0 };

	if (!o->quiet) {
		str_add(out, "# Samples: ");
		text_count_unit(out, sum.n);
		str_add(out, " of ");
		add_event_name(out, l, e, group);
		if (o->time_slices) {
			str_add(out, " (time slices: ");
			str_add_safe(out, o->time_slices);
			str_add(out, ")");
		}
		str_addf(out, "\n# Event count (approx.): %llu\n#\n", (unsigned long long)sum.period);
	}
	view.group = group;
	text.total = total_of(h, e, o->relative).period;
	text.no_titles |= o->quiet;
	hist_table(h, e, &view, &t);
	text_table(out, &t, &text);
	table_release(&t);
	str_add(out, "\n\n");
}

void report_text(struct str *out, struct hist *h, const struct event_list *events, const struct report_text_opts *o)
{
	if (!o->quiet) {
		if (o->header)
			str_add(out, o->header);
		else
			str_add(out, "# To display the perf.data header info, please use --header/--header-only options.\n#\n");
		str_addf(out, "%s#\n# Total Lost Samples: %llu\n#\n", o->notes, (unsigned long long)o->lost);
	}
	for (size_t i = 0; i < events->events.n; i++)
		if (shown(h, events, events->events.v[i], o->group))
			add_event(out, h, events, events->events.v[i], o);
	if (!o->quiet && o->tip != UINT64_MAX)
		str_addf(out, "#\n# (Tip: %s)\n#\n", tips[o->tip % ARRAY_SIZE(tips)]);
}

void report_json(struct str *out, struct hist *h, const struct event_list *events, const struct report_text_opts *o)
{
	struct json j;

	json_init(&j, out);
	json_open(&j, '{');
	json_key_u64(&j, "lost", o->lost);
	json_key(&j, "events");
	json_open(&j, '[');
	for (size_t i = 0; i < events->events.n; i++) {
		const struct event *e = events->events.v[i];
		struct hist_view_opts view = o->view;
		struct table t = { 0 };

		if (!shown(h, events, e, o->group))
			continue;
		view.group = o->group && e->n_members > 1;
		hist_table(h, e, &view, &t);
		json_open(&j, '{');
		json_key_str(&j, "name", e->name);
		json_key_u64(&j, "samples", total_of(h, e, o->relative).n);
		json_key_u64(&j, "period", total_of(h, e, o->relative).period);
		json_key(&j, "rows");
		json_table(&j, &t);
		json_close(&j, '}');
		table_release(&t);
	}
	json_close(&j, ']');
	json_close(&j, '}');
	str_addch(out, '\n');
}
