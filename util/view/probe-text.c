// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/probe-text.h"

static const struct cell *at(const struct table *t, const struct table_row *row, const char *key)
{
	return table_cell(t, row, key);
}

static bool has(const struct cell *c) { return c->kind != CELL_ABSENT; }

void probe_text_funcs(struct str *out, const struct table *t)
{
	for vec_each(row, &t->rows) {
		str_add_safe(out, row->cells[0].text);
		str_addch(out, '\n');
	}
}

/* --- source lines */

static bool same_listing(const struct table *t, const struct table_row *a,
			 const struct table_row *b)
{
	const struct cell *x = at(t, a, "function"), *y = at(t, b, "function");

	return has(x) == has(y) && (!has(x) || !strcmp(x->text, y->text)) &&
	       !strcmp(at(t, a, "file")->text, at(t, b, "file")->text) && at(t, a, "first")->u ==
	       at(t, b, "first")->u &&
	       has(at(t, b, "line")) && at(t, a, "line")->s < at(t, b, "line")->s;
}

static void add_listing_title(struct str *out, const struct table *t, const struct table_row *row)
{
	const struct cell *function = at(t, row, "function");

	str_addf(out, "<%s%s", has(function) ? function->text : "", has(function) ? "@" : "");
	str_add_safe(out, at(t, row, "file")->text);
	str_addf(out, ":%llu>\n", (unsigned long long)at(t, row, "first")->u);
}

static void add_source(struct str *out, const char *text)
{
	for (const char *c = text; *c; c++) {
		if (*c == '\t')
			str_addch(out, '\t');
		else
			str_add_safen(out, c, 1);
	}
}

void probe_text_lines(struct str *out, const struct table *t)
{
	for vec_each(row, &t->rows) {
		const struct cell *source = at(t, row, "source");

		if (row == t->rows.v || !same_listing(t, row - 1, row)) {
			if (row != t->rows.v)
				str_addch(out, '\n');
			add_listing_title(out, t, row);
		}
		if (!has(at(t, row, "line")))
			continue;
		if (at(t, row, "probe")->u)
			str_addf(out, "%7lld  ", (long long)at(t, row, "line")->s);
		else
			str_add(out, "         ");
		if (source->text)
			add_source(out, source->text);
		str_addch(out, '\n');
	}
}

/* --- variables */

static void add_place(struct str *out, const struct table *t, const struct table_row *row)
{
	const struct cell *symbol = at(t, row, "symbol");

	if (has(symbol))
		str_addf(out, "\t@<%s+%llu>\n", symbol->text,
			 (unsigned long long)at(t, row, "offset")->u);
	else
		str_addf(out, "\t@<0x%llx>\n", (unsigned long long)at(t, row, "address")->u);
}

static void add_variable(struct str *out, const struct table *t, const struct table_row *row)
{
	const struct cell *scope = at(t, row, "scope"), *ranges = at(t, row, "ranges");

	str_add(out, "\t\t");
	if (has(scope))
		str_addf(out, "[%s]\t", scope->text);
	str_addf(out, "%s\t", at(t, row, "type")->text);
	str_add_safe(out, at(t, row, "name")->text);
	for (size_t i = 0; ranges->kind == CELL_LIST && i + 1 < ranges->list->rows.n; i += 2) {
		if (i)
			str_addch(out, ',');
		else
			str_addf(out, "\t@<%s+[", at(t, row, "range_of")->text);
		str_addf(out, "%lld-%lld", (long long)ranges->list->rows.v[i].cells[0].s,
			 (long long)ranges->list->rows.v[i + 1].cells[0].s);
	}
	str_add(out, ranges->kind == CELL_LIST ? "]>\n" : "\n");
}

void probe_text_vars(struct str *out, const struct table *t, const char *point)
{
	str_add(out, "Available variables at ");
	str_add_safe(out, point);
	str_addch(out, '\n');
	for vec_each(row, &t->rows) {
		if (row == t->rows.v || at(t, row - 1, "place")->u != at(t, row, "place")->u)
			add_place(out, t, row);
		if (has(at(t, row, "name")))
			add_variable(out, t, row);
		else
			str_add(out, "\t\t(No matched variables)\n");
	}
}

/* --- probes */

static void add_location(struct str *out, const struct table *t, const struct table_row *row)
{
	const struct cell *function = at(t, row, "function"), *line = at(t, row, "line");
	const struct cell *offset = at(t, row, "offset"), *file = at(t, row, "file");

	if (!has(function)) {
		str_addf(out, "0x%llx", (unsigned long long)at(t, row, "address")->u);
		return;
	}
	str_add_safe(out, function->text);
	if (has(line))
		str_addf(out, ":%llu", (unsigned long long)line->u);
	else if (has(offset) && offset->u)
		str_addf(out, "+%llu", (unsigned long long)offset->u);
	else if (has(offset) && at(t, row, "return")->u)
		str_add(out, "%return");
	if (has(file)) {
		str_addch(out, '@');
		str_add_safe(out, file->text);
	}
}

static void add_event(struct str *out, const struct table *t, const struct table_row *row)
{
	const struct cell *binary = at(t, row, "binary"), *place = at(t, row, "kernel_place");
	const struct table *args = at(t, row, "args")->list;
	struct str name = STR_INIT;

	str_addf(&name, "%s:%s", at(t, row, "group")->text, at(t, row, "event")->text);
	str_addf(out, "  %-20s (on ", str_cstr(&name));
	str_release(&name);
	if (has(place))
		str_add_safe(out, place->text);
	else
		add_location(out, t, row);
	if (has(binary)) {
		str_add(out, " in ");
		str_add_safe(out, binary->text);
	}
	for vec_each(a, &args->rows)
		str_addf(out, "%s %s", a == args->rows.v ? " with" : "", a->cells[0].text);
	if (at(t, row, "places")->u > 1)
		str_addf(out, ", %llu places", (unsigned long long)at(t, row, "places")->u);
	str_add(out, ")\n");
}

void probe_text_events(struct str *out, const struct table *t)
{
	for vec_each(row, &t->rows)
		add_event(out, t, row);
}
