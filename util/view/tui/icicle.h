/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_TUI_ICICLE_H
#define VIEW_TUI_ICICLE_H
/*
 * A tree of stacks as rows of characters: the outermost frame on top, each as wide as its share,
 * its callees below it. Frames narrower than half a column are not seen. One owner.
 */
#include "util/analysis/flame/flame.h"
#include "util/view/tui/screen.h"

#define ICICLE_NONE UINT32_MAX

/* Where the nodes of a tree are, for one event. */
struct icicle {
	const struct flame_tree *tree;
	struct flame_weights w;
	u32 *depth;		/* by node; of the root 0 */
	u32 *end;		/* by node: the first one that is not below it */
	u64 *from;		/* by node: what is on the left of it, of the root's weight */
};
void icicle_init(struct icicle *p, const struct flame_tree *t, const struct event *event);
void icicle_release(struct icicle *p);	/* safe on a zeroed one */

/* What is shown of it. */
struct icicle_view {
	u32 zoom;		/* as wide as all, as are those above it */
	u32 selected;		/* is at least one column wide; or ICICLE_NONE */
	u32 top;		/* the level that is the first row */
	int rows, cols;
	const bool *match;	/* by frame, or NULL: those that are marked */
	bool utf8, mono;
};
/* Adds to lines, which are empty, as many as there are rows; all are cols wide at most. */
void icicle_draw(const struct icicle *p, const struct icicle_view *v, struct line *lines);
/* The frame there, or ICICLE_NONE. */
u32 icicle_at(const struct icicle *p, const struct icicle_view *v, int row, int col);
/* The next frame of the selected one's level that can be seen, on the right or the left; or
 * ICICLE_NONE. */
u32 icicle_beside(const struct icicle *p, const struct icicle_view *v, bool right);
/* The heaviest one below the node, or ICICLE_NONE. */
u32 icicle_callee(const struct icicle *p, u32 node);
/* How many levels can be seen. */
u32 icicle_levels(const struct icicle *p, const struct icicle_view *v);
double icicle_pct(const struct icicle *p, u64 part);	/* of the whole */
/* Whether node is other, or above it. */
static inline bool icicle_holds(const struct icicle *p, u32 node, u32 other)
{
	return node <= other && other < p->end[node];
}

/* As text of so many columns, for who has no terminal. */
void icicle_text(const struct flame_tree *t, const struct event *event, int cols, struct str *out);
/* "[k] " ... of the kinds that are not user space; "" */
const char *icicle_kind_tag(enum flame_kind kind);

#endif
