// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The histogram of what happens now: what was counted loses weight with each step, and is forgotten
 * when it has next to none. So is what only that needed: nodes of the tree at once, ids when there
 * are far more of them than are in use.
 */
#include "util/analysis/fade.h"
#include "util/analysis/hist/hist-priv.h"

#define SPARE_IDS 4096		/* so many unused ids are not worth the work */

struct ids_left {		/* the ids in use, numbered anew */
	struct idset to;
	u32 *of;		/* by old id: the new one, plus 1 */
};

struct decay {
	struct hist *h;
	struct worker *w;
	struct fade fade;
	size_t n;		/* nodes */
	u64 *mean;		/* by event: period of a sample */
	u32 *event;		/* by node */
	bool *alive;		/* by node: it, or something below it, has a value */
	u32 *node;		/* by node: in the new tree */
	struct ids_left gids, fids, locs, roots;
	VEC(u32) loc_fid;
	bool renumber;
};

/* ---- what is left ---- */

static void find_events(struct decay *d)
{
	const struct cct_node *nodes = d->w->tree.nodes.v;

	for (u32 i = 1; i < d->n; i++)
		d->event[i] = nodes[i].tag & TAG_ROOT ?
			(u32)idset_at(&d->h->sh.roots, nodes[i].tag & ~TAG_ROOT)[1] :
			d->event[nodes[i].parent];
}

static void begin_totals(const struct decay *d, struct event_totals *t)
{
	const u64 n = t->filtered.n - t->left.n;

	if (n)
		t->mean = (t->filtered.period - t->left.period) / n;
	t->all.period = fade_part(&d->fade, t->all.period - t->filtered.period);
	t->all.n = fade_part(&d->fade, t->all.n);
	t->filtered = (struct hist_total){ 0, fade_part(&d->fade, t->filtered.n) };
}

/* Parents come before their children. Totals are those of what is left. */
static void decay_nodes(struct decay *d)
{
	struct worker *w = d->w;

	for (size_t i = 0; i < w->totals.n; i++) {
		struct event_totals *t = per_event_at(&w->totals, i);

		if (!t)
			continue;
		begin_totals(d, t);
		d->mean[i] = t->mean;
	}
	for (size_t i = d->n; i-- > 1;) {
		struct cct_node *nd = &w->tree.nodes.v[i];
		struct event_totals *t = per_event_at(&w->totals, d->event[i]);

		fade_sum(&d->fade, &nd->self, &nd->self_n, d->mean[d->event[i]]);
		t->filtered.period += nd->self;
		t->all.period += nd->self;
		if (i < w->sums.n)
			fade_sum(&d->fade, &w->sums.v[i].period, &w->sums.v[i].n,
				 d->mean[d->event[i]]);
		d->alive[i] |= nd->self_n || (i < w->sums.n && w->sums.v[i].n);
		d->alive[nd->parent] |= d->alive[i];
	}
	for (size_t i = 0; i < w->totals.n; i++) {
		struct event_totals *t = per_event_at(&w->totals, i);

		if (t)
			t->left = t->filtered;
	}
}

/* ---- ids ---- */

static void ids_left_init(struct ids_left *l, const struct idset *from)
{
	idset_init(&l->to, from->width);
	l->of = xcalloc(from->n + 1, sizeof(*l->of));
}

static u32 id_left(struct ids_left *l, const u64 *tuple, u32 id)
{
	if (!l->of[id])
		l->of[id] = idset_get(&l->to, tuple) + 1;
	return l->of[id] - 1;
}

static u32 fid_left(struct decay *d, u32 fid)
{
	return id_left(&d->fids, idset_at(&d->h->sh.fids, fid), fid);
}

static u32 loc_left(struct decay *d, u32 loc)
{
	const u32 to = id_left(&d->locs, idset_at(&d->h->sh.locs, loc), loc);

	if (to == d->loc_fid.n)
		vec_push(&d->loc_fid, fid_left(d, d->h->sh.loc_fid.v[loc]));
	return to;
}

static u32 root_left(struct decay *d, u32 root)
{
	const u64 *words = idset_at(&d->h->sh.roots, root);
	const u32 gid = (u32)words[0];
	const u64 to[2] = { id_left(&d->gids, idset_at(&d->h->sh.gids, gid), gid), words[1] };

	return id_left(&d->roots, to, root);
}

static u32 tag_left(void *ctx, u32 tag)
{
	struct decay *d = ctx;

	if (tag & TAG_ROOT)
		return TAG_ROOT | root_left(d, tag & ~TAG_ROOT);
	return tag & TAG_LEAF ? TAG_LEAF | fid_left(d, tag & TAG_LOC_MASK) : loc_left(d, tag);
}

/* Nodes use at most so many ids as they are. Pending samples use some, too. */
static bool many_unused(const struct hist *h, size_t nodes)
{
	const struct shared *sh = &h->sh;
	const size_t ids = sh->gids.n + sh->roots.n + sh->fids.n + sh->locs.n;

	return !h->pending && ids > SPARE_IDS && ids / 4 > nodes;
}

static size_t n_alive(const struct decay *d)
{
	size_t n = 0;

	for (size_t i = 1; i < d->n; i++)
		n += d->alive[i];
	return n;
}

static void take_ids(struct idset *to, struct ids_left *from, bool renumber)
{
	if (renumber) {
		idset_release(to);
		*to = from->to;
		from->to = (struct idset){ 0 };
	}
	idset_release(&from->to);
	free(from->of);
}

