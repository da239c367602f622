// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/evlist-text.h"

#include <linux/perf_event.h>

static const struct cell *at(const struct table *t, const struct table_row *row, const char *key)
{
	return table_cell(t, row, key);
}

static bool is_tracepoint(const struct table *t, const struct table_row *row)
{
	return at(t, row, "type")->u == PERF_TYPE_TRACEPOINT;
}

static bool in_group(const struct table *t, const struct table_row *row)
{
	return at(t, row, "group")->kind != CELL_ABSENT;
}

static void add_fields(const struct table *t, const struct table_row *row, struct str *out)
{
	const struct cell *fields = at(t, row, "trace_fields");
	const char *sep = ": trace_fields: ";

	if (fields->kind != CELL_LIST) {
		str_add(out, is_tracepoint(t, row) ? ": (its format is not in the file)" :
			": (not a tracepoint)");
		return;
	}
	for vec_each(f, &fields->list->rows) {
		str_add(out, sep);
		str_add_safe(out, f->cells[0].text);
		sep = ",";
	}
}

static void add_event(const struct table *t, const struct table_row *row,
		      const struct evlist_text_opts *o,
		      struct str *out)
{
	const struct cell *freq = at(t, row, "sample_freq"), *period = at(t, row, "sample_period");

	str_add_safe(out, at(t, row, "name")->text);
	if (o->trace_fields)
		add_fields(t, row, out);
	else if (o->verbose)
		str_addf(out, ": %s", at(t, row, "attr")->text);
	else if (o->freq && freq->kind == CELL_COUNT)
		str_addf(out, ": sample_freq=%llu", (unsigned long long)freq->u);
	else if (o->freq)
		str_addf(out, ": sample_period=%llu", (unsigned long long)period->u);
	str_addch(out, '\n');
}

/* "name{a,b}", where the leader stands; nothing where the others do. */
static void add_group(const struct table *t, const struct table_row *row, struct str *out)
{
	const u64 group = at(t, row, "group")->u;
	bool first = true;

	for vec_each(r, &t->rows) {
		if (!in_group(t, r) || at(t, r, "group")->u != group)
			continue;
		if (first && r != row)
			return;
		if (first && at(t, r, "group_name")->kind == CELL_TEXT)
			str_add_safe(out, at(t, r, "group_name")->text);
		str_addch(out, first ? '{' : ',');
		str_add_safe(out, at(t, r, "name")->text);
		first = false;
	}
	str_add(out, "}\n");
}

void evlist_text(struct str *out, const struct table *t, const struct evlist_text_opts *o)
{
	bool groups = false, tracepoints = false;

	for vec_each(row, &t->rows) {
		tracepoints |= is_tracepoint(t, row);
		groups |= in_group(t, row);
		if (o->group && in_group(t, row))
			add_group(t, row, out);
		else
			add_event(t, row, o, out);
	}
	if (tracepoints && !o->trace_fields)
		str_add(out, "# Tip: use 'perf evlist --trace-fields' to show fields for "
			     "tracepoint events\n");
	if (groups && !o->group)
		str_add(out, "# Tip: use 'perf evlist -g' to show group information\n");
}
