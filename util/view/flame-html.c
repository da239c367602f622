// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The page: what is in util/view/flame-page, with names as JSON, and the tree and the sums as
 * numbers of variable length in base64. Whatever is chosen in it is added up there.
 */
#include "util/view/flame-draw.h"

#include "util/base/json.h"
#include "util/view/xml.h"

static const char page[] = {
#include "util/view/flame-page.inc"
	0
};

/* ---- numbers ---- */

/* Seven bits a byte, the lowest first; all but the last have the eighth. */
static void add_num(struct str *out, u64 v)
{
	u8 b[10];
	size_t n = 0;

	for (; v >= 0x80; v >>= 7)
		b[n++] = (u8)v | 0x80;
	b[n++] = (u8)v;
	str_addn(out, b, n);
}

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
		add_num(out, depth[i - 1] + 1 - depth[i]);
		add_num(out, t->nodes.v[i].frame);
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

		add_num(out, s->track - last.track);
		add_num(out, track ? s->slice - last.slice : s->slice);
		add_num(out, slice ? s->node - last.node : s->node);
		add_num(out, s->n << 1 | same);
		if (!same)
			add_num(out, s->period);
		each = s->period % s->n ? 0 : s->period / s->n;
		last = *s;
	}
}

/* ---- names ---- */

/* Texts by number, each once. */
struct names { struct strmap at; VEC(const char *) v; };

static u64 number_of(struct names *n, const char *text)
{
	const u64 known = (uintptr_t)strmap_get(&n->at, text);

	if (known)
		return known - 1;
	vec_push(&n->v, text);
	strmap_put(&n->at, text, (void *)(uintptr_t)n->v.n);
	return n->v.n - 1;
}

static void add_list(struct json *j, const char *key, const struct names *n)
{
	json_key(j, key);
	json_open(j, '[');
	for vec_each(text, &n->v)
		json_str(j, *text);
	json_close(j, ']');
}

static void names_release(struct names *n)
{
	strmap_release(&n->at);
	vec_free(&n->v);
}

static void add_frames(struct json *j, const struct flame_tree *t)
{
	struct names dsos = { 0 }, files = { 0 };

	json_key(j, "names");
	json_open(j, '[');
	for vec_each(f, &t->frames)
		json_str(j, f->name);
	json_close(j, ']');
	json_key(j, "kinds");
	json_open(j, '[');
	for vec_each(f, &t->frames)
		json_u64(j, f->kind);
	json_close(j, ']');
	json_key(j, "dso");
	json_open(j, '[');
	for vec_each(f, &t->frames)
		json_u64(j, number_of(&dsos, f->dso));
	json_close(j, ']');
	/* number of the file and line; 0 and 0: unknown */
	json_key(j, "lines");
	json_open(j, '[');
	number_of(&files, "");
	for vec_each(f, &t->frames) {
		json_u64(j, f->file ? number_of(&files, f->file) : 0);
		json_u64(j, f->file ? f->line : 0);
	}
	json_close(j, ']');
	add_list(j, "dsos", &dsos);
	add_list(j, "files", &files);
	names_release(&dsos);
	names_release(&files);
}

/* Events in the order of tracks; tracks as [event, pid, tid, comm, side]. */
static void add_tracks(struct json *j, const struct flame_tree *t)
{
	struct names comms = { 0 };
	const struct event *last = NULL;
	u64 event = 0;

	json_key(j, "tracks");
	json_open(j, '[');
	for vec_each(l, &t->tracks) {
		event += l->event != last && l != t->tracks.v;
		last = l->event;
		json_u64(j, event);
		json_u64(j, l->pid);
		json_u64(j, l->tid);
		json_u64(j, number_of(&comms, l->comm));
	}
	json_close(j, ']');
	add_list(j, "comms", &comms);
	for (size_t i = 0; t->joined && i < t->tracks.n; i++) {
		if (!i) {
			json_key(j, "sides");
			json_open(j, '[');
		}
		json_u64(j, t->tracks.v[i].side);
		if (i + 1 == t->tracks.n)
			json_close(j, ']');
	}
	json_key(j, "events");
	json_open(j, '[');
	last = NULL;
	for vec_each(l, &t->tracks) {
		if (l != t->tracks.v && l->event == last)
			continue;
		last = l->event;
		json_str(j, flame_event_name(t, last));
	}
	json_close(j, ']');
	names_release(&comms);
}

static void add_meta(struct str *out, const struct flame_tree *t, const struct flame_look *l)
{
	struct json j;

	json_init(&j, out);
	json_open(&j, '{');
	json_key_str(&j, "title", l->title);
	json_key_str(&j, "subtitle", l->subtitle);
	json_key_u64(&j, "nodes", t->nodes.n);
	json_key_u64(&j, "sums", t->sums.n);
	json_key_u64(&j, "timed", t->first_ns <= t->last_ns);
	json_key_u64(&j, "from", t->first_ns <= t->last_ns ? t->first_ns : 0);
	json_key_u64(&j, "to", t->first_ns <= t->last_ns ? t->last_ns : 0);
	json_key_u64(&j, "slice", t->slice_ns);
	json_key_u64(&j, "icicle", l->icicle);
	json_key_u64(&j, "inverted", l->inverted);
	json_key(&j, "minwidth");
	json_fixed(&j, l->min_width, 3);
	add_frames(&j, t);
	add_tracks(&j, t);
	json_close(&j, '}');
}

/* Within an element of HTML: no text may end it, or begin a comment. */
static void add_json(struct str *out, const struct str *json)
{
	for (size_t i = 0; i < json->len; i++) {
		if (json->buf[i] == '<')
			str_add(out, "\\u003c");
		else
			str_addch(out, json->buf[i]);
	}
}

static const char *next_part(const char *part, struct str *out)
{
	str_add(out, part);
	return part + strlen(part) + 1;
}

void flame_html(const struct flame_tree *t, const struct flame_look *l, struct str *out)
{
	struct str bytes = STR_INIT, meta = STR_INIT;
	const char *part = next_part(page, out);

	xml_add(out, l->title ? l->title : "Flame graph");
	part = next_part(part, out);
	add_meta(&meta, t, l);
	add_json(out, &meta);
	part = next_part(part, out);
	add_nodes(t, &bytes);
	add_sums(t, &bytes);
	add_base64(out, &bytes);
	next_part(part, out);
	str_release(&bytes);
	str_release(&meta);
}
