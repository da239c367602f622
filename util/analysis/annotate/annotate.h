/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_ANNOTATE_H
#define ANALYSIS_ANNOTATE_H
/*
 * Samples by address: a sink that counts, for each symbol and event, how many samples (and how
 * much of the event) fell on each address; listing.h puts them beside the code. Samples of
 * addresses without a symbol count in the totals only. One owner; the stream runs clones in
 * parallel.
 *
 *	struct annotate *a = annotate_new(&opts);
 *	session_run(s, (struct sink *[]){ annotate_sink(a) }, 1);
 *	annotate_finish(a);
 *	annotate_order(a, &event, 1, &order);
 *	for vec_each(it, &order) ...
 *	annotate_free(a);
 */
#include "util/analysis/annotate/blocks.h"
#include "util/base/vec.h"
#include "util/stream/sink.h"

struct annotate_sum { u64 n, period; };		/* samples; what they stand for */

static inline struct annotate_sum annotate_sum_of(const struct annotate_sum *v, size_t n)
{
	struct annotate_sum all = { 0 };

	for (size_t i = 0; i < n; i++) {
		all.n += v[i].n;
		all.period += v[i].period;
	}
	return all;
}

/* What 100 % is, and what is counted. */
enum annotate_percent { ANNOTATE_LOCAL_PERIOD, ANNOTATE_LOCAL_HITS, ANNOTATE_GLOBAL_PERIOD,
			ANNOTATE_GLOBAL_HITS };
/* "local-period"; also "period-local". -EINVAL: none of them. */
int annotate_percent_parse(const char *text, enum annotate_percent *out, struct err *err);
const char *annotate_percent_text(enum annotate_percent p);	/* "local period" */
double annotate_pct(enum annotate_percent p, struct annotate_sum part,
		    struct annotate_sum symbol_total, struct annotate_sum event_total);

struct annotate_count { u64 rva; int event; struct annotate_sum sum; };	/* event: its index */

struct annotate_symbol {
	struct dso *dso;
	const struct symbol *sym;
	/* to an address of the file: where it was when it ran. Of processes that differ the lowest;
	 * 0 in a symbol without samples */
	u64 shift;
	const struct annotate_count *counts;	/* by event, then address */
	size_t n_counts;
};
typedef VEC(const struct annotate_symbol *) annotate_symbols;

struct annotate;
/* Only samples of the symbol with this name count, if it is not NULL: mangled, demangled, or
 * demangled without its parameters. Borrowed. */
struct annotate *annotate_new(const char *symbol);
void annotate_free(struct annotate *a);		/* NULL is fine */
struct sink *annotate_sink(struct annotate *a);	/* valid as long as a */
/* Before the stream runs: branch stacks are counted, too. They do not fade. counters: what is in
 * them of counters (events: as long as a); NULL: nothing. */
void annotate_want_branches(struct annotate *a, const struct branch_counters *counters);
const struct code_blocks *annotate_blocks(const struct annotate *a);	/* lives as long as a */
/* After the stream ran, or between two of its batches: makes what the rest here answers. What was
 * borrowed before is gone. */
void annotate_finish(struct annotate *a);
/* Live, after annotate_finish(), whose answers stay: what was counted loses weight as rows do (see
 * hist_decay()), keep/of of it is left; what has next to none is forgotten. Of more than most
 * addresses those with the least are, too. */
void annotate_decay(struct annotate *a, u64 keep, u64 of, size_t most);

size_t annotate_n_symbols(const struct annotate *a);
/* of all samples of the event that count; of one symbol */
struct annotate_sum annotate_total(const struct annotate *a, const struct event *e);
struct annotate_sum annotate_symbol_total(const struct annotate_symbol *s, const struct event *e);
/* NULL: no samples */
const struct annotate_symbol *annotate_find(const struct annotate *a, const struct symbol *sym);
/* Symbols with samples of these events (one, or the members of a group), by what they used of the
 * first, then of the others, most first. The caller frees the vector. */
void annotate_order(const struct annotate *a, const struct event *const *events, size_t n,
		    annotate_symbols *out);
/* Whether a symbol goes by that name. */
bool annotate_is_named(const struct symbol *sym, const char *name);

#endif
