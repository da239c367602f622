/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_SCHEDSTAT_H
#define VIEW_SCHEDSTAT_H
/*
 * Counters of the scheduler in upstream perf's layout: one report, or two next to each other.
 */
#include "util/analysis/schedstat.h"

/* What is known of a scheduling domain: its name ("SMT"; the kernel tells since version 17) and
 * its CPUs, or NULL. Borrowed. */
struct schedstat_domain { const char *name, *cpus; };
enum { SCHEDSTAT_ANY_CPU = -1 };

/* rows: of schedstat_delta() or schedstat_average(); verbose: fields are explained (the first
 * side's counts). find may be NULL. */
struct schedstat_side {
	const schedstat_rows *rows;
	u64 elapsed;
	bool verbose;
	struct schedstat_domain (*find)(const void *ctx, s64 cpu, int domain);
	const void *ctx;
};

/* The legend and the elapsed time. b NULL: one side. */
void schedstat_head(struct str *out, const struct schedstat_side *a,
		    const struct schedstat_side *b);
/* The CPU in row "at" and its domains; the index after them. title: instead of the CPU's number,
 * for averages; or NULL. */
size_t schedstat_block(struct str *out, const struct schedstat_side *a,
		       const struct schedstat_side *b, size_t at, const char *title);
/* One object: what each CPU and each domain counted. */
void schedstat_json(struct str *out, const struct schedstat_side *s);

#endif
