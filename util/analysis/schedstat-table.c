// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/schedstat.h"

enum { CPU, DOMAIN, DOMAIN_NAME, DOMAIN_CPUS, LEAD };

static size_t column_of(const struct table *t, const char *key)
{
	size_t i = LEAD;

	while (i < t->cols.n && strcmp(t->cols.v[i].key, key))
		i++;
	return i;
}

static void add_columns(struct table *t, const struct schedstat_row *row)
{
	const bool domain = row->domain >= 0;
	char buf[64];

	for (size_t i = 0; i < schedstat_n_fields(row->version, domain); i++) {
		const char *key = schedstat_field(row->version, domain, i, buf);

		if (column_of(t, key) == t->cols.n) {
			key = table_text(t, key);
			table_add_column(t, key, key);
		}
	}
}

/* Fields of CPUs are before those of domains. */
static void add_all_columns(struct table *t, const schedstat_rows *rows, bool domain)
{
	u32 versions = 0;

	for vec_each(row, rows) {
		const u32 bit = 1U << (row->version & 31);

		if ((row->domain >= 0) != domain || versions & bit)
			continue;
		versions |= bit;
		add_columns(t, row);
	}
}

static void add_row(struct table *t, const struct schedstat_row *row, bool average,
		    schedstat_find find, const void *ctx)
{
	const bool domain = row->domain >= 0;
	struct cell *cell = table_add_row(t)->cells;
	char buf[64];

	for (size_t i = 0; i < t->cols.n; i++)
		cell[i] = cell_absent();
	if (!average)
		cell[CPU] = cell_int(row->cpu);
	if (domain) {
		const struct schedstat_domain d = find(ctx, average ? SCHEDSTAT_ANY_CPU :
						       (s64)row->cpu, row->domain);

		cell[DOMAIN] = cell_int(row->domain);
		if (d.name)
			cell[DOMAIN_NAME] = cell_text(d.name);
		if (d.cpus && !average)
			cell[DOMAIN_CPUS] = cell_text(d.cpus);
	}
	for (size_t i = 0; i < schedstat_n_fields(row->version, domain); i++)
		cell[column_of(t, schedstat_field(row->version, domain, i, buf))] =
			cell_count(row->v[i]);
}

void schedstat_table(const schedstat_rows *each, const schedstat_rows *averages,
		     schedstat_find find, const void *ctx, struct table *out)
{
	static const char *const lead[LEAD] = { "cpu", "domain", "domain_name", "domain_cpus" };

	out->key = "rows";
	for (size_t i = 0; i < LEAD; i++)
		table_add_column(out, lead[i], lead[i]);
	add_all_columns(out, each, false);
	add_all_columns(out, each, true);
	for vec_each(row, each)
		add_row(out, row, false, find, ctx);
	for vec_each(row, averages)
		add_row(out, row, true, find, ctx);
}
