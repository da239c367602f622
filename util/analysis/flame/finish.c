// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the workers collected, in an order that depends on names only: frames that differ by nothing
 * that is shown are joined, then nodes, then tracks and sums.
 */
#include "util/analysis/flame/flame-priv.h"

#include "util/event/event.h"
#include "util/stream/frame.h"

#define MAX_SLICES 4096

struct finish {
	struct flame *f;
	struct flame_tree *t;
	u32 *frame_ids;			/* of the collector's frames */
	u32 *track_ids, *node_ids;
};

/* ---- frames ---- */

static const char *frame_name(struct arena *a, const char *name, struct dso *d, bool broken)
{
	const struct location l = { .dso = d, .broken = broken };
	struct str s = STR_INIT;
	const char *text;

	if (name)
		return name;
	frame_add_label(&l, &s);
	text = arena_strdup(a, str_cstr(&s));
	str_release(&s);
	return text;
}

static void frame_make(struct finish *fi, u32 id, struct flame_frame *out)
{
	const struct collector *c = fi->f->main;
	const u64 *w = idset_at(&c->frames, id);
	const struct inline_frame *inl = c->inlines.v[id];
	struct dso *d = (struct dso *)(uintptr_t)w[1];

	*out = (struct flame_frame){
		.name = frame_name(&fi->f->arena, (const char *)(uintptr_t)w[0], d, w[2] & 1),
		.dso = d ? d->short_name : "", .kind = (enum flame_kind)(w[2] >> 1),
		.of = d, .rva = c->rvas.v[id], .ends_chain = w[2] & 1 };
	if (inl) {
		out->file = inl->at.file;
		out->line = inl->at.line;
	}
}

int flame_cmp_frames(const struct flame_frame *a, const struct flame_frame *b)
{
	int c = strcmp(a->name, b->name);

	c = c ? c : strcmp(a->dso, b->dso);
	return c ? c : (int)a->kind - (int)b->kind;
}

struct numbered_frame { struct flame_frame f; u32 id; };

static int cmp_numbered(const void *pa, const void *pb)
{
	const struct numbered_frame *a = pa, *b = pb;
	int c = flame_cmp_frames(&a->f, &b->f);

	/* of those that become one, which is kept must not depend on threads */
	c = c ? c : (a->f.of ? a->f.of->index : -1) - (b->f.of ? b->f.of->index : -1);
	c = c ? c : (a->f.rva > b->f.rva) - (a->f.rva < b->f.rva);
	return c ? c : (a->f.line > b->f.line) - (a->f.line < b->f.line);
}

static void join_frames(struct finish *fi)
{
	const size_t n = fi->f->main->frames.n;
	struct numbered_frame *v = xcalloc(n + 1, sizeof(*v));

	fi->frame_ids = xcalloc(n + 1, sizeof(u32));
	for (u32 i = 0; i < n; i++) {
		frame_make(fi, i, &v[i].f);
		v[i].id = i;
	}
	qsort(v, n, sizeof(*v), cmp_numbered);
	for (size_t i = 0; i < n; i++) {
		if (!i || flame_cmp_frames(&v[i - 1].f, &v[i].f))
			vec_push(&fi->t->frames, v[i].f);
		fi->frame_ids[v[i].id] = (u32)fi->t->frames.n - 1;
	}
	free(v);
}

/* ---- nodes ---- */

struct family { u32 parent, frame, node; };

static int cmp_family(const void *pa, const void *pb)
{
	const struct family *a = pa, *b = pb;

	return a->parent != b->parent ? (a->parent > b->parent ? 1 : -1) :
		(a->frame > b->frame) - (a->frame < b->frame);
}

/* The tree over joined frames; map: of the collector's nodes. */
static void join_nodes(struct finish *fi, struct cct *out, u32 *map)
{
	const struct cct *in = &fi->f->main->tree;

	cct_init(out);
	for (size_t i = 1; i < in->nodes.n; i++)
		map[i] = cct_child(out, map[in->nodes.v[i].parent],
				   fi->frame_ids[in->nodes.v[i].tag]);
}

