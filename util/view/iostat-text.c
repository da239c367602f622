// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/iostat-text.h"

#include <math.h>

#include "util/view/draw.h"

static const char *const titles[IIO_COUNTS] = {
	[IIO_IN_READ] = "Inbound Read(MB)", [IIO_IN_WRITE] = "Inbound Write(MB)",
	[IIO_OUT_READ] = "Outbound Read(MB)", [IIO_OUT_WRITE] = "Outbound Write(MB)",
};

void view_iostat_head(const struct table_output *o, bool interval, struct str *out)
{
	if (o->json)
		return;
	if (o->sep) {
		str_addf(out, "%s%sport%s", interval ? "time" : "", interval ? o->sep : "", o->sep);
	} else {
		str_add(out, interval ? " #          time    port         " : "    port         ");
	}
	for (size_t i = 0; i < IIO_COUNTS; i++)
		if (o->sep)
			str_addf(out, "%s%s", titles[i], o->sep);
		else
			str_addf(out, "%20s ", titles[i]);
	str_addch(out, '\n');
}

static void add_json(const iostat_rows *rows, s64 time_ns, struct str *out)
{
	const struct draw_opts opts = { .output.json = true, .json = DRAW_JSON_LINES };
	struct table t = { 0 };
	struct draw d;

	if (time_ns >= 0) {
		struct column *c = table_add_column(&t, "interval", "");

		c->form = COL_SECONDS;
		c->decimals = c->json_decimals = 9;
	}
	table_add_column(&t, "port", "");
	for (size_t i = 0; i < IIO_COUNTS; i++)
		table_add_column(&t, titles[i], "")->form = COL_JSON_TEXT;
	for vec_each(r, rows) {
		struct cell *c = table_add_row(&t)->cells;

		if (time_ns >= 0)
			*c++ = cell_ns((u64)time_ns);
		*c++ = cell_text(r->port);
		for (size_t i = 0; i < IIO_COUNTS; i++)
			*c++ = isnan(r->mb[i]) ? (struct cell){ 0 } :
				cell_count(u64_of(round(r->mb[i])));
	}
	draw_begin(&d, &opts, out);
	draw_table(&d, &t);
	draw_end(&d);
	table_release(&t);
}

static void add_row(const struct table_output *o, const struct iostat_row *r, struct str *out)
{
	str_addf(out, "%s%s", r->port, o->sep ? o->sep : "");
	for (size_t i = 0; i < IIO_COUNTS; i++) {
		if (o->sep && isnan(r->mb[i]))
			str_add(out, o->sep);
		else if (o->sep)
			str_addf(out, "%.0f%s", r->mb[i], o->sep);
		else if (isnan(r->mb[i]))
			str_addf(out, "%*s", i ? 20 : 21, "<not counted>");
		else
			str_addf(out, "%*.0f", i ? 20 : 21, r->mb[i]);
	}
	str_addch(out, '\n');
}

void view_iostat_rows(const struct table_output *o, const iostat_rows *rows, s64 time_ns,
		      struct str *out)
{
	if (o->json) {
		add_json(rows, time_ns, out);
		return;
	}
	for vec_each(r, rows) {
		if (time_ns >= 0)
			str_addf(out, "%6lld.%09lld%s", (long long)(time_ns / 1000000000),
				 (long long)(time_ns % 1000000000), o->sep ? o->sep : " ");
		add_row(o, r, out);
	}
}
