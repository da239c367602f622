/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_TUI_REPORT_TREE_H
#define VIEW_TUI_REPORT_TREE_H
/*
 * A call tree of which some branches are open, as lines. Frames that follow each other with the
 * same weight are one branch: its first frame opens the others, its last one what it branches to.
 * With -g flat a stack is a branch, its first frame opens the others; with -g folded it is a line.
 * Zeroed memory is a closed tree without lines. One owner.
 */
#include "util/analysis/hist/hist.h"
#include "util/base/vec.h"
#include "util/view/chains.h"

struct tree_line {
	u32 node;		/* of the tree: the frame that is named */
	u32 end;		/* flat, folded: of the stack that it is of; else 0 */
	u32 offset;		/* columns on the left */
	char sign;		/* '+': can be opened, '-': is open, ' ' */
	bool value;		/* stands before the name */
	u64 base;		/* what 100 % is */
};

struct tree_lines {
	const struct call_tree *tree;	/* borrowed */
	const struct chain_opts *chain;
	u64 total;			/* of the event: what 100 % is but in fractal trees */
	bool *open;			/* by node; of a stack, by its end */
	struct view_chains chains;	/* flat, folded */
	VEC(struct tree_line) v;
};

/* Makes the lines; all is closed. */
void tree_lines_init(struct tree_lines *t, const struct call_tree *tree,
		     const struct chain_opts *chain, u64 total);
void tree_lines_release(struct tree_lines *t);
/* The branch at this line, or all of them, is opened or closed. */
void tree_lines_set(struct tree_lines *t, size_t line, bool open);
void tree_lines_set_all(struct tree_lines *t, bool open);
/* Opens what is above the node; yields the node's line. */
size_t tree_lines_reveal(struct tree_lines *t, u32 node);
/* What from, a tree of the same row, has too is as open as it is there. Yields what stands in this
 * tree for the node of from; 0: nothing does. */
u32 tree_lines_take(struct tree_lines *t, const struct tree_lines *from, u32 node);
/* The line of a node; SIZE_MAX: it has none. */
size_t tree_lines_find(const struct tree_lines *t, u32 node);
/* Whether there is anything below the row. */
bool tree_has_lines(const struct call_tree *tree);
/* "98.04% leaf" */
void tree_line_text(const struct tree_lines *t, const struct tree_line *l, bool verbose,
		    struct str *out);

#endif
