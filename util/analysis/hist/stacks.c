// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A histogram whose only column of frames is a struct stack_frame: its tree is the result. Ids of
 * the histogram depend on the threads' race; they are given anew in the order of the tree's nodes,
 * which is that of the file.
 */
#include "util/analysis/hist/stacks.h"

#include "util/analysis/hist/hist-priv.h"
#include "util/stream/frame.h"

#define NONE UINT32_MAX

struct numbers { u32 *v; size_t n, cap; };	/* as VEC(u32) */

struct stacks {
	struct stacks_opts opts;
	struct hist_keys keys;
	struct hist *hist;
	pthread_mutex_t lock;
	struct idset idents;		/* of frames */
	VEC(struct stack_frame *) known;	/* by ident */
	struct hmap dso_labels;		/* dso -> interned path and build-id */
	/* that -> the first dso of it in the store, which does not depend on threads */
	struct hmap dso_first;
	struct arena arena;
	struct hmap outermost;		/* root's node and frame -> node of the result */
	/* by node of the histogram, by ident, by root: number in the result */
	struct numbers node_of, frame_of, root_of;
	VEC(struct stack_node) nodes;
	VEC(struct stack_frame) frames;
	VEC(struct stack_root) roots;
	int col_comm, col_pid, col_tid;	/* in a group's words; -1: not there */
};

static inline struct stacks *of_keys(const struct key_ctx *c)
{
	return (struct stacks *)((char *)c->keys - offsetof(struct stacks, keys));
}

/* ---- frames ---- */

/* One file may have come as several dsos. With the lock held. */
static const char *dso_label(struct stacks *st, const struct dso *d)
{
	const char *label = d ? hmap_get(&st->dso_labels, (uintptr_t)d) : NULL;
	const struct dso *first;
	struct str s = STR_INIT;

	if (label || !d)
		return label;
	build_id_add(&s, &d->id);
	str_addf(&s, " %s", d->path ? d->path : "");
	label = intern_str(st->keys.names, s.buf);
	hmap_put(&st->dso_labels, (uintptr_t)d, (void *)label);
	first = hmap_get(&st->dso_first, (uintptr_t)label);
	if (!first || d->index < first->index)
		hmap_put(&st->dso_first, (uintptr_t)label, (void *)d);
	str_release(&s);
	return label;
}

static const char *frame_name(struct stacks *st, const struct location *l)
{
	struct str s = STR_INIT;
	const char *name;

	frame_add_label(l, &s);
	name = intern_str(st->keys.names, str_cstr(&s));
	str_release(&s);
	return name;
}

/* Where execution is in this frame: in the function that inlined others, at the call. */
static struct srcline frame_line(const struct location *l)
{
	const struct inline_frame *inl;
	struct srcline at = { 0 };
	size_t n;

	if (l->inl)
		return l->inl->at;
	if (!l->dso)
		return at;
	n = l->sym ? dso_inlines(l->dso, l->rva, &inl) : 0;
	if (n > 1)
		return inl[n - 1].at;
	dso_srcline(l->dso, l->rva, &at);
	return at;
}

static void describe(struct stacks *st, const struct location *l, struct stack_frame *f)
{
	const enum stacks_detail detail = st->opts.detail;
	struct srcline at = { 0 };

	*f = (struct stack_frame){ .name = frame_name(st, l),
				   .unnamed = !frame_function(l) };
	if (detail == STACKS_NAMES)
		return;
	f->dso = l->dso;
	f->cpumode = l->cpumode;
	f->inlined = l->inl && l->inline_depth;
	f->jit = hist_is_jit(l->dso);
	if (l->sym && !f->inlined && !f->jit)
		f->func_rva = l->sym->start_rva;
	if (detail == STACKS_ADDRESSES)
		f->rva = l->dso ? l->rva : l->va;
	if (detail == STACKS_LINES || (detail == STACKS_ADDRESSES && st->opts.lines))
		at = frame_line(l);
	f->file = at.file ? intern_str(st->keys.names, at.file) : NULL;
	f->line = at.line;
}

