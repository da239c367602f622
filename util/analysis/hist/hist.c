// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "util/analysis/hist/hist-priv.h"
#include "util/machine/running.h"

static void caches_release(struct caches *c)
{
	free(c->addrs.slots);
	free(c->leaves.slots);
	vec_free(&c->addrs.steps);
	vec_free(&c->leaves.steps);
	memset(c, 0, sizeof(*c));
}

/* What came of samples; what is known of frames stays. */
static void worker_release_sums(struct worker *w)
{
	cct_release(&w->tree);
	vec_free(&w->sums);
	vec_free(&w->lat);
	vec_free(&w->lat_sums);
	for (size_t i = 0; i < N_PATHS; i++)
		free(w->paths[i].e);
	memset(w->paths, 0, sizeof(w->paths));
	hmap_release(&w->extras);
	hmap_release(&w->branches);
	arena_release(&w->arena);
	per_event_release(&w->totals);
}

static void worker_init_sums(struct worker *w)
{
	cct_init(&w->tree);
	per_event_init(&w->totals, sizeof(struct event_totals), NULL, NULL);
}

static void worker_free(struct worker *w)
{
	worker_release_sums(w);
	caches_release(&w->known);
	vec_free(&w->tags);
	free(w);
}

/* ---- a sample into the tree ---- */

static u32 group_of(struct worker *w, const struct key_ctx *c)
{
	const struct hist_keys *keys = w->hist->opts.keys;
	u64 words[MAX_KEYS];
	unsigned n = 0;

	for (size_t i = 0; i < keys->cols.n; i++)
		if (keys->cols.v[i].def->level == KEY_SAMPLE)
			words[n++] = keys->cols.v[i].def->word(c, &keys->cols.v[i]);
	if (w->have_last && !memcmp(words, w->last_words, n * sizeof(u64)))
		return w->last_gid;
	pthread_mutex_lock(&w->hist->sh.lock);
	w->last_gid = idset_get(&w->hist->sh.gids, words);
	pthread_mutex_unlock(&w->hist->sh.lock);
	memcpy(w->last_words, words, n * sizeof(u64));
	w->have_last = true;
	return w->last_gid;
}

/* The tag of the tree's root for this group and event. */
static u32 root_of(struct worker *w, const struct key_ctx *c, u32 event)
{
	const u32 gid = group_of(w, c);
	struct root *r = &w->roots[(gid * 31 + event) % N_ROOTS];

	if (!r->known || r->gid != gid || r->event != event) {
		const u64 words[2] = { gid, event };

		pthread_mutex_lock(&w->hist->sh.lock);
		*r = (struct root){ gid, event, idset_get(&w->hist->sh.roots, words), true };
		pthread_mutex_unlock(&w->hist->sh.lock);
	}
	return TAG_ROOT | r->id;
}

static struct path *path_of(struct worker *w, const struct thread *th, u32 root, u32 frames)
{
	struct path *p = &w->paths[(th ? (unsigned)th->index : 0) % N_PATHS];

	if (p->thread != th || p->root != root) {
		p->thread = th;
		p->root = root;
		p->n = 0;
	}
	if (p->cap < frames) {
		p->cap = MAX(frames, 32u);
		p->e = xreallocarray(p->e, p->cap, sizeof(*p->e));
	}
	return p;
}

#define AHEAD 4		/* frames */

/* The tags of the chain's frames from the kth outermost on into w->tags, while the places of
 * their nodes are fetched. A path entry without a node yet says where in them its frame ends. */
static void chain_tags(struct worker *w, struct path *p, const struct location *outer, u32 k, u32 n,
		       u32 root)
{
	u32 hash = w->tree.hashes.v[k ? p->e[k - 1].node : root];

	vec_clear(&w->tags);
	for (; k < n; k++) {
		const struct location *l = outer - k;
		const struct addr_slot *a;
		const struct step *st;

		if (k + AHEAD < n)
			addr_fetch(w, l - AHEAD);
		p->e[k] = (struct path_entry){ l->va, l->dso, 0, k ? p->e[k - 1].fid : UINT32_MAX };
		if (l->sym || !w->hist->opts.filter.hide_unresolved) {
			a = addr_lookup(w, l, false);
			st = addr_steps(&w->known.addrs, a);
			for (unsigned i = 0; i < a->n; i++) {
				hash = cct_hash(hash, st[i].loc);
				cct_fetch(&w->tree, hash);
				vec_push(&w->tags, ((struct chain_tag){ st[i].loc, hash }));
			}
			p->e[k].fid = st[a->n - 1].fid;
		}
		p->e[k].node = (u32)w->tags.n;
	}
}

