// SPDX-License-Identifier: GPL-2.0-or-later
// Two recordings as one tree, aligned by the names of functions.
#include "util/analysis/flame/flame-priv.h"

#include "util/event/event.h"

static int cmp_names(const void *pa, const void *pb)
{
	return strcmp(((const struct flame_frame *)pa)->name,
		      ((const struct flame_frame *)pb)->name);
}

/* Of two of one name, that of the second tree. */
static void join_frames(const struct flame_tree *t[2], struct flame_tree *out)
{
	size_t i = 0, k = 0;

	/* each has them in the order of names */
	while (i < t[0]->frames.n || k < t[1]->frames.n) {
		const struct flame_frame *a = i < t[0]->frames.n ? &t[0]->frames.v[i] : NULL;
		const struct flame_frame *b = k < t[1]->frames.n ? &t[1]->frames.v[k] : NULL;
		const int c = !a ? 1 : !b ? -1 : cmp_names(a, b);
		const struct flame_frame *f = c < 0 ? a : b;

		i += c <= 0;
		k += c >= 0;
		if (!out->frames.n || cmp_names(vec_last(&out->frames), f))
			vec_push(&out->frames, *f);
	}
}

static u32 frame_named(const struct flame_tree *t, const struct flame_frame *f)
{
	const struct flame_frame *at = bsearch(f, t->frames.v, t->frames.n, sizeof(*f), cmp_names);

	return (u32)(at - t->frames.v);
}

static const struct event *event_named(const struct flame_tree *t, const struct event *e)
{
	for vec_each(l, &t->tracks)
		if (l->event && e && !strcmp(l->event->name, e->name))
			return l->event;
	return e;
}

/* One track for each event and side. */
static u32 track_of(struct flame_tree *out, const struct event *e, u8 side, const char *name)
{
	for vec_each(l, &out->tracks)
		if (l->event == e && l->side == side)
			return (u32)(l - out->tracks.v);
	vec_push(&out->tracks, ((struct flame_track){ .event = e, .comm = "", .side = side,
						      .event_name = name }));
	return (u32)out->tracks.n - 1;
}

static void make_tracks(const struct flame_tree *t[2], struct flame_tree *out)
{
	for (int i = 1; i >= 0; i--)
		for vec_each(l, &t[i]->tracks) {
			const struct event *e = event_named(t[1], l->event);

			track_of(out, e, 0, l->event_name);	/* side by side */
			track_of(out, e, 1, l->event_name);
		}
}

static u32 *join_nodes(const struct flame_tree *from, const struct flame_tree *out, struct cct *all)
{
	u32 *frames = xcalloc(from->frames.n + 1, sizeof(*frames));
	u32 *nodes = xcalloc(from->nodes.n, sizeof(*nodes));

	for (size_t i = 0; i < from->frames.n; i++)
		frames[i] = frame_named(out, &from->frames.v[i]);
	for (size_t i = 1; i < from->nodes.n; i++)
		nodes[i] = cct_child(all, nodes[from->nodes.v[i].parent],
				     frames[from->nodes.v[i].frame]);
	free(frames);
	return nodes;
}

void flame_join(const struct flame_tree *old, const struct flame_tree *is, struct flame_tree *out)
{
	const struct flame_tree *t[2] = { old, is };
	VEC(struct flame_sum) sums = { 0 };
	struct cct all;
	u32 *nodes[2], *number;

	*out = (struct flame_tree){ .first_ns = 1, .slice_ns = 1, .joined = true };
	cct_init(&all);
	join_frames(t, out);
	make_tracks(t, out);
	for (int i = 0; i < 2; i++)
		nodes[i] = join_nodes(t[i], out, &all);
	number = xcalloc(all.nodes.n, sizeof(*number));
	flame_order_nodes(&all, out, number);
	for (u8 i = 0; i < 2; i++) {
		for vec_each(s, &t[i]->sums) {
			const struct flame_track *l = &t[i]->tracks.v[s->track];
			const struct event *e = event_named(t[1], l->event);

			vec_push(&sums, ((struct flame_sum){ track_of(out, e, i, l->event_name), 0,
							     number[nodes[i][s->node]],
							     s->period, s->n }));
		}
		out->n_samples += t[i]->n_samples;
		out->period += t[i]->period;
		free(nodes[i]);
	}
	flame_add_sums(out, sums.v, sums.n);
	vec_free(&sums);
	free(number);
	cct_release(&all);
}

void flame_tree_release(struct flame_tree *t)
{
	vec_free(&t->frames);
	vec_free(&t->nodes);
	vec_free(&t->tracks);
	vec_free(&t->sums);
}
