// SPDX-License-Identifier: GPL-2.0-or-later
// The JSON renderer of trees of stacks: their names, for the page that draws them.
#include "util/view/flame-draw.h"

#include "util/base/json.h"

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

void flame_json(const struct flame_tree *t, const struct flame_look *l, struct str *out)
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
	if (l->heat_rows) {
		json_key_u64(&j, "heat", l->heat_rows);
		json_key_u64(&j, "heat0", t->first_ns / t->slice_ns % l->heat_rows);
	}
	json_key_str(&j, "event", l->event);
	json_key_u64(&j, "icicle", l->icicle);
	json_key_u64(&j, "inverted", l->inverted);
	json_key(&j, "minwidth");
	json_fixed(&j, l->min_width, 3);
	add_frames(&j, t);
	add_tracks(&j, t);
	json_close(&j, '}');
}
