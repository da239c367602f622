// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The page: what is in util/view/flame-page, with names as JSON, and the tree and the sums as
 * numbers of variable length in base64. Whatever is chosen in it is added up there.
 */
#include "util/view/flame-draw.h"

#include <stdlib.h>

#include "util/base/protobuf.h"
#include "util/view/page.h"
#include "util/view/xml.h"

static const char page[] = {
#include "util/view/flame-page.inc"
	0
};

/* ---- numbers, of variable length as those of protobuf ---- */

static void add_base64(struct str *out, const struct str *in)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const u8 *p = (const u8 *)in->buf;
	char *to;

	str_reserve(out, in->len / 3 * 4 + 8);
	to = out->buf + out->len;
	for (size_t i = 0; i < in->len; i += 3) {
		const size_t left = in->len - i;
		const u32 w = (u32)p[i] << 16 | (left > 1 ? (u32)p[i + 1] << 8 : 0) |
			(left > 2 ? p[i + 2] : 0);

		*to++ = digits[w >> 18];
		*to++ = digits[w >> 12 & 63];
		*to++ = left > 1 ? digits[w >> 6 & 63] : '=';
		*to++ = left > 2 ? digits[w & 63] : '=';
	}
	out->len = (size_t)(to - out->buf);
	*to = '\0';
}

/* For each node: its frame, doubled, and 1 more where levels are left before it: then how many. */
static void add_nodes(const struct flame_tree *t, struct str *out)
{
	u32 *depth = xcalloc(t->nodes.n, sizeof(*depth)), left;

	for (size_t i = 1; i < t->nodes.n; i++) {
		depth[i] = depth[t->nodes.v[i].parent] + 1;
		left = depth[i - 1] + 1 - depth[i];
		pb_varint(out, (u64)t->nodes.v[i].frame << 1 | !!left);
		if (left)
			pb_varint(out, left);
	}
	free(depth);
}

static int cmp_sums(const void *pa, const void *pb)
{
	const struct flame_sum *a = pa, *b = pb;

	if (a->node != b->node)
		return a->node > b->node ? 1 : -1;
	if (a->track != b->track)
		return a->track > b->track ? 1 : -1;
	return (a->slice > b->slice) - (a->slice < b->slice);
}

/* In the order of nodes, then tracks, then slices: the number of samples, times eight; 4 more where
 * each weighs what those before them on the track did, 2 where the track is another one than
 * before, 1 where the node is. Then the nodes in between, the track, the slice (of the same node
 * and track as the difference) and the period, as far as they are not said yet. */
static void add_sums(const struct flame_tree *t, struct str *out)
{
	const size_t n = t->sums.n;
	struct flame_sum *v = xmalloc((n + 1) * sizeof(*v)), last = { 0 };
	u64 *each = xcalloc(t->tracks.n + 1, sizeof(*each));

	if (n) {
		memcpy(v, t->sums.v, n * sizeof(*v));
		qsort(v, n, sizeof(*v), cmp_sums);
	}
	for (size_t i = 0; i < n; last = v[i++]) {
		const struct flame_sum *s = &v[i];
		const bool moved = s->node != last.node, other = s->track != last.track;
		const bool same = each[s->track] && s->period == each[s->track] * s->n;

		pb_varint(out, s->n << 3 | same << 2 | other << 1 | moved);
		if (moved)
			pb_varint(out, s->node - last.node);
		if (other)
			pb_varint(out, s->track);
		pb_varint(out, moved || other ? s->slice : s->slice - last.slice);
		if (!same)
			pb_varint(out, s->period);
		each[s->track] = s->period % s->n ? 0 : s->period / s->n;
	}
	free(v);
	free(each);
}

void flame_html(const struct flame_tree *t, const struct flame_look *l, struct str *out)
{
	struct str bytes = STR_INIT, meta = STR_INIT;
	const char *part = page_part(page, out);

	xml_add(out, l->title ? l->title : "Flame graph");
	part = page_part(part, out);
	flame_json(t, l, &meta);
	page_json(out, &meta);
	part = page_part(part, out);
	add_nodes(t, &bytes);
	add_sums(t, &bytes);
	add_base64(out, &bytes);
	part = page_part(part, out);
	if (l->waits)
		page_json(out, l->waits);
	page_part(part, out);
	str_release(&bytes);
	str_release(&meta);
}
