/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_QUALITY_H
#define ANALYSIS_QUALITY_H
/*
 * How good a recording is: how its stacks end, which code has no names, what was lost and throttled
 * on which CPU, and how often samples came against how often they were asked for.
 *
 *	struct quality *q = quality_new();
 *	rc = session_run(s, (struct sink *[]){ quality_sink(q) }, 1);	// rc == 0
 *	quality_tables(q, events, stream_get_stats(s->stream), &tables);
 *	... tables.unknown has a row for each of quality_unknown(q, i) ...
 *	quality_tables_release(&tables);
 *	quality_free(q);
 *
 * The stream is to mark chains that break (stream_opts: count_broken, cut_broken). The result does
 * not depend on the number of threads. One owner.
 */
#include "util/base/table.h"
#include "util/stream/stream.h"

/* Reasons of recorded chains; those of copies are unwind_end_text()'s. */
#define QUALITY_NO_BREAK "without a visible break"
#define QUALITY_BROKEN "code without frame pointers"
#define QUALITY_UNSURE "one frame in code without symbols"
#define QUALITY_RECORDED "unwound by the recorder: how they ended is not in the file"

struct quality;
struct quality *quality_new(void);
void quality_free(struct quality *q);		/* NULL is fine */
struct sink *quality_sink(struct quality *q);

/*
 * Keys of the tables:
 *	stacks	state (whole, cut, broken, unsure, recorded), reason, dso (where it ended;
 *		none: anywhere), samples, share_pct (of all stacks)
 *	unknown	dso, build_id, samples (that fell there), share_pct (of all samples), callers
 *		(frames), reason, package, debug_package: the last two are to be filled in
 *	cpus	cpu (none: the records do not say), samples, lost, throttled
 *	events	event, samples, asked_hz, got_hz (none: not known), running_pct (of the time that
 *		it was enabled; none: not recorded)
 */
struct quality_tables { struct table stacks, unknown, cpus, events; };
void quality_tables(struct quality *q, const struct event_list *events,
		    const struct stream_stats *st, struct quality_tables *out);
void quality_tables_release(struct quality_tables *t);
/* The binary of row i of the table unknown; NULL: code in no binary. */
struct dso *quality_unknown(const struct quality *q, size_t i);
/* Samples of tasks that are called perf. */
u64 quality_own_samples(const struct quality *q);

#endif
