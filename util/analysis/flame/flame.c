// SPDX-License-Identifier: GPL-2.0-or-later
// What is collected, and by which sink.
#include "util/analysis/flame/flame-priv.h"

#define DEFAULT_SUMS (4 << 20)

struct flame *flame_new(const struct flame_opts *o)
{
	struct flame *f = xnew(struct flame);

	f->o = *o;
	if (!f->o.max_sums)
		f->o.max_sums = DEFAULT_SUMS;
	f->main = collector_new(f);
	if (o->off_cpu)
		f->off = off_cpu_new(f, o->off_cpu);
	return f;
}

struct flame_tree *flame_tree_of(struct flame *f) { return &f->tree; }

struct sink *flame_sink(struct flame *f)
{
	return f->off ? off_cpu_sink(f->off) : &f->main->sink;
}

void flame_free(struct flame *f)
{
	if (!f)
		return;
	off_cpu_free(f->off);
	collector_free(f->main);
	vec_free(&f->tree.frames);
	vec_free(&f->tree.nodes);
	vec_free(&f->tree.tracks);
	vec_free(&f->tree.sums);
	arena_release(&f->arena);
	free(f);
}
