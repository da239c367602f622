// SPDX-License-Identifier: GPL-2.0-or-later
// The page of a heat map of pairs: what is in util/view/heat-page, with its cells as JSON.
#include "util/view/heatmap-draw.h"

#include "util/view/page.h"
#include "util/view/xml.h"

static const char page[] = {
#include "util/view/heatmap-page.inc"
	0
};

void heatmap_html(const struct heatmap *h, const struct pairs_stats *pairs,
		  const struct heatmap_look *l, struct str *out)
{
	struct str json = STR_INIT;
	const char *part = page_part(page, out);

	xml_add(out, l->title ? l->title : "Heat map");
	part = page_part(part, out);
	heatmap_json(h, pairs, l, &json);
	page_json(out, &json);
	page_part(part, out);
	str_release(&json);
}
