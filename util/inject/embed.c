// SPDX-License-Identifier: GPL-2.0-or-later
// Which addresses a report asks for, collected by workers, and what is known of them.
#include "util/inject/embed.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "util/base/hash.h"
#include "util/base/xalloc.h"
#include "util/data/reader.h"
#include "util/data/writer.h"
#include "util/stream/source.h"
#include "util/symbols/embedded.h"

/* Addresses are keys; of those near (a call's neighbours, by which a caller is found) only symbols
 * matter. */
struct dso_hits { struct hmap hit, near; };

struct collect { VEC(struct dso_hits) by_dso; };

#define A_HIT ((void *)1)

static struct dso_hits *hits_of(struct collect *c, const struct dso *d)
{
	while (c->by_dso.n <= (size_t)d->index)
		vec_push(&c->by_dso, ((struct dso_hits){ .hit = { 0 } }));
	return &c->by_dso.v[d->index];
}

static void note(struct collect *c, const struct location *l)
{
	struct dso_hits *h;

	if (!l->dso || l->dso->index < 0 || l->inline_depth)
		return;
	h = hits_of(c, l->dso);
	if (hmap_get(&h->hit, l->rva))
		return;
	hmap_put(&h->hit, l->rva, A_HIT);
	hmap_put(&h->near, l->rva - 1, A_HIT);
	hmap_put(&h->near, l->rva + 1, A_HIT);
}

static void see(struct sink *s, const struct sink_item *items, size_t n)
{
	struct collect *c = s->ctx;

	for (size_t i = 0; i < n; i++) {
		const struct resolved *r = items[i].res;

		note(c, &r->leaf);
		note(c, &r->data);
		for (u32 k = 0; k < r->n_frames; k++)
			note(c, &r->frames[k]);
		for (u64 k = 0; r->branches && k < 2 * items[i].sample->branch.n; k++)
			note(c, &r->branches[k]);
	}
}

static void add_all(struct hmap *to, const struct hmap *from)
{
	for hmap_each(i, from)
		hmap_put(to, from->keys[i], A_HIT);
}

static void release(struct collect *c)
{
	for vec_each(h, &c->by_dso) {
		hmap_release(&h->hit);
		hmap_release(&h->near);
	}
	vec_free(&c->by_dso);
}

static struct sink *clone(struct sink *s)
{
	struct sink *to = xmemdup(s, sizeof(*s));

	to->ctx = xnew(struct collect);
	return to;
}

static void merge(struct sink *s, struct sink *from)
{
	struct collect *to = s->ctx, *c = from->ctx;

	for (size_t i = 0; i < c->by_dso.n; i++) {
		while (to->by_dso.n <= i)
			vec_push(&to->by_dso, ((struct dso_hits){ .hit = { 0 } }));
		add_all(&to->by_dso.v[i].hit, &c->by_dso.v[i].hit);
		add_all(&to->by_dso.v[i].near, &c->by_dso.v[i].near);
	}
	release(c);
	free(c);
	free(from);
}

static int ascending(const void *a, const void *b)
{
	const u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static u64 *sorted(const struct hmap *m, size_t *n)
{
	u64 *v = xcalloc(m->n + 1, sizeof(*v));

	*n = 0;
	for hmap_each(i, m)
		v[(*n)++] = m->keys[i];
	qsort(v, *n, sizeof(*v), ascending);
	return v;
}

static void add_dso(struct embed_out *out, struct dso *d, const struct dso_hits *h,
		    struct embed_result *res)
{
	struct embed_addrs a;
	u64 *hit = sorted(&h->hit, &a.n_hit), *near = sorted(&h->near, &a.n_near);

	a.hit = hit;
	a.near = near;
	embed_add(out, d, &a);
	if (a.n_hit && !dso_has_symbols(d))
		res->n_unnamed += a.n_hit;
	free(hit);
	free(near);
}

static int finish(const struct data_reader *r, struct dso_store *dsos, const struct collect *c,
		  struct embed_result *res, struct err *err)
{
	struct embed_out out = { 0 };
	struct str bytes = STR_INIT;
	int ret;

	for (size_t i = 0; i < c->by_dso.n && i < dso_count(dsos); i++)
		add_dso(&out, dso_at(dsos, i), &c->by_dso.v[i], res);
	ret = embed_finish(&out, &bytes, err);
	if (!ret)
		ret = data_set_section(r, FEAT_EMBEDDED,
				       (struct span){ (const u8 *)str_cstr(&bytes), bytes.len },
				       err);
	res->n_dsos = out.n_dsos;
	res->n_addrs = out.n_addrs;
	res->n_symbols = out.n_symbols;
	res->n_lines = out.n_lines;
	res->n_inlines = out.n_inlines;
	res->bytes = bytes.len;
	str_release(&bytes);
	embed_out_release(&out);
	return ret;
}

/* What cannot be changed at its end is not read. */
static int check_file(const char *path, struct err *err)
{
	struct stat st;

	if (stat(path, &st))
		return err_sys(err, errno, "failed to open %s", path);
	if (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
		return 0;
	return err_set(err, EINVAL, "'%s' is no file: names cannot be put into it", path);
}

int embed_names(const struct embed_opts *o, const struct os *os, struct embed_result *res,
		struct err *err)
{
	const struct stream_opts so = { .threads = o->threads, .no_inline = true,
					.symbols = o->symbols };
	struct collect c = { .by_dso = { 0 } };
	struct sink sink = { .wants = SINK_SYMBOLS | SINK_CHAIN | SINK_ADDR | SINK_BRANCH,
			     .ctx = &c, .samples = see, .clone = clone, .merge = merge };
	struct sink *sinks[] = { &sink };
	struct data_reader r;
	struct source src;
	struct stream *s = NULL;
	int ret = check_file(o->path, err);

	*res = (struct embed_result){ 0 };
	if (ret)
		return ret;
	ret = data_open(&r, o->path, o->force ? DATA_FORCE : 0, err);
	if (!ret) {
		src = source_of_reader(&r);
		s = stream_new(&src, os, &so, err);
		ret = s ? stream_run(s, sinks, 1, err) : -EINVAL;
	}
	if (!ret)
		ret = finish(&r, stream_dsos(s), &c, res, err);
	stream_free(s);
	release(&c);
	data_close(&r);
	return ret;
}