/* The node of the whole chain. Walks from the outermost frame; as far as the thread's last stack
 * is the same, its nodes are. */
static u32 chain_node(struct worker *w, const struct resolved *r, u32 first, u32 last, u32 root,
		      u32 *fid)
{
	u32 n = last - first, k = 0, node = root, at = 0;
	struct path *p = path_of(w, r->thread, root, n);
	const struct location *outer = r->frames + last - 1;

	while (k < n && k < p->n && p->e[k].va == outer[-(ssize_t)k].va && p->e[k].dso ==
	       outer[-(ssize_t)k].dso)
		k++;
	if (k)
		node = p->e[k - 1].node;
	chain_tags(w, p, outer, k, n, root);
	for (; k < n; k++) {
		for (; at < p->e[k].node; at++)
			node = cct_child_at(&w->tree, node, w->tags.v[at].tag, w->tags.v[at].hash);
		p->e[k].node = node;
	}
	p->n = n;
	*fid = p->e[n - 1].fid;
	return node;
}

/* What a sample counts. */
struct amount { u64 period; u128 latency; };

static void flat_add(struct worker *w, u32 root, u32 fid, const struct amount *a)
{
	u32 node = cct_child(&w->tree, root, TAG_LEAF | fid);
	struct flat_sum *s;

	while (w->sums.n <= node)
		vec_add(&w->sums);
	s = &w->sums.v[node];
	if (s->seq == w->seq)
		return;		/* recursion: each stack counts once */
	s->seq = w->seq;
	s->period += a->period;
	s->n++;
	if (w->hist->want_latency)
		latencies_add(&w->lat_sums, node, a->latency);
}

/* Children totals alone: each function of the stack once, nothing of the stack is kept. */
static void flat_chain(struct worker *w, const struct resolved *r, u32 first, u32 last, u32 root,
		       const struct amount *amount)
{
	for (u32 i = first; i < last; i++) {
		const struct addr_slot *a;

		if (!r->frames[i].sym && w->hist->opts.filter.hide_unresolved)
			continue;
		a = addr_lookup(w, &r->frames[i], false);

		for (unsigned k = 0; k < a->n; k++)
			flat_add(w, root, addr_steps(&w->known.addrs, a)[k].fid, amount);
	}
}

/* The innermost frame of the outermost function whose callees are to be ignored; 0: none is. */
static u32 cut_frames(struct worker *w, const struct resolved *r)
{
	for (u32 i = r->n_frames; i-- > 0;)
		if (addr_lookup(w, &r->frames[i], false)->cut)
			return i;
	return 0;
}

static const struct symbol *find_parent(struct worker *w, const struct resolved *r)
{
	for (u32 i = 0; i < r->n_frames; i++)
		if (addr_lookup(w, &r->frames[i], false)->parent)
			return r->frames[i].sym;
	return NULL;
}

u64 hist_period(const struct sample *s)
{
	if (s->present & PERF_SAMPLE_PERIOD)
		return s->period;
	if (s->event && !s->event->attr.freq && s->event->attr.sample_period)
		return s->event->attr.sample_period;
	return 1;
}