static u64 frame_word(const struct key_ctx *c, const struct key *k UNUSED)
{
	struct stacks *st = of_keys(c);
	struct stack_frame f;
	u64 ident[6];
	u32 id;

	describe(st, c->loc, &f);
	pthread_mutex_lock(&st->lock);
	ident[0] = (uintptr_t)f.name;
	ident[1] = (uintptr_t)dso_label(st, f.dso);
	ident[2] = f.func_rva;
	ident[3] = f.rva;
	ident[4] = (uintptr_t)f.file;
	ident[5] = (u64)f.line << 16 | f.cpumode << 8 | f.unnamed << 2 | f.inlined << 1 | f.jit;
	id = idset_get(&st->idents, ident);
	if (id == st->known.n)
		vec_push(&st->known, arena_dup(&st->arena, &f, sizeof(f)));
	pthread_mutex_unlock(&st->lock);
	return id;
}

/* ---- roots ---- */

static u64 comm_word(const struct key_ctx *c, const struct key *k UNUSED)
{
	const struct comm *comm = c->item->res->comm;

	return (uintptr_t)(comm ? comm->name : "");
}

static u64 pid_word(const struct key_ctx *c, const struct key *k UNUSED)
{
	return c->item->res->thread ? c->item->res->thread->pid : c->item->sample->pid;
}

static u64 tid_word(const struct key_ctx *c, const struct key *k UNUSED)
{
	return c->item->res->thread ? c->item->res->thread->tid : c->item->sample->tid;
}

static const struct key_def def_frame = { .name = "frame", .level = KEY_FRAME,
					  .word = frame_word, .needs_line = true };
static const struct key_def def_comm = { .name = "comm", .level = KEY_SAMPLE, .word = comm_word };
static const struct key_def def_pid = { .name = "pid", .level = KEY_SAMPLE, .word = pid_word };
static const struct key_def def_tid = { .name = "tid", .level = KEY_SAMPLE, .word = tid_word };

static int add_column(struct stacks *st, bool wanted, const struct key_def *def)
{
	if (!wanted)
		return -1;
	vec_push(&st->keys.cols, ((struct key){ .def = def }));
	return (int)st->keys.n_sample_keys++;
}

struct stacks *stacks_new(const struct stacks_opts *opts)
{
	struct stacks *st = xnew(struct stacks);
	struct hist_opts ho = { .keys = &st->keys, .chains = true, .no_inline = opts->no_inline };
	struct err err = { 0 };

	st->opts = *opts;
	st->keys.names = intern_new();
	st->col_comm = add_column(st, opts->by_comm, &def_comm);
	st->col_pid = add_column(st, opts->by_pid, &def_pid);
	st->col_tid = add_column(st, opts->by_tid, &def_tid);
	vec_push(&st->keys.cols, ((struct key){ .def = &def_frame }));
	st->keys.n_frame_keys = 1;
	pthread_mutex_init(&st->lock, NULL);
	idset_init(&st->idents, 6);
	st->hist = hist_new(&ho, &err);	/* without filters nothing can fail */
	hist_sink(st->hist)->wants |= SINK_LEAF;
	return st;
}

struct sink *stacks_sink(struct stacks *st) { return hist_sink(st->hist); }

/* ---- the result ---- */

/* by index, where it is known yet; else NONE */
static u32 *slot(struct numbers *of, size_t i)
{
	while (of->n <= i)
		vec_push(of, NONE);
	return &of->v[i];
}

static u32 root_number(struct stacks *st, u32 id)
{
	const u64 *r = idset_at(&st->hist->sh.roots, id), *words;
	struct stack_root root = { 0 };
	u32 *number = slot(&st->root_of, id);

	if (*number != NONE)
		return *number;
	words = idset_at(&st->hist->sh.gids, (u32)r[0]);
	if (r[1] < st->opts.events->events.n)
		root.event = st->opts.events->events.v[r[1]];
	if (st->col_comm >= 0)
		root.comm = (const char *)(uintptr_t)words[st->col_comm];
	if (st->col_pid >= 0)
		root.pid = (u32)words[st->col_pid];
	if (st->col_tid >= 0)
		root.tid = (u32)words[st->col_tid];
	*number = (u32)st->roots.n;
	vec_push(&st->roots, root);
	return *number;
}

