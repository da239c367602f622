// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/futex-text.h"

#include "util/view/draw.h"

static void add_text_or(struct str *out, const struct table *t, const struct table_row *row,
			const char *key, const char *none)
{
	const char *text = table_cell(t, row, key)->text;

	str_add_safe(out, text ? text : none);
}

static void add_head(struct str *out, const struct futex_view *v)
{
	static const char *const what[] = {
		[FUTEXREC_BY_LOCK] = "        type   lock",
		[FUTEXREC_BY_WAITER] = "         tid   comm",
		[FUTEXREC_BY_HOLDER] = "         tid   owner",
	};

	for (int i = 0; i < v->columns.n_fields; i++)
		lock_add_field_title(out, v->columns.fields[i]);
	if (v->percentiles)
		lock_add_percentile_titles(out);
	str_addf(out, "%s\n\n", what[v->by]);
}

/* "big_lock (prog)", "7f12e4a01010 ([heap])"; whose it is; who had it most. */
static void add_lock(struct str *out, const struct table *t, const struct table_row *row)
{
	const char *symbol = table_cell(t, row, "symbol")->text;
	const struct cell *holder = table_cell(t, row, "holder_tid");

	str_addf(out, "%12s   ", table_cell(t, row, "type")->text);
	if (symbol)
		str_add_safe(out, symbol);
	else
		str_addf(out, "%llx", (unsigned long long)table_cell(t, row, "address")->u);
	str_add(out, " (");
	add_text_or(out, t, row, "dso", "[unknown]");
	str_addf(out, ") pid %lld", (long long)table_cell(t, row, "pid")->s);
	if (holder->kind == CELL_NONE)
		return;
	str_add(out, ", held by ");
	add_text_or(out, t, row, "holder", "");
	str_addf(out, ":%lld (%.0f%%)", (long long)holder->s,
		 table_cell(t, row, "holder_pct")->d);
}

static void add_row(struct str *out, const struct table *t, const struct table_row *row,
		    const struct futex_view *v)
{
	for (int i = 0; i < v->columns.n_fields; i++)
		lock_add_field(out, t, row, v->columns.fields[i]);
	if (v->percentiles)
		lock_add_percentiles(out, t, row);
	if (v->by == FUTEXREC_BY_LOCK) {
		add_lock(out, t, row);
	} else {
		str_addf(out, "%12lld   ", (long long)table_cell(t, row, "tid")->s);
		add_text_or(out, t, row, "comm", "");
	}
	str_addch(out, '\n');
}

static void add_stack(struct str *out, const struct table *t, const struct table_row *row)
{
	const struct table *names = table_cell(t, row, "stack")->list,
		*addresses = table_cell(t, row, "stack_addresses")->list;

	lock_add_stack(out, names, addresses);
}

static void add_parts(struct str *out, const struct table *t, u64 row, const char *what)
{
	for vec_each(part, &t->rows) {
		if (table_cell(t, part, "row")->u != row)
			continue;
		lock_add_field(out, t, part, LOCK_CONTENDED);
		lock_add_field(out, t, part, LOCK_TOTAL_WAIT);
		lock_add_field(out, t, part, LOCK_MAX_WAIT);
		str_addf(out, "%s ", what);
		add_text_or(out, t, part, "comm", "");
		if (table_cell(t, part, "tid")->s > 0)
			str_addf(out, ":%lld", (long long)table_cell(t, part, "tid")->s);
		str_addch(out, '\n');
		add_stack(out, t, part);
	}
}

void futex_show(struct str *out, const struct futex_tables *t, const struct futex_view *v)
{
	struct draw d;

	if (table_output_data(&v->output)) {
		draw_begin(&d, &(struct draw_opts){ .output = v->output }, out);
		draw_table(&d, &t->rows);
		draw_table(&d, &t->waiters);
		draw_table(&d, &t->holders);
		draw_end(&d);
		return;
	}
	if (!v->columns.no_head)
		add_head(out, v);
	for vec_each(row, &t->rows.rows) {
		const u64 number = (u64)(row - t->rows.rows.v);

		add_row(out, &t->rows, row, v);
		if (!v->stacks)
			continue;
		add_parts(out, &t->waiters, number, "waits:");
		add_parts(out, &t->holders, number, "has it:");
	}
}
