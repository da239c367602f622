// SPDX-License-Identifier: GPL-2.0-or-later
// A picture of what was counted in stacks: frames by name only.
#include <stdlib.h>
#include <string.h>

#include "util/analysis/flame/flame-priv.h"
#include "util/analysis/stack-set.h"
#include "util/event/event.h"

struct numbered { struct flame_frame f; u32 id; };

static struct flame_frame frame_of(const struct stack_name *s)
{
	return (struct flame_frame){
		.name = s->text, .dso = "",
		.kind = s->inlined ? FLAME_INLINED : s->text[0] == '[' ? FLAME_UNNAMED : FLAME_USER
	};
}

static int cmp_numbered(const void *pa, const void *pb)
{
	const struct numbered *a = pa, *b = pb;
	const int c = flame_cmp_frames(&a->f, &b->f);

	return c ? c : (a->id > b->id) - (a->id < b->id);
}

/* number: by the set's frame */
static void make_frames(const struct stack_set *set, struct flame_tree *out, u32 *number)
{
	VEC(struct numbered) v = { 0 };

	for (size_t i = 0; i < set->frames.n; i++)
		vec_push(&v, ((struct numbered){ frame_of(&set->frames.v[i]), (u32)i }));
	if (v.n)
		qsort(v.v, v.n, sizeof(*v.v), cmp_numbered);
	for (size_t i = 0; i < v.n; i++) {
		if (!i || flame_cmp_frames(&v.v[i - 1].f, &v.v[i].f))
			vec_push(&out->frames, v.v[i].f);
		number[v.v[i].id] = (u32)out->frames.n - 1;
	}
	vec_free(&v);
}

void flame_of_stacks(const struct stack_set *set, const struct flame_stack *v, size_t n,
		     struct flame_tree *out)
{
	const struct cct_node *nodes = set->tree.nodes.v;
	u32 *frame = xcalloc(set->frames.n + 1, sizeof(*frame)), *map, *number;
	VEC(struct flame_sum) sums = { 0 };
	struct cct all;

	*out = (struct flame_tree){ .first_ns = 1, .slice_ns = 1 };
	make_frames(set, out, frame);
	for (size_t i = 0; i < n; i++)
		flame_event_track(out, v[i].event);
	if (out->tracks.n)
		qsort(out->tracks.v, out->tracks.n, sizeof(*out->tracks.v), flame_by_event);
	map = xcalloc(set->tree.nodes.n + 1, sizeof(*map));
	cct_init(&all);
	for (size_t i = 1; i < set->tree.nodes.n; i++)
		map[i] = cct_child(&all, map[nodes[i].parent], frame[nodes[i].tag]);
	number = xcalloc(all.nodes.n, sizeof(*number));
	flame_order_nodes(&all, out, number);
	for (size_t i = 0; i < n; i++) {
		out->n_samples += v[i].n;
		out->period += v[i].period;
		vec_push(&sums, ((struct flame_sum){ flame_event_track(out, v[i].event), 0,
			 number[map[v[i].node]], v[i].period, v[i].n }));
	}
	flame_add_sums(out, sums.v, sums.n);
	vec_free(&sums);
	free(number);
	free(map);
	free(frame);
	cct_release(&all);
}