/* Frames are in the order of names, so children by frame are, too. */
static struct family *families_new(const struct cct *t, u32 **first)
{
	const size_t n = t->nodes.n;
	struct family *v = xcalloc(n, sizeof(*v));

	*first = xcalloc(n + 2, sizeof(u32));
	for (size_t i = 1; i < n; i++)
		v[i - 1] = (struct family){ t->nodes.v[i].parent, t->nodes.v[i].tag, (u32)i };
	qsort(v, n - 1, sizeof(*v), cmp_family);
	for (size_t i = 1; i < n; i++)
		(*first)[t->nodes.v[i].parent + 1]++;
	for (size_t i = 0; i <= n; i++)
		(*first)[i + 1] += (*first)[i];
	return v;
}

struct step { u32 at, end, parent; };

/* A node, then all below it, then the next one. Stacks may be deeper than ours. */
void flame_order_nodes(const struct cct *t, struct flame_tree *out, u32 *number)
{
	VEC(struct step) stack = { 0 };
	u32 *first;
	struct family *v = families_new(t, &first);

	vec_push(&out->nodes, ((struct flame_node){ 0, 0 }));
	vec_push(&stack, ((struct step){ first[0], first[1], 0 }));
	while (stack.n) {
		struct step *s = vec_last(&stack);
		u32 node;

		if (s->at == s->end) {
			stack.n--;
			continue;
		}
		node = v[s->at].node;
		number[node] = (u32)out->nodes.n;
		vec_push(&out->nodes, ((struct flame_node){ s->parent, v[s->at].frame }));
		s->at++;
		vec_push(&stack, ((struct step){ first[node], first[node + 1], number[node] }));
	}
	vec_free(&stack);
	free(first);
	free(v);
}

static void make_nodes(struct finish *fi)
{
	const size_t n = fi->f->main->tree.nodes.n;
	u32 *number;
	struct cct joined;

	fi->node_ids = xcalloc(n, sizeof(u32));
	join_nodes(fi, &joined, fi->node_ids);
	number = xcalloc(joined.nodes.n, sizeof(u32));
	flame_order_nodes(&joined, fi->t, number);
	for (size_t i = 0; i < n; i++)
		fi->node_ids[i] = number[fi->node_ids[i]];
	free(number);
	cct_release(&joined);
}

/* ---- tracks ---- */

struct numbered_track { struct flame_track l; u32 id; };

static int cmp_tracks(const struct flame_track *a, const struct flame_track *b)
{
	int c = (a->event ? a->event->index : -1) - (b->event ? b->event->index : -1);

	c = c ? c : (a->pid > b->pid) - (a->pid < b->pid);
	c = c ? c : (a->tid > b->tid) - (a->tid < b->tid);
	return c ? c : strcmp(a->comm, b->comm);
}

static int cmp_numbered_tracks(const void *a, const void *b)
{
	return cmp_tracks(&((const struct numbered_track *)a)->l,
			 &((const struct numbered_track *)b)->l);
}

static void make_tracks(struct finish *fi)
{
	const struct idset *set = &fi->f->main->tracks;
	struct numbered_track *v = xcalloc(set->n + 1, sizeof(*v));

	fi->track_ids = xcalloc(set->n + 1, sizeof(u32));
	for (u32 i = 0; i < set->n; i++) {
		const u64 *w = idset_at(set, i);
		const struct thread *th = (const struct thread *)(uintptr_t)w[1];
		const char *comm = (const char *)(uintptr_t)w[2];
		const struct event *e = (const struct event *)(uintptr_t)w[0];

		v[i].id = i;
		v[i].l = (struct flame_track){ .event = e, .event_name = e ? e->name : "",
					       .pid = th ? th->pid : 0, .tid = th ? th->tid : 0,
					       .comm = comm ? comm : "" };
	}
	for (size_t i = 0; fi->f->off && i < set->n; i++)
		v[i].l.event_name = FLAME_OFF_CPU_EVENT;
	qsort(v, set->n, sizeof(*v), cmp_numbered_tracks);
	for (size_t i = 0; i < set->n; i++) {
		if (!i || cmp_tracks(&v[i - 1].l, &v[i].l))
			vec_push(&fi->t->tracks, v[i].l);
		fi->track_ids[v[i].id] = (u32)fi->t->tracks.n - 1;
	}
	free(v);
}

