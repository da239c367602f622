// SPDX-License-Identifier: GPL-2.0-or-later
// perf kmem: one pass over what the kernel's allocators were asked for, and what is shown of it.
#include <string.h>

#include "builtin-kmem.h"
#include "util/base/num.h"
#include "util/base/words.h"
#include "util/view/draw.h"
#include "util/view/kmem-page-text.h"
#include "util/view/kmem-text.h"

/* --- keys */

/* Keys that a table of this kind does not have are left out: others' may have them. */
static void parse_keys(const char *keys, bool pages, struct kmem_sort *out)
{
	out->n = 0;
	for (const char *p = keys; *p; p += *p == ',') {
		const size_t n = strcspn(p, ",");
		const int k = word_index(kmem_key_names, KMEM_N_KEYS, p, n);

		if (k >= 0 && kmem_key_fits((enum kmem_key)k, pages) && out->n < KMEM_N_KEYS)
			out->keys[out->n++] = (enum kmem_key)k;
		p += n;
	}
}

static void set_sort(const struct kmem_cmd *c, const struct kmem_rows *rows, bool pages,
		     struct kmem_sort *out)
{
	const char *const keys = rows->keys ? rows->keys : c->keys;

	parse_keys(keys ? keys : pages ? "bytes,hit" : "frag,hit,bytes", pages, out);
}

/* --- the pass */

size_t kmem_pass_begin(struct kmem_pass *p, const struct kmem_input *in, struct sink **sinks)
{
	const struct kmem_cmd *c = p->c;
	size_t n = 0;

	if (c->slab) {
		struct kmem_opts o = { .nodes = p->nodes.v, .n_nodes = p->nodes.n };

		set_sort(c, &c->callers, false, &o.callers);
		set_sort(c, &c->memory, false, &o.memory);
		p->slab = kmem_new(&o, in->events, in->swap, in->machine);
		sinks[n++] = kmem_sink(p->slab);
	}
	if (c->page) {
		struct kmem_page_opts o = { .live = c->live, .page_bytes = in->page_bytes };

		set_sort(c, &c->callers, true, &o.callers);
		set_sort(c, &c->memory, true, &o.pages);
		p->page = kmem_page_new(&o, in->events, in->swap, in->machine);
		sinks[n++] = kmem_page_sink(p->page);
	}
	return n;
}

u64 kmem_pass_n_bad(const struct kmem_pass *p)
{
	return (p->slab ? kmem_totals(p->slab)->n_bad : 0) +
		(p->page ? kmem_page_totals(p->page)->n_bad : 0);
}

void kmem_pass_end(struct kmem_pass *p)
{
	kmem_free(p->slab);
	kmem_page_free(p->page);
	p->slab = NULL;
	p->page = NULL;
}

/* --- what it found */

static void add_facts(struct draw *d, const char *const *keys, const u64 *values, size_t n)
{
	struct table facts = { 0 };

	table_set_facts(&facts, keys, values, n);
	draw_facts(d, &facts);
	table_release(&facts);
}

static void slab_data(const struct kmem_cmd *c, const struct kmem *k, const struct kmem_tables *t,
		      struct draw *d)
{
	const struct kmem_totals *totals = kmem_totals(k);
	const u64 values[] = { totals->requested, totals->allocated, totals->freed,
			       totals->n_allocs, totals->n_frees, totals->n_cross };
	static const char *const keys[] = { "bytes_requested", "bytes_allocated", "bytes_freed",
					    "allocations", "frees", "cross_node_allocations" };

	add_facts(d, keys, values, ARRAY_SIZE(keys));
	draw_table(d, &t->callers);
	if (c->memory.shown)
		draw_table(d, &t->memory);
}

static void page_data(const struct kmem_cmd *c, const struct kmem_page *k,
		      const struct kmem_page_tables *t, struct draw *d)
{
	const struct kmem_page_totals *p = kmem_page_totals(k);
	const u64 values[] = { p->alloc.n, p->alloc.bytes, p->free.n, p->free.bytes, p->freed.n,
			       p->freed.bytes, p->free_only.n, p->free_only.bytes, p->failed.n,
			       p->failed.bytes };
	static const char *const keys[] = {
		"page_allocations", "page_bytes_allocated", "page_frees", "page_bytes_freed",
		"pages_seen_freed", "page_bytes_seen_freed", "page_frees_only",
		"page_bytes_freed_only", "page_failures", "page_bytes_failed" };

	add_facts(d, keys, values, ARRAY_SIZE(keys));
	draw_table(d, &t->callers);
	if (c->memory.shown)
		draw_table(d, &t->pages);
}

static void slab_text(const struct kmem_cmd *c, const struct kmem_tables *t, struct str *out)
{
	if (c->callers.shown)
		kmem_add_rows(out, &t->callers, true, c->callers.rows, c->raw_ip);
	if (c->memory.shown)
		kmem_add_rows(out, &t->memory, false, c->memory.rows, c->raw_ip);
}

static void page_text(const struct kmem_cmd *c, const struct kmem_page_tables *t, struct str *out)
{
	struct kmem_page_look look = { .live = c->live, .raw_ip = c->raw_ip };

	if (c->callers.shown || c->memory.shown)
		look.gfp_width = kmem_add_gfp(out, &t->gfp);
	if (c->callers.shown) {
		kmem_page_add_rows(out, &t->callers, c->callers.rows, &look);
		if (c->memory.shown)
			str_addch(out, '\n');
	}
	if (c->memory.shown)
		kmem_page_add_rows(out, &t->pages, c->memory.rows, &look);
}

static void add_data(const struct kmem_pass *p, const struct kmem_tables *slab,
		     const struct kmem_page_tables *page, struct str *out)
{
	struct draw d;

	draw_begin(&d, &(struct draw_opts){ .output = p->c->data }, out);
	if (p->slab)
		slab_data(p->c, p->slab, slab, &d);
	if (p->page)
		page_data(p->c, p->page, page, &d);
	draw_end(&d);
}

void kmem_pass_show(const struct kmem_pass *p, struct str *out)
{
	const struct kmem_cmd *c = p->c;
	struct kmem_tables slab = { 0 };
	struct kmem_page_tables page = { 0 };

	if (p->slab)
		kmem_tables(p->slab, &slab);
	if (p->page)
		kmem_page_tables(p->page, &page);
	if (table_output_data(&c->data)) {
		add_data(p, &slab, &page, out);
	} else {
		if (p->slab)
			slab_text(c, &slab, out);
		if (p->page)
			page_text(c, &page, out);
		if (p->slab)
			kmem_add_totals(out, kmem_totals(p->slab));
		if (p->page)
			kmem_page_add_totals(out, kmem_page_totals(p->page));
	}
	kmem_tables_release(&slab);
	kmem_page_tables_release(&page);
}
