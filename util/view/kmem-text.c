// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/kmem-text.h"

static void add_rule(struct str *out)
{
	str_addchn(out, '-', 105);
	str_addch(out, '\n');
}

static u64 value(const struct table *t, const struct table_row *row, const char *key)
{
	return table_cell(t, row, key)->u;
}

static void add_where(struct str *out, const struct table *t, const struct table_row *row,
		      bool raw_ip)
{
	const struct cell *function = raw_ip ? NULL : table_cell(t, row, "function");
	struct str text = STR_INIT;

	if (function && function->text) {
		str_add_safe(&text, function->text);
		str_addf(&text, "+%llx", (unsigned long long)value(t, row, "offset"));
	} else {
		str_addf(&text, "0x%llx", (unsigned long long)value(t, row, "address"));
	}
	str_addf(out, " %-34s |", str_cstr(&text));
	str_release(&text);
}

static void add_row(struct str *out, const struct table *t, const struct table_row *row,
		    bool raw_ip)
{
	const u64 hits = value(t, row, "hits"), alloc = value(t, row, "bytes_alloc"),
		req = value(t, row, "bytes_req");

	add_where(out, t, row, raw_ip);
	str_addf(out, " %9llu/%-5llu | %9llu/%-5llu | %8llu | %9llu | %6.3f%%\n",
		 (unsigned long long)alloc, (unsigned long long)(hits ? alloc / hits : 0),
		 (unsigned long long)req, (unsigned long long)(hits ? req / hits : 0),
		 (unsigned long long)hits, (unsigned long long)value(t, row, "pingpong"),
		 table_cell(t, row, "frag")->d);
}

void kmem_add_rows(struct str *out, const struct table *t, bool callers, int n_rows, bool raw_ip)
{
	add_rule(out);
	str_addf(out, " %-34s | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag\n",
		 callers ? "Callsite" : "Alloc Ptr");
	add_rule(out);
	for vec_each(row, &t->rows) {
		if (n_rows >= 0 && row - t->rows.v >= n_rows) {
			str_add(out, " ...                                | ...             "
				     "| ...             | ...      | ...       | ...   \n");
			break;
		}
		add_row(out, t, row, raw_ip);
	}
	add_rule(out);
}

void kmem_add_totals(struct str *out, const struct kmem_totals *t)
{
	const u64 wasted = t->allocated > t->requested ? t->allocated - t->requested : 0;

	str_add(out, "\nSUMMARY (SLAB allocator)\n========================\n");
	str_addf(out, "Total bytes requested: %llu\n", (unsigned long long)t->requested);
	str_addf(out, "Total bytes allocated: %llu\n", (unsigned long long)t->allocated);
	str_addf(out, "Total bytes freed:     %llu\n", (unsigned long long)t->freed);
	if (t->allocated > t->freed)
		str_addf(out, "Net total bytes allocated: %llu\n",
			 (unsigned long long)(t->allocated - t->freed));
	str_addf(out, "Total bytes wasted on internal fragmentation: %llu\n",
		 (unsigned long long)wasted);
	str_addf(out, "Internal fragmentation: %f%%\n",
		 t->allocated ? 100. * (double)wasted / (double)t->allocated : 0.);
	str_addf(out, "Cross CPU allocations: %llu/%llu\n", (unsigned long long)t->n_cross,
		 (unsigned long long)t->n_allocs);
}
