/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_KMEM_TEXT_H
#define VIEW_KMEM_TEXT_H
/*
 * What the slab allocator was asked for as upstream perf prints it: tables of kmem_tables(). Any
 * thread.
 */
#include "util/analysis/kmem.h"
#include "util/base/str.h"

/* n_rows: at most; < 0: all. raw_ip: addresses instead of functions. */
void kmem_add_rows(struct str *out, const struct table *t, bool callers, int n_rows, bool raw_ip);
void kmem_add_totals(struct str *out, const struct kmem_totals *totals);

#endif