static void caches_clear(struct caches *c)
{
	free(c->addrs.slots);
	free(c->leaves.slots);
	vec_free(&c->addrs.steps);
	vec_free(&c->leaves.steps);
	*c = (struct caches){ 0 };
}

static void take_all_ids(struct decay *d)
{
	struct shared *sh = &d->h->sh;

	take_ids(&sh->gids, &d->gids, d->renumber);
	take_ids(&sh->fids, &d->fids, d->renumber);
	take_ids(&sh->locs, &d->locs, d->renumber);
	take_ids(&sh->roots, &d->roots, d->renumber);
	if (!d->renumber)
		return;
	vec_free(&d->h->loc_chain);
	idset_release(&d->h->chain_ids);
	idset_init(&d->h->chain_ids, 1);
	vec_free(&sh->loc_fid);
	sh->loc_fid.v = d->loc_fid.v;
	sh->loc_fid.n = d->loc_fid.n;
	sh->loc_fid.cap = d->loc_fid.cap;
	caches_clear(&d->w->known);
	for vec_each(c, &d->h->spare)
		caches_clear(c);
	memset(d->w->roots, 0, sizeof(d->w->roots));
	d->w->have_last = false;
}

/* ---- the tree ---- */

static void copy_extra(struct decay *d, struct hmap *to, struct arena *arena, u32 node)
{
	const struct extra *from = hmap_get(&d->w->extras, node);
	struct extra *x;

	if (!from)
		return;
	x = arena_alloc(arena, sizeof(*x));
	for (int i = 0; i < 4; i++)
		x->by_mode[i] = fade_part(&d->fade, from->by_mode[i]);
	for (int i = 0; i < 3; i++)
		x->weights[i] = from->weights[i] * (double)d->fade.keep / (double)d->fade.of;
	hmap_put(to, d->node[node], x);
}

static void move_extras(struct decay *d)
{
	struct hmap extras = { 0 };
	struct arena arena = { 0 };

	for (u32 i = 1; i < d->n; i++)
		if (d->alive[i])
			copy_extra(d, &extras, &arena, i);
	hmap_release(&d->w->extras);
	arena_release(&d->w->arena);
	d->w->extras = extras;
	d->w->arena = arena;
}

static void move_sums(struct decay *d)
{
	struct worker *w = d->w;
	size_t n = MIN(w->sums.n, (size_t)1);

	for (u32 i = 1; i < w->sums.n; i++)
		if (d->alive[i])
			w->sums.v[n++] = w->sums.v[i];
	w->sums.n = n;
}

/* What dies is taken out of the tree. */
static void take_out(struct decay *d)
{
	struct worker *w = d->w;

	cct_compact(&w->tree, d->alive, d->node, d->renumber ? tag_left : NULL, d);
	move_sums(d);
	if (d->h->want_extra)
		move_extras(d);
	for (size_t i = 0; i < N_PATHS; i++)	/* their nodes are not those any more */
		w->paths[i].thread = NULL, w->paths[i].n = 0, w->paths[i].root = 0;
}

void hist_decay(struct hist *h, u64 keep, u64 of)
{
	struct decay d = { .h = h, .w = h->main, .fade = { keep, of },
			   .n = h->main->tree.nodes.n };

	hist_release_rows(h);
	d.mean = xcalloc(d.w->totals.n + 1, sizeof(*d.mean));
	d.event = xcalloc(d.n, sizeof(*d.event));
	d.alive = xcalloc(d.n, sizeof(*d.alive));
	d.node = xcalloc(d.n, sizeof(*d.node));
	ids_left_init(&d.gids, &h->sh.gids);
	ids_left_init(&d.fids, &h->sh.fids);
	ids_left_init(&d.locs, &h->sh.locs);
	ids_left_init(&d.roots, &h->sh.roots);
	find_events(&d);
	decay_nodes(&d);
	d.renumber = many_unused(h, n_alive(&d));
	take_out(&d);
	take_all_ids(&d);
	free(d.mean);
	free(d.event);
	free(d.alive);
	free(d.node);
}

void hist_tidy(struct hist *h)
{
	if (many_unused(h, h->main->tree.nodes.n))
		hist_decay(h, 1, 1);
}

/* ---- tasks ---- */

/* word: of the group's words the one that says which thread it is. */
static void add_threads(const struct hist *h, const struct worker *w, size_t word, struct hmap *out)
{
	for (size_t i = 1; i < w->tree.nodes.n; i++) {
		const u32 tag = w->tree.nodes.v[i].tag;
		u64 th;

		if (!(tag & TAG_ROOT))
			continue;
		th = idset_at(&h->sh.gids, (u32)idset_at(&h->sh.roots, tag & ~TAG_ROOT)[0])[word];
		if (th)
			hmap_put(out, th, (void *)(uintptr_t)th);
	}
}

void hist_threads(const struct hist *h, struct hmap *out)
{
	const struct hist_keys *keys = h->opts.keys;
	size_t word = 0;

	for (size_t k = 0; k < keys->cols.n; k++) {
		const struct key_def *def = keys->cols.v[k].def;

		if (def->level != KEY_SAMPLE)
			continue;
		if (def->is_thread)
			add_threads(h, h->main, word, out);
		if (def->is_thread && h->pending)
			add_threads(h, h->pending->ctx, word, out);
		word++;
	}
}
