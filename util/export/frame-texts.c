// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/frame-texts.h"

void frame_texts_release(struct frame_texts *t)
{
	arena_release(&t->arena);
	vec_free(&t->texts);
	vec_free(&t->chain);
	str_release(&t->scratch);
}

static void make_new(struct frame_texts *t, const struct stacks *st)
{
	for (size_t i = t->texts.n; i < stacks_n_frames(st); i++) {
		struct span text;

		str_reset(&t->scratch);
		t->make(&t->scratch, &stacks_frames(st)[i]);
		text.len = t->scratch.len;
		text.ptr = arena_dup(&t->arena, str_cstr(&t->scratch), text.len);
		vec_push(&t->texts, text);
	}
}

void frame_texts_add(struct frame_texts *t, const struct stacks *st, u32 node, bool caller_first,
		     struct str *out)
{
	const struct stack_node *nodes = stacks_nodes(st);
	const size_t n_sep = strlen(t->sep);
	size_t n;

	make_new(t, st);
	vec_clear(&t->chain);
	for (; nodes[node].parent; node = nodes[node].parent)
		vec_push(&t->chain, nodes[node].what);
	n = t->chain.n;
	for (size_t i = 0; i < n; i++) {
		const struct span text = t->texts.v[t->chain.v[caller_first ? n - 1 - i : i]];

		if (i)
			str_addn(out, t->sep, n_sep);
		str_addn(out, text.ptr, text.len);
	}
}
