/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_FLAME_DRAW_H
#define VIEW_FLAME_DRAW_H
/*
 * A tree of stacks as a flame graph: a page of HTML that needs nothing else, a drawing (SVG), and
 * folded text, which is a line for each stack: "comm;outermost;...;innermost weight". Names are
 * data wherever they stand. Nothing is kept.
 */
#include "util/analysis/flame/flame.h"
#include "util/base/str.h"

struct flame_look {
	const char *title;		/* NULL: a default */
	const char *subtitle;		/* NULL: none */
	/* px: narrower frames are left out; < 0: a default */
	double min_width;
	int width, height;		/* px: of the SVG, of its rows; 0: defaults */
	/* the page: a heat map above it, with so many rows of a second; 0: none. The tree's
	 * slices are its cells */
	u32 heat_rows;
	const char *event;		/* the one that is shown at first; NULL: the first */
	const struct str *waits;	/* the page: JSON of why_json(); NULL: none */
	bool icicle, inverted;		/* how it is shown at first */
};

/* event: whose stacks; NULL: all. Of two joined recordings a line ends with what it weighs in the
 * old and in the new one, and has no comm. */
void flame_folded(const struct flame_tree *t, const struct event *event, struct str *out);
void flame_svg(const struct flame_tree *t, const struct event *event, const struct flame_look *l,
	       struct str *out);
/* What the page has as JSON: how it looks at first, and the names of frames, files, events and
 * tracks, each once; nodes and sums refer to them by number. */
void flame_json(const struct flame_tree *t, const struct flame_look *l, struct str *out);
void flame_html(const struct flame_tree *t, const struct flame_look *l, struct str *out);

#endif