static void add_one(struct worker *w, const struct key_ctx *c, u32 event,
		    const struct amount *amount)
{
	struct hist *h = w->hist;
	const struct resolved *r = c->item->res;
	u32 cut = h->have_ignore ? cut_frames(w, r) : 0;
	const struct location *leaf = cut ? &r->frames[cut] : c->loc;
	const struct addr_slot *a = addr_lookup(w, leaf, true);
	u32 fid = addr_steps(&w->known.leaves, a)->fid;
	u32 root = cct_child(&w->tree, 0, root_of(w, c, event));
	u32 node = root, chain_fid = 0, n_frames = r->n_frames;

	if (h->opts.max_frames && r->n_frames - cut > h->opts.max_frames) {
		if (h->opts.caller)
			cut = r->n_frames - h->opts.max_frames;
		else
			n_frames = cut + h->opts.max_frames;
	}
	if (h->flat) {
		w->seq++;
		flat_add(w, root, fid, amount);
		flat_chain(w, r, cut, n_frames, root, amount);
	} else if (h->opts.chains && n_frames > cut)
		node = chain_node(w, r, cut, n_frames, root, &chain_fid);
	if (node == root || chain_fid != fid)
		node = cct_child(&w->tree, node, TAG_LEAF | fid);
	w->last_node = node;
	if (h->branches.want && n_frames > cut)
		branch_counts_sample(w, r, cut, n_frames,
				     path_of(w, r->thread, root, n_frames - cut));
	w->tree.nodes.v[node].self += amount->period;
	w->tree.nodes.v[node].self_n++;
	if (h->want_extra)
		extra_add(w, node, c->item->sample, amount->period);
	if (h->want_latency)
		latencies_add(&w->lat, node, amount->latency);
}

static struct amount amount_of(const struct hist *h, const struct key_ctx *c)
{
	struct amount a = { hist_period(c->item->sample), 0 };

	if (h->opts.keys->branch_mode)
		a.period = c->item->sample->branch.n;
	else if (h->opts.keys->mem_mode)
		a.period = MAX(c->item->sample->weight, (u64)1);
	if (h->want_latency)
		a.latency = hist_latency(a.period, c->n_running);
	return a;
}

static void add_branches(struct worker *w, struct key_ctx *c, u32 event)
{
	const struct amount one = { 1, hist_latency(1, c->n_running) };

	for (c->branch = 0; c->branch < c->item->sample->branch.n; c->branch++) {
		if (c->item->res->branches)	/* a row of a branch is where it went */
			c->loc = &c->item->res->branches[2 * c->branch + 1];
		add_one(w, c, event, &one);
	}
}

static void add_sample(struct worker *w, const struct sink_item *it)
{
	struct hist *h = w->hist;
	static const struct event none;
	const struct event *ev = it->sample->event ? it->sample->event : &none;
	struct event_totals *totals;
	struct key_ctx c = { .keys = h->opts.keys, .machine = h->opts.machine, .swap = h->opts.swap,
			     .item = it, .loc = &it->res->leaf, .n_running = 1 };
	struct amount amount;
	bool counts;			/* of what has no branches there are no rows */

	if (h->opts.filter.hide_unresolved && !it->res->leaf.sym)
		return;		/* as if it was not there: not in the totals either */
	if (h->want_running)
		c.n_running = machine_running_at(h->opts.machine, it->sample->time_ns,
						 it->file_off);
	amount = amount_of(h, &c);
	counts = !h->opts.keys->branch_mode || amount.period;
	totals = per_event(&w->totals, ev);
	totals->all.period += amount.period;
	totals->all.n += counts;
	totals->latency += amount.latency;
	if (!hist_passes(h, &c))
		return;
	if (h->opts.keys->parent_re) {
		c.parent = find_parent(w, it->res);
		if (h->opts.filter.only_parents && !c.parent)
			return;
	}
	totals->filtered.period += amount.period;
	totals->filtered.n += counts;
	totals->latency_filtered += amount.latency;
	if (h->opts.keys->branch_mode)
		add_branches(w, &c, (u32)ev->index);
	else
		add_one(w, &c, (u32)ev->index, &amount);
}

static void hist_samples(struct sink *s, const struct sink_item *items, size_t n)
{
	struct worker *w = s->ctx;

	for (size_t i = 0; i < n; i++)
		add_sample(w, &items[i]);
}

/* ---- workers ---- */

static struct sink *hist_clone(struct sink *s);
static void hist_merge(struct sink *s, struct sink *from);

static struct worker *worker_new(struct hist *h)
{
	struct worker *w = xnew(struct worker);