static u32 frame_number(struct stacks *st, u32 fid)
{
	const u32 ident = (u32)*idset_at(&st->hist->sh.fids, fid);
	u32 *number = slot(&st->frame_of, ident);
	struct stack_frame *frame;

	if (*number == NONE) {
		*number = (u32)st->frames.n;
		frame = vec_add(&st->frames);
		*frame = *st->known.v[ident];
		frame->dso = hmap_get(&st->dso_first, (uintptr_t)dso_label(st, frame->dso));
	}
	return *number;
}

static u32 new_node(struct stacks *st, u32 parent, u32 what)
{
	vec_push(&st->nodes, ((struct stack_node){ .parent = parent, .what = what }));
	return (u32)st->nodes.n - 1;
}

/* Elsewhere each node of the histogram is one here; but what is below a root may be known as a
 * leaf, and as a chain of one. */
static u32 outermost(struct stacks *st, u32 root, u32 frame)
{
	const u64 key = (u64)root << 32 | frame;
	uintptr_t node = (uintptr_t)hmap_get(&st->outermost, key);

	if (!node) {
		node = new_node(st, root, frame);
		hmap_put(&st->outermost, key, (void *)node);
	}
	return (u32)node;
}

/* A leaf that the chain does not have as its innermost frame is none of its own. */
static u32 place(struct stacks *st, const struct cct_node *n)
{
	const u32 parent = st->node_of.v[n->parent];
	u32 what;

	if (n->tag & TAG_ROOT)
		return new_node(st, 0, root_number(st, n->tag & ~TAG_ROOT));
	if (n->tag & TAG_LEAF && st->nodes.v[parent].parent)
		return parent;
	what = n->tag & TAG_LEAF ? n->tag & TAG_LOC_MASK : st->hist->sh.loc_fid.v[n->tag];
	what = frame_number(st, what);
	return st->nodes.v[parent].parent ? new_node(st, parent, what) :
		outermost(st, parent, what);
}

/* All nodes of the histogram that have no place yet. */
static void place_new(struct stacks *st)
{
	const struct cct *from = &st->hist->main->tree;

	if (!st->nodes.n) {
		vec_add(&st->nodes);
		vec_push(&st->node_of, 0);
	}
	for (size_t i = st->node_of.n; i < from->nodes.n; i++)
		vec_push(&st->node_of, place(st, &from->nodes.v[i]));
}

u32 stacks_add(struct stacks *st, const struct sink_item *it)
{
	hist_sink(st->hist)->samples(hist_sink(st->hist), it, 1);
	place_new(st);
	return st->node_of.v[st->hist->main->last_node];
}

void stacks_finish(struct stacks *st)
{
	const struct cct *from = &st->hist->main->tree;

	place_new(st);
	for (size_t i = 1; i < from->nodes.n; i++) {
		struct stack_node *to = &st->nodes.v[st->node_of.v[i]];

		to->period += from->nodes.v[i].self;
		to->n += from->nodes.v[i].self_n;
	}
}

void stacks_free(struct stacks *st)
{
	if (!st)
		return;
	hist_free(st->hist);
	hmap_release(&st->outermost);
	vec_free(&st->node_of);
	vec_free(&st->frame_of);
	vec_free(&st->root_of);
	vec_free(&st->nodes);
	vec_free(&st->frames);
	vec_free(&st->roots);
	vec_free(&st->known);
	idset_release(&st->idents);
	hmap_release(&st->dso_labels);
	hmap_release(&st->dso_first);
	arena_release(&st->arena);
	hist_keys_release(&st->keys);
	pthread_mutex_destroy(&st->lock);
	free(st);
}

size_t stacks_n_nodes(const struct stacks *st) { return st->nodes.n; }
const struct stack_node *stacks_nodes(const struct stacks *st) { return st->nodes.v; }
size_t stacks_n_frames(const struct stacks *st) { return st->frames.n; }
const struct stack_frame *stacks_frames(const struct stacks *st) { return st->frames.v; }
size_t stacks_n_roots(const struct stacks *st) { return st->roots.n; }
const struct stack_root *stacks_roots(const struct stacks *st) { return st->roots.v; }
