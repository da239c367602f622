// SPDX-License-Identifier: GPL-2.0-or-later
// A picture of the call chains that a histogram has: of what happens now.
#include <stdlib.h>

#include "util/analysis/flame/flame-priv.h"
#include "util/analysis/hist/hist.h"
#include "util/event/event.h"

struct numbered { struct flame_frame f; const struct hist_sym *sym; };

static enum flame_kind kind_of(const struct hist_sym *s)
{
	if (!s->name)
		return FLAME_UNNAMED;
	if (s->level == 'k' || s->level == 'g')
		return FLAME_KERNEL;
	if (s->inlined)
		return FLAME_INLINED;
	return hist_is_jit(s->dso) ? FLAME_JIT : FLAME_USER;
}

static struct flame_frame frame_of(const struct hist_sym *s)
{
	return (struct flame_frame){
		.name = s->name ? s->name : "[unknown]", .dso = s->dso ? s->dso->short_name : "",
		.kind = kind_of(s), .of = (struct dso *)s->dso,
		.rva = s->sym ? s->sym->start_rva : 0 };
}

static int cmp_numbered(const void *pa, const void *pb)
{
	const struct numbered *a = pa, *b = pb;
	int c = flame_cmp_frames(&a->f, &b->f);

	return c ? c : (a->f.rva > b->f.rva) - (a->f.rva < b->f.rva);
}

/* number: by sym, plus 1 */
static void make_frames(const hist_nodes *nodes, struct flame_tree *out, struct hmap *number)
{
	VEC(struct numbered) v = { 0 };

	for (size_t i = 1; i < nodes->n; i++) {
		const struct hist_sym *s = nodes->v[i].sym;

		if (hmap_get(number, (uintptr_t)s))
			continue;
		hmap_put(number, (uintptr_t)s, out);
		vec_push(&v, ((struct numbered){ frame_of(s), s }));
	}
	if (v.n)
		qsort(v.v, v.n, sizeof(*v.v), cmp_numbered);
	for (size_t i = 0; i < v.n; i++) {
		if (!i || flame_cmp_frames(&v.v[i - 1].f, &v.v[i].f))
			vec_push(&out->frames, v.v[i].f);
		hmap_put(number, (uintptr_t)v.v[i].sym, (void *)(uintptr_t)out->frames.n);
	}
	vec_free(&v);
}

/* In the order of events, before the first sum. */
static void make_tracks(const hist_nodes *nodes, struct flame_tree *out)
{
	for (size_t i = 1; i < nodes->n; i++)
		flame_event_track(out, nodes->v[i].event);
	if (out->tracks.n)
		qsort(out->tracks.v, out->tracks.n, sizeof(*out->tracks.v), flame_by_event);
}

void flame_of_hist(const struct hist *h, struct flame_tree *out)
{
	VEC(struct flame_sum) sums = { 0 };
	struct hmap frame = { 0 };
	hist_nodes nodes = { 0 };
	u32 *map, *number;
	struct cct all;

	*out = (struct flame_tree){ .first_ns = 1, .slice_ns = 1 };
	hist_stacks(h, &nodes);
	make_frames(&nodes, out, &frame);
	make_tracks(&nodes, out);
	map = xcalloc(nodes.n, sizeof(*map));
	cct_init(&all);
	for (size_t i = 1; i < nodes.n; i++)
		map[i] = cct_child(&all, map[nodes.v[i].parent], (u32)(uintptr_t)
				   hmap_get(&frame, (uintptr_t)nodes.v[i].sym) - 1);
	number = xcalloc(all.nodes.n, sizeof(*number));
	flame_order_nodes(&all, out, number);
	for (size_t i = 1; i < nodes.n; i++) {
		const struct hist_total *self = &nodes.v[i].self;
		const u32 track = self->n ? flame_event_track(out, nodes.v[i].event) : 0;

		out->n_samples += self->n;
		out->period += self->period;
		if (self->n)
			vec_push(&sums, ((struct flame_sum){ track, 0, number[map[i]],
							     self->period, self->n }));
	}
	flame_add_sums(out, sums.v, sums.n);
	vec_free(&sums);
	vec_free(&nodes);
	hmap_release(&frame);
	free(number);
	free(map);
	cct_release(&all);
}
