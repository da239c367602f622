// SPDX-License-Identifier: GPL-2.0-or-later
// perf kmem stat: what the kernel's allocators were asked for, out of a recording.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "builtin-kmem.h"
#include "util/analysis/kmem-page.h"
#include "util/base/num.h"
#include "util/base/words.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/session/session.h"
#include "util/session/warnings.h"
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

struct run {
	const struct kmem_cmd *c;
	struct session s;
	struct kmem *slab;		/* NULL: not asked for */
	struct kmem_page *page;
	int_vec nodes;			/* of each CPU of the recorded machine */
};

static int need_events(struct run *r)
{
	struct source *source = r->s.source;
	int ret = 0;

	if (source->once)
		return 0;
	if (r->c->slab)
		ret = kmem_need_events(source->events, source->name, &r->s.err);
	if (!ret && r->c->page)
		ret = kmem_page_need_events(source->events, source->name, &r->s.err);
	return ret;
}

static size_t make_sinks(struct run *r, struct sink **sinks)
{
	const struct kmem_cmd *c = r->c;
	const struct source *source = r->s.source;
	struct machine *m = stream_machine(r->s.stream);
	size_t n = 0;

	if (c->slab) {
		struct kmem_opts o = { .nodes = r->nodes.v, .n_nodes = r->nodes.n };

		set_sort(c, &c->callers, false, &o.callers);
		set_sort(c, &c->memory, false, &o.memory);
		r->slab = kmem_new(&o, source->events, source->swap, m);
		sinks[n++] = kmem_sink(r->slab);
	}
	if (c->page) {
		struct kmem_page_opts o = { .live = c->live, .page_bytes = r->s.os.page_bytes };

		set_sort(c, &c->callers, true, &o.callers);
		set_sort(c, &c->memory, true, &o.pages);
		r->page = kmem_page_new(&o, source->events, source->swap, m);
		sinks[n++] = kmem_page_sink(r->page);
	}
	return n;
}

static int run_session(struct run *r)
{
	const struct kmem_cmd *c = r->c;
	struct sink *sinks[2];
	int ret = session_open(&r->s, &(struct session_opts){ .path = c->path, .force = c->force,
							     .quiet = c->common.quiet });

	if (!ret)
		ret = need_events(r);
	if (!ret)
		ret = session_prepare(&r->s, &c->stream);
	if (ret)
		return ret;
	session_nodes(&r->s, &r->nodes);
	return session_run(&r->s, sinks, make_sinks(r, sinks));
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

static void show(const struct run *r)
{
	const struct kmem_cmd *c = r->c;
	struct kmem_tables slab = { 0 };
	struct kmem_page_tables page = { 0 };
	struct str out = STR_INIT;
	struct draw d;

	if (r->slab)
		kmem_tables(r->slab, &slab);
	if (r->page)
		kmem_page_tables(r->page, &page);
	if (table_output_data(&c->data)) {
		draw_begin(&d, &(struct draw_opts){ .output = c->data }, &out);
		if (r->slab)
			slab_data(c, r->slab, &slab, &d);
		if (r->page)
			page_data(c, r->page, &page, &d);
		draw_end(&d);
	} else {
		if (r->slab)
			slab_text(c, &slab, &out);
		if (r->page)
			page_text(c, &page, &out);
		if (r->slab)
			kmem_add_totals(&out, kmem_totals(r->slab));
		if (r->page)
			kmem_page_add_totals(&out, kmem_page_totals(r->page));
	}
	cli_page(&out);
	str_release(&out);
	kmem_tables_release(&slab);
	kmem_page_tables_release(&page);
}

int kmem_stat(int argc, const char **argv, void *in)
{
	const char *const usage[] = { "[<options>]", NULL };
	struct kmem_cmd *c = in;
	const struct option_table tables[] = {
		{ kmem_options, c }, cli_symbols_group(&c->stream.symbols),
		cli_output_group(&c->data), session_group(), cli_common_group(&c->common), { 0 } };
	const struct cli_cmd cmd = { .name = "kmem stat", .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	struct run r = { .c = c };
	u64 n_bad = 0;
	int ret = cli_parse(&cmd, argc, argv);

	if (ret < 0)
		return cli_status(ret);
	if (kmem_check(c))
		return CLI_FAILED;
	ret = run_session(&r);
	if (!ret)
		show(&r);
	n_bad += r.slab ? kmem_totals(r.slab)->n_bad : 0;
	n_bad += r.page ? kmem_page_totals(r.page)->n_bad : 0;
	session_warn_analysis(&r.s, n_bad, ret);
	kmem_free(r.slab);
	kmem_page_free(r.page);
	vec_free(&r.nodes);
	return session_close(&r.s, ret);
}
