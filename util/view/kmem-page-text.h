/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_KMEM_PAGE_TEXT_H
#define VIEW_KMEM_PAGE_TEXT_H
/*
 * What the page allocator was asked for as upstream perf prints it: tables of kmem_page_tables().
 * Any thread.
 */
#include "util/analysis/kmem-page.h"
#include "util/base/str.h"

struct kmem_page_look {
	bool live, raw_ip;		/* what is not freed; addresses instead of functions */
	int gfp_width;			/* of the longest flags; kmem_add_gfp() */
};

/* What the short names of flags stand for; returns the width of the column of flags. */
int kmem_add_gfp(struct str *out, const struct table *gfp);
/* n_rows: at most; < 0: all. */
void kmem_page_add_rows(struct str *out, const struct table *t, int n_rows,
			const struct kmem_page_look *look);
void kmem_page_add_totals(struct str *out, const struct kmem_page_totals *totals);

#endif
