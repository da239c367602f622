// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The page: what is in util/view/flame-page, with names as JSON, and the tree and the sums as
 * numbers of variable length in base64. Whatever is chosen in it is added up there.
 */
#include "util/view/flame-draw.h"

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

/* For each node: how many levels are left before it, and its frame. */
static void add_nodes(const struct flame_tree *t, struct str *out)
{
	u32 *depth = xcalloc(t->nodes.n, sizeof(*depth));

	for (size_t i = 1; i < t->nodes.n; i++) {
		depth[i] = depth[t->nodes.v[i].parent] + 1;
		pb_varint(out, depth[i - 1] + 1 - depth[i]);
		pb_varint(out, t->nodes.v[i].frame);
	}
	free(depth);
}

/* Track, slice and node as differences while those before them are the same; then the number of
 * samples, doubled, and 1 more where each weighs what those before them did: else the period. */
static void add_sums(const struct flame_tree *t, struct str *out)
{
	struct flame_sum last = { 0 };
	u64 each = 0;

	for vec_each(s, &t->sums) {
		const bool track = s->track == last.track;
		const bool slice = track && s->slice == last.slice;
		const bool same = track && each && s->period == each * s->n;

		pb_varint(out, s->track - last.track);
		pb_varint(out, track ? s->slice - last.slice : s->slice);
		pb_varint(out, slice ? s->node - last.node : s->node);
		pb_varint(out, s->n << 1 | same);
		if (!same)
			pb_varint(out, s->period);
		each = s->period % s->n ? 0 : s->period / s->n;
		last = *s;
	}
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
	page_part(part, out);
	str_release(&bytes);
	str_release(&meta);
}