	w->hist = h;
	pthread_mutex_lock(&h->sh.lock);
	if (h->spare.n)
		w->known = vec_pop(&h->spare);
	pthread_mutex_unlock(&h->sh.lock);
	worker_init_sums(w);
	w->sink = (struct sink){ .wants = SINK_SYMBOLS | SINK_THREAD, .ctx = w,
				 .samples = hist_samples, .clone = hist_clone,
				 .merge = hist_merge };
	if (h->opts.chains || h->opts.keys->parent_re || h->have_ignore)
		w->sink.wants |= SINK_CHAIN;
	if (h->opts.keys->branch_mode)
		w->sink.wants |= SINK_BRANCH;
	for (size_t i = 0; i < h->opts.keys->cols.n; i++) {
		const struct key_def *d = h->opts.keys->cols.v[i].def;

		w->sink.wants |= (d->needs_addr ? SINK_ADDR : 0) |
			(d->needs_branch ? SINK_BRANCH : 0);
	}
	return w;
}

static struct sink *hist_clone(struct sink *s)
{
	return &worker_new(((struct worker *)s->ctx)->hist)->sink;
}

/* Extras and latencies follow their nodes; so the mapping is made again, by walking up both trees.
 * Few reports have them. */
static u32 *map_nodes(struct worker *into, const struct worker *from)
{
	u32 *map = xcalloc(from->tree.nodes.n, sizeof(*map));

	for (size_t n = 1; n < from->tree.nodes.n; n++) {
		const struct cct_node *f = &from->tree.nodes.v[n];

		map[n] = cct_child(&into->tree, map[f->parent], f->tag);
	}
	return map;
}

static void merge_extras(struct worker *into, const struct worker *from, const u32 *map)
{
	for (size_t n = 1; n < from->tree.nodes.n; n++) {
		const struct extra *x = hmap_get(&from->extras, n);

		if (x)
			extra_merge(extra_get(into, map[n]), x);
	}
}

static void merge_more(struct worker *into, const struct worker *from)
{
	u32 *map = map_nodes(into, from);

	merge_extras(into, from, map);
	latencies_merge(&into->lat, &from->lat, map);
	latencies_merge(&into->lat_sums, &from->lat_sums, map);
	branch_counts_merge(into, from, map);
	free(map);
}

/* Before the trees: their nodes are found again by what they are. */
static void merge_sums(struct worker *into, const struct worker *from)
{
	for (size_t n = 0; n < from->sums.n; n++) {
		const struct cct_node *f = &from->tree.nodes.v[n];
		u32 root, node;

		if (!from->sums.v[n].n)
			continue;
		root = cct_child(&into->tree, 0, from->tree.nodes.v[f->parent].tag);
		node = cct_child(&into->tree, root, f->tag);
		while (into->sums.n <= node)
			vec_add(&into->sums);
		into->sums.v[node].period += from->sums.v[n].period;
		into->sums.v[node].n += from->sums.v[n].n;
	}
}

/* The first one that is merged: nothing to do but to take it. */
static void swap_trees(struct worker *a, struct worker *b)
{
	struct cct t = a->tree;

	a->tree = b->tree;
	b->tree = t;
}

static void add_totals(void *to, const void *from)
{
	struct event_totals *t = to;
	const struct event_totals *f = from;

	t->all.period += f->all.period;
	t->all.n += f->all.n;
	t->filtered.period += f->filtered.period;
	t->filtered.n += f->filtered.n;
	t->latency += f->latency;
	t->latency_filtered += f->latency_filtered;
}

static void hist_merge(struct sink *s, struct sink *other)
{
	struct worker *into = s->ctx, *from = other->ctx;
	const bool more = into->hist->want_extra || into->hist->want_latency ||
		into->hist->branches.want;

	if (into->hist->flat)
		merge_sums(into, from);
	if (into->tree.nodes.n == 1 && !into->hist->flat && !more)
		swap_trees(into, from);
	else
		cct_merge(&into->tree, &from->tree);
	if (more)
		merge_more(into, from);
	per_event_merge(&into->totals, &from->totals, add_totals);
	pthread_mutex_lock(&into->hist->sh.lock);
	vec_push(&into->hist->spare, from->known);
	pthread_mutex_unlock(&into->hist->sh.lock);
	memset(&from->known, 0, sizeof(from->known));
	worker_free(from);
}

/* ---- life ---- */