/* ---- sums ---- */

static int cmp_sums(const void *pa, const void *pb)
{
	const struct flame_sum *a = pa, *b = pb;

	if (a->track != b->track)
		return a->track > b->track ? 1 : -1;
	if (a->slice != b->slice)
		return a->slice > b->slice ? 1 : -1;
	return (a->node > b->node) - (a->node < b->node);
}

static void push_sum(struct flame_tree *t, const struct flame_sum *s)
{
	struct flame_sum *last = t->sums.n ? vec_last(&t->sums) : NULL;

	if (!last || cmp_sums(last, s)) {
		vec_push(&t->sums, *s);
		return;
	}
	last->period += s->period;
	last->n += s->n;
}

void flame_add_sums(struct flame_tree *t, struct flame_sum *v, size_t n)
{
	if (n)
		qsort(v, n, sizeof(*v), cmp_sums);
	for (size_t i = 0; i < n; i++)
		push_sum(t, &v[i]);
}

/* How wide slices are, that there are not too many; shift: what the collector's become by. */
static u64 slice_width(const struct flame *f, unsigned *shift)
{
	const struct flame_tree *t = &f->tree;
	unsigned wide = f->main->shift;

	*shift = 0;
	if (f->o.slice_ns)
		return f->o.slice_ns;
	while (t->first_ns <= t->last_ns &&
	       (t->last_ns >> wide) - (t->first_ns >> wide) >= MAX_SLICES)
		wide++;
	*shift = wide - f->main->shift;
	return 1ULL << wide;
}

static void make_sums(struct finish *fi)
{
	const struct collector *c = fi->f->main;
	struct flame_tree *t = fi->t;
	struct flame_sum *v = xcalloc(c->sums.n + 1, sizeof(*v));
	unsigned shift;
	size_t n = 0;

	t->slice_ns = slice_width(fi->f, &shift);
	for (size_t i = 0; c->sums.slots && i <= c->sums.mask; i++) {
		const struct sum_slot *s = &c->sums.slots[i];
		u64 slice = s->slice >> shift;
		const u64 first = t->first_ns / t->slice_ns;

		if (!s->n)
			continue;
		t->n_samples += s->n;
		t->period += s->period;
		/* samples without a time: the first slice */
		v[n++] = (struct flame_sum){ fi->track_ids[s->track],
					     slice > first ?
					     (u32)MIN(slice - first, (u64)UINT32_MAX - 1) : 0,
					     fi->node_ids[s->node], s->period, s->n };
	}
	flame_add_sums(t, v, n);
	free(v);
}

struct flame_tree *flame_finish(struct flame *f)
{
	struct finish fi = { .f = f, .t = &f->tree };

	if (f->off)
		off_cpu_end(f->off);
	f->tree.first_ns = f->main->first_ns;
	f->tree.last_ns = f->main->last_ns;
	join_frames(&fi);
	make_nodes(&fi);
	make_tracks(&fi);
	make_sums(&fi);
	free(fi.frame_ids);
	free(fi.track_ids);
	free(fi.node_ids);
	return fi.t;
}

u32 flame_event_track(struct flame_tree *t, const struct event *e)
{
	for (u32 i = 0; i < t->tracks.n; i++)
		if (t->tracks.v[i].event == e)
			return i;
	vec_push(&t->tracks, ((struct flame_track){ .event = e, .comm = "",
						    .event_name = e->name }));
	return (u32)t->tracks.n - 1;
}

int flame_by_event(const void *pa, const void *pb)
{
	const struct flame_track *a = pa, *b = pb;

	return a->event->index - b->event->index;
}
