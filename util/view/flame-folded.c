// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/flame-draw.h"

#include <stdlib.h>

static void add_stack(const struct flame_tree *t, u32 node, struct str *out)
{
	VEC(u32) path = { 0 };

	for (; node; node = t->nodes.v[node].parent)
		vec_push(&path, t->nodes.v[node].frame);
	for (size_t i = path.n; i-- > 0;) {
		str_addch(out, ';');
		str_add_folded(out, t->frames.v[path.v[i]].name);
	}
	vec_free(&path);
}

struct folded { const char *comm; u32 node; u64 period[2]; };

static int cmp_folded(const void *pa, const void *pb)
{
	const struct folded *a = pa, *b = pb;
	int c = strcmp(a->comm, b->comm);

	return c ? c : (a->node > b->node) - (a->node < b->node);
}

static void add_line(const struct flame_tree *t, const struct folded *f, struct str *out)
{
	const size_t from = out->len;

	if (!t->joined)
		str_add_folded(out, f->comm);
	add_stack(t, f->node, out);
	if (t->joined && out->len > from)	/* the first ; */
		memmove(out->buf + from, out->buf + from + 1, out->len-- - from);
	for (int i = !t->joined; i < 2; i++) {
		str_addch(out, ' ');
		str_add_u64(out, f->period[i]);
	}
	str_addch(out, '\n');
}

void flame_folded(const struct flame_tree *t, const struct event *event, struct str *out)
{
	VEC(struct folded) v = { 0 };

	for vec_each(s, &t->sums) {
		const struct flame_track *l = &t->tracks.v[s->track];
		struct folded f = { .comm = l->comm, .node = s->node };

		f.period[t->joined ? l->side : 1] = s->period;
		if (!event || l->event == event)
			vec_push(&v, f);
	}
	if (v.n)
		qsort(v.v, v.n, sizeof(*v.v), cmp_folded);
	for (size_t i = 0; i < v.n; i++) {
		if (i + 1 < v.n && !cmp_folded(&v.v[i], &v.v[i + 1])) {
			v.v[i + 1].period[0] += v.v[i].period[0];
			v.v[i + 1].period[1] += v.v[i].period[1];
			continue;
		}
		add_line(t, &v.v[i], out);
	}
	vec_free(&v);
}