static int init_filters(struct hist *h, struct err *err)
{
	const struct hist_filter *f = &h->opts.filter;

	if (f->comms && !(h->f.comms = name_filter_new(f->comms, err)))
		return -EINVAL;
	if (f->dsos && !(h->f.dsos = name_filter_new(f->dsos, err)))
		return -EINVAL;
	if (f->symbols && !(h->f.symbols = name_filter_new(f->symbols, err)))
		return -EINVAL;
	if (f->pids && !(h->f.pids = num_filter_new(f->pids, "--pid", err)))
		return -EINVAL;
	if (f->tids && !(h->f.tids = num_filter_new(f->tids, "--tid", err)))
		return -EINVAL;
	if (f->parallelism &&
	    !(h->f.running = num_filter_new(f->parallelism, "--parallelism", err)))
		return -EINVAL;
	if (h->f.running && num_filter_match(h->f.running, 0))
		return err_set(err, EINVAL, "--parallelism: at least one thread runs at a sample, "
					    "not 0");
	if (h->opts.ignore_callees) {
		int rc = regcomp(&h->ignore_re, h->opts.ignore_callees, REG_EXTENDED | REG_NOSUB);
		char reason[128];

		if (rc) {
			regerror(rc, &h->ignore_re, reason, sizeof(reason));
			return err_set(err, EINVAL, "--ignore-callees '%s': %s",
				       h->opts.ignore_callees, reason);
		}
		h->have_ignore = true;
	}
	return 0;
}

/* A caller's total is of what it called, whatever that is named: so with callers' rows the
 * filter picks rows. */
static int substr_column(const struct hist_opts *opts)
{
	const struct key *k = opts->children && opts->filter.symbol_substr ?
		hist_keys_find(opts->keys, "symbol") : NULL;

	return k ? (int)(k - opts->keys->cols.v) : -1;
}

struct hist *hist_new(const struct hist_opts *opts, struct err *err)
{
	struct hist *h = xnew(struct hist);

	h->opts = *opts;
	h->opts.chains |= opts->children || opts->callgraph || opts->branches;
	h->branches.want = opts->branches;
	h->flat = opts->children && !opts->callgraph && !opts->nested && !opts->branches;
	h->substr_col = substr_column(opts);
	/* held for a few hundred ns */
	h->sh.lock = (pthread_mutex_t)PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
	h->sh.names = opts->keys->names;
	idset_init(&h->sh.syms, 4);
	idset_init(&h->sh.locs, opts->keys->n_frame_keys + 1);
	idset_init(&h->sh.fids, opts->keys->n_frame_keys);
	idset_init(&h->sh.gids, opts->keys->n_sample_keys);
	idset_init(&h->sh.roots, 2);
	idset_init(&h->chain_ids, 1);
	h->want_lines = opts->chain_key != CHAIN_KEY_FUNCTION;
	h->want_running = opts->filter.parallelism != NULL;
	for (size_t i = 0; i < opts->keys->cols.n; i++) {
		const struct key_def *d = opts->keys->cols.v[i].def;

		if (d->special && d->special != KEY_OF_HISTORY)
			h->want_extra = EXTRA_SHARES;
		else if (d->needs_extra && !h->want_extra)
			h->want_extra = EXTRA_SUMS;
		h->want_lines |= d->needs_line;
		h->want_running |= d->needs_running;
		h->want_latency |= d->needs_running && d->level == KEY_VALUE;
	}
	if (init_filters(h, err)) {
		hist_free(h);
		return NULL;
	}
	h->main = worker_new(h);
	return h;
}

void hist_release_rows(struct hist *h)
{
	for (size_t i = 0; h->by_event && i < h->n_events; i++)
		vec_free(&h->by_event[i].rows);
	free(h->by_event);
	h->by_event = NULL;
}

