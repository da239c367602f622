// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/kmem-page-text.h"

#include <string.h>

enum { LAST_ORDER = 10 };	/* orders up to here always have a row */

static void add_rule(struct str *out)
{
	str_addchn(out, '-', 105);
	str_addch(out, '\n');
}

static unsigned long long value(const struct table *t, const struct table_row *row,
				const char *key)
{
	return table_cell(t, row, key)->u;
}

static void add_safe(struct str *out, const char *text, int width)
{
	const size_t before = out->len;

	str_add_safe(out, text);
	while (out->len < before + (size_t)width)
		str_addch(out, ' ');
}

int kmem_add_gfp(struct str *out, const struct table *gfp)
{
	const int title = (int)strlen("GFP flags");
	int width = 0;

	str_add(out, "#\n# GFP flags\n# ---------\n");
	for vec_each(row, &gfp->rows) {
		const char *brief = table_cell(gfp, row, "gfp")->text;

		if ((int)strlen(brief) > width)
			width = (int)strlen(brief);
	}
	for vec_each(row, &gfp->rows) {
		const char *brief = table_cell(gfp, row, "gfp")->text;

		str_addf(out, "# %08llx: ", value(gfp, row, "value"));
		str_addchn(out, ' ', (size_t)width - strlen(brief));
		str_add_safe(out, brief);
		str_add(out, ": ");
		str_add_safe(out, table_cell(gfp, row, "gfp_flags")->text);
		str_addch(out, '\n');
	}
	str_addch(out, '\n');
	return width > title ? width : title;
}

static void add_caller(struct str *out, const struct table *t, const struct table_row *row,
		       bool raw_ip)
{
	const struct cell *function = table_cell(t, row, "function"),
		*address = table_cell(t, row, "address");

	if (address->kind == CELL_NONE)
		str_add(out, "unknown");
	else if (!raw_ip && function->text)
		str_add_safe(out, function->text);
	else
		str_addf(out, "0x%llx", (unsigned long long)address->u);
	str_addch(out, '\n');
}

void kmem_page_add_rows(struct str *out, const struct table *t, int n_rows,
			const struct kmem_page_look *look)
{
	const bool pages = t->cols.n && !strcmp(t->cols.v[0].key, "pfn");

	add_rule(out);
	if (pages)
		str_addf(out, " %-16s |", "PFN");
	str_addf(out, " %5s alloc (KB) | Hits      | Order | Mig.type | %-*s | Callsite\n",
		 look->live ? "Live" : "Total", look->gfp_width, "GFP flags");
	add_rule(out);
	for vec_each(row, &t->rows) {
		if (n_rows >= 0 && row - t->rows.v >= n_rows) {
			if (pages)
				str_addf(out, " %-16s |", "...");
			str_addf(out, " %-16s | %-9s | %-5s | %-8s | %-*s | ...\n", "...", "...",
				 "...", "...", look->gfp_width, "...");
			break;
		}
		if (pages)
			str_addf(out, " %16llu |", value(t, row, "pfn"));
		str_addf(out, " %16llu | %9llu | %5llu | %8s | ", value(t, row, "bytes") / 1024,
			 value(t, row, "hits"), value(t, row, "order"),
			 table_cell(t, row, "migrate_type")->text);
		add_safe(out, table_cell(t, row, "gfp")->text, look->gfp_width);
		str_add(out, " | ");
		add_caller(out, t, row, look->raw_ip);
	}
	add_rule(out);
}

static void add_sum(struct str *out, const char *what, const struct kmem_sum *sum)
{
	str_addf(out, "%-30s: %16llu   [ %16llu KB ]\n", what, (unsigned long long)sum->n,
		 (unsigned long long)sum->bytes / 1024);
}

static void add_orders(struct str *out, const struct kmem_page_totals *t)
{
	static const char *const titles[] = { "Unmovable", "Reclaimable", "Movable", "Reserved",
					      "CMA/Isolated" };

	str_addf(out, "\n%5s", "Order");
	for (size_t i = 0; i < ARRAY_SIZE(titles); i++)
		str_addf(out, "  %12s", titles[i]);
	str_add(out, "\n-----");
	for (size_t i = 0; i < ARRAY_SIZE(titles); i++)
		str_add(out, "  ------------");
	str_addch(out, '\n');
	for (int order = 0; order < KMEM_N_ORDERS; order++) {
		bool any = order <= LAST_ORDER;

		for (int i = 0; i < KMEM_N_MIGRATE_TYPES; i++)
			any = any || t->orders[order][i];
		if (!any)
			continue;
		str_addf(out, "%5d", order);
		for (int i = 0; i < KMEM_N_MIGRATE_TYPES; i++)
			if (t->orders[order][i])
				str_addf(out, "  %12llu", (unsigned long long)t->orders[order][i]);
			else
				str_addf(out, "  %12s", ".");
		str_addch(out, '\n');
	}
}

void kmem_page_add_totals(struct str *out, const struct kmem_page_totals *t)
{
	const struct kmem_sum alloc_only = { .n = t->alloc.n - t->freed.n,
					     .bytes = t->alloc.bytes - t->freed.bytes };

	str_add(out, "\nSUMMARY (page allocator)\n========================\n");
	add_sum(out, "Total allocation requests", &t->alloc);
	add_sum(out, "Total free requests", &t->free);
	str_addch(out, '\n');
	add_sum(out, "Total alloc+freed requests", &t->freed);
	add_sum(out, "Total alloc-only requests", &alloc_only);
	add_sum(out, "Total free-only requests", &t->free_only);
	str_addch(out, '\n');
	add_sum(out, "Total allocation failures", &t->failed);
	add_orders(out, t);
}
