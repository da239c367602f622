// SPDX-License-Identifier: GPL-2.0-or-later
// What perf heap record, report and live have in common.
#include <errno.h>
#include <string.h>

#include "builtin-heap.h"
#include "util/base/words.h"
#include "util/cli/rows.h"
#include "util/session/session.h"

/* --- record */

static int set_period(const struct opt_use *u, struct err *err)
{
	return record_parse_heap_period(&((struct heap_recording *)u->base)->heap, u->arg, err);
}

static int set_probes(const struct opt_use *u, struct err *err)
{
	static const char *const ways[] = { "auto", "session", "multi", "single" };
	const int way = word_index(ways, ARRAY_SIZE(ways), u->arg, strlen(u->arg));

	if (way < 0)
		return err_set(err, EINVAL, "--probes %s: they are auto, session, multi or single",
			       u->arg);
	((struct heap_recording *)u->base)->heap.way = way;
	return 0;
}

const struct option_def heap_record_options[] = {
	OPT_CALL(0, "period", "bytes", set_period,
		 "sample an allocation for about so many bytes (default: 512K; 1: each one)"),
	OPT_CALL(0, "probes", "way", set_probes,
		 "how functions are probed: session (Linux 6.14), multi (6.6), single, or auto\n"
		 "(default: the first that the kernel has)"),
	OPT_STRING(0, "library", struct heap_recording, heap.libraries, "file[,file...]",
		   "probe them from the beginning of each process on: libraries that are loaded\n"
		   "later, static programs that children execute"),
	OPT_END
};

/* Where no event is asked for there is one that counts nothing, which brings the stacks. */
int heap_run_record(const struct heap_recording *h, const struct picture_record *r,
		    const char *output, int n, const char **argv)
{
	static const char *const words[] = { "heap", "record", NULL };
	const struct record_preset p = { .words = words, .heap = h->heap,
					 .output = output };
	opt_list options = { 0 }, line = { 0 };
	int status;

	if (!r->events) {
		vec_push(&options, "-e");
		vec_push(&options, "dummy:u");
	}
	if (!r->stacks)
		vec_push(&options, "--call-graph=auto");
	if (h->common.quiet)
		vec_push(&options, "-q");
	for (int i = 0; i < h->common.verbose; i++)
		vec_push(&options, "-v");
	for vec_each(word, &r->words)
		vec_push(&options, *word);
	record_line(&line, &options, n, argv);
	if (!n)
		line.n -= 1;		/* no "--" without a command */
	status = record_with(&p, (int)line.n - 1, line.v);
	vec_free(&options);
	vec_free(&line);
	return status;
}

/* --- what is shown */

static int set_percent_limit(const struct opt_use *u, struct err *err)
{
	return cli_set_chain_min_pct(u, &((struct heap_cmd *)u->base)->opts.min_pct, err);
}

static int set_measure(const struct opt_use *u, struct err *err)
{
	const int k = word_index(heap_measure_names, HEAP_N_MEASURES, u->arg, strlen(u->arg));

	if (k < 0)
		return err_set(err, EINVAL, "--sort %s: it is live, peak, alloc, allocs or leak",
			       u->arg);
	((struct heap_cmd *)u->base)->opts.measure = (enum heap_measure)k;
	return 0;
}

#define F struct heap_cmd
const struct option_def heap_view_options[] = {
	OPT_CALL('s', "sort", "measure", set_measure,
		 "what shares are of, and rows are sorted by: live (default), peak, alloc,\n"
		 "allocs, leak"),
	OPT_FLAG('g', "stacks", F, opts.stacks, "show from where functions were called"),
	OPT_FLAG(0, "inverted", F, opts.inverted, "stacks begin with the innermost function"),
	OPT_CALL_NO(0, "percent-limit", "percent", set_percent_limit,
		    "hide branches of less than this percentage of all (default: 0.5)"),
	OPT_FLAG(0, "percentiles", F, opts.percentiles,
		 "also the times that 50, 95 and 99% of what was freed lived at most, by bytes"),
	OPT_END
};
#undef F

void heap_add(struct heap_cmd *c, struct heap_model *m, struct str *out)
{
	struct heap_tables t = { .total = 0 };

	c->view.inverted = c->opts.inverted;
	c->view.min_pct = c->opts.min_pct;
	c->opts.percentiles |= table_output_data(&c->view.output);
	heap_tables(m, &c->opts, &t);
	heap_show(out, &t, &c->view);
	heap_tables_release(&t);
}