void hist_free(struct hist *h)
{
	if (!h)
		return;
	if (h->main)
		worker_free(h->main);
	if (h->pending)
		worker_free(h->pending->ctx);
	hist_release_rows(h);
	hist_free_arrays(h);
	vec_free(&h->loc_chain);
	idset_release(&h->chain_ids);
	for vec_each(c, &h->spare)
		caches_release(c);
	vec_free(&h->spare);
	idset_release(&h->sh.syms);
	idset_release(&h->sh.locs);
	idset_release(&h->sh.fids);
	idset_release(&h->sh.gids);
	idset_release(&h->sh.roots);
	vec_free(&h->sh.sym_ptrs);
	strmap_release(&h->sh.dsos);
	hmap_release(&h->sh.dso_of);
	hmap_release(&h->sh.dso_min);
	vec_free(&h->sh.loc_fid);
	arena_release(&h->sh.arena);
	pthread_mutex_destroy(&h->sh.lock);
	name_filter_free(h->f.comms);
	name_filter_free(h->f.dsos);
	name_filter_free(h->f.symbols);
	num_filter_free(h->f.pids);
	num_filter_free(h->f.tids);
	num_filter_free(h->f.running);
	if (h->have_ignore)
		regfree(&h->ignore_re);
	free(h);
}

struct sink *hist_sink(struct hist *h) { return &h->main->sink; }

void hist_clear(struct hist *h)
{
	hist_release_rows(h);
	worker_release_sums(h->main);
	worker_init_sums(h->main);
}

struct sink *hist_pending(struct hist *h)
{
	if (!h->pending)
		h->pending = hist_clone(&h->main->sink);
	return h->pending;
}

void hist_add_pending(struct hist *h)
{
	hist_release_rows(h);
	if (h->pending)
		hist_merge(&h->main->sink, h->pending);
	h->pending = NULL;
}

void hist_finish(struct hist *h)
{
	hist_release_rows(h);
	h->n_events = h->opts.events ? h->opts.events->events.n : MAX(h->main->totals.n, (size_t)1);
	hist_settle_dsos(h);
	hist_make_rows(h);
}

static struct event_totals totals_of(const struct hist *h, const struct event *e)
{
	const struct event_totals *t = per_event_peek(&h->main->totals, e);

	return t ? *t : (struct event_totals){ 0 };
}

struct hist_total hist_total(const struct hist *h, const struct event *e)
{
	return totals_of(h, e).all;
}

struct hist_total hist_filtered_total(const struct hist *h, const struct event *e)
{
	return totals_of(h, e).filtered;
}

u128 hist_latency_whole(const struct hist *h, const struct event *e)
{
	const struct event_totals t = totals_of(h, e);

	return h->opts.relative ? t.latency_filtered : t.latency;
}

bool hist_ran_parallel(const struct hist *h)
{
	for (size_t i = 0; i < h->main->totals.n; i++) {
		const struct event_totals *t = per_event_at(&h->main->totals, i);

		if (t && t->latency != (u128)t->all.period << LATENCY_BITS)
			return true;
	}
	return false;
}

size_t hist_n_nodes(const struct hist *h) { return h->main->tree.nodes.n - 1; }
size_t hist_n_groups(const struct hist *h) { return h->sh.gids.n; }
size_t hist_n_rows(const struct hist *h,
		   const struct event *e) { return h->by_event[e->index].rows.n; }

const struct hist_row *hist_row(const struct hist *h, const struct event *e, size_t i)
{
	return &h->by_event[e->index].rows.v[i];
}

/* A root's node is the one above all; what is no frame of a chain is its caller's own. */
void hist_stacks(const struct hist *h, hist_nodes *out)
{
	const struct cct_node *v = h->main->tree.nodes.v;
	const size_t n = h->main->tree.nodes.n;
	u32 *event = xcalloc(n, sizeof(*event)), *node = xcalloc(n, sizeof(*node));

	vec_add(out);
	for (size_t i = 1; i < n; i++) {
		const u32 parent = v[i].parent;

		event[i] = v[i].tag & TAG_ROOT ?
			(u32)idset_at(&h->sh.roots, v[i].tag & ~TAG_ROOT)[1] : event[parent];
		node[i] = node[parent];
		if (!(v[i].tag & (TAG_ROOT | TAG_LEAF))) {
			node[i] = (u32)out->n;
			vec_push(out, ((struct hist_node){ .parent = node[parent],
				 .event = h->opts.events->events.v[event[i]],
				 .sym = (const void *)(uintptr_t)idset_at(&h->sh.locs,
									  v[i].tag)[0] }));
		}
		out->v[node[i]].self.period += v[i].self;
		out->v[node[i]].self.n += v[i].self_n;
	}
	free(event);
	free(node);
}
