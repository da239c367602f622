/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_SCHEDSTAT_H
#define VIEW_SCHEDSTAT_H
/*
 * Counters of the scheduler in the stock's layout: one report, or two next to each other.
 */
#include "util/analysis/schedstat.h"

/* rows: of schedstat_delta() or schedstat_average(); verbose: fields are explained (the first side's counts). */
struct schedstat_side { const schedstat_rows *rows; u64 elapsed; bool verbose; };

/* The legend and the elapsed time. b NULL: one side. */
void schedstat_head(struct str *out, const struct schedstat_side *a, const struct schedstat_side *b);
/* The CPU in row "at" and its domains; the index behind them. cpus: text for the title, or NULL: the row's CPU number.
 * domain_cpus(ctx, cpu, domain): the CPUs of a domain, or NULL. */
size_t schedstat_block(struct str *out, const struct schedstat_side *a, const struct schedstat_side *b, size_t at, const char *title,
		       const char *(*domain_cpus)(void *ctx, u32 cpu, u32 domain), void *ctx);
/* One object: what each CPU and each domain counted. */
void schedstat_json(struct str *out, const struct schedstat_side *s);

#endif
