// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What nodes weigh, and what is done by it.
 */
#include "util/analysis/flame/flame-priv.h"

#include "util/symbols/dso.h"

void flame_weigh(const struct flame_tree *t, const struct event *event, struct flame_weights *out)
{
	const size_t n = t->nodes.n;

	*out = (struct flame_weights){ xcalloc(n, sizeof(u64)), xcalloc(n, sizeof(u64)),
				       xcalloc(n, sizeof(u64)), xcalloc(n, sizeof(u64)) };
	for vec_each(s, &t->sums) {
		if (event && t->tracks.v[s->track].event != event)
			continue;
		out->self[s->node] += s->period;
		out->n_self[s->node] += s->n;
	}
	memcpy(out->total, out->self, n * sizeof(u64));
	memcpy(out->n_total, out->n_self, n * sizeof(u64));
	for (size_t i = n; i-- > 1;) {
		out->total[t->nodes.v[i].parent] += out->total[i];
		out->n_total[t->nodes.v[i].parent] += out->n_total[i];
	}
}

void flame_weights_release(struct flame_weights *w)
{
	free(w->self);
	free(w->total);
	free(w->n_self);
	free(w->n_total);
	memset(w, 0, sizeof(*w));
}

const char *flame_event_name(const struct flame_tree *t, const struct event *event)
{
	for vec_each(track, &t->tracks)
		if (event && track->event == event)
			return track->event_name;
	return "";
}

size_t flame_n_stacks(const struct flame_tree *t)
{
	bool *seen = xcalloc(t->nodes.n, sizeof(*seen));
	size_t n = 0;

	for vec_each(s, &t->sums) {
		n += !seen[s->node];
		seen[s->node] = true;
	}
	free(seen);
	return n;
}

/* ---- lines ---- */

struct frame_weight { u32 frame; u64 w; };

static int cmp_weight(const void *pa, const void *pb)
{
	const struct frame_weight *a = pa, *b = pb;

	return a->w != b->w ? (a->w < b->w ? 1 : -1) : (a->frame > b->frame) -
		(a->frame < b->frame);
}

void flame_find_line(struct flame_frame *f)
{
	struct srcline at = { 0 };

	if (f->file || !f->of || !f->rva || f->kind != FLAME_USER ||
	    !dso_srcline(f->of, f->rva, &at))
		return;
	f->file = at.file;
	f->line = at.line;
}

void flame_find_lines(struct flame_tree *t, size_t n_max)
{
	struct frame_weight *v = xcalloc(t->frames.n + 1, sizeof(*v));
	struct flame_weights w;

	flame_weigh(t, NULL, &w);
	for (size_t i = 0; i < t->frames.n; i++)
		v[i].frame = (u32)i;
	/* recursion counts more than once: it is only about which come first */
	for (size_t i = 1; i < t->nodes.n; i++)
		v[t->nodes.v[i].frame].w += w.total[i];
	flame_weights_release(&w);
	qsort(v, t->frames.n, sizeof(*v), cmp_weight);
	for (size_t i = 0; i < MIN(n_max, t->frames.n); i++)
		flame_find_line(&t->frames.v[v[i].frame]);
	free(v);
}

/* ---- pruning ---- */

/* keep: by node; what goes weighs on the nearest one above that stays */
static void drop_nodes(struct flame_tree *t, const bool *keep)
{
	u32 *number = xcalloc(t->nodes.n, sizeof(*number));
	struct flame_sum *v;
	size_t n = 1;

	for (size_t i = 1; i < t->nodes.n; i++) {
		const struct flame_node *from = &t->nodes.v[i];

		number[i] = number[from->parent];
		if (!keep[i])
			continue;
		t->nodes.v[n] = (struct flame_node){ number[from->parent], from->frame };
		number[i] = (u32)n++;
	}
	t->nodes.n = n;
	for vec_each(s, &t->sums)
		s->node = number[s->node];
	free(number);
	v = t->sums.v;
	n = t->sums.n;
	t->sums.v = NULL;
	t->sums.n = t->sums.cap = 0;
	flame_add_sums(t, v, n);
	free(v);
}

void flame_prune(struct flame_tree *t, double min_pct)
{
	bool *keep = xcalloc(t->nodes.n, sizeof(*keep));
	const struct event *last = NULL;

	for vec_each(l, &t->tracks) {
		struct flame_weights w;

		if (l != t->tracks.v && l->event == last)
			continue;
		last = l->event;
		flame_weigh(t, last, &w);
		for (size_t i = 1; i < t->nodes.n; i++)
			keep[i] |= w.total[i] && (double)w.total[i] * 100 >=
				min_pct * (double)w.total[0];
		flame_weights_release(&w);
	}
	drop_nodes(t, keep);
	free(keep);
}
