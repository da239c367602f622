/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_HEATMAP_DRAW_H
#define VIEW_HEATMAP_DRAW_H
/*
 * A heat map as text, as JSON (its cells), and that of pairs as a page of HTML that needs nothing
 * else; that of samples is part of the page of their flame graph (flame_html()). Texts are data
 * wherever they stand. Nothing is kept.
 */
#include "util/analysis/heatmap/heatmap.h"
#include "util/analysis/heatmap/pairs.h"
#include "util/base/str.h"

struct heatmap_look {
	const char *title;		/* NULL: none */
	const char *subtitle;		/* NULL: none */
	const char *what;		/* the event, or both */
	int width;			/* of the text, in characters; 0: 100 */
	bool ascii;
};

/* pairs NULL: it is of samples. */
void heatmap_text(const struct heatmap *h, const struct pairs_stats *pairs,
		  const struct heatmap_look *l, struct str *out);
void heatmap_json(const struct heatmap *h, const struct pairs_stats *pairs,
		  const struct heatmap_look *l, struct str *out);
void heatmap_html(const struct heatmap *h, const struct pairs_stats *pairs,
		  const struct heatmap_look *l, struct str *out);

#endif
